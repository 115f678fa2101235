//! All real roots of functions that mix the unknown with exponentials, logarithms, arctangents or inverse
//! hyperbolic tangents: `e^x=x+2`, `x\ln x=1`. For sines and cosines, see [`waves`](super::waves).
//!
//! The function is a polynomial in kernels whose derivatives are polynomials in the same kernels, over a
//! common denominator. Dividing by a term and differentiating removes that term, so after finitely many steps
//! only polynomials in the unknown remain (Khovanskii's argument for a bound on the number of zeros). In the
//! reverse order, the roots of each derivative cut the line into pieces on which the quotient is monotone. A
//! piece has one root if the sign changes between two of its points, and no root if the signs at its ends
//! exclude one. At infinity the dominant term determines the sign.

use super::BoundedOracle;
use super::coordinate::{Coordinate, Value};
use super::critical::{Kernel, critical};
use super::enclosed::Enclosed;
use super::line::{sample, sorted};
use super::roots::{Place, by_inversion, expression};
use super::waves::between_bounds;
use crate::expr::{Arena, Constant, Function, Id, Node, Symbol};
use crate::limits::{DERIVATIVE_TERMS, INVERSIONS, ROOT_DERIVATIVES};
use crate::number::Rational;
use crate::polynomial::{Sparse, real_roots};
use crate::precise::Ball;
use dashu_base::{Signed, UnsignedAbs};
use dashu_int::{IBig, UBig};
use std::cmp::Ordering;

/// The steps by which the ends of a piece are approached, as exponents of 2.
const APPROACHES: [u32; 9] = [1, 2, 4, 8, 16, 32, 64, 200, 400];

/// Indices of kernels and their exponents.
type Powers = Vec<(u16, u16)>;

/// The derivative of a kernel.
enum Law {
    /// The unknown itself.
    Unknown,
    /// A constant.
    Constant,
    /// `scale E' = rate E`
    Exponential(Sparse),
    /// `scale L' = rise`. For a logarithm, `degree` is the degree of its argument: numerator minus
    /// denominator.
    Primitive { rise: Sparse, degree: Option<i64> },
}

/// The kernels of one function and their derivatives over a common denominator.
struct Tower {
    unknown: Symbol,
    kernels: Vec<Kernel>,
    laws: Vec<Law>,
    scale: Sparse,
    /// The factors of the denominator; their roots are cuts too.
    factors: Vec<Sparse>,
}

/// Returns all real roots; `None` if it is not certain that these are all.
pub(super) fn mixed_roots(
    arena: &mut Arena,
    place: Place<'_>,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Vec<Coordinate>> {
    let Place { polynomial, kernels, unknown } = place;
    let waves = polynomial.unknowns().iter().any(|index| {
        matches!(kernels.get(usize::from(*index)), Some(Kernel::Opaque(id))
            if matches!(arena.node(*id), Node::Apply(Function::Sin | Function::Cos, _)) && !arena.is_constant(*id))
    });
    if waves {
        return between_bounds(arena, place, oracle);
    }
    let tower = Tower::new(arena, polynomial, kernels, unknown)?;
    tower.roots(arena, polynomial, oracle, 0)
}

fn plus(a: &Sparse, b: &Sparse) -> Option<Sparse> {
    a.plus(b, &IBig::ONE)
}

fn minus(a: &Sparse, b: &Sparse) -> Option<Sparse> {
    a.plus(b, &IBig::NEG_ONE)
}

/// Returns the partial derivative with respect to one kernel.
pub(super) fn partial(polynomial: &Sparse, index: u16) -> Option<Sparse> {
    let mut sum = Sparse::default();
    for (power, part) in polynomial.coefficients(index).into_iter().enumerate().skip(1) {
        let factor = Sparse::unknown(index).power(u32::try_from(power - 1).ok()?)?;
        let term = part.times(&factor)?.scaled(&IBig::from(power))?;
        sum = plus(&sum, &term)?;
    }
    Some(sum)
}

