//! The comparison of statements by their truth tables.

use super::link::{Link, link};
use super::statement::normal;
use super::{BoundedOracle, Statement, Value, Verdict};
use crate::expr::{Arena, Node, Symbol};
use crate::limits::TRUTH_TABLE_PARTS;
use crate::syntax::Relation;

/// Decides whether two statements agree for all truth values of their parts.
pub(super) fn by_truth_table(
    arena: &mut Arena,
    a: &Statement,
    b: &Statement,
    oracle: &mut BoundedOracle<'_>,
) -> Verdict {
    let mut atoms: Vec<Statement> = Vec::new();
    let mut unknown = false;
    let formulas = (
        formula(arena, a, &mut atoms, &mut unknown, oracle),
        formula(arena, b, &mut atoms, &mut unknown, oracle),
    );
    let (Some(a), Some(b)) = formulas else {
        // There are too many parts for a table, but statements with the same parts in another order still
        // agree.
        return match (a, b) {
            (Statement::And(first), Statement::And(second))
            | (Statement::Or(first), Statement::Or(second))
                if parts_match(arena, first, second, oracle) && parts_match(arena, second, first, oracle) =>
            {
                Verdict::Same
            }
            _ => Verdict::Unknown,
        };
    };
    let rows: Vec<u32> = (0u32..1 << atoms.len()).filter(|row| a.holds(*row) != b.holds(*row)).collect();
    if rows.is_empty() {
        return Verdict::Same;
    }
    // One is the negation of the other.
    if rows.len() == 1 << atoms.len() {
        return Verdict::Different;
    }
    match Parts::new(arena, &atoms) {
        Some(parts) if !unknown && parts.differ(&rows) => Verdict::Different,
        _ => Verdict::Unknown,
    }
}

/// The kinds of parts of a statement, by what their truth values depend on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Its truth value is free: a letter, or `x\in A` with letters.
    Free,
    /// An equation of a name with a constant value. At most one such equation per name holds.
    Named(Symbol),
    /// A comparison, which may depend on other comparisons.
    Dependent,
}

/// The distinct parts of statements whose possible combinations of truth values are known.
struct Parts(Vec<Part>);

impl Parts {
    fn new(arena: &Arena, atoms: &[Statement]) -> Option<Self> {
        let letter = |value: &Value| match value {
            Value::Scalar(id) => match arena.node(*id) {
                Node::Symbol(name) => Some(name),
                _ => None,
            },
            _ => None,
        };
        // A letter must have one meaning: a truth value, an element, a set or a value.
        let mut meanings: Vec<(Symbol, u8)> = Vec::new();
        let mut memberships: Vec<(Symbol, Symbol)> = Vec::new();
        let mut parts = Vec::with_capacity(atoms.len());
        for atom in atoms {
            let part = match atom {
                Statement::Atom(id) => {
                    meanings.push((letter(&Value::Scalar(*id))?, 0));
                    Part::Free
                }
                Statement::Belongs { left, relation: Relation::In, right }
                    if !matches!(**right, Value::Numbers(_)) =>
                {
                    let (element, set) = (letter(left)?, letter(right)?);
                    meanings.extend([(element, 1), (set, 2)]);
                    memberships.push((element, set));
                    Part::Free
                }
                Statement::Belongs { left, relation: Relation::Equal, right }
                    if is_constant_value(arena, right) =>
                {
                    let name = letter(left)?;
                    meanings.push((name, 3));
                    Part::Named(name)
                }
                &Statement::Compare { left, relation: Relation::Equal, right, named: true }
                    if arena.is_constant(right) =>
                {
                    let name = letter(&Value::Scalar(left))?;
                    meanings.push((name, 3));
                    Part::Named(name)
                }
                Statement::Belongs { left, relation: Relation::In, .. } => {
                    meanings.push((letter(left)?, 1));
                    Part::Dependent
                }
                Statement::Compare { left, right, .. } => {
                    meanings.extend(arena.free(*left).union(arena.free(*right)).iter().map(|name| (name, 1)));
                    Part::Dependent
                }
                _ => return None,
            };
            parts.push(part);
        }
        let one_meaning =
            meanings.iter().all(|(name, as_what)| meanings.iter().all(|(n, w)| n != name || w == as_what));
        // Comparisons may imply that two elements of a set are the same.
        let dependent = parts.contains(&Part::Dependent);
        let may_be_equal = dependent
            && memberships.iter().any(|(element, set)| {
                memberships.iter().any(|(other, same)| same == set && other != element)
            });
        (one_meaning && !may_be_equal).then_some(Self(parts))
    }

