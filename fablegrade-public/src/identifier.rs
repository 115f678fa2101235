//! Identifiers: ids of choices and items, UUIDs, instants.

use std::fmt;

use sha1::{Digest as _, Sha1};
use smallvec::SmallVec;

use crate::finding::{Finding, Findings};
use crate::json::{Json, Path, Read, Value};

/// The id of a choice, an item or a hint: ASCII letters, digits, `_` and `-`.
///
/// `MAX` is the greatest length: 32 for choices and items, 64 for hints.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Identifier<const MAX: usize>(SmallVec<[u8; 16]>);

/// The id of a choice or item: `[a-zA-Z0-9_-]{1,32}`.
pub type ItemId = Identifier<32>;

/// The id of a hint: `[a-zA-Z0-9_-]{1,64}`.
pub type HintId = Identifier<64>;

impl<const MAX: usize> Identifier<MAX> {
    /// Returns the id, if `text` is one.
    pub fn new(text: &str) -> Option<Self> {
        let form = (1..=MAX).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
        form.then(|| Self(SmallVec::from_slice(text.as_bytes())))
    }

    /// Returns the characters.
    pub fn as_str(&self) -> &str {
        // Always valid UTF-8: `new` accepts only ASCII.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl<const MAX: usize> Read for Identifier<MAX> {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        if let Some(id) = value.str().as_deref().and_then(Self::new) {
            return Some(id);
        }
        let message = match value.str() {
            Some(_) => format!("an id has 1 to {MAX} letters, digits, `_` or `-` (ASCII)"),
            None => format!("expected a string, found {}", value.kind()),
        };
        let rule = if value.str().is_some() { "id-form" } else { "wrong-type" };
        findings.push(Finding::error(rule, at.pointer(), message, "choose an id like `a` or `step-2`"));
        None
    }
}

impl<const MAX: usize> fmt::Display for Identifier<MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl<const MAX: usize> fmt::Debug for Identifier<MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl<const MAX: usize> From<&Identifier<MAX>> for Json {
    fn from(id: &Identifier<MAX>) -> Self {
        id.as_str().into()
    }
}

/// A UUID in its 36-character text form, kept as written (the schema's format `uuid`).
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct UuidText([u8; 36]);

impl UuidText {
    /// Returns the UUID, if `text` is one: 8-4-4-4-12 hexadecimal digits.
    pub fn new(text: &str) -> Option<Self> {
        let text: [u8; 36] = text.as_bytes().try_into().ok()?;
        let form = text.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        });
        form.then_some(Self(text))
    }

    /// Returns the UUID of these 16 bytes, in lower case.
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut text = [b'-'; 36];
        let mut at = 0;
        for (index, byte) in bytes.into_iter().enumerate() {
            if matches!(index, 4 | 6 | 8 | 10) {
                at += 1;
            }
            text[at] = DIGITS[usize::from(byte >> 4)];
            text[at + 1] = DIGITS[usize::from(byte & 15)];
            at += 2;
        }
        Self(text)
    }

    /// Returns the characters.
    pub fn as_str(&self) -> &str {
        // Only ASCII is stored.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

/// Returns the name-based UUID, version 5 of RFC 9562, of a name in a namespace. Linear in the length of the name.
pub fn name_based_uuid(namespace: &[u8; 16], name: &[u8]) -> [u8; 16] {
    let digest = Sha1::new().chain_update(namespace).chain_update(name).finalize();
    let mut uuid = [0; 16];
    uuid.copy_from_slice(&digest[..16]);
    uuid[6] = uuid[6] & 0x0f | 0x50;
    uuid[8] = uuid[8] & 0x3f | 0x80;
    uuid
}

impl Read for UuidText {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        if let Some(uuid) = value.str().as_deref().and_then(Self::new) {
            return Some(uuid);
        }
        findings.push(Finding::error(
            if value.str().is_some() { "uuid-form" } else { "wrong-type" },
            at.pointer(),
            "expected a UUID (8-4-4-4-12 hexadecimal digits)",
            "write it like 3f2b8c1e-0d4a-4f6b-9a57-2c1d8e7f6a5b",
        ));
        None
    }
}

impl fmt::Debug for UuidText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for UuidText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<&UuidText> for Json {
    fn from(uuid: &UuidText) -> Self {
        uuid.as_str().into()
    }
}

/// An instant in RFC 3339 format, kept as written (the schema's format `date-time`).
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Instant(Box<str>);

