//! `matching`: match items of two sides.

use super::ordering::ItemView;
use super::{Refusal, refuse_keys};
use crate::finding::Findings;
use crate::identifier::ItemId;
use crate::json::{self, Json, Object, Path, Read, Value};

/// A matching question without its key.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields)
)]
pub struct MatchingView {
    /// What to do, at most 300 characters.
    #[cfg_attr(feature = "schema", schemars(length(max = 300)))]
    pub prompt: Option<String>,
    /// 2 to 10 items, in the order to show them.
    #[cfg_attr(feature = "schema", schemars(length(min = 2, max = 10)))]
    pub left: Vec<ItemView>,
    /// 2 to 14 items, in the order to show them; some may have no partner.
    #[cfg_attr(feature = "schema", schemars(length(min = 2, max = 14)))]
    pub right: Vec<ItemView>,
    /// Whether several left items may have the same partner.
    #[cfg_attr(feature = "schema", schemars(default))]
    pub allow_many_to_one: bool,
    /// Whether some right pairs earn part of the score.
    #[cfg_attr(feature = "schema", schemars(default = "crate::schema::yes"))]
    pub partial_credit: bool,
}

/// A left item and its partner.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields)
)]
pub struct Pair {
    /// Id of the left item.
    pub left: ItemId,
    /// Id of the right item.
    pub right: ItemId,
}

/// The pairs: 1 to 14.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields)
)]
pub struct MatchingSubmission {
    /// The pairs, in the order they were sent (it means nothing).
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 14)))]
    pub pairs: Vec<Pair>,
}

impl MatchingView {
    pub(crate) fn read_fields(object: &mut Object<'_, '_, '_>) -> Option<Self> {
        let prompt = object.optional("prompt", json::string(0, 300));
        let left = object.required("left", json::list(2, 10, ItemView::read));
        let right = object.required("right", json::list(2, 14, ItemView::read));
        let allow_many_to_one = object.defaulted("allowManyToOne", false, json::boolean);
        let partial_credit = object.defaulted("partialCredit", true, json::boolean);
        refuse_keys(object, &["correctPairs"]);
        Some(Self {
            prompt: prompt?,
            left: left?,
            right: right?,
            allow_many_to_one: allow_many_to_one?,
            partial_credit: partial_credit?,
        })
    }

    /// The view as JSON.
    pub fn to_document(&self) -> Json {
        Json::build()
            .with("type", "matching")
            .with_some("prompt", self.prompt.as_ref())
            .with("left", Json::array(self.left.iter().map(ItemView::to_document)))
            .with("right", Json::array(self.right.iter().map(ItemView::to_document)))
            .with("allowManyToOne", self.allow_many_to_one)
            .with("partialCredit", self.partial_credit)
            .build()
    }

    /// Whether the pairs are possible: known ids, each left once, each right once unless many may share it. A pair
    /// that is sent twice counts once.
    ///
    /// # Errors
    /// A [`Refusal`] for the learner.
    pub fn admit(&self, submission: &MatchingSubmission) -> Result<(), Refusal> {
        let known = |side: &[ItemView], id: &ItemId| side.iter().any(|item| item.id == *id);
        for (at, pair) in submission.pairs.iter().enumerate() {
            if !known(&self.left, &pair.left) || !known(&self.right, &pair.right) {
                return Err(Refusal::new(
                    "unknown-item",
                    "A pair names an item that is not part of this question.",
                ));
            }
            for earlier in &submission.pairs[..at] {
                if earlier == pair {
                    continue;
                }
                if earlier.left == pair.left {
                    return Err(Refusal::new(
                        "left-used-twice",
                        "Give each item on the left one partner only.",
                    ));
                }
                if earlier.right == pair.right && !self.allow_many_to_one {
                    return Err(Refusal::new("right-used-twice", "Use each item on the right once only."));
                }
            }
        }
        Ok(())
    }
}

impl Pair {
    /// The pair as JSON.
    pub fn to_document(&self) -> Json {
        Json::build().with("left", &self.left).with("right", &self.right).build()
    }
}

impl Read for Pair {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open_as(value, at, findings, r#"{"left": "a", "right": "x"}"#)?;
        let left = object.required("left", ItemId::read);
        let right = object.required("right", ItemId::read);
        object.close();
        Some(Self { left: left?, right: right? })
    }
}

impl MatchingSubmission {
    pub(crate) fn read_fields(object: &mut Object<'_, '_, '_>) -> Option<Self> {
        Some(Self { pairs: object.required("pairs", json::list(1, 14, Pair::read))? })
    }

    /// The submission as JSON.
    pub fn to_document(&self) -> Json {
        Json::build()
            .with("type", "matching")
            .with("pairs", Json::array(self.pairs.iter().map(Pair::to_document)))
            .build()
    }

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
