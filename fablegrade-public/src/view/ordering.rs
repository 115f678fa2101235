//! `ordering`: put items in order.

use super::Refusal;
use crate::content::Content;
use crate::document::{of, required};
use crate::identifier::ItemId;

crate::document! {
    /// An ordering question without its key.
    pub struct OrderingView {
        /// The task, as the learner reads it.
        pub prompt: Option<String> = fields::PROMPT;
        /// The items, in the order to show them.
        pub items: Vec<ItemView> = fields::ITEMS;
        /// The credit for a partly correct order: none, the share of correct neighbours, or the share of the
        /// longest correct subsequence.
        pub partial_credit: OrderingCredit = fields::PARTIAL_CREDIT;
    }
}

/// The fields that the question shares with its view, and their limits.
pub mod fields {
    use super::{ItemId, ItemView, OrderingCredit};
    use crate::document::{
        Defaulted, List, Of, Optional, Required, Text, Word, defaulted, list, of, optional, required, text,
        unique, word,
    };

    /// The task, as the learner reads it.
    pub const PROMPT: Optional<Text> = optional("prompt", text(0, 300));
    /// The items.
    pub const ITEMS: Required<List<Of<ItemView>>> = required("items", list(2, 12, of()));
    /// The credit for a partly correct order.
    pub const PARTIAL_CREDIT: Defaulted<Word<OrderingCredit>> =
        defaulted("partialCredit", word(OrderingCredit::WORDS), OrderingCredit::None);
    /// An order of the items.
    pub const ORDER: List<Of<ItemId>> = unique(2, 12, of());
}

crate::document! {
    /// An item as the learner sees it, in an ordering or a matching question.
    pub struct ItemView, such as r#"{"id": "a", "content": "Earth"}"# {
        /// Its id.
        pub id: ItemId = required("id", of());
        /// The content that is shown.
        pub content: Content = required("content", of());
    }
}

/// The credit for a partly correct order. Not `#[non_exhaustive]`, so matches need no wildcard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum OrderingCredit {
    /// No credit.
    #[default]
    None,
    /// The number of neighbouring pairs in the key that are also neighbours, in the same order, in the
    /// answer; divided by n - 1.
    AdjacentPairs,
    /// The length of the longest subsequence (gaps allowed) in the key's order, divided by n.
    LongestSubsequence,
}

impl OrderingCredit {
    /// All values with the words used for them in JSON.
    pub const WORDS: &'static [(&'static str, Self)] = &[
        ("none", Self::None),
        ("adjacent_pairs", Self::AdjacentPairs),
        ("longest_subsequence", Self::LongestSubsequence),
    ];

    /// Returns the word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::AdjacentPairs => "adjacent_pairs",
            Self::LongestSubsequence => "longest_subsequence",
        }
    }
}

crate::document! {
    /// All items in the learner's order.
    pub struct OrderingSubmission {
        /// The ids, first to last.
        pub order: Vec<ItemId> = required("order", fields::ORDER);
    }
}

impl OrderingView {
    pub(crate) const KEYS: &[&str] = &["correctOrder"];

    /// Checks that the order contains every item exactly once.
    ///
    /// # Errors
    /// A [`Refusal`] for the learner.
    pub fn admit(&self, submission: &OrderingSubmission) -> Result<(), Refusal> {
        let order = &submission.order;
        let refused = |(at, id): (usize, &ItemId)| {
            order[..at].contains(id) || self.items.iter().all(|item| item.id != *id)
        };
        let place = order.iter().enumerate().position(refused);
        if place.is_none() && order.len() == self.items.len() {
            return Ok(());
        }
        let refusal = Refusal::new("not-a-permutation", "Put every item into the order exactly once.");
        Err(refusal.at(place.map_or_else(|| "/order".to_owned(), |at| format!("/order/{at}"))))
    }
}

impl OrderingSubmission {
    pub(crate) fn write_canonical(&self, out: &mut String) {
        out.push_str("{\"order\":");
        write_ids(&self.order, out);
        out.push_str(",\"type\":\"ordering\"}");
    }
}

/// Appends an array of ids. Ids need no escapes.
pub(super) fn write_ids(ids: &[ItemId], out: &mut String) {
    out.push('[');
    for (at, id) in ids.iter().enumerate() {
        out.push_str(if at > 0 { ",\"" } else { "\"" });
        out.push_str(id.as_str());
        out.push('"');
    }
    out.push(']');
}
