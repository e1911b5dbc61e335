//! pdfium in a sandbox: it sees neither files nor network nor the memory of this process. The C interface of
//! backend/extract/pdfium, which says what its functions are for. Whatever fails sets `failure` to a text that
//! fanous_pdfium_free takes back.

use std::ffi::{c_char, CStr, CString};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::{ptr, slice};

use wasmtime::{
    bail, error::Context as _, Caller, Engine, Extern, Func, Instance, InstancePre, Linker, Memory, Module,
    ResourceLimiter, Result, Store, TypedFunc, ValRaw,
};

use crate::runtime;

static COMPILED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/pdfium.cwasm"));

/// Fills `size` bytes from `offset` of a file; false if it cannot.
type Read = unsafe extern "C" fn(file: usize, offset: u32, to: *mut u8, size: u32) -> bool;

/// pdfium, ready to be started any number of times.
pub struct Library {
    start: InstancePre<Host>,
    held: Arc<AtomicUsize>,
}

/// What one pdfium knows of the world: a file.
struct Host {
    read: Read,
    file: usize,
    limit: usize,
    has: usize,
    wanted_more: bool,
    held: Arc<AtomicUsize>,
}

impl Drop for Host {
    fn drop(&mut self) {
        self.held.fetch_sub(self.has, Ordering::Relaxed);
    }
}

impl ResourceLimiter for Host {
    fn memory_growing(&mut self, current: usize, desired: usize, _: Option<usize>) -> Result<bool> {
        if desired > self.limit {
            self.wanted_more = true;
            return Ok(false);
        }
        self.has += desired - current;
        self.held.fetch_add(desired - current, Ordering::Relaxed);
        Ok(true)
    }

    fn table_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> Result<bool> {
        Ok(desired <= 100_000)
    }
}

/// One pdfium with a memory of its own, for one document.
pub struct Sandbox {
    store: Store<Host>,
    instance: Instance,
    memory: Memory,
    functions: Vec<Func>,
    text: Text,
}

/// The functions that are called for every character.
struct Text {
    unicode: TypedFunc<(u32, u32), u32>,
    is_generated: TypedFunc<(u32, u32), i32>,
    lacks_unicode: TypedFunc<(u32, u32), i32>,
    loose_box: TypedFunc<(u32, u32, u32), i32>,
    origin: TypedFunc<(u32, u32, u32, u32), i32>,
    answer: u32, // room in the sandbox for four f32 or two f64
}

/// A character of a page of text, in points.
#[repr(C)]
pub struct Character {
    unicode: u32,
    flags: u32,
    left: f32,
    top: f32,
    right: f32,
    bottom: f32,
    x: f64,
    y: f64,
}

const HAS_BOX: u32 = 1;
const HAS_ORIGIN: u32 = 2;
const GENERATED: u32 = 4;
const LACKS_UNICODE: u32 = 8;

/// The most parameters that a function of pdfium that is called has.
const MAX_SLOTS: usize = 10;

impl Library {
    fn load() -> Result<Library> {
        let engine = Engine::new(&runtime::config())?;
        // What the build has compiled, and nothing else.
        let module = unsafe { Module::deserialize(&engine, COMPILED) }?;
        let mut linker = Linker::new(&engine);
        host(&mut linker)?;
        linker.define_unknown_imports_as_traps(&module)?;
        Ok(Library { start: linker.instantiate_pre(&module)?, held: Arc::new(AtomicUsize::new(0)) })
    }
}

