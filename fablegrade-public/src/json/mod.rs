//! JSON with exact numbers, limits, no duplicate keys, and canonical output.
//!
//! - [`Document`] is a parsed text: a tape of nodes that borrows the text. [`Value`] is a position in it.
//! - [`Object`] and the reading functions turn values into typed documents and collect *all* findings.
//! - [`Json`] is an owned value. Its `Display` is canonical JSON: keys sorted by UTF-16 code units, no
//!   blanks, and numbers as ECMAScript prints them but with all digits (as in RFC 8785 for up to 15 digits).

mod parse;
mod pointer;
mod read;
mod spelling;
mod tree;
mod write;

pub use parse::{Document, Limits, plain_end};
pub(crate) use pointer::push_segment;
pub use pointer::push_step;
pub use read::{
    Object, Path, Read, Tape, Value, boolean, decimal, deserialize_document, has_length, integer, list,
    string, unique_list, word,
};
pub use spelling::nearest;
pub use tree::{Json, ObjectBuilder};
pub use write::{write_json_string, write_score};
