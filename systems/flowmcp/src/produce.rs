//! Production of entries from the answers of scripts and other graders, or a refusal with the reason.
//!
//! Missing data are never made up. Unless there is a veto, a full draft must answer every question, and at
//! least one answer must be scorable. A partial entry without a veto takes its grade from the last full entry,
//! which the draft must contain.

use std::collections::BTreeMap;

use fablegrade_public::decimal::Decimal;
use fablegrade_public::finding::{Error, ErrorKind, Finding, Findings};
use fablegrade_public::identifier::Instant;
use fablegrade_public::json::{Document, Json, Object, Path, Read, Value, list, string};

use crate::aggregate::{Policy, Tally};
use crate::answer::{
    Answer, Determinism, Evidence, GraderIdentity, GraderKind, NaReason, QuestionId, Score, SelectionContext,
    model_missing, weight,
};
use crate::area::{Area, Tier};
use crate::canonical::schema_hash;
use crate::check::check;
use crate::entry::{
    AggregateGrade, Entry, GradingId, GradingMode, GradingSystem, Harness, Hash8, Persona, SchemaId,
    ScoringSystem, SpecVersion, coded, optional_text, with_catalogue_codes,
};
use crate::envelope::{Envelope, Evaluation};
use crate::lock::{FEWEST_MEMBERS, LockSnapshot, MemberThreshold};
use crate::moment::Moment;
use crate::regrading::{RegradingCause, RegradingTrigger};
use crate::veto::CategoricalVeto;

/// The place of the evaluator's reply in a draft.
const ENVELOPE: &str = "/judgement/envelope";

/// The reason why no entry was built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The draft is invalid or incomplete; the error contains the findings.
    #[error(transparent)]
    Draft(#[from] Error),
    /// No counted answer has a positive weight, so there is no grade for the entry.
    #[error(
        "no answer can be scored ({} not applicable, {} stale), so there is no honest grade",
        .0.not_applicable,
        .0.stale
    )]
    NothingScorable(Tally),
    /// The evaluator returned a blocker instead of answers.
    #[error("the evaluation is blocked ({blocker}): {reason}")]
    Blocked {
        /// The blocker.
        blocker: String,
        /// The reason.
        reason: String,
    },
}

impl Refusal {
    /// Returns the refusal as findings.
    pub fn findings(&self) -> Vec<Finding> {
        match self {
            Self::Draft(error) => error.findings().to_vec(),
            Self::NothingScorable(_) => vec![Finding::error(
                "nothing-scorable",
                "/answers",
                self.to_string(),
                "write no entry; the node stays pending until a question can be answered",
            )],
            Self::Blocked { .. } => vec![Finding::error(
                "evaluation-blocked",
                ENVELOPE,
                self.to_string(),
                "record the node as blocked, with the reason",
            )],
        }
    }
}

/// An answer whose weight and determinism are added when the entry is built.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DraftAnswer {
    /// The question, from the area's catalogue.
    pub question_id: QuestionId,
    /// The score.
    pub score: Score,
    /// The grader who answered.
    pub grader_identity: GraderIdentity,
    /// The time; if absent, that of the draft.
    pub timestamp: Option<Instant>,
    /// The model, if a language model answered.
    pub llm_model: Option<String>,
    /// The context of a judgement.
    pub selection_context: Option<SelectionContext>,
    /// The evidence.
    pub evidence: Option<Evidence>,
    /// The reason.
    pub reasoning: Option<String>,
    /// The reason why the question does not apply.
    pub na_reason: Option<NaReason>,
}

/// The reply of an evaluator, with the evaluator and the context.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Judgement {
    /// The reply of the evaluator.
    pub evaluation: Evaluation,
    /// The grader who evaluated.
    pub grader_identity: GraderIdentity,
    /// The model, if a language model evaluated.
    pub llm_model: Option<String>,
    /// The context.
    pub selection_context: SelectionContext,
}

