//! Rules for entries that the schema does not express, many of which relate several fields to each other.

use std::collections::BTreeSet;

use fablegrade_public::finding::{Error, Finding, Findings, Severity};
use fablegrade_public::json::{Document, Path, Read, Value};

use crate::aggregate::{Aggregation, Dated, Policy, ties};
use crate::answer::{Answer, Determinism, Evidence, NaReason, Score, report_zero_weight};
use crate::area::{Area, Grade};
use crate::entry::{AggregateGrade, Entry, GradingMode};
use crate::moment::Moment;
use crate::veto::VetoTrigger;
use crate::word::is_blank;

/// The result of checking a document that should be an entry.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Checked {
    /// The entry, if the document conforms to the schema.
    pub entry: Option<Entry>,
    /// The violations of the schema, or the findings of the further rules if there are none.
    pub findings: Vec<Finding>,
}

impl Checked {
    /// Returns whether the document conforms to the schema.
    pub fn is_valid(&self) -> bool {
        self.entry.is_some()
    }

    /// Returns whether the document conforms to the schema and breaks no further rule with the severity of an
    /// error.
    pub fn is_error_free(&self) -> bool {
        self.is_valid() && self.findings.iter().all(|finding| finding.severity != Severity::Error)
    }
}

/// Parses a JSON text and applies all rules for a single entry.
///
/// # Errors
/// Returns an error if the text is not JSON.
pub fn check(text: &[u8]) -> Result<Checked, Error> {
    Ok(check_value(Document::parse(text)?.root()))
}

/// Works like [`check`], for a value within a document. Pointers are relative to this value.
pub fn check_value(value: Value<'_>) -> Checked {
    let mut findings = Findings::new();
    let entry = Entry::read(value, &Path::Root, &mut findings).filter(|_| findings.errors() == 0);
    if let Some(entry) = &entry {
        entry.check(&mut findings);
    }
    Checked { entry, findings: findings.into_vec() }
}

impl Entry {
    /// Reports the rules for a single entry that this entry breaks, in O(n log n) for `n` answers.
    ///
    /// A broken MUST is an error, a broken SHOULD is a warning, and an info points out something unusual but
    /// allowed.
    pub fn check(&self, findings: &mut Findings) {
        self.check_identity(findings);
        self.check_grade(findings);
        self.check_duties(findings);
        self.check_answers(findings);
        self.check_duplicates(findings);
    }

    fn check_identity(&self, findings: &mut Findings) {
        if self.grading_id.schema_hash() != self.schema_hash.as_str() {
            findings.push(Finding::error(
                "grading-id-prefix",
                "/gradingId",
                "the id does not begin with this entry's schemaHash",
                "write gradingId as <schemaHash>--<timestamp>",
            ));
        }
        if self.grading_id.moment().is_none() {
            findings.push(Finding::info(
                "grading-id-time",
                "/gradingId",
                "the timestamp of the id does not have the form YYYY-MM-DDTHH-MM-SSZ",
                "write seconds and UTC, so that names sort by time",
            ));
        }
        if self.about_hash.is_none() {
            findings.push(Finding::info(
                "about-hash-missing",
                "",
                "the model lists aboutHash among the fields that bind a grading; the schema leaves it optional",
                "add `aboutHash` where there is an About page",
            ));
        }
        if self.supersedes() == Some(self.grading_id.as_str()) {
            findings.push(Finding::error(
                "lineage-loop",
                "/regradingTrigger/previousGradingId",
                "the entry supersedes itself",
                "name the older entry, and give the new one its own gradingId",
            ));
        }
    }

    fn check_grade(&self, findings: &mut Findings) {
        if self.grading_tier != self.area.tier() {
            findings.push(Finding::error(
                "area-tier",
                "/gradingTier",
                format!("the area {} is graded in the tier {}", self.area, self.area.tier()),
                "correct the tier or the area",
            ));
        }
        let stored = match self.aggregate_grade {
            AggregateGrade::Rejected if self.categorical_veto.is_none() => {
                findings.push(Finding::error(
                    "rejected-without-veto",
                    "/aggregateGrade",
                    "the grade is REJECTED exactly if there is a veto",
                    "record the veto, or write the letter that the answers earn",
                ));
                return;
            }
            AggregateGrade::Rejected => return,
            AggregateGrade::Letter(grade) => grade,
        };
        if stored > self.grading_tier.cap() {
            findings.push(Finding::error(
                "tier-trim",
                "/aggregateGrade",
                format!("the tier {} reaches {} at most", self.grading_tier, self.grading_tier.cap()),
                "trim the grade, or grade within a selection",
            ));
        } else {
            self.check_recomputed(stored, findings);
        }
        let judged = self.gradings.iter().any(|answer| answer.determinism == Determinism::NonDeterministic);
        if !judged && stored >= Grade::B {
            findings.push(Finding::warning(
                "judgement-missing",
                "/gradings",
                "a grade of B or better should rest on at least one non-deterministic answer",
                "add the judged answers of the area",
            ));
        } else if !judged && self.grading_mode == GradingMode::Full {
            findings.push(Finding::warning(
                "deterministic-block-alone",
                "/gradings",
                "the answers computed by code alone are not a grading of the area",
                "merge them with the judged answers",
            ));
        }
    }