/// Returns the numerator of the derivative of `above/below`; the denominator is `below^2`.
fn of_quotient(above: &Sparse, below: &Sparse) -> Option<Sparse> {
    minus(&partial(above, 0)?.times(below)?, &above.times(&partial(below, 0)?)?)
}

impl Tower {
    fn new(arena: &mut Arena, polynomial: &Sparse, kernels: &[Kernel], unknown: Symbol) -> Option<Self> {
        let used = polynomial.unknowns();
        let mut kernels = kernels.to_vec();
        let mut laws = Vec::with_capacity(kernels.len());
        // The denominators of the derivatives.
        let mut below: Vec<Sparse> = Vec::with_capacity(kernels.len());
        for index in 0..kernels.len() {
            let is_used = used.contains(&u16::try_from(index).ok()?);
            let (law, own) = match kernels.get(index)? {
                Kernel::Unknown(_) => (Law::Unknown, Sparse::one()),
                _ if !is_used => (Law::Constant, Sparse::one()),
                Kernel::Opaque(id) if arena.is_constant(*id) => (Law::Constant, Sparse::one()),
                Kernel::Exponential { base, unit, .. } => {
                    let (above, below) = unit.to_small()?;
                    let mut rate = Sparse::constant(IBig::from(above));
                    if !matches!(arena.node(*base), Node::Constant(Constant::E)) {
                        let logarithm = arena.apply(Function::Ln, &[*base]);
                        rate = rate.times(&Sparse::unknown(u16::try_from(kernels.len()).ok()?))?;
                        kernels.push(Kernel::Opaque(logarithm));
                    }
                    (Law::Exponential(rate), Sparse::constant(IBig::from(below)))
                }
                Kernel::Opaque(id) => {
                    let id = without_gaps(arena, *id, unknown)?;
                    kernels[index] = Kernel::Opaque(id);
                    primitive(arena, id, unknown)?
                }
                Kernel::Root { .. } | Kernel::Absolute { .. } => return None,
            };
            laws.push(law);
            below.push(own);
        }
        laws.resize_with(kernels.len(), || Law::Constant);
        let mut factors = below.clone();
        factors.sort();
        factors.dedup();
        factors.retain(|factor| factor.as_constant() != Some(IBig::ONE));
        let product = |without: Option<&Sparse>| {
            factors
                .iter()
                .filter(|factor| without != Some(factor))
                .try_fold(Sparse::one(), |product, factor| product.times(factor))
        };
        for (law, own) in laws.iter_mut().zip(&below) {
            if let Law::Exponential(rise) | Law::Primitive { rise, .. } = law {
                *rise = rise.times(&product(Some(own))?)?;
            }
        }
        let scale = product(None)?;
        (scale.terms().count() <= DERIVATIVE_TERMS).then_some(Self { unknown, kernels, laws, scale, factors })
    }

    /// Returns the derivative times the common denominator.
    fn derivative(&self, polynomial: &Sparse) -> Option<Sparse> {
        let mut sum = Sparse::default();
        for index in polynomial.unknowns() {
            let change = match self.laws.get(usize::from(index))? {
                Law::Constant => continue,
                Law::Unknown => self.scale.clone(),
                Law::Exponential(rate) => rate.times(&Sparse::unknown(index))?,
                Law::Primitive { rise, .. } => rise.clone(),
            };
            sum = plus(&sum, &partial(polynomial, index)?.times(&change)?)?;
            if sum.terms().count() > DERIVATIVE_TERMS {
                return None;
            }
        }
        Some(sum)
    }

    /// Returns the powers of exponentials in a monomial, and those of logarithms and similar functions.
    fn split(&self, monomial: &[(u16, u16)]) -> (Powers, Powers) {
        let of = |wanted: fn(&Law) -> bool| {
            monomial
                .iter()
                .copied()
                .filter(|(index, _)| self.laws.get(usize::from(*index)).is_some_and(wanted))
                .collect()
        };
        (of(|law| matches!(law, Law::Exponential(_))), of(|law| matches!(law, Law::Primitive { .. })))
    }

