//! `matching`: match items of two sides.

use super::Refusal;
use super::ordering::ItemView;
use crate::document::{of, required};
use crate::identifier::ItemId;

crate::document! {
    /// A matching question without its key.
    pub struct MatchingView {
        /// The task, as the learner reads it.
        pub prompt: Option<String> = fields::PROMPT;
        /// The items on the left, in the order to show them.
        pub left: Vec<ItemView> = fields::LEFT;
        /// The items on the right, in the order to show them; some may have no partner.
        pub right: Vec<ItemView> = fields::RIGHT;
        /// Whether several left items may have the same partner.
        pub allow_many_to_one: bool = fields::ALLOW_MANY_TO_ONE;
        /// Whether a partly correct answer earns part of the score.
        pub partial_credit: bool = fields::PARTIAL_CREDIT;
    }
}

/// The fields that the question shares with its view, and their limits.
pub mod fields {
    use super::{ItemView, Pair};
    use crate::document::{Defaulted, Flag, List, Of, Required, defaulted, flag, list, of, required};

    pub use super::super::ordering::fields::PROMPT;
    /// The items on the left.
    pub const LEFT: Required<List<Of<ItemView>>> = required("left", list(2, 10, of()));
    /// The items on the right.
    pub const RIGHT: Required<List<Of<ItemView>>> = required("right", list(2, 14, of()));
    /// Whether several left items may have the same partner.
    pub const ALLOW_MANY_TO_ONE: Defaulted<Flag> = defaulted("allowManyToOne", flag(), false);
    /// Whether a partly correct answer earns part of the score.
    pub const PARTIAL_CREDIT: Defaulted<Flag> = defaulted("partialCredit", flag(), true);

    /// Returns the form of an array of `least` to 14 pairs.
    pub const fn pairs(least: usize) -> List<Of<Pair>> {
        list(least, 14, of())
    }
}

crate::document! {
    /// A left item and its partner.
    pub struct Pair: (Hash, PartialOrd, Ord), such as r#"{"left": "a", "right": "x"}"# {
        /// Id of the left item.
        pub left: ItemId = required("left", of());
        /// Id of the right item.
        pub right: ItemId = required("right", of());
    }
}

crate::document! {
    /// The pairs.
    pub struct MatchingSubmission {
        /// The pairs as they were sent; their order has no meaning.
        pub pairs: Vec<Pair> = required("pairs", fields::pairs(1));
    }
}

impl MatchingView {
    pub(crate) const KEYS: &[&str] = &["correctPairs"];

    /// Checks that all ids are known, that no left item has several partners, and that partners are shared
    /// only if allowed.
    ///
    /// A repeated pair counts once.
    ///
    /// # Errors
    /// A [`Refusal`] for the learner.
    pub fn admit(&self, submission: &MatchingSubmission) -> Result<(), Refusal> {
        let known = |side: &[ItemView], id: &ItemId| side.iter().any(|item| item.id == *id);
        for (at, pair) in submission.pairs.iter().enumerate() {
            let (left, right) = (known(&self.left, &pair.left), known(&self.right, &pair.right));
            if !left || !right {
                let side = if left { "right" } else { "left" };
                let refusal =
                    Refusal::new("unknown-item", "A pair names an item that is not part of this question.");
                return Err(refusal.at(format!("/pairs/{at}/{side}")));
            }
            for earlier in &submission.pairs[..at] {
                if earlier == pair {
                    continue;
                }
                if earlier.left == pair.left {
                    let refusal =
                        Refusal::new("left-used-twice", "Give each item on the left one partner only.");
                    return Err(refusal.at(format!("/pairs/{at}/left")));
                }
                if earlier.right == pair.right && !self.allow_many_to_one {
                    let refusal = Refusal::new("right-used-twice", "Use each item on the right once only.");
                    return Err(refusal.at(format!("/pairs/{at}/right")));
                }
            }
        }
        Ok(())
    }
}

impl MatchingSubmission {
    pub(crate) fn write_canonical(&self, out: &mut String) {
        out.push_str("{\"pairs\":[");
        for (at, pair) in self.pairs.iter().enumerate() {
            out.push_str(if at > 0 { ",{\"left\":\"" } else { "{\"left\":\"" });
            out.push_str(pair.left.as_str());
            out.push_str("\",\"right\":\"");
            out.push_str(pair.right.as_str());
            out.push_str("\"}");
        }
        out.push_str("],\"type\":\"matching\"}");
    }
}
