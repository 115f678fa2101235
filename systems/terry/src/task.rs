//! `task.yaml`: the metadata of a task.

use fablegrade_public::json::{self, Json, Object, Path, Read, Value};
use fablegrade_public::{Decimal, Error, ErrorKind, Finding, Findings, Severity};

use crate::yaml::Yaml;

/// The metadata of a task. The file may contain other fields, which are not kept.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Task {
    /// The short name: at most 100 characters, without slashes, backslashes and control characters.
    pub name: String,
    /// The long name.
    pub description: String,
    /// The score of a completely correct solution; above 0.
    pub max_score: Decimal,
    /// The seconds within which an output for an input must be submitted; `None` if there is no limit.
    pub submission_timeout: Option<u32>,
}

/// The maximum length of a name, in characters.
const NAME: usize = 100;
/// The maximum length of a description, in characters.
const DESCRIPTION: usize = 1000;
/// The longest time allowed, in seconds: about 31 years.
pub(crate) const SECONDS: i64 = 1_000_000_000;

impl Task {
    /// Creates a task with these fields and no time limit for submissions; `None` if the name or the score is
    /// invalid, or the description is blank or has more than 1000 characters.
    pub fn new(name: &str, description: &str, max_score: Decimal) -> Option<Self> {
        let described = !description.trim().is_empty() && description.chars().count() <= DESCRIPTION;
        let sound = name_trouble(name).is_none() && described && is_positive(&max_score);
        sound.then(|| Self {
            name: name.to_owned(),
            description: description.to_owned(),
            max_score,
            submission_timeout: None,
        })
    }

    /// Returns `{name, description, maxScore, submissionTimeout?}`.
    pub fn to_json(&self) -> Json {
        Json::build()
            .with("name", &self.name)
            .with("description", &self.description)
            .with("maxScore", &self.max_score)
            .with_some("submissionTimeout", self.submission_timeout)
            .build()
    }

    /// Reads a `task.yaml`. On success, the findings are warnings.
    ///
    /// # Errors
    /// All defects of the document.
    pub fn from_yaml(text: &[u8]) -> Result<(Self, Vec<Finding>), Error> {
        Self::read_yaml(&Yaml::parse(text)?)
    }

    /// Reads an already parsed document.
    ///
    /// # Errors
    /// All defects of the document.
    pub fn read_yaml(yaml: &Yaml) -> Result<(Self, Vec<Finding>), Error> {
        let mut findings = Findings::new();
        yaml.warnings().iter().for_each(|warning| findings.push(warning.clone()));
        match yaml.read::<Noted<Self>>() {
            Err(error) => {
                error.findings().iter().for_each(|finding| findings.push(finding.clone()));
                Err(Error::new(error.kind(), findings))
            }
            Ok(Noted(task, notes)) => {
                notes.into_vec().into_iter().for_each(|note| findings.push(note));
                Ok((task, findings.into_vec()))
            }
        }
    }
}

/// A document with its warnings. Without this type they would be lost: reading returns findings only with an error.
pub(crate) struct Noted<T>(pub(crate) T, pub(crate) Findings);

impl<T: Read> Read for Noted<T> {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut own = Findings::new();
        let read = T::read(value, at, &mut own);
        if own.errors() == 0
            && let Some(read) = read
        {
            return Some(Self(read, own));
        }
        own.into_vec().into_iter().for_each(|finding| findings.push(finding));
        None
    }
}

/// Returns the defect of a task's name, if it has one. The name is also that of the task's folder.
pub(crate) fn name_trouble(name: &str) -> Option<&'static str> {
    if name.trim().is_empty() {
        Some("the name is empty")
    } else if name.chars().count() > NAME {
        Some("the name has more than 100 characters")
    } else if name == "." || name == ".." || name.contains(['/', '\\']) {
        Some("the name is a path")
    } else if name.chars().any(char::is_control) {
        Some("the name has control characters")
    } else {
        None
    }
}

fn is_positive(number: &Decimal) -> bool {
    !number.is_negative() && !number.is_zero()
}

/// Reads an optional field; `null` has the same meaning as an absent field.
#[allow(clippy::option_option, reason = "as `Object::optional`: wrong, absent, there")]
pub(crate) fn absent_or<'d, T>(
    object: &mut Object<'d, '_, '_>,
    name: &'static str,
    read: impl FnOnce(Value<'d>, &Path<'_>, &mut Findings) -> Option<T>,
) -> Option<Option<T>> {
    let maybe = object.optional(name, |value, at, findings| {
        if value.kind() == "null" { Some(None) } else { read(value, at, findings).map(Some) }
    });
    maybe.map(Option::flatten)
}

