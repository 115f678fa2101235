//! Validators for widget states, registered by the embedding program.
//!
//! A [`StateValidator`] is registered under a name. [`Grader::with_host`](crate::Grader::with_host) uses it
//! to check and compile the configuration of a question once. The resulting [`StateJudge`] judges any number
//! of states.
//!
//! # Messages to learners
//! A validator has access to the key, so it cannot send free text to learners. A [`Message`] has one of two
//! sources:
//!
//! - the code of a sentence that the validator declares independently of any configuration
//!   ([`StateValidator::sentences`]);
//! - a pointer to a field `message` of the configuration, which the author wrote for learners.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use fablegrade_public::json::Json;
use fablegrade_public::messages::translate;
use fablegrade_public::{Feedback, FeedbackSeverity, Finding, Findings, Locale, Ratio, Refusal};

use crate::mark::{Mark, Sheet, Trace, fraction};

/// A sentence that a validator may show to learners; it does not depend on a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// Its code in kebab case, unique within the validator.
    pub code: Cow<'static, str>,
    /// The severity.
    pub severity: FeedbackSeverity,
    /// The text.
    pub text: Cow<'static, str>,
}

impl Sentence {
    /// Creates a sentence with a hint for the next attempt.
    pub const fn hint(code: &'static str, text: &'static str) -> Self {
        Self { code: Cow::Borrowed(code), severity: FeedbackSeverity::Hint, text: Cow::Borrowed(text) }
    }

    /// Creates a sentence that explains why a state is refused.
    pub const fn error(code: &'static str, text: &'static str) -> Self {
        Self { code: Cow::Borrowed(code), severity: FeedbackSeverity::Error, text: Cow::Borrowed(text) }
    }
}

/// A message to the learner. It refers to a declared sentence or to an author's text, so a validator cannot
/// put the key into it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    source: Source,
    /// The number of the part of the answer that the message is about, from 1.
    part: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Source {
    Sentence(Cow<'static, str>),
    Configured(String),
}

impl Message {
    /// Creates a message that shows the declared sentence with this code.
    pub fn sentence(code: impl Into<Cow<'static, str>>) -> Self {
        Self { source: Source::Sentence(code.into()), part: None }
    }

    /// Creates a message that shows a text of the author: `pointer` leads to a field `message` of the
    /// configuration.
    pub fn configured(pointer: impl Into<String>) -> Self {
        Self { source: Source::Configured(pointer.into()), part: None }
    }

    /// Returns the message as one about part `number` of the answer, counted from 1. The configuration of that part is
    /// at `pointer`.
    #[must_use]
    pub fn within_part(self, number: u32, pointer: &str) -> Self {
        let source = match self.source {
            Source::Sentence(code) => Source::Sentence(code),
            Source::Configured(inner) => Source::Configured(format!("{pointer}{inner}")),
        };
        Self { source, part: Some(number) }
    }

    /// Returns the text for the learner: a sentence in the learner's language, or an author's text unchanged.
    /// Returns `None` if the code is not declared or the pointer does not lead to a text in a field `message`.
    fn words(
        &self,
        sentences: &[Sentence],
        config: Option<&Json>,
        locale: Locale,
    ) -> Option<(FeedbackSeverity, String)> {
        let (severity, text) = match &self.source {
            Source::Sentence(code) => {
                let sentence = sentences.iter().find(|sentence| sentence.code == *code)?;
                (sentence.severity, translate(&sentence.text, locale).into_owned())
            }
            Source::Configured(pointer) => {
                let text =
                    pointer.ends_with("/message").then(|| config?.pointer(pointer)?.as_str()).flatten()?;
                (FeedbackSeverity::Info, text.to_owned())
            }
        };
        let Some(number) = self.part else { return Some((severity, text)) };
        // The label is translated on its own: the text after it is translated already or is the author's.
        Some((severity, format!("{}{text}", translate(&format!("Part {number}: "), locale))))
    }
}

/// A validator's decision about a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// The exact score before penalties, in `[0, 1]`.
    pub score: Ratio,
    /// Messages to the learner, in this order.
    pub messages: Vec<Message>,
}

impl Judgement {
    /// Creates a judgement without messages.
    pub fn new(score: Ratio) -> Self {
        Self { score, messages: Vec::new() }
    }