    /// Returns the divisor of the next step: exponentials, and a coefficient that is a polynomial in the
    /// unknown and constants.
    fn divisor(&self, polynomial: &Sparse) -> Option<(Powers, Sparse)> {
        let degree = |part: &[(u16, u16)]| part.iter().map(|(_, power)| u32::from(*power)).sum::<u32>();
        // Each group of terms with the same exponentials is represented by its highest power of logarithms.
        let mut groups: Vec<(Powers, Powers)> = Vec::new();
        for (monomial, _) in polynomial.terms() {
            let (exponentials, primitives) = self.split(monomial);
            match groups.iter_mut().find(|(known, _)| *known == exponentials) {
                Some((_, top)) if degree(&primitives) > degree(top) => *top = primitives,
                Some(_) => {}
                None => groups.push((exponentials, primitives)),
            }
        }
        let mut best: Option<((u32, usize, usize), Powers, Sparse)> = None;
        for (exponentials, primitives) in groups {
            let mut coefficient = Sparse::default();
            for (monomial, value) in polynomial.terms() {
                if self.split(monomial) != (exponentials.clone(), primitives.clone()) {
                    continue;
                }
                let mut term = Sparse::constant(value.clone());
                for (index, power) in monomial {
                    if !exponentials.contains(&(*index, *power)) && !primitives.contains(&(*index, *power)) {
                        term = term.times(&Sparse::unknown(*index).power(u32::from(*power))?)?;
                    }
                }
                coefficient = plus(&coefficient, &term)?;
            }
            let size = coefficient.coefficients(0).len();
            let key = (degree(&primitives), size, coefficient.terms().count());
            if best.as_ref().is_none_or(|(known, ..)| key < *known) {
                best = Some((key, exponentials, coefficient));
            }
        }
        best.map(|(_, exponentials, coefficient)| (exponentials, coefficient))
    }

