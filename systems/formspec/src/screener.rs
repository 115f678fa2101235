//! The Screener document as types, read from JSON.
//!
//! Reading checks the *structure* (field names, types, formats that the evaluator needs).
//! [`check_screener`](crate::check_screener) checks the rules that a schema cannot express.

use fablegrade_public::decimal::Decimal;
use fablegrade_public::finding::{Error, Finding, Findings};
use fablegrade_public::json::{
    Document, Json, Object, Path, Read, Value, boolean, decimal, integer, list, string, word,
};

/// A Screener document, version 1.0.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Screener {
    /// Canonical URI; with [`Self::version`] it identifies this revision.
    pub url: String,
    /// The version, which must be semantic if [`Self::evaluation_binding`] is declared.
    pub version: String,
    /// Title, for people; not evaluated.
    pub title: String,
    /// Description, for people; not evaluated.
    pub description: Option<String>,
    /// The days on which the screener is available; `None` means always.
    pub availability: Option<Availability>,
    /// The duration for which a record is valid, in ISO 8601, as written.
    pub result_validity: Option<String>,
    /// The revision that applies if the screener changes during a session; `None` means `submission`.
    pub evaluation_binding: Option<Binding>,
    /// The questions.
    pub items: Vec<Item>,
    /// Expressions about items, which the program that shows the questions evaluates.
    pub binds: Vec<Bind>,
    /// The phases of the evaluation, in order.
    pub evaluation: Vec<Phase>,
    /// `x-` members.
    pub extensions: Option<Json>,
}

/// First and last day, both included, as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Availability {
    /// First day, `YYYY-MM-DD`.
    pub from: Option<String>,
    /// Last day, `YYYY-MM-DD`.
    pub until: Option<String>,
}

/// The rule for the revision of a screener that applies to a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binding {
    /// The revision with which the session began.
    Submission,
    /// The revision at the time of the evaluation.
    Completion,
}

/// The kind of item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemKind {
    /// Holds an answer.
    Field,
    /// Contains items.
    Group,
    /// Only displayed; has no answer.
    Display,
}

/// An item, with the members that an evaluation needs. The other members are only for the display and are not read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Item {
    /// Name among its siblings.
    pub key: String,
    /// Field, group or display.
    pub kind: ItemKind,
    /// For example `integer` or `date`.
    pub data_type: Option<String>,
    /// `true` if the group repeats.
    pub repeatable: bool,
    /// Minimum number of instances of a repeat.
    pub min_repeat: u64,
    /// Items of a group.
    pub children: Vec<Item>,
}

/// A bind: expressions about an item.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bind {
    /// The item, `group.field`; `[*]` means every instance.
    pub path: String,
    /// Its expressions by member name, in the order of [`Bind::EXPRESSIONS`].
    pub expressions: Vec<(&'static str, String)>,
}

impl Bind {
    /// The members of a bind that are expressions.
    pub const EXPRESSIONS: [&'static str; 5] =
        ["relevant", "required", "readonly", "calculate", "constraint"];
}

/// The way a phase picks among its routes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Strategy {
    /// The first route whose condition holds.
    FirstMatch,
    /// Every route whose condition holds.
    FanOut,
    /// Every route whose score reaches its threshold.
    ScoreThreshold,
    /// Another name. It is not supported, and valid only with the prefix `x-`.
    Other(String),
}

impl Strategy {
    /// Returns the strategy with this name.
    pub fn new(name: &str) -> Self {
        match name {
            "first-match" => Self::FirstMatch,
            "fan-out" => Self::FanOut,
            "score-threshold" => Self::ScoreThreshold,
            other => Self::Other(other.to_owned()),
        }
    }

    /// Returns the name that documents use.
    pub fn as_str(&self) -> &str {
        match self {
            Self::FirstMatch => "first-match",
            Self::FanOut => "fan-out",
            Self::ScoreThreshold => "score-threshold",
            Self::Other(name) => name,
        }
    }
}

/// A phase of the evaluation.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Phase {
    /// `[a-zA-Z][a-zA-Z0-9_-]*`, unique in the screener.
    pub id: String,
    /// The way routes are picked.
    pub strategy: Strategy,
    /// An expression; the phase is skipped unless it holds.
    pub active_when: Option<String>,
    /// Bounds and options of the strategy.
    pub config: Config,
    /// The routes, in order.
    pub routes: Vec<Route>,
}

/// Options of a strategy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Config {
    /// Fan-out: fewer matches give a warning.
    pub min_matches: Option<u64>,
    /// Fan-out: maximum number of routes that stay matched.
    pub max_matches: Option<u64>,
    /// Score-threshold: maximum number of routes that stay matched.
    pub top_n: Option<u64>,
    /// Score-threshold: `true` to divide the scores by the greatest one.
    pub normalize: bool,
}

