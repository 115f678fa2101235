//! The sources of questions that `lint` checks: files, folders, questions with answers, item banks.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use fablegrade_core::json::{Document, Path, Value};
use fablegrade_core::{DeliveryView, Finding, QuestionType, Submission, lint_json_knowing, lint_json_with};

use super::Known;
use crate::bank;
use crate::exit::Failure;
use crate::folder;

/// A file to check.
pub(super) struct Source {
    pub(super) path: PathBuf,
    /// Whether the file was found in a folder, so it may contain something other than a question.
    pub(super) in_folder: bool,
}

/// A function that takes the name of a file, the number of a line, and the line.
type TakeDocument<'t> = dyn FnMut(&str, u64, &[u8]) + 't;

impl Source {
    /// Returns whether each line of the file is a document.
    pub(super) fn is_lines(&self) -> bool {
        self.path.extension().is_some_and(|extension| extension == "jsonl")
    }

    /// Passes the lines of the file to `take`, except blank lines.
    ///
    /// The file is read in blocks, so a bank can be larger than a document. Lines that are too long are
    /// refused once the others are checked.
    pub(super) fn each_line(&self, take: &mut TakeDocument<'_>) -> Result<(), Failure> {
        let name = self.path.display().to_string();
        let mut refused = Vec::new();
        bank::each_line(&self.path, None, &mut refused, &mut |number, line| {
            take(&name, number, line);
            Ok(())
        })?;
        if refused.is_empty() { Ok(()) } else { Err(Failure::Invalid(refused)) }
    }
}

/// Returns the files that `paths` name. A folder is replaced by the `.json` files below it, in the order of
/// their paths.
pub(super) fn list(paths: &[PathBuf]) -> Result<Vec<Source>, Failure> {
    let mut sources = Vec::new();
    for path in paths {
        if path.is_dir() {
            let files = folder::json_files(path)?;
            sources.extend(files.into_iter().map(|file| Source { path: file.path, in_folder: true }));
        } else {
            sources.push(Source { path: path.clone(), in_folder: false });
        }
    }
    Ok(sources)
}

/// Returns the questions in a document, with their pointers.
pub(super) fn questions<'d>(root: Value<'d>) -> Vec<(String, Value<'d>)> {
    let items: Vec<_> = root.fields().collect();
    let is_question =
        |item: &Value<'_>| item.is_object() && item.get("type").is_some_and(|kind| kind.str().is_some());
    // `spec` and `submission` can be ids of items, but only together with other ids.
    let has_ids = items.iter().any(|(id, _)| !matches!(&**id, "spec" | "submission"));
    let is_bank = has_ids && items.iter().all(|(_, item)| is_question(item));
    if !is_bank {
        if root.get("type").is_some() {
            return vec![(String::new(), root)];
        }
        if let Some(spec) = root.get("spec") {
            return vec![("/spec".into(), spec)];
        }
        if items.is_empty() || !items.iter().all(|(_, item)| item.get("type").is_some()) {
            return Vec::new();
        }
    }
    items.into_iter().map(|(id, item)| (Path::Field(&Path::Root, &id).pointer(), item)).collect()
}

/// Returns the items of a document as pairs of a pointer and an id.
///
/// These are all items of a bank, or the only item of a line `{"item": ID, "spec": SPEC}`.
pub(super) fn items(bytes: &[u8]) -> Vec<(String, String)> {
    let Ok(document) = Document::parse(bytes) else { return Vec::new() };
    let root = document.root();
    let questions = questions(root);
    if let [(pointer, _)] = questions.as_slice()
        && matches!(pointer.as_str(), "" | "/spec")
    {
        let name = root.get("item").or_else(|| root.get("id")).and_then(|name| name.str());
        return name.map(|name| (String::new(), name.into_owned())).into_iter().collect();
    }
    questions.into_iter().map(|(pointer, _)| (pointer.clone(), key(&pointer))).collect()
}

