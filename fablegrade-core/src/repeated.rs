//! Reuse of results for JSON Lines that repeat an earlier question and answer.
//!
//! In a file of answers, many lines differ from an earlier line only in fields at the beginning, such as `id`.
//! [`Head::of`] splits off these *names*: `id`, `item`, `sitting` and `seconds`. [`Repeated`] caches the
//! result for an item and the rest of the line. Texts are compared byte by byte, so JSON that was
//! read once is not read again.

use std::hash::{BuildHasher as _, Hash as _, Hasher as _};

use fablegrade_public::json::plain_end;
use hashbrown::{DefaultHashBuilder, HashTable};

/// The names at the beginning of a line, and the rest of the line.
///
/// Names are plain: strings without escapes, or numbers with few digits and no exponent. For any other line,
/// [`Head::of`] returns `None`, and the caller needs a JSON reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head<'l> {
    /// The text of the value of `id` in the line.
    pub id: Option<&'l str>,
    /// The text of the value of `item` in the line, a string.
    pub item: Option<&'l str>,
    /// The text of the value of `sitting` in the line.
    pub sitting: Option<&'l str>,
    /// The text of the value of `seconds` in the line, a number.
    pub seconds: Option<&'l str>,
    /// The rest of the line, from the first key that is not a name.
    rest: &'l [u8],
}

/// Maximum number of digits before the decimal point, and of digits after it, in a number used as a name.
const MAX_DIGITS: usize = 15;

impl<'l> Head<'l> {
    /// Splits the names off a line. Returns `None` if the line does not start an object, if a name is not
    /// plain, is repeated or has the wrong type, or if no other field follows. Linear in the length of the
    /// names.
    pub fn of(line: &'l [u8]) -> Option<Self> {
        let mut at = blanks(line, 0);
        if line.get(at) != Some(&b'{') {
            return None;
        }
        at = blanks(line, at + 1);
        let mut values: [Option<(usize, usize)>; 4] = [None; 4];
        let start = loop {
            let key_end = string_end(line, at)?;
            let place = match &line[at..key_end] {
                b"\"id\"" => 0,
                b"\"item\"" => 1,
                b"\"sitting\"" => 2,
                b"\"seconds\"" => 3,
                _ => break at,
            };
            let value = blanks(line, key_end);
            if line.get(value) != Some(&b':') || values[place].is_some() {
                return None;
            }
            let value = blanks(line, value + 1);
            let is_text = line.get(value) == Some(&b'"');
            if is_text && place == 3 || !is_text && place == 1 {
                return None;
            }
            let end = if is_text { string_end(line, value)? } else { number_end(line, value)? };
            values[place] = Some((value, end));
            at = blanks(line, end);
            if line.get(at) != Some(&b',') {
                return None;
            }
            at = blanks(line, at + 1);
        };
        let names = std::str::from_utf8(&line[..start]).ok()?;
        let [id, item, sitting, seconds] =
            values.map(|value| value.and_then(|(from, to)| names.get(from..to)));
        Some(Self { id, item, sitting, seconds, rest: &line[start..] })
    }

    /// Creates a head for a whole text; the item, if any, is given elsewhere. Returns `None` if the text or
    /// the item's id is too long to be cached.
    pub fn whole(item: Option<&'l str>, text: &'l [u8]) -> Option<Self> {
        let short = text.len() <= MAX_REST && item.is_none_or(|item| item.len() <= MAX_REST);
        short.then_some(Self { id: None, item, sitting: None, seconds: None, rest: text })
    }

    /// Returns the present names as a bit mask. Lines with different sets of names are never treated as the
    /// same, because the rest of a line can repeat one of its names, which is an error.
    fn fields(&self) -> u8 {
        let there = [self.id, self.item, self.sitting, self.seconds].map(|name| u8::from(name.is_some()));
        there.into_iter().fold(0, |fields, there| fields << 1 | there)
    }
}

#[inline]
fn blanks(line: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\t' | b'\r' | b'\n') = line.get(at) {
        at += 1;
    }
    at
}

/// Returns the position after the closing quote of the string at `at`. Returns `None` if there is no string,
/// or if it has escapes or control characters.
#[inline]
fn string_end(line: &[u8], at: usize) -> Option<usize> {
    if line.get(at) != Some(&b'"') {
        return None;
    }
    let mut at = plain_end(line, at + 1);
    loop {
        match line.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' | 0..=0x1f => return None,
            _ => at = plain_end(line, at + 1),
        }
    }
}