    /// Creates a judgement with the full score or zero.
    pub fn of(right: bool) -> Self {
        Self::new(if right { Ratio::one() } else { Ratio::zero() })
    }

    /// Adds a message.
    #[must_use]
    pub fn saying(mut self, message: Message) -> Self {
        self.messages.push(message);
        self
    }
}

/// The reason why a state has no score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unjudged {
    /// The state cannot be read; the message explains to the learner how to write it.
    Unreadable(Message),
    /// The validator failed; the text is for the author.
    Failed(String),
}

/// Steps for the author's explanation.
pub struct Steps<'t>(&'t mut Trace);

impl Steps<'_> {
    /// Returns whether steps are recorded.
    pub fn are_recorded(&self) -> bool {
        self.0.is_recording()
    }

    /// Records a step; `facts` is called only if steps are recorded.
    pub fn step(&mut self, code: &'static str, facts: impl FnOnce() -> Vec<(&'static str, Json)>) {
        self.0.step(code, facts);
    }
}

/// A validator for widget states that the host registers under a name.
pub trait StateValidator: Send + Sync {
    /// Returns the sentences that the validator can show to learners. They must not depend on a configuration.
    fn sentences(&self) -> &[Sentence] {
        &[]
    }

    /// Checks and compiles the configuration of a question, for example when its grader is created.
    ///
    /// Pointers of findings are relative to the configuration. Returns `None` only after reporting at least
    /// one error.
    fn compile(&self, config: Option<&Json>, findings: &mut Findings) -> Option<Box<dyn StateJudge>>;
}

/// A compiled configuration: judges states.
///
/// It must be a pure function of configuration and state: the engine promises the same result for the same input.
pub trait StateJudge: Send + Sync {
    /// Judges a state. Implementations must ignore a state's own claim of correctness.
    ///
    /// # Errors
    /// The reason why the state has no score.
    fn judge(&self, state: &Json, steps: &mut Steps<'_>) -> Result<Judgement, Unjudged>;

    /// Reports lint findings about a configuration that works but probably does not do what its author
    /// intended.
    fn lint(&self, findings: &mut Findings) {
        let _ = findings;
    }
}

/// Extensions by the embedding program: validators for widgets, and a limit on source size.
#[derive(Clone, Default)]
pub struct Host {
    validators: BTreeMap<String, Arc<dyn StateValidator>>,
    source_kb: Option<u32>,
}

impl Host {
    /// Creates a host without validators.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns whether `name` can name a validator: 1 to 64 lower-case letters, digits or `_`.
    pub fn is_name(name: &str) -> bool {
        let letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        (1..=64).contains(&name.len()) && name.bytes().all(letter)
    }

    /// Registers a validator; it replaces one with the same name.
    #[must_use]
    pub fn with_validator(self, name: impl Into<String>, validator: impl StateValidator + 'static) -> Self {
        self.with_shared(name, Arc::new(validator))
    }

    /// Registers a shared validator.
    #[must_use]
    pub fn with_shared(mut self, name: impl Into<String>, validator: Arc<dyn StateValidator>) -> Self {
        self.validators.insert(name.into(), validator);
        self
    }

    /// Accepts sources of code questions up to this many KiB, regardless of the questions' limits. A source
    /// in a JSON submission has at most 262,144 characters; a host that receives submissions in another way
    /// can accept more.
    #[must_use]
    pub fn with_source_kb(mut self, kibibytes: u32) -> Self {
        self.source_kb = Some(kibibytes);
        self
    }

    pub(crate) fn source_kb(&self) -> Option<u32> {
        self.source_kb
    }

    pub(crate) fn validator(&self, name: &str) -> Option<Arc<dyn StateValidator>> {
        self.validators.get(name).cloned()
    }

    /// Returns the names of the registered validators, sorted.
    pub fn validator_names(&self) -> impl Iterator<Item = &str> {
        self.validators.keys().map(String::as_str)
    }
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Host")
            .field("validators", &self.validators.keys().collect::<Vec<_>>())
            .field("source_kb", &self.source_kb)
            .finish()
    }
}

/// The JSON pointer to a validator's configuration in a spec.
const CONFIG: &str = "/validator/config";

