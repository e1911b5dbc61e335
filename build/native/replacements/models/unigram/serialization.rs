//! Replaces the file of the same name in the tokenizers crate, which reads a vocabulary as JSON arrays. On the way to it
//! the crate copies a model's JSON three times, value by value, to find out which kind of model it is: most of a second
//! for 250,000 pieces. A vocabulary may be one string here, which is moved: of every piece its length in bytes,
//! a space, its score, a space, the piece itself.

use super::model::Unigram;
use serde::{de::Error, ser::SerializeStruct, Deserialize, Deserializer, Serialize, Serializer};

type Pieces = Vec<(String, f64)>;

#[derive(Deserialize)]
struct Written {
    #[serde(default)]
    r#type: Option<String>,
    #[serde(default)]
    unk_id: Option<usize>,
    vocab: Vocabulary,
    #[serde(default)]
    byte_fallback: bool,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Vocabulary {
    Packed(String),
    Listed(Pieces),
}

fn unpack(packed: &str) -> Option<Pieces> {
    let mut pieces = vec![];
    let mut rest = packed;
    while !rest.is_empty() {
        let (length, after) = rest.split_once(' ')?;
        let (score, after) = after.split_once(' ')?;
        let (piece, after) = after.split_at_checked(length.parse().ok()?)?;
        // The crate's own reader of numbers: another one might round the last bit otherwise.
        pieces.push((piece.to_string(), serde_json::from_str(score).ok()?));
        rest = after;
    }
    Some(pieces)
}

impl<'de> Deserialize<'de> for Unigram {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = Written::deserialize(deserializer)?;
        if written.r#type.is_some_and(|kind| kind != "Unigram") {
            return Err(Error::custom("not a Unigram model"));
        }
        let vocab = match written.vocab {
            Vocabulary::Listed(pieces) => pieces,
            Vocabulary::Packed(packed) => {
                unpack(&packed).ok_or_else(|| Error::custom("the packed vocabulary is cut or changed"))?
            }
        };
        Unigram::from(vocab, written.unk_id, written.byte_fallback)
            .map_err(|err| Error::custom(format!("the vocabulary cannot be used: {err}")))
    }
}

impl Serialize for Unigram {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut model = serializer.serialize_struct("Unigram", 4)?;
        model.serialize_field("type", "Unigram")?;
        model.serialize_field("unk_id", &self.unk_id)?;
        model.serialize_field("vocab", &self.vocab)?;
        model.serialize_field("byte_fallback", &self.byte_fallback())?;
        model.end()
    }
}
