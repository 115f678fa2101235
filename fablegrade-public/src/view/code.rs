//! `code`: a program, judged by test cases.

use super::Refusal;
use crate::decimal::Decimal;
use crate::document::{
    Count, Field, Form, Text, Whole, count, defaulted, optional, positive, required, shaped, text, word,
};
use crate::finding::{Finding, Findings};
use crate::json::{self, Json, Object, Path, Read, Value};
use crate::matcher::Matcher;

crate::document! {
    /// A code question as the learner sees it, with only the names of hidden suites.
    pub struct CodeView {
        /// The offered languages.
        pub languages: Vec<Language> = fields::LANGUAGES;
        /// The initial content of the editor, by language.
        pub starter_code: Option<Vec<(Language, String)>> = fields::STARTER_CODE;
        /// The way a program is called.
        pub harness: Harness = fields::harness();
        /// The suites.
        pub test_suites: Vec<SuiteView> = fields::test_suites();
        /// Limits of a program.
        pub limits: Limits = fields::LIMITS;
    }
}

/// The fields that the question shares with its view, and their limits.
pub mod fields {
    use super::{Harness, HarnessMode, Language, Limits, StarterCode, TestCase, Visibility};
    use crate::document::{
        Defaulted, List, Of, Optional, Required, Text, Whole, Word, defaulted, list, of, optional, required,
        text, unique, word,
    };

    /// The offered languages.
    pub const LANGUAGES: Required<List<Word<Language>>> =
        required("languages", unique(1, 6, word(Language::WORDS)));
    /// The initial content of the editor, by language.
    pub const STARTER_CODE: Optional<StarterCode> = optional("starterCode", StarterCode);
    /// Limits of a program.
    pub const LIMITS: Required<Of<Limits>> = required("limits", of());

    /// Returns the field for the way a program is called.
    pub const fn harness() -> Defaulted<Of<Harness>> {
        defaulted("harness", of(), Harness { mode: HarnessMode::StdinStdout, function_name: None })
    }

    /// Returns the field for the suites.
    pub const fn test_suites<T: Whole + PartialEq>() -> Required<List<Of<T>>> {
        required("testSuites", list(1, 10, of()))
    }

    /// The name of a suite.
    pub const SUITE_NAME: Required<Text> = required("name", text(0, 100));
    /// The visibility of a suite's cases.
    pub const VISIBILITY: Required<Word<Visibility>> = required("visibility", word(Visibility::WORDS));
    /// The cases of a suite.
    pub const CASES: Required<List<Of<TestCase>>> = required("cases", list(1, 50, of()));
}

/// A suite as the learner sees it; a hidden suite cannot hold cases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SuiteView {
    /// A public suite with its cases.
    Public {
        /// Its name, at most 100 characters.
        name: String,
        /// 1 to 50 cases.
        cases: Vec<TestCase>,
    },
    /// A hidden suite.
    Hidden {
        /// Its name, at most 100 characters.
        name: String,
    },
}

/// The visibility of a suite's cases. Not `#[non_exhaustive]`, so matches need no wildcard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Visibility {
    /// Everybody can see the cases.
    Public,
    /// Only the author can see the cases.
    Hidden,
}

impl Visibility {
    /// All values with the words used for them in JSON.
    pub const WORDS: &'static [(&'static str, Self)] = &[("public", Self::Public), ("hidden", Self::Hidden)];

    /// Returns the word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Hidden => "hidden",
        }
    }
}

/// The supported programming languages. Not `#[non_exhaustive]`, so matches need no wildcard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Language {
    /// Python 3.
    Python,
    /// JavaScript on Node.
    JavaScript,
    /// C.
    C,
    /// C++.
    Cpp,
    /// Java.
    Java,
    /// Rust.
    Rust,
    /// Go.
    Go,
}

impl Language {
    /// All values with the words used for them in JSON.
    pub const WORDS: &'static [(&'static str, Self)] = &[
        ("python", Self::Python),
        ("javascript", Self::JavaScript),
        ("c", Self::C),
        ("cpp", Self::Cpp),
        ("java", Self::Java),
        ("rust", Self::Rust),
        ("go", Self::Go),
    ];

    /// Returns the word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::JavaScript => "javascript",
            Self::C => "c",
            Self::Cpp => "cpp",
            Self::Java => "java",
            Self::Rust => "rust",
            Self::Go => "go",
        }
    }
}

