//! Answers to questions, the elements of `gradings[]`.

use fablegrade_public::decimal::Decimal;
use fablegrade_public::finding::{Finding, Findings};
use fablegrade_public::identifier::Instant;
use fablegrade_public::json::{Json, Object, Path, Read, Value, decimal, list, string};

use crate::entry::{coded, optional_text, required_or};
use crate::word::{forms, one_line, words};

words! {
    /// The reproducibility of an answer with the same version of the scoring system.
    Determinism {
        /// Reproducible, because code computes the answer.
        Deterministic = "deterministic",
        /// Judged by a model or a person.
        NonDeterministic = "non-deterministic",
    }
}

words! {
    /// The kind of grader.
    GraderKind {
        /// A language model.
        Llm = "llm",
        /// A person.
        Human = "human",
        /// A program.
        Script = "script",
    }
}

words! {
    /// The reason why a question does not apply, from a closed set (NA-001).
    NaReason {
        /// The dimension does not apply to this type of tool.
        NotApplicableToToolType = "not-applicable-to-tool-type",
        /// The check would need a private data source.
        RequiresPrivateData = "requires-private-data",
        /// A precondition is not satisfied.
        BlockedByPrecondition = "blocked-by-precondition",
        /// The question is about resources, which are out of scope.
        OutOfScopeResource = "out-of-scope-resource",
        /// The question is about prompts, which are out of scope.
        OutOfScopePrompt = "out-of-scope-prompt",
        /// The question is about procedures, which are out of scope.
        OutOfScopeProcedure = "out-of-scope-procedure",
    }
}

forms! {
    /// The id of a question: `Q-`, followed by at least one character on the same line.
    QuestionId, "^Q-.+$", "question-id-form", "Q-single-test-01",
    |text| text.strip_prefix("Q-").is_some_and(one_line)
}

/// A score: a number from 1 to 5, or a word. Numbers as strings are not scores.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Score {
    /// An exact number from 1 to 5, both inclusive.
    Number(Decimal),
    /// The test passed.
    Pass,
    /// The test failed.
    Fail,
    /// The answer is too old to count.
    Stale,
    /// The question was not tested or does not apply.
    NotApplicable,
}

impl Score {
    const WORDS: &'static [(&'static str, Self)] =
        &[("pass", Self::Pass), ("fail", Self::Fail), ("stale", Self::Stale), ("n/a", Self::NotApplicable)];

    /// Creates a numeric score, or returns `None` if `value` is not between 1 and 5.
    pub fn number(value: Decimal) -> Option<Self> {
        (Decimal::one() <= value && value <= Decimal::from(5)).then_some(Self::Number(value))
    }

    /// Returns whether the score counts in an aggregate, as numbers, `pass` and `fail` do.
    pub fn is_counted(&self) -> bool {
        matches!(self, Self::Number(_) | Self::Pass | Self::Fail)
    }
}

impl Read for Score {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        if let Some(number) = value.number() {
            if let Some(score) = Self::number(number) {
                return Some(score);
            }
            findings.push(Finding::error(
                "SCO-001",
                at.pointer(),
                "a numeric score lies between 1 and 5",
                "give a number from 1 to 5, or pass, fail, stale or n/a",
            ));
            return None;
        }
        let found = value.str().and_then(|text| Self::WORDS.iter().find(|(word, _)| *word == text));
        if let Some((_, score)) = found {
            return Some(score.clone());
        }
        findings.push(Finding::error(
            if value.str().is_some() { "SCO-003" } else { "wrong-type" },
            at.pointer(),
            "a score is a number from 1 to 5 or one of four words",
            "give a number without quotation marks, or pass, fail, stale or n/a",
        ));
        None
    }
}

impl From<&Score> for Json {
    fn from(score: &Score) -> Self {
        match score {
            Score::Number(number) => number.into(),
            Score::Pass => "pass".into(),
            Score::Fail => "fail".into(),
            Score::Stale => "stale".into(),
            Score::NotApplicable => "n/a".into(),
        }
    }
}