/// A destination to which the screener can lead, with its condition or score.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Route {
    /// The destination: a URI, `url|version` or `outcome:name`.
    pub target: String,
    /// The condition, an expression; for first-match, fan-out and overrides.
    pub condition: Option<String>,
    /// The score, an expression; for score-threshold.
    pub score: Option<String>,
    /// Minimum score at which the route matches.
    pub threshold: Option<Decimal>,
    /// The label, for people; not evaluated.
    pub label: Option<String>,
    /// The message to the respondent; can interpolate `{{expression}}`.
    pub message: Option<String>,
    /// Metadata, copied into results and never read.
    pub metadata: Option<Json>,
    /// `true` for an override, which is evaluated before all phases.
    pub is_override: bool,
    /// `true` for an override that halts the evaluation before the phases if it matches.
    pub is_terminal: bool,
}

/// Maximum number of phases of a screener.
pub const MAX_PHASES: usize = 1_000;
/// Maximum number of routes of a screener.
pub const MAX_ROUTES: usize = 20_000;
/// Maximum length of a string in the document, in characters.
pub(crate) const MAX_TEXT: usize = 1 << 20;

impl Screener {
    /// Reads a screener from JSON text.
    ///
    /// # Errors
    /// Returns all findings about the text or the structure.
    pub fn parse(text: &[u8]) -> Result<Self, Error> {
        Document::parse(text)?.read()
    }

    /// Returns the revision that applies to a session, according to the binding that `started` declares. The
    /// session began with `started`, and `current` is the newest revision at its end.
    pub fn bound<'a>(started: &'a Self, current: &'a Self) -> &'a Self {
        match started.evaluation_binding.unwrap_or(Binding::Submission) {
            Binding::Submission => started,
            Binding::Completion => current,
        }
    }
}

pub(crate) fn text(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<String> {
    string(0, MAX_TEXT)(value, at, findings)
}

pub(crate) fn uri(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<String> {
    let uri = text(value, at, findings)?;
    let scheme = uri.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    });
    if scheme && uri.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Some(uri);
    }
    findings.push(Finding::error(
        "uri-form",
        at.pointer(),
        "expected a URI with a scheme and without blanks",
        "write it like https://example.org/screener or urn:example:screener",
    ));
    None
}

/// Reads the version marker of a document, which must be `1.0`.
pub(crate) fn marker(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<()> {
    word(&[("1.0", ())])(value, at, findings)
}

/// Reads an object with any members.
pub(crate) fn object(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Json> {
    if value.is_object() {
        return Some(Json::from(value));
    }
    let message = format!("expected an object, found {}", value.kind());
    findings.push(Finding::error("wrong-type", at.pointer(), message, "give an object"));
    None
}

/// Reads an object whose members all begin with `x-`.
pub(crate) fn extensions(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Json> {
    let json = object(value, at, findings)?;
    let before = findings.errors();
    for (key, _) in value.fields() {
        if !key.starts_with("x-") {
            findings.push(Finding::error(
                "extension-name",
                Path::Field(at, &key).pointer(),
                "extension members begin with `x-`",
                "prefix the name with `x-`",
            ));
        }
    }
    (findings.errors() == before).then_some(json)
}

impl Read for Screener {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let marker = object.required("$formspecScreener", marker);
        let url = object.required("url", uri);
        let version = object.required("version", text);
        let title = object.required("title", text);
        let description = object.optional("description", text);
        let availability = object.optional("availability", Availability::read);
        let result_validity = object.optional("resultValidity", text);
        let binding = word(&[("submission", Binding::Submission), ("completion", Binding::Completion)]);
        let evaluation_binding = object.optional("evaluationBinding", binding);
        let items = object.required("items", list(0, usize::MAX - 1, Item::read));
        let binds = object.defaulted("binds", Vec::new(), list(0, usize::MAX - 1, Bind::read));
        let evaluation = object.required("evaluation", list(0, MAX_PHASES, Phase::read));
        let extensions = object.optional("extensions", extensions);
        let routes: usize = evaluation.iter().flatten().map(|phase: &Phase| phase.routes.len()).sum();
        if routes > MAX_ROUTES {
            object.report(Finding::error(
                "too-many-routes",
                Path::Field(at, "evaluation").pointer(),
                format!("the phases have {routes} routes, more than {MAX_ROUTES}"),
                "split the screener",
            ));
        }
        object.close();
        marker?;
        Some(Self {
            url: url?,
            version: version?,
            title: title?,
            description: description?,
            availability: availability?,
            result_validity: result_validity?,
            evaluation_binding: evaluation_binding?,
            items: items?,
            binds: binds?,
            evaluation: evaluation.filter(|_| routes <= MAX_ROUTES)?,
            extensions: extensions?,
        })
    }
}

impl Read for Availability {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let from = object.optional("from", text);
        let until = object.optional("until", text);
        object.close();
        Some(Self { from: from?, until: until? })
    }
}

const KINDS: &[(&str, ItemKind)] =
    &[("field", ItemKind::Field), ("group", ItemKind::Group), ("display", ItemKind::Display)];

impl Read for Item {
    /// Reads an item. Recursion is bounded by the depth limit of the parsed document.
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let key = object.required("key", key);
        let kind = object.required("type", word(KINDS));
        let data_type = object.optional("dataType", text);
        let repeatable = object.defaulted("repeatable", false, boolean);
        let legacy = object.take("repeat").is_some();
        let min_repeat = object.defaulted("minRepeat", 0, integer(0, i64::MAX));
        let children = object.defaulted("children", Vec::new(), list(0, usize::MAX - 1, Item::read));
        Some(Self {
            key: key?,
            kind: kind?,
            data_type: data_type?,
            repeatable: repeatable? || legacy,
            min_repeat: min_repeat?.unsigned_abs(),
            children: children?,
        })
    }
}

