//! A stand-in with the types that daulet/tokenizers names. Fanous only loads
//! tokenizer.json files, so constructing a BPE encoder is an error here.

use rustc_hash::FxHashMap;
use std::collections::HashSet;
use std::fmt;

pub type Rank = u32;

#[derive(Debug)]
pub struct Unsupported;

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("tiktoken vocabularies are not supported in this build")
    }
}

impl std::error::Error for Unsupported {}

pub enum CoreBPE {}

impl CoreBPE {
    pub fn new<P>(
        _encoder: FxHashMap<Vec<u8>, Rank>,
        _special_tokens: FxHashMap<String, Rank>,
        _pattern: P,
    ) -> Result<Self, Unsupported> {
        Err(Unsupported)
    }

    pub fn encode(&self, _text: &str, _allowed_special: &HashSet<&str>) -> (Vec<Rank>, usize) {
        match *self {}
    }

    pub fn decode(&self, _tokens: Vec<Rank>) -> Result<String, Unsupported> {
        match *self {}
    }
}
