//! Canonical JSON as ECMAScript writes it (RFC 8785), and eight-digit hashes of it.
//!
//! The grading model hashes the output of `JSON.stringify` for a value whose keys are sorted by UTF-16 code
//! units. Numbers are therefore rounded to IEEE doubles and written in their shortest form. `1.0`, `1` and
//! `1e0` have the same hash. So do integers beyond 2^53 that round to the same double; [`rounded_numbers`]
//! lists numbers that are rounded.

use fablegrade_public::decimal::Decimal;
use fablegrade_public::json::{Json, write_json_string};
use sha2::{Digest, Sha256};

use crate::entry::Hash8;

/// Returns the canonical text of `value`, without the fields in `omit` if `value` is an object.
pub fn canonical(value: &Json, omit: &[&str]) -> String {
    let mut out = String::new();
    match value {
        Json::Object(fields) => {
            write_object(fields.iter().filter(|(key, _)| !omit.contains(&key.as_ref())), &mut out);
        }
        other => write(other, &mut out),
    }
    out
}

/// Writes a value. The maximum depth of a document (128 levels) limits the recursion.
fn write(value: &Json, out: &mut String) {
    match value {
        Json::Number(number) => out.push_str(&as_double(number).to_string()),
        Json::String(text) => write_json_string(text, out),
        Json::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write(item, out);
            }
            out.push(']');
        }
        Json::Object(fields) => write_object(fields.iter(), out),
        Json::Null | Json::Bool(_) => value.write(out),
    }
}

/// Writes an object, whose fields `Json` has already sorted by UTF-16 code units.
fn write_object<'j>(fields: impl Iterator<Item = &'j (Box<str>, Json)>, out: &mut String) {
    out.push('{');
    for (at, (key, value)) in fields.enumerate() {
        if at > 0 {
            out.push(',');
        }
        write_json_string(key, out);
        out.push(':');
        write(value, out);
    }
    out.push('}');
}

/// Returns the shortest decimal of the nearest double. Parsed numbers are in the range of doubles.
fn as_double(number: &Decimal) -> Decimal {
    Decimal::from_f64(number.to_f64()).unwrap_or_else(|| number.clone())
}

/// Returns pointers to the numbers that hashing rounds because they are not the shortest decimal of a double.
pub fn rounded_numbers(value: &Json) -> Vec<String> {
    let mut found = Vec::new();
    let mut waiting = vec![(String::new(), value)];
    while let Some((at, value)) = waiting.pop() {
        match value {
            Json::Number(number) if as_double(number) != *number => found.push(at),
            Json::Array(items) => {
                waiting.extend(items.iter().enumerate().map(|(index, item)| (format!("{at}/{index}"), item)));
            }
            Json::Object(fields) => waiting.extend(
                fields
                    .iter()
                    .map(|(key, item)| (format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")), item)),
            ),
            _ => {}
        }
    }
    found.sort();
    found
}

/// Returns the first eight hexadecimal digits of the SHA-256 of `bytes`.
pub fn hash8(bytes: &[u8]) -> Hash8 {
    let digest = Sha256::digest(bytes);
    let start = digest.iter().take(4).fold(0u32, |start, &byte| start << 8 | u32::from(byte));
    Hash8::of_hex(&format!("{start:08x}"))
}

/// Returns the hash of a schema, computed from its canonical text without the outermost `schemaHash`.
pub fn schema_hash(schema: &Json) -> Hash8 {
    hash8(canonical(schema, &["schemaHash"]).as_bytes())
}

/// Returns the hash of a selection, computed from its canonical text without the outermost `selectionHash`.
pub fn selection_hash(selection: &Json) -> Hash8 {
    hash8(canonical(selection, &["selectionHash"]).as_bytes())
}

/// Returns the hash of a namespace, computed from its members and the hash of its About page.
pub fn namespace_hash(members: &Json, about_hash: &Hash8) -> Hash8 {
    let payload = Json::build().with("members", members).with("aboutHash", about_hash).build();
    hash8(canonical(&payload, &[]).as_bytes())
}

/// Returns the hash of an About page, computed from the unchanged bytes of the file.
pub fn about_hash(file: &[u8]) -> Hash8 {
    hash8(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Json {
        Json::parse(text.as_bytes()).unwrap()
    }

    #[test]
    fn hashes_are_the_start_of_sha256() {
        // The well-known digests of the empty text and of "abc".
        assert_eq!(hash8(b"").as_str(), "e3b0c442");
        assert_eq!(hash8(b"abc").as_str(), "ba7816bf");
    }

    #[test]
    fn numbers_are_written_as_ecmascript_writes_doubles() {
        let text = "[1.0, -0.0, 1e21, 1e20, 1e-7, 0.1, 0.30000000000000001, 9007199254740993, 5e-324, 123456789012345680000]";
        assert_eq!(
            canonical(&json(text), &[]),
            "[1,0,1e+21,100000000000000000000,1e-7,0.1,0.3,9007199254740992,5e-324,123456789012345680000]"
        );
    }

    #[test]
    fn keys_are_sorted_by_utf16_and_only_outer_fields_are_left_out() {
        let text = "{\"\u{fffd}\":2,\"\u{1f600}\":1,\"schemaHash\":\"x\",\"a\":{\"schemaHash\":1}}";
        assert_eq!(
            canonical(&json(text), &["schemaHash"]),
            "{\"a\":{\"schemaHash\":1},\"\u{1f600}\":1,\"\u{fffd}\":2}"
        );
        assert_eq!(
            schema_hash(&json(r#"{"schemaHash":"deadbeef","n":1}"#)),
            schema_hash(&json(r#"{"n":1}"#))
        );
    }

    #[test]
    fn numbers_that_hashing_rounds_are_named() {
        let value =
            json(r#"{"a/b":[1, 9007199254740993], "c": 0.1, "d": 0.1000000000000000055511151231257827}"#);
        assert_eq!(rounded_numbers(&value), ["/a~1b/1", "/d"]);
    }
}
