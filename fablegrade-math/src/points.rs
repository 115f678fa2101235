//! Deterministic points at which expressions are compared.
//!
//! [`SamplingHints`] state which variables of the expressions need integers (`(-2)^n`, `n!`, bounds of sums)
//! and where the pieces of piecewise expressions meet. [`Points::new`] then draws points from a seed. They
//! cover several scales and both signs, and lie on both sides of breakpoints.
//! Variables that need integers get integers and other numbers, or only integers if the expressions have no
//! value elsewhere. All coordinates are doubles, so they are exact in every evaluation.

use crate::evaluate::LANES;
use crate::expr::{Arena, CanonicalOrder, Constant, Id, Node, Symbol, Symbols, mix};
use crate::functions::{SuitablePoints, ValueSigns};
use crate::limits::{BREAKPOINTS, COORDINATE_ATTEMPTS};
use crate::number::Rational;
use crate::random::split_mix;
use smallvec::SmallVec;
use std::borrow::Cow;

/// The domain of a variable. Bounds are inclusive.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Domain {
    /// The smallest value.
    pub min: Option<Rational>,
    /// The largest value.
    pub max: Option<Rational>,
    /// `true` if only integers are allowed.
    pub integer: bool,
    /// Excluded values.
    pub exclude: Vec<Rational>,
}

impl Domain {
    /// Returns whether the domain contains a value.
    pub fn contains(&self, value: &Rational) -> bool {
        self.min.as_ref().is_none_or(|min| min <= value)
            && self.max.as_ref().is_none_or(|max| value <= max)
            && (!self.integer || value.is_integer())
            && !self.exclude.contains(value)
    }

    /// Returns whether the domain contains all reals.
    pub(crate) fn is_everything(&self) -> bool {
        self.min.is_none() && self.max.is_none() && !self.integer && self.exclude.is_empty()
    }

    /// Returns a hash that distinguishes domains, the same on every platform; 0 for all reals.
    fn fingerprint(&self) -> u64 {
        if self.is_everything() {
            return 0;
        }
        let bound = |bound: &Rational| bound.to_f64().to_bits();
        let ends = [&self.min, &self.max].map(|end| end.as_ref().map_or(1, bound));
        let excluded = self.exclude.iter().fold(0u64, |all, value| all.wrapping_add(mix(7, bound(value))));
        [ends[0], ends[1], u64::from(self.integer), excluded].into_iter().fold(3, mix)
    }

    /// Returns whether the domain contains no value.
    pub fn is_empty(&self) -> bool {
        let (Some(min), Some(max)) = (&self.min, &self.max) else { return false };
        if !self.integer {
            return min > max || min == max && self.exclude.contains(min);
        }
        let (first, last) = (min.ceil(), max.floor());
        let mut value = first;
        // Among more candidates than excluded values, at least one is in the domain.
        for _ in 0..=self.exclude.len() {
            if value > last {
                return true;
            }
            if !self.exclude.contains(&value) {
                return false;
            }
            let Some(next) = value.checked_add(&Rational::ONE) else { return false };
            value = next;
        }
        false
    }
}

/// A variable of a comparison.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// The symbol in the arena.
    pub symbol: Symbol,
    /// Its domain.
    pub domain: Domain,
}

impl Variable {
    /// Returns a variable over all reals.
    pub fn real(symbol: Symbol) -> Variable {
        Variable { symbol, domain: Domain::default() }
    }
}

/// Sorts the variables of `roots`, whose parts are `parts`, canonically: by their domains and their
/// occurrences, not by their names.
pub(crate) fn sort_variables(
    arena: &Arena,
    (roots, parts): (&[Id], &[Id]),
    variables: &mut [Variable],
    order: &mut CanonicalOrder,
) {
    if variables.len() < 2 {
        return;
    }
    let symbols: SmallVec<[Symbol; 8]> = variables.iter().map(|variable| variable.symbol).collect();
    let mut keys: SmallVec<[u64; 8]> =
        variables.iter().map(|variable| variable.domain.fingerprint()).collect();
    order.refine(arena, (roots, parts), &symbols, &mut keys);
    let key = |variable: &Variable| {
        let at = symbols.iter().position(|&symbol| symbol == variable.symbol);
        at.and_then(|at| keys.get(at)).copied().unwrap_or_default()
    };
    variables.sort_by_key(key);
}

