//! Relations in one unknown.
//!
//! The real line is cut at every number at which the truth of a comparison may change. On each piece between
//! two cuts the truth is constant, so one sample determines it. Each cut is evaluated separately. This works
//! for all combinations of comparisons by *and*, *or* and *not*.

use super::coordinate::{Coordinate, Value};
use super::critical::{Critical, conjugates, critical};
use super::roots::{Place, roots_of};
use super::{BoundedOracle, Statement};
use crate::expr::{Arena, Id, Symbol};
use crate::limits::{LINE_COMPARISONS, LINE_CUTS, NORM_WORK};
use crate::number::Rational;
use crate::points::Domain;
use crate::polynomial::{Polynomial, real_roots};
use crate::syntax::Relation;
use dashu_base::BitTest;
use smallvec::SmallVec;
use std::cmp::Ordering;

/// The work of a norm is this number of units times the cube of the number of conjugates.
const NORM: u64 = 36;

/// The result of the comparison of two relations in one unknown.
#[derive(Debug)]
pub(super) enum Found {
    /// They hold at the same numbers: everywhere, nowhere, or somewhere.
    Same(Extent),
    /// A number at which only one holds; the flag is `true` if the first holds.
    Different(Coordinate, bool),
    /// The line could not be cut, or the truth at some number could not be decided.
    Unknown,
}

/// The extent to which a relation holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Extent {
    Everywhere,
    Nowhere,
    Somewhere,
}

/// A prepared comparison.
struct Comparison {
    difference: Id,
    /// The numerator, the denominator and the poles of a rational function.
    plain: Option<(Polynomial, Polynomial, Vec<Polynomial>)>,
    /// Polynomials without radicals at whose roots the difference may vanish.
    places: Vec<Polynomial>,
    /// Factors of the difference that are not polynomials. Where a factor vanishes, so does the difference.
    mixed: Vec<Id>,
}

struct Line {
    unknown: Symbol,
    comparisons: Vec<Comparison>,
}

/// Compares two statements about one unknown over the numbers of a domain.
pub(super) fn compare_on_line(
    arena: &mut Arena,
    statements: [&Statement; 2],
    unknown: Symbol,
    oracle: &mut BoundedOracle<'_>,
) -> Found {
    let domain = oracle.domain(arena, unknown);
    compare_within(arena, statements, unknown, &domain, oracle)
}

/// Compares two statements about one unknown over the numbers of the given domain.
pub(super) fn compare_within(
    arena: &mut Arena,
    statements: [&Statement; 2],
    unknown: Symbol,
    domain: &Domain,
    oracle: &mut BoundedOracle<'_>,
) -> Found {
    let mut seen: SmallVec<[bool; 2]> = SmallVec::new();
    let mut unclear = false;
    let mut difference = None;
    let visited = visit_line(arena, statements, unknown, domain, oracle, &mut |at, _, truths| {
        match truths {
            [Some(a), Some(b)] if a != b => {
                difference = Some((at, a));
                return false;
            }
            [Some(a), Some(_)] => {
                if !seen.contains(&a) {
                    seen.push(a);
                }
            }
            _ => unclear = true,
        }
        true
    });
    match (difference, visited) {
        (Some((at, first)), _) => Found::Different(at, first),
        (None, Some(())) if !unclear => Found::Same(match seen.as_slice() {
            [true] => Extent::Everywhere,
            [false] | [] => Extent::Nowhere,
            _ => Extent::Somewhere,
        }),
        _ => Found::Unknown,
    }
}

