//! Limits by truncated Laurent series.
//!
//! The variable is written as the point plus or minus `t`, or as `±1/t`, with a small positive `t`, so roots
//! and absolute values have definite signs. Series usually keep [`TERMS`] terms. Leading coefficients must
//! certainly be nonzero. Where roots of the variable occur, `t` is a power of the small number. The logarithm of `t` is
//! a coefficient: it is smaller than every negative power of `t`. Numbers are tested exactly, other coefficients by the exact normal form and then by
//! floats with error bounds. Coefficients with other variables are evaluated at points, so limits hold for
//! general values of these variables. Other limits are not evaluated, so comparisons with them stay
//! undecided.

use crate::canonical::same_normal_form;
use crate::decide::range_of;
use crate::evaluate::{ComplexEvaluator, ComplexValue, Evaluator, LANES, Program, constant_sign};
use crate::expr::{Arena, Constant, Direction, Function, Id, Node, Symbol};
use crate::functions::{Image, SuitablePoints};
use crate::limits::{Fuel, LIMIT_NODES, LIMIT_ORDER, LIMIT_PARTS, NORMAL_FORM};
use crate::number::Rational;
use crate::points::{Points, SamplingHints, Variable};

/// The number of terms of a series.
const TERMS: usize = 7;

/// The sum of `terms[k] t^(order + k)`, up to terms of higher order.
///
/// If it is exact, the rest is smaller than every power of `t`. Otherwise, a series without terms is known
/// only to be of its order or smaller.
#[derive(Clone, Debug)]
struct Laurent {
    order: i64,
    terms: Vec<Id>,
    is_exact: bool,
}

impl Laurent {
    /// The series of 0 and of every function that is smaller than all powers of `t`.
    const SMALL: Self = Self { order: 0, terms: Vec::new(), is_exact: true };

    fn is_small(&self) -> bool {
        self.is_exact && self.terms.is_empty()
    }

    /// Returns whether the series differs from its constant term by less than every power of `t`.
    fn is_constant(&self) -> bool {
        self.is_small() || self.is_exact && self.order == 0 && self.last() == Some(0)
    }

    /// Returns the index of the last term that is not known to be 0.
    fn last(&self) -> Option<usize> {
        self.terms.iter().rposition(|&term| term != Arena::ZERO)
    }

    /// Returns the exponent of the first term that is not known.
    fn end(&self) -> Option<i64> {
        self.order.checked_add(self.terms.len() as i64)
    }
}

/// The limit of an expression.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Tends {
    To(Id),
    /// Plus infinity (`true`) or minus infinity (`false`).
    Infinity(bool),
}

/// Returns a limit, which can be infinite, or `None` if it does not exist or cannot be computed.
pub(super) fn limit(arena: &mut Arena, symbol: Symbol, point: Id, side: Direction, body: Id) -> Option<Id> {
    if arena.size(body) > LIMIT_PARTS {
        return None;
    }
    let (infinite, sides) = sides(arena, point, side);
    let mut found: Option<Tends> = None;
    for &above in sides {
        let roots = common_root(arena, body, symbol);
        let steps = if roots > 1 { &[1, roots][..] } else { &[1] };
        let next = steps
            .iter()
            .find_map(|&root| Expansion { arena, symbol, point, above, infinite, root }.tends(body))?;
        match found {
            None => found = Some(next),
            Some(before) if before == next => {}
            Some(Tends::To(a)) => match next {
                Tends::To(b) if same_normal_form(arena, [a, b], &mut Fuel::new(NORMAL_FORM)) => {}
                _ => return None,
            },
            Some(_) => return None,
        }
    }
    if arena.overflowed() {
        return None;
    }
    Some(match found? {
        Tends::To(value) => value,
        Tends::Infinity(plus) => {
            let infinity = arena.constant(Constant::Infinity);
            if plus { infinity } else { arena.neg(infinity) }
        }
    })
}

