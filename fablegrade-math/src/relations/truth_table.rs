//! The comparison of statements by their truth tables.

use super::link::{Link, link};
use super::statement::normal;
use super::{BoundedOracle, Statement, Verdict};
use crate::expr::{Arena, Node};
use crate::limits::TRUTH_TABLE_PARTS;

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
    let same = (0u32..1 << atoms.len()).all(|row| a.holds(row) == b.holds(row));
    match (same, unknown) {
        (true, _) => Verdict::Same,
        (false, true) => Verdict::Unknown,
        (false, false) => Verdict::Different,
    }
}

/// Returns an assignment of truth values to letters under which exactly one of the two statements holds. The
/// flag is `true` if the first holds. `None` if a part is not a letter, or if there is no such assignment.
pub(super) fn row_between(
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
    All(Vec<Formula>),
    Any(Vec<Formula>),
}

impl Formula {
    fn holds(&self, row: u32) -> bool {
        match self {
            Self::Constant(truth) => *truth,
            Self::Atom(at, straight) => (row >> at & 1 == 1) == *straight,
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
