//! Families with an integer parameter, such as `x = π/6 + 2kπ`, also compared with trigonometric equations.
//!
//! A family is a union of arithmetic progressions. If all steps are rational multiples of one number, the
//! union repeats after a common period, and two families are the same if they have the same residues.

use super::circle::turn;
use super::coordinate::{Coordinate, Value as Sign, settled};
use super::integers::progressions_and_congruences;
use super::single_points::truth_at;
use super::statement::symbols;
use super::{BoundedOracle, Combination, Counterexample, Statement, Value, Verdict};
use crate::expr::{Arena, Constant, Function, Id, Node, Symbol, Symbols};
use crate::limits::RESIDUES;
use crate::number::Rational;
use crate::subscripts::split;
use crate::syntax::{NumberSet, Relation};
use std::cmp::Ordering;

/// A union of progressions `base + k step` and single numbers.
#[derive(Debug, Clone)]
pub(super) struct Family {
    name: Symbol,
    progressions: Vec<(Id, Id)>,
    /// Numbers beside the progressions, as in `x=0\lor x=\frac\pi3+k\pi`.
    singles: Vec<Id>,
    /// The letters that are declared as integers.
    declared: Symbols,
    /// The letters that are integers only by convention.
    assumed: Symbols,
}

/// The residues of a family modulo a common period.
struct Residues {
    /// The step that is the unit of all numbers.
    unit: Id,
    /// The period in units.
    period: Rational,
    list: Vec<Residue>,
}

#[derive(Clone)]
struct Residue {
    /// The number itself.
    value: Id,
    /// The number in units, if that is rational.
    exact: Option<Rational>,
}

impl Family {
    /// Returns the name whose values are the family.
    pub(super) fn name(&self) -> Symbol {
        self.name
    }

    /// Returns whether an undeclared letter is assumed to be an integer. It may also be another quantity.
    pub(super) fn is_assumed(&self) -> bool {
        !self.assumed.is_empty()
    }

    /// Returns whether two families are certainly the same answer if they contain the same numbers. A letter that is
    /// only assumed to be an integer may be another quantity, so at most one side may have such a letter. If the other
    /// side declares the same letter, the formulas must be the same, unless a family is unlikely to be the formula of a
    /// quantity.
    pub(super) fn is_certain(&self, other: &Self, arena: &mut Arena, oracle: &mut BoundedOracle<'_>) -> bool {
        let assumed = self.assumed.union(other.assumed);
        if self.is_assumed() && other.is_assumed() {
            return false;
        }
        let declared = self.declared.union(other.declared);
        if assumed.iter().all(|letter| !declared.contains(letter)) {
            return true;
        }
        if self.is_of_solutions(arena, oracle) || other.is_of_solutions(arena, oracle) {
            return true;
        }
        let mut contains = |list: &Self, (base, step): (Id, Id)| {
            list.progressions.iter().any(|(other_base, other_step)| {
                let same_step = oracle.same(arena, step, *other_step);
                oracle.same(arena, base, *other_base).and(same_step) == Verdict::Same
            })
        };
        let mut is_part = |side: &Self, list: &Self| {
            side.progressions.iter().all(|progression| contains(list, *progression))
        };
        assumed.union(declared).len() == 1 && is_part(self, other) && is_part(other, self)
    }

    /// Returns whether a family is unlikely to be the formula of a quantity: it has several parts, or its base is not a
    /// whole multiple of its step, as in `\frac\pi2+n\pi`.
    fn is_of_solutions(&self, arena: &mut Arena, oracle: &mut BoundedOracle<'_>) -> bool {
        let [(base, step)] = self.progressions[..] else { return true };
        !self.singles.is_empty()
            || in_units(arena, base, step, oracle).flatten().is_some_and(|times| !times.is_integer())
    }

    /// Changes the name.
    pub(super) fn set_name(&mut self, name: Symbol) {
        self.name = name;
    }