    /// Returns all real roots. Recursion is bounded by [`ROOT_DERIVATIVES`].
    ///
    /// This function is long because the cases end the search in different ways, but share their data.
    fn roots(
        &self,
        arena: &mut Arena,
        polynomial: &Sparse,
        oracle: &mut BoundedOracle<'_>,
        depth: u32,
    ) -> Option<Vec<Coordinate>> {
        if depth > ROOT_DERIVATIVES || arena.overflowed() {
            return None;
        }
        let (shared, rest) = polynomial.split_monomial();
        let rest = rest.normal();
        let mut found = Vec::new();
        for index in shared {
            match self.laws.get(usize::from(index))? {
                Law::Unknown => found.push(Coordinate::Rational(Rational::ZERO)),
                Law::Primitive { .. } => {
                    let polynomial = &Sparse::unknown(index);
                    let place = Place { polynomial, kernels: &self.kernels, unknown: self.unknown };
                    // Inversion is called directly, because this search would split off the same factor
                    // again.
                    by_inversion(arena, place, &mut found, oracle, INVERSIONS - 1)?;
                }
                Law::Constant | Law::Exponential(_) => {}
            }
        }
        let moving: Vec<u16> = rest
            .unknowns()
            .into_iter()
            .filter(|index| !matches!(self.laws.get(usize::from(*index)), Some(Law::Constant)))
            .collect();
        match moving.as_slice() {
            [] => return Some(found),
            [0] if rest.unknowns().len() == 1 => {
                found.extend(real_roots(&rest.univariate(0)?)?.into_iter().map(Coordinate::from));
                return Some(found);
            }
            _ => {}
        }
        let (exponentials, divisor) =
            if moving == [0] { (Vec::new(), Sparse::one()) } else { self.divisor(&rest)? };
        // (f / (c E))' = (c f' - f c' - f c E'/E) / (c^2 E)
        let mut rate = Sparse::default();
        for (index, power) in exponentials {
            let Some(Law::Exponential(own)) = self.laws.get(usize::from(index)) else { return None };
            rate = plus(&rate, &own.scaled(&IBig::from(power))?)?;
        }
        let along = divisor.times(&self.derivative(&rest)?)?;
        let along = minus(&along, &rest.times(&self.derivative(&divisor)?)?)?;
        let slope = minus(&along, &rest.times(&divisor)?.times(&rate)?)?;
        if slope.is_zero() || slope.terms().count() > DERIVATIVE_TERMS {
            return None;
        }
        let mut cuts = self.roots(arena, &slope, oracle, depth + 1)?;
        if divisor.has(0) {
            cuts.extend(self.roots(arena, &divisor, oracle, depth + 1)?);
        }
        for factor in &self.factors {
            if factor.has(0) {
                cuts.extend(real_roots(&factor.univariate(0)?)?.into_iter().map(Coordinate::from));
            }
        }
        let function = Monotone {
            tower: self,
            polynomial: &rest,
            function: expression(arena, &rest, &self.kernels)?,
            slope: expression(arena, &slope, &self.kernels)?,
            divisor: expression(arena, &divisor, &self.kernels)?,
            scale: expression(arena, &self.scale, &self.kernels)?,
        };
        let mut cuts = sorted(arena, cuts, oracle)?;
        for cut in &mut cuts {
            match function.value(arena, function.function, cut, oracle) {
                Value::Sign(Ordering::Equal) => found.push(cut.clone()),
                Value::Sign(_) | Value::Undefined => {}
                // There may be two roots, one, or none.
                Value::Unknown => return None,
            }
        }
        for piece in 0..=cuts.len() {
            let (below, above) = cuts.split_at_mut(piece);
            function.between(arena, below.last_mut(), above.first_mut(), oracle, &mut found)?;
        }
        Some(found)
    }

    /// Adds the growth of an exponential of a rational function to `growth`; returns the limit of the
    /// remaining factor.
    fn growth(
        &self,
        arena: &mut Arena,
        id: Id,
        power: f64,
        upper: bool,
        growth: &mut Vec<f64>,
    ) -> Option<Id> {
        let Node::Power(_, exponent) = arena.node(id) else { return None };
        let plain = critical(arena, exponent, &[self.unknown])?.plain?;
        let (above, below) = (plain.numerator.univariate(0)?, plain.denominator.univariate(0)?);
        let small = |value: &IBig| Rational::from_integers(value.clone(), UBig::ONE);
        if below.degree() == 0 {
            let scale = small(below.leading()?)?;
            for (at, part) in above.coefficients().iter().enumerate().skip(1) {
                let rate = small(part)?.checked_div(&scale)?.to_f64();
                let turned = if !upper && at % 2 == 1 { -rate } else { rate };
                if growth.len() <= at {
                    growth.resize(at + 1, 0.0);
                }
                growth[at] += power * turned;
            }
            let rest = small(above.coefficients().first()?)?.checked_div(&scale)?;
            let rest = arena.number(rest);
            return Some(arena.exp(rest));
        }
        match above.degree().cmp(&below.degree()) {
            _ if above.is_zero() => Some(Arena::ONE),
            Ordering::Less => Some(Arena::ONE),
            Ordering::Equal => {
                let limit = small(above.leading()?)?.checked_div(&small(below.leading()?)?)?;
                let limit = arena.number(limit);
                Some(arena.exp(limit))
            }
            Ordering::Greater => None,
        }
    }

