//! Properties of items that do not come from their answers.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use fablegrade_core::AnswerSpec;
use fablegrade_core::answer::code::CodeSpec;
use fablegrade_core::answer::matching::MatchingSpec;
use fablegrade_core::answer::ordering::OrderingSpec;
use fablegrade_core::bank::Bank;
use serde::Serialize;

use crate::sitting::Score;

/// The kind of an item's options. Not `#[non_exhaustive]`, so matches need no wildcard.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum OptionKind {
    /// Choices that can be selected.
    #[default]
    Choice,
    /// Pairs, named `LEFT=RIGHT`.
    Pair,
    /// Positions in an order, named `ITEM@PLACE` with positions from 1.
    Position,
    /// Passed test cases, named `SUITE/INDEX` with indices from 0.
    Case,
}

/// The properties of an item that do not come from its answers.
#[derive(Debug, Clone)]
pub struct Item {
    /// The maximum score.
    pub maximum: Score,
    /// The known options of the item, each with a flag that is set if it belongs to the key.
    pub options: BTreeMap<String, bool>,
    /// The kind of the options.
    pub kind: OptionKind,
    /// The mean score of a random answer, in points.
    pub chance: Option<f64>,
    /// The question with its key, for grouping equivalent answers and for some findings.
    pub spec: Option<AnswerSpec>,
}

impl Default for Item {
    /// Creates an item with one point and unknown options.
    fn default() -> Self {
        Self {
            maximum: Score::from_points(1),
            options: BTreeMap::new(),
            kind: OptionKind::Choice,
            chance: None,
            spec: None,
        }
    }
}

/// The properties of the items, by id. An item that is not listed has those of [`Item::default`].
pub type Items = BTreeMap<String, Item>;

/// Returns all items of a bank. An item with an invalid spec has the properties of [`Item::default`].
pub fn items_of(bank: &Bank) -> Items {
    let item = |id: &str| match bank.get(id) {
        Some(Ok(grader)) => Item::of_spec(grader.spec()),
        _ => Item::default(),
    };
    bank.ids().into_iter().map(|id| (id.to_owned(), item(id))).collect()
}

impl Item {
    /// Creates an item from its spec.
    pub fn of_spec(spec: &AnswerSpec) -> Self {
        let (kind, options) = options(spec);
        let chance = spec.chance_level().map(|chance| chance.to_f64());
        Self { kind, options, chance, spec: Some(spec.clone()), ..Self::default() }
    }
}

fn options(spec: &AnswerSpec) -> (OptionKind, BTreeMap<String, bool>) {
    match spec {
        AnswerSpec::MultipleChoice(spec) => {
            let choice = |choice: &fablegrade_core::answer::multiple_choice::ChoiceSpec| {
                (choice.id.as_str().to_owned(), *choice.correct.expose())
            };
            (OptionKind::Choice, spec.choices.iter().map(choice).collect())
        }
        AnswerSpec::Matching(spec) => (OptionKind::Pair, pairs(spec)),
        AnswerSpec::Ordering(spec) => (OptionKind::Position, positions(spec)),
        AnswerSpec::Code(spec) => (OptionKind::Case, cases(spec)),
        AnswerSpec::Numeric(_)
        | AnswerSpec::Expression(_)
        | AnswerSpec::FreeText(_)
        | AnswerSpec::Widget(_) => (OptionKind::Choice, BTreeMap::new()),
    }
}

/// Returns the pairs of the key. Other pairs become known when they occur.
fn pairs(spec: &MatchingSpec) -> BTreeMap<String, bool> {
    spec.correct_pairs
        .expose()
        .iter()
        .map(|pair| (name(|name| write_pair(pair.left.as_str(), pair.right.as_str(), name)), true))
        .collect()
}

fn positions(spec: &OrderingSpec) -> BTreeMap<String, bool> {
    let order = spec.correct_order.expose().iter().enumerate();
    order.map(|(at, id)| (name(|name| write_position(id.as_str(), at, name)), true)).collect()
}

fn cases(spec: &CodeSpec) -> BTreeMap<String, bool> {
    let suites = spec.test_suites.iter();
    suites
        .flat_map(|suite| {
            (0..suite.all_cases().len())
                .map(|at| (name(|name| write_case(&suite.name, at as u64, name)), true))
        })
        .collect()
}

/// Returns the name that `write` appends to an empty string.
fn name(write: impl FnOnce(&mut String)) -> String {
    let mut name = String::new();
    write(&mut name);
    name
}

pub(crate) fn write_pair(left: &str, right: &str, name: &mut String) {
    name.push_str(left);
    name.push('=');
    name.push_str(right);
}

/// Appends the name of a position. Positions in names start at 1.
pub(crate) fn write_position(item: &str, at: usize, name: &mut String) {
    name.push_str(item);
    let _ = write!(name, "@{}", at + 1);
}

pub(crate) fn write_case(suite: &str, at: u64, name: &mut String) {
    name.push_str(suite);
    let _ = write!(name, "/{at}");
}