    /// Returns the family of all integers.
    pub(super) fn of_integers(name: Symbol) -> Self {
        Self::of_progression(name, (Arena::ZERO, Arena::ONE))
    }

    fn of_progression(name: Symbol, progression: (Id, Id)) -> Self {
        Self {
            name,
            progressions: vec![progression],
            singles: Vec::new(),
            declared: Symbols::NONE,
            assumed: Symbols::NONE,
        }
    }

    /// Reads `x = a + b k` with an integer `k`: alone, in a list with `k \in Z`, or several joined by *or*.
    /// Set builders with such conditions, and unions of them, are families too.
    pub(super) fn read(arena: &mut Arena, value: &Value, oracle: &mut BoundedOracle<'_>) -> Option<Self> {
        if let Value::Combined(Combination::Union, parts) = value {
            return Self::united(arena, parts, oracle);
        }
        // `x\in\{k\pi\mid k\in\mathbb{Z}\}`
        if let Value::Statement(Statement::Belongs { left, relation: Relation::In, right }) = value
            && let Value::Scalar(element) = **left
            && let Node::Symbol(name) = arena.node(element)
            && matches!(**right, Value::Builder(..) | Value::Combined(..))
        {
            return Self::read(arena, right, oracle).map(|family| Self { name, ..family });
        }
        let mut equations = Vec::new();
        let mut integers = Vec::new();
        gather(arena, value, &mut equations, &mut integers)?;
        let mut family: Option<Self> = None;
        for (left, right) in equations {
            let (name, value) = match (arena.node(left), arena.node(right)) {
                (Node::Symbol(name), _) if !integers.contains(&name) => (name, right),
                (_, Node::Symbol(name)) if !integers.contains(&name) => (name, left),
                _ => return None,
            };
            let family = family.get_or_insert(Self {
                name,
                progressions: Vec::new(),
                singles: Vec::new(),
                declared: Symbols::NONE,
                assumed: Symbols::NONE,
            });
            if family.name != name {
                return None;
            }
            if arena.is_constant(value) {
                family.singles.push(value);
                continue;
            }
            let mut parameters = arena.free(value).iter();
            let (Some(parameter), None) = (parameters.next(), parameters.next()) else { return None };
            let is_declared = integers.contains(&parameter);
            if parameter == name
                || is_indexed_by(arena, name, parameter)
                || !is_declared && !is_index(arena, parameter, value, oracle)
            {
                return None;
            }
            let letters = if is_declared { &mut family.declared } else { &mut family.assumed };
            *letters = letters.union(Symbols::one(parameter));
            let base = arena.substitute(value, parameter, Arena::ZERO);
            let base = settled(arena, base, oracle)?.expression(arena)?;
            let next = arena.substitute(value, parameter, Arena::ONE);
            let step = arena.sub(next, base);
            let step = settled(arena, step, oracle)?.expression(arena)?;
            let index = arena.variable_of(parameter);
            let along = arena.mul(index, step);
            let again = arena.add(base, along);
            if oracle.same(arena, value, again) != Verdict::Same {
                return None;
            }
            if !matches!(oracle.value(arena, step), Sign::Sign(Ordering::Less | Ordering::Greater)) {
                return None;
            }
            family.progressions.push((base, step));
        }
        let mut family = family.filter(|family| !family.progressions.is_empty())?;
        for single in &mut family.singles {
            *single = settled(arena, *single, oracle)?.expression(arena)?;
        }
        Some(family)
    }

    /// Reads a union of sets, each of which is a family or the set of integers.
    fn united(arena: &mut Arena, parts: &[Value], oracle: &mut BoundedOracle<'_>) -> Option<Self> {
        let mut all: Option<Self> = None;
        for part in parts {
            let family = match part {
                Value::Numbers(NumberSet::Integers) => Self::of_integers(arena.symbol("x")),
                Value::Builder(..) => Self::read(arena, part, oracle)?,
                _ => return None,
            };
            match &mut all {
                // The names of elements are bound, so they need not agree.
                Some(all) => {
                    all.progressions.extend(family.progressions);
                    all.singles.extend(family.singles);
                    all.declared = all.declared.union(family.declared);
                    all.assumed = all.assumed.union(family.assumed);
                }
                None => all = Some(family),
            }
        }
        all
    }
}