/// Returns the findings about the id of a line of a bank. `ids` holds the ids of the earlier lines.
///
/// A line with its own answer is a question with a submission and needs no id.
pub(super) fn lint_id(line: &[u8], ids: &mut HashSet<String>) -> Vec<Finding> {
    let Ok(document) = Document::parse(line) else { return Vec::new() };
    let root = document.root();
    let has = |name: &str| root.get(name).is_some();
    if !has("spec") || has("submission") || has("attempt") {
        return Vec::new();
    }
    let Some(item) = root.get("item") else {
        let (message, help) = ("the line has no `item`", "add the id of the question as `item`");
        return if has("id") { Vec::new() } else { vec![Finding::error("missing-field", "", message, help)] };
    };
    match item.str().map(|item| item.into_owned()) {
        Some(item) if ids.contains(&item) => {
            let message = format!("the bank has two questions with the id {item:?}");
            vec![Finding::error("duplicate-item", "/item", message, "give each question an id of its own")]
        }
        Some(item) => {
            ids.insert(item);
            Vec::new()
        }
        None => Vec::new(),
    }
}

/// Returns the key that the pointer to a member of a document's root names.
pub(super) fn key(pointer: &str) -> String {
    pointer.strip_prefix('/').unwrap_or(pointer).replace("~1", "/").replace("~0", "~")
}

/// Returns whether a file in a folder contains a question, not another document or other JSON.
///
/// A file that is not JSON counts as a question, so its syntax error is reported.
pub(super) fn is_question(bytes: &[u8]) -> bool {
    let Ok(document) = Document::parse(bytes) else { return true };
    let root = document.root();
    match root.get("type") {
        // If `type` is an object, it is a question whose id is `type`.
        Some(kind) if !kind.is_object() => {
            let kind = kind.str();
            let known = QuestionType::WORDS.iter().any(|(word, _)| kind.as_deref() == Some(*word));
            let submission = || root.read_as::<Submission>().is_ok();
            // A free-text question has no key, so it can also be read as a view.
            let view = || kind.as_deref() != Some("free_text") && root.read_as::<DeliveryView>().is_ok();
            known && !submission() && !view()
        }
        _ => questions(root).iter().any(|(pointer, _)| !pointer.is_empty()),
    }
}

/// Returns the findings about a question, a question with a submission, or an item bank.
pub(super) fn lint(bytes: &[u8], known: &Known) -> Vec<Finding> {
    let one = |text: &[u8]| {
        if known.all { lint_json_with(text, known.host()) } else { lint_json_knowing(text, known.host()) }
    };
    let Ok(document) = Document::parse(bytes) else { return one(bytes) };
    let questions = questions(document.root());
    if questions.is_empty() {
        return one(bytes);
    }
    let within = |(pointer, question): (String, Value<'_>)| {
        one(question.text().as_bytes()).into_iter().map(move |finding| finding.within(&pointer))
    };
    questions.into_iter().flat_map(within).collect()
}

/// Returns the line and column (from 1) of the value at each pointer, or of the innermost existing value around it;
/// the start of the document if it is not valid JSON.
///
/// The document is parsed once, and the members of its root are looked up in a map, because there can be as many
/// findings as members.
pub(super) fn locate<'p>(bytes: &[u8], pointers: impl IntoIterator<Item = &'p str>) -> Vec<(usize, usize)> {
    let pointers = pointers.into_iter();
    let Ok(document) = Document::parse(bytes) else { return pointers.map(|_| (1, 1)).collect() };
    let root = document.root();
    let members: HashMap<_, _> = root.fields().collect();
    let places = Places::new(bytes);
    let value_at = |pointer: &str| match pointer.strip_prefix('/') {
        Some(rest) if root.is_object() => {
            let (first, rest) = rest.find('/').map_or((rest, ""), |end| rest.split_at(end));
            members.get(key(first).as_str()).map_or(root, |member| innermost(*member, rest))
        }
        _ => innermost(root, pointer),
    };
    pointers
        .map(|pointer| {
            let start = value_at(pointer).text().as_ptr() as usize;
            places.of(start.saturating_sub(bytes.as_ptr() as usize))
        })
        .collect()
}

/// The lines of a text, and counts of its characters, so that a place is found without reading the text again.
struct Places<'t> {
    bytes: &'t [u8],
    /// The offsets at which lines begin.
    lines: Vec<usize>,
    /// The number of characters before each block of [`Self::BLOCK`] bytes.
    characters: Vec<usize>,
}

impl<'t> Places<'t> {
    const BLOCK: usize = 1024;

    fn new(bytes: &'t [u8]) -> Self {
        let lines = std::iter::once(0).chain(memchr::memchr_iter(b'\n', bytes).map(|at| at + 1)).collect();
        let mut characters = vec![0];
        for block in bytes.chunks(Self::BLOCK) {
            characters.push(characters.last().copied().unwrap_or_default() + count(block));
        }
        Self { bytes, lines, characters }
    }

