//! `multiple_choice`: choose one, or tick all that apply.

use super::{Refusal, refuse_keys};
use crate::Findings;
use crate::content::Content;
use crate::document::{Declared as _, Whole, of, required, unique};
use crate::identifier::ItemId;
use crate::json::{Json, Object, Path, Read, Value};

crate::document! {
    /// A multiple-choice question without its key.
    pub struct MultipleChoiceView {
        /// Whether several choices may be selected.
        pub multiple_select: bool = fields::MULTIPLE_SELECT;
        /// Whether the choices are shown in a shuffled order.
        pub shuffle_choices: bool = fields::SHUFFLE_CHOICES;
        /// Whether a selection can earn part of the score.
        pub partial_credit: bool = fields::PARTIAL_CREDIT;
        /// The choices, in the order to show them.
        pub choices: Vec<ChoiceView> = fields::choices();
    }
}

/// The fields that the question shares with its view.
pub mod fields {
    use crate::document::{Defaulted, Flag, List, Of, Required, Whole, defaulted, flag, list, of, required};

    /// Whether several choices may be selected.
    pub const MULTIPLE_SELECT: Defaulted<Flag> = defaulted("multipleSelect", flag(), false);
    /// Whether the choices are shown in a shuffled order.
    pub const SHUFFLE_CHOICES: Defaulted<Flag> = defaulted("shuffleChoices", flag(), true);
    /// Whether a selection can earn part of the score.
    pub const PARTIAL_CREDIT: Defaulted<Flag> = defaulted("partialCredit", flag(), false);

    /// Returns the field for the choices.
    pub const fn choices<T: Whole + PartialEq>() -> Required<List<Of<T>>> {
        required("choices", list(2, 10, of()))
    }
}

crate::document! {
    /// A choice as the learner sees it.
    pub struct ChoiceView {
        /// Its id.
        pub id: ItemId = required("id", of());
        /// The content that is shown.
        pub content: Content = required("content", of());
    }
}

impl Read for ChoiceView {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open_as(value, at, findings, r#"{"id": "a", "content": "Paris"}"#)?;
        refuse_keys(&mut object, &["correct", "feedback"]);
        let choice = Self::read_fields(&mut object);
        object.close();
        choice
    }
}

impl Whole for ChoiceView {
    fn whole(&self) -> Json {
        self.write_fields(Json::build()).build()
    }
}

crate::document! {
    /// The selected choices.
    pub struct MultipleChoiceSubmission {
        /// The ids as they were sent; their order has no meaning.
        pub selected_choice_ids: Vec<ItemId> = required("selectedChoiceIds", unique(1, 10, of()));
    }
}

impl MultipleChoiceView {
    // The fields of the key are in the choices, whose reader rejects them.
    pub(crate) const KEYS: &[&str] = &[];

    /// Checks that all ids are known and that several choices are selected only if allowed.
    ///
    /// # Errors
    /// A [`Refusal`] for the learner.
    pub fn admit(&self, submission: &MultipleChoiceSubmission) -> Result<(), Refusal> {
        let selected = &submission.selected_choice_ids;
        let unknown = |id: &ItemId| self.choices.iter().all(|choice| choice.id != *id);
        if let Some(at) = selected.iter().position(unknown) {
            let refusal = Refusal::new("unknown-choice", "A selected choice is not part of this question.");
            return Err(refusal.at(format!("/selectedChoiceIds/{at}")));
        }
        if !self.multiple_select && selected.len() > 1 {
            return Err(Refusal::new("one-choice-only", "Select one choice only.").at("/selectedChoiceIds/1"));
        }
        Ok(())
    }
}

impl MultipleChoiceSubmission {
    pub(crate) fn write_canonical(&self, out: &mut String) {
        out.push_str("{\"selectedChoiceIds\":");
        super::ordering::write_ids(&self.selected_choice_ids, out);
        out.push_str(",\"type\":\"multiple_choice\"}");
    }
}
