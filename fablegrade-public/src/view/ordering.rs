//! `ordering`: put items in order.

use super::{Refusal, refuse_keys};
use crate::content::Content;
use crate::finding::Findings;
use crate::identifier::ItemId;
use crate::json::{self, Json, Object, Path, Read, Value};

/// An ordering question without its key.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields)
)]
pub struct OrderingView {
    /// What to do, at most 300 characters.
    #[cfg_attr(feature = "schema", schemars(length(max = 300)))]
    pub prompt: Option<String>,
    /// 2 to 12 items, in the order to show them.
    #[cfg_attr(feature = "schema", schemars(length(min = 2, max = 12)))]
    pub items: Vec<ItemView>,
    /// What a partly right order earns: nothing, its share of right neighbours, or that of its longest right subsequence.
    #[cfg_attr(feature = "schema", schemars(default))]
    pub partial_credit: OrderingCredit,
}

/// An item as the learner sees it; also of a matching question.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields)
)]
pub struct ItemView {
    /// Its id.
    pub id: ItemId,
    /// What it says.
    pub content: Content,
}

/// What a partly right order earns. Deliberately exhaustive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum OrderingCredit {
    /// Nothing.
    #[default]
    None,
    /// Neighbours of the key that stand next to each other in that order, divided by n - 1.
    AdjacentPairs,
    /// The longest run of items in the key's order (gaps allowed), divided by n.
    LongestSubsequence,
}

impl OrderingCredit {
    /// All with the words used in JSON.
    pub const WORDS: &'static [(&'static str, Self)] = &[
        ("none", Self::None),
        ("adjacent_pairs", Self::AdjacentPairs),
        ("longest_subsequence", Self::LongestSubsequence),
    ];

    /// The word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::AdjacentPairs => "adjacent_pairs",
            Self::LongestSubsequence => "longest_subsequence",
        }
    }
}

/// All items in the learner's order: 2 to 12 different ids.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields)
)]
pub struct OrderingSubmission {
    /// The ids, first to last.
    #[cfg_attr(feature = "schema", schemars(length(min = 2, max = 12), extend("uniqueItems" = true)))]
    pub order: Vec<ItemId>,
}

impl OrderingView {
    pub(crate) fn read_fields(object: &mut Object<'_, '_, '_>) -> Option<Self> {
        let prompt = object.optional("prompt", json::string(0, 300));
        let items = object.required("items", json::list(2, 12, ItemView::read));
        let partial_credit =
            object.defaulted("partialCredit", OrderingCredit::None, json::word(OrderingCredit::WORDS));
        refuse_keys(object, &["correctOrder"]);
        Some(Self { prompt: prompt?, items: items?, partial_credit: partial_credit? })
    }

    /// The view as JSON.
    pub fn to_document(&self) -> Json {
        Json::build()
            .with("type", "ordering")
            .with_some("prompt", self.prompt.as_ref())
            .with("items", Json::array(self.items.iter().map(ItemView::to_document)))
            .with("partialCredit", self.partial_credit.as_str())
            .build()
    }

    /// Whether the order has every item exactly once.
    ///
    /// # Errors
    /// A [`Refusal`] for the learner.
    pub fn admit(&self, submission: &OrderingSubmission) -> Result<(), Refusal> {
        let order = &submission.order;
        let known = order.iter().all(|id| self.items.iter().any(|item| item.id == *id));
        let once = order.iter().enumerate().all(|(at, id)| !order[..at].contains(id));
        if known && once && order.len() == self.items.len() {
            return Ok(());
        }
        Err(Refusal::new("not-a-permutation", "Put every item into the order exactly once."))
    }
}

impl ItemView {
    /// The item as JSON.
    pub fn to_document(&self) -> Json {
        Json::build().with("id", &self.id).with("content", &self.content).build()
    }
}

impl Read for ItemView {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open_as(value, at, findings, r#"{"id": "a", "content": "Earth"}"#)?;
        let id = object.required("id", ItemId::read);
        let content = object.required("content", Content::read);
        object.close();
        Some(Self { id: id?, content: content? })
    }
}

impl OrderingSubmission {
    pub(crate) fn read_fields(object: &mut Object<'_, '_, '_>) -> Option<Self> {
        Some(Self { order: object.required("order", json::unique_list(2, 12, ItemId::read))? })
    }

    /// The submission as JSON.
    pub fn to_document(&self) -> Json {
        Json::build().with("type", "ordering").with("order", Json::array(&self.order)).build()
    }

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