/// The input for an entry, from which its tier, highest grade, id, weights, determinism and grade are
/// derived.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Draft {
    /// The graded schema.
    pub schema_id: SchemaId,
    /// The area.
    pub area: Area,
    /// The version of the FlowMCP specification.
    pub version: SpecVersion,
    /// The hash of the graded schema.
    pub schema_hash: Hash8,
    /// The hash of the About page.
    pub about_hash: Option<Hash8>,
    /// Full or partial.
    pub grading_mode: GradingMode,
    /// The program that drove the judgements.
    pub harness: Harness,
    /// The persona of a persona-bound area.
    pub persona: Option<Persona>,
    /// The skill of a per-skill area.
    pub skill_id: Option<String>,
    /// The selection of a group-bound area.
    pub selection_id: Option<String>,
    /// The version of the scoring system.
    pub scoring_system: ScoringSystem,
    /// The version of the grading system, whose thresholds must be known.
    pub grading_system: GradingSystem,
    /// The time at which the entry is built.
    pub timestamp: Instant,
    /// The answers of scripts and other graders.
    pub answers: Vec<DraftAnswer>,
    /// The evaluator's reply; an answer in `answers` to the same question takes precedence.
    pub judgement: Option<Judgement>,
    /// Weights for the questions that have no weight in the catalogue.
    pub weights: BTreeMap<QuestionId, Decimal>,
    /// The veto, if there is one.
    pub categorical_veto: Option<CategoricalVeto>,
    /// The previous entry: the last full one for a partial entry, the superseded one for a re-grading.
    pub previous: Option<Box<Entry>>,
    /// The cause, if the entry is a re-grading.
    pub regrading: Option<Regrading>,
    /// The lock of the selection. If present, it must meet the preconditions of grading the area, and the
    /// selection of a group-bound area must have enough members.
    pub lock: Option<LockSnapshot>,
}

/// The cause of a re-grading; the superseded entry is [`Draft::previous`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Regrading {
    /// The cause.
    pub triggered_by: RegradingCause,
    /// The user's report; required for the cause `user-report`.
    pub reported_issue: Option<String>,
    /// The user who requested the re-grading; required for the cause `user-report`.
    pub requested_by: Option<String>,
}