/// Preferences and conditions for the sample points.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SamplingHints {
    /// Variables that should often be integers, because a part may have no value elsewhere.
    pub integers_preferred: Symbols,
    /// Variables that must be integers for the expressions to have a value.
    pub integers_only: Symbols,
    /// `true` if there are step functions, whose steps should be sampled exactly.
    pub steps: bool,
    /// The points at which linear and pure quadratic parts vanish.
    breakpoints: Vec<(Symbol, Rational)>,
    /// For sums and products that begin or end far from 0, the domains in which they have terms.
    ranges: Vec<(Symbol, Domain)>,
}

impl SamplingHints {
    /// Collects the hints from all parts of `roots`.
    pub fn new(arena: &Arena, roots: &[Id]) -> SamplingHints {
        SamplingHints::of_parts(arena, roots, &arena.reachable(roots))
    }

    /// Works like [`SamplingHints::new`] with known parts of `roots`.
    pub(crate) fn of_parts(arena: &Arena, roots: &[Id], parts: &[Id]) -> SamplingHints {
        let mut hints = SamplingHints::default();
        let free = roots.iter().fold(Symbols::NONE, |all, &root| all.union(arena.free(root)));
        for &id in parts {
            match arena.node(id) {
                Node::Power(base, exponent)
                    if !arena.is_constant(exponent) && may_be_negative(arena, base) =>
                {
                    hints.integers_preferred = hints.integers_preferred.union(arena.free(exponent));
                }
                Node::Apply(function, _) => match function.points() {
                    SuitablePoints::WholeNumbersToo => {
                        hints.integers_preferred = hints.integers_preferred.union(arena.free(id));
                    }
                    SuitablePoints::WholeNumbers => {
                        hints.integers_only = hints.integers_only.union(arena.free(id));
                    }
                    SuitablePoints::Steps => hints.steps = true,
                    SuitablePoints::Anywhere => {}
                },
                Node::Series(_, _, from, to, _) => {
                    let bounds = arena.free(from).union(arena.free(to));
                    hints.integers_only = hints.integers_only.union(bounds);
                    // An empty sum inside another sum is 0, so bounds with an outer index set no range.
                    if !bounds.is_empty() && bounds.without(free).is_empty() {
                        hints.note_range(arena, from, to);
                    }
                }
                Node::Sum(terms) => hints.note_roots(arena, terms),
                _ => {}
            }
        }
        hints.breakpoints.sort();
        hints.breakpoints.dedup();
        hints
    }

    /// Returns the smallest breakpoints of a variable, in increasing order.
    pub fn breakpoints(&self, symbol: Symbol) -> impl Iterator<Item = &Rational> {
        self.breakpoints
            .iter()
            .filter(move |(variable, _)| *variable == symbol)
            .map(|(_, at)| at)
            .take(BREAKPOINTS)
    }

    /// Records the roots of `a x + b` and `a x^2 + b`.
    fn note_roots(&mut self, arena: &Arena, terms: &[Id]) {
        let &[first, second] = terms else { return };
        let (number, term) = match (arena.as_number(first), arena.as_number(second)) {
            (Some(number), None) => (number, second),
            (None, Some(number)) => (number, first),
            _ => return,
        };
        let Some((factor, rest)) = multiple(arena, term) else { return };
        let Some(quotient) = number.checked_div(&factor) else { return };
        let at = quotient.negated();
        match arena.node(rest) {
            Node::Symbol(symbol) => self.breakpoints.push((symbol, at)),
            Node::Power(base, Arena::TWO) => {
                if let Node::Symbol(symbol) = arena.node(base)
                    && at.is_positive()
                {
                    // A double next to the root is enough, because the points lie on both sides of it.
                    let root = at.exact_root(2).or_else(|| Rational::from_f64(at.to_f64().sqrt()));
                    if let Some(root) = root {
                        self.breakpoints.push((symbol, root.negated()));
                        self.breakpoints.push((symbol, root));
                    }
                }
            }
            _ => {}
        }
    }

