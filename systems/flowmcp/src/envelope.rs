//! The evaluator's envelope, which contains the answers of one area before they become an entry.

use fablegrade_public::finding::{Error, Finding, Findings};
use fablegrade_public::identifier::Instant;
use fablegrade_public::json::{Document, Json, Object, Path, Read, Value, integer, list, string};

use crate::answer::{Evidence, NaReason, QuestionId, Score, na_reasons};
use crate::area::Area;
use crate::entry::{GradingId, Harness, Hash8, Persona, coded};
use crate::moment::Moment;
use crate::word::{is_blank, words};

words! {
    /// The urgency of an improvement.
    Priority {
        /// Low priority.
        Low = "low",
        /// Medium priority.
        Medium = "medium",
        /// High priority.
        High = "high",
    }
}

/// The reply of an evaluator: the answers, or the reason why there are none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evaluation {
    /// The answers of an area.
    Answers(Box<Envelope>),
    /// The area could not be evaluated.
    Blocked {
        /// The blocker.
        blocker: String,
        /// The reason.
        reason: String,
    },
}

/// The answers of one area in one iteration.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields, transform = crate::schema::envelope_conditions)
)]
#[non_exhaustive]
pub struct Envelope {
    /// The id of the future grading; its timestamp has seconds.
    #[cfg_attr(feature = "schema", schemars(schema_with = "crate::schema::stamped_id"))]
    pub grading_id: GradingId,
    /// The hash of the graded schema.
    pub schema_hash: Hash8,
    /// The area.
    pub area: Area,
    /// The iteration of the improvement loop, from 1 to 5.
    #[cfg_attr(feature = "schema", schemars(schema_with = "crate::schema::iteration"))]
    pub iteration: u8,
    /// The time.
    #[cfg_attr(feature = "schema", schemars(schema_with = "crate::schema::time_or_stamp"))]
    pub timestamp: Instant,
    /// The persona of a persona-bound area.
    pub persona: Option<Persona>,
    /// The program that drove the evaluation.
    pub harness: Harness,
    /// One answer to each question of the area.
    pub answers: Vec<EnvelopeAnswer>,
    /// Proposals for improvement.
    pub improvement_hints: Vec<ImprovementHint>,
}

/// One answer within an envelope. Its weight and determinism are added when the entry is built.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields, transform = crate::schema::envelope_answer_conditions)
)]
#[non_exhaustive]
pub struct EnvelopeAnswer {
    /// The question.
    pub question_id: QuestionId,
    /// The score.
    pub score: Score,
    /// The reasoning, which is not blank.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "\\S")))]
    pub reasoning: String,
    /// The evidence.
    pub evidence: Option<Evidence>,
    /// The reason why the question does not apply.
    pub na_reason: Option<NaReason>,
}

/// A proposal for improvement.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields)
)]
#[non_exhaustive]
pub struct ImprovementHint {
    /// The field to change.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub target_field: String,
    /// The suggested change.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub suggestion: String,
    /// The urgency.
    pub priority: Priority,
}

impl Evaluation {
    /// Parses the reply of an evaluator.
    ///
    /// Every finding of a `Schema` error has one of the `ASC` codes: 001 form, 002 number of answers, 003
    /// unknown or repeated question, 004 score, 005 blank reasoning, 006 missing or unknown `n/a` reason, 007
    /// nothing to score, 008 field of the envelope.
    ///
    /// # Errors
    /// Returns a `Json` error if the text is not JSON, and a `Schema` error with all findings if it is not a
    /// reply.
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        Document::parse(text)?.read()
    }
}

impl Read for Evaluation {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut own = Findings::new();
        let read = if value.get("blocker").is_some() {
            read_blocker(value, at, &mut own)
        } else {
            Envelope::read(value, at, &mut own).map(|envelope| Self::Answers(Box::new(envelope)))
        };
        for mut finding in own.into_vec() {
            if !finding.rule.starts_with("ASC-") {
                finding.rule = "ASC-001";
            }
            findings.push(finding);
        }
        read
    }
}