    /// Returns the sign near an infinite end, which the terms with the fastest growth determine.
    fn sign_at_infinity(
        &self,
        arena: &mut Arena,
        polynomial: &Sparse,
        upper: bool,
        oracle: &mut BoundedOracle<'_>,
    ) -> Option<Ordering> {
        let mut leading: Option<(Order, Vec<Id>)> = None;
        for (monomial, value) in polynomial.terms() {
            let (mut growth, mut degree, mut logarithms) = (vec![0.0; 2], 0, 0);
            let mut negative = value.is_negative();
            let mut factors =
                vec![arena.number(Rational::from_integers(value.clone().unsigned_abs().into(), UBig::ONE)?)];
            for (index, power) in monomial {
                let kernel = self.kernels.get(usize::from(*index))?;
                match (self.laws.get(usize::from(*index))?, kernel) {
                    (Law::Unknown, _) => {
                        degree = *power;
                        negative ^= !upper && power % 2 == 1;
                    }
                    (Law::Exponential(_), Kernel::Exponential { base, unit, .. }) => {
                        let base = oracle.ball(arena, *base, 64).ok()?.to_f64();
                        let direction = if upper { 1.0 } else { -1.0 };
                        growth[1] += direction * f64::from(*power) * unit.to_f64() * libm::log(base);
                    }
                    (Law::Exponential(_), Kernel::Opaque(id)) => {
                        let factor = self.growth(arena, *id, f64::from(*power), upper, &mut growth)?;
                        let exponent = arena.integer(i64::from(*power));
                        factors.push(arena.power(factor, exponent));
                    }
                    (Law::Primitive { degree: Some(degree), .. }, _) if *degree != 0 => {
                        logarithms += u32::from(*power);
                        let size = Rational::from(degree.pow(u32::from(*power)));
                        negative ^= size.is_negative();
                        factors.push(arena.number(size.absolute()));
                    }
                    (Law::Constant, Kernel::Opaque(id)) => {
                        let exponent = arena.integer(i64::from(*power));
                        factors.push(arena.power(*id, exponent));
                    }
                    _ => return None,
                }
            }
            let product = arena.product(&factors);
            let term = if negative { arena.neg(product) } else { product };
            let key = Order { growth, degree, logarithms };
            match &mut leading {
                Some((known, terms)) => match key.compare(known)? {
                    Ordering::Greater => (*known, *terms) = (key, vec![term]),
                    Ordering::Equal => terms.push(term),
                    Ordering::Less => {}
                },
                None => leading = Some((key, vec![term])),
            }
        }
        let (_, terms) = leading?;
        let sum = arena.sum(&terms);
        oracle.sign(arena, sum).filter(|sign| *sign != Ordering::Equal)
    }
}

/// The growth of a term towards an infinite end: `e^(sum of growth[i] |x|^i) |x|^degree ln(|x|)^logarithms`.
struct Order {
    growth: Vec<f64>,
    degree: u16,
    logarithms: u32,
}

impl Order {
    /// Compares the growth of two terms; `None` if rounded rates are too close.
    fn compare(&self, other: &Self) -> Option<Ordering> {
        for at in (0..self.growth.len().max(other.growth.len())).rev() {
            let rate = |order: &Self| order.growth.get(at).copied().unwrap_or(0.0);
            let apart = rate(self) - rate(other);
            if apart.abs() > 1e-9 * (1.0 + rate(self).abs()) {
                return Some(apart.total_cmp(&0.0));
            }
            if apart != 0.0 {
                return None;
            }
        }
        Some((self.degree, self.logarithms).cmp(&(other.degree, other.logarithms)))
    }
}

/// Splits a function of one argument, or an exponential (`None`), into function and argument.
fn function_of(arena: &Arena, id: Id) -> Option<(Option<Function>, Id)> {
    match arena.node(id) {
        Node::Apply(function, &[argument]) => Some((Some(function), argument)),
        Node::Power(base, exponent) if matches!(arena.node(base), Node::Constant(Constant::E)) => {
            Some((None, exponent))
        }
        _ => None,
    }
}