    /// Records the values of names for which a sum has terms, if its bounds are linear.
    fn note_range(&mut self, arena: &Arena, from: Id, to: Id) {
        let mut constant = Rational::ZERO;
        let mut multiples: SmallVec<[(Symbol, Rational); 4]> = SmallVec::new();
        for (bound, sign) in [(to, Rational::ONE), (from, Rational::integer(-1))] {
            let terms = match arena.node(bound) {
                Node::Sum(terms) => terms,
                _ => &[bound],
            };
            for &term in terms {
                if let Some(number) = arena.as_number(term) {
                    let Some(sum) = sign.checked_mul(number).and_then(|number| constant.checked_add(&number))
                    else {
                        return;
                    };
                    constant = sum;
                } else {
                    let Some((factor, rest)) = multiple(arena, term) else { return };
                    let (Node::Symbol(symbol), Some(factor)) = (arena.node(rest), factor.checked_mul(&sign))
                    else {
                        return;
                    };
                    multiples.push((symbol, factor));
                }
            }
        }
        let near = Rational::integer(NEAR);
        if !constant.is_negative() || constant.absolute() <= near {
            return;
        }
        // If more terms result from larger values of some names, only these names get a range.
        let grows = multiples.iter().any(|(_, factor)| factor.is_positive());
        for (symbol, factor) in &multiples {
            let Some(at) = constant.negated().checked_div(factor) else { continue };
            let range = if factor.is_positive() {
                Domain { min: Some(at), ..Domain::default() }
            } else if grows {
                continue;
            } else {
                Domain { max: Some(at), ..Domain::default() }
            };
            self.ranges.push((*symbol, range));
        }
    }

    /// Returns the part of a variable's domain in which sums have terms, or the domain if there is none.
    fn range_of<'d>(&self, variable: &'d Variable) -> Cow<'d, Domain> {
        let mut range = Cow::Borrowed(&variable.domain);
        for (_, other) in self.ranges.iter().filter(|(symbol, _)| *symbol == variable.symbol) {
            let range = range.to_mut();
            range.min = range.min.take().max(other.min.clone());
            range.max = match (range.max.take(), other.max.clone()) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
        }
        if range.is_empty() { Cow::Borrowed(&variable.domain) } else { range }
    }
}

/// Splits a term into a number and the rest; `None` if it is a longer product.
fn multiple(arena: &Arena, term: Id) -> Option<(Rational, Id)> {
    match arena.node(term) {
        Node::Product(&[left, right]) => match (arena.as_number(left), arena.as_number(right)) {
            (Some(factor), None) => Some((factor.clone(), right)),
            (None, Some(factor)) => Some((factor.clone(), left)),
            _ => None,
        },
        _ => Some((Rational::ONE, term)),
    }
}

/// Returns whether a base may be negative, judged by its form. A power of it with a variable exponent may
/// then be undefined between the integers.
fn may_be_negative(arena: &Arena, base: Id) -> bool {
    match arena.node(base) {
        Node::Number(number) => number.is_negative(),
        Node::Constant(constant) => matches!(constant, Constant::I),
        Node::Product(parts) | Node::Sum(parts) => parts.iter().any(|&part| may_be_negative(arena, part)),
        Node::Power(inner, exponent) => match arena.as_number(exponent) {
            Some(number) if number.has_even_numerator() || number.has_even_denominator() => false,
            _ => may_be_negative(arena, inner),
        },
        Node::Apply(function, _) => function.sign() != ValueSigns::NotNegative,
        _ => true,
    }
}

/// Points in blocks of eight, column by column, which is the layout that the evaluator expects.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Points {
    columns: usize,
    count: usize,
    blocks: Vec<[f64; LANES]>,
}

