//! `multiple_choice` with its key: marking, view, checks.

use fablegrade_public::identifier::ItemId;
use fablegrade_public::json::{self, Json, Object, Path, Read, Value};
use fablegrade_public::view::multiple_choice::{ChoiceView, MultipleChoiceSubmission, MultipleChoiceView};
use fablegrade_public::view::rules;
use fablegrade_public::{Content, FeedbackSeverity, Finding, Findings, GradedBy, Ratio};

use super::{Evidence, Question};
use crate::host::Host;
use crate::mark::{Mark, Sheet, fraction};
use crate::secret::Secret;
use crate::shuffle::Order;

/// A multiple-choice question.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields)
)]
pub struct MultipleChoiceSpec {
    /// Whether several choices may be selected.
    #[cfg_attr(feature = "schema", schemars(default))]
    pub multiple_select: bool,
    /// Whether the view shows the choices in a shuffled order.
    #[cfg_attr(feature = "schema", schemars(default = "fablegrade_public::schema::yes"))]
    pub shuffle_choices: bool,
    /// Whether a selection can earn part of the score; only with `multipleSelect`.
    #[cfg_attr(feature = "schema", schemars(default))]
    pub partial_credit: bool,
    /// 2 to 10 choices.
    #[cfg_attr(feature = "schema", schemars(length(min = 2, max = 10)))]
    pub choices: Vec<ChoiceSpec>,
}

/// A choice with its key.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields)
)]
pub struct ChoiceSpec {
    /// Its id.
    pub id: ItemId,
    /// What it says.
    pub content: Content,
    /// Whether it is right to select it.
    pub correct: Secret<bool>,
    /// What is said to a learner who selected it.
    pub feedback: Option<Secret<Content>>,
}

impl Read for ChoiceSpec {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object =
            Object::open_as(value, at, findings, r#"{"id": "a", "content": "Paris", "correct": true}"#)?;
        let id = object.required("id", ItemId::read);
        let content = object.required("content", Content::read);
        let correct = object.required("correct", json::boolean);
        let feedback = object.optional("feedback", Content::read);
        object.close();
        Some(Self {
            id: id?,
            content: content?,
            correct: Secret::new(correct?),
            feedback: feedback?.map(Secret::new),
        })
    }
}

/// Which choices are right, in the order of the spec.
pub(crate) struct Ready {
    view: MultipleChoiceView,
    correct: Vec<bool>,
    total: usize,
}

impl MultipleChoiceSpec {
    pub(crate) fn total_correct(&self) -> usize {
        self.choices.iter().filter(|choice| *choice.correct.expose()).count()
    }
}

impl Question for MultipleChoiceSpec {
    type Submission = MultipleChoiceSubmission;
    type View = MultipleChoiceView;
    type Ready = Ready;

    fn read_fields(object: &mut Object<'_, '_, '_>) -> Option<Self> {
        let multiple_select = object.defaulted("multipleSelect", false, json::boolean);
        let shuffle_choices = object.defaulted("shuffleChoices", true, json::boolean);
        let partial_credit = object.defaulted("partialCredit", false, json::boolean);
        let choices = object.required("choices", json::list(2, 10, ChoiceSpec::read));
        Some(Self {
            multiple_select: multiple_select?,
            shuffle_choices: shuffle_choices?,
            partial_credit: partial_credit?,
            choices: choices?,
        })
    }

    fn with_key(&self) -> Json {
        let choices = self.choices.iter().map(|choice| {
            Json::build()
                .with("id", &choice.id)
                .with("content", &choice.content)
                .with("correct", *choice.correct.expose())
                .with_some("feedback", choice.feedback.as_ref().map(Secret::expose))
                .build()
        });
        Json::build()
            .with("type", "multiple_choice")
            .with("multipleSelect", self.multiple_select)
            .with("shuffleChoices", self.shuffle_choices)
            .with("partialCredit", self.partial_credit)
            .with("choices", Json::array(choices))
            .build()
    }