/// Returns whether an expression is certainly positive near a point, on the given sides.
pub(super) fn is_positive_near(
    arena: &mut Arena,
    symbol: Symbol,
    (point, side): (Id, Direction),
    body: Id,
) -> bool {
    if arena.size(body) > LIMIT_PARTS {
        return false;
    }
    let (is_infinite, sides) = sides(arena, point, side);
    sides.iter().all(|&above| {
        let series =
            Expansion { arena, symbol, point, above, infinite: is_infinite, root: 1 }.expand(body, 0);
        let leading = series.and_then(|series| series.terms.first().copied());
        leading.is_some_and(|leading| sign(arena, leading) == Some(1))
    })
}

/// Returns whether the point is infinite, and from which sides it is approached; `true` is from above.
fn sides(arena: &Arena, point: Id, side: Direction) -> (bool, &'static [bool]) {
    let infinite = crate::lower::infinity(arena, point);
    let sides: &[bool] = match (infinite, side) {
        (Some(true), _) | (None, Direction::Above) => &[true],
        (Some(false), _) | (None, Direction::Below) => &[false],
        (None, Direction::Both) => &[true, false],
    };
    (infinite.is_some(), sides)
}

struct Expansion<'a> {
    arena: &'a mut Arena,
    symbol: Symbol,
    point: Id,
    above: bool,
    infinite: bool,
    /// The variable differs from the point by this power of `t`.
    root: usize,
}

/// Returns the common denominator of the exponents of parts with the variable; 1 if it is above 6.
fn common_root(arena: &Arena, body: Id, symbol: Symbol) -> usize {
    let mut root = 1usize;
    for part in arena.reachable(&[body]) {
        let Node::Power(base, exponent) = arena.node(part) else { continue };
        if !arena.free(base).contains(symbol) {
            continue;
        }
        let below = arena.as_number(exponent).and_then(|exponent| {
            (1..=6).find(|below| {
                exponent.checked_mul(&Rational::from(*below as i64)).is_some_and(|whole| whole.is_integer())
            })
        });
        let Some(below) = below else { continue };
        if let Some(common) = (1..=6).find(|common| common % root == 0 && common % below == 0) {
            root = common;
        }
    }
    root
}

/// Returns the name of the logarithm of `t` in coefficients.
fn logarithm(arena: &mut Arena) -> Symbol {
    arena.symbol("\u{2022}ln")
}