    /// Returns whether each combination of truth values of the comparisons occurs in one of the given rows that is
    /// possible.
    fn differ(&self, rows: &[u32]) -> bool {
        let mut dependent = 0u32;
        for (at, part) in self.0.iter().enumerate() {
            if *part == Part::Dependent {
                dependent |= 1 << at;
            }
        }
        (0..1u32 << self.0.len())
            .filter(|row| row & !dependent == 0)
            .all(|said| rows.iter().any(|row| row & dependent == said && self.can_occur(*row)))
    }

    /// Returns whether the parts can have the truth values of a row.
    fn can_occur(&self, row: u32) -> bool {
        let mut holding = Vec::new();
        self.0.iter().enumerate().filter(|(at, _)| row >> at & 1 == 1).all(|(_, part)| match part {
            Part::Free | Part::Dependent => true,
            Part::Named(name) => {
                let first = !holding.contains(name);
                holding.push(*name);
                first
            }
        })
    }
}

/// Returns whether a value is a constant, or a sequence or matrix of constants.
fn is_constant_value(arena: &Arena, value: &Value) -> bool {
    match value {
        Value::Scalar(id) => arena.is_constant(*id),
        Value::Sequence { items, .. } | Value::Matrix { entries: items, .. } => {
            items.iter().all(|item| matches!(item, Value::Scalar(id) if arena.is_constant(*id)))
        }
        _ => false,
    }
}

/// Returns an assignment of truth values to letters under which exactly one of the two statements holds. The
/// flag is `true` if the first holds. `None` if a part is not a letter, if there are too many parts, or if there is
/// no such assignment.
pub(super) fn distinguishing_row(
    arena: &mut Arena,
    [a, b]: [&Statement; 2],
    oracle: &mut BoundedOracle<'_>,
) -> Option<(Vec<(String, bool)>, bool)> {
    let a = normal(arena, a.clone(), false, oracle);
    let b = normal(arena, b.clone(), false, oracle);
    let (mut atoms, mut unknown) = (Vec::new(), false);
    let a = formula(arena, &a, &mut atoms, &mut unknown, oracle)?;
    let b = formula(arena, &b, &mut atoms, &mut unknown, oracle)?;
    let names: Vec<String> = atoms
        .iter()
        .map(|atom| match atom {
            Statement::Atom(id) => match arena.node(*id) {
                Node::Symbol(symbol) => Some(arena.name(symbol).to_owned()),
                _ => None,
            },
            _ => None,
        })
        .collect::<Option<_>>()?;
    let row = (0u32..1 << names.len()).find(|row| a.holds(*row) != b.holds(*row))?;
    let truth = names.into_iter().enumerate().map(|(at, name)| (name, row >> at & 1 == 1)).collect();
    Some((truth, a.holds(row)))
}

fn parts_match(
    arena: &mut Arena,
    parts: &[Statement],
    others: &[Statement],
    oracle: &mut BoundedOracle<'_>,
) -> bool {
    parts.iter().all(|part| {
        others.iter().any(|other| part == other || link(arena, part, other, oracle) == Link::Same)
    })
}

enum Formula {
    Constant(bool),
    Atom(usize, bool),
    Not(Box<Formula>),
    All(Vec<Formula>),
    Any(Vec<Formula>),
}

impl Formula {
    fn holds(&self, row: u32) -> bool {
        match self {
            Self::Constant(truth) => *truth,
            Self::Atom(at, straight) => (row >> at & 1 == 1) == *straight,
            Self::Not(inner) => !inner.holds(row),
            Self::All(parts) => parts.iter().all(|part| part.holds(row)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(row)),
        }
    }
}

fn formula(
    arena: &mut Arena,
    statement: &Statement,
    atoms: &mut Vec<Statement>,
    unknown: &mut bool,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Formula> {
    Some(match statement {
        Statement::Constant(truth) => Formula::Constant(*truth),
        Statement::Not(inner) => Formula::Not(Box::new(formula(arena, inner, atoms, unknown, oracle)?)),
        Statement::And(parts) => Formula::All(
            parts
                .iter()
                .map(|part| formula(arena, part, atoms, unknown, oracle))
                .collect::<Option<Vec<_>>>()?,
        ),
        Statement::Or(parts) => Formula::Any(
            parts
                .iter()
                .map(|part| formula(arena, part, atoms, unknown, oracle))
                .collect::<Option<Vec<_>>>()?,
        ),
        atom => {
            for (at, known) in atoms.iter().enumerate() {
                match link(arena, atom, known, oracle) {
                    Link::Same => return Some(Formula::Atom(at, true)),
                    Link::Opposite => return Some(Formula::Atom(at, false)),
                    Link::Unknown => *unknown = true,
                    Link::None => {}
                }
            }
            if atoms.len() == TRUTH_TABLE_PARTS {
                return None;
            }
            atoms.push(atom.clone());
            Formula::Atom(atoms.len() - 1, true)
        }
    })
}
