//! Compiles pdfium's WebAssembly to machine code for the target, so that a reader starts without a compiler.

use std::{env, fs, path::Path};
use wasmtime::{Engine, OptLevel};

mod runtime;

fn main() {
    println!("cargo::rerun-if-env-changed=PDFIUM_WASM");
    println!("cargo::rerun-if-changed=src/compile.rs");
    println!("cargo::rerun-if-changed=src/runtime.rs");
    let target = env::var("TARGET").unwrap();
    let mut config = runtime::config();
    config.target(&target).expect("a target that wasmtime compiles for");
    config.cranelift_opt_level(OptLevel::Speed);
    if target.starts_with("x86_64") {
        // What every such processor has since 2009; without it rounding is a call.
        for feature in ["has_sse3", "has_ssse3", "has_sse41", "has_sse42", "has_popcnt"] {
            unsafe { config.cranelift_flag_enable(feature) };
        }
    }
    let path = env::var("PDFIUM_WASM").expect("PDFIUM_WASM is where pdfium.wasm is");
    let wasm = fs::read(&path).unwrap_or_else(|err| panic!("{path}: {err}"));
    let engine = Engine::new(&config).expect("an engine");
    let compiled = engine.precompile_module(&wasm).expect("pdfium compiles");
    fs::write(Path::new(&env::var("OUT_DIR").unwrap()).join("pdfium.cwasm"), compiled).expect("room for it");
}