impl Expansion<'_> {
    fn tends(&mut self, body: Id) -> Option<Tends> {
        let series = self.expand(body, 0)?;
        let logarithm = logarithm(self.arena);
        if let Some(&leading) = series.terms.first()
            && series.order <= 0
            && self.arena.free(leading).contains(logarithm)
        {
            // The coefficient is a rational function of the logarithm, which tends to minus infinity.
            let point = self.point;
            let arena = &mut *self.arena;
            let mut of_logarithm =
                Expansion { arena, symbol: logarithm, point, above: false, infinite: true, root: 1 };
            let series_of_leading = of_logarithm.expand(leading, 0)?;
            return match of_logarithm.limit_of(&series_of_leading)? {
                Tends::To(_) if series.order < 0 => None,
                tends => Some(tends),
            };
        }
        self.limit_of(&series)
    }

    /// Returns the limit of a series whose leading coefficient is a number.
    fn limit_of(&self, series: &Laurent) -> Option<Tends> {
        match series.terms.first() {
            _ if series.is_small() || series.order > 0 => Some(Tends::To(Arena::ZERO)),
            None => None,
            Some(&leading) if series.order == 0 => Some(Tends::To(leading)),
            Some(&leading) => sign(self.arena, leading).map(|sign| Tends::Infinity(sign > 0)),
        }
    }

    fn constant(value: Id) -> Laurent {
        let mut terms = vec![Arena::ZERO; TERMS];
        terms[0] = value;
        Laurent { order: 0, terms, is_exact: true }
    }

    /// Removes leading zeros; returns `None` if a leading term may be zero, or if the order or the arena exceeds
    /// its limit.
    fn settled(&mut self, mut series: Laurent) -> Option<Laurent> {
        while let Some(&leading) = series.terms.first() {
            if vanishes(self.arena, leading)? {
                series.terms.remove(0);
                series.order = series.order.checked_add(1)?;
            } else {
                break;
            }
        }
        if series.is_small() {
            return Some(Laurent::SMALL);
        }
        let is_within = series.order.unsigned_abs() <= LIMIT_ORDER && self.arena.len() <= LIMIT_NODES;
        is_within.then_some(series)
    }

    /// Expands a node into a series; `depth` limits the recursion.
    fn expand(&mut self, id: Id, depth: u32) -> Option<Laurent> {
        if depth > 60 {
            return None;
        }
        if !self.arena.free(id).contains(self.symbol) {
            return Some(if vanishes(self.arena, id)? { Laurent::SMALL } else { Self::constant(id) });
        }
        match self.arena.node(id) {
            Node::Symbol(_) => {
                let unit = if self.above { Arena::ONE } else { Arena::MINUS_ONE };
                let mut terms = vec![Arena::ZERO; TERMS];
                if self.infinite {
                    terms[0] = unit;
                    return Some(Laurent { order: -(self.root as i64), terms, is_exact: true });
                }
                terms[0] = self.point;
                *terms.get_mut(self.root)? = unit;
                self.settled(Laurent { order: 0, terms, is_exact: true })
            }
            Node::Sum(parts) => {
                let parts = parts.to_vec();
                let mut all = Vec::with_capacity(parts.len());
                for part in parts {
                    all.push(self.expand(part, depth + 1)?);
                }
                self.sum(&all)
            }
            Node::Product(parts) => {
                let parts = parts.to_vec();
                let mut all = Self::constant(Arena::ONE);
                for part in parts {
                    let part = self.expand(part, depth + 1)?;
                    all = self.product(&all, &part)?;
                }
                Some(all)
            }
            Node::Power(base, exponent) if !self.arena.free(exponent).contains(self.symbol) => {
                let base = self.expand(base, depth + 1)?;
                self.power(&base, exponent)
            }
            Node::Power(base, exponent) => {
                let exponent = self.expand(exponent, depth + 1)?;
                if matches!(self.arena.node(base), Node::Constant(Constant::E)) {
                    return self.exp(&exponent);
                }
                let base = self.expand(base, depth + 1)?;
                let logarithm = self.ln(&base)?;
                let exponent = self.product(&exponent, &logarithm)?;
                self.exp(&exponent)
            }
            Node::Apply(function, &[argument]) => {
                let argument = self.expand(argument, depth + 1)?;
                self.apply(function, &argument)
            }
            _ => None,
        }
    }

    fn sum(&mut self, parts: &[Laurent]) -> Option<Laurent> {
        let parts: Vec<&Laurent> = parts.iter().filter(|part| !part.is_small()).collect();
        let Some(order) = parts.iter().map(|part| part.order).min() else {
            return Some(Laurent::SMALL);
        };
        let ends: Option<Vec<i64>> = parts.iter().map(|part| part.end()).collect();
        let end = ends?.into_iter().min()?;
        let is_exact = parts.iter().all(|part| {
            part.is_exact && part.last().is_none_or(|last| part.order.saturating_add(last as i64) < end)
        });
        let mut terms = Vec::new();
        for at in order..end {
            let here: Vec<Id> = parts
                .iter()
                .filter_map(|part| usize::try_from(at - part.order).ok().and_then(|k| part.terms.get(k)))
                .copied()
                .collect();
            terms.push(self.arena.sum(&here));
        }
        self.settled(Laurent { order, terms, is_exact })
    }

    fn product(&mut self, a: &Laurent, b: &Laurent) -> Option<Laurent> {
        if a.is_small() || b.is_small() {
            return Some(Laurent::SMALL);
        }
        let length = a.terms.len().min(b.terms.len());
        let is_exact = a.is_exact
            && b.is_exact
            && a.last().zip(b.last()).is_none_or(|(last, other)| last + other < length);
        let mut terms = Vec::with_capacity(length);
        for n in 0..length {
            terms.push(self.convolution(n, |k| (a.terms[k], b.terms[n - k])));
        }
        self.settled(Laurent { order: a.order.checked_add(b.order)?, terms, is_exact })
    }

    /// Returns the sum for `k = 0 ... n` of the products of two terms.
    fn convolution(&mut self, n: usize, pair: impl Fn(usize) -> (Id, Id)) -> Id {
        let mut sums = Vec::with_capacity(n + 1);
        for k in 0..=n {
            let (x, y) = pair(k);
            if x != Arena::ZERO && y != Arena::ZERO {
                sums.push(self.arena.mul(x, y));
            }
        }
        self.arena.sum(&sums)
    }

    /// Returns `(c t^m (1 + ...))^p = c^p t^(mp) (1 + ...)`
    fn power(&mut self, base: &Laurent, exponent: Id) -> Option<Laurent> {
        let &leading = base.terms.first()?;
        let whole = self.arena.as_integer(exponent);
        if whole.is_none_or(|n| n.unsigned_abs() > LIMIT_ORDER) && sign(self.arena, leading)? < 0 {
            return None;
        }
        let order = if base.order == 0 {
            0
        } else {
            let power = self.arena.as_number(exponent)?.checked_mul(&base.order.into())?;
            power.to_i64()?
        };
        if whole.is_none_or(|n| n < 0) {
            self.arena.note_divisor(leading);
        }
        // b_0 = 1, n b_n = sum of (k (p + 1) - n) a_k b_(n-k)
        let mut scaled = Vec::with_capacity(base.terms.len());
        for &term in &base.terms {
            scaled.push(if term == Arena::ZERO { term } else { self.arena.div(term, leading) });
        }
        let next = self.arena.add(exponent, Arena::ONE);
        let mut terms = vec![Arena::ONE];
        for n in 1..scaled.len() {
            let mut sums = Vec::new();
            for k in 1..=n {
                if scaled[k] == Arena::ZERO || terms[n - k] == Arena::ZERO {
                    continue;
                }
                let (k_id, minus_n) = (self.arena.integer(k as i64), self.arena.integer(-(n as i64)));
                let product = self.arena.mul(k_id, next);
                let weight = self.arena.add(product, minus_n);
                sums.push(self.arena.product(&[weight, scaled[k], terms[n - k]]));
            }
            let sum = self.arena.sum(&sums);
            terms.push(self.part(sum, n));
        }
        let factor = self.arena.power(leading, exponent);
        for term in &mut terms {
            if *term != Arena::ZERO {
                *term = self.arena.mul(factor, *term);
            }
        }
        self.settled(Laurent { order, terms, is_exact: base.is_exact && base.last() == Some(0) })
    }

    fn part(&mut self, value: Id, n: usize) -> Id {
        if value == Arena::ZERO {
            return value;
        }
        let share = self.arena.fraction(1, n as i64);
        self.arena.mul(share, value)
    }

    /// Splits a series without a pole into its constant term and its terms from `t^0` on, the first replaced
    /// by 0.
    fn regular(&mut self, series: &Laurent) -> Option<(Id, Vec<Id>)> {
        if series.is_small() {
            return Some((Arena::ZERO, vec![Arena::ZERO; TERMS]));
        }
        let shift = usize::try_from(series.order).ok()?;
        let mut terms = vec![Arena::ZERO; shift];
        terms.extend_from_slice(&series.terms);
        terms.truncate(TERMS.max(shift + 1));
        let constant = std::mem::replace(terms.first_mut()?, Arena::ZERO);
        // Functions of the logarithm of t are on other scales.
        let logarithm = logarithm(self.arena);
        (!self.arena.free(constant).contains(logarithm)).then_some((constant, terms))
    }

    fn exp(&mut self, exponent: &Laurent) -> Option<Laurent> {
        if exponent.order < 0 {
            // The exponential is smaller or larger than every power of t.
            return match sign(self.arena, *exponent.terms.first()?)? {
                -1 => Some(Laurent::SMALL),
                _ => None,
            };
        }
        let (constant, u) = self.regular(exponent)?;
        let mut terms = vec![Arena::ONE];
        for n in 1..u.len() {
            let sum = self.weighted(n, &u, &terms);
            terms.push(self.part(sum, n));
        }
        let factor = if constant == Arena::ZERO { Arena::ONE } else { self.arena.exp(constant) };
        for term in &mut terms {
            if *term != Arena::ZERO {
                *term = self.arena.mul(factor, *term);
            }
        }
        self.settled(Laurent { order: 0, terms, is_exact: exponent.is_constant() })
    }

    /// Returns the sum for `k = 1 ... n` of `k u_k b_(n-k)`.
    fn weighted(&mut self, n: usize, u: &[Id], b: &[Id]) -> Id {
        let mut sums = Vec::new();
        for k in 1..=n {
            if u[k] != Arena::ZERO && b[n - k] != Arena::ZERO {
                let weight = self.arena.integer(k as i64);
                sums.push(self.arena.product(&[weight, u[k], b[n - k]]));
            }
        }
        self.arena.sum(&sums)
    }

    fn ln(&mut self, argument: &Laurent) -> Option<Laurent> {
        let &leading = argument.terms.first()?;
        if sign(self.arena, leading)? < 0 {
            return None;
        }
        let mut u = Vec::with_capacity(argument.terms.len());
        for &term in &argument.terms {
            u.push(if term == Arena::ZERO { term } else { self.arena.div(term, leading) });
        }
        let mut first =
            if leading == Arena::ONE { Arena::ZERO } else { self.arena.apply(Function::Ln, &[leading]) };
        if argument.order != 0 {
            // ln(c t^m (1 + ...)) = m ln t + ln c + ...
            let logarithm = logarithm(self.arena);
            let logarithm = self.arena.variable_of(logarithm);
            let order = self.arena.integer(argument.order);
            let along = self.arena.mul(order, logarithm);
            first = self.arena.add(first, along);
        }
        let mut terms = vec![first];
        for n in 1..u.len() {
            let mut sums = vec![u[n]];
            for k in 1..n {
                if terms[k] != Arena::ZERO && u[n - k] != Arena::ZERO {
                    let weight = self.arena.fraction(-(k as i64), n as i64);
                    sums.push(self.arena.product(&[weight, terms[k], u[n - k]]));
                }
            }
            terms.push(self.arena.sum(&sums));
        }
        let is_exact = argument.is_exact && argument.last() == Some(0);
        self.settled(Laurent { order: 0, terms, is_exact })
    }

    fn sine_and_cosine(&mut self, angle: &Laurent) -> Option<(Laurent, Laurent)> {
        let (constant, u) = self.regular(angle)?;
        let (mut sine, mut cosine) = (vec![Arena::ZERO], vec![Arena::ONE]);
        for n in 1..u.len() {
            let (up, down) = (self.weighted(n, &u, &cosine), self.weighted(n, &u, &sine));
            sine.push(self.part(up, n));
            let down = self.part(down, n);
            cosine.push(if down == Arena::ZERO { down } else { self.arena.neg(down) });
        }
        let (s, c) = match quarter_turns(self.arena, constant) {
            Some(0) => (Arena::ZERO, Arena::ONE),
            Some(1) => (Arena::ONE, Arena::ZERO),
            Some(2) => (Arena::ZERO, Arena::MINUS_ONE),
            Some(_) => (Arena::MINUS_ONE, Arena::ZERO),
            None => {
                (self.arena.apply(Function::Sin, &[constant]), self.arena.apply(Function::Cos, &[constant]))
            }
        };
        let minus = self.arena.neg(s);
        let (mut full_sine, mut full_cosine) = (Vec::new(), Vec::new());
        for n in 0..u.len() {
            full_sine.push(self.sum_of_products([(s, cosine[n]), (c, sine[n])]));
            full_cosine.push(self.sum_of_products([(c, cosine[n]), (minus, sine[n])]));
        }
        let is_exact = angle.is_constant();
        let sine = self.settled(Laurent { order: 0, terms: full_sine, is_exact })?;
        let cosine = self.settled(Laurent { order: 0, terms: full_cosine, is_exact })?;
        Some((sine, cosine))
    }

    fn sum_of_products(&mut self, pairs: [(Id, Id); 2]) -> Id {
        self.convolution(1, |k| pairs[k])
    }

    fn apply(&mut self, function: Function, argument: &Laurent) -> Option<Laurent> {
        match function {
            Function::Sin => self.sine_and_cosine(argument).map(|(sine, _)| sine),
            Function::Cos => self.sine_and_cosine(argument).map(|(_, cosine)| cosine),
            Function::Tan => {
                let (sine, cosine) = self.sine_and_cosine(argument)?;
                let inverse = self.power(&cosine, Arena::MINUS_ONE)?;
                self.product(&sine, &inverse)
            }
            Function::Sinh | Function::Cosh => {
                let minus = self.product(argument, &Self::constant(Arena::MINUS_ONE))?;
                let (up, down) = (self.exp(argument)?, self.exp(&minus)?);
                let sign = if function == Function::Sinh { Arena::MINUS_ONE } else { Arena::ONE };
                let down = self.product(&down, &Self::constant(sign))?;
                let half = self.arena.fraction(1, 2);
                let sum = self.sum(&[up, down])?;
                self.product(&sum, &Self::constant(half))
            }
            Function::Ln => self.ln(argument),
            Function::Abs => {
                let &leading = argument.terms.first()?;
                let sign = sign(self.arena, leading)?;
                let factor = if sign < 0 { Arena::MINUS_ONE } else { Arena::ONE };
                self.product(argument, &Self::constant(factor))
            }
            Function::Atan if argument.order < 0 => {
                // π/2 - arctan(1/a) for positive a
                let sign = sign(self.arena, *argument.terms.first()?)?;
                let pi = self.arena.constant(Constant::Pi);
                let quarter = self.arena.fraction(i64::from(sign), 2);
                let quarter = self.arena.mul(quarter, pi);
                let inverse = self.power(argument, Arena::MINUS_ONE)?;
                let rest = self.apply(Function::Atan, &inverse)?;
                let rest = self.product(&rest, &Self::constant(Arena::MINUS_ONE))?;
                self.sum(&[Self::constant(quarter), rest])
            }
            Function::Atan | Function::Asin | Function::Asinh => {
                let (start, u) = self.regular(argument)?;
                // On a branch cut, the expansion holds on one side only.
                if self.arena.is_complex(start) {
                    return None;
                }
                if function == Function::Asin {
                    // The expansion holds only inside the interval (-1, 1).
                    let size = self.arena.apply(Function::Abs, &[start]);
                    let room = self.arena.sub(Arena::ONE, size);
                    if sign(self.arena, room)? < 0 {
                        return None;
                    }
                }
                let square = self.product(argument, argument)?;
                let factor = if function == Function::Asin { Arena::MINUS_ONE } else { Arena::ONE };
                let square = self.product(&square, &Self::constant(factor))?;
                let inside = self.sum(&[Self::constant(Arena::ONE), square])?;
                let exponent =
                    if function == Function::Atan { Arena::MINUS_ONE } else { self.arena.fraction(-1, 2) };
                let slope = self.power(&inside, exponent)?;
                let (first, mut slope) = self.regular(&slope)?;
                slope[0] = first;
                let first = if start == Arena::ZERO { start } else { self.arena.apply(function, &[start]) };
                let mut terms = vec![first];
                for n in 1..u.len().min(slope.len() + 1) {
                    // n b_n = sum of k u_k s_(n-k)
                    let sum = self.weighted(n, &u, &slope);
                    terms.push(self.part(sum, n));
                }
                self.settled(Laurent { order: 0, terms, is_exact: argument.is_constant() })
            }
            _ => None,
        }
    }
}