/// Returns whether a letter is usual for an integer.
pub(super) fn has_index_name(arena: &Arena, letter: Symbol) -> bool {
    matches!(arena.name(letter), "k" | "n" | "m" | "l" | "j" | "z")
}

/// Returns whether a letter is usual for an integer and is not declared as anything else.
pub(super) fn is_usual_index(arena: &Arena, letter: Symbol, oracle: &BoundedOracle<'_>) -> bool {
    has_index_name(arena, letter) && !oracle.is_declared(arena, letter)
}

/// Returns whether an undeclared letter is read as an integer: `k`, for example, in a value with π.
fn is_index(arena: &Arena, letter: Symbol, value: Id, oracle: &BoundedOracle<'_>) -> bool {
    is_usual_index(arena, letter, oracle)
        && arena.any(value, |node| matches!(node, Node::Constant(Constant::Pi)))
}

/// Returns whether a letter is a subscript of a name: `a_n=n\pi` is a sequence, not a family.
pub(super) fn is_indexed_by(arena: &Arena, name: Symbol, letter: Symbol) -> bool {
    split(arena.name(name)).is_some_and(|(_, subscript)| {
        subscript.split(|c: char| !c.is_alphabetic()).any(|run| run == arena.name(letter))
    })
}

/// Collects the equations, and the letters that are declared as integers.
fn gather(
    arena: &Arena,
    value: &Value,
    equations: &mut Vec<(Id, Id)>,
    integers: &mut Vec<Symbol>,
) -> Option<()> {
    match value {
        Value::Statement(statement) => gather_statement(arena, statement, equations, integers),
        // The bound name must be a side of every equation.
        Value::Builder(name, condition) => {
            gather_statement(arena, condition, equations, integers)?;
            let of_name = |&(left, right): &(Id, Id)| {
                [left, right]
                    .into_iter()
                    .any(|side| matches!(arena.node(side), Node::Symbol(symbol) if symbol == *name))
            };
            equations.iter().all(of_name).then_some(())
        }
        Value::List(items) | Value::Several(items) => {
            items.iter().try_for_each(|item| gather(arena, item, equations, integers))
        }
        _ => None,
    }
}

fn gather_statement(
    arena: &Arena,
    statement: &Statement,
    equations: &mut Vec<(Id, Id)>,
    integers: &mut Vec<Symbol>,
) -> Option<()> {
    match statement {
        Statement::Compare { left, relation: Relation::Equal, right, .. } => {
            equations.push((*left, *right));
            Some(())
        }
        Statement::Or(parts) => {
            parts.iter().try_for_each(|part| gather_statement(arena, part, equations, integers))
        }
        // For example `x = a + k b` and `k \in Z`.
        Statement::And(parts) => {
            let of_letters = parts.iter().filter(|part| !matches!(part, Statement::Belongs { .. })).count();
            if of_letters != 1 {
                return None;
            }
            parts.iter().try_for_each(|part| gather_statement(arena, part, equations, integers))
        }
        Statement::Belongs { left, relation: Relation::In, right } => {
            let letters: Vec<Id> = match left.as_ref() {
                Value::Scalar(id) => vec![*id],
                Value::List(items) => items
                    .iter()
                    .map(|item| match item {
                        Value::Scalar(id) => Some(*id),
                        _ => None,
                    })
                    .collect::<Option<_>>()?,
                _ => return None,
            };
            matches!(right.as_ref(), Value::Numbers(NumberSet::Integers)).then_some(())?;
            for letter in letters {
                let Node::Symbol(letter) = arena.node(letter) else { return None };
                integers.push(letter);
            }
            Some(())
        }
        _ => None,
    }
}