crate::document! {
    /// The way a program is called.
    pub struct Harness: (Hash, Default), such as r#"{"mode": "stdin_stdout"}"# {
        /// Standard input and output, or a function that is called with JSON.
        pub mode: HarnessMode = required("mode", word(HarnessMode::WORDS));
        /// The entry function, required if the mode is `function`: a letter or `_`, then up to 63 letters, digits or
        /// `_`.
        pub function_name: Option<String> =
            optional("functionName", shaped("^[a-zA-Z_][a-zA-Z0-9_]{0,63}$", function_name));
    }
}

/// The way a program is called. Not `#[non_exhaustive]`, so matches need no wildcard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum HarnessMode {
    /// Run it with the input on standard input and compare standard output.
    #[default]
    StdinStdout,
    /// Call a named function with the arguments of a JSON array and compare the returned value as compact JSON.
    Function,
}

impl HarnessMode {
    /// All values with the words used for them in JSON.
    pub const WORDS: &'static [(&'static str, Self)] =
        &[("stdin_stdout", Self::StdinStdout), ("function", Self::Function)];

    /// Returns the word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::StdinStdout => "stdin_stdout",
            Self::Function => "function",
        }
    }
}

crate::document! {
    /// Limits of a program.
    pub struct Limits: (Copy, Hash), such as r#"{"timeMsPerCase": 2000}"# {
        /// CPU time of a case in milliseconds.
        pub time_ms_per_case: u32 = defaulted("timeMsPerCase", TIME_MS, Self::DEFAULT.time_ms_per_case);
        /// Memory in MiB.
        pub memory_mb: u32 = defaulted("memoryMb", count(16, 512), Self::DEFAULT.memory_mb);
        /// Output in KiB.
        pub output_kb: u32 = defaulted("outputKb", count(1, 1_024), Self::DEFAULT.output_kb);
        /// Source in KiB of UTF-8.
        pub source_kb: u32 = defaulted("sourceKb", count(1, 256), Self::DEFAULT.source_kb);
    }
}

/// CPU time of a case in milliseconds.
const TIME_MS: Count = count(100, 30_000);
/// The text that a program reads or writes in a case.
const CASE_TEXT: Text = text(0, 65_536);

impl Limits {
    /// The default limits of a question.
    pub const DEFAULT: Self = Self { time_ms_per_case: 2_000, memory_mb: 128, output_kb: 64, source_kb: 64 };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

crate::document! {
    /// A test case.
    pub struct TestCase, such as r#"{"input": "1 2", "expected": "3"}"# {
        /// Its name.
        pub name: Option<String> = optional("name", text(0, 100));
        /// Standard input, or in function mode a JSON array of arguments.
        pub input: String = required("input", CASE_TEXT);
        /// The expected output, or the expected value as JSON.
        pub expected: String = required("expected", CASE_TEXT);
        /// The method of comparison: byte for byte, by lines without trailing whitespace, by tokens, as JSON, or by
        /// tokens with a tolerance for numbers.
        pub matcher: Matcher = defaulted("matcher", word(Matcher::WORDS), Matcher::default());
        /// The tolerance for numbers.
        pub float_tolerance: Option<Decimal> = optional("floatTolerance", positive(Some(Decimal::new(1, -2))));
        /// Points of the case.
        pub points: u32 = defaulted("points", count(1, 100), 1);
        /// CPU time in milliseconds, overriding that of the question.
        pub timeout_ms: Option<u32> = optional("timeoutMs", TIME_MS);
    }
}

crate::document! {
    /// A program.
    pub struct CodeSubmission {
        /// The language of the program.
        pub language: Language = required("language", word(Language::WORDS));
        /// The source of the program.
        pub source: String = required("source", text(1, 262_144));
    }
}

