//! Readers of typed documents from parsed text. Every reader reports its findings and continues.

use std::borrow::Cow;

use smallvec::SmallVec;

use super::parse::{Document, Kind, Limits, Node, decode};
use super::pointer::push_step;
use super::spelling;
use crate::decimal::Decimal;
use crate::finding::{Error, ErrorKind, Finding, Findings, Severity};

/// A position in a parsed document.
#[derive(Clone, Copy)]
pub struct Value<'d> {
    pub(super) document: &'d Document<'d>,
    pub(super) index: u32,
}

/// Reusable memory for tapes, to read millions of lines.
#[derive(Default)]
pub struct Tape {
    nodes: Vec<Node>,
}

impl Tape {
    /// Parses `text`, passes its root to `read`, and keeps the tape's memory for the next call.
    ///
    /// # Errors
    /// The same as for [`Document::parse`].
    pub fn with<T>(
        &mut self,
        text: &[u8],
        limits: Limits,
        read: impl FnOnce(Value<'_>) -> T,
    ) -> Result<T, Error> {
        let document = Document::parse_reusing(text, limits, std::mem::take(&mut self.nodes))?;
        let result = read(document.root());
        self.nodes = document.into_nodes();
        Ok(result)
    }
}

impl Document<'_> {
    /// Returns the outermost value.
    pub fn root(&self) -> Value<'_> {
        // `Document` is covariant in its lifetime, so `Document<'a>` can be used as `Document<'_>`.
        Value { document: self, index: 0 }
    }

    /// Reads the whole document as a `T`.
    ///
    /// # Errors
    /// [`ErrorKind::Schema`] with every finding.
    pub fn read<T: Read>(&self) -> Result<T, Error> {
        self.root().read_as()
    }
}

impl<'d> Value<'d> {
    pub(super) fn node(self) -> Node {
        self.document.nodes[self.index as usize]
    }

    /// Returns the text of this value exactly as in the document.
    pub fn text(self) -> &'d str {
        let node = self.node();
        let (start, end) = match node.kind {
            Kind::String | Kind::Escaped => (node.start - 1, node.end + 1),
            _ => (node.start, node.end),
        };
        &self.document.text[start as usize..end as usize]
    }

    /// Returns the length of the value's text in bytes.
    pub fn text_len(self) -> usize {
        self.text().len()
    }

    /// Returns the kind of this value, in JSON's terms.
    pub fn kind(self) -> &'static str {
        match self.node().kind {
            Kind::Null => "null",
            Kind::True | Kind::False => "boolean",
            Kind::Number => "number",
            Kind::String | Kind::Escaped => "string",
            Kind::Array => "array",
            Kind::Object => "object",
        }
    }

    /// Returns whether this is an object.
    pub fn is_object(self) -> bool {
        self.node().kind == Kind::Object
    }

    /// Returns the characters, if this is a string.
    pub fn str(self) -> Option<Cow<'d, str>> {
        let node = self.node();
        matches!(node.kind, Kind::String | Kind::Escaped).then(|| decode(self.document.text, node))
    }

    /// Returns the exact number, if this is one.
    pub fn number(self) -> Option<Decimal> {
        if self.node().kind != Kind::Number {
            return None;
        }
        Decimal::from_text_unbounded(self.text())
    }

    /// Returns the nearest `f64`, if this is a number (ties to even; infinite or zero if out of range).
    pub fn to_f64(self) -> Option<f64> {
        // The standard library accepts every JSON number and rounds correctly on every platform.
        (self.node().kind == Kind::Number).then(|| self.text().parse().ok()).flatten()
    }

    /// Returns the Boolean, if this is one.
    pub fn bool(self) -> Option<bool> {
        match self.node().kind {
            Kind::True => Some(true),
            Kind::False => Some(false),
            _ => None,
        }
    }

    /// Returns the elements of an array; none for other kinds.
    pub fn elements(self) -> impl Iterator<Item = Value<'d>> {
        let node = self.node();
        let end = if node.kind == Kind::Array { node.next } else { self.index + 1 };
        let mut index = self.index + 1;
        std::iter::from_fn(move || {
            (index < end).then(|| {
                let element = Value { document: self.document, index };
                index = element.node().next;
                element
            })
        })
    }

    /// Returns the fields of an object; none for other kinds.
    pub fn fields(self) -> impl Iterator<Item = (Cow<'d, str>, Value<'d>)> {
        let node = self.node();
        let end = if node.kind == Kind::Object { node.next } else { self.index + 1 };
        let mut index = self.index + 1;
        std::iter::from_fn(move || {
            (index < end).then(|| {
                let key = decode(self.document.text, self.document.nodes[index as usize]);
                let value = Value { document: self.document, index: index + 1 };
                index = value.node().next;
                (key, value)
            })
        })
    }

    /// Returns the value of the field `name`, if this is an object that has it.
    pub fn get(self, name: &str) -> Option<Value<'d>> {
        self.fields().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// Reads this value as a `T`.
    ///
    /// # Errors
    /// [`ErrorKind::Schema`] with every finding.
    pub fn read_as<T: Read>(self) -> Result<T, Error> {
        let mut findings = Findings::new();
        match T::read(self, &Path::Root, &mut findings) {
            Some(document) if findings.errors() == 0 => Ok(document),
            _ => Err(Error::new(ErrorKind::Schema, findings)),
        }
    }
}