/// Returns a kernel with the same values that also has values at the removable gaps of its argument: `e^{x^2}`
/// for `e^{x/(1/x)}`. A sample at a gap would make a piece seem to have no values. The roots of the filled
/// function include those of the original one.
fn without_gaps(arena: &mut Arena, id: Id, unknown: Symbol) -> Option<Id> {
    let (function, argument) = function_of(arena, id)?;
    let plain = critical(arena, argument, &[unknown])?.plain?;
    if plain.poles.is_empty() {
        return Some(id);
    }
    let kernels = [Kernel::Unknown(unknown)];
    let above = expression(arena, &plain.numerator, &kernels)?;
    let below = expression(arena, &plain.denominator, &kernels)?;
    let argument = arena.div(above, below);
    Some(match function {
        Some(function) => arena.apply(function, &[argument]),
        None => arena.exp(argument),
    })
}

/// Returns the law of a kernel and the denominator of its derivative. The kernel is a function with a
/// rational derivative, or an exponential of a rational function.
fn primitive(arena: &Arena, id: Id, unknown: Symbol) -> Option<(Law, Sparse)> {
    let (function, argument) = function_of(arena, id)?;
    let plain = critical(arena, argument, &[unknown])?.plain?;
    let (above, below) = (plain.numerator, plain.denominator);
    let rise = of_quotient(&above, &below)?;
    let Some(function) = function else {
        return Some((Law::Exponential(rise), below.times(&below)?));
    };
    let (squares, product) = ((above.times(&above)?, below.times(&below)?), above.times(&below)?);
    let (denominator, degree) = match function {
        Function::Ln => {
            let degree = |part: &Sparse| i64::try_from(part.coefficients(0).len()).ok();
            (product, Some(degree(&above)? - degree(&below)?))
        }
        // The denominator includes the places at which the function jumps.
        Function::Atan => {
            let denominator = plus(&squares.0, &squares.1)?.times(&below)?;
            return Some((Law::Primitive { rise: rise.times(&below)?, degree: None }, denominator));
        }
        Function::Atanh => (minus(&squares.1, &squares.0)?, None),
        _ => return None,
    };
    Some((Law::Primitive { rise, degree }, denominator))
}

/// A function that is monotone between cuts, up to a factor that does not vanish there.
struct Monotone<'t> {
    tower: &'t Tower,
    polynomial: &'t Sparse,
    function: Id,
    /// An expression with the sign of the derivative of the quotient, multiplied by the sign of the scale.
    slope: Id,
    divisor: Id,
    scale: Id,
}