    /// Returns the number of characters before an offset.
    fn characters_before(&self, offset: usize) -> usize {
        let block = offset / Self::BLOCK;
        let rest = self.bytes.get(block * Self::BLOCK..offset).unwrap_or_default();
        self.characters.get(block).copied().unwrap_or_default() + count(rest)
    }

    /// Returns the line and column (from 1) of an offset.
    fn of(&self, offset: usize) -> (usize, usize) {
        let line = self.lines.partition_point(|start| *start <= offset);
        let start = line.checked_sub(1).and_then(|at| self.lines.get(at)).copied().unwrap_or_default();
        (line, self.characters_before(offset) - self.characters_before(start) + 1)
    }
}

/// Counts the characters of a part of a text in UTF-8, each at its first byte.
fn count(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}

/// Returns the value at a pointer, or the innermost existing value around it.
fn innermost<'d>(mut value: Value<'d>, pointer: &str) -> Value<'d> {
    for token in pointer.split('/').skip(1) {
        let name = key(token);
        let inner = match name.parse() {
            Ok(index) if !value.is_object() => value.elements().nth(index),
            _ => value.get(&name),
        };
        match inner {
            Some(inner) => value = inner,
            None => break,
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_told_from_other_documents() {
        for (text, question) in [
            (r#"{"type":"numeric","answer":{"value":42}}"#, true),
            (r#"{"type":"numeric","answer":{"value":42},"typo":1}"#, true),
            (r#"{"type":"numeric","value":42}"#, false),
            (r#"{"type":"free_text","gradingMode":"reviewer"}"#, true),
            (r#"{"type":"free_text","content":"text"}"#, false),
            (r#"{"spec":{"type":"numeric"},"submission":{}}"#, true),
            (r#"{"a":{"type":"numeric"},"b":{"type":"code"}}"#, true),
            (r#"{"type":{"type":"numeric"},"b":{"type":"code"}}"#, true),
            (r#"{"name":"package","version":"1"}"#, false),
            (r#"{"type":"module"}"#, false),
            ("[]", false),
            ("{", true),
        ] {
            assert_eq!(is_question(text.as_bytes()), question, "{text}");
        }
    }

    #[test]
    fn items_have_names() {
        let of = |text: &str| items(text.as_bytes());
        let pair = |pointer: &str, name: &str| (pointer.to_owned(), name.to_owned());
        assert_eq!(
            of(r#"{"a":{"type":"numeric"},"b/c":{"type":"code"}}"#),
            [pair("/a", "a"), pair("/b~1c", "b/c")]
        );
        // Ids of items can be names of fields.
        assert_eq!(
            of(r#"{"spec":{"type":"numeric"},"type":{"type":"code"}}"#),
            [pair("/spec", "spec"), pair("/type", "type")]
        );
        assert!(of(r#"{"spec":{"type":"numeric"},"submission":{"type":"numeric"}}"#).is_empty());
        assert_eq!(of(r#"{"item":"q","spec":{"type":"numeric"}}"#), [pair("", "q")]);
        assert!(of(r#"{"type":"numeric"}"#).is_empty() && of("{").is_empty());
    }

    #[test]
    fn findings_point_into_the_file() {
        let bank = br#"{"a":{"type":"numeric","answer":{"value":1}},"b/c":{"type":"numeric","answer":{"min":5,"max":3}}}"#;
        let pointers: Vec<_> = lint(bank, &Known::new(None).unwrap_or_else(|_| panic!("no names")))
            .into_iter()
            .map(|finding| finding.pointer)
            .collect();
        assert_eq!(pointers, ["/b~1c/answer/min"]);
        let text = b"{\n  \"spec\": {\n    \"answer\": {\"min\": 5}}}";
        let pointers = ["/spec/answer/min", "/spec/missing", "/missing", ""];
        assert_eq!(locate(text, pointers), [(3, 23), (2, 11), (1, 1), (1, 1)]);
        assert_eq!(locate(b"{", ["/x"]), [(1, 1)]);
        // Columns are characters, also in long lines.
        let text = format!(
            "{{\"a\":\"{}\",\n\"b\":\"{}\",\"c\":1}}",
            "\u{e9}".repeat(2_000),
            "\u{e9}".repeat(3_000)
        );
        assert_eq!(locate(text.as_bytes(), ["/b", "/c"]), [(2, 5), (2, 3_012)]);
    }
}
