//! Conversion of responses stored by another system to submissions.

use crate::ids::IdMap;

/// The way responses become the submission of one spec.
#[derive(Debug, Clone)]
pub(crate) enum Shape {
    /// `multiple_choice`.
    Selected(IdMap),
    /// A widget with `{"selected": [...]}`.
    SelectedState(IdMap),
    /// `{"selected": [...]}` with pairs: left and right become one id.
    PairState(IdMap),
    /// `numeric`.
    Numeric,
    /// A widget with `{"text": ...}`.
    TextState,
    /// `expression`.
    Latex,
    /// A widget with `{"latex": ...}`.
    LatexState,
    /// `ordering`.
    Order(IdMap),
    /// A widget with `{"order": [...]}`.
    OrderState(IdMap),
    /// `matching`: left and right ids.
    Pairs(IdMap, IdMap),
    /// `free_text`.
    Prose,
    /// `code` in a language.
    Code(String),
    /// A widget with any state.
    Anything,
    /// A widget with `{"blanks": {...}}`.
    Blanks(Vec<Blank>),
}

/// A blank of a widget, and the response that fills it.
#[derive(Debug, Clone)]
pub(crate) struct Blank {
    /// The part of the source question that is answered.
    pub part: String,
    /// Its id.
    pub id: String,
    /// The left item whose partner is chosen.
    pub left: Option<String>,
    /// The shape of its state.
    pub shape: Shape,
}

/// Returns the id of a pair in a [`Shape::PairState`].
pub(crate) fn pair_key(left: &str, right: &str) -> String {
    format!("{left} {right}")
}