/// The grader: a model, a person or a program, with name and version.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields)
)]
#[non_exhaustive]
pub struct GraderIdentity {
    /// The kind of grader.
    pub kind: GraderKind,
    /// Its name.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub name: String,
    /// Its version.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub version: String,
}

impl Read for GraderIdentity {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let kind = object.required("kind", GraderKind::read);
        let name = object.required("name", string(1, usize::MAX));
        let version = object.required("version", string(1, usize::MAX));
        object.close();
        Some(Self { kind: kind?, name: name?, version: version? })
    }
}

impl From<&GraderIdentity> for Json {
    fn from(grader: &GraderIdentity) -> Self {
        Json::build()
            .with("kind", grader.kind)
            .with("name", &grader.name)
            .with("version", &grader.version)
            .build()
    }
}

/// The group, personas and domain knowledge under which an answer was given.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields)
)]
#[non_exhaustive]
pub struct SelectionContext {
    /// The id of the group.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub group_id: String,
    /// The ids of the personas, at least one.
    #[cfg_attr(feature = "schema", schemars(length(min = 1), inner(length(min = 1))))]
    pub persona_ids: Vec<String>,
    /// The id of the document with the domain knowledge.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub domain_doc_id: Option<String>,
}

impl Read for SelectionContext {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let group_id = object.required("groupId", string(1, usize::MAX));
        let persona_ids = required_or(
            &mut object,
            "personaIds",
            "GRD-005",
            coded("GRD-005", |value, at, findings| {
                list(1, usize::MAX - 1, string(1, usize::MAX))(value, at, findings)
            }),
        );
        let domain_doc_id = optional_text(&mut object, "domainDocId", 1);
        object.close();
        Some(Self { group_id: group_id?, persona_ids: persona_ids?, domain_doc_id: domain_doc_id? })
    }
}

impl From<&SelectionContext> for Json {
    fn from(context: &SelectionContext) -> Self {
        Json::build()
            .with("groupId", &context.group_id)
            .with("personaIds", Json::array(&context.persona_ids))
            .with_some("domainDocId", context.domain_doc_id.as_ref())
            .build()
    }
}

/// The evidence for an answer: a text (often a URL) or an object with any content.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Evidence {
    /// A non-empty text.
    Text(String),
    /// An object.
    Object(Json),
}

impl Read for Evidence {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        if value.is_object() {
            return Some(Self::Object(Json::from(value)));
        }
        string(1, usize::MAX)(value, at, findings).map(Self::Text)
    }
}

impl From<&Evidence> for Json {
    fn from(evidence: &Evidence) -> Self {
        match evidence {
            Evidence::Text(text) => text.into(),
            Evidence::Object(object) => object.clone(),
        }
    }
}

/// One answer to one question, by one grader at one time.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields, transform = crate::schema::answer_conditions)
)]
#[non_exhaustive]
pub struct Answer {
    /// The question.
    pub question_id: QuestionId,
    /// The score.
    pub score: Score,
    /// The weight in the mean; not negative.
    #[cfg_attr(feature = "schema", schemars(schema_with = "crate::schema::weight"))]
    pub weight: Decimal,
    /// Whether the answer is reproducible.
    pub determinism: Determinism,
    /// The grader who answered.
    pub grader_identity: GraderIdentity,
    /// The time.
    #[cfg_attr(feature = "schema", schemars(schema_with = "crate::schema::date_time"))]
    pub timestamp: Instant,
    /// The model, if a language model answered.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub llm_model: Option<String>,
    /// The context of a non-deterministic answer.
    pub selection_context: Option<SelectionContext>,
    /// The evidence.
    pub evidence: Option<Evidence>,
    /// The reason for this score.
    pub reasoning: Option<String>,
    /// The reason why the question does not apply.
    pub na_reason: Option<NaReason>,
}