impl Instant {
    /// Returns the instant, if `text` is an RFC 3339 date-time: a real date, a time with seconds, and an
    /// offset.
    pub fn new(text: &str) -> Option<Self> {
        is_date_time(text.as_bytes()).then(|| Self(text.into()))
    }

    /// Returns the characters.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn is_date_time(text: &[u8]) -> bool {
    let number = |from: usize, to: usize| -> Option<u32> {
        text.get(from..to)?
            .iter()
            .try_fold(0, |value, byte| byte.is_ascii_digit().then(|| value * 10 + u32::from(byte - b'0')))
    };
    let at = |index: usize| text.get(index).copied().unwrap_or(0);
    let (Some(year), Some(month), Some(day)) = (number(0, 4), number(5, 7), number(8, 10)) else {
        return false;
    };
    let (Some(hour), Some(minute), Some(second)) = (number(11, 13), number(14, 16), number(17, 19)) else {
        return false;
    };
    if at(4) != b'-' || at(7) != b'-' || !matches!(at(10), b'T' | b't') || at(13) != b':' || at(16) != b':' {
        return false;
    }
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return false,
    };
    if !(1..=days).contains(&day) || hour > 23 || minute > 59 || second > 60 {
        return false;
    }
    let mut end = 19;
    if at(end) == b'.' {
        end += 1;
        let fraction = end;
        while at(end).is_ascii_digit() {
            end += 1;
        }
        if end == fraction {
            return false;
        }
    }
    let offset = match at(end) {
        b'Z' | b'z' => {
            end += 1;
            0
        }
        sign @ (b'+' | b'-') => {
            let (Some(hours), Some(minutes)) = (number(end + 1, end + 3), number(end + 4, end + 6)) else {
                return false;
            };
            if at(end + 3) != b':' || hours > 23 || minutes > 59 {
                return false;
            }
            end += 6;
            let offset = i64::from(hours * 60 + minutes);
            if sign == b'+' { offset } else { -offset }
        }
        _ => return false,
    };
    // A leap second is possible only at the end of a day in UTC.
    let utc = (i64::from(hour * 60 + minute) - offset).rem_euclid(1440);
    end == text.len() && (second < 60 || utc == 1439)
}

impl Read for Instant {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        if let Some(instant) = value.str().as_deref().and_then(Self::new) {
            return Some(instant);
        }
        findings.push(Finding::error(
            if value.str().is_some() { "date-time-form" } else { "wrong-type" },
            at.pointer(),
            "expected a date-time of RFC 3339",
            "write it like 2026-03-01T09:30:00Z",
        ));
        None
    }
}

impl fmt::Debug for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<&Instant> for Json {
    fn from(instant: &Instant) -> Self {
        instant.as_str().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of RFC 9562, appendix A.4.
    #[test]
    fn names_have_the_uuids_of_version_5() {
        let domains = 0x6ba7_b810_9dad_11d1_80b4_00c0_4fd4_30c8_u128.to_be_bytes();
        let id = UuidText::from_bytes(name_based_uuid(&domains, b"www.example.com"));
        assert_eq!(id.as_str(), "2ed6657d-e927-568b-95e1-2665a8aea6a2");
    }

    #[test]
    fn ids_are_ascii_words_of_bounded_length() {
        for id in ["a", "A-1_z", &"x".repeat(32)] {
            assert_eq!(ItemId::new(id).unwrap().as_str(), id);
        }
        for id in ["", " a", "é", "a\n", &"x".repeat(33)] {
            assert!(ItemId::new(id).is_none(), "{id:?}");
        }
    }

    #[test]
    fn date_times_are_real_instants() {
        for text in [
            "2026-03-01T09:30:00Z",
            "2024-02-29t23:59:60z",
            "2026-12-31T23:59:59.123456789+05:30",
            "1990-12-31T15:59:60-08:00",
        ] {
            assert!(Instant::new(text).is_some(), "{text}");
        }
        for text in [
            "2026-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-01-01T24:00:00Z",
            "2026-01-01T00:00:00",
            "2026-01-01 00:00:00Z",
            "2026-01-01T00:00:00.Z",
            "2026-01-01T00:00:60Z",
            "2026-01-01T00:00:00Zx",
            "2026-01-01T00:00:00+24:00",
            "",
        ] {
            assert!(Instant::new(text).is_none(), "{text}");
        }
    }
}
