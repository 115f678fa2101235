//! `code`: a program, judged by test cases.

use super::Refusal;
use crate::decimal::Decimal;
use crate::finding::{Finding, Findings};
use crate::json::{self, Json, Object, Path, Read, Value};
use crate::matcher::Matcher;

/// A code question as the learner sees it: of hidden suites only the names.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields)
)]
pub struct CodeView {
    /// The languages on offer: 1 to 6, all different.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 6), extend("uniqueItems" = true)))]
    pub languages: Vec<Language>,
    /// What the editor starts with, by language.
    #[cfg_attr(feature = "schema", schemars(schema_with = "crate::schema::starter_code", default))]
    pub starter_code: Option<Vec<(Language, String)>>,
    /// How a program is called.
    #[cfg_attr(feature = "schema", schemars(default))]
    pub harness: Harness,
    /// 1 to 10 suites.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 10)))]
    pub test_suites: Vec<SuiteView>,
    /// What a program may use.
    pub limits: Limits,
}

/// A suite as the learner sees it: a hidden one cannot hold cases.
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

/// Who sees the cases of a suite. Deliberately exhaustive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Visibility {
    /// Everybody.
    Public,
    /// The author only.
    Hidden,
}

impl Visibility {
    /// All with the words used in JSON.
    pub const WORDS: &'static [(&'static str, Self)] = &[("public", Self::Public), ("hidden", Self::Hidden)];

    /// The word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Hidden => "hidden",
        }
    }
}

/// The languages. Deliberately exhaustive.
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
    /// All with the words used in JSON.
    pub const WORDS: &'static [(&'static str, Self)] = &[
        ("python", Self::Python),
        ("javascript", Self::JavaScript),
        ("c", Self::C),
        ("cpp", Self::Cpp),
        ("java", Self::Java),
        ("rust", Self::Rust),
        ("go", Self::Go),
    ];

    /// The word used in JSON.
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

/// How a program is called.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields)
)]
pub struct Harness {
    /// Standard input and output, or a function that is called with JSON.
    pub mode: HarnessMode,
    /// The entry function, needed where the mode is `function`: a letter or `_`, then up to 63 letters, digits or `_`.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^[a-zA-Z_][a-zA-Z0-9_]{0,63}$")))]
    pub function_name: Option<String>,
}

/// How a program is called. Deliberately exhaustive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum HarnessMode {
    /// Run it with the input on standard input and compare standard output.
    #[default]
    StdinStdout,
    /// Call a named function with the arguments of a JSON array and compare the returned value as compact JSON.
    Function,
}

impl HarnessMode {
    /// All with the words used in JSON.
    pub const WORDS: &'static [(&'static str, Self)] =
        &[("stdin_stdout", Self::StdinStdout), ("function", Self::Function)];

    /// The word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::StdinStdout => "stdin_stdout",
            Self::Function => "function",
        }
    }
}

/// What a program may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields)
)]
pub struct Limits {
    /// CPU time of a case in milliseconds: 100 to 30,000, default 2,000.
    #[cfg_attr(feature = "schema", schemars(range(min = 100, max = 30000), extend("default" = 2000), default))]
    pub time_ms_per_case: u32,
    /// Memory in MiB: 16 to 512, default 128.
    #[cfg_attr(feature = "schema", schemars(range(min = 16, max = 512), extend("default" = 128), default))]
    pub memory_mb: u32,
    /// Output in KiB: 1 to 1,024, default 64.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1024), extend("default" = 64), default))]
    pub output_kb: u32,
    /// Source in KiB of UTF-8: 1 to 256, default 64.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 256), extend("default" = 64), default))]
    pub source_kb: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time_ms_per_case: 2_000, memory_mb: 128, output_kb: 64, source_kb: 64 }
    }
}

/// A test case.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields)
)]
pub struct TestCase {
    /// Its name, at most 100 characters.
    #[cfg_attr(feature = "schema", schemars(length(max = 100)))]
    pub name: Option<String>,
    /// Standard input, or under `function` a JSON array of arguments: at most 65,536 characters.
    #[cfg_attr(feature = "schema", schemars(length(max = 65536)))]
    pub input: String,
    /// What it must print, or return as JSON: at most 65,536 characters.
    #[cfg_attr(feature = "schema", schemars(length(max = 65536)))]
    pub expected: String,
    /// How it is compared: byte for byte, by lines without blanks at their ends, by words, as JSON, or numbers within a
    /// tolerance.
    #[cfg_attr(feature = "schema", schemars(default))]
    pub matcher: Matcher,
    /// The tolerance for numbers: above 0, at most 0.01.
    #[cfg_attr(feature = "schema", schemars(extend("exclusiveMinimum" = 0, "maximum" = 0.01)))]
    pub float_tolerance: Option<Decimal>,
    /// What it is worth: 1 to 100, default 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 100), extend("default" = 1), default))]
    pub points: u32,
    /// CPU time in milliseconds in place of the question's: 100 to 30,000.
    #[cfg_attr(feature = "schema", schemars(range(min = 100, max = 30000)))]
    pub timeout_ms: Option<u32>,
}

