//! Definite integrals of functions with antiderivatives by basic rules.
//!
//! The rules cover sums, constant factors, polynomials and powers of linear terms. They also cover
//! polynomials times an exponential, sine or cosine of a linear term, squares of sine and cosine, and
//! logarithms, hyperbolic sines and hyperbolic cosines of linear terms. Finally, there are rules for
//! `1/(a + b x²)` with positive `a` and `b`, `(a + b x²)^(±1/2)` with positive `a`, and Gaussian integrals. The
//! integrand must certainly have no singularity inside the interval. Intervals are split at the zeros of linear terms
//! in absolute values. Other integrals are not evaluated, so comparisons with them stay undecided.

use super::limits::{is_smooth, vanishes};
use crate::canonical::same_normal_form;
use crate::evaluate::constant_sign;
use crate::expr::{Arena, Constant, Direction, Function, Id, Node, Symbol};
use crate::limits::{Fuel, INTEGRAL_DEGREE, NORMAL_FORM};
use crate::number::Rational;
use hashbrown::HashMap;
use smallvec::SmallVec;

/// The size of the largest integrand.
const LARGEST: usize = 60;

/// The coefficients of a polynomial, starting with the constant term.
type Coefficients = Vec<Id>;

struct Integrator<'a> {
    arena: &'a mut Arena,
    symbol: Symbol,
    x: Id,
    /// True if a bound may be complex; there may then be branch cuts and poles between the bounds.
    complex_bounds: bool,
    /// Terms that must have these properties between the bounds.
    conditions: SmallVec<[(Id, Keeps); 4]>,
    /// The coefficients of parts, so that a shared part is read once.
    known: HashMap<Id, Option<Coefficients>>,
    /// For each tested expression, whether it vanishes; `None` if that is not known.
    vanishing: HashMap<Id, Option<bool>>,
}

/// A required property of a term between the bounds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keeps {
    /// The term has one sign, including at the bounds.
    Sign,
    /// The term is positive, including at the bounds.
    Positive,
    /// The term is positive, except possibly at the bounds. It is concave, so its signs at the bounds decide.
    Inside,
}

/// Returns the value of an integral between two bounds, if the rules determine it. An interval is split where an
/// absolute value changes its sign.
pub(super) fn integral(arena: &mut Arena, symbol: Symbol, from: Id, to: Id, body: Id) -> Option<Id> {
    const MOST: usize = 12;
    if arena.size(body) > LARGEST {
        return None;
    }
    let (mut open, mut values, mut tried) = (vec![(from, to, body)], Vec::new(), 0);
    while let Some((from, to, body)) = open.pop() {
        tried += 1;
        if tried > MOST {
            return None;
        }
        let absolute = arena.reachable(&[body]).into_iter().find(|part| {
            matches!(arena.node(*part), Node::Apply(Function::Abs, &[inner]) if arena.free(inner).contains(symbol))
        });
        match absolute.and_then(|absolute| by_sign(arena, symbol, (from, to), (body, absolute))) {
            Some(pieces) => open.extend(pieces),
            None => values.push(smooth(arena, symbol, from, to, body)?),
        }
    }
    Some(arena.sum(&values))
}