/// The path to the value being read. It becomes a JSON pointer only when there is a finding.
#[derive(Clone, Copy)]
pub enum Path<'p> {
    /// The whole document.
    Root,
    /// A field of an object.
    Field(&'p Path<'p>, &'p str),
    /// An element of an array.
    Element(&'p Path<'p>, usize),
}

impl Path<'_> {
    /// Returns the JSON pointer, shortened as [`push_step`] does.
    pub fn pointer(&self) -> String {
        let mut steps: SmallVec<[&Path<'_>; 8]> = SmallVec::new();
        let mut at = self;
        while let Path::Field(parent, _) | Path::Element(parent, _) = at {
            steps.push(at);
            at = parent;
        }
        let mut pointer = String::new();
        for step in steps.into_iter().rev() {
            match step {
                Path::Root => {}
                Path::Field(_, name) => push_step(&mut pointer, name),
                Path::Element(_, index) => push_step(&mut pointer, &index.to_string()),
            }
        }
        pointer
    }
}

/// A document type that can be read from JSON.
///
/// A reader returns `None` only after it has pushed at least one error.
pub trait Read: Sized {
    /// Reads `value`, whose path is `at`.
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self>;
}

fn wrong_type<T>(value: Value<'_>, expected: &str, at: &Path<'_>, findings: &mut Findings) -> Option<T> {
    findings.push(Finding::error(
        "wrong-type",
        at.pointer(),
        format!("expected {expected}, found {}", value.kind()),
        format!("give {expected}"),
    ));
    None
}

/// An object that is being read. Fields are taken by name; the remaining fields are unknown.
pub struct Object<'d, 'p, 'f> {
    fields: SmallVec<[(Cow<'d, str>, Value<'d>, bool); 12]>,
    /// Known fields that are absent, as suggestions for misspelled ones.
    absent: SmallVec<[&'static str; 8]>,
    at: &'p Path<'p>,
    findings: &'f mut Findings,
}

impl<'d, 'p, 'f> Object<'d, 'p, 'f> {
    /// Opens `value`, which must be an object.
    pub fn open(value: Value<'d>, at: &'p Path<'p>, findings: &'f mut Findings) -> Option<Self> {
        if !value.is_object() {
            return wrong_type(value, "an object", at, findings);
        }
        let fields = value.fields().map(|(key, value)| (key, value, false)).collect();
        Some(Self { fields, absent: SmallVec::new(), at, findings })
    }

    /// Works like [`Object::open`]; if the value is of another kind, the error shows `form` as an example.
    pub fn open_as(
        value: Value<'d>,
        at: &'p Path<'p>,
        findings: &'f mut Findings,
        form: &'static str,
    ) -> Option<Self> {
        if value.is_object() {
            return Self::open(value, at, findings);
        }
        findings.push(Finding::error(
            "wrong-type",
            at.pointer(),
            format!("expected an object, found {}", value.kind()),
            format!("give an object such as `{form}`"),
        ));
        None
    }