/// Returns the position after a number without an exponent, with at most [`MAX_DIGITS`] digits on either side
/// of the point.
fn number_end(line: &[u8], start: usize) -> Option<usize> {
    let digits = |from: usize| {
        let count = line[from..].iter().take(MAX_DIGITS + 1).take_while(|byte| byte.is_ascii_digit()).count();
        (1..=MAX_DIGITS).contains(&count).then_some(from + count)
    };
    let whole = start + usize::from(line.get(start) == Some(&b'-'));
    let end = digits(whole.min(line.len()))?;
    if line[whole] == b'0' && end > whole + 1 {
        return None;
    }
    let end = if line.get(end) == Some(&b'.') { digits(end + 1)? } else { end };
    // A number with an exponent is not plain.
    (!matches!(line.get(end), Some(b'e' | b'E'))).then_some(end)
}

/// A cache of results by item and rest of the line. Callers store a result only if its line has occurred
/// recently ([`Repeated::is_again`]), so lines that never repeat cost only a hash. Memory is bounded: a full
/// cache is cleared.
pub struct Repeated<T> {
    table: HashTable<Entry<T>>,
    hasher: DefaultHashBuilder,
    /// The total size of the entries and its limit, in bytes.
    cost: usize,
    limit: usize,
    /// Hashes of recent lines, each at the index given by its low bits.
    lately: Box<[u64]>,
    /// `true` if the line of the last failed look-up occurred recently.
    again: bool,
}

struct Entry<T> {
    fields: u8,
    /// Length of the item's text in `text`.
    item: u32,
    /// The item, then the rest of the line.
    text: Box<[u8]>,
    value: T,
}

/// Maximum length of the rest of a cached line, in bytes.
const MAX_REST: usize = 4_096;
/// The assumed size of an entry in addition to its texts and value, in bytes.
const OVERHEAD: usize = 128;
/// The number of slots for hashes of recent lines.
const LATELY: usize = 1 << 14;

impl<T> Repeated<T> {
    /// Creates an empty cache for at most `limit` bytes of entries; hashes of recent lines take another 128
    /// KiB.
    pub fn within(limit: usize) -> Self {
        let hasher = DefaultHashBuilder::default();
        let lately = vec![0; LATELY].into();
        Self { table: HashTable::new(), hasher, cost: 0, limit, lately, again: false }
    }

    /// Returns the result of a line with the same item, set of names and rest. Linear in the length of the
    /// line.
    pub fn get(&mut self, head: &Head<'_>) -> Option<&T> {
        let item = head.item.unwrap_or_default().as_bytes();
        let same = |entry: &Entry<T>| {
            let (known, rest) = entry.text.split_at(entry.item as usize);
            entry.fields == head.fields() && known == item && rest == head.rest
        };
        let hash = hash(&self.hasher, head.fields(), item, head.rest);
        let found = self.table.find(hash, same);
        if found.is_none() {
            let place = &mut self.lately[hash as usize % LATELY];
            self.again = *place == hash;
            *place = hash;
        }
        found.map(|entry| &entry.value)
    }

    /// Returns whether to store the result for the line of the last [`Repeated::get`] that found nothing.
    pub fn is_again(&self, head: &Head<'_>) -> bool {
        self.again && head.rest.len() <= MAX_REST
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.cost = 0;
        self.table.clear();
    }

    /// Stores the result of a line that is not in the cache; `more` is the size of the value's heap data in
    /// bytes.
    pub fn learn(&mut self, head: &Head<'_>, value: T, more: usize) {
        let item = head.item.unwrap_or_default().as_bytes();
        let cost = item.len() + head.rest.len() + size_of::<T>() + OVERHEAD + more;
        if cost > self.limit {
            return;
        }
        if self.cost + cost > self.limit {
            self.clear();
        }
        self.cost += cost;
        let text = [item, head.rest].concat().into();
        let entry = Entry { fields: head.fields(), item: item.len() as u32, text, value };
        let hasher = &self.hasher;
        let of = |entry: &Entry<T>| {
            let (item, rest) = entry.text.split_at(entry.item as usize);
            hash(hasher, entry.fields, item, rest)
        };
        self.table.insert_unique(of(&entry), entry, of);
    }
}