/// Returns the number of quarter turns of an angle modulo 4, if it is an integer.
fn quarter_turns(arena: &Arena, angle: Id) -> Option<i64> {
    let is_pi = |id: Id| matches!(arena.node(id), Node::Constant(Constant::Pi));
    let part = match arena.node(angle) {
        Node::Number(number) if number.is_zero() => return Some(0),
        Node::Constant(Constant::Pi) => return Some(2),
        Node::Product(&([number, pi] | [pi, number])) if is_pi(pi) => arena.as_number(number)?,
        _ => return None,
    };
    let quarters = part.checked_mul(&2i64.into())?.to_i64()?;
    Some(quarters.rem_euclid(4))
}

/// Returns the sign of a constant, if it is certainly not zero.
fn sign(arena: &Arena, id: Id) -> Option<i32> {
    constant_sign(arena, id).filter(|sign| *sign != 0)
}

/// Returns whether a coefficient is zero for all values of its variables, or `None` if that is uncertain.
pub(super) fn vanishes(arena: &Arena, id: Id) -> Option<bool> {
    if let Some(sign) = constant_sign(arena, id) {
        return Some(sign == 0);
    }
    if same_normal_form(arena, [id, Arena::ZERO], &mut Fuel::new(NORMAL_FORM)) {
        return Some(true);
    }
    if vanishes_in_regions(arena, id) {
        return None;
    }
    let is_nonzero = |value: ComplexValue| value.certainly_differ(ComplexValue::ZERO);
    holds_somewhere(arena, id, is_nonzero).then_some(false)
}