/// Splits an interval where the linear argument of an absolute value changes its sign, and removes the absolute value.
fn by_sign(
    arena: &mut Arena,
    symbol: Symbol,
    (from, to): (Id, Id),
    (body, absolute): (Id, Id),
) -> Option<Vec<(Id, Id, Id)>> {
    let Node::Apply(Function::Abs, &[inner]) = arena.node(absolute) else { return None };
    if [from, to].into_iter().any(|bound| super::infinity(arena, bound).is_some()) {
        return None;
    }
    let start = arena.substitute(inner, symbol, Arena::ZERO);
    let next = arena.substitute(inner, symbol, Arena::ONE);
    let slope = arena.sub(next, start);
    let x = arena.variable_of(symbol);
    let along = arena.mul(slope, x);
    let line = arena.add(along, start);
    let rising = constant_sign(arena, slope).filter(|sign| *sign != 0)? > 0;
    if !same_normal_form(arena, [inner, line], &mut Fuel::new(NORMAL_FORM)) {
        return None;
    }
    let ratio = arena.div(start, slope);
    let root = arena.neg(ratio);
    let lengths = [arena.sub(to, from), arena.sub(root, from), arena.sub(to, root)];
    let [length, before, after] = lengths.map(|length| constant_sign(arena, length));
    if length? <= 0 {
        return None;
    }
    let minus = arena.neg(inner);
    let (below, above) = if rising { (minus, inner) } else { (inner, minus) };
    let mut with = |value: Id| replaced(arena, body, absolute, value);
    Some(match (before? > 0, after? > 0) {
        (false, _) => vec![(from, to, with(above)?)],
        (_, false) => vec![(from, to, with(below)?)],
        (true, true) => vec![(from, root, with(below)?), (root, to, with(above)?)],
    })
}

/// Returns an expression in which one part is replaced.
fn replaced(arena: &mut Arena, id: Id, part: Id, by: Id) -> Option<Id> {
    let order = arena.reachable(&[id]);
    let mut images: Vec<Id> = Vec::with_capacity(order.len());
    for &at in &order {
        if at == part {
            images.push(by);
            continue;
        }
        let image = |part: &Id| order.binary_search(part).ok().and_then(|at| images.get(at)).copied();
        let parts: Vec<Id> = arena.parts(at).iter().map(image).collect::<Option<_>>()?;
        // `(x+|x|)^0` is `0^0` on one side.
        if let (Node::Power(..), &[base, exponent]) = (arena.node(at), parts.as_slice())
            && !arena.as_number(exponent).is_some_and(Rational::is_positive)
            && vanishes(arena, base)?
        {
            return None;
        }
        images.push(match arena.node(at) {
            Node::Sum(_) => arena.sum(&parts),
            Node::Product(_) => arena.product(&parts),
            Node::Power(..) => arena.power(*parts.first()?, *parts.get(1)?),
            Node::Apply(function, _) => arena.apply(function, &parts),
            _ if parts.is_empty() => at,
            _ => return None,
        });
    }
    images.pop()
}

/// Returns the value of an integral of a function without absolute values.
fn smooth(arena: &mut Arena, symbol: Symbol, from: Id, to: Id, body: Id) -> Option<Id> {
    if arena.size(body) > LARGEST {
        return None;
    }
    let x = arena.variable_of(symbol);
    let complex_bounds = arena.is_complex(from) || arena.is_complex(to);
    let mut integrator = Integrator {
        arena,
        symbol,
        x,
        complex_bounds,
        conditions: SmallVec::new(),
        known: HashMap::new(),
        vanishing: HashMap::new(),
    };
    if let Some(value) = integrator.gaussian(from, to, body) {
        return Some(value);
    }
    let antiderivative = integrator.of(body, 0)?;
    let conditions = std::mem::take(&mut integrator.conditions);
    for (term, keeps) in conditions {
        let mut ends = [0; 2];
        for (end, bound) in ends.iter_mut().zip([from, to]) {
            *end = match super::infinity(arena, bound) {
                None => {
                    let at = arena.substitute(term, symbol, bound);
                    constant_sign(arena, at)?
                }
                Some(_) if keeps == Keeps::Inside => return None,
                // At infinity, the slope determines the sign.
                Some(plus) => {
                    let (zero, one) = (Arena::ZERO, Arena::ONE);
                    let (at_one, at_zero) =
                        (arena.substitute(term, symbol, one), arena.substitute(term, symbol, zero));
                    let slope = arena.sub(at_one, at_zero);
                    constant_sign(arena, slope)? * if plus { 1 } else { -1 }
                }
            };
        }
        let holds = match keeps {
            Keeps::Sign => ends[0] * ends[1] > 0,
            Keeps::Positive => ends.iter().all(|end| *end > 0),
            Keeps::Inside => ends.iter().all(|end| *end >= 0) && from != to,
        };
        if !holds {
            return None;
        }
    }
    let at = |arena: &mut Arena, bound: Id| match super::infinity(arena, bound) {
        None => Some(arena.substitute(antiderivative, symbol, bound)),
        Some(_) => super::limit_of(arena, symbol, bound, Direction::Both, antiderivative),
    };
    let (low, high) = (at(arena, from)?, at(arena, to)?);
    if [low, high].iter().any(|&id| super::infinity(arena, id).is_some()) || arena.overflowed() {
        return None;
    }
    Some(arena.sub(high, low))
}