impl Draft {
    /// Parses a draft.
    ///
    /// # Errors
    /// Returns a `Json` error if the text is not JSON, and a `Schema` error with all findings if it is not a
    /// draft.
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        Document::parse(text)?.read()
    }

    /// Builds the entry.
    ///
    /// # Errors
    /// Returns a [`Refusal`] if the draft is incomplete or invalid, nothing can be scored, or the evaluation
    /// is blocked.
    pub fn build(&self) -> Result<Entry, Refusal> {
        let mut findings = Findings::new();
        let (sources, gradings): (Vec<String>, Vec<Answer>) =
            self.gradings(&mut findings)?.into_iter().unzip();
        let policy = Policy::of(&self.grading_system);
        if policy.is_none() {
            findings.push(Finding::error(
                "grading-system-unknown",
                "/gradingSystem",
                "the thresholds of this version are unknown",
                "use gradingSystem/1.0.0",
            ));
        }
        self.check_previous(&mut findings);
        self.check_lock(&mut findings);
        let (Some(policy), 0) = (policy, findings.errors()) else { return Err(refused(findings)) };
        let tier = self.area.tier();
        let mut entry = Entry {
            grading_id: self.grading_id(),
            schema_id: self.schema_id.clone(),
            area: self.area,
            version: self.version.clone(),
            schema_hash: self.schema_hash.clone(),
            about_hash: self.about_hash.clone(),
            grading_mode: self.grading_mode,
            grading_tier: tier,
            harness: self.harness,
            persona: self.persona.clone(),
            skill_id: self.skill_id.clone(),
            selection_id: self.selection_id.clone(),
            scoring_system: self.scoring_system.clone(),
            grading_system: self.grading_system.clone(),
            gradings,
            categorical_veto: self.categorical_veto.clone(),
            regrading_trigger: self.trigger(),
            aggregate_grade: AggregateGrade::Rejected,
            max_attainable_grade: tier.cap(),
        };
        entry.aggregate_grade = match self.grade_source() {
            Some(previous) => previous.aggregate_grade,
            None => match policy.aggregate_entry(&entry) {
                crate::aggregate::Aggregation::NothingScorable(tally) => {
                    return Err(Refusal::NothingScorable(tally));
                }
                other => other.grade().unwrap_or(AggregateGrade::Rejected),
            },
        };
        // The new entry is parsed and checked like any other entry.
        let checked = check(entry.to_json().to_canonical().as_bytes())?;
        let kind = if checked.is_valid() { ErrorKind::Spec } else { ErrorKind::Schema };
        if checked.is_error_free()
            && let Some(entry) = checked.entry
        {
            return Ok(entry);
        }
        let mut findings = Findings::new();
        for mut finding in checked.findings {
            finding.pointer = self.source(&finding.pointer, &sources);
            findings.push(finding);
        }
        Err(Refusal::Draft(Error::new(kind, findings)))
    }

    /// Returns the place in the draft from which the value at `pointer` in the entry comes. `sources` has the
    /// places of the answers.
    fn source(&self, pointer: &str, sources: &[String]) -> String {
        let (field, rest) = match pointer.strip_prefix('/').map(|inner| inner.split_once('/')) {
            Some(Some((field, rest))) => (field, Some(rest)),
            _ => (pointer.get(1..).unwrap_or_default(), None),
        };
        match (field, rest) {
            ("gradings", Some(rest)) => {
                let (index, inner) = rest.split_once('/').unwrap_or((rest, ""));
                let source = index.parse().ok().and_then(|index: usize| sources.get(index));
                let source = source.map_or("/answers", String::as_str);
                match inner {
                    "" => source.into(),
                    // The evaluator's answers share one context and one time.
                    "selectionContext" if source.starts_with(ENVELOPE) => {
                        "/judgement/selectionContext".into()
                    }
                    "timestamp" if source.starts_with(ENVELOPE) => format!("{ENVELOPE}/timestamp"),
                    inner => format!("{source}/{inner}"),
                }
            }
            ("gradings", None) => "/answers".into(),
            ("regradingTrigger", Some("previousGradingId")) => "/previous/gradingId".into(),
            ("regradingTrigger", Some("timestamp")) => "/timestamp".into(),
            ("regradingTrigger", Some(rest)) => format!("/regrading/{rest}"),
            ("regradingTrigger", None) => "/regrading".into(),
            ("aggregateGrade", None) if self.grade_source().is_some() => "/previous/aggregateGrade".into(),
            _ => pointer.into(),
        }
    }

    /// Returns the previous entry if the new one keeps its grade.
    fn grade_source(&self) -> Option<&Entry> {
        let keeps = self.grading_mode == GradingMode::Partial && self.categorical_veto.is_none();
        self.previous.as_deref().filter(|_| keeps)
    }

    fn grading_id(&self) -> GradingId {
        GradingId::at(&self.schema_hash, Moment::of(&self.timestamp))
    }

    fn trigger(&self) -> Option<RegradingTrigger> {
        let (regrading, previous) = (self.regrading.as_ref()?, self.previous.as_ref()?);
        Some(RegradingTrigger {
            triggered_by: regrading.triggered_by,
            previous_grading_id: previous.grading_id.as_str().into(),
            timestamp: self.timestamp.clone(),
            reported_issue: regrading.reported_issue.clone(),
            requested_by: regrading.requested_by.clone(),
        })
    }

    /// Checks the preconditions and the number of members, if there is a lock.
    fn check_lock(&self, findings: &mut Findings) {
        let Some(lock) = &self.lock else { return };
        for finding in lock.preconditions(self.area) {
            findings.push(finding.within("/lockSnapshot"));
        }
        if self.area.tier() != Tier::GroupBound {
            return;
        }
        if self.selection_id.as_ref() != Some(&lock.selection_id) {
            findings.push(Finding::error(
                "lock-of-another-selection",
                "/lockSnapshot/selectionId",
                "the lock does not belong to the selection that is graded",
                "give the lock of this selection",
            ));
        }
        if lock.threshold() == MemberThreshold::NotGraded {
            findings.push(Finding::error(
                "selection-too-small",
                "/lockSnapshot/members",
                format!("a selection of fewer than {FEWEST_MEMBERS} members is not graded"),
                "grade it when it has grown",
            ));
        }
    }

    fn check_previous(&self, findings: &mut Findings) {
        let mut report = |rule, at: &str, message: &str, help: &str| {
            findings.push(Finding::error(rule, at, message, help));
        };
        let Some(previous) = &self.previous else {
            if self.grading_mode == GradingMode::Partial && self.categorical_veto.is_none() {
                let message = "a partial entry keeps the grade of the last full one, and none is given";
                report("PRT-003", "/previous", message, "give the last full entry as `previous`");
            }
            if self.regrading.is_some() {
                let message = "a re-grading supersedes an entry, and none is given";
                report("GRD-006", "/previous", message, "give the superseded entry as `previous`");
            }
            return;
        };
        if let Some(source) = self.grade_source() {
            if source.grading_mode == GradingMode::Partial || source.categorical_veto.is_some() {
                let message = "a partial entry follows a full one without a veto";
                report("PRT-003", "/previous", message, "give the last full entry, or grade the whole area");
            }
            if source.persona != self.persona {
                let message = "a partial entry keeps the grade of a full one under the same persona";
                let help = "give the last full entry of this persona, or grade the whole area";
                report("PRT-003", "/previous/persona", message, help);
            }
        }
        let same = previous.schema_id == self.schema_id
            && previous.area == self.area
            && previous.selection_id == self.selection_id
            && previous.skill_id == self.skill_id;
        if !same {
            let message = "the previous entry grades another schema, area, selection or skill";
            report("lineage-subject", "/previous", message, "give the previous entry of the same subject");
        }
        if previous.graded_at() >= Moment::of(&self.timestamp) {
            let message = "the previous entry is not older than this one";
            report("lineage-order", "/timestamp", message, "correct the time");
        } else if previous.grading_id == self.grading_id() {
            // Ids have whole seconds.
            let message = "the previous entry has the same id, because both are from the same second";
            report("duplicate-grading-id", "/timestamp", message, "grade at different seconds");
        }
    }

    /// Returns the answers with weights and determinism, each with its place in the draft: first those in
    /// `answers`, then those of the evaluator.
    ///
    /// In a full entry without a veto, every question of the area must be answered.
    fn gradings(&self, findings: &mut Findings) -> Result<Vec<(String, Answer)>, Refusal> {
        let mut gradings = Vec::new();
        let mut answered = vec![false; self.area.questions().len()];
        for (index, answer) in self.answers.iter().enumerate() {
            let at = format!("/answers/{index}");
            let graded = self.graded(answer, &at, &mut answered, findings);
            gradings.extend(graded.map(|graded| (at, graded)));
        }
        let Some(judgement) = &self.judgement else {
            self.report_unanswered(&answered, findings);
            return Ok(gradings);
        };
        let envelope = match &judgement.evaluation {
            Evaluation::Answers(envelope) => envelope,
            // A veto needs no evaluation.
            Evaluation::Blocked { .. } if self.categorical_veto.is_some() && !gradings.is_empty() => {
                return Ok(gradings);
            }
            Evaluation::Blocked { blocker, reason } => {
                let blocked = Refusal::Blocked { blocker: blocker.clone(), reason: reason.clone() };
                if findings.errors() == 0 {
                    return Err(blocked);
                }
                // The draft is invalid too, so the refusal contains all findings.
                blocked.findings().into_iter().for_each(|finding| findings.push(finding));
                return Ok(gradings);
            }
        };
        self.check_envelope(envelope, findings);
        let by_others = answered.clone();
        for (index, judged) in envelope.answers.iter().enumerate() {
            let Some((place, question)) = self.area.question(judged.question_id.as_str()) else { continue };
            let by_code = question.determinism == Determinism::Deterministic;
            // The draft's own answers take precedence. Only a script can answer a deterministic question.
            if by_others.get(place) == Some(&true)
                || (by_code && judgement.grader_identity.kind != GraderKind::Script)
            {
                continue;
            }
            let draft = DraftAnswer {
                question_id: judged.question_id.clone(),
                score: judged.score.clone(),
                grader_identity: judgement.grader_identity.clone(),
                timestamp: Some(envelope.timestamp.clone()),
                llm_model: judgement.llm_model.clone(),
                selection_context: Some(judgement.selection_context.clone()),
                evidence: judged.evidence.clone(),
                reasoning: Some(judged.reasoning.clone()),
                na_reason: judged.na_reason,
            };
            let at = format!("{ENVELOPE}/answers/{index}");
            let graded = self.graded(&draft, &at, &mut answered, findings);
            gradings.extend(graded.map(|graded| (at, graded)));
        }
        let names_no_model =
            judgement.grader_identity.kind == GraderKind::Llm && judgement.llm_model.is_none();
        if names_no_model && gradings.iter().any(|(at, _)| at.starts_with(ENVELOPE)) {
            findings.push(model_missing("/judgement".into()));
        }
        self.report_unanswered(&answered, findings);
        Ok(gradings)
    }

    fn check_envelope(&self, envelope: &Envelope, findings: &mut Findings) {
        let same = [
            ("area", envelope.area == self.area),
            ("schemaHash", envelope.schema_hash == self.schema_hash),
            ("persona", envelope.persona == self.persona),
            ("harness", envelope.harness == self.harness),
        ];
        for (field, same) in same {
            if !same {
                findings.push(Finding::error(
                    "ASC-008",
                    format!("{ENVELOPE}/{field}"),
                    format!("the envelope has another `{field}` than the draft"),
                    "merge only the evaluation of the same subject",
                ));
            }
        }
    }

    fn graded(
        &self,
        answer: &DraftAnswer,
        at: &str,
        answered: &mut [bool],
        findings: &mut Findings,
    ) -> Option<Answer> {
        let Some((place, question)) = self.area.question(answer.question_id.as_str()) else {
            findings.push(Finding::error(
                "ASC-003",
                format!("{at}/questionId"),
                format!("the area {} has no such question", self.area),
                format!("use Q-{}-NN as the catalogue numbers them", self.area),
            ));
            return None;
        };
        if let Some(seen) = answered.get_mut(place) {
            *seen = true;
        }
        let given = self.weights.get(&answer.question_id);
        let weight = match (question.weight(), given) {
            (Some(weight), None) => weight,
            (Some(weight), Some(given)) if weight == *given => weight,
            (Some(_), Some(_)) => {
                findings.push(Finding::error(
                    "catalogue-weight",
                    "/weights",
                    "a weight is given for a question to which the catalogue gives another one",
                    "leave the weight to the catalogue",
                ));
                return None;
            }
            (None, Some(given)) if !given.is_zero() => given.clone(),
            (None, _) => {
                findings.push(Finding::error(
                    "SCO-004",
                    "/weights",
                    format!(
                        "the catalogue has no weight for {}, and none above zero is given",
                        answer.question_id
                    ),
                    "give its weight in `weights`",
                ));
                return None;
            }
        };
        Some(Answer {
            question_id: answer.question_id.clone(),
            score: answer.score.clone(),
            weight,
            determinism: question.determinism,
            grader_identity: answer.grader_identity.clone(),
            timestamp: answer.timestamp.clone().unwrap_or_else(|| self.timestamp.clone()),
            llm_model: answer.llm_model.clone(),
            selection_context: answer.selection_context.clone(),
            evidence: answer.evidence.clone(),
            reasoning: answer.reasoning.clone(),
            na_reason: answer.na_reason,
        })
    }

    fn report_unanswered(&self, answered: &[bool], findings: &mut Findings) {
        if self.grading_mode == GradingMode::Partial || self.categorical_veto.is_some() {
            if !answered.contains(&true) {
                findings.push(Finding::error(
                    "list-length",
                    "/answers",
                    "an entry has at least one answer",
                    "answer at least one question",
                ));
            }
            return;
        }
        for (place, _) in answered.iter().enumerate().filter(|(_, answered)| !**answered) {
            let by_code = self.area.questions().get(place).map(|question| question.determinism)
                == Some(Determinism::Deterministic);
            let who = if by_code { " (by code)" } else { "" };
            findings.push(Finding::error(
                "answer-missing",
                "/answers",
                format!("the question {} is not answered", self.area.question_id(place)),
                format!("answer it{who}, or give n/a with a reason; nothing is invented"),
            ));
        }
    }
}