fn key(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<String> {
    let key = text(value, at, findings)?;
    let single = crate::path::ItemPath::parse(&key).is_some_and(|path| {
        path.steps().len() == 1 && path.steps().iter().all(|step| step.instance.is_none())
    });
    if !single {
        findings.push(Finding::error(
            "item-key-form",
            at.pointer(),
            "an item key has letters, digits, `_` or `-` (ASCII) and begins with a letter or `_`",
            "choose a key like `household_size`",
        ));
    }
    single.then_some(key)
}

impl Read for Bind {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let path = object.required("path", text);
        let mut expressions = Vec::new();
        for name in Self::EXPRESSIONS {
            // In a form definition, some members can also be plain booleans, which name no item.
            if let Some(source) = object.take(name).and_then(Value::str) {
                expressions.push((name, source.into_owned()));
            }
        }
        Some(Self { path: path?, expressions })
    }
}

impl Read for Phase {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let id = object.required("id", phase_id);
        let strategy = object.required("strategy", text);
        let label = object.optional("label", text);
        let description = object.optional("description", text);
        let active_when = object.optional("activeWhen", text);
        let config = object.defaulted("config", Config::default(), Config::read);
        let routes = object.required("routes", list(0, MAX_ROUTES, Route::read));
        object.close();
        label?;
        description?;
        Some(Self {
            id: id?,
            strategy: Strategy::new(&strategy?),
            active_when: active_when?,
            config: config?,
            routes: routes?,
        })
    }
}

fn phase_id(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<String> {
    let id = text(value, at, findings)?;
    let form = id.starts_with(|first: char| first.is_ascii_alphabetic())
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    if !form {
        findings.push(Finding::error(
            "phase-id-form",
            at.pointer(),
            "a phase id has letters, digits, `_` or `-` (ASCII) and begins with a letter",
            "choose an id like `eligibility`",
        ));
    }
    form.then_some(id)
}

impl Read for Config {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let min_matches = object.optional("minMatches", integer(0, i64::MAX));
        let max_matches = object.optional("maxMatches", integer(1, i64::MAX));
        let top_n = object.optional("topN", integer(1, i64::MAX));
        let normalize = object.defaulted("normalize", false, boolean);
        // The configuration is open: other members belong to other strategies.
        Some(Self {
            min_matches: min_matches?.map(i64::unsigned_abs),
            max_matches: max_matches?.map(i64::unsigned_abs),
            top_n: top_n?.map(i64::unsigned_abs),
            normalize: normalize?,
        })
    }
}

impl Read for Route {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut route = Object::open(value, at, findings)?;
        let target = route.required("target", text);
        let condition = route.optional("condition", text);
        let score = route.optional("score", text);
        let threshold = route.optional("threshold", decimal);
        let label = route.optional("label", text);
        let message = route.optional("message", text);
        let metadata = route.optional("metadata", object);
        let is_override = route.defaulted("override", false, boolean);
        let is_terminal = route.defaulted("terminal", false, boolean);
        route.close();
        Some(Self {
            target: target?,
            condition: condition?,
            score: score?,
            threshold: threshold?,
            label: label?,
            message: message?,
            metadata: metadata?,
            is_override: is_override?,
            is_terminal: is_terminal?,
        })
    }
}