/// The message to the learner when a validator fails.
const NOT_CHECKED: &str = "The answer could not be checked. This is not your fault; please try again later.";

/// A registered validator with the configuration of one question.
pub(crate) struct Registered {
    validator: Arc<dyn StateValidator>,
    judge: Box<dyn StateJudge>,
}

impl Registered {
    /// Compiles a configuration. If the validator panics, or returns neither a judge nor an error, an error
    /// is reported.
    pub(crate) fn compile(
        validator: Arc<dyn StateValidator>,
        config: Option<&Json>,
        findings: &mut Findings,
    ) -> Option<Self> {
        let mut found = Findings::new();
        let compiled = catch_unwind(AssertUnwindSafe(|| validator.compile(config, &mut found)));
        let refused = found.errors() > 0;
        findings.absorb(found.within(CONFIG));
        match compiled {
            Ok(Some(judge)) if !refused => Some(Self { validator, judge }),
            _ => {
                if !refused {
                    findings.push(Finding::error(
                        "validator-config",
                        CONFIG,
                        "the validator refuses this configuration",
                        "see the validator's documentation",
                    ));
                }
                None
            }
        }
    }

    pub(crate) fn mark(&self, config: Option<&Json>, state: &Json, sheet: &mut Sheet) -> Mark {
        let judged = catch_unwind(AssertUnwindSafe(|| {
            let sentences = self.validator.sentences();
            (sentences, self.judge.judge(state, &mut Steps(&mut sheet.trace)))
        }));
        let Ok((sentences, judged)) = judged else { return failed(sheet, "the validator panicked") };
        let judgement = match judged {
            Ok(judgement) => judgement,
            Err(Unjudged::Unreadable(message)) => {
                let Some((_, text)) = message.words(sentences, config, sheet.locale) else {
                    return failed(sheet, "the validator sent a message that it had not declared");
                };
                return Mark::RefusedTranslated(Refusal::new("unreadable-state", text).at("/state"));
            }
            Err(Unjudged::Failed(reason)) => return failed(sheet, &reason),
        };
        if judgement.score < Ratio::zero() || judgement.score > Ratio::one() {
            return failed(sheet, "the validator's score is not between 0 and 1");
        }
        let mut words = Vec::with_capacity(judgement.messages.len());
        for message in &judgement.messages {
            match message.words(sentences, config, sheet.locale) {
                Some((severity, text)) => words.push(Feedback::new(severity, text)),
                None => return failed(sheet, "the validator sent a message that it had not declared"),
            }
        }
        if words.is_empty() && !judgement.score.is_one() {
            sheet.tell(FeedbackSeverity::Info, "This is not the expected answer.");
        }
        sheet.feedback.extend(words);
        sheet.trace.step("state-judged", || vec![("score", fraction(&judgement.score))]);
        Mark::Scored(judgement.score)
    }

    pub(crate) fn lint(&self, findings: &mut Findings) {
        let mut found = Findings::new();
        if catch_unwind(AssertUnwindSafe(|| self.judge.lint(&mut found))).is_ok() {
            findings.absorb(found.within(CONFIG));
        }
    }
}