fn refused(findings: Findings) -> Refusal {
    Refusal::Draft(Error::new(ErrorKind::Spec, findings))
}

impl Read for DraftAnswer {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let question_id = object.required("questionId", QuestionId::read);
        let score = object.required("score", Score::read);
        let grader_identity = object.required("graderIdentity", GraderIdentity::read);
        let timestamp = object.optional("timestamp", Instant::read);
        let llm_model = optional_text(&mut object, "llmModel", 1);
        let selection_context = object.optional("selectionContext", SelectionContext::read);
        let evidence = object.optional("evidence", Evidence::read);
        let reasoning = optional_text(&mut object, "reasoning", 0);
        let na_reason = object.optional("naReason", coded("NA-001", NaReason::read));
        object.close();
        Some(Self {
            question_id: question_id?,
            score: score?,
            grader_identity: grader_identity?,
            timestamp: timestamp?,
            llm_model: llm_model?,
            selection_context: selection_context?,
            evidence: evidence?,
            reasoning: reasoning?,
            na_reason: na_reason?,
        })
    }
}

impl Read for Judgement {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let evaluation = object.required("envelope", Evaluation::read);
        let grader_identity = object.required("graderIdentity", GraderIdentity::read);
        let llm_model = optional_text(&mut object, "llmModel", 1);
        let selection_context = object.required("selectionContext", SelectionContext::read);
        object.close();
        Some(Self {
            evaluation: evaluation?,
            grader_identity: grader_identity?,
            llm_model: llm_model?,
            selection_context: selection_context?,
        })
    }
}