/// What pdfium is told of the world around it: that there are no files but its own, no settings, and that it is always
/// the same moment.
fn host(linker: &mut Linker<Host>) -> Result<()> {
    const BAD_FILE: i32 = 8; // errno of WASI
    linker.func_wrap(
        "env",
        "FPDF_FILEACCESS_CB",
        |mut caller: Caller<'_, Host>, _param: u32, position: u32, to: u32, size: u32| -> i32 {
            let Some(Extern::Memory(memory)) = caller.get_export("memory") else { return 0 };
            let (bytes, host) = memory.data_and_store_mut(&mut caller);
            let end = (to as usize).saturating_add(size as usize);
            match bytes.get_mut(to as usize..end) {
                Some(room) => unsafe { (host.read)(host.file, position, room.as_mut_ptr(), size) as i32 },
                None => 0,
            }
        },
    )?;
    linker.func_wrap("env", "emscripten_notify_memory_growth", |_: u32| {})?;
    let wasi = "wasi_snapshot_preview1";
    linker.func_wrap(
        wasi,
        "environ_sizes_get",
        |mut caller: Caller<'_, Host>, count: u32, size: u32| -> Result<i32> {
            write_u32(&mut caller, count, 0)?;
            write_u32(&mut caller, size, 0)?;
            Ok(0)
        },
    )?;
    linker.func_wrap(wasi, "environ_get", |_: u32, _: u32| 0i32)?;
    linker.func_wrap(
        wasi,
        "clock_time_get",
        |mut caller: Caller<'_, Host>, _: u32, _: u64, at: u32| -> Result<i32> {
            write_u32(&mut caller, at, 0)?;
            write_u32(&mut caller, at.wrapping_add(4), 0)?;
            Ok(0)
        },
    )?;
    linker.func_wrap(wasi, "fd_close", |_: u32| BAD_FILE)?;
    linker.func_wrap(wasi, "fd_prestat_get", |_: u32, _: u32| BAD_FILE)?;
    linker.func_wrap(wasi, "fd_prestat_dir_name", |_: u32, _: u32, _: u32| BAD_FILE)?;
    linker.func_wrap(wasi, "fd_fdstat_get", |_: u32, _: u32| BAD_FILE)?;
    linker.func_wrap(wasi, "fd_filestat_get", |_: u32, _: u32| BAD_FILE)?;
    linker.func_wrap(wasi, "fd_seek", |_: u32, _: i64, _: u32, _: u32| BAD_FILE)?;
    linker.func_wrap(wasi, "fd_read", |_: u32, _: u32, _: u32, _: u32| BAD_FILE)?;
    linker.func_wrap(wasi, "fd_write", |_: u32, _: u32, _: u32, _: u32| BAD_FILE)?;
    linker.func_wrap(wasi, "fd_readdir", |_: u32, _: u32, _: u32, _: i64, _: u32| BAD_FILE)?;
    linker.func_wrap(wasi, "path_filestat_get", |_: u32, _: u32, _: u32, _: u32, _: u32| BAD_FILE)?;
    linker.func_wrap(wasi, "path_open", |_: u32, _: u32, _: u32, _: u32, _: u32, _: i64, _: i64, _: u32, _: u32| {
        BAD_FILE
    })?;
    Ok(())
}

fn write_u32(caller: &mut Caller<'_, Host>, at: u32, value: u32) -> Result<()> {
    match caller.get_export("memory") {
        Some(Extern::Memory(memory)) => Ok(memory.write(caller, at as usize, &value.to_le_bytes())?),
        _ => bail!("pdfium has no memory"),
    }
}

impl Sandbox {
    fn start(library: &Library, limit: usize, read: Read, file: usize) -> Result<Sandbox> {
        let host = Host { read, file, limit, has: 0, wanted_more: false, held: library.held.clone() };
        let mut store = Store::new(library.start.module().engine(), host);
        store.limiter(|host| host);
        let instance = library.start.instantiate(&mut store)?;
        let memory = instance.get_memory(&mut store, "memory").context("pdfium has no memory")?;
        instance.get_typed_func::<(), ()>(&mut store, "_initialize")?.call(&mut store, ())?;
        instance.get_typed_func::<(), ()>(&mut store, "FPDF_InitLibrary")?.call(&mut store, ())?;
        let answer = instance.get_typed_func::<u32, u32>(&mut store, "malloc")?.call(&mut store, 16)?;
        if answer == 0 {
            bail!("the sandbox has no memory left");
        }
        let text = Text {
            unicode: instance.get_typed_func(&mut store, "FPDFText_GetUnicode")?,
            is_generated: instance.get_typed_func(&mut store, "FPDFText_IsGenerated")?,
            lacks_unicode: instance.get_typed_func(&mut store, "FPDFText_HasUnicodeMapError")?,
            loose_box: instance.get_typed_func(&mut store, "FPDFText_GetLooseCharBox")?,
            origin: instance.get_typed_func(&mut store, "FPDFText_GetCharOrigin")?,
            answer,
        };
        Ok(Sandbox { store, instance, memory, functions: Vec::new(), text })
    }

    fn call(&mut self, function: usize, slots: &mut [u64]) -> Result<()> {
        let function = self.functions[function];
        let mut values = [ValRaw::i64(0); MAX_SLOTS];
        for (value, slot) in values.iter_mut().zip(slots.iter()) {
            *value = ValRaw::u64(*slot);
        }
        // Every function of pdfium gives at most one value and takes at most MAX_SLOTS numbers, of which more bits than
        // it has are never looked at.
        unsafe { function.call_unchecked(&mut self.store, &mut values[..])? };
        slots[0] = values[0].get_u64();
        Ok(())
    }

