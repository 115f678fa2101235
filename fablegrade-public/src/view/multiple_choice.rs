//! `multiple_choice`: choose one, or tick all that apply.

use super::{Refusal, refuse_keys};
use crate::content::Content;
use crate::finding::Findings;
use crate::identifier::ItemId;
use crate::json::{self, Json, Object, Path, Read, Value};

/// A multiple-choice question without its key.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields)
)]
pub struct MultipleChoiceView {
    /// Whether several choices may be selected.
    #[cfg_attr(feature = "schema", schemars(default))]
    pub multiple_select: bool,
    /// Whether the choices are shown in a shuffled order.
    #[cfg_attr(feature = "schema", schemars(default = "crate::schema::yes"))]
    pub shuffle_choices: bool,
    /// Whether a selection can earn part of the score.
    #[cfg_attr(feature = "schema", schemars(default))]
    pub partial_credit: bool,
    /// 2 to 10 choices, in the order to show them.
    #[cfg_attr(feature = "schema", schemars(length(min = 2, max = 10)))]
    pub choices: Vec<ChoiceView>,
}

/// A choice as the learner sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields)
)]
pub struct ChoiceView {
    /// Its id.
    pub id: ItemId,
    /// What it says.
    pub content: Content,
}

/// The selected choices: 1 to 10 different ids.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields)
)]
pub struct MultipleChoiceSubmission {
    /// The ids, in the order they were sent (it means nothing).
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 10), extend("uniqueItems" = true)))]
    pub selected_choice_ids: Vec<ItemId>,
}

impl MultipleChoiceView {
    pub(crate) fn read_fields(object: &mut Object<'_, '_, '_>) -> Option<Self> {
        let multiple_select = object.defaulted("multipleSelect", false, json::boolean);
        let shuffle_choices = object.defaulted("shuffleChoices", true, json::boolean);
        let partial_credit = object.defaulted("partialCredit", false, json::boolean);
        let choices = object.required("choices", json::list(2, 10, ChoiceView::read));
        Some(Self {
            multiple_select: multiple_select?,
            shuffle_choices: shuffle_choices?,
            partial_credit: partial_credit?,
            choices: choices?,
        })
    }

    /// The view as JSON.
    pub fn to_document(&self) -> Json {
        let choices = self
            .choices
            .iter()
            .map(|choice| Json::build().with("id", &choice.id).with("content", &choice.content).build());
        Json::build()
            .with("type", "multiple_choice")
            .with("multipleSelect", self.multiple_select)
            .with("shuffleChoices", self.shuffle_choices)
            .with("partialCredit", self.partial_credit)
            .with("choices", Json::array(choices))
            .build()
    }

    /// Whether the selection is possible: known ids, and only one where only one may be selected.
    ///
    /// # Errors
    /// A [`Refusal`] for the learner.
    pub fn admit(&self, submission: &MultipleChoiceSubmission) -> Result<(), Refusal> {
        let selected = &submission.selected_choice_ids;
        if selected.iter().any(|id| self.choices.iter().all(|choice| choice.id != *id)) {
            return Err(Refusal::new("unknown-choice", "A selected choice is not part of this question."));
        }
        if !self.multiple_select && selected.len() > 1 {
            return Err(Refusal::new("one-choice-only", "Select one choice only."));
        }
        Ok(())
    }
}

impl Read for ChoiceView {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let id = object.required("id", ItemId::read);
        let content = object.required("content", Content::read);
        refuse_keys(&mut object, &["correct", "feedback"]);
        object.close();
        Some(Self { id: id?, content: content? })
    }
}

impl MultipleChoiceSubmission {
    pub(crate) fn read_fields(object: &mut Object<'_, '_, '_>) -> Option<Self> {
        let ids = object.required("selectedChoiceIds", json::unique_list(1, 10, ItemId::read));
        Some(Self { selected_choice_ids: ids? })
    }

    /// The submission as JSON.
    pub fn to_document(&self) -> Json {
        Json::build()
            .with("type", "multiple_choice")
            .with("selectedChoiceIds", Json::array(&self.selected_choice_ids))
            .build()
    }

    pub(crate) fn write_canonical(&self, out: &mut String) {
        out.push_str("{\"selectedChoiceIds\":");
        super::ordering::write_ids(&self.selected_choice_ids, out);
        out.push_str(",\"type\":\"multiple_choice\"}");
    }
}