impl Points {
    /// Creates `generic` points (rounded up to whole blocks) and the points that the hints require.
    ///
    /// A coordinate that cannot be drawn, for example from an empty domain, is NaN, which every evaluation
    /// reports as unknown.
    /// The first block suits most expressions: it has positive, mixed and negative points of magnitudes
    /// between 0.1 and 50.
    pub fn new(variables: &[Variable], hints: &SamplingHints, seed: u64, generic: usize) -> Points {
        let mut points = Points::default();
        points.draw(variables, hints, seed, generic);
        points
    }

    /// Works like [`Points::new`], but reuses the buffers.
    pub fn draw(&mut self, variables: &[Variable], hints: &SamplingHints, seed: u64, generic: usize) {
        self.columns = variables.len();
        self.count = 0;
        self.blocks.clear();
        let mut stream = Stream { state: seed };
        let first = generic.min(LANES);
        self.blocks.reserve(variables.len() * (generic.div_ceil(LANES) + 1));
        for index in 0..first {
            self.push(variables.iter().map(|variable| coordinate(variable, hints, &mut stream, index)));
        }
        if !hints.breakpoints.is_empty() || hints.steps {
            self.push_pieces(variables, hints, &mut stream);
        }
        for index in first..generic {
            self.push(variables.iter().map(|variable| coordinate(variable, hints, &mut stream, index)));
        }
        // The last block is filled with further points.
        let mut index = generic;
        while !self.count.is_multiple_of(LANES) {
            self.push(variables.iter().map(|variable| coordinate(variable, hints, &mut stream, index)));
            index += 1;
        }
    }

    /// Adds points between and beyond the breakpoints, and on them if there are step functions.
    fn push_pieces(&mut self, variables: &[Variable], hints: &SamplingHints, stream: &mut Stream) {
        let mut ends = Vec::new();
        for chosen in variables {
            ends.clear();
            ends.extend(hints.breakpoints(chosen.symbol).map(Rational::to_f64));
            for piece in 0..=ends.len() {
                if ends.is_empty() {
                    break;
                }
                let below = piece.checked_sub(1).and_then(|at| ends.get(at)).copied();
                let above = ends.get(piece).copied();
                for near in [false, true] {
                    let unit = stream.unit();
                    let at = match (below, above) {
                        (Some(low), Some(high)) if near => low + (high - low) * unit * unit,
                        (Some(low), Some(high)) => low + (high - low) * unit,
                        (Some(low), None) if near => low + unit,
                        (Some(low), None) => low + (1.0 + low.abs()) * (0.25 + 2.0 * unit),
                        (None, Some(high)) if near => high - unit,
                        (None, Some(high)) => high - (1.0 + high.abs()) * (0.25 + 2.0 * unit),
                        (None, None) => unit,
                    };
                    self.push_with(variables, chosen, short(at), hints, stream);
                }
                if let Some(end) = above.filter(|_| hints.steps) {
                    self.push_with(variables, chosen, end, hints, stream);
                }
            }
        }
        if hints.steps {
            for round in 0..4u64 {
                let row = variables.iter().map(|variable| {
                    let whole = (stream.next() % 13) as f64 - 6.0;
                    let at = if round % 2 == 0 { whole } else { whole + 0.5 };
                    if admits(&variable.domain, at) { at } else { coordinate(variable, hints, stream, 0) }
                });
                // The iterator borrows the stream, so the row is collected first.
                let row: SmallVec<[f64; 8]> = row.collect();
                self.push(row.into_iter());
            }
        }
    }

    fn push_with(
        &mut self,
        variables: &[Variable],
        chosen: &Variable,
        at: f64,
        hints: &SamplingHints,
        stream: &mut Stream,
    ) {
        if !admits(&chosen.domain, at) {
            return;
        }
        let index = self.count;
        let row: SmallVec<[f64; 8]> = variables
            .iter()
            .map(|variable| {
                if variable.symbol == chosen.symbol { at } else { coordinate(variable, hints, stream, index) }
            })
            .collect();
        self.push(row.into_iter());
    }