fn read_blocker(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Evaluation> {
    let mut object = Object::open(value, at, findings)?;
    let blocker = object.required("blocker", string(1, usize::MAX));
    let reason = object.required("reason", string(1, usize::MAX));
    object.close();
    Some(Evaluation::Blocked { blocker: blocker?, reason: reason? })
}

/// Reads an RFC 3339 time, or a timestamp as in file names.
fn timestamp(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Instant> {
    let stamped = value.str().as_deref().and_then(Moment::of_stamp);
    match stamped.and_then(|moment| Instant::new(&moment.rfc3339())) {
        Some(instant) => Some(instant),
        None => Instant::read(value, at, findings),
    }
}

impl Read for Envelope {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let grading_id = object.required("gradingId", coded("ASC-008", GradingId::read));
        let schema_hash = object.required("schemaHash", coded("ASC-008", Hash8::read));
        let area = object.required("area", coded("ASC-008", Area::read));
        let iteration = object.required("iteration", coded("ASC-008", integer(1, 5)));
        let timestamp = object.required("timestamp", coded("ASC-008", timestamp));
        let persona = object.required("persona", |value, at, findings| {
            if value.kind() == "null" { Some(None) } else { Persona::read(value, at, findings).map(Some) }
        });
        let harness = object.required("harness", coded("ASC-008", Harness::read));
        let answers = object.required("answers", list(0, usize::MAX - 1, EnvelopeAnswer::read));
        let improvement_hints =
            object.required("improvementHints", list(0, usize::MAX - 1, ImprovementHint::read));
        object.close();
        let envelope = Self {
            grading_id: grading_id?,
            schema_hash: schema_hash?,
            area: area?,
            iteration: u8::try_from(iteration?).ok()?,
            timestamp: timestamp?,
            persona: persona?,
            harness: harness?,
            answers: answers?,
            improvement_hints: improvement_hints?,
        };
        envelope.check(at, findings);
        Some(envelope)
    }
}

impl Envelope {
    fn check(&self, at: &Path<'_>, findings: &mut Findings) {
        let mut report = |rule, field: &str, message: String, help: &str| {
            findings.push(Finding::error(rule, Path::Field(at, field).pointer(), message, help));
        };
        if self.grading_id.moment().is_none() {
            let message = "the id of an evaluation ends in a stamp with seconds".into();
            report("ASC-008", "gradingId", message, "write <schemaHash>--YYYY-MM-DDTHH-MM-SSZ");
        }
        if self.grading_id.schema_hash() != self.schema_hash.as_str() {
            let message = "the id does not begin with the schemaHash".into();
            report("ASC-008", "gradingId", message, "write <schemaHash>--<stamp>");
        }
        if self.persona.is_some() != self.area.is_persona_bound() {
            let message = match self.persona {
                Some(_) => format!("the area {} is evaluated without a persona", self.area),
                None => format!("the area {} is evaluated under a persona", self.area),
            };
            report(
                "ASC-008",
                "persona",
                message,
                "give a persona to persona-bound areas and null to the others",
            );
        }
        let expected = self.area.questions().len();
        if self.answers.len() != expected {
            let message =
                format!("the area {} has {expected} questions, not {}", self.area, self.answers.len());
            report(
                "ASC-002",
                "answers",
                message,
                "answer every question once, with n/a where it was not tested",
            );
        }
        let mut answered = vec![false; expected];
        for (index, answer) in self.answers.iter().enumerate() {
            let place = self.area.question(answer.question_id.as_str()).map(|(place, _)| place);
            let message = match place.and_then(|place| answered.get_mut(place)) {
                None => "the area has no such question",
                Some(true) => "the question is already answered",
                Some(seen) => {
                    *seen = true;
                    continue;
                }
            };
            let list = Path::Field(at, "answers");
            findings.push(Finding::error(
                "ASC-003",
                Path::Field(&Path::Element(&list, index), "questionId").pointer(),
                message,
                "answer each question of the area's catalogue once",
            ));
        }
        if !self.answers.iter().any(|answer| answer.score.is_counted()) {
            findings.push(Finding::error(
                "ASC-007",
                Path::Field(at, "answers").pointer(),
                "no answer can be scored, so no entry can follow",
                "hand back a blocker with its reason instead",
            ));
        }
    }
}

impl Read for EnvelopeAnswer {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let question_id = object.required("questionId", coded("ASC-003", QuestionId::read));
        let score = object.required("score", coded("ASC-004", Score::read));
        let reasoning = object.required("reasoning", coded("ASC-005", string(1, usize::MAX)));
        let evidence = object.optional("evidence", Evidence::read);
        let na_reason = object.optional("naReason", coded("ASC-006", NaReason::read));
        if score == Some(Score::NotApplicable) && na_reason == Some(None) {
            object.report(Finding::error(
                "ASC-006",
                at.pointer(),
                "a score of n/a needs a reason from the closed set",
                format!("add `naReason`: one of {}", na_reasons()),
            ));
        }
        if reasoning.as_deref().is_some_and(is_blank) {
            let reasoning = Path::Field(at, "reasoning");
            object.report(Finding::error(
                "ASC-005",
                reasoning.pointer(),
                "the reasoning is blank",
                "say in a sentence why",
            ));
        }
        object.close();
        Some(Self {
            question_id: question_id?,
            score: score?,
            reasoning: reasoning?,
            evidence: evidence?,
            na_reason: na_reason?,
        })
    }
}

impl Read for ImprovementHint {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let target_field = object.required("targetField", string(1, usize::MAX));
        let suggestion = object.required("suggestion", string(1, usize::MAX));
        let priority = object.required("priority", Priority::read);
        object.close();
        Some(Self { target_field: target_field?, suggestion: suggestion?, priority: priority? })
    }
}

impl From<&Envelope> for Json {
    fn from(envelope: &Envelope) -> Self {
        let persona = envelope.persona.as_ref().map_or(Json::Null, Json::from);
        Json::build()
            .with("gradingId", &envelope.grading_id)
            .with("schemaHash", &envelope.schema_hash)
            .with("area", envelope.area)
            .with("iteration", envelope.iteration)
            .with("timestamp", &envelope.timestamp)
            .with("persona", persona)
            .with("harness", envelope.harness)
            .with("answers", Json::array(&envelope.answers))
            .with("improvementHints", Json::array(&envelope.improvement_hints))
            .build()
    }
}

impl From<&EnvelopeAnswer> for Json {
    fn from(answer: &EnvelopeAnswer) -> Self {
        Json::build()
            .with("questionId", &answer.question_id)
            .with("score", &answer.score)
            .with("reasoning", &answer.reasoning)
            .with_some("evidence", answer.evidence.as_ref())
            .with_some("naReason", answer.na_reason)
            .build()
    }
}

impl From<&ImprovementHint> for Json {
    fn from(hint: &ImprovementHint) -> Self {
        Json::build()
            .with("targetField", &hint.target_field)
            .with("suggestion", &hint.suggestion)
            .with("priority", hint.priority)
            .build()
    }
}