fn function_name(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<String> {
    let text = json::string(0, usize::MAX)(value, at, findings)?;
    let mut bytes = text.bytes();
    let form = bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && text.len() <= 64
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if form {
        return Some(text);
    }
    findings.push(Finding::error(
        "name-form",
        at.pointer(),
        "a function's name is a letter or `_` followed by at most 63 letters, digits or `_`",
        "choose a name like `solve`",
    ));
    None
}

/// The initial content of the editor, by language.
pub struct StarterCode;

/// The initial source in the editor for one language.
const STARTER: Text = text(0, 20_000);

impl Form for StarterCode {
    type Value = Vec<(Language, String)>;

    fn read(&self, value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self::Value> {
        let mut object = Object::open_as(value, at, findings, r#"{"python": "def f(n):"}"#)?;
        let mut valid = true;
        let mut sources = Vec::new();
        for &(word, language) in Language::WORDS {
            match optional(word, STARTER).take(&mut object) {
                Some(Some(source)) => sources.push((language, source)),
                Some(None) => {}
                None => valid = false,
            }
        }
        object.close();
        valid.then_some(sources)
    }

    fn write(&self, value: &Self::Value) -> Json {
        let object = value
            .iter()
            .fold(Json::build(), |object, (language, source)| object.with(language.as_str(), source));
        object.build()
    }
}

#[cfg(feature = "schema")]
impl crate::document::schema::FormSchema for StarterCode {
    fn schema(
        &self,
        generator: &mut crate::document::schema::SchemaGenerator,
    ) -> crate::document::schema::Schema {
        let source = STARTER.schema(generator);
        let languages: serde_json::Map<_, _> =
            Language::WORDS.iter().map(|(word, _)| ((*word).to_owned(), source.clone().to_value())).collect();
        schemars::json_schema!({"type": "object", "additionalProperties": false, "properties": languages})
    }
}

impl CodeView {
    pub(crate) const KEYS: &[&str] = &[];

    /// Checks that the program can be run: its language is offered and its source is not too long.
    ///
    /// # Errors
    /// A [`Refusal`] for the learner.
    pub fn admit(&self, submission: &CodeSubmission) -> Result<(), Refusal> {
        if !self.languages.contains(&submission.language) {
            let offered: Vec<_> = self.languages.iter().map(|language| language.as_str()).collect();
            let message =
                format!("This question takes {}, not {}.", offered.join(", "), submission.language.as_str());
            return Err(Refusal::new("language-not-offered", message).at("/language"));
        }
        let limit = self.limits.source_kb;
        if submission.source.len() > limit as usize * 1_024 {
            let refusal = Refusal::new("source-too-long", format!("The source has more than {limit} KiB."));
            return Err(refusal.at("/source"));
        }
        Ok(())
    }
}

impl SuiteView {
    /// Returns the suite's name.
    pub fn name(&self) -> &str {
        match self {
            Self::Public { name, .. } | Self::Hidden { name } => name,
        }
    }

    /// Returns the visibility of the suite's cases.
    pub fn visibility(&self) -> Visibility {
        match self {
            Self::Public { .. } => Visibility::Public,
            Self::Hidden { .. } => Visibility::Hidden,
        }
    }
}

impl Whole for SuiteView {
    fn whole(&self) -> Json {
        let object = Json::build().with("name", self.name()).with("visibility", self.visibility().as_str());
        match self {
            Self::Public { cases, .. } => fields::CASES.put(cases, object).build(),
            Self::Hidden { .. } => object.build(),
        }
    }
}

impl Read for SuiteView {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let name = fields::SUITE_NAME.take(&mut object);
        let visibility = fields::VISIBILITY.take(&mut object);
        let suite = match visibility {
            Some(Visibility::Hidden) => {
                super::refuse_keys(&mut object, &["cases"]);
                name.map(|name| Self::Hidden { name })
            }
            Some(Visibility::Public) => {
                let cases = fields::CASES.take(&mut object);
                name.zip(cases).map(|(name, cases)| Self::Public { name, cases })
            }
            None => {
                object.take("cases");
                None
            }
        };
        object.close();
        suite
    }
}

impl CodeSubmission {
    pub(crate) fn write_canonical(&self, out: &mut String) {
        out.push_str("{\"language\":\"");
        out.push_str(self.language.as_str());
        out.push_str("\",\"source\":");
        json::write_json_string(&self.source, out);
        out.push_str(",\"type\":\"code\"}");
    }
}