    fn characters(&mut self, page: u32, from: u32, out: &mut [Character]) -> Result<()> {
        let (store, text) = (&mut self.store, &self.text);
        let at = text.answer as usize;
        for (i, c) in out.iter_mut().enumerate() {
            let index = from + i as u32;
            c.unicode = text.unicode.call(&mut *store, (page, index))?;
            c.flags = 0;
            if text.is_generated.call(&mut *store, (page, index))? == 1 {
                c.flags |= GENERATED;
            }
            if text.lacks_unicode.call(&mut *store, (page, index))? == 1 {
                c.flags |= LACKS_UNICODE;
            }
            if text.loose_box.call(&mut *store, (page, index, text.answer))? != 0 {
                c.flags |= HAS_BOX;
                let bytes = self.memory.data(&*store);
                [c.left, c.top, c.right, c.bottom] =
                    [0, 4, 8, 12].map(|n| f32::from_le_bytes(bytes[at + n..at + n + 4].try_into().unwrap()));
            }
            if text.origin.call(&mut *store, (page, index, text.answer, text.answer + 8))? != 0 {
                c.flags |= HAS_ORIGIN;
                let bytes = self.memory.data(&*store);
                [c.x, c.y] = [0, 8].map(|n| f64::from_le_bytes(bytes[at + n..at + n + 8].try_into().unwrap()));
            }
        }
        Ok(())
    }
}

unsafe fn fail(err: wasmtime::Error, failure: *mut *mut c_char) {
    *failure = CString::new(format!("{err:#}").replace('\0', " ")).unwrap().into_raw();
}

/// Gives what a result holds; null, with its error in `failure`, where that is what it is.
unsafe fn give<T>(result: Result<T>, failure: *mut *mut c_char) -> *mut T {
    match result {
        Ok(value) => Box::into_raw(Box::new(value)),
        Err(err) => {
            fail(err, failure);
            ptr::null_mut()
        }
    }
}

/// Says whether a result is one, with its error in `failure` where it is not.
unsafe fn done(result: Result<()>, failure: *mut *mut c_char) -> bool {
    match result {
        Ok(()) => true,
        Err(err) => {
            fail(err, failure);
            false
        }
    }
}

#[no_mangle]
pub unsafe extern "C" fn fanous_pdfium_load(failure: *mut *mut c_char) -> *mut Library {
    give(Library::load(), failure)
}

#[no_mangle]
pub unsafe extern "C" fn fanous_pdfium_unload(library: *mut Library) {
    drop(Box::from_raw(library));
}

#[no_mangle]
pub unsafe extern "C" fn fanous_pdfium_held(library: *const Library) -> usize {
    (*library).held.load(Ordering::Relaxed)
}

#[no_mangle]
pub unsafe extern "C" fn fanous_pdfium_start(
    library: *const Library,
    limit: usize,
    read: Read,
    file: usize,
    failure: *mut *mut c_char,
) -> *mut Sandbox {
    give(Sandbox::start(&*library, limit, read, file), failure)
}

#[no_mangle]
pub unsafe extern "C" fn fanous_pdfium_end(sandbox: *mut Sandbox) {
    drop(Box::from_raw(sandbox));
}

#[no_mangle]
pub unsafe extern "C" fn fanous_pdfium_wanted_more(sandbox: *const Sandbox) -> bool {
    (*sandbox).store.data().wanted_more
}

#[no_mangle]
pub unsafe extern "C" fn fanous_pdfium_function(sandbox: *mut Sandbox, name: *const c_char) -> i32 {
    let s = &mut *sandbox;
    let Ok(name) = CStr::from_ptr(name).to_str() else { return -1 };
    match s.instance.get_func(&mut s.store, name) {
        Some(function) => {
            s.functions.push(function);
            s.functions.len() as i32 - 1
        }
        None => -1,
    }
}

#[no_mangle]
pub unsafe extern "C" fn fanous_pdfium_call(
    sandbox: *mut Sandbox,
    function: u32,
    slots: *mut u64,
    count: usize,
    failure: *mut *mut c_char,
) -> bool {
    done((*sandbox).call(function as usize, slice::from_raw_parts_mut(slots, count)), failure)
}

#[no_mangle]
pub unsafe extern "C" fn fanous_pdfium_memory(sandbox: *mut Sandbox, size: *mut usize) -> *mut u8 {
    let s = &mut *sandbox;
    *size = s.memory.data_size(&s.store);
    s.memory.data_ptr(&s.store)
}

#[no_mangle]
pub unsafe extern "C" fn fanous_pdfium_characters(
    sandbox: *mut Sandbox,
    page: u32,
    from: u32,
    out: *mut Character,
    count: usize,
    failure: *mut *mut c_char,
) -> bool {
    done((*sandbox).characters(page, from, slice::from_raw_parts_mut(out, count)), failure)
}

#[no_mangle]
pub unsafe extern "C" fn fanous_pdfium_free(failure: *mut c_char) {
    drop(CString::from_raw(failure));
}
