//! How responses of a source become submissions of a spec.

use crate::ids::IdMap;

/// How the submission of a spec is made of responses.
#[derive(Debug, Clone)]
pub(crate) enum Shape {
    /// `multiple_choice`.
    Selected(IdMap),
    /// A widget with `{"selected": [...]}`.
    SelectedState(IdMap),
    /// `{"selected": [...]}` of pairs: left and right become one id.
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
    /// A widget with `{"blanks": {...}}`: part of the source, id of the blank, left item of a matching if the blank is
    /// one, and how the blank's state is made.
    Blanks(Vec<Blank>),
}

/// A blank.
#[derive(Debug, Clone)]
pub(crate) struct Blank {
    /// The part of the source.
    pub part: String,
    /// Its id.
    pub id: String,
    /// The left item whose partner is chosen here.
    pub left: Option<String>,
    /// How its state is made.
    pub shape: Shape,
}

/// The id of a pair in a [`Shape::PairState`].
pub(crate) fn pair_key(left: &str, right: &str) -> String {
    format!("{left} {right}")
}