    /// Takes the field `name` without reading its value.
    pub fn take(&mut self, name: &str) -> Option<Value<'d>> {
        let field = self.fields.iter_mut().find(|(key, _, _)| key == name)?;
        field.2 = true;
        Some(field.1)
    }

    /// Reads a required field.
    pub fn required<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(Value<'d>, &Path<'_>, &mut Findings) -> Option<T>,
    ) -> Option<T> {
        match self.take(name) {
            Some(value) => read(value, &Path::Field(self.at, name), self.findings),
            None => {
                self.report_missing(name);
                None
            }
        }
    }

    // Code that does not depend on the type is in separate functions, here and below, so it is compiled only
    // once.
    #[cold]
    fn report_missing(&mut self, name: &'static str) {
        self.absent.push(name);
        self.findings.push(Finding::error(
            "missing-field",
            self.at.pointer(),
            format!("the field `{name}` is missing"),
            match shape(name) {
                Some(shape) => format!("add `{name}`, such as `{shape}`"),
                None => format!("add `{name}`"),
            },
        ));
    }

    /// Reads a field that may be absent. Returns `None` if it is invalid, `Some(None)` if it is absent.
    pub fn optional<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(Value<'d>, &Path<'_>, &mut Findings) -> Option<T>,
    ) -> Option<Option<T>> {
        match self.take(name) {
            Some(value) => read(value, &Path::Field(self.at, name), self.findings).map(Some),
            None => {
                self.absent.push(name);
                Some(None)
            }
        }
    }

    /// Reads a field with a default.
    pub fn defaulted<T>(
        &mut self,
        name: &'static str,
        default: T,
        read: impl FnOnce(Value<'d>, &Path<'_>, &mut Findings) -> Option<T>,
    ) -> Option<T> {
        Some(self.optional(name, read)?.unwrap_or(default))
    }

    /// Adds a finding about the object or one of its fields.
    pub fn report(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    /// Returns the path of the object.
    pub fn path(&self) -> &'p Path<'p> {
        self.at
    }

    /// Ends the reading and reports every field that was not taken.
    pub fn close(self) {
        for (key, _, taken) in &self.fields {
            if *taken {
                continue;
            }
            self.findings.push_with(Severity::Error, || {
                Finding::error(
                    "unknown-field",
                    Path::Field(self.at, key).pointer(),
                    "this field is not part of the document",
                    match other_name(key, &self.absent).or_else(|| spelling::nearest(key, &self.absent)) {
                        Some(meant) => format!("perhaps you mean `{meant}`; otherwise remove it"),
                        None => expected_elsewhere(key).to_owned(),
                    },
                )
            });
        }
    }
}

