//! The shapes of the submissions to which another system's responses are converted.

use crate::ids::IdMap;

/// The shape of a spec's submission, with the ids for the conversion of responses.
#[derive(Debug, Clone)]
pub(crate) enum Shape {
    /// `multiple_choice`.
    Selected(IdMap),
    /// A widget with `{"selected": [...]}`.
    SelectedState(IdMap),
    /// A widget with `{"selected": [...]}`, where each pair of left and right has an id.
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

/// A blank of a widget, which holds the response to a part.
#[derive(Debug, Clone)]
pub(crate) struct Blank {
    /// The identifier of the part in the source.
    pub part: String,
    /// The id of the blank.
    pub id: String,
    /// The shape of the blank's state.
    pub shape: Shape,
}

/// Returns the identifier of a pair in a [`Shape::PairState`].
pub(crate) fn pair_key(left: &str, right: &str) -> String {
    format!("{left} {right}")
}