impl Residues {
    fn new(arena: &mut Arena, families: &[&Family], oracle: &mut BoundedOracle<'_>) -> Option<Vec<Self>> {
        let unit = families.first()?.progressions.first()?.1;
        let mut lengths = Vec::new();
        let mut period = Rational::ONE;
        for family in families {
            let mut own = Vec::new();
            for (_, step) in &family.progressions {
                let length = in_units(arena, *step, unit, oracle)??.absolute();
                period = least_multiple(&period, &length)?;
                own.push(length);
            }
            lengths.push(own);
        }
        let mut all = Vec::new();
        for (family, lengths) in families.iter().zip(lengths) {
            let mut residues = Self { unit, period: period.clone(), list: Vec::new() };
            for ((base, step), length) in family.progressions.iter().zip(lengths) {
                let count = period.checked_div(&length)?.to_i64()?;
                if residues.list.len() + usize::try_from(count).ok()? > RESIDUES {
                    return None;
                }
                let start = in_units(arena, *base, unit, oracle)?;
                for at in 0..count {
                    let times = arena.integer(at);
                    let along = if at == 0 { Arena::ZERO } else { arena.mul(times, *step) };
                    let value = arena.add(*base, along);
                    let sign = in_units(arena, *step, unit, oracle)??;
                    let exact = match &start {
                        Some(start) => Some(start.checked_add(&sign.checked_mul(&Rational::from(at))?)?),
                        None => None,
                    };
                    residues.insert(arena, Residue { value, exact }, oracle)?;
                }
            }
            all.push(residues);
        }
        Some(all)
    }

    /// Returns the single numbers of a family that are not in its progressions. `self` holds the residues of the
    /// progressions.
    fn outside(&self, arena: &mut Arena, family: &Family, oracle: &mut BoundedOracle<'_>) -> Option<Vec<Id>> {
        let mut outside = Vec::new();
        for &value in &family.singles {
            let exact = in_units(arena, value, self.unit, oracle)?;
            if !self.contains(arena, &Residue { value, exact }, oracle)? {
                outside.push(value);
            }
        }
        Some(outside)
    }

    /// Returns a number that is whole periods away from another.
    fn turned(&self, arena: &mut Arena, value: Id, turns: i64) -> Option<Id> {
        if turns == 0 {
            return Some(value);
        }
        let length = arena.number(self.period.checked_mul(&Rational::from(turns))?);
        let length = arena.mul(length, self.unit);
        Some(arena.add(value, length))
    }

    fn insert(&mut self, arena: &mut Arena, residue: Residue, oracle: &mut BoundedOracle<'_>) -> Option<()> {
        if !self.contains(arena, &residue, oracle)? {
            self.list.push(residue);
        }
        Some(())
    }

    /// Returns whether a number differs from a residue by whole periods.
    fn contains(&self, arena: &mut Arena, number: &Residue, oracle: &mut BoundedOracle<'_>) -> Option<bool> {
        for residue in &self.list {
            if self.congruent(arena, residue, number, oracle)? {
                return Some(true);
            }
        }
        Some(false)
    }

    fn congruent(
        &self,
        arena: &mut Arena,
        a: &Residue,
        b: &Residue,
        oracle: &mut BoundedOracle<'_>,
    ) -> Option<bool> {
        match (&a.exact, &b.exact) {
            (Some(a), Some(b)) => Some(a.checked_sub(b)?.checked_div(&self.period)?.is_integer()),
            // At least one is not known to be a rational multiple of the unit.
            _ => {
                let difference = arena.sub(a.value, b.value);
                let period = arena.number(self.period.clone());
                let period = arena.mul(period, self.unit);
                let turns = arena.div(difference, period);
                let ball = oracle.ball(arena, turns, 128).ok()?;
                let near = Rational::from(libm::round(ball.to_f64()) as i64);
                let near = arena.number(near);
                let rest = arena.sub(turns, near);
                match oracle.value(arena, rest) {
                    Sign::Sign(Ordering::Equal) => Some(true),
                    Sign::Sign(_) => Some(false),
                    _ => None,
                }
            }
        }
    }
}