/// Records for the author why a state could not be judged. Returns the mark of an undecided answer.
pub(crate) fn failed(sheet: &mut Sheet, reason: &str) -> Mark {
    sheet.trace.step("validator-failed", || vec![("reason", reason.into())]);
    Mark::Undecided(NOT_CHECKED.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AnswerSpec, Grader, Submission, Verdict};

    /// A validator that behaves, usually wrongly, as its configuration specifies.
    struct Odd {
        /// Whether it panics when it is asked for its sentences.
        silent: bool,
    }

    struct Does(String);

    impl StateValidator for Odd {
        fn sentences(&self) -> &[Sentence] {
            assert!(!self.silent, "on purpose");
            const { &[Sentence::hint("try-again", "Try again.")] }
        }

        fn compile(&self, config: Option<&Json>, findings: &mut Findings) -> Option<Box<dyn StateJudge>> {
            let does = config?.get("does")?.as_str()?.to_owned();
            assert!(does != "panic early", "on purpose");
            if does == "find" {
                findings.push(Finding::error("odd", "/does", "this is odd", "do otherwise"));
            }
            Some(Box::new(Does(does)))
        }
    }

    impl StateJudge for Does {
        fn judge(&self, state: &Json, steps: &mut Steps<'_>) -> Result<Judgement, Unjudged> {
            steps.step("looked", || vec![("state", state.clone())]);
            let zero = Judgement::of(false);
            Ok(match self.0.as_str() {
                "hint" => zero.saying(Message::sentence("try-again")),
                "configured" => zero.saying(Message::configured("/inner/message")),
                "part" => zero.saying(Message::configured("/message").within_part(2, "/inner")),
                "leak" => zero.saying(Message::configured("/key")),
                "invent" => zero.saying(Message::sentence("invented")),
                "above" => Judgement::new(Ratio::new(3, 2)),
                "below" => Judgement::new(Ratio::new(-1, 2)),
                "unreadable" => return Err(Unjudged::Unreadable(Message::sentence("try-again"))),
                "refuse" => return Err(Unjudged::Unreadable(Message::configured("/inner/message"))),
                "panic" => panic!("on purpose"),
                _ => Judgement::of(true),
            })
        }
    }

    type Refused = Vec<(&'static str, String)>;

    fn mark(does: &str) -> Result<(Verdict, Vec<String>), Refused> {
        mark_in(Locale::En, does, "Well.")
    }

    fn mark_in(locale: Locale, does: &str, message: &str) -> Result<(Verdict, Vec<String>), Refused> {
        let spec = format!(
            r#"{{"type":"widget","widgetName":"w","widgetVersion":"1.0.0","validator":{{"kind":"builtin",
            "name":"odd","config":{{"does":"{does}","key":"secret","inner":{{"message":"{message}"}}}}}}}}"#
        );
        let host = Host::new().with_validator("odd", Odd { silent: does == "silent" });
        let grader = Grader::with_host(AnswerSpec::from_json(spec).unwrap(), &host).map_err(|error| {
            error.findings().iter().map(|finding| (finding.rule, finding.pointer.clone())).collect::<Vec<_>>()
        })?;
        let submission = Submission::from_json(r#"{"type":"widget","state":{"score":1}}"#).unwrap();
        let context = crate::Context::new().locale(locale);
        let marked = grader.grade_with(&crate::GradeInput::new(&submission).with_context(&context)).unwrap();
        let result = marked.result();
        let feedback = result.feedback.iter().map(|feedback| feedback.message().to_owned()).collect();
        Ok((result.verdict, feedback))
    }

    #[test]
    fn messages_are_declared_or_written_for_learners() {
        assert_eq!(mark("right"), Ok((Verdict::Correct, vec![])));
        assert_eq!(mark("hint"), Ok((Verdict::Incorrect, vec!["Try again.".to_owned()])));
        assert_eq!(mark("configured"), Ok((Verdict::Incorrect, vec!["Well.".to_owned()])));
        assert_eq!(mark("part"), Ok((Verdict::Incorrect, vec!["Part 2: Well.".to_owned()])));
        assert_eq!(mark("unreadable"), Ok((Verdict::Error, vec!["Try again.".to_owned()])));
    }

    #[test]
    fn texts_of_authors_are_not_translated() {
        let german = |does: &str, message: &str| mark_in(Locale::De, does, message).unwrap().1;
        assert_eq!(german("configured", "A unit is missing."), ["A unit is missing."]);
        assert_eq!(german("part", "A unit is missing."), ["Teil 2: A unit is missing."]);
        assert_eq!(german("refuse", "A unit is missing."), ["A unit is missing."]);
        assert_eq!(german("panic", ""), [translate(NOT_CHECKED, Locale::De)]);
    }

    #[test]
    fn nonsense_is_an_error_and_never_a_score() {
        for does in ["leak", "invent", "above", "below", "panic", "silent"] {
            assert_eq!(mark(does), Ok((Verdict::Error, vec![NOT_CHECKED.to_owned()])), "{does}");
        }
    }

    #[test]
    fn a_configuration_is_refused_where_it_is_wrong() {
        assert_eq!(mark("find"), Err(vec![("odd", "/validator/config/does".to_owned())]));
        assert_eq!(mark("panic early"), Err(vec![("validator-config", CONFIG.to_owned())]));
    }
}
