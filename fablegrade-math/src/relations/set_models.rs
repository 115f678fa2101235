//! Statements about letters for sets, such as `A\cap B=A` and `A\subseteq B`, decided by models.
//!
//! Such a statement depends only on which regions of the Venn diagram are empty, and in which regions the
//! named elements are. All these cases are tried, so the result is certain.
//!
//! Two notations have two readings, and the result is unknown where it depends on the reading: `\subset` is
//! strict or not, and `\mathbb{R}` contains all sets of the statements or is one set among others.

use super::statement::{infinite, is_empty};
use super::{BoundedOracle, Combination, Statement, Value, Verdict};
use crate::expr::{Arena, Node, Symbol};
use crate::limits::{SET_ELEMENTS, SET_LETTERS};
use crate::syntax::{Delimiter, Relation};
use std::cmp::Ordering;

/// The letters of two statements, and the notations with two readings.
#[derive(Default)]
struct Letters {
    sets: Vec<Symbol>,
    elements: Vec<Symbol>,
    /// True if a complement occurs. The real numbers are then the universe.
    has_complement: bool,
    /// True if the set of the real numbers occurs.
    has_reals: bool,
    /// True if `\subset` or `\supset` occurs.
    has_subset: bool,
    /// The number of parts of both statements.
    parts: u64,
}

/// The chosen reading of each ambiguous notation.
#[derive(Clone, Copy)]
struct Reading {
    /// True if `\subset` excludes equality.
    strict: bool,
    /// True if the real numbers contain all other sets.
    reals_are_universe: bool,
}

/// A set as a union of regions of the diagram: bit `r` stands for region `r`, and bit `i` of `r` for the
/// `i`-th set.
type Regions = u32;

/// One case: the regions that have elements, and the region of each named element.
struct Model<'m> {
    letters: &'m Letters,
    reading: Reading,
    /// The regions inside each set, in the order of the letters, and then those of the real numbers if they are one
    /// set among others.
    masks: &'m [Regions],
    filled: Regions,
    places: &'m [u32],
}

/// Decides whether two statements hold in the same models; `None` if they are not only about letters for
/// sets and elements, or if there are too many letters.
pub(super) fn in_models(
    arena: &Arena,
    statements: [&Statement; 2],
    oracle: &mut BoundedOracle<'_>,
) -> Option<Verdict> {
    let mut letters = Letters::default();
    for statement in statements {
        letters.collect(arena, statement)?;
    }
    if letters.sets.is_empty()
        || letters.elements.len() > SET_ELEMENTS
        || letters.elements.iter().any(|name| letters.sets.contains(name))
    {
        return None;
    }
    let mut verdict = None;
    for strict in [true, false].into_iter().take(if letters.has_subset { 2 } else { 1 }) {
        let found = in_subset_reading(arena, &letters, statements, strict, oracle)?;
        if verdict.is_some_and(|known| known != found) {
            return Some(Verdict::Unknown);
        }
        verdict = Some(found);
    }
    verdict
}

