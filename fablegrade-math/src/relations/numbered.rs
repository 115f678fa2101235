//! Numbered solutions and names of solution sets: `x_1=2,x_2=3`, `x_{1,2}=\pm2`, `L=\{2,3\}`.

use super::compare::relation_of;
use super::elements::same_elements;
use super::named::relation_and_set;
use super::read::letter;
use super::statement::{self, symbols};
use super::{BoundedOracle, Statement, Value, Verdict};
use crate::expr::{Arena, Id, Node, Symbol};
use crate::subscripts::split;
use crate::syntax::Relation;

/// The values of one unknown under its numbered names.
struct Numbered {
    /// The unknown without a number.
    unknown: Symbol,
    /// The values, with their numbers if each has its own.
    values: Vec<(Option<usize>, Id)>,
}

impl Numbered {
    /// Returns whether a name stands for all values, as in `x_{1,2}`.
    fn is_joint(&self) -> bool {
        self.values.iter().all(|(number, _)| number.is_none())
    }

    fn all(&self) -> Vec<Value> {
        self.values.iter().map(|(_, value)| Value::Scalar(*value)).collect()
    }
}

/// Compares numbered solutions, or a set with a name, with an answer about the unknown itself. `None` if they are no
/// such pair.
pub(super) fn compare_numbered(
    arena: &mut Arena,
    sides: [&Value; 2],
    oracle: &mut BoundedOracle<'_>,
) -> Option<Verdict> {
    let lists = sides.map(|side| numbered(arena, side));
    let is_usual = lists.iter().flatten().all(|list| is_usual_unknown(arena.name(list.unknown)));
    let is_joint = lists.iter().flatten().any(Numbered::is_joint);
    let is_either = sides.map(|side| matches!(side, Value::Statement(Statement::Or(_))));
    // `a_{1,2}=5` may be an entry of a matrix, and `F_1=3,F_2=2` are two quantities.
    let is_doubtful = lists.iter().any(Option::is_some)
        && !is_usual
        && (is_joint || lists.iter().any(Option::is_none) || is_either[0] != is_either[1]);
    let found = match lists {
        [Some(first), Some(second)] => two_lists(arena, [&first, &second], is_usual, oracle),
        [Some(list), None] => beside_other(arena, &list, sides[1], false, oracle),
        [None, Some(list)] => beside_other(arena, &list, sides[0], true, oracle),
        [None, None] => named_set(arena, sides, oracle),
    }?;
    Some(if is_doubtful && found == Verdict::Same { Verdict::Unknown } else { found })
}

/// Returns whether a name usually denotes an unknown that is solved for.
fn is_usual_unknown(name: &str) -> bool {
    matches!(name, "x" | "y" | "z" | "t" | "u" | "lambda" | "varphi" | "phi" | "alpha")
}

/// Reads values of one unknown with the numbers 1 to n, or with several numbers at once as in `x_{1,2}`.
fn numbered(arena: &mut Arena, value: &Value) -> Option<Numbered> {
    let listed: Option<Vec<Statement>> = match value {
        Value::Statement(Statement::And(parts) | Statement::Or(parts)) => Some(parts.clone()),
        Value::Statement(one) => Some(vec![one.clone()]),
        Value::List(items) => {
            let parts = items.iter().map(|item| match item {
                Value::Statement(Statement::And(parts) | Statement::Or(parts)) => Some(parts.clone()),
                Value::Statement(one) => Some(vec![one.clone()]),
                _ => None,
            });
            parts.collect::<Option<Vec<_>>>().map(|parts| parts.into_iter().flatten().collect())
        }
        _ => None,
    };
    let mut unknown: Option<String> = None;
    let mut values: Vec<(Option<usize>, Id)> = Vec::new();
    // The names that are equal to a value that follows.
    let mut equal: Vec<Option<usize>> = Vec::new();
    for part in listed? {
        let Statement::Compare { left, relation: Relation::Equal, right, .. } = part else { return None };
        let Node::Symbol(name) = arena.node(left) else { return None };
        let (base, number) = numbers(arena.name(name))?;
        if *unknown.get_or_insert_with(|| base.clone()) != base {
            return None;
        }
        // `x_1=x_2=3` gives the value in its last step.
        if equal.last() != Some(&number) {
            equal.push(number);
        }
        if arena.is_constant(right) {
            values.extend(equal.drain(..).map(|number| (number, right)));
        } else {
            let Node::Symbol(next) = arena.node(right) else { return None };
            let (next_base, next) = numbers(arena.name(next))?;
            (next_base == base).then_some(())?;
            equal.push(next);
        }
    }
    let mut found: Vec<Option<usize>> = values.iter().map(|(number, _)| *number).collect();
    found.sort_unstable();
    let is_counted = found.len() > 1 && found.iter().copied().eq((1..=found.len()).map(Some));
    let is_joint = !found.is_empty() && found.iter().all(Option::is_none);
    if !equal.is_empty() || !is_counted && !is_joint {
        return None;
    }
    Some(Numbered { unknown: arena.symbol(&unknown?), values })
}

