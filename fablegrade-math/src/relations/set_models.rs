//! Statements about letters for sets, such as `A\cap B=A` and `A\subseteq B`, decided by models.
//!
//! Such a statement depends only on which regions of the Venn diagram are empty, and in which regions the
//! named elements are. All these cases are tried, so the result is certain.

use super::{Combination, Statement, Value, Verdict};
use crate::expr::{Arena, Id, Node, Symbol};
use crate::limits::{SET_ELEMENTS, SET_LETTERS};
use crate::syntax::Relation;

/// The letters of two statements.
#[derive(Default)]
struct Letters {
    sets: Vec<Symbol>,
    elements: Vec<Symbol>,
    /// True if a complement occurs. The universe is then not empty.
    universe: bool,
}

/// A set as a union of regions of the diagram: bit `r` stands for region `r`, and bit `i` of `r` for the
/// `i`-th letter.
type Regions = u32;

/// One case: the regions that have elements, and the region of each named element.
struct Model<'m> {
    letters: &'m Letters,
    filled: Regions,
    places: &'m [u32],
}

/// Decides whether two statements hold in the same models; `None` if they are not only about letters for
/// sets and elements, or if there are too many letters.
pub(super) fn in_models(arena: &Arena, [a, b]: [&Statement; 2]) -> Option<Verdict> {
    let mut letters = Letters::default();
    letters.collect(arena, a)?;
    letters.collect(arena, b)?;
    if letters.sets.is_empty()
        || letters.sets.len() > SET_LETTERS
        || letters.elements.len() > SET_ELEMENTS
        || letters.elements.iter().any(|name| letters.sets.contains(name))
    {
        return None;
    }
    let regions = 1u32 << letters.sets.len();
    let combinations = (regions as usize).pow(letters.elements.len() as u32);
    for filled in 0..1u32 << regions {
        if letters.universe && filled == 0 {
            continue;
        }
        for combination in 0..combinations {
            let mut rest = combination as u32;
            let mut places = [0; SET_ELEMENTS];
            for place in &mut places[..letters.elements.len()] {
                *place = rest % regions;
                rest /= regions;
            }
            let places = &places[..letters.elements.len()];
            if places.iter().any(|place| filled >> place & 1 == 0) {
                continue;
            }
            let model = Model { letters: &letters, filled, places };
            if model.holds(arena, a)? != model.holds(arena, b)? {
                return Some(Verdict::Different);
            }
        }
    }
    Some(Verdict::Same)
}

fn letter(arena: &Arena, value: &Value) -> Option<Symbol> {
    match value {
        Value::Scalar(id) => letter_of(arena, *id),
        _ => None,
    }
}

fn letter_of(arena: &Arena, id: Id) -> Option<Symbol> {
    match arena.node(id) {
        Node::Symbol(name) => Some(name),
        _ => None,
    }
}

/// Returns whether a value is the set from which a complement is taken.
fn is_universe(arena: &Arena, value: &Value) -> bool {
    matches!(value, Value::Sequence { items, .. } if matches!(items[..], [Value::Scalar(from), Value::Scalar(to)]
        if super::statement::infinite(arena, from).is_some() && super::statement::infinite(arena, to).is_some()))
}

impl Letters {
    fn collect(&mut self, arena: &Arena, statement: &Statement) -> Option<()> {
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
                    Relation::Equal
                    | Relation::NotEqual
                    | Relation::Subset
                    | Relation::SubsetEqual
                    | Relation::Superset
                    | Relation::SupersetEqual => self.collect_set(arena, left)?,
                    _ => return None,
                }
                self.collect_set(arena, right)
            }
            Statement::Compare { .. } | Statement::Atom(_) => None,
        }
    }

    fn collect_set(&mut self, arena: &Arena, set: &Value) -> Option<()> {
        match set {
            Value::Set(items) if items.is_empty() => Some(()),
            Value::Combined(_, parts) => parts.iter().try_for_each(|part| self.collect_set(arena, part)),
            set if is_universe(arena, set) => {
                self.universe = true;
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
                    Relation::Subset => left & !right == 0 && left != right,
                    Relation::Superset => right & !left == 0 && left != right,
                    _ => return None,
                }
            }
            Statement::Compare { .. } | Statement::Atom(_) => return None,
        })
    }

    /// Returns the filled regions that a set contains.
    fn set(&self, arena: &Arena, set: &Value) -> Option<Regions> {
        Some(match set {
            Value::Set(items) if items.is_empty() => 0,
            Value::Combined(kind, parts) => {
                let (first, rest) = parts.split_first()?;
                let mut all = self.set(arena, first)?;
                for part in rest {
                    let part = self.set(arena, part)?;
                    all = match kind {
                        Combination::Union => all | part,
                        Combination::Intersection => all & part,
                        Combination::Difference => all & !part,
                    };
                }
                all
            }
            set if is_universe(arena, set) => self.filled,
            set => {
                let name = letter(arena, set)?;
                let at = self.letters.sets.iter().position(|known| *known == name)?;
                let regions = 1u32 << self.letters.sets.len();
                (0..regions).filter(|region| region >> at & 1 == 1).fold(0, |all, region| all | 1 << region)
                    & self.filled
            }
        })
    }
}