/// A program.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields)
)]
pub struct CodeSubmission {
    /// Its language.
    pub language: Language,
    /// Its source: 1 to 262,144 characters.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 262144)))]
    pub source: String,
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

fn starter_code(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Vec<(Language, String)>> {
    let mut object = Object::open_as(value, at, findings, r#"{"python": "def f(n):"}"#)?;
    let mut sound = true;
    let mut sources = Vec::new();
    for &(word, language) in Language::WORDS {
        match object.optional(word, json::string(0, 20_000)) {
            Some(Some(source)) => sources.push((language, source)),
            Some(None) => {}
            None => sound = false,
        }
    }
    object.close();
    sound.then_some(sources)
}

/// The public fields that the view and the spec have in common.
pub struct CodeFrame {
    /// The languages on offer.
    pub languages: Vec<Language>,
    /// What the editor starts with.
    pub starter_code: Option<Vec<(Language, String)>>,
    /// How a program is called.
    pub harness: Harness,
    /// What a program may use.
    pub limits: Limits,
}

impl CodeFrame {
    /// Reads the public fields.
    pub fn read_public(object: &mut Object<'_, '_, '_>) -> Option<Self> {
        let languages = object.required("languages", json::unique_list(1, 6, json::word(Language::WORDS)));
        let starter_code = object.optional("starterCode", starter_code);
        let harness = object.defaulted("harness", Harness::default(), Harness::read);
        let limits = object.required("limits", Limits::read);
        Some(Self { languages: languages?, starter_code: starter_code?, harness: harness?, limits: limits? })
    }
}

impl CodeView {
    pub(crate) fn read_fields(object: &mut Object<'_, '_, '_>) -> Option<Self> {
        let frame = CodeFrame::read_public(object);
        let test_suites = object.required("testSuites", json::list(1, 10, SuiteView::read));
        let CodeFrame { languages, starter_code, harness, limits } = frame?;
        Some(Self { languages, starter_code, harness, test_suites: test_suites?, limits })
    }

    /// The view as JSON.
    pub fn to_document(&self) -> Json {
        let starter_code = self.starter_code.as_ref().map(|sources| {
            sources
                .iter()
                .fold(Json::build(), |object, (language, source)| object.with(language.as_str(), source))
                .build()
        });
        Json::build()
            .with("type", "code")
            .with("languages", Json::array(self.languages.iter().map(|language| language.as_str())))
            .with_some("starterCode", starter_code)
            .with("harness", self.harness.to_document())
            .with("testSuites", Json::array(self.test_suites.iter().map(SuiteView::to_document)))
            .with("limits", self.limits.to_document())
            .build()
    }

    /// Whether the program can be run: its language is on offer and its source not too long.
    ///
    /// # Errors
    /// A [`Refusal`] for the learner.
    pub fn admit(&self, submission: &CodeSubmission) -> Result<(), Refusal> {
        if !self.languages.contains(&submission.language) {
            let offered: Vec<_> = self.languages.iter().map(|language| language.as_str()).collect();
            return Err(Refusal::new(
                "language-not-offered",
                format!("This question takes {}, not {}.", offered.join(", "), submission.language.as_str()),
            ));
        }
        let limit = self.limits.source_kb;
        if submission.source.len() > limit as usize * 1_024 {
            return Err(Refusal::new("source-too-long", format!("The source has more than {limit} KiB.")));
        }
        Ok(())
    }
}

impl Harness {
    /// The harness as JSON.
    pub fn to_document(&self) -> Json {
        Json::build()
            .with("mode", self.mode.as_str())
            .with_some("functionName", self.function_name.as_ref())
            .build()
    }
}

impl Read for Harness {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open_as(value, at, findings, r#"{"mode": "stdin_stdout"}"#)?;
        let mode = object.required("mode", json::word(HarnessMode::WORDS));
        let function_name = object.optional("functionName", function_name);
        object.close();
        Some(Self { mode: mode?, function_name: function_name? })
    }
}

impl Limits {
    /// The limits as JSON.
    pub fn to_document(&self) -> Json {
        Json::build()
            .with("timeMsPerCase", self.time_ms_per_case)
            .with("memoryMb", self.memory_mb)
            .with("outputKb", self.output_kb)
            .with("sourceKb", self.source_kb)
            .build()
    }
}

impl Read for Limits {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open_as(value, at, findings, r#"{"timeMsPerCase": 2000}"#)?;
        let default = Self::default();
        let mut limit = |name, default: u32, min, max| {
            let value = object.defaulted(name, i64::from(default), json::integer(min, max))?;
            u32::try_from(value).ok()
        };
        let time = limit("timeMsPerCase", default.time_ms_per_case, 100, 30_000);
        let memory = limit("memoryMb", default.memory_mb, 16, 512);
        let output = limit("outputKb", default.output_kb, 1, 1_024);
        let source = limit("sourceKb", default.source_kb, 1, 256);
        object.close();
        Some(Self { time_ms_per_case: time?, memory_mb: memory?, output_kb: output?, source_kb: source? })
    }
}

impl SuiteView {
    /// The suite's name.
    pub fn name(&self) -> &str {
        match self {
            Self::Public { name, .. } | Self::Hidden { name } => name,
        }
    }

    /// Who sees its cases.
    pub fn visibility(&self) -> Visibility {
        match self {
            Self::Public { .. } => Visibility::Public,
            Self::Hidden { .. } => Visibility::Hidden,
        }
    }

    fn to_document(&self) -> Json {
        let object = Json::build().with("name", self.name()).with("visibility", self.visibility().as_str());
        match self {
            Self::Public { cases, .. } => {
                object.with("cases", Json::array(cases.iter().map(TestCase::to_document))).build()
            }
            Self::Hidden { .. } => object.build(),
        }
    }
}

impl Read for SuiteView {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let name = object.required("name", json::string(0, 100));
        let visibility = object.required("visibility", json::word(Visibility::WORDS));
        let suite = match visibility {
            Some(Visibility::Hidden) => {
                super::refuse_keys(&mut object, &["cases"]);
                name.map(|name| Self::Hidden { name })
            }
            Some(Visibility::Public) => {
                let cases = object.required("cases", json::list(1, 50, TestCase::read));
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

impl TestCase {
    /// The case as JSON.
    pub fn to_document(&self) -> Json {
        Json::build()
            .with_some("name", self.name.as_ref())
            .with("input", &self.input)
            .with("expected", &self.expected)
            .with("matcher", self.matcher.as_str())
            .with_some("floatTolerance", self.float_tolerance.as_ref())
            .with("points", self.points)
            .with_some("timeoutMs", self.timeout_ms)
            .build()
    }
}

impl Read for TestCase {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open_as(value, at, findings, r#"{"input": "1 2", "expected": "3"}"#)?;
        let name = object.optional("name", json::string(0, 100));
        let input = object.required("input", json::string(0, 65_536));
        let expected = object.required("expected", json::string(0, 65_536));
        let matcher = object.defaulted("matcher", Matcher::default(), json::word(Matcher::WORDS));
        let tolerance = super::expression::positive_number(Some(Decimal::new(1, -2)));
        let float_tolerance = object.optional("floatTolerance", tolerance);
        let points = object.defaulted("points", 1, json::integer(1, 100));
        let timeout_ms = object.optional("timeoutMs", json::integer(100, 30_000));
        object.close();
        Some(Self {
            name: name?,
            input: input?,
            expected: expected?,
            matcher: matcher?,
            float_tolerance: float_tolerance?,
            points: u32::try_from(points?).ok()?,
            timeout_ms: timeout_ms?.and_then(|time| u32::try_from(time).ok()),
        })
    }
}

impl CodeSubmission {
    pub(crate) fn read_fields(object: &mut Object<'_, '_, '_>) -> Option<Self> {
        let language = object.required("language", json::word(Language::WORDS));
        let source = object.required("source", json::string(1, 262_144));
        Some(Self { language: language?, source: source? })
    }

    /// The submission as JSON.
    pub fn to_document(&self) -> Json {
        Json::build()
            .with("type", "code")
            .with("language", self.language.as_str())
            .with("source", &self.source)
            .build()
    }

    pub(crate) fn write_canonical(&self, out: &mut String) {
        out.push_str("{\"language\":\"");
        out.push_str(self.language.as_str());
        out.push_str("\",\"source\":");
        json::write_json_string(&self.source, out);
        out.push_str(",\"type\":\"code\"}");
    }
}
