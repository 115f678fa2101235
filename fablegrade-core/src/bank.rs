//! Item banks: questions by item id, each compiled once.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;

use fablegrade_public::json::{self, Document, Path, Value};
use fablegrade_public::{Error, ErrorKind, Finding, Findings};

use crate::answer::AnswerSpec;
use crate::grader::Grader;
use crate::graders::Compiled;
use crate::host::Host;

/// A map from item id to compiled question, for any number of answers and threads.
///
/// A question whose spec is invalid stays in the bank with its error. Each answer to it is refused exactly as
/// if the request contained the spec.
///
/// ```
/// use fablegrade_core::{Host, bank::Bank};
///
/// let mut bank = Bank::new(&Host::new());
/// bank.add_line(br#"{"item":"sum","spec":{"type":"numeric","answer":{"value":4}},"topic":"arithmetic"}"#)?;
/// assert!(bank.get("sum").is_some_and(|question| question.is_ok()));
/// assert!(bank.get("product").is_none());
/// # Ok::<(), fablegrade_core::Error>(())
/// ```
pub struct Bank {
    items: HashMap<Box<str>, Compiled>,
    host: Host,
}

/// Maximum length of an item id in characters.
pub const MAX_ITEM_CHARS: usize = 255;

impl Bank {
    /// Creates an empty bank, whose questions use the validators of `host`.
    pub fn new(host: &Host) -> Self {
        Self { items: HashMap::new(), host: host.clone() }
    }

    /// Adds the question of one JSON line, `{item, spec}`. Other fields are for the author and are ignored.
    ///
    /// # Errors
    /// When the line is not such an object, or when the item is already in the bank. An invalid spec is not
    /// an error here: see [`Bank::invalid`].
    pub fn add_line(&mut self, line: impl AsRef<[u8]>) -> Result<(), Error> {
        let document = Document::parse(line.as_ref())?;
        let value = document.root();
        let mut findings = Findings::new();
        let mut spec = None;
        let mut item = None;
        if value.is_object() {
            for (key, value) in value.fields() {
                match key.as_ref() {
                    "item" => item = item_id(value, &mut findings),
                    "spec" => spec = Some(value),
                    _ => {}
                }
            }
            for (field, there) in [("item", value.get("item").is_some()), ("spec", spec.is_some())] {
                if !there {
                    findings.push(missing(field));
                }
            }
        } else {
            findings.push(Finding::error(
                "wrong-type",
                "",
                format!("expected an object, found {}", value.kind()),
                "write each question of a bank as `{\"item\": …, \"spec\": …}`",
            ));
        }
        match (item, spec) {
            (Some(item), Some(spec)) if findings.errors() == 0 => {
                let compiled = self.compile(spec);
                self.insert(&item, compiled)
            }
            _ => Err(Error::new(ErrorKind::Schema, findings)),
        }
    }

    /// Adds a question under an item id, from the text of its spec.
    ///
    /// # Errors
    /// When the item is already in the bank, its id is empty or too long, or the text is not JSON.
    pub fn add(&mut self, item: &str, spec: impl AsRef<[u8]>) -> Result<(), Error> {
        if item.is_empty() || item.chars().count() > MAX_ITEM_CHARS {
            let finding = Finding::error(
                "item-id",
                "/item",
                format!("an item id has 1 to {MAX_ITEM_CHARS} characters"),
                "choose another id",
            );
            return Err(Error::single(ErrorKind::Schema, finding));
        }
        let document = Document::parse(spec.as_ref())?;
        let compiled = self.compile(document.root());
        self.insert(item, compiled)
    }

    fn compile(&self, spec: Value<'_>) -> Compiled {
        spec.read_as::<AnswerSpec>().and_then(|spec| Grader::with_host(spec, &self.host))
    }

    fn insert(&mut self, item: &str, compiled: Compiled) -> Result<(), Error> {
        match self.items.entry(item.into()) {
            Entry::Vacant(entry) => {
                entry.insert(compiled);
                Ok(())
            }
            Entry::Occupied(_) => {
                let finding = Finding::error(
                    "duplicate-item",
                    "/item",
                    format!("the bank has two questions with the id {item:?}"),
                    "give each question an id of its own",
                );
                Err(Error::single(ErrorKind::Schema, finding))
            }
        }
    }

    /// Returns the question with this id, or the reason why its spec is invalid. Takes one hash look-up.
    pub fn get(&self, item: &str) -> Option<&Compiled> {
        self.items.get(item)
    }

    /// Returns the number of questions.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Returns whether the bank has no questions.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Returns all item ids, sorted by their bytes.
    pub fn ids(&self) -> Vec<&str> {
        let mut ids: Vec<&str> = self.items.keys().map(AsRef::as_ref).collect();
        ids.sort_unstable();
        ids
    }

    /// Returns the questions whose spec is invalid, sorted by id; pointers in the errors are relative to the
    /// spec.
    pub fn invalid(&self) -> Vec<(&str, &Error)> {
        let mut invalid: Vec<_> = self
            .items
            .iter()
            .filter_map(|(item, compiled)| Some((item.as_ref(), compiled.as_ref().err()?)))
            .collect();
        invalid.sort_unstable_by_key(|(item, _)| *item);
        invalid
    }
}

impl fmt::Debug for Bank {
    /// Shows only the number of questions, because they hold their keys.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bank").field("items", &self.items.len()).finish_non_exhaustive()
    }
}

/// Reads the id of an item.
pub(crate) fn item_id(value: Value<'_>, findings: &mut Findings) -> Option<String> {
    json::string(1, MAX_ITEM_CHARS)(value, &Path::Field(&Path::Root, "item"), findings)
}

fn missing(field: &str) -> Finding {
    Finding::error("missing-field", "", format!("the field `{field}` is missing"), format!("add `{field}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(error: &Error) -> &str {
        error.findings().first().map_or("", |finding| finding.rule)
    }

    #[test]
    fn invalid_lines_are_refused_and_change_nothing() {
        let mut bank = Bank::new(&Host::new());
        bank.add_line(r#"{"item":"a","spec":{"type":"numeric","answer":{"value":1}},"topic":[1]}"#).unwrap();
        for (line, expected) in [
            (r#"{"item":"a","spec":{"type":"numeric","answer":{"value":2}}}"#, "duplicate-item"),
            (r#"{"item":7,"spec":{"type":"numeric","answer":{"value":2}}}"#, "wrong-type"),
            (r#"{"spec":{"type":"numeric","answer":{"value":2}}}"#, "missing-field"),
            (r#"{"item":"b"}"#, "missing-field"),
            ("[]", "wrong-type"),
        ] {
            assert_eq!(rule(&bank.add_line(line).unwrap_err()), expected, "{line}");
        }
        assert_eq!(rule(&bank.add("", "{}").unwrap_err()), "item-id");
        assert_eq!(bank.ids(), ["a"]);
    }

    #[test]
    fn an_invalid_question_stays_with_its_error() {
        let mut bank = Bank::new(&Host::new());
        bank.add_line(r#"{"item":"b","spec":{"type":"numeric"}}"#).unwrap();
        bank.add("a", r#"{"type":"numeric","answer":{"value":1}}"#).unwrap();
        assert_eq!(bank.invalid().iter().map(|(item, _)| *item).collect::<Vec<_>>(), ["b"]);
        assert!(bank.get("a").is_some_and(Result::is_ok) && bank.get("c").is_none());
        assert_eq!(format!("{bank:?}"), "Bank { items: 2, .. }");
    }
}