impl Answer {
    /// Reports violations of the schema's conditions.
    ///
    /// A judgement needs its context, an answer of a language model needs the name of the model, and `n/a`
    /// needs a reason.
    fn report_conditions(&self, at: &Path<'_>, findings: &mut Findings) {
        if self.determinism == Determinism::NonDeterministic && self.selection_context.is_none() {
            findings.push(Finding::error(
                "GRD-005",
                at.pointer(),
                "a non-deterministic answer needs `selectionContext` with at least one persona",
                "add `selectionContext` with `groupId` and `personaIds`",
            ));
        }
        if self.grader_identity.kind == GraderKind::Llm && self.llm_model.is_none() {
            findings.push(model_missing(at.pointer()));
        }
        if self.score == Score::NotApplicable && self.na_reason.is_none() {
            findings.push(Finding::error(
                "NA-001",
                at.pointer(),
                "a score of n/a needs a reason from the closed set",
                format!("add `naReason`: one of {}", na_reasons()),
            ));
        }
    }

    /// Returns the answer with another score.
    #[must_use]
    pub fn with_score(&self, score: Score) -> Self {
        Self { score, ..self.clone() }
    }
}

/// Returns the finding that an answer of a language model does not name the model.
pub(crate) fn model_missing(pointer: String) -> Finding {
    Finding::error("GRD-007", pointer, "an answer of a language model must name the model", "add `llmModel`")
}

pub(crate) fn na_reasons() -> String {
    NaReason::ALL.iter().map(|reason| reason.as_str()).collect::<Vec<_>>().join(", ")
}

/// Reads a weight, which is a non-negative number.
pub(crate) fn weight(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Decimal> {
    let weight = decimal(value, at, findings)?;
    if weight.is_negative() {
        findings.push(Finding::error(
            "SCO-004",
            at.pointer(),
            "a weight must not be negative",
            "give a weight above zero",
        ));
        return None;
    }
    Some(weight)
}

/// Reports a weight of 0, which the schema allows but which has no effect. `at` is the path of the answer.
pub(crate) fn report_zero_weight(weight: &Decimal, at: &Path<'_>, findings: &mut Findings) {
    if weight.is_zero() {
        findings.push(Finding::warning(
            "SCO-004",
            Path::Field(at, "weight").pointer(),
            "an answer of weight 0 cannot change the grade",
            "give a weight above zero",
        ));
    }
}

impl Read for Answer {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let question_id = object.required("questionId", QuestionId::read);
        let score = object.required("score", Score::read);
        let weight = object.required("weight", weight);
        let determinism = object.required("determinism", Determinism::read);
        let grader_identity = object.required("graderIdentity", GraderIdentity::read);
        let timestamp = object.required("timestamp", Instant::read);
        let llm_model = optional_text(&mut object, "llmModel", 1);
        let selection_context = object.optional("selectionContext", SelectionContext::read);
        let evidence = object.optional("evidence", Evidence::read);
        let reasoning = optional_text(&mut object, "reasoning", 0);
        let na_reason = object.optional("naReason", coded("NA-001", NaReason::read));
        object.close();
        let answer = Self {
            question_id: question_id?,
            score: score?,
            weight: weight?,
            determinism: determinism?,
            grader_identity: grader_identity?,
            timestamp: timestamp?,
            llm_model: llm_model?,
            selection_context: selection_context?,
            evidence: evidence?,
            reasoning: reasoning?,
            na_reason: na_reason?,
        };
        answer.report_conditions(at, findings);
        Some(answer)
    }
}

impl From<&Answer> for Json {
    fn from(answer: &Answer) -> Self {
        Json::build()
            .with("questionId", &answer.question_id)
            .with("score", &answer.score)
            .with("weight", &answer.weight)
            .with("determinism", answer.determinism)
            .with("graderIdentity", &answer.grader_identity)
            .with("timestamp", &answer.timestamp)
            .with_some("llmModel", answer.llm_model.as_ref())
            .with_some("selectionContext", answer.selection_context.as_ref())
            .with_some("evidence", answer.evidence.as_ref())
            .with_some("reasoning", answer.reasoning.as_ref())
            .with_some("naReason", answer.na_reason)
            .build()
    }
}