    #[inline]
    fn push(&mut self, row: impl Iterator<Item = f64>) {
        let (block, lane) = (self.count / LANES, self.count % LANES);
        if lane == 0 {
            self.blocks.resize((block + 1) * self.columns, [f64::NAN; LANES]);
        }
        for (column, value) in row.enumerate() {
            if let Some(lanes) = self.blocks.get_mut(block * self.columns + column) {
                lanes[lane] = value;
            }
        }
        self.count += 1;
    }

    /// Creates points from rows of coordinates; rows of the wrong length are skipped. The last block is
    /// filled with NaN.
    pub fn from_rows<'a>(columns: usize, rows: impl IntoIterator<Item = &'a [f64]>) -> Points {
        let mut points = Points { columns, ..Points::default() };
        for row in rows {
            if row.len() == columns {
                points.push(row.iter().copied());
            }
        }
        points
    }

    /// Returns the number of points.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the number of variables.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the number of blocks, the last one possibly incomplete.
    pub fn block_count(&self) -> usize {
        self.count.div_ceil(LANES)
    }

    /// Returns one block: a column of eight values per variable. Empty if there is no such block or no
    /// variable.
    pub fn block(&self, block: usize) -> &[[f64; LANES]] {
        self.blocks.get(block * self.columns..(block + 1) * self.columns).unwrap_or(&[])
    }

    /// Returns a coordinate of a point; NaN if there is no such point or column.
    pub fn coordinate(&self, point: usize, column: usize) -> f64 {
        if column >= self.columns {
            return f64::NAN;
        }
        self.blocks.get(point / LANES * self.columns + column).map_or(f64::NAN, |lanes| lanes[point % LANES])
    }

    /// Returns all coordinates of a point.
    pub fn row(&self, point: usize) -> impl Iterator<Item = f64> + '_ {
        (0..self.columns).map(move |column| self.coordinate(point, column))
    }
}

/// Ranges of magnitudes and rules for the signs of the generic points, used in turn.
const CLASSES: [(f64, f64, Signs); 12] = [
    (0.5, 2.0, Signs::Positive),
    (0.1, 0.9, Signs::Positive),
    (0.5, 3.0, Signs::Either),
    (1.1, 4.0, Signs::Positive),
    (0.1, 0.9, Signs::Either),
    (0.3, 3.0, Signs::Negative),
    (5.0, 50.0, Signs::Positive),
    (0.9, 1.1, Signs::Either),
    (2.0, 12.0, Signs::Either),
    (20.0, 400.0, Signs::Either),
    (0.001, 0.1, Signs::Either),
    (1.0, 8.0, Signs::Negative),
];

/// The size up to which the usual integers are large enough for the bounds of sums.
const NEAR: i64 = 4;

/// Classes with at least this magnitude draw integers from a larger range.
const FAR_CLASS: f64 = 20.0;

#[derive(Clone, Copy, PartialEq)]
enum Signs {
    Positive,
    Negative,
    Either,
}

#[inline]
fn coordinate(variable: &Variable, hints: &SamplingHints, stream: &mut Stream, index: usize) -> f64 {
    let (low, high, signs) = CLASSES[index % CLASSES.len()];
    let domain = &variable.domain;
    let only = domain.integer || hints.integers_only.contains(variable.symbol);
    // Of twelve consecutive generic points, eight are integers if the hints ask for them.
    let preferred = hints.integers_preferred.contains(variable.symbol) && index % 3 != 2;
    if !only && !preferred && domain.is_everything() {
        return short(generic(low, high, signs, stream).1);
    }
    within(variable, hints, stream, (low, high, signs), only || preferred)
}

/// Draws a coordinate of a variable with a domain or of integers.
#[inline(never)]
fn within(
    variable: &Variable,
    hints: &SamplingHints,
    stream: &mut Stream,
    (low, high, signs): (f64, f64, Signs),
    integer: bool,
) -> f64 {
    let domain = &variable.domain;
    let range = if hints.ranges.is_empty() { Cow::Borrowed(domain) } else { hints.range_of(variable) };
    for _ in 0..COORDINATE_ATTEMPTS {
        let at = if integer {
            whole(&range, signs, low >= FAR_CLASS, stream)
        } else {
            real(domain, low, high, signs, stream)
        };
        if admits(domain, at) {
            return at;
        }
    }
    // In a narrow domain, any value is used.
    let low = domain.min.as_ref().map(Rational::to_f64);
    let high = domain.max.as_ref().map(Rational::to_f64);
    for at in [
        low,
        high,
        low.map(f64::next_up),
        high.map(f64::next_down),
        low.zip(high).map(|(a, b)| f64::midpoint(a, b)),
    ] {
        if let Some(at) = at.filter(|&at| admits(domain, at)) {
            return at;
        }
    }
    f64::NAN
}

