include!(concat!(env!("TOKENIZERS_SRC"), "/src/lib.rs"));

mod pdfium;
mod runtime;
