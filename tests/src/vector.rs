//! One line of a vector file.

use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fablegrade_core::json::Json;

use crate::repository;

/// The kind of a vector. Not `#[non_exhaustive]`: every driver must run a new kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A spec and a submission or attempt give a result or an error.
    Grade,
    /// A spec and a seed give a view.
    Deliver,
    /// A spec gives findings.
    Lint,
    /// A matcher accepts an output or not.
    Match,
    /// A document is valid against its schema or not.
    Check,
}

/// The expectation of a grade vector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expected {
    /// A result with these bytes.
    Result(String),
    /// An error of this kind with these pairs of pointer and rule, sorted.
    Error(String, Vec<Vec<String>>),
}

/// A vector: one decision, with the reason it exists.
#[derive(Debug, Clone)]
pub struct Vector {
    /// `type/rule/name`, unique.
    pub name: String,
    /// The reason why the vector exists.
    pub why: String,
    /// The kind.
    pub kind: Kind,
    /// The folder of its file: `type/rule`.
    pub folder: String,
    line: String,
    json: Json,
}

/// Returns all vectors, sorted by folder.
///
/// # Panics
/// If a file cannot be read or a line is not a vector.
pub fn vectors() -> Vec<Vector> {
    let root = repository().join("tests/vectors");
    let mut files = Vec::new();
    find(&root, &mut files);
    files.sort();
    assert!(!files.is_empty(), "no vectors under tests/vectors");
    let mut all = Vec::new();
    for file in files {
        let folder = file.parent().and_then(|parent| parent.strip_prefix(&root).ok());
        let folder = folder.expect("below the root").to_string_lossy().replace('\\', "/");
        for line in fs::read_to_string(&file).expect("a readable file").lines() {
            all.push(Vector::read(&folder, line));
        }
    }
    all
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            find(&path, files);
        } else if path.file_name().is_some_and(|name| name == "vectors.jsonl") {
            files.push(path);
        }
    }
}

impl Vector {
    fn read(folder: &str, line: &str) -> Self {
        let json = Json::parse(line.as_bytes()).unwrap_or_else(|error| panic!("{folder}: {error}"));
        let word = |key: &str| json.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
        let (name, why) = (word("name"), word("why"));
        assert!(name.starts_with(folder) && !why.is_empty(), "{folder}: `{name}` needs a name and a reason");
        let kind = match word("kind").as_str() {
            "grade" => Kind::Grade,
            "deliver" => Kind::Deliver,
            "lint" => Kind::Lint,
            "match" => Kind::Match,
            "check" => Kind::Check,
            other => panic!("{name}: unknown kind `{other}`"),
        };
        Self { name, why, kind, folder: folder.to_owned(), line: line.to_owned(), json }
    }

    /// Returns the text of a document, which is in the line under `field`, `fieldText` or `fieldParts`.
    pub fn document(&self, field: &str) -> Option<String> {
        if let Some(text) = self.json.get(&format!("{field}Text")) {
            return text.as_str().map(ToOwned::to_owned);
        }
        if let Some(parts) = self.json.get(&format!("{field}Parts")) {
            let part = |part: &Json| {
                let times = part.pointer("/1")?.as_number()?.to_i64()?;
                Some(part.pointer("/0")?.as_str()?.repeat(usize::try_from(times).ok()?))
            };
            return parts.as_array()?.iter().map(part).collect();
        }
        // The text is returned as written, so numbers keep their notation.
        let document = fablegrade_core::json::Document::parse(self.line.as_bytes()).expect("parsed before");
        document.root().get(field).map(|value| value.text().to_owned())
    }

    /// Returns the string under `field`.
    pub fn word(&self, field: &str) -> Option<&str> {
        self.json.get(field)?.as_str()
    }

    /// Returns the boolean under `field`.
    pub fn flag(&self, field: &str) -> Option<bool> {
        match self.json.get(field)? {
            Json::Bool(flag) => Some(*flag),
            _ => None,
        }
    }

    /// Returns the rows of strings under `field`, sorted.
    pub fn rows(&self, field: &str) -> Vec<Vec<String>> {
        sorted_rows(self.json.get(field))
    }

    /// Returns the expectation of a grade vector.
    ///
    /// # Panics
    /// If the vector has no expectation.
    pub fn expected(&self) -> Expected {
        match (self.word("result"), self.json.get("error")) {
            (Some(result), None) => Expected::Result(result.to_owned()),
            (None, Some(error)) => {
                let kind = error.get("kind").and_then(Json::as_str).unwrap_or_default();
                Expected::Error(kind.to_owned(), sorted_rows(error.get("rules")))
            }
            _ => panic!("{}: give `result` or `error`", self.name),
        }
    }

    /// Returns the bytes under `field` of a match vector.
    ///
    /// # Panics
    /// If they are absent or not base64.
    pub fn bytes(&self, field: &str) -> Vec<u8> {
        let text = self.word(field).unwrap_or_else(|| panic!("{}: no `{field}`", self.name));
        match self.word("enc") {
            Some("base64") => STANDARD.decode(text).expect("base64"),
            _ => text.as_bytes().to_vec(),
        }
    }
}

fn sorted_rows(rows: Option<&Json>) -> Vec<Vec<String>> {
    let cells = |row: &Json| {
        row.as_array().unwrap_or_default().iter().filter_map(Json::as_str).map(Into::into).collect()
    };
    let mut rows: Vec<Vec<String>> =
        rows.and_then(Json::as_array).unwrap_or_default().iter().map(cells).collect();
    rows.sort();
    rows
}