    fn check_recomputed(&self, stored: Grade, findings: &mut Findings) {
        let Some(policy) = Policy::of(&self.grading_system) else {
            findings.push(Finding::info(
                "grading-system-unknown",
                "/gradingSystem",
                "the thresholds of this version are unknown, so the grade was not recomputed",
                "check the grade with a library of that version",
            ));
            return;
        };
        // The grade of a partial entry comes from the last full entry, which is not available here.
        if self.grading_mode == GradingMode::Partial {
            return;
        }
        match policy.aggregate_entry(self) {
            Aggregation::Graded(graded) if graded.grade == stored => {}
            Aggregation::Graded(graded) => {
                let all = self.gradings.iter().map(|answer| (&answer.score, &answer.weight));
                let unconsolidated = policy.aggregate(all, self.grading_tier, false);
                if unconsolidated.grade() == Some(self.aggregate_grade) {
                    findings.push(Finding::warning(
                        "latest-answer",
                        "/aggregateGrade",
                        format!(
                            "the grade counts every answer; with the latest valid answer to each question it is {}",
                            graded.grade
                        ),
                        "aggregate the latest valid answer to each question",
                    ));
                } else {
                    findings.push(Finding::error(
                        "aggregate-mismatch",
                        "/aggregateGrade",
                        format!("the answers earn {}, the entry has {stored}", graded.grade),
                        "write the grade that follows from the answers",
                    ));
                }
            }
            _ => findings.push(Finding::error(
                "nothing-scorable",
                "/aggregateGrade",
                "no answer carries weight, so no letter follows from the answers",
                "do not write an entry before a question has been answered",
            )),
        }
    }

    fn check_duties(&self, findings: &mut Findings) {
        if self.persona.is_some() && !self.area.is_persona_bound() {
            findings.push(Finding::info(
                "persona-on-neutral-area",
                "/persona",
                format!("the area {} is graded without a persona", self.area),
                "leave the persona out",
            ));
        }
        if self.skill_id.is_some() && !self.area.is_per_skill() {
            findings.push(Finding::warning(
                "skill-on-other-area",
                "/skillId",
                format!("the area {} does not grade one skill", self.area),
                "leave the skill out or correct the area",
            ));
        }
        if let Some(veto) = &self.categorical_veto {
            if is_blank(&veto.evidence) {
                findings.push(Finding::error(
                    "VET-002",
                    "/categoricalVeto/evidence",
                    "the evidence of a veto is blank",
                    "point to the evidence",
                ));
            }
            let blank = veto.reasoning.as_deref().is_some_and(is_blank);
            if veto.triggered_by == VetoTrigger::AiSecurityVeto && blank {
                findings.push(Finding::error(
                    "VET-003",
                    "/categoricalVeto/reasoning",
                    "a veto of the kind ai-security-veto needs evidence and reasoning, and the reasoning is blank",
                    "say what was seen and why it is dangerous",
                ));
            }
        }
    }

    fn check_answers(&self, findings: &mut Findings) {
        let mut answered = vec![false; self.area.questions().len()];
        let mut own_questions = false;
        for (index, answer) in self.gradings.iter().enumerate() {
            let root = Path::Root;
            let list = Path::Field(&root, "gradings");
            let at = Path::Element(&list, index);
            report_zero_weight(&answer.weight, &at, findings);
            check_answer(answer, &at, findings);
            match self.area.question(answer.question_id.as_str()) {
                Some((place, question)) => {
                    if let Some(seen) = answered.get_mut(place) {
                        *seen = true;
                    }
                    if question.weight().is_some_and(|weight| weight != answer.weight) {
                        findings.push(Finding::warning(
                            "catalogue-weight",
                            format!("/gradings/{index}/weight"),
                            "the weight is not the one the catalogue gives this question",
                            "take the weight of the catalogue",
                        ));
                    }
                    if question.determinism != answer.determinism {
                        findings.push(Finding::warning(
                            "catalogue-determinism",
                            format!("/gradings/{index}/determinism"),
                            format!("the catalogue calls this question {}", question.determinism),
                            "let code answer what is deterministic, and a judge the rest",
                        ));
                    }
                }
                None if Area::of_question(answer.question_id.as_str()).is_some() => {
                    findings.push(Finding::error(
                        "question-of-another-area",
                        format!("/gradings/{index}/questionId"),
                        format!("the question does not belong to the area {}", self.area),
                        "an entry targets exactly one area; write one entry for each",
                    ));
                }
                None => own_questions = true,
            }
        }
        let count = answered.iter().filter(|seen| **seen).count();
        if self.grading_mode == GradingMode::Full
            && self.categorical_veto.is_none()
            && (own_questions || count < answered.len())
        {
            findings.push(Finding::info(
                "answer-count",
                "/gradings",
                format!("{count} of the {} questions of the area's catalogue are answered", answered.len()),
                "answer every question, with n/a and a reason where it was not tested",
            ));
        }
    }