    fn prepare(&self, _host: &Host, findings: &mut Findings) -> Option<Ready> {
        rules::duplicate_ids(self.choices.iter().map(|choice| &choice.id), "/choices", findings);
        let total = self.total_correct();
        if total == 0 {
            findings.push(Finding::error(
                "no-correct-choice",
                "/choices",
                "no choice is marked correct, so nobody can answer",
                "mark at least one choice `correct`",
            ));
        }
        rules::partial_credit(self.partial_credit, self.multiple_select, findings);
        if !self.multiple_select && total > 1 {
            findings.push(Finding::warning(
                "several-correct-single-select",
                "/choices",
                format!(
                    "{total} choices are correct but only one can be selected; any of them earns full marks"
                ),
                "set `multipleSelect` or mark one choice only",
            ));
        }
        let view = self.view(&Order::Sorted);
        let correct = self.choices.iter().map(|choice| *choice.correct.expose()).collect();
        (findings.errors() == 0).then_some(Ready { view, correct, total })
    }

    fn view(&self, order: &Order<'_>) -> MultipleChoiceView {
        let Self { multiple_select, shuffle_choices, partial_credit, choices } = self;
        let mut shown: Vec<ChoiceView> = choices
            .iter()
            .map(|choice| {
                let ChoiceSpec { id, content, correct: _, feedback: _ } = choice;
                ChoiceView { id: id.clone(), content: content.clone() }
            })
            .collect();
        if *shuffle_choices {
            order.apply("choices", &mut shown, |choice| {
                Json::array([Json::from(choice.content.as_json()), Json::from(&choice.id)])
            });
        }
        MultipleChoiceView {
            multiple_select: *multiple_select,
            shuffle_choices: *shuffle_choices,
            partial_credit: *partial_credit,
            choices: shown,
        }
    }

    fn mark(
        &self,
        ready: &Ready,
        submission: &MultipleChoiceSubmission,
        _evidence: Evidence<'_>,
        sheet: &mut Sheet,
    ) -> Mark {
        if let Err(refusal) = ready.view.admit(submission) {
            return Mark::Refused(refusal);
        }
        let (mut right, mut wrong) = (0usize, 0usize);
        for (nth, id) in submission.selected_choice_ids.iter().enumerate() {
            // Documents cannot name a choice twice, but a submission made in Rust can.
            if submission.selected_choice_ids[..nth].contains(id) {
                continue;
            }
            let Some(at) = self.choices.iter().position(|choice| choice.id == *id) else { continue };
            let correct = ready.correct[at];
            if correct {
                right += 1;
            } else {
                wrong += 1;
            }
            sheet.trace.step(if correct { "choice-right" } else { "choice-wrong" }, || {
                vec![("choice", Json::from(id))]
            });
            if let Some(feedback) = &self.choices[at].feedback {
                let text = feedback.expose().visible_text();
                if !text.is_empty() {
                    sheet.tell(FeedbackSeverity::Info, text);
                }
            }
        }
        let total = ready.total;
        if !self.multiple_select {
            return Mark::Scored(if right > 0 { Ratio::one() } else { Ratio::zero() });
        }
        let missed = total - right;
        if missed > 0 {
            sheet.trace.step("choices-missed", || vec![("count", missed.into())]);
        }
        if !self.partial_credit {
            let all = wrong == 0 && missed == 0;
            sheet.trace.step("all-or-nothing", || vec![("matches", all.into())]);
            return Mark::Scored(if all { Ratio::one() } else { Ratio::zero() });
        }
        let score = Ratio::new(right as i64 - wrong as i64, total as u64).clamped();
        sheet.trace.step("right-minus-wrong", || {
            vec![
                ("right", right.into()),
                ("wrong", wrong.into()),
                ("correctChoices", total.into()),
                ("score", fraction(&score)),
            ]
        });
        Mark::Scored(score)
    }

    fn graded_by(&self) -> GradedBy {
        GradedBy::Auto
    }
}