/// Returns whether an expression consists of analytic functions, so that it vanishes only at isolated points
/// or everywhere. Parts of complex numbers are not analytic: for example, the complex argument is 0 for all
/// positive numbers.
pub(super) fn is_smooth(arena: &Arena, id: Id) -> bool {
    !arena.any(id, |node| match node {
        Node::Number(_) | Node::Constant(_) | Node::Symbol(_) | Node::Sum(_) | Node::Product(_) => false,
        // The domain of the root of a variable is connected.
        Node::Power(base, exponent) => {
            !arena.is_constant(base)
                && !arena.as_number(exponent).is_some_and(Rational::is_integer)
                && !matches!(arena.node(base), Node::Symbol(_))
        }
        Node::Apply(function, _) => {
            function.points() != SuitablePoints::Anywhere
                || matches!(
                    function,
                    Function::Re | Function::Im | Function::Conj | Function::Arg | Function::Atan2
                )
                || matches!(function.image(), Image::Size | Image::Extremum)
        }
        _ => true,
    })
}

/// Returns whether a coefficient may vanish for a whole range of values of its variables, such as `|a|+a`.
fn vanishes_in_regions(arena: &Arena, id: Id) -> bool {
    let mut pending = vec![id];
    while let Some(id) = pending.pop() {
        let variables: Vec<Variable> = arena.free(id).iter().map(Variable::real).collect();
        let (low, high) = range_of(arena, id, &variables);
        if low > 0.0 || high < 0.0 {
            continue;
        }
        match arena.node(id) {
            Node::Product(parts) => pending.extend(parts),
            Node::Power(base, _) => pending.push(base),
            Node::Apply(Function::Abs, &[argument]) => pending.push(argument),
            _ if !is_smooth(arena, id) => return true,
            _ => {}
        }
    }
    false
}

/// Returns whether the value at one or more sample points has a property.
pub(super) fn holds_somewhere(arena: &Arena, id: Id, holds: impl Fn(ComplexValue) -> bool) -> bool {
    let variables: Vec<Variable> = arena.free(id).iter().map(Variable::real).collect();
    let symbols: Vec<Symbol> = variables.iter().map(|variable| variable.symbol).collect();
    let program = Program::new(arena, &[id], &symbols);
    let points = Points::new(&variables, &SamplingHints::new(arena, &[id]), 0x11A1, LANES);
    let block = points.block(0);
    if program.is_complex() {
        let mut evaluator = ComplexEvaluator::default();
        (0..LANES).any(|lane| {
            let point: Vec<f64> = block.iter().map(|column| column[lane]).collect();
            evaluator.run(&program, &point);
            holds(evaluator.value(&program, 0))
        })
    } else {
        let mut evaluator = Evaluator::new();
        evaluator.run(&program, block);
        (0..LANES).any(|lane| {
            evaluator.value(&program, 0, lane).real().is_some_and(|(re, error)| {
                holds(ComplexValue::Number { re, re_error: 2.0 * error, im: 0.0, im_error: 0.0 })
            })
        })
    }
}