fn hash(hasher: &DefaultHashBuilder, fields: u8, item: &[u8], rest: &[u8]) -> u64 {
    let mut state = hasher.build_hasher();
    state.write_u8(fields);
    item.hash(&mut state);
    state.write(rest);
    state.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fablegrade_public::json::Document;
    use proptest::prelude::*;

    fn names(line: &str) -> Option<[Option<&str>; 4]> {
        Head::of(line.as_bytes()).map(|head| [head.id, head.item, head.sitting, head.seconds])
    }

    #[test]
    fn names_are_taken_off_where_they_are_plain() {
        let line = r#" { "id" : 7, "item":"späť","sitting":"s-1", "seconds":1.5 ,"submission":{"item":1}} "#;
        assert_eq!(names(line), Some([Some("7"), Some("\"späť\""), Some("\"s-1\""), Some("1.5")]));
        assert_eq!(Head::of(line.as_bytes()).unwrap().rest, br#""submission":{"item":1}} "#);
        assert_eq!(names(r#"{"submission":1,"item":"a"}"#), Some([None; 4]));
        for other in [
            r#"{"id":7}"#,
            r#"{"id":1,"id":2,"submission":1}"#,
            r#"{"id":null,"submission":1}"#,
            r#"{"id":1e5,"submission":1}"#,
            r#"{"id":01,"submission":1}"#,
            r#"{"id":-,"submission":1}"#,
            r#"{"id":1.,"submission":1}"#,
            r#"{"id":1234567890123456,"submission":1}"#,
            r#"{"id":"a\"b","submission":1}"#,
            r#"{"item":7,"submission":1}"#,
            r#"{"seconds":"7","submission":1}"#,
            r#"{"id":"a" "submission":1}"#,
            r#"{"id":"a","#,
            r#"{"id":-"#,
            r#"["id"]"#,
            "",
        ] {
            assert_eq!(names(other), None, "{other}");
        }
        assert_eq!(Head::of(b"{\"id\":\"\xff\",\"submission\":1}"), None);
        assert_eq!(Head::of(b"{\"id\":\"a\nb\",\"submission\":1}"), None);
    }

    proptest! {
        #[test]
        fn names_are_those_that_a_reader_of_json_finds(
            line in r#"\{ ?("(id|item|sitting|seconds|x)" ?: ?("[a-zé\\"]{0,12}"|-?[0-9]{1,3}(\.[0-9])?|null|\[\]) ?, ?){0,5}"x":\{\}\}"#,
        ) {
            if let (Some(found), Ok(document)) = (names(&line), Document::parse(line.as_bytes())) {
                let root = document.root();
                let texts = ["id", "item", "sitting", "seconds"].map(|name| root.get(name).map(|value| value.text()));
                for (found, text) in found.into_iter().zip(texts) {
                    prop_assert!(found.is_none() || found == text, "{line}: {found:?}, {text:?}");
                }
            }
        }
    }

    fn head(text: &str) -> Head<'_> {
        Head::of(text.as_bytes()).unwrap()
    }

    #[test]
    fn only_the_same_item_fields_and_rest_are_found_again() {
        let mut known = Repeated::within(1 << 16);
        let line = r#"{"id":1,"item":"a","submission":{}}"#;
        assert_eq!(known.get(&head(line)), None);
        known.learn(&head(line), 5, 0);
        assert_eq!(known.get(&head(r#"{"item":"a","id":"other","submission":{}}"#)), Some(&5));
        for other in [
            r#"{"item":"a","submission":{}}"#,
            r#"{"id":1,"item":"b","submission":{}}"#,
            r#"{"id":1,"item":"a","submission":{} }"#,
            r#"{"id":1,"item":"a","sitting":1,"submission":{}}"#,
        ] {
            assert_eq!(known.get(&head(other)), None, "{other}");
        }
    }

    #[test]
    fn whole_texts_are_told_apart_by_their_item() {
        let mut known = Repeated::within(1 << 16);
        let whole = |item, text: &'static str| Head::whole(item, text.as_bytes()).unwrap();
        for (value, item) in [None, Some(""), Some("a"), Some("b")].into_iter().enumerate() {
            assert_eq!(known.get(&whole(item, "{}")), None);
            known.learn(&whole(item, "{}"), value, 0);
            assert_eq!(known.get(&whole(item, "{}")), Some(&value));
            assert_eq!(known.get(&whole(item, "{ }")), None);
        }
        let long = "x".repeat(MAX_REST + 1);
        assert!(Head::whole(None, long.as_bytes()).is_none() && Head::whole(Some(&long), b"{}").is_none());
    }

    #[test]
    fn memory_is_bounded_and_lines_are_learned_the_second_time() {
        let mut known = Repeated::within(1 << 16);
        let line = |at: usize| format!(r#"{{"id":1,"item":"a","submission":{at}}}"#);
        for at in 0..20_000 {
            let line = line(at);
            let head = head(&line);
            for time in 0..3 {
                assert_eq!(known.get(&head).copied(), (time == 2).then_some(at));
                if time < 2 {
                    assert_eq!(known.is_again(&head), time == 1);
                }
                if time == 1 {
                    known.learn(&head, at, 0);
                }
            }
            assert!(known.cost <= known.limit && known.table.len() <= known.limit / OVERHEAD);
        }
        let long = format!(r#"{{"id":1,"submission":"{}"}}"#, "x".repeat(MAX_REST));
        for _ in 0..2 {
            assert_eq!(known.get(&head(&long)), None);
            assert!(!known.is_again(&head(&long)));
        }
    }
}