/// Reads text of at most `max` characters that is not blank.
pub(crate) fn words(max: usize) -> impl Fn(Value<'_>, &Path<'_>, &mut Findings) -> Option<String> {
    move |value, at, findings| {
        if matches!(value.kind(), "number" | "boolean" | "null") {
            findings.push(Finding::error(
                "wrong-type",
                at.pointer(),
                format!("expected text, found {}", value.kind()),
                if value.kind() == "null" { "write the text" } else { "put the text in quotes" },
            ));
            return None;
        }
        let text = json::string(1, max)(value, at, findings)?;
        if text.trim().is_empty() {
            findings.push(Finding::error("blank-text", at.pointer(), "the text is blank", "write something"));
            return None;
        }
        Some(text)
    }
}

fn positive(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Decimal> {
    let number = json::decimal(value, at, findings)?;
    if is_positive(&number) {
        return Some(number);
    }
    let help = "give the score of a completely correct solution";
    findings.push(Finding::error("out-of-range", at.pointer(), "the number must be above 0", help));
    None
}

/// Reads a number of seconds above 0.
pub(crate) fn seconds(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<u32> {
    json::integer(1, SECONDS)(value, at, findings).and_then(|seconds| u32::try_from(seconds).ok())
}

/// Warns of unknown keys that resemble a known but absent key.
pub(crate) fn warn_of_misspelt(
    value: Value<'_>,
    at: &Path<'_>,
    known: &[&'static str],
    findings: &mut Findings,
) {
    let plain = |text: &str| {
        text.chars()
            .filter(char::is_ascii_alphanumeric)
            .map(|c| c.to_ascii_lowercase())
            .take(40)
            .collect::<String>()
    };
    for (key, _) in value.fields().filter(|(key, _)| !known.contains(&key.as_ref())) {
        let near = known.iter().find(|name| {
            let absent = value.get(name).is_none();
            absent && distance(&plain(&key), &plain(name)) <= (name.len() / 4).min(2)
        });
        if let Some(near) = near {
            findings.push(Finding::warning(
                "misspelt-field",
                Path::Field(at, &key).pointer(),
                "no program reads this field",
                format!("perhaps it should be `{near}`"),
            ));
        }
    }
}

/// Returns the Levenshtein distance. The time is quadratic, so both texts must be short.
pub(crate) fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.chars().enumerate() {
        let mut before = i + 1;
        let mut corner = i;
        let mut next = vec![before];
        for (right, above) in b.iter().zip(row.iter().skip(1)) {
            before = (corner + usize::from(left != *right)).min(above + 1).min(before + 1);
            corner = *above;
            next.push(before);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

impl Read for Task {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let known = ["name", "description", "max_score", "submission_timeout"];
        warn_of_misspelt(value, at, &known, findings);
        let mut object = Object::open(value, at, findings)?;
        let name = object.required("name", |value, at, findings| {
            let name = words(4 * NAME)(value, at, findings)?;
            if let Some(trouble) = name_trouble(&name) {
                let help = "use a short word of letters, digits, `_` and `-`";
                findings.push(Finding::error("task-name-form", at.pointer(), trouble, help));
                return None;
            }
            if name.chars().any(|c| c.is_uppercase() || c.is_whitespace()) {
                findings.push(Finding::warning(
                    "task-name-unusual",
                    at.pointer(),
                    "the name has capital letters or blanks, and it is part of addresses and names of folders",
                    "use lower case without blanks",
                ));
            }
            Some(name)
        });
        let description = object.required("description", words(DESCRIPTION));
        let max_score = object.required("max_score", positive);
        let submission_timeout = absent_or(&mut object, "submission_timeout", seconds);
        Some(Self {
            name: name?,
            description: description?,
            max_score: max_score?,
            submission_timeout: submission_timeout?,
        })
    }
}

/// A finding about a file, with its line if there is one.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileFinding {
    /// The file's path relative to the checked folder; empty for the folder itself.
    pub file: String,
    /// The line, from 1.
    pub line: Option<usize>,
    /// The finding.
    pub finding: Finding,
}

impl FileFinding {
    /// Creates a finding about a whole file or folder.
    pub fn new(file: impl Into<String>, finding: Finding) -> Self {
        Self { file: file.into(), line: None, finding }
    }

    /// Returns whether the finding is an error.
    pub fn is_error(&self) -> bool {
        self.finding.severity == Severity::Error
    }

    /// Returns `{file, line?, pointer, rule, message, help, severity}`.
    pub fn to_json(&self) -> Json {
        let Json::Object(mut fields) = self.finding.to_json() else { return Json::Null };
        fields.push(("file".into(), Json::from(&self.file)));
        if let Some(line) = self.line {
            fields.push(("line".into(), Json::from(line)));
        }
        Json::object(fields)
    }

    /// Converts findings about a YAML document. They have no line if `yaml` is absent because the document could not
    /// be parsed.
    pub fn of_document(file: &str, yaml: Option<&Yaml>, findings: &[Finding]) -> Vec<Self> {
        let line = |finding: &Finding| yaml.map(|yaml| yaml.line(&finding.pointer));
        findings
            .iter()
            .map(|finding| Self { file: file.to_owned(), line: line(finding), finding: finding.clone() })
            .collect()
    }
}

/// Reads a YAML document, and returns the value if it is valid, and all findings with file and line.
pub fn read_document<T>(
    file: &str,
    text: &[u8],
    read: impl FnOnce(&Yaml) -> Result<(T, Vec<Finding>), Error>,
) -> (Option<T>, Vec<FileFinding>) {
    match Yaml::parse(text) {
        Err(error) => (None, FileFinding::of_document(file, None, error.findings())),
        Ok(yaml) => match read(&yaml) {
            Ok((value, findings)) => (Some(value), FileFinding::of_document(file, Some(&yaml), &findings)),
            Err(error) => (None, FileFinding::of_document(file, Some(&yaml), error.findings())),
        },
    }
}

/// Creates the error for a document whose values contradict each other.
pub(crate) fn spec_error(findings: Findings) -> Error {
    Error::new(ErrorKind::Spec, findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(text: &str) -> Vec<&'static str> {
        match Task::from_yaml(text.as_bytes()) {
            Ok((_, findings)) => findings.iter().map(|finding| finding.rule).collect(),
            Err(error) => error.findings().iter().map(|finding| finding.rule).collect(),
        }
    }

    #[test]
    fn the_documented_fields_are_read() {
        let text = b"name: \"poldo\"\ndescription: \"La dieta di Poldo\"\nmax_score: 42\nsubmission_timeout: 600\nnome: x\n";
        let (task, findings) = Task::from_yaml(text).unwrap();
        assert_eq!(
            (task.name.as_str(), task.max_score.to_f64(), task.submission_timeout),
            ("poldo", 42.0, Some(600))
        );
        assert!(findings.is_empty(), "{findings:?}");
        let fraction =
            Task::from_yaml(b"name: a\ndescription: b\nmax_score: 12.5\nsubmission_timeout:\n").unwrap().0;
        assert_eq!((fraction.max_score.to_f64(), fraction.submission_timeout), (12.5, None));
    }

    #[test]
    fn a_task_that_is_made_is_one_that_can_be_read() {
        let long = "d".repeat(DESCRIPTION);
        for (description, sound) in
            [("", false), (" \u{a0}", false), (&*long, true), (&*(long.clone() + "d"), false)]
        {
            let made = Task::new("a", description, Decimal::from(1));
            let json =
                Json::build().with("name", "a").with("description", description).with("max_score", 1).build();
            let read = Task::from_yaml(json.to_string().as_bytes());
            assert_eq!((made.is_some(), read.is_ok()), (sound, sound), "{description:?}");
        }
    }

    #[test]
    fn everything_wrong_is_found_at_once() {
        assert_eq!(
            rules("name: a/b\ndescription: ' '\nmax_score: 0\nsubmission_timeout: 1.5\n"),
            ["task-name-form", "blank-text", "out-of-range", "not-an-integer"]
        );
        assert_eq!(rules("{}"), ["missing-field", "missing-field", "missing-field"]);
        assert_eq!(
            rules("name: 12\ndescription: true\nmax_score: '5'\n"),
            ["wrong-type", "wrong-type", "wrong-type"]
        );
        assert_eq!(rules("- a\n"), ["wrong-type"]);
        assert_eq!(rules("name: a\ndescription: b\nmax_score: 5\nsubmission_timeout: 0\n"), ["out-of-range"]);
        assert_eq!(rules(""), ["wrong-type"]);
    }

    #[test]
    fn what_probably_means_something_else_is_a_warning() {
        assert_eq!(
            rules("name: My Task\ndescription: b\nmax_score: 010\nsubmision_timeout: 5\n"),
            ["yaml-versions-differ", "misspelt-field", "task-name-unusual"]
        );
        assert_eq!(rules("name: a\ndescription: b\nmax-score: 5\n"), ["misspelt-field", "missing-field"]);
    }

    #[test]
    fn distances_between_words() {
        assert_eq!([distance("", "abc"), distance("kitten", "sitting"), distance("same", "same")], [3, 3, 0]);
    }
}
