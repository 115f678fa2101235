//! `multiple_choice` questions with their key: validation, view and marking.

use fablegrade_public::document::{flag, of, optional, required};
use fablegrade_public::identifier::ItemId;
use fablegrade_public::json::Json;
use fablegrade_public::view::multiple_choice::{
    ChoiceView, MultipleChoiceSubmission, MultipleChoiceView, fields,
};
use fablegrade_public::view::rules;
use fablegrade_public::{Content, FeedbackSeverity, Finding, Findings, GradedBy, Ratio};

use super::{Evidence, Question};
use crate::host::Host;
use crate::mark::{Mark, Sheet, fraction};
use crate::secret::{Secret, secret};
use crate::shuffle::Order;

fablegrade_public::document! {
    /// A multiple-choice question.
    pub struct MultipleChoiceSpec {
        /// Whether several choices may be selected.
        pub multiple_select: bool = fields::MULTIPLE_SELECT;
        /// Whether the view shows the choices in a shuffled order.
        pub shuffle_choices: bool = fields::SHUFFLE_CHOICES;
        /// Whether a selection can earn part of the score; only with `multipleSelect`.
        pub partial_credit: bool = fields::PARTIAL_CREDIT;
        /// The choices.
        pub choices: Vec<ChoiceSpec> = fields::choices();
    }
}

fablegrade_public::document! {
    /// A choice with its key.
    pub struct ChoiceSpec, such as r#"{"id": "a", "content": "Paris", "correct": true}"# {
        /// Its id.
        pub id: ItemId = required("id", of());
        /// The content that is shown.
        pub content: Content = required("content", of());
        /// Whether this choice is correct.
        pub correct: Secret<bool> = required("correct", secret(flag()));
        /// Feedback for a learner who selected it.
        pub feedback: Option<Secret<Content>> = optional("feedback", secret(of()));
    }
}

/// The view, whether each choice is correct (in the order of the spec), and the number of correct choices.
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
            // Documents cannot name a choice twice, but a submission created in Rust can.
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
                    sheet.tell_for_author(FeedbackSeverity::Info, text);
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