impl Integrator<'_> {
    /// Returns an antiderivative; `depth` limits the recursion.
    fn of(&mut self, id: Id, depth: u32) -> Option<Id> {
        if depth > 40 {
            return None;
        }
        if !self.arena.free(id).contains(self.symbol) {
            return Some(self.arena.mul(id, self.x));
        }
        if let Some(coefficients) = self.polynomial(id, depth) {
            let mut terms = Vec::with_capacity(coefficients.len());
            for (k, coefficient) in coefficients.into_iter().enumerate() {
                if coefficient == Arena::ZERO {
                    continue;
                }
                let next = self.arena.integer(k as i64 + 1);
                let power = self.arena.power(self.x, next);
                let share = self.arena.fraction(1, k as i64 + 1);
                terms.push(self.arena.product(&[share, coefficient, power]));
            }
            return Some(self.arena.sum(&terms));
        }
        match self.arena.node(id) {
            Node::Sum(parts) => {
                let parts = parts.to_vec();
                let mut terms = Vec::with_capacity(parts.len());
                for part in parts {
                    terms.push(self.of(part, depth + 1)?);
                }
                Some(self.arena.sum(&terms))
            }
            Node::Product(parts) => {
                let (outside, inside): (Vec<Id>, Vec<Id>) =
                    parts.iter().partition(|&&part| !self.arena.free(part).contains(self.symbol));
                if !outside.is_empty() {
                    let rest = self.arena.product(&inside);
                    let rest = self.of(rest, depth + 1)?;
                    let factor = self.arena.product(&outside);
                    return Some(self.arena.mul(factor, rest));
                }
                self.by_parts(&inside, depth)
            }
            Node::Power(base, exponent) => self.power(base, exponent, depth),
            Node::Apply(Function::Ln, &[argument]) => {
                let slope = self.slope(argument, depth)?;
                self.conditions.push((argument, Keeps::Positive));
                // (u ln u - u) / a
                let product = self.arena.mul(argument, id);
                let difference = self.arena.sub(product, argument);
                Some(self.arena.div(difference, slope))
            }
            Node::Apply(Function::Sinh | Function::Cosh, &[argument]) => {
                let slope = self.slope(argument, depth)?;
                let other = match self.arena.node(id) {
                    Node::Apply(Function::Sinh, _) => Function::Cosh,
                    _ => Function::Sinh,
                };
                let value = self.arena.apply(other, &[argument]);
                Some(self.arena.div(value, slope))
            }
            _ => self.by_parts(&[id], depth),
        }
    }

    fn power(&mut self, base: Id, exponent: Id, depth: u32) -> Option<Id> {
        if matches!(self.arena.node(base), Node::Constant(Constant::E)) {
            let whole = self.arena.power(base, exponent);
            return self.by_parts(&[whole], depth);
        }
        let number = self.arena.as_number(exponent)?.clone();
        if exponent == Arena::ZERO {
            // The power is 1 except where the base is 0.
            let is_one = is_smooth(self.arena, base) && self.vanishes(base) == Some(false);
            return is_one.then_some(self.x);
        }
        if let Node::Apply(function @ (Function::Sin | Function::Cos), &[angle]) = self.arena.node(base)
            && exponent == Arena::TWO
        {
            // (1 ∓ cos 2u) / 2
            let slope = self.slope(angle, depth)?;
            let twice = self.arena.mul(Arena::TWO, angle);
            let sine = self.arena.apply(Function::Sin, &[twice]);
            let four = self.arena.integer(if function == Function::Sin { -4 } else { 4 });
            let below = self.arena.mul(four, slope);
            let wave = self.arena.div(sine, below);
            let half = self.arena.fraction(1, 2);
            let straight = self.arena.mul(half, self.x);
            return Some(self.arena.add(straight, wave));
        }
        if let Node::Power(inner, first) = self.arena.node(base)
            && let (Some(first), true) = (self.arena.as_number(first), number.is_integer())
        {
            // (x^2)^(-1) is x^(-2), and 1/√x is x^(-1/2)
            let both = number.checked_mul(first)?;
            let both = self.arena.number(both);
            return self.power(inner, both, depth);
        }
        let coefficients = self.certain(base, depth)?;
        match coefficients[..] {
            [_, slope] => {
                self.arena.note_divisor(slope);
                // At base = 0, the integrand may have a singularity or a root may cease to be real.
                if !number.is_integer() {
                    let ends = number > Rational::MINUS_ONE;
                    self.conditions.push((base, if ends { Keeps::Inside } else { Keeps::Positive }));
                } else if number.is_negative() {
                    self.conditions.push((base, Keeps::Sign));
                }
                if exponent == Arena::MINUS_ONE {
                    let size = self.arena.apply(Function::Abs, &[base]);
                    let logarithm = self.arena.apply(Function::Ln, &[size]);
                    return Some(self.arena.div(logarithm, slope));
                }
                let next = self.arena.add(exponent, Arena::ONE);
                let raised = self.arena.power(base, next);
                let below = self.arena.mul(slope, next);
                Some(self.arena.div(raised, below))
            }
            [c, linear, square]
                if linear == Arena::ZERO
                    && !self.complex_bounds
                    && matches!(number.to_small(), Some((1 | -1, 2))) =>
            {
                self.root_of_square(base, [c, square], number.is_negative())
            }
            [c, linear, square]
                if linear == Arena::ZERO && !self.complex_bounds && exponent == Arena::MINUS_ONE =>
            {
                if constant_sign(self.arena, c)? <= 0 || constant_sign(self.arena, square)? <= 0 {
                    return None;
                }
                // arctan(x √(s/c)) / √(cs)
                let ratio = self.arena.div(square, c);
                let ratio = self.arena.sqrt(ratio);
                let scaled = self.arena.mul(self.x, ratio);
                let angle = self.arena.apply(Function::Atan, &[scaled]);
                let product = self.arena.mul(c, square);
                let below = self.arena.sqrt(product);
                Some(self.arena.div(angle, below))
            }
            _ => None,
        }
    }

    /// Returns an antiderivative of `√(c + s x²)` for a positive `c`, or of its reciprocal if `over` is true.
    fn root_of_square(&mut self, base: Id, [c, square]: [Id; 2], over: bool) -> Option<Id> {
        if constant_sign(self.arena, c)? <= 0 {
            return None;
        }
        let (size, function) = match constant_sign(self.arena, square)? {
            1 => (square, Function::Asinh),
            -1 => {
                self.conditions.push((base, Keeps::Inside));
                (self.arena.neg(square), Function::Asin)
            }
            _ => return None,
        };
        let ratio = self.arena.div(size, c);
        let exact = self.arena.as_number(ratio).and_then(|ratio| ratio.exact_root(2));
        let ratio = match exact {
            Some(root) => self.arena.number(root),
            None => self.arena.sqrt(ratio),
        };
        let scaled = self.arena.mul(self.x, ratio);
        let angle = self.arena.apply(function, &[scaled]);
        let below = self.arena.sqrt(size);
        let angle = self.arena.div(angle, below);
        if over {
            return Some(angle);
        }
        // x/2 √(c + s x²) + c/2 times the antiderivative of the reciprocal
        let half = self.arena.fraction(1, 2);
        let root = self.arena.sqrt(base);
        let straight = self.arena.product(&[half, self.x, root]);
        let turned = self.arena.product(&[half, c, angle]);
        Some(self.arena.add(straight, turned))
    }

    /// Returns the integral of `P(x) e^(-a x² + b x + c)` over all reals, for a positive `a` and a polynomial
    /// `P` of degree at most 4.
    ///
    /// If `b` is 0, the integral over the positive reals is also supported. Otherwise `P` must be constant.
    fn gaussian(&mut self, from: Id, to: Id, body: Id) -> Option<Id> {
        let half = match (super::infinity(self.arena, from), super::infinity(self.arena, to)) {
            (Some(false), Some(true)) => false,
            (None, Some(true)) if from == Arena::ZERO => true,
            _ => return None,
        };
        let parts = match self.arena.node(body) {
            Node::Product(parts) => parts.to_vec(),
            _ => vec![body],
        };
        let (mut polynomial, mut exponent): (Coefficients, Option<Coefficients>) = (vec![Arena::ONE], None);
        for part in parts {
            if let Some(coefficients) = self.polynomial(part, 0) {
                polynomial = self.times(&polynomial, &coefficients)?;
                continue;
            }
            let Node::Power(base, power) = self.arena.node(part) else { return None };
            if self.arena.free(base).contains(self.symbol) || exponent.is_some() {
                return None;
            }
            let mut own = self.polynomial(power, 0)?;
            if !matches!(self.arena.node(base), Node::Constant(Constant::E)) {
                if constant_sign(self.arena, base)? <= 0 {
                    return None;
                }
                let logarithm = self.arena.apply(Function::Ln, &[base]);
                for coefficient in &mut own {
                    *coefficient = self.arena.mul(*coefficient, logarithm);
                }
            }
            exponent = Some(own);
        }
        let [c, b, minus_a] = exponent?[..] else { return None };
        if constant_sign(self.arena, minus_a)? >= 0 || polynomial.len() > 5 {
            return None;
        }
        if b != Arena::ZERO && (half || polynomial.len() > 1) {
            return None;
        }
        let a = self.arena.neg(minus_a);
        let pi = self.arena.constant(Constant::Pi);
        let ratio = self.arena.div(pi, a);
        let line = self.arena.sqrt(ratio);
        let mut terms = Vec::new();
        for (power, coefficient) in polynomial.into_iter().enumerate() {
            // Moments over the positive reals: √(π/a)/2, 1/(2a), √(π/a)/(4a), 1/(2a²), 3√(π/a)/(8a²)
            let (share, over) = match power {
                0 => (self.arena.fraction(1, 2), 0),
                1 => (self.arena.fraction(1, 2), -1),
                2 => (self.arena.fraction(1, 4), -1),
                3 => (self.arena.fraction(1, 2), -2),
                _ => (self.arena.fraction(3, 8), -2),
            };
            let over = self.arena.integer(over);
            let over = self.arena.power(a, over);
            let mut factors = vec![coefficient, share, over];
            match (power % 2, half) {
                (1, false) => continue,
                (0, true) => factors.push(line),
                (0, false) => factors.extend([line, Arena::TWO]),
                _ => {}
            }
            terms.push(self.arena.product(&factors));
        }
        // e^(b²/(4a) + c)
        let (four, square) = (self.arena.integer(4), self.arena.mul(b, b));
        let below = self.arena.mul(four, a);
        let shift = self.arena.div(square, below);
        let shift = self.arena.add(shift, c);
        let (sum, factor) = (self.arena.sum(&terms), self.arena.exp(shift));
        Some(self.arena.mul(factor, sum))
    }

    /// Returns an antiderivative of a polynomial times one exponential, sine or cosine of a linear term.
    fn by_parts(&mut self, factors: &[Id], depth: u32) -> Option<Id> {
        let mut polynomial = vec![Arena::ONE];
        let mut wave = None;
        for &factor in factors {
            let angle = match self.arena.node(factor) {
                Node::Power(base, exponent)
                    if matches!(self.arena.node(base), Node::Constant(Constant::E)) =>
                {
                    Some(exponent)
                }
                Node::Apply(Function::Sin | Function::Cos, &[angle]) => Some(angle),
                _ => None,
            };
            match angle.and_then(|angle| self.slope(angle, depth)) {
                Some(slope) if wave.is_none() => wave = Some((factor, slope)),
                Some(_) => return None,
                None => {
                    let next = self.polynomial(factor, depth)?;
                    polynomial = self.times(&polynomial, &next)?;
                }
            }
        }
        let (mut wave, slope) = wave?;
        // ∫ P w = P w₁ - P' w₂ + P'' w₃ ..., where wₙ is the n-th antiderivative of w
        let mut terms = Vec::new();
        let mut sign = Arena::ONE;
        while !polynomial.is_empty() {
            wave = self.wave(wave, slope)?;
            let value = self.value(&polynomial);
            if value != Arena::ZERO {
                terms.push(self.arena.product(&[sign, value, wave]));
            }
            sign = self.arena.neg(sign);
            polynomial = self.derivative(&polynomial);
        }
        Some(self.arena.sum(&terms))
    }

    /// Returns an antiderivative of a multiple of an exponential, a sine or a cosine.
    fn wave(&mut self, id: Id, slope: Id) -> Option<Id> {
        let (factor, wave) = match self.arena.node(id) {
            Node::Product(parts) => {
                let (outside, inside): (Vec<Id>, Vec<Id>) =
                    parts.iter().partition(|&&part| !self.arena.free(part).contains(self.symbol));
                let &[wave] = &inside[..] else { return None };
                (self.arena.product(&outside), wave)
            }
            _ => (Arena::ONE, id),
        };
        let next = match self.arena.node(wave) {
            Node::Apply(Function::Sin, &[angle]) => {
                let cosine = self.arena.apply(Function::Cos, &[angle]);
                self.arena.neg(cosine)
            }
            Node::Apply(Function::Cos, &[angle]) => self.arena.apply(Function::Sin, &[angle]),
            _ => wave,
        };
        let factor = self.arena.div(factor, slope);
        Some(self.arena.mul(factor, next))
    }

    /// Returns the slope of a linear term. The slope is certainly not 0.
    fn slope(&mut self, id: Id, depth: u32) -> Option<Id> {
        match self.certain(id, depth)?[..] {
            [_, slope] => {
                self.arena.note_divisor(slope);
                Some(slope)
            }
            _ => None,
        }
    }

    /// Returns the coefficients of a polynomial; the last is not the number 0.
    fn polynomial(&mut self, id: Id, depth: u32) -> Option<Coefficients> {
        if let Some(known) = self.known.get(&id) {
            return known.clone();
        }
        let mut found = self.coefficients(id, depth);
        if let Some(coefficients) = &mut found {
            while coefficients.last() == Some(&Arena::ZERO) {
                coefficients.pop();
            }
        }
        self.known.insert(id, found.clone());
        found
    }

    /// Returns the coefficients of a polynomial. Last coefficients that vanish, such as `a - a`, are removed.
    fn certain(&mut self, id: Id, depth: u32) -> Option<Coefficients> {
        let mut coefficients = self.polynomial(id, depth)?;
        while let Some(&last) = coefficients.last() {
            if last != Arena::ZERO && !self.vanishes(last)? {
                break;
            }
            coefficients.pop();
        }
        Some(coefficients)
    }

    /// Returns whether a coefficient other than the number 0 vanishes. Products and powers of numbers and
    /// variables do not.
    fn vanishes(&mut self, id: Id) -> Option<bool> {
        let simple = !self.arena.any(id, |node| {
            !matches!(
                node,
                Node::Number(_) | Node::Constant(_) | Node::Symbol(_) | Node::Product(_) | Node::Power(..)
            )
        });
        if simple {
            return Some(false);
        }
        if let Some(known) = self.vanishing.get(&id) {
            return *known;
        }
        let found = vanishes(self.arena, id);
        self.vanishing.insert(id, found);
        found
    }

    /// Returns the value of a polynomial that does not depend on the variable, such as `0x + 1`.
    fn constant(&mut self, id: Id, depth: u32) -> Option<Id> {
        match self.certain(id, depth)?[..] {
            [] => Some(Arena::ZERO),
            [value] => Some(value),
            _ => None,
        }
    }

    fn coefficients(&mut self, id: Id, depth: u32) -> Option<Coefficients> {
        if depth > 40 {
            return None;
        }
        if !self.arena.free(id).contains(self.symbol) {
            return Some(vec![id]);
        }
        match self.arena.node(id) {
            Node::Symbol(_) => Some(vec![Arena::ZERO, Arena::ONE]),
            Node::Sum(parts) => {
                let parts = parts.to_vec();
                let mut total: Coefficients = Vec::new();
                for part in parts {
                    let part = self.polynomial(part, depth + 1)?;
                    for (k, coefficient) in part.into_iter().enumerate() {
                        if k < total.len() {
                            total[k] = self.arena.add(total[k], coefficient);
                        } else {
                            total.push(coefficient);
                        }
                    }
                }
                Some(total)
            }
            Node::Product(parts) => {
                let parts = parts.to_vec();
                let mut all = vec![Arena::ONE];
                for part in parts {
                    let part = self.polynomial(part, depth + 1)?;
                    all = self.times(&all, &part)?;
                }
                Some(all)
            }
            Node::Power(base, exponent) => {
                let power =
                    self.arena.as_integer(exponent).filter(|n| (1..=INTEGRAL_DEGREE as i64).contains(n));
                let Some(power) = power else {
                    let (base, exponent) =
                        (self.constant(base, depth + 1)?, self.constant(exponent, depth + 1)?);
                    return Some(vec![self.arena.power(base, exponent)]);
                };
                let base = self.polynomial(base, depth + 1)?;
                let mut all = vec![Arena::ONE];
                for _ in 0..power {
                    all = self.times(&all, &base)?;
                }
                Some(all)
            }
            Node::Apply(function, &[argument]) => {
                let argument = self.constant(argument, depth + 1)?;
                Some(vec![self.arena.apply(function, &[argument])])
            }
            _ => None,
        }
    }

    fn times(&mut self, a: &[Id], b: &[Id]) -> Option<Coefficients> {
        if a.is_empty() || b.is_empty() {
            return Some(Vec::new());
        }
        if a.len() + b.len() > INTEGRAL_DEGREE + 2 {
            return None;
        }
        let mut sums: Vec<Vec<Id>> = vec![Vec::new(); a.len() + b.len() - 1];
        for (i, &x) in a.iter().enumerate() {
            for (j, &y) in b.iter().enumerate() {
                if x != Arena::ZERO && y != Arena::ZERO {
                    sums[i + j].push(self.arena.mul(x, y));
                }
            }
        }
        Some(sums.into_iter().map(|terms| self.arena.sum(&terms)).collect())
    }

    fn derivative(&mut self, polynomial: &[Id]) -> Coefficients {
        polynomial
            .iter()
            .enumerate()
            .skip(1)
            .map(|(k, &coefficient)| {
                if coefficient == Arena::ZERO {
                    return coefficient;
                }
                let k = self.arena.integer(k as i64);
                self.arena.mul(k, coefficient)
            })
            .collect()
    }

    fn value(&mut self, polynomial: &[Id]) -> Id {
        let mut terms = Vec::with_capacity(polynomial.len());
        for (k, &coefficient) in polynomial.iter().enumerate() {
            if coefficient == Arena::ZERO {
                continue;
            }
            let k = self.arena.integer(k as i64);
            let power = self.arena.power(self.x, k);
            terms.push(self.arena.mul(coefficient, power));
        }
        self.arena.sum(&terms)
    }
}
