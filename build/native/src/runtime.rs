//! How pdfium's WebAssembly is compiled and run. Both sides must agree on it, so both have it from here.

use wasmtime::{Collector, Config};

pub fn config() -> Config {
    let mut config = Config::new();
    // pdfium's picture decoders leave errors by longjmp, which is compiled to exceptions. A thrown one is collected with
    // its sandbox.
    config.wasm_exceptions(true).collector(Collector::Null);
    // Nobody reads the names and lines of a trap in pdfium.
    config.wasm_backtrace_max_frames(None).generate_address_map(false);
    // Threads other than the first have half a megabyte of stack on macOS, and Go's handlers of signals are to go on.
    if cfg!(target_os = "macos") {
        config.max_wasm_stack(256 << 10);
    }
    config
}