    /// Reports duplicates and ties.
    ///
    /// A grader cannot answer a question twice at the same time. If several graders answer at the same time,
    /// no answer is the latest.
    fn check_duplicates(&self, findings: &mut Findings) {
        let mut seen = BTreeSet::new();
        let mut doubled = BTreeSet::new();
        for (index, answer) in self.gradings.iter().enumerate() {
            let moment = Moment::of(&answer.timestamp);
            if !seen.insert((&answer.question_id, &answer.grader_identity, moment)) {
                doubled.insert(index);
                findings.push(Finding::error(
                    "duplicate-answer",
                    format!("/gradings/{index}"),
                    "the same grader has already answered the same question at the same time",
                    "keep one of the two answers",
                ));
            }
        }
        let answers: Vec<_> = self.gradings.iter().map(Dated::of).collect();
        for index in ties(&answers).into_iter().filter(|index| !doubled.contains(index)) {
            findings.push(tie(format!("/gradings/{index}/timestamp")));
        }
    }
}

/// Returns the finding that a question has different answers at the same moment.
pub(crate) fn tie(pointer: String) -> Finding {
    Finding::warning(
        "latest-answer-tie",
        pointer,
        "another answer to this question has the same time and another score, so none is the latest",
        "the lower score counts; write the times more finely if it should not",
    )
}

fn check_answer(answer: &Answer, at: &Path<'_>, findings: &mut Findings) {
    let mut push = |finding: fn(&'static str, String, String, String) -> Finding,
                    rule,
                    field: &str,
                    message: &str,
                    help: &str| {
        findings.push(finding(rule, Path::Field(at, field).pointer(), message.into(), help.into()));
    };
    if answer.na_reason.is_some() && answer.score != Score::NotApplicable {
        push(
            Finding::warning,
            "NA-001",
            "naReason",
            "there is a reason for n/a together with another score",
            "remove the reason, or score n/a",
        );
    }
    let judged = answer.determinism == Determinism::NonDeterministic;
    if judged && matches!(answer.score, Score::Pass | Score::Fail) {
        push(
            Finding::info,
            "binary-judgement",
            "score",
            "pass and fail are reserved for deterministic answers; the schema does not enforce it",
            "judge with a number from 1 to 5",
        );
    }
    if judged && answer.selection_context.as_ref().is_some_and(|context| context.domain_doc_id.is_none()) {
        push(
            Finding::info,
            "domain-doc-missing",
            "selectionContext",
            "the model lists domainDocId in the context; the schema leaves it optional",
            "name the document of domain knowledge",
        );
    }
    if judged && answer.reasoning.as_deref().is_none_or(is_blank) {
        push(
            Finding::warning,
            "reasoning-missing",
            "reasoning",
            "a judgement should carry its reasoning",
            "say in a sentence why",
        );
    }
    let blank = match &answer.evidence {
        None => true,
        Some(Evidence::Text(text)) => is_blank(text),
        Some(Evidence::Object(_)) => false,
    };
    if blank && answer.score.is_counted() {
        push(
            Finding::info,
            "evidence-missing",
            "evidence",
            "an answer should point to its evidence",
            "add a URL or an object",
        );
    }
    let on_hold = [NaReason::OutOfScopeResource, NaReason::OutOfScopePrompt, NaReason::OutOfScopeProcedure];
    if answer.na_reason.is_some_and(|reason| on_hold.contains(&reason))
        && answer.score == Score::NotApplicable
    {
        push(
            Finding::info,
            "out-of-scope",
            "naReason",
            "resources, prompts and procedures are on hold in this version of the model",
            "nothing has to change",
        );
    }
}