/// Splits a name into the unknown and its number; `None` as the number stands for several, as in `x_{1,2}`.
fn numbers(name: &str) -> Option<(String, Option<usize>)> {
    let (base, subscript) = split(name)?;
    if !base.chars().all(char::is_alphanumeric) {
        return None;
    }
    if let Ok(number) = subscript.parse::<usize>() {
        // `x_{12}` may be both or the twelfth.
        return (1..=9).contains(&number).then_some((base, Some(number)));
    }
    let all: Vec<Option<usize>> =
        subscript.split([',', '/', ';']).map(|number| number.trim().parse::<usize>().ok()).collect();
    let is_counted = all.len() > 1 && all.iter().copied().eq((1..=all.len()).map(Some));
    is_counted.then_some((base, None))
}

/// Compares numbered solutions of one unknown. Other numbers for the same values may be the same solutions, or other
/// solutions of a system; for other quantities, as in `v_1=2,v_2=3`, it is `None`.
fn two_lists(
    arena: &mut Arena,
    [first, second]: [&Numbered; 2],
    is_usual: bool,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Verdict> {
    if first.unknown != second.unknown {
        return None;
    }
    let as_sets = same_elements(arena, &first.all(), &second.all(), oracle);
    if first.is_joint() || second.is_joint() {
        if as_sets != Verdict::Different {
            return Some(as_sets);
        }
        let [first, second] = [first, second].map(|list| alternatives(arena, list));
        return Some(statement::compare(arena, &first, &second, oracle));
    }
    if first.values.len() == second.values.len() {
        let mut all = Verdict::Same;
        for (number, value) in &first.values {
            let other = second.values.iter().find(|(other, _)| other == number)?.1;
            all = all.and(oracle.same(arena, *value, other));
        }
        if all == Verdict::Same {
            return Some(all);
        }
    }
    (is_usual && as_sets != Verdict::Different).then_some(Verdict::Unknown)
}

/// Returns the statement that the unknown has one of the values.
fn alternatives(arena: &mut Arena, list: &Numbered) -> Statement {
    let left = arena.variable_of(list.unknown);
    let equation = |right: Id| Statement::Compare { left, relation: Relation::Equal, right, named: true };
    Statement::Or(list.values.iter().map(|(_, value)| equation(*value)).collect())
}

/// Compares numbered solutions with a set, or with a relation about the unknown itself.
fn beside_other(
    arena: &mut Arena,
    list: &Numbered,
    other: &Value,
    swapped: bool,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Verdict> {
    if let Value::Set(items) = other {
        let is_scalar = items.iter().all(|item| matches!(item, Value::Scalar(_)));
        return is_scalar.then(|| same_elements(arena, &list.all(), items, oracle));
    }
    let relation = relation_of(other)?;
    let mut names = Vec::new();
    symbols(arena, &relation, &mut names);
    let base = arena.name(list.unknown);
    let is_numbered = |name: &Symbol| numbers(arena.name(*name)).is_some_and(|(other, _)| other == base);
    if !names.contains(&list.unknown) || names.iter().any(is_numbered) {
        return None;
    }
    let either = alternatives(arena, list);
    let sides = if swapped { [&relation, &either] } else { [&either, &relation] };
    Some(statement::compare(arena, sides[0], sides[1], oracle))
}

/// Compares a set with a name, such as `L=\{2,3\}` or `D=\mathbb{R}\setminus\{2\}`, with a relation in which the name
/// does not occur.
fn named_set(arena: &mut Arena, sides: [&Value; 2], oracle: &mut BoundedOracle<'_>) -> Option<Verdict> {
    let sets = sides.map(|side| set_with_name(arena, side));
    let (at, (name, set)) = match sets {
        [Some(set), None] => (0, set),
        [None, Some(set)] => (1, set),
        _ => return None,
    };
    let relation = relation_of(sides[1 - at])?;
    let mut names = Vec::new();
    symbols(arena, &relation, &mut names);
    if names.is_empty() || names.contains(&name) {
        return None;
    }
    let verdict = relation_and_set(arena, &relation, &set, at == 0, oracle)?;
    // `A=(2,3)` may be a point, and A an event. D is usually a set of arguments, and W a set of values.
    let about = |letter: &str| names.iter().any(|name| arena.name(*name) == letter);
    let is_doubtful = match arena.name(name) {
        "D" => about("y"),
        "W" => about("x"),
        other => !is_of_solutions(other),
    };
    Some(if is_doubtful && verdict == Verdict::Same { Verdict::Unknown } else { verdict })
}

/// Returns the name and the set of `L=\{2,3\}`. The name of a set is a capital letter.
fn set_with_name(arena: &Arena, value: &Value) -> Option<(Symbol, Value)> {
    let Value::Statement(Statement::Belongs { left, relation: Relation::Equal | Relation::In, right }) =
        value
    else {
        return None;
    };
    let Value::Scalar(left) = **left else { return None };
    let Node::Symbol(name) = arena.node(left) else { return None };
    let text = arena.name(name);
    let is_capital = text.starts_with(char::is_uppercase) || text.starts_with("\\math");
    let is_set = matches!(
        **right,
        Value::Set(_) | Value::Sequence { .. } | Value::Combined(..) | Value::Builder(..) | Value::Numbers(_)
    );
    (is_capital && is_set).then(|| (name, right.as_ref().clone()))
}

/// Returns whether a letter is usual for a set of solutions or a domain.
fn is_of_solutions(name: &str) -> bool {
    let letter = letter(name);
    matches!(letter, "L" | "S" | "D" | "M" | "W" | "I") || letter.starts_with("\\math")
}