/// Returns the absent field to which other systems give this name.
fn other_name(name: &str, absent: &[&'static str]) -> Option<&'static str> {
    const NAMES: [(&str, &[&str]); 10] = [
        ("content", &["text", "label", "html", "body"]),
        ("correct", &["isCorrect", "right", "isRight", "fraction"]),
        ("choices", &["options", "answers", "alternatives"]),
        ("canonical", &["key", "expression", "latex", "expected", "solution"]),
        ("input", &["stdin", "in", "args", "arguments"]),
        ("expected", &["stdout", "output", "out", "result"]),
        ("source", &["code", "program"]),
        ("gradingMode", &["mode", "grading"]),
        ("testSuites", &["tests", "testCases", "cases", "suites"]),
        ("correctOrder", &["order", "solution", "correct"]),
    ];
    NAMES
        .iter()
        .filter(|(_, others)| others.iter().any(|other| other.eq_ignore_ascii_case(name)))
        .find_map(|(meant, _)| absent.iter().find(|absent| *absent == meant).copied())
}

/// Returns the help for an unknown field. If people commonly expect such a field, the help names the place
/// where it belongs.
fn expected_elsewhere(name: &str) -> &'static str {
    const OF_THE_PROBLEM: [&str; 12] = [
        "question",
        "prompt",
        "stem",
        "title",
        "statement",
        "text",
        "hints",
        "tags",
        "difficulty",
        "explanation",
        "solution",
        "language",
    ];
    const OF_THE_COURSE: [&str; 8] =
        ["points", "maxPoints", "marks", "score", "weight", "attempts", "deadline", "timeLimit"];
    let is = |list: &[&str]| list.iter().any(|other| other.eq_ignore_ascii_case(name));
    if is(&OF_THE_PROBLEM) {
        "remove it: the question's text and metadata belong to the host"
    } else if is(&OF_THE_COURSE) {
        "remove it: a score is from 0 to 1, and the host's course decides how many points it is worth"
    } else {
        "remove it or correct its name"
    }
}

/// Returns an example value for a field that has the same form wherever it is required.
fn shape(name: &str) -> Option<&'static str> {
    const SHAPES: [(&str, &str); 33] = [
        ("type", r#""numeric""#),
        ("answer", r#"{"value": 5}"#),
        ("amount", "0.5"),
        ("choices", r#"[{"id": "a", "content": "Paris", "correct": true}, ...]"#),
        ("id", r#""a""#),
        ("content", r#""Paris""#),
        ("correct", "true"),
        ("canonical", r#""x^2+1""#),
        ("equivalence", r#""symbolic""#),
        ("languages", r#"["python"]"#),
        ("language", r#""python""#),
        ("source", r#""print(42)""#),
        ("testSuites", r#"[{"name": "Examples", "visibility": "public", "cases": [...]}]"#),
        ("visibility", r#""hidden""#),
        ("cases", r#"[{"input": "6 7", "expected": "42"}]"#),
        ("input", r#""6 7""#),
        ("expected", r#""42""#),
        ("limits", "{}"),
        ("items", r#"[{"id": "a", "content": "Earth"}, ...]"#),
        ("order", r#"["b", "a"]"#),
        ("correctOrder", r#"["b", "a"]"#),
        ("pairs", r#"[{"left": "a", "right": "x"}]"#),
        ("correctPairs", r#"[{"left": "a", "right": "x"}, ...]"#),
        ("criterion", r#""Induction step""#),
        ("points", "3"),
        ("validator", r#"{"kind": "state_equals", "expectedState": {"x": 3}}"#),
        ("expectedState", r#"{"x": 3}"#),
        ("stateSchema", r#"{"type": "object", "required": ["x"], "properties": {"x": {"const": 3}}}"#),
        ("state", r#"{"x": 3}"#),
        ("widgetName", r#""number-line""#),
        ("widgetVersion", r#""1.0.0""#),
        ("selectedChoiceIds", r#"["a"]"#),
        ("latex", r#""x^2+1""#),
    ];
    SHAPES.iter().find(|(other, _)| *other == name).map(|(_, shape)| *shape)
}

/// Reads a Boolean.
pub fn boolean(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<bool> {
    value.bool().or_else(|| wrong_type(value, "a boolean", at, findings))
}

/// Reads an exact number.
pub fn decimal(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Decimal> {
    value.number().or_else(|| wrong_type(value, "a number", at, findings))
}

/// Returns a reader of integers from `min` to `max`, inclusive; `20.0` is an integer.
pub fn integer(min: i64, max: i64) -> impl Fn(Value<'_>, &Path<'_>, &mut Findings) -> Option<i64> {
    move |value, at, findings| {
        let Some(number) = value.number() else { return wrong_type(value, "an integer", at, findings) };
        if !number.is_integer() {
            findings.push(Finding::error(
                "not-an-integer",
                at.pointer(),
                "expected an integer, found a fraction",
                "round the number",
            ));
            return None;
        }
        match number.to_i64() {
            Some(integer) if (min..=max).contains(&integer) => Some(integer),
            _ => {
                let range = match (min, max) {
                    (_, i64::MAX) => format!("at least {min}"),
                    (i64::MIN, _) => format!("at most {max}"),
                    _ => format!("between {min} and {max}"),
                };
                findings.push(Finding::error(
                    "out-of-range",
                    at.pointer(),
                    format!("the integer must be {range}"),
                    format!("choose one that is {range}"),
                ));
                None
            }
        }
    }
}

/// Returns a reader of strings of `min` to `max` code points.
pub fn string(min: usize, max: usize) -> impl Fn(Value<'_>, &Path<'_>, &mut Findings) -> Option<String> {
    move |value, at, findings| {
        let Some(text) = value.str() else { return wrong_type(value, "a string", at, findings) };
        has_length(&text, min, max, at, findings).then(|| text.into_owned())
    }
}

/// Tests whether a text, such as a key, has `min` to `max` code points, and reports if not.
pub fn has_length(text: &str, min: usize, max: usize, at: &Path<'_>, findings: &mut Findings) -> bool {
    // A text has at most as many code points as bytes, and at least a quarter as many.
    let length = if text.len() <= max && text.len() >= min * 4 { max } else { text.chars().count() };
    if (min..=max).contains(&length) {
        return true;
    }
    let (limit, help) = if length < min {
        (format!("at least {min}"), "write more")
    } else {
        (format!("at most {max}"), "shorten it")
    };
    findings.push(Finding::error(
        "text-length",
        at.pointer(),
        format!("the text has {length} characters; it must have {limit}"),
        help,
    ));
    false
}

/// Returns a reader of words from a fixed list.
pub fn word<T: Copy>(
    words: &'static [(&'static str, T)],
) -> impl Fn(Value<'_>, &Path<'_>, &mut Findings) -> Option<T> {
    move |value, at, findings| {
        let text = value.str();
        if let Some(text) = &text
            && let Some(&(_, meaning)) = words.iter().find(|(word, _)| word == text)
        {
            return Some(meaning);
        }
        let known: Vec<String> = words.iter().map(|(word, _)| format!("`{word}`")).collect();
        if text.is_none() {
            findings.push(Finding::error(
                "wrong-type",
                at.pointer(),
                format!("expected a string, found {}", value.kind()),
                format!("use one of {}", known.join(", ")),
            ));
            return None;
        }
        findings.push(Finding::error(
            "unknown-word",
            at.pointer(),
            "this word is not one of the allowed ones",
            format!("use one of {}", known.join(", ")),
        ));
        None
    }
}

/// Returns the number of an array's elements, counted up to `max + 1`, and whether it is within the limits.
fn count(
    value: Value<'_>,
    min: usize,
    max: usize,
    at: &Path<'_>,
    findings: &mut Findings,
) -> Option<(usize, bool)> {
    if value.node().kind != Kind::Array {
        return wrong_type(value, "an array", at, findings);
    }
    let count = value.elements().take(max + 1).count();
    let valid = (min..=max).contains(&count);
    if !valid {
        let limit = if count < min { format!("at least {min}") } else { format!("at most {max}") };
        findings.push(Finding::error(
            "list-length",
            at.pointer(),
            format!("the array must have {limit} element{}", if limit.ends_with(" 1") { "" } else { "s" }),
            if count < min { "add elements" } else { "remove elements" },
        ));
    }
    Some((count, valid))
}

/// Returns a reader of arrays of `min` to `max` elements.
pub fn list<'d, T>(
    min: usize,
    max: usize,
    read: impl Fn(Value<'d>, &Path<'_>, &mut Findings) -> Option<T>,
) -> impl FnOnce(Value<'d>, &Path<'_>, &mut Findings) -> Option<Vec<T>> {
    move |value, at, findings| {
        let (count, mut valid) = count(value, min, max, at, findings)?;
        let mut items = Vec::with_capacity(count.min(max));
        for (index, element) in value.elements().take(max).enumerate() {
            match read(element, &Path::Element(at, index), findings) {
                Some(item) => items.push(item),
                None => valid = false,
            }
        }
        valid.then_some(items)
    }
}

/// Returns a reader of arrays of `min` to `max` different elements.
pub fn unique_list<'d, T: PartialEq>(
    min: usize,
    max: usize,
    read: impl Fn(Value<'d>, &Path<'_>, &mut Findings) -> Option<T>,
) -> impl FnOnce(Value<'d>, &Path<'_>, &mut Findings) -> Option<Vec<T>> {
    move |value, at, findings| {
        let items = list(min, max, read)(value, at, findings)?;
        let mut unique = true;
        for (index, item) in items.iter().enumerate() {
            if items[..index].contains(item) {
                report_duplicate(&Path::Element(at, index), findings);
                unique = false;
            }
        }
        unique.then_some(items)
    }
}

#[cold]
fn report_duplicate(at: &Path<'_>, findings: &mut Findings) {
    findings.push(Finding::error(
        "duplicate-element",
        at.pointer(),
        "this element is in the array already",
        "remove one of them",
    ));
}

/// Reads a document from any serde deserializer by way of [`Json`](super::Json), so the same reader checks
/// it.
///
/// # Errors
/// The deserializer's error with every finding in its text.
pub fn deserialize_document<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Read,
{
    use serde::Deserialize as _;
    let json = super::Json::deserialize(deserializer)?;
    let text = json.to_canonical();
    let read = Document::parse(text.as_bytes()).and_then(|document| document.read());
    read.map_err(serde::de::Error::custom)
}