/// Compares statements in one reading of `\subset`. If they agree with `\mathbb{R}` as the universe, `\mathbb{R}`
/// occurs and there is no complement, they must also agree with `\mathbb{R}` as one set among others.
fn in_subset_reading(
    arena: &Arena,
    letters: &Letters,
    statements: [&Statement; 2],
    strict: bool,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Verdict> {
    let verdict =
        in_reading(arena, letters, statements, Reading { strict, reals_are_universe: true }, oracle)?;
    if verdict != Verdict::Same || !letters.has_reals || letters.has_complement {
        return Some(verdict);
    }
    match in_reading(arena, letters, statements, Reading { strict, reals_are_universe: false }, oracle) {
        Some(Verdict::Same) => Some(Verdict::Same),
        _ => Some(Verdict::Unknown),
    }
}

/// Compares statements in all models of one reading; `None` if there are too many letters.
fn in_reading(
    arena: &Arena,
    letters: &Letters,
    [a, b]: [&Statement; 2],
    reading: Reading,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Verdict> {
    if letters.sets.len() > SET_LETTERS {
        return None;
    }
    let sets = letters.sets.len() + usize::from(!reading.reals_are_universe);
    let regions = 1u32 << sets;
    let all: Regions = (1 << regions) - 1;
    let masks: Vec<Regions> = (0..sets)
        .map(|at| {
            (0..regions).filter(|region| region >> at & 1 == 1).fold(0, |mask, region| mask | 1 << region)
        })
        .collect();
    // The set of the real numbers is not empty.
    let inhabited = match reading.reals_are_universe {
        true if letters.has_complement || letters.has_reals => all,
        true => 0,
        false => *masks.last()?,
    };
    let combinations = regions.pow(letters.elements.len() as u32);
    for filled in 0..=all {
        if inhabited != 0 && filled & inhabited == 0 {
            continue;
        }
        for combination in 0..combinations {
            // Two parts cost one unit, because each takes a few operations on bits.
            if !oracle.spend(letters.parts.div_ceil(2)) {
                return Some(Verdict::Unknown);
            }
            let mut rest = combination;
            let mut places = [0; SET_ELEMENTS];
            for place in &mut places[..letters.elements.len()] {
                *place = rest % regions;
                rest /= regions;
            }
            let places = &places[..letters.elements.len()];
            if places.iter().any(|place| filled >> place & 1 == 0) {
                continue;
            }
            let model = Model { letters, reading, masks: &masks, filled, places };
            if model.holds(arena, a)? != model.holds(arena, b)? {
                return Some(Verdict::Different);
            }
        }
    }
    Some(Verdict::Same)
}

fn letter(arena: &Arena, value: &Value) -> Option<Symbol> {
    match value {
        Value::Scalar(id) => match arena.node(*id) {
            Node::Symbol(name) => Some(name),
            _ => None,
        },
        _ => None,
    }
}

/// Returns whether a value is the open interval from -∞ to ∞, which is the real numbers.
pub(super) fn is_reals(arena: &Arena, value: &Value) -> bool {
    let Value::Sequence { open, close, items } = value else { return false };
    if [open, close].into_iter().any(|end| !matches!(end, Delimiter::Paren | Delimiter::Reversed)) {
        return false;
    }
    let [Value::Scalar(from), Value::Scalar(to)] = items[..] else { return false };
    infinite(arena, from) == Some(Ordering::Less) && infinite(arena, to) == Some(Ordering::Greater)
}

impl Letters {
    fn collect(&mut self, arena: &Arena, statement: &Statement) -> Option<()> {
        self.parts += 1;
        match statement {
            Statement::Constant(_) => Some(()),
            Statement::And(parts) | Statement::Or(parts) => {
                parts.iter().try_for_each(|part| self.collect(arena, part))
            }
            Statement::Not(inner) => self.collect(arena, inner),
            Statement::Belongs { left, relation, right } => {
                match relation {
                    Relation::In | Relation::NotIn => {
                        let element = letter(arena, left)?;
                        if !self.elements.contains(&element) {
                            self.elements.push(element);
                        }
                    }
                    Relation::Subset | Relation::Superset => {
                        self.has_subset = true;
                        self.collect_set(arena, left)?;
                    }
                    Relation::Equal
                    | Relation::NotEqual
                    | Relation::SubsetEqual
                    | Relation::SupersetEqual => self.collect_set(arena, left)?,
                    _ => return None,
                }
                self.collect_set(arena, right)
            }
            Statement::Compare { .. } | Statement::Atom(_) => None,
        }
    }

    fn collect_set(&mut self, arena: &Arena, set: &Value) -> Option<()> {
        self.parts += 1;
        match set {
            set if is_empty(set) => Some(()),
            Value::Combined(kind, parts) => {
                self.has_complement |= *kind == Combination::Complement;
                parts.iter().try_for_each(|part| self.collect_set(arena, part))
            }
            set if is_reals(arena, set) => {
                self.has_reals = true;
                Some(())
            }
            set => {
                let name = letter(arena, set)?;
                if !self.sets.contains(&name) {
                    self.sets.push(name);
                }
                Some(())
            }
        }
    }
}

impl Model<'_> {
    fn holds(&self, arena: &Arena, statement: &Statement) -> Option<bool> {
        Some(match statement {
            Statement::Constant(truth) => *truth,
            Statement::And(parts) => {
                for part in parts {
                    if !self.holds(arena, part)? {
                        return Some(false);
                    }
                }
                true
            }
            Statement::Or(parts) => {
                for part in parts {
                    if self.holds(arena, part)? {
                        return Some(true);
                    }
                }
                false
            }
            Statement::Not(inner) => !self.holds(arena, inner)?,
            Statement::Belongs { left, relation: relation @ (Relation::In | Relation::NotIn), right } => {
                let name = letter(arena, left)?;
                let at = self.letters.elements.iter().position(|known| *known == name)?;
                let within = self.set(arena, right)? >> self.places.get(at)? & 1 == 1;
                within == (*relation == Relation::In)
            }
            Statement::Belongs { left, relation, right } => {
                let (left, right) = (self.set(arena, left)?, self.set(arena, right)?);
                match relation {
                    Relation::Equal => left == right,
                    Relation::NotEqual => left != right,
                    Relation::SubsetEqual => left & !right == 0,
                    Relation::SupersetEqual => right & !left == 0,
                    Relation::Subset => left & !right == 0 && (left != right || !self.reading.strict),
                    Relation::Superset => right & !left == 0 && (left != right || !self.reading.strict),
                    _ => return None,
                }
            }
            Statement::Compare { .. } | Statement::Atom(_) => return None,
        })
    }

    /// Returns the filled regions that a set contains.
    fn set(&self, arena: &Arena, set: &Value) -> Option<Regions> {
        Some(match set {
            set if is_empty(set) => 0,
            Value::Combined(kind, parts) => {
                let (first, rest) = parts.split_first()?;
                let mut all = self.set(arena, first)?;
                for part in rest {
                    let part = self.set(arena, part)?;
                    all = match kind {
                        Combination::Union => all | part,
                        Combination::Intersection => all & part,
                        Combination::Difference | Combination::Complement => all & !part,
                    };
                }
                if *kind == Combination::Complement { self.filled & !all } else { all }
            }
            set if is_reals(arena, set) => match self.masks.get(self.letters.sets.len()) {
                Some(reals) => reals & self.filled,
                None => self.filled,
            },
            set => {
                let name = letter(arena, set)?;
                let at = self.letters.sets.iter().position(|known| *known == name)?;
                self.masks.get(at)? & self.filled
            }
        })
    }
}