/// Draws a value of a class; returns its position between 0 and 1 in the class, and the value.
fn generic(low: f64, high: f64, signs: Signs, stream: &mut Stream) -> (f64, f64) {
    let unit = stream.unit();
    let size = low + (high - low) * unit;
    let positive = match signs {
        Signs::Positive => true,
        Signs::Negative => false,
        Signs::Either => stream.next() & 1 == 0,
    };
    (unit, if positive { size } else { -size })
}

fn real(domain: &Domain, low: f64, high: f64, signs: Signs, stream: &mut Stream) -> f64 {
    let (unit, at) = generic(low, high, signs, stream);
    let size = at.abs();
    let min = domain.min.as_ref().map(Rational::to_f64);
    let max = domain.max.as_ref().map(Rational::to_f64);
    match (min, max) {
        (None, None) => short(at),
        // A point that is already in the domain keeps its scale.
        (Some(min), None) if at > min => short(at),
        (None, Some(max)) if at < max => short(at),
        (Some(min), None) => short(min + size),
        (None, Some(max)) => short(max - size),
        (Some(min), Some(max)) => match signs {
            Signs::Either => inside(min, max, unit),
            Signs::Positive => inside(min, max, unit * unit),
            Signs::Negative => inside(min, max, 1.0 - unit * unit),
        },
    }
}

fn inside(min: f64, max: f64, unit: f64) -> f64 {
    let at = min + (max - min) * unit;
    let rounded = short(at);
    if rounded > min && rounded < max { rounded } else { at }
}

/// Draws an integer of a domain, usually a small one.
fn whole(domain: &Domain, signs: Signs, far: bool, stream: &mut Stream) -> f64 {
    let min = domain.min.as_ref().map(|bound| bound.ceil().to_f64());
    let max = domain.max.as_ref().map(|bound| bound.floor().to_f64());
    let word = stream.next();
    // Large integers are needed for expressions that vanish at the first ones, such as `\binom{n}{12}`.
    let reach = if far { 97 } else { [6u64, 9, 14, 7][(word >> 60) as usize & 3] };
    let step = (word % (reach + 1)) as f64;
    match (min, max) {
        (None, None) => match signs {
            // Three quarters of the mixed points are not negative, because most sequences start at 0 or 1.
            Signs::Either if word >> 50 & 3 != 0 => step,
            Signs::Either | Signs::Negative => -step,
            Signs::Positive => step + 1.0,
        },
        (Some(min), None) => min + step,
        (None, Some(max)) => max - step,
        (Some(min), Some(max)) => {
            let span = (max - min + 1.0).clamp(1.0, 1e15);
            min + (word % (span as u64).max(1)) as f64
        }
    }
}

/// Returns whether a value lies in a domain, decided exactly.
pub(crate) fn admits(domain: &Domain, at: f64) -> bool {
    if domain.is_everything() {
        return at.is_finite();
    }
    Rational::from_f64(at).is_some_and(|exact| domain.contains(&exact))
}

/// Truncates to 26 significant bits, so squares are exact.
fn short(at: f64) -> f64 {
    f64::from_bits(at.to_bits() & !((1 << 27) - 1))
}

/// A stream of pseudo-random words.
struct Stream {
    state: u64,
}

impl Stream {
    fn next(&mut self) -> u64 {
        split_mix(&mut self.state)
    }

    /// Draws a number between 0 and 1, both excluded.
    fn unit(&mut self) -> f64 {
        ((self.next() >> 12) as f64 + 0.5) / (1u64 << 52) as f64
    }
}

#[cfg(test)]
mod tests;