impl Monotone<'_> {
    fn value(&self, arena: &mut Arena, id: Id, at: &mut Coordinate, oracle: &mut BoundedOracle<'_>) -> Value {
        value_at(arena, (id, self.tower.unknown), at, oracle)
    }

    fn sign(
        &self,
        arena: &mut Arena,
        id: Id,
        at: &Rational,
        oracle: &mut BoundedOracle<'_>,
    ) -> Option<Ordering> {
        match self.value(arena, id, &mut Coordinate::Rational(at.clone()), oracle) {
            Value::Sign(sign) => Some(sign),
            _ => None,
        }
    }

    /// Adds the root between two cuts, if there is one.
    fn between(
        &self,
        arena: &mut Arena,
        mut below: Option<&mut Coordinate>,
        mut above: Option<&mut Coordinate>,
        oracle: &mut BoundedOracle<'_>,
        found: &mut Vec<Coordinate>,
    ) -> Option<()> {
        let middle = sample(arena, below.as_deref_mut(), above.as_deref_mut(), false, oracle)??;
        let here = match self.value(arena, self.function, &mut Coordinate::Rational(middle.clone()), oracle) {
            // Without a value here, the function is taken to have none in the whole piece.
            Value::Undefined => return Some(()),
            Value::Sign(Ordering::Equal) => {
                found.push(Coordinate::Rational(middle));
                return Some(());
            }
            Value::Sign(sign) => sign,
            Value::Unknown => return None,
        };
        let mut rises = true;
        for id in [self.slope, self.scale, self.divisor] {
            match self.sign(arena, id, &middle, oracle)? {
                Ordering::Less => rises = !rises,
                Ordering::Equal => return None,
                Ordering::Greater => {}
            }
        }
        // Towards this end, the quotient moves towards 0, and perhaps past it.
        let upward = rises == (here == Ordering::Less);
        let end = if upward { above } else { below };
        let (mut known, mut vanishes) = (false, false);
        if let Some(end) = end.as_deref() {
            match self.value(arena, self.function, &mut end.clone(), oracle) {
                Value::Sign(sign) if sign == here => return Some(()),
                Value::Sign(Ordering::Equal) => {
                    match self.value(arena, self.divisor, &mut end.clone(), oracle) {
                        Value::Sign(Ordering::Less | Ordering::Greater) => return Some(()),
                        _ => vanishes = true,
                    }
                }
                Value::Sign(_) => known = true,
                Value::Undefined | Value::Unknown => {}
            }
        }
        let mut end = end.cloned();
        for approach in APPROACHES {
            let Some(at) = towards(arena, end.as_mut(), &middle, upward, approach, oracle) else {
                break;
            };
            match self.sign(arena, self.function, &at, oracle) {
                Some(Ordering::Equal) => {
                    found.push(Coordinate::Rational(at));
                    return Some(());
                }
                Some(sign) if sign != here => {
                    let ends = if upward { (middle, at) } else { (at, middle) };
                    let rising = (sign == Ordering::Greater) == upward;
                    let function = (self.function, self.tower.unknown);
                    found.push(Enclosed::between(arena, function, ends, rising, oracle)?);
                    return Some(());
                }
                _ => {}
            }
        }
        if known || vanishes || end.is_some() {
            return None;
        }
        let sign = self.tower.sign_at_infinity(arena, self.polynomial, upward, oracle)?;
        (sign == here).then_some(())
    }
}

/// Returns a number between the middle and an end; the greater the step, the closer it is to the end.
fn towards(
    arena: &Arena,
    end: Option<&mut Coordinate>,
    middle: &Rational,
    upward: bool,
    step: u32,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Rational> {
    let power = Rational::from_integers(IBig::ONE << step as usize, UBig::ONE)?;
    let Some(end) = end else {
        let power = if step > 40 { return None } else { power };
        let base = middle.floor();
        return if upward { base.checked_add(&power) } else { base.checked_sub(&power) };
    };
    // Usually, these bits make the error of the end far smaller than its distance from the result; if not, the
    // comparison below gives `None`.
    let bits = 2 * step as usize + 64;
    let between = |center: &Rational| {
        let distance = center.checked_sub(middle)?;
        center.checked_sub(&distance.checked_div(&power)?)
    };
    let (at, order) = match end {
        Coordinate::Rational(end) => {
            let at = between(end)?;
            let order = at.cmp(end);
            (at, order)
        }
        other => {
            let ball = other.ball(arena, bits, oracle).ok()?;
            let at = between(&ball.center_rational()?)?;
            let order = Ball::rational(&at, bits).ok()?.compare(&ball, 2 * bits)?;
            (at, order)
        }
    };
    (order == if upward { Ordering::Less } else { Ordering::Greater }).then_some(at)
}

pub(super) fn value_at(
    arena: &mut Arena,
    (id, unknown): (Id, Symbol),
    at: &mut Coordinate,
    oracle: &mut BoundedOracle<'_>,
) -> Value {
    let value = oracle.value_at(arena, id, unknown, at);
    if value != Value::Unknown {
        return value;
    }
    match at.expression(arena) {
        Some(expression) => {
            let value = arena.substitute(id, unknown, expression);
            oracle.value(arena, value)
        }
        None => Value::Unknown,
    }
}