impl Read for Regrading {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let triggered_by = object.required("triggeredBy", RegradingCause::read);
        let reported_issue = optional_text(&mut object, "reportedIssue", 1);
        let requested_by = optional_text(&mut object, "requestedBy", 1);
        object.close();
        Some(Self {
            triggered_by: triggered_by?,
            reported_issue: reported_issue?,
            requested_by: requested_by?,
        })
    }
}

fn weights(
    value: Value<'_>,
    at: &Path<'_>,
    findings: &mut Findings,
) -> Option<BTreeMap<QuestionId, Decimal>> {
    Object::open(value, at, findings)?;
    let mut weights = BTreeMap::new();
    for (name, value) in value.fields() {
        let at = Path::Field(at, &name);
        let question = QuestionId::new(&name);
        if question.is_none() {
            findings.push(Finding::error(
                "question-id-form",
                at.pointer(),
                "a question id begins with Q-",
                "name the question as the catalogue does",
            ));
        }
        if let (Some(weight), Some(question)) = (weight(value, &at, findings), question) {
            weights.insert(question, weight);
        }
    }
    Some(weights)
}

impl Read for Draft {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        with_catalogue_codes(findings, |own| read_draft(value, at, own))
    }
}

fn read_draft(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Draft> {
    let mut object = Object::open(value, at, findings)?;
    let schema_id = object.required("schemaId", SchemaId::read);
    let area = object.required("area", coded("GRD-033", Area::read));
    let version = object.required("version", SpecVersion::read);
    // The draft contains the hash or the schema to hash; if it contains both, they must agree.
    let computed = object.optional("schema", |schema, at, findings| {
        Object::open(schema, at, findings)?;
        Some(schema_hash(&Json::from(schema)))
    });
    let given = object.optional("schemaHash", Hash8::read);
    let schema_hash = match (computed, given) {
        (Some(Some(computed)), Some(Some(given))) if computed != given => {
            let field = Path::Field(at, "schemaHash");
            object.report(Finding::error(
                "hash-mismatch",
                field.pointer(),
                "the hash is not that of the schema that is given with it",
                "leave the hash out, or give the schema that was graded",
            ));
            None
        }
        (Some(Some(computed)), Some(_)) => Some(computed),
        (Some(None), Some(None)) => object.required("schemaHash", Hash8::read),
        (Some(_), given) => given.flatten(),
        (None, _) => None,
    };
    let about_hash = object.optional("aboutHash", Hash8::read);
    let grading_mode = object.required("gradingMode", coded("PRT-002", GradingMode::read));
    let harness = object.required("harness", coded("GRD-034", Harness::read));
    let persona = object.optional("persona", Persona::read);
    let skill_id = object.optional("skillId", coded("GRD-036", string(1, usize::MAX)));
    let selection_id = optional_text(&mut object, "selectionId", 1);
    let scoring_system = object.required("scoringSystem", ScoringSystem::read);
    let grading_system = object.required("gradingSystem", GradingSystem::read);
    let timestamp = object.required("timestamp", Instant::read);
    let answers = object.required("answers", list(0, usize::MAX - 1, DraftAnswer::read));
    let judgement = object.optional("judgement", Judgement::read);
    let weights = object.defaulted("weights", BTreeMap::new(), weights);
    let categorical_veto = object.optional("categoricalVeto", |value, at, findings| {
        if value.kind() == "null" { Some(None) } else { CategoricalVeto::read(value, at, findings).map(Some) }
    });
    let previous = object.optional("previous", Entry::read);
    let regrading = object.optional("regrading", Regrading::read);
    let lock = object.optional("lockSnapshot", LockSnapshot::read);
    object.close();
    Some(Draft {
        schema_id: schema_id?,
        area: area?,
        version: version?,
        schema_hash: schema_hash?,
        about_hash: about_hash?,
        grading_mode: grading_mode?,
        harness: harness?,
        persona: persona?,
        skill_id: skill_id?,
        selection_id: selection_id?,
        scoring_system: scoring_system?,
        grading_system: grading_system?,
        timestamp: timestamp?,
        answers: answers?,
        judgement: judgement?,
        weights: weights?,
        categorical_veto: categorical_veto?.flatten(),
        previous: previous?.map(Box::new),
        regrading: regrading?,
        lock: lock?,
    })
}