/// Returns a number in units; the inner `None` means that the ratio is not recognised as rational.
#[allow(clippy::option_option)]
fn in_units(
    arena: &mut Arena,
    value: Id,
    unit: Id,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Option<Rational>> {
    if value == unit {
        return Some(Some(Rational::ONE));
    }
    let ratio = arena.div(value, unit);
    Some(match settled(arena, ratio, oracle)? {
        Coordinate::Rational(value) => Some(value),
        _ => None,
    })
}

fn least_multiple(a: &Rational, b: &Rational) -> Option<Rational> {
    let shared = super::critical::common_unit(a, b)?;
    a.checked_mul(b)?.checked_div(&shared)
}

/// Compares two families.
pub(super) fn compare_families(
    arena: &mut Arena,
    a: &Family,
    b: &Family,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Verdict> {
    if a.name != b.name || oracle.is_bounded(arena, a.name) {
        return None;
    }
    let mut residues = Residues::new(arena, &[a, b], oracle)?;
    let (second, first) = (residues.pop()?, residues.pop()?);
    let singles = [first.outside(arena, a, oracle)?, second.outside(arena, b, oracle)?];
    let differ = |at: Id, is_first: bool, arena: &mut Arena, oracle: &mut BoundedOracle<'_>| {
        let at = settled(arena, at, oracle)?;
        oracle.counterexample = Some(Counterexample { point: vec![(a.name, at)], first: is_first });
        Some(Verdict::Different)
    };
    for (these, those, others, is_first) in
        [(&first, &second, &singles[1], true), (&second, &first, &singles[0], false)]
    {
        for residue in &these.list {
            if those.contains(arena, residue, oracle)? {
                continue;
            }
            // Single numbers on the other side may equal some numbers of this progression, so more are tried.
            for turns in 0..=i64::try_from(others.len()).ok()? {
                let at = these.turned(arena, residue.value, turns)?;
                if is_outside(arena, at, others, oracle)? {
                    return differ(at, is_first, arena, oracle);
                }
            }
            return None;
        }
    }
    for (these, those, is_first) in [(&singles[0], &singles[1], true), (&singles[1], &singles[0], false)] {
        for single in these {
            if is_outside(arena, *single, those, oracle)? {
                return differ(*single, is_first, arena, oracle);
            }
        }
    }
    Some(Verdict::Same)
}

/// Returns whether a number differs from all the others; `None` if that is not certain.
pub(super) fn is_outside(
    arena: &mut Arena,
    at: Id,
    numbers: &[Id],
    oracle: &mut BoundedOracle<'_>,
) -> Option<bool> {
    for number in numbers {
        match oracle.same(arena, at, *number) {
            Verdict::Same => return Some(false),
            Verdict::Different => {}
            Verdict::Unknown => return None,
        }
    }
    Some(true)
}

/// Compares a family, which is infinite, with a set of finitely many numbers.
pub(super) fn compare_with_list(
    arena: &mut Arena,
    family: &Family,
    items: &[Value],
    first: bool,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Verdict> {
    let (base, step) = *family.progressions.first()?;
    if oracle.is_bounded(arena, family.name) {
        return None;
    }
    for times in 0..=i64::try_from(items.len()).ok()? {
        let times = arena.integer(times);
        let along = if times == Arena::ZERO { times } else { arena.mul(times, step) };
        let at = arena.add(base, along);
        let outside = items.iter().all(|item| match item {
            Value::Scalar(id) => arena.is_constant(*id) && oracle.same(arena, at, *id) == Verdict::Different,
            _ => false,
        });
        if outside {
            let at = settled(arena, at, oracle)?;
            oracle.counterexample = Some(Counterexample { point: vec![(family.name, at)], first });
            return Some(Verdict::Different);
        }
    }
    None
}

/// Compares a family with a trigonometric equation; `first` is `true` if the family is the first side.
///
/// This function is long because it contains the steps of one proof.
pub(super) fn compare_with_equation(
    arena: &mut Arena,
    family: &Family,
    equation: &Statement,
    first: bool,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Verdict> {
    let mut unknowns = Vec::new();
    symbols(arena, equation, &mut unknowns);
    if unknowns != [family.name] || oracle.is_bounded(arena, family.name) {
        return None;
    }
    let differ = |at: Id, of_family: bool, arena: &mut Arena, oracle: &mut BoundedOracle<'_>| {
        let at = settled(arena, at, oracle)?;
        oracle.counterexample =
            Some(Counterexample { point: vec![(family.name, at)], first: of_family == first });
        Some(Verdict::Different)
    };
    if family.singles.is_empty()
        && let Some(verdict) =
            progressions_and_congruences(arena, &family.progressions, equation, family.name, first, oracle)
    {
        return Some(verdict);
    }
    // Every number of the family within a common period must solve the equation.
    let turned = turn(arena, [equation, equation], family.name, oracle);
    let Some(turned) = turned else {
        for (base, step) in &family.progressions {
            for times in [0, 1, -1, 2, 3, 4, 5, 6, 7, 50, -50, 1000] {
                let times = arena.integer(times);
                let along = arena.mul(times, *step);
                let at = arena.add(*base, along);
                if truth_at(arena, equation, &[(family.name, at)], oracle) == Some(false) {
                    return differ(at, true, arena, oracle);
                }
            }
        }
        return None;
    };
    let pi = arena.constant(Constant::Pi);
    let factor = arena.number(Rational::from(2).checked_div(&turned.unit)?);
    let period = arena.mul(factor, pi);
    let whole_turn = Family::of_progression(family.name, (Arena::ZERO, period));
    let mut residues = Residues::new(arena, &[family, &whole_turn], oracle)?;
    let turns = residues.pop()?.list.len();
    let residues = residues.pop()?;
    // Solutions repeat after a period, but a single number outside the progressions does not.
    if !residues.outside(arena, family, oracle)?.is_empty() {
        return None;
    }
    for residue in &residues.list {
        match truth_at(arena, equation, &[(family.name, residue.value)], oracle) {
            Some(true) => {}
            Some(false) => return differ(residue.value, true, arena, oracle),
            None => return None,
        }
    }
    let mut solutions = Vec::new();
    for piece in &turned.pieces {
        match piece.truths[0] {
            Some(true) if piece.is_cut => solutions.push(piece),
            // A whole arc consists of solutions.
            Some(true) => {
                let at = turned.angle(arena, piece, [equation, equation], oracle)?;
                let residue = Residue { value: at, exact: None };
                return if residues.contains(arena, &residue, oracle)? {
                    None
                } else {
                    differ(at, false, arena, oracle)
                };
            }
            Some(false) => {}
            None => return None,
        }
    }
    // All residues are solutions, so both sides are the same if they have equally many numbers per period.
    if residues.list.len() == solutions.len() * turns {
        return Some(Verdict::Same);
    }
    for solution in solutions {
        let Some(solution) = turned.angle(arena, solution, [equation, equation], oracle) else { continue };
        for times in 0..turns {
            let times = arena.integer(times as i64);
            let along = arena.mul(times, period);
            let at = arena.add(solution, along);
            let exact = in_units(arena, at, residues.unit, oracle)?;
            if !residues.contains(arena, &Residue { value: at, exact }, oracle)? {
                let at = plain_angle(arena, at, oracle).unwrap_or(at);
                return differ(at, false, arena, oracle);
            }
        }
    }
    None
}

/// Returns an angle with arctangents as a rational multiple of π, if it is one.
fn plain_angle(arena: &mut Arena, at: Id, oracle: &mut BoundedOracle<'_>) -> Option<Id> {
    if !arena.any(at, |node| matches!(node, Node::Apply(Function::Atan, _))) {
        return None;
    }
    let pi = arena.constant(Constant::Pi);
    let ratio = in_units(arena, at, pi, oracle)??;
    let ratio = arena.number(ratio);
    Some(arena.mul(ratio, pi))
}