/// Cuts the line for two statements and visits every cut and a sample of every piece, in order. The visitor
/// gets the number, a flag that is `true` for a cut, and the truth of each statement there. The walk ends
/// when the visitor returns `false`.
///
/// `None` if the line cannot be cut or the budget is used up.
pub(super) fn visit_line(
    arena: &mut Arena,
    statements: [&Statement; 2],
    unknown: Symbol,
    domain: &Domain,
    oracle: &mut BoundedOracle<'_>,
    visit: &mut dyn FnMut(Coordinate, bool, [Option<bool>; 2]) -> bool,
) -> Option<()> {
    let mut line = Line { unknown, comparisons: Vec::new() };
    let mut differences = Vec::new();
    for statement in statements {
        collect(arena, statement, &mut differences)?;
    }
    by_size(arena, &mut differences);
    let mut polynomials: Vec<Polynomial> = Vec::new();
    let mut cuts: Vec<Coordinate> = Vec::new();
    for difference in differences {
        let comparison = prepare(arena, difference, unknown, &mut polynomials, &mut cuts, oracle)?;
        line.comparisons.push(comparison);
    }
    for bound in [&domain.min, &domain.max].into_iter().flatten().chain(&domain.exclude) {
        cuts.push(Coordinate::Rational(bound.clone()));
    }
    polynomials.sort();
    polynomials.dedup();
    for polynomial in &polynomials {
        let words = polynomial.coefficients().iter().map(BitTest::bit_len).max().unwrap_or(0) / 64 + 1;
        // Root isolation takes about this number of steps.
        if !oracle.spend((polynomial.degree().pow(3) * words / 4 + 10) as u64) {
            return None;
        }
        cuts.extend(real_roots(polynomial)?.into_iter().map(Coordinate::from));
    }
    let sample_cost = line.cost();
    for (mut at, is_cut) in pieces(arena, cuts, domain, oracle)? {
        if !oracle.spend(sample_cost) {
            return None;
        }
        let truths = statements.map(|statement| line.holds(arena, statement, &mut at, oracle));
        if !visit(at, is_cut, truths) {
            break;
        }
    }
    Some(())
}

/// Returns every cut and a sample of every piece of the line that a domain admits, in order. The flag is
/// `true` for a cut.
pub(super) fn pieces(
    arena: &mut Arena,
    cuts: Vec<Coordinate>,
    domain: &Domain,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Vec<(Coordinate, bool)>> {
    let mut cuts = sorted(arena, cuts, oracle)?;
    let mut pieces = Vec::with_capacity(2 * cuts.len() + 1);
    for piece in 0..=2 * cuts.len() {
        let is_cut = piece % 2 == 1;
        let mut at = if is_cut {
            cuts[piece / 2].clone()
        } else {
            let (below, above) = cuts.split_at_mut(piece / 2);
            match sample(arena, below.last_mut(), above.first_mut(), domain.integer, oracle)? {
                Some(sample) => Coordinate::Rational(sample),
                // There is no integer in between.
                None => continue,
            }
        };
        if admits(arena, domain, &mut at, oracle)? {
            pieces.push((at, is_cut));
        }
    }
    Some(pieces)
}

/// Adds the integers between the lowest and the highest cut to the cuts; `None` if there are too many.
pub(super) fn cut_at_integers(
    arena: &mut Arena,
    cuts: Vec<Coordinate>,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Vec<Coordinate>> {
    let mut cuts = sorted(arena, cuts, oracle)?;
    let [lowest, .., highest] = cuts.as_mut_slice() else { return Some(cuts) };
    let mut integers = Vec::new();
    let mut next = Coordinate::Rational(neighbour(arena, lowest, Ordering::Greater, oracle)?);
    while next.compare(arena, highest, oracle)? == Ordering::Less {
        if integers.len() == LINE_CUTS {
            return None;
        }
        let following = neighbour(arena, &mut next, Ordering::Greater, oracle)?;
        integers.push(std::mem::replace(&mut next, Coordinate::Rational(following)));
    }
    cuts.append(&mut integers);
    Some(cuts)
}

/// Collects the differences of sides of all comparisons; `None` if there are too many, or for anything that
/// is not a comparison of numbers.
fn collect(arena: &mut Arena, statement: &Statement, differences: &mut Vec<Id>) -> Option<()> {
    match statement {
        Statement::Constant(_) => Some(()),
        Statement::And(parts) | Statement::Or(parts) => {
            parts.iter().try_for_each(|part| collect(arena, part, differences))
        }
        Statement::Not(inner) => collect(arena, inner, differences),
        Statement::Compare { left, relation, right, .. } => {
            is_order_or_equality(*relation).then_some(())?;
            differences.push(arena.sub(*left, *right));
            (differences.len() <= LINE_COMPARISONS && !arena.overflowed()).then_some(())
        }
        Statement::Belongs { .. } | Statement::Atom(_) => None,
    }
}

/// Orders expressions by their size, then by their structure, and removes repetitions. The expression that is
/// prepared first has the most fuel, so the order must not depend on the sides of the comparison.
pub(super) fn by_size(arena: &Arena, expressions: &mut Vec<Id>) {
    expressions.sort_by_cached_key(|id| (arena.size(*id), arena.shape(*id), *id));
    expressions.dedup();
}

pub(super) fn is_order_or_equality(relation: Relation) -> bool {
    matches!(relation, Relation::Equal | Relation::NotEqual | Relation::Less | Relation::LessEqual)
}

fn prepare(
    arena: &mut Arena,
    difference: Id,
    unknown: Symbol,
    polynomials: &mut Vec<Polynomial>,
    cuts: &mut Vec<Coordinate>,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Comparison> {
    let Critical { kernels, places, plain, zeros } = critical(arena, difference, &[unknown])?;
    if !oracle.spend((conjugates(&kernels).saturating_pow(3) as u64 * NORM).min(NORM_WORK)) {
        return None;
    }
    let (mut own, mut mixed) = (Vec::new(), Vec::new());
    for place in &places {
        match place.univariate(0) {
            Some(polynomial) => {
                let polynomial = polynomial.normal();
                own.push(polynomial.clone());
                polynomials.push(polynomial);
            }
            None => {
                let first = cuts.len();
                roots_of(arena, Place { polynomial: place, kernels: &kernels, unknown }, cuts, oracle, 0)?;
                if zeros.contains(place) {
                    mixed.extend(cuts[first..].iter().filter_map(|cut| match cut {
                        Coordinate::Enclosed(root) => Some(root.function()),
                        _ => None,
                    }));
                }
            }
        }
    }
    mixed.dedup();
    Some(Comparison { difference, plain: plain.and_then(|plain| plain.univariate()), places: own, mixed })
}

/// Returns the cuts in increasing order, without repetitions.
pub(super) fn sorted(
    arena: &mut Arena,
    cuts: Vec<Coordinate>,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Vec<Coordinate>> {
    let mut ordered: Vec<Coordinate> = Vec::with_capacity(cuts.len());
    'next: for mut cut in cuts {
        let (mut low, mut high) = (0, ordered.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            match cut.compare(arena, &mut ordered[middle], oracle)? {
                Ordering::Less => high = middle,
                Ordering::Greater => low = middle + 1,
                Ordering::Equal => {
                    // The simpler of the two forms is kept.
                    if rank(&cut) < rank(&ordered[middle]) {
                        ordered[middle] = cut;
                    }
                    continue 'next;
                }
            }
        }
        if ordered.len() == LINE_CUTS {
            return None;
        }
        ordered.insert(low, cut);
    }
    Some(ordered)
}

fn rank(coordinate: &Coordinate) -> usize {
    match coordinate {
        Coordinate::Rational(_) => 0,
        Coordinate::Algebraic(number) => number.polynomial().degree(),
        Coordinate::Closed(_) => 1000,
        Coordinate::Enclosed(_) => 2000,
    }
}

/// Returns a rational number strictly between two cuts, with a small denominator if possible. The inner
/// `None` means that an integer is needed and none exists.
#[allow(clippy::option_option)]
pub(super) fn sample(
    arena: &mut Arena,
    below: Option<&mut Coordinate>,
    above: Option<&mut Coordinate>,
    integer: bool,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Option<Rational>> {
    let (low, high) = match (below, above) {
        (None, None) => return Some(Some(Rational::ZERO)),
        (None, Some(above)) => return neighbour(arena, above, Ordering::Less, oracle).map(Some),
        (Some(below), None) => return neighbour(arena, below, Ordering::Greater, oracle).map(Some),
        (Some(low), Some(high)) => (low, high),
    };
    let next = neighbour(arena, low, Ordering::Greater, oracle)?;
    let fits = |arena: &mut Arena,
                value: &Rational,
                oracle: &mut BoundedOracle<'_>,
                low: &mut Coordinate,
                high: &mut Coordinate| {
        let mut value = Coordinate::Rational(value.clone());
        Some(
            value.compare(arena, low, oracle)? == Ordering::Greater
                && value.compare(arena, high, oracle)? == Ordering::Less,
        )
    };
    if fits(arena, &next, oracle, low, high)? {
        return Some(Some(next));
    }
    if integer {
        return Some(None);
    }
    if let (Coordinate::Rational(low), Coordinate::Rational(high)) = (&*low, &*high) {
        return Some(Some(low.checked_add(high)?.checked_mul(&Rational::HALF)?));
    }
    let middle = f64::midpoint(low.nearest(arena, oracle)?, high.nearest(arena, oracle)?);
    if middle.abs() < 1e9 {
        for denominator in [2, 3, 5, 10, 100, 1000] {
            let numerator = libm::round(middle * denominator as f64) as i64;
            let short = Rational::new(numerator, denominator)?;
            if fits(arena, &short, oracle, low, high)? {
                return Some(Some(short));
            }
        }
    }
    for bits in [53, 128, 384] {
        let (a, b) = (low.ball(arena, bits, oracle).ok()?, high.ball(arena, bits, oracle).ok()?);
        let middle = a.plus(&b, bits + 64).ok()?.shifted(-1).center_rational()?;
        if fits(arena, &middle, oracle, low, high)? {
            return Some(Some(middle));
        }
    }
    None
}

/// Returns the nearest integer strictly beyond a number, in a direction.
fn neighbour(
    arena: &mut Arena,
    number: &mut Coordinate,
    direction: Ordering,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Rational> {
    if let Coordinate::Rational(value) = number {
        return if direction == Ordering::Greater {
            value.floor().checked_add(&Rational::ONE)
        } else {
            value.ceil().checked_sub(&Rational::ONE)
        };
    }
    let value = number.nearest(arena, oracle)?;
    if value.abs() > 1e15 {
        return None;
    }
    let start = if direction == Ordering::Greater { libm::floor(value) } else { libm::ceil(value) };
    for step in -1..=2 {
        let step = if direction == Ordering::Greater { step } else { -step };
        let candidate = Rational::from(start as i64 + step);
        let mut at = Coordinate::Rational(candidate.clone());
        if at.compare(arena, number, oracle)? == direction {
            return Some(candidate);
        }
    }
    None
}

fn admits(
    arena: &mut Arena,
    domain: &Domain,
    at: &mut Coordinate,
    oracle: &mut BoundedOracle<'_>,
) -> Option<bool> {
    if *domain == Domain::default() {
        return Some(true);
    }
    // Root finding does not recognise integers above a certain size, so they are recognised here.
    if domain.integer
        && !matches!(at, Coordinate::Rational(_))
        && let Some(value) = as_integer(arena, at, oracle)?
    {
        *at = Coordinate::Rational(value);
    }
    if let Coordinate::Rational(value) = at {
        return Some(domain.contains(value));
    }
    if domain.integer {
        return Some(false);
    }
    for (bound, beyond) in [(&domain.min, Ordering::Less), (&domain.max, Ordering::Greater)] {
        if let Some(bound) = bound
            && at.compare(arena, &mut Coordinate::Rational(bound.clone()), oracle)? == beyond
        {
            return Some(false);
        }
    }
    Some(true)
}

/// Returns the integer that is equal to a number; the inner `None` means that the number is not an integer.
#[allow(clippy::option_option)]
fn as_integer(
    arena: &mut Arena,
    at: &mut Coordinate,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Option<Rational>> {
    const PRECISIONS: [usize; 3] = [64, 192, 512];
    for bits in PRECISIONS {
        let center = at.ball(arena, bits, oracle).ok()?.center_rational()?;
        let near = center.checked_add(&Rational::HALF)?.floor();
        let mut integer = Coordinate::Rational(near.clone());
        let order = at.compare(arena, &mut integer, oracle)?;
        if order == Ordering::Equal {
            return Some(Some(near));
        }
        // The ball may be too wide for the center to be near.
        let next = if order == Ordering::Greater {
            near.checked_add(&Rational::ONE)?
        } else {
            near.checked_sub(&Rational::ONE)?
        };
        if at.compare(arena, &mut Coordinate::Rational(next), oracle)? == order.reverse() {
            return Some(None);
        }
    }
    None
}

impl Line {
    /// Returns the approximate cost of deciding the truth at one number.
    fn cost(&self) -> u64 {
        let degree = |comparison: &Comparison| match &comparison.plain {
            Some((numerator, denominator, poles)) => {
                numerator.degree()
                    + denominator.degree()
                    + poles.iter().map(Polynomial::degree).sum::<usize>()
            }
            None => 0,
        };
        self.comparisons.iter().map(|comparison| 60 + 4 * degree(comparison) as u64).sum()
    }

    /// Returns whether a statement holds at a number.
    fn holds(
        &self,
        arena: &mut Arena,
        statement: &Statement,
        at: &mut Coordinate,
        oracle: &mut BoundedOracle<'_>,
    ) -> Option<bool> {
        match statement {
            Statement::Constant(truth) => Some(*truth),
            Statement::Not(inner) => self.holds(arena, inner, at, oracle).map(|truth| !truth),
            Statement::And(parts) | Statement::Or(parts) => {
                let all = matches!(statement, Statement::And(_));
                let mut known = true;
                for part in parts {
                    match self.holds(arena, part, at, oracle) {
                        Some(truth) if truth != all => return Some(truth),
                        Some(_) => {}
                        None => known = false,
                    }
                }
                known.then_some(all)
            }
            Statement::Compare { left, relation, right, .. } => {
                let difference = arena.sub(*left, *right);
                let comparison = self.comparisons.iter().find(|known| known.difference == difference)?;
                match self.value(arena, comparison, at, oracle) {
                    Value::Undefined => Some(false),
                    Value::Sign(sign) => holds_with(*relation, sign),
                    Value::Unknown => None,
                }
            }
            Statement::Belongs { .. } | Statement::Atom(_) => None,
        }
    }

    fn value(
        &self,
        arena: &mut Arena,
        comparison: &Comparison,
        at: &mut Coordinate,
        oracle: &mut BoundedOracle<'_>,
    ) -> Value {
        if let Some((numerator, denominator, poles)) = &comparison.plain {
            match at {
                Coordinate::Rational(value) => {
                    if poles.iter().any(|pole| pole.sign_at(value) == Ordering::Equal) {
                        return Value::Undefined;
                    }
                    return Value::Sign(times(numerator.sign_at(value), denominator.sign_at(value)));
                }
                Coordinate::Algebraic(number) => {
                    for pole in poles {
                        match number.sign_of(pole) {
                            Some(Ordering::Equal) => return Value::Undefined,
                            Some(_) => {}
                            None => return Value::Unknown,
                        }
                    }
                    return match (number.sign_of(numerator), number.sign_of(denominator)) {
                        (Some(a), Some(b)) => Value::Sign(times(a, b)),
                        _ => Value::Unknown,
                    };
                }
                Coordinate::Closed(_) | Coordinate::Enclosed(_) => {}
            }
        }
        let mark = arena.mark();
        let value = match at.expression(arena) {
            Some(id) => {
                let value = arena.substitute(comparison.difference, self.unknown, id);
                oracle.value(arena, value)
            }
            None => self.value_near(arena, comparison, at, oracle),
        };
        if !arena.overflowed() {
            arena.truncate(&mark);
        }
        value
    }

    /// Returns the sign of the difference at a number without a formula. At a root of one of its factors, the
    /// sign is 0 if the difference is defined there. Otherwise balls decide. If they cannot exclude 0 at a
    /// possible zero, the sign is 0 if the difference agrees with 0 to [`AGREED_BITS`](super::AGREED_BITS)
    /// bits.
    fn value_near(
        &self,
        arena: &Arena,
        comparison: &Comparison,
        at: &mut Coordinate,
        oracle: &mut BoundedOracle<'_>,
    ) -> Value {
        if let Coordinate::Enclosed(root) = &*at
            && comparison.mixed.contains(&root.function())
            && oracle.is_defined_at(arena, comparison.difference, self.unknown, at)
        {
            return Value::Sign(Ordering::Equal);
        }
        let value = oracle.value_at(arena, comparison.difference, self.unknown, at);
        if value != Value::Unknown {
            return value;
        }
        let is_root = match &mut *at {
            Coordinate::Algebraic(number) => {
                comparison.places.iter().any(|place| number.sign_of(place) == Some(Ordering::Equal))
            }
            Coordinate::Enclosed(_) => true,
            _ => false,
        };
        if is_root && oracle.is_tiny(arena, comparison.difference, self.unknown, at) {
            oracle.note_agreement(1, super::AGREED_BITS);
            return Value::Sign(Ordering::Equal);
        }
        Value::Unknown
    }
}

fn times(a: Ordering, b: Ordering) -> Ordering {
    match b {
        Ordering::Less => a.reverse(),
        Ordering::Equal => Ordering::Equal,
        Ordering::Greater => a,
    }
}

/// Returns whether a comparison with 0 holds for a sign.
pub(super) fn holds_with(relation: Relation, sign: Ordering) -> Option<bool> {
    match relation {
        Relation::Equal => Some(sign == Ordering::Equal),
        Relation::NotEqual => Some(sign != Ordering::Equal),
        Relation::Less => Some(sign == Ordering::Less),
        Relation::LessEqual => Some(sign != Ordering::Greater),
        _ => None,
    }
}
