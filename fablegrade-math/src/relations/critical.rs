//! The places at which the truth of a comparison can change, as polynomials.
//!
//! The difference of sides becomes a quotient of polynomials over *kernels*: unknowns, roots, absolute
//! values, powers with an unknown in the exponent, and other functions. Roots and absolute values are removed
//! by norms (products over all conjugates), which vanish wherever the difference does. Together with
//! the denominators, the radicands of even roots and the arguments of absolute values, the norms cut the
//! line, or the plane, into cells on which the truth is constant.

use super::quotient::{Quotient, add, multiply, number, reciprocal, square_root, whole};
use crate::expr::{Arena, Function, Id, Node, Symbol};
use crate::limits::{
    CONJUGATES, CONJUGATES_IN_SEVERAL, KERNELS, MULTIPLIED_POWER, POWER_OF_UNKNOWN, RELATION_DEPTH,
};
use crate::number::Rational;
use crate::polynomial::{Polynomial, Sparse};
use dashu_base::{Signed, UnsignedAbs};
use dashu_int::IBig;

/// The parts that arithmetic treats as atoms.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Kernel {
    /// An unknown.
    Unknown(Symbol),
    /// A root `t` with `t^degree = law`; for an even degree, `t` has the sign of `turned`.
    Root { degree: usize, law: Sparse, turned: Sparse },
    /// `|inner|`
    Absolute { inner: Sparse },
    /// `base^(unit x + shift)` with a constant base.
    Exponential { base: Id, unit: Rational, shift: Rational, unknown: Symbol },
    /// Any other function, or a constant that is not a radical.
    Opaque(Id),
}

/// A comparison as polynomials.
#[derive(Debug)]
pub(super) struct Critical {
    /// The kernels, in the order of the polynomials' unknowns.
    pub(super) kernels: Vec<Kernel>,
    /// Polynomials in which no radical or absolute value occurs; the truth does not change where none of them vanishes.
    pub(super) places: Vec<Sparse>,
    /// The difference as a rational function of the unknowns, with all divisors; `None` if it is not one. It
    /// gives the exact signs and the points without a value.
    pub(super) plain: Option<Plain>,
    /// The factors of the numerator. Where one of these vanishes and the difference has a value, the value is
    /// 0. Empty if all kernels are unknowns, or if roots, absolute values or denominators occur.
    pub(super) zeros: Vec<Sparse>,
}

/// A rational function of the unknowns.
#[derive(Clone, Debug)]
pub(super) struct Plain {
    pub(super) numerator: Sparse,
    pub(super) denominator: Sparse,
    pub(super) poles: Vec<Sparse>,
}

struct Reading<'a> {
    arena: &'a Arena,
    unknowns: usize,
    kernels: Vec<Kernel>,
    /// The divisors.
    poles: Vec<Sparse>,
    /// Polynomials at whose roots a domain or a branch can end, such as the radicands of even roots and the
    /// arguments of absolute values and logarithms.
    edges: Vec<Sparse>,
    /// The unit of the exponents of each base.
    units: Vec<(Id, Rational)>,
}

/// Reads a difference of sides; `None` if the difference is too large or of an unsupported kind.
pub(super) fn critical(arena: &Arena, difference: Id, unknowns: &[Symbol]) -> Option<Critical> {
    let mut reading = Reading {
        arena,
        unknowns: unknowns.len(),
        kernels: unknowns.iter().map(|symbol| Kernel::Unknown(*symbol)).collect(),
        poles: Vec::new(),
        edges: Vec::new(),
        units: Vec::new(),
    };
    reading.find_units(difference);
    let Quotient { numerator, denominator } = reading.quotient(difference, 0)?;
    let mut places = Vec::new();
    let of_unknowns =
        |part: &Sparse| part.unknowns().iter().all(|index| usize::from(*index) < unknowns.len());
    // A constant without a value can cancel, as in `(x-x)\ln(-2)`, so every opaque kernel must be a named
    // constant.
    let has_value = |kernel: &Kernel| match kernel {
        Kernel::Opaque(id) => matches!(arena.node(*id), Node::Constant(_)),
        _ => true,
    };
    let plain = (reading.edges.is_empty()
        && reading.kernels.iter().all(has_value)
        && of_unknowns(&numerator)
        && of_unknowns(&denominator)
        && reading.poles.iter().all(of_unknowns))
    .then(|| Plain {
        numerator: numerator.clone(),
        denominator: denominator.clone(),
        poles: reading.poles.clone(),
    });
    // A product vanishes where a factor does.
    let factors: Vec<Sparse> = match arena.node(difference) {
        Node::Product(factors) => factors
            .iter()
            .map(|factor| match arena.node(*factor) {
                Node::Power(base, exponent) if arena.as_integer(exponent).is_some_and(|power| power > 0) => {
                    base
                }
                _ => *factor,
            })
            .map(|factor| reading.quotient(factor, 1).map(|quotient| quotient.numerator))
            .collect::<Option<_>>()?,
        _ => vec![numerator],
    };
    let radicals = |kernel: &Kernel| matches!(kernel, Kernel::Root { .. } | Kernel::Absolute { .. });
    let most = if unknowns.len() > 1 { CONJUGATES_IN_SEVERAL } else { CONJUGATES };
    if conjugates(&reading.kernels) > most {
        return None;
    }
    let exact = reading.poles.is_empty() && !reading.kernels.iter().any(radicals);
    let zeros = if reading.kernels.len() == unknowns.len() || !exact {
        Vec::new()
    } else {
        factors.iter().map(|factor| factor.split_monomial().1.normal()).collect()
    };
    for part in factors.into_iter().chain(core::mem::take(&mut reading.poles)) {
        reading.eliminate(part, &mut places, 0)?;
    }
    for part in core::mem::take(&mut reading.edges) {
        reading.eliminate(part, &mut places, 0)?;
    }
    places.retain(|place| place.as_constant().is_none());
    places.sort();
    places.dedup();
    Some(Critical { kernels: reading.kernels, places, plain, zeros })
}

/// Returns the product of the degrees of all roots with non-constant radicands, a measure of the size of
/// norms. Absolute values and roots of constants are not counted.
pub(super) fn conjugates(kernels: &[Kernel]) -> usize {
    let degree = |kernel: &Kernel| match kernel {
        Kernel::Root { degree, law, .. } if law.as_constant().is_none() => *degree,
        _ => 1,
    };
    kernels.iter().map(degree).fold(1, usize::saturating_mul)
}

impl Reading<'_> {
    /// Finds the unit of each base: the largest number that divides the unknown's factors in all exponents
    /// without a remainder.
    fn find_units(&mut self, id: Id) {
        let order = self.arena.reachable(&[id]);
        for part in order {
            let Node::Power(base, exponent) = self.arena.node(part) else { continue };
            if self.arena.is_constant(exponent) || !self.arena.is_constant(base) {
                continue;
            }
            let Some((base, factor, _, _)) = self.exponent(base, exponent) else { continue };
            match self.units.iter_mut().find(|(known, _)| *known == base) {
                Some((_, unit)) => {
                    if let Some(shared) = common_unit(unit, &factor) {
                        *unit = shared;
                    }
                }
                None => self.units.push((base, factor.absolute())),
            }
        }
    }

    /// Splits `base^exponent` with `exponent = factor x + rest` and a rational rest into base, factor, `x`
    /// and rest.
    fn exponent(&self, base: Id, exponent: Id) -> Option<(Id, Rational, Symbol, Rational)> {
        let mut linear = Linear::default();
        linear.read(self.arena, exponent, &Rational::ONE)?;
        Some((base, linear.factor, linear.unknown?, linear.rest))
    }

    fn kernel(&mut self, kernel: Kernel) -> Option<Quotient> {
        let index = match self.kernels.iter().position(|known| *known == kernel) {
            Some(index) => index,
            None => {
                if self.kernels.len() >= KERNELS + self.unknowns {
                    return None;
                }
                self.kernels.push(kernel);
                self.kernels.len() - 1
            }
        };
        Some(whole(Sparse::unknown(u16::try_from(index).ok()?)))
    }

    /// Reads an expression as a quotient of polynomials. Recursion is bounded by [`RELATION_DEPTH`].
    ///
    /// This function is long because it has one arm for each kind of node.
    fn quotient(&mut self, id: Id, depth: usize) -> Option<Quotient> {
        if depth > RELATION_DEPTH {
            return None;
        }
        let arena = self.arena;
        match arena.node(id) {
            Node::Number(value) => Some(number(value)),
            Node::Symbol(symbol) => {
                self.kernels[..self.unknowns].contains(&Kernel::Unknown(symbol)).then_some(())?;
                self.kernel(Kernel::Unknown(symbol))
            }
            Node::Sum(&[first, ref rest @ ..]) => {
                let mut sum = self.quotient(first, depth + 1)?;
                for &term in rest {
                    let term = self.quotient(term, depth + 1)?;
                    sum = add(&sum, &term, &IBig::ONE)?;
                }
                Some(sum)
            }
            Node::Product(&[first, ref rest @ ..]) => {
                let mut product = self.quotient(first, depth + 1)?;
                for &factor in rest {
                    let factor = self.quotient(factor, depth + 1)?;
                    product = multiply(&product, &factor)?;
                }
                Some(product)
            }
            Node::Power(base, exponent) => self.power(id, base, exponent, depth),
            Node::Apply(Function::Abs, &[inner]) => {
                if arena.is_constant(inner) && !self.is_algebraic(inner) {
                    return self.kernel(Kernel::Opaque(id));
                }
                let inner = self.quotient(inner, depth + 1)?;
                self.absolute(inner)
            }
            Node::Apply(Function::Sign, &[inner]) if !arena.is_constant(inner) => {
                let inner = self.quotient(inner, depth + 1)?;
                self.poles.push(inner.numerator.clone());
                let size = self.absolute(inner.clone())?;
                multiply(&size, &reciprocal(inner))
            }
            Node::Apply(function @ (Function::Min | Function::Max), &[first, ref rest @ ..])
                if !arena.is_constant(id) =>
            {
                let mut extreme = self.quotient(first, depth + 1)?;
                for &next in rest {
                    let next = self.quotient(next, depth + 1)?;
                    let difference = add(&extreme, &next, &IBig::NEG_ONE)?;
                    let size = self.absolute(difference)?;
                    let sum = add(&extreme, &next, &IBig::ONE)?;
                    let sign = if function == Function::Max { IBig::ONE } else { IBig::NEG_ONE };
                    let mut twice = add(&sum, &size, &sign)?;
                    twice.denominator = twice.denominator.scaled(&IBig::from(2))?;
                    extreme = twice;
                }
                Some(extreme)
            }
            Node::Constant(constant) => {
                use crate::expr::Constant;
                matches!(constant, Constant::Pi | Constant::E | Constant::Phi | Constant::EulerGamma)
                    .then_some(())?;
                self.kernel(Kernel::Opaque(id))
            }
            Node::Apply(function, arguments) => {
                if arena.is_constant(id) {
                    return self.kernel(Kernel::Opaque(id));
                }
                let &[argument] = arguments else { return None };
                match function {
                    Function::Ln => {
                        let inside = self.quotient(argument, depth + 1)?;
                        self.edges.push(inside.numerator);
                        self.edges.push(inside.denominator);
                    }
                    Function::Asin | Function::Acos | Function::Atanh => {
                        let inside = self.quotient(argument, depth + 1)?;
                        for sign in [IBig::ONE, IBig::NEG_ONE] {
                            self.edges.push(inside.numerator.plus(&inside.denominator, &sign)?);
                        }
                        self.edges.push(inside.denominator);
                    }
                    Function::Atan
                    | Function::Sinh
                    | Function::Tanh
                    | Function::Asinh
                    | Function::Sin
                    | Function::Cos => {
                        let inside = self.quotient(argument, depth + 1)?;
                        self.edges.push(inside.denominator);
                    }
                    _ => return None,
                }
                self.kernel(Kernel::Opaque(id))
            }
            _ => None,
        }
    }

    fn is_algebraic(&self, id: Id) -> bool {
        !self.arena.any(id, |node| match node {
            Node::Number(_) | Node::Sum(_) | Node::Product(_) => false,
            Node::Power(_, exponent) => self.arena.as_number(exponent).is_none(),
            Node::Apply(function, _) => function != Function::Abs,
            _ => true,
        })
    }

    fn power(&mut self, id: Id, base: Id, exponent: Id, depth: usize) -> Option<Quotient> {
        let arena = self.arena;
        let Some((numerator, denominator)) = arena.as_number(exponent).and_then(Rational::to_small) else {
            if arena.is_constant(id) {
                return self.kernel(Kernel::Opaque(id));
            }
            return self.exponential(id, [base, exponent], depth);
        };
        if arena.is_constant(base) && !self.is_algebraic(base) {
            // This is a power of a constant such as π or e.
            if denominator == 1
                && matches!(arena.node(base), Node::Constant(_))
                && numerator.unsigned_abs() <= 4
            {
                let base = self.quotient(base, depth + 1)?;
                return self.raised(base, numerator);
            }
            return self.kernel(Kernel::Opaque(id));
        }
        // A power of an unknown can be high, because it vanishes where the unknown does.
        let most = if denominator == 1 && matches!(arena.node(base), Node::Symbol(_)) {
            POWER_OF_UNKNOWN
        } else {
            MULTIPLIED_POWER
        };
        if numerator == 0 || numerator.unsigned_abs() > most || denominator > 6 {
            return None;
        }
        let root = if denominator == 1 {
            self.quotient(base, depth + 1)?
        } else {
            self.root(base, usize::try_from(denominator).ok()?, depth)?
        };
        self.raised(root, numerator)
    }

    fn raised(&mut self, base: Quotient, exponent: i64) -> Option<Quotient> {
        let power = u32::try_from(exponent.unsigned_abs()).ok()?;
        let raised =
            Quotient { numerator: base.numerator.power(power)?, denominator: base.denominator.power(power)? };
        if exponent > 0 {
            return Some(Quotient { numerator: self.lowered(&raised.numerator, power)?, ..raised });
        }
        if base.numerator.is_zero() {
            return None;
        }
        if base.numerator.as_constant().is_none() {
            self.poles.push(base.numerator);
        }
        Some(reciprocal(raised))
    }

    /// Reduces a power of a single root or absolute value: `t^q` is the radicand of a `q`-th root `t`.
    fn lowered(&self, raised: &Sparse, power: u32) -> Option<Sparse> {
        let &[index] = raised.unknowns().as_slice() else { return Some(raised.clone()) };
        let (degree, law) = match self.kernels.get(usize::from(index))? {
            Kernel::Root { degree, law, .. } => (u32::try_from(*degree).ok()?, law.clone()),
            Kernel::Absolute { inner } => (2, inner.times(inner)?),
            _ => return Some(raised.clone()),
        };
        let parts = raised.coefficients(index);
        let (last, lower) = parts.split_last()?;
        if power < degree || lower.len() != power as usize || lower.iter().any(|part| !part.is_zero()) {
            return Some(raised.clone());
        }
        last.times(&law.power(power / degree)?)?.times(&Sparse::unknown(index).power(power % degree)?)
    }

    fn root(&mut self, base: Id, degree: usize, depth: usize) -> Option<Quotient> {
        if let Some(value) = self.arena.as_number(base) {
            if let Some(root) = value.exact_root(degree as u32) {
                return Some(number(&root));
            }
            if value.is_negative() && degree.is_multiple_of(2) {
                return None;
            }
        }
        // `sqrt(u^2)` is `|u|`; higher even powers are similar.
        if degree == 2
            && let Node::Power(inner, exponent) = self.arena.node(base)
            && let Some(even) = self.arena.as_integer(exponent).filter(|power| *power > 0 && power % 2 == 0)
        {
            let inner = self.quotient(inner, depth + 1)?;
            let size = self.absolute(inner)?;
            return self.raised(size, even / 2);
        }
        let Quotient { mut numerator, mut denominator } = self.quotient(base, depth + 1)?;
        if denominator.as_constant().is_some_and(|below| below.is_negative()) {
            numerator = numerator.scaled(&IBig::NEG_ONE)?;
            denominator = denominator.scaled(&IBig::NEG_ONE)?;
        }
        if degree.is_multiple_of(2) && numerator.as_constant().is_none() {
            self.edges.push(numerator.clone());
        }
        if denominator.as_constant().is_none() {
            self.edges.push(denominator.clone());
        }
        // (n/d)^(1/q) is (n d^(q-1))^(1/q) over d, or over |d| if q is even.
        let law = numerator.times(&denominator.power(degree as u32 - 1)?)?;
        if law.is_zero() {
            return Some(whole(Sparse::default()));
        }
        let positive = denominator.as_constant().is_some() || square_root(&denominator).is_some();
        if degree == 2
            && let Some(root) = square_root(&law)
        {
            let size = self.absolute(whole(root))?;
            let below = if positive { whole(denominator) } else { self.absolute(whole(denominator))? };
            return multiply(&size, &reciprocal(below));
        }
        let turned = if degree % 2 == 1 || positive { Sparse::one() } else { denominator.clone() };
        let root = self.kernel(Kernel::Root { degree, law, turned })?;
        Some(Quotient { numerator: root.numerator, denominator })
    }

    fn absolute(&mut self, inner: Quotient) -> Option<Quotient> {
        let product = inner.numerator.times(&inner.denominator)?;
        if let Some(value) = product.as_constant() {
            let size = Sparse::constant(IBig::from(value.unsigned_abs()));
            return Some(Quotient { numerator: size, denominator: inner.denominator.power(2)? });
        }
        self.edges.push(inner.numerator);
        let size = self.kernel(Kernel::Absolute { inner: product })?;
        Some(Quotient { numerator: size.numerator, denominator: inner.denominator.power(2)? })
    }

    /// Reads `base^(a x + b)` as a power of a common kernel.
    fn exponential(&mut self, id: Id, [base, exponent]: [Id; 2], depth: usize) -> Option<Quotient> {
        if !self.arena.is_constant(base) {
            return None;
        }
        let positive = match self.arena.node(base) {
            Node::Number(value) => value.is_positive() && !value.is_one(),
            Node::Constant(_) => true,
            _ => false,
        };
        let Some((base, factor, unknown, rest)) = self.exponent(base, exponent) else {
            return self.of_rational_function(id, [base, exponent], depth);
        };
        let (_, unit) = self.units.iter().find(|(known, _)| *known == base)?;
        let unit = unit.clone();
        let times = factor.checked_div(&unit)?.to_i64()?;
        if !positive || times.unsigned_abs() > MULTIPLIED_POWER {
            return None;
        }
        // The first power that is read for a base sets the `shift` of its kernel.
        let known = self.kernels.iter().find_map(|kernel| match kernel {
            Kernel::Exponential { base: other, shift, .. } if *other == base => Some(shift.clone()),
            _ => None,
        });
        let shift = match known {
            Some(shift) => shift,
            None => rest.checked_div(&Rational::from(times))?,
        };
        let rest = rest.checked_sub(&shift.checked_mul(&Rational::from(times))?)?;
        let kernel = self.kernel(Kernel::Exponential { base, unit, shift, unknown })?;
        let mut power = Quotient {
            numerator: kernel.numerator.power(u32::try_from(times.unsigned_abs()).ok()?)?,
            denominator: Sparse::one(),
        };
        if times < 0 {
            power = reciprocal(power);
        }
        if rest.is_zero() {
            return Some(power);
        }
        let constant = match (self.arena.as_number(base), rest.to_i64()) {
            (Some(value), Some(exponent)) if exponent.unsigned_abs() <= MULTIPLIED_POWER => {
                number(&value.checked_pow(exponent)?)
            }
            // An integer power of a constant such as `e` is a power of its kernel. Other rational powers of
            // such constants are not supported here.
            (_, Some(exponent)) if exponent.unsigned_abs() <= MULTIPLIED_POWER => {
                let constant = self.kernel(Kernel::Opaque(base))?;
                let power = constant.numerator.power(u32::try_from(exponent.unsigned_abs()).ok()?)?;
                let power = whole(power);
                if exponent < 0 { reciprocal(power) } else { power }
            }
            (Some(value), None) => {
                let (above, below) = rest.to_small()?;
                if below > 6 || above.unsigned_abs() > MULTIPLIED_POWER {
                    return None;
                }
                let top = value.numerator();
                let bottom = IBig::from(value.denominator());
                let degree = usize::try_from(below).ok()?;
                let law = &top * bottom.pow(degree - 1);
                let root =
                    self.kernel(Kernel::Root { degree, law: Sparse::constant(law), turned: Sparse::one() })?;
                let root = Quotient { numerator: root.numerator, denominator: Sparse::constant(bottom) };
                let power = Quotient {
                    numerator: root.numerator.power(u32::try_from(above.unsigned_abs()).ok()?)?,
                    denominator: root.denominator.power(u32::try_from(above.unsigned_abs()).ok()?)?,
                };
                if above < 0 { reciprocal(power) } else { power }
            }
            _ => return None,
        };
        multiply(&power, &constant)
    }

    /// Reads `e^u` with a rational function `u` that is not linear.
    fn of_rational_function(&mut self, id: Id, [base, exponent]: [Id; 2], depth: usize) -> Option<Quotient> {
        if !matches!(self.arena.node(base), Node::Constant(crate::expr::Constant::E)) {
            return None;
        }
        let Quotient { numerator, denominator } = self.quotient(exponent, depth + 1)?;
        if numerator.unknowns().iter().chain(&denominator.unknowns()).any(|index| *index > 0) {
            return None;
        }
        self.edges.push(denominator);
        self.kernel(Kernel::Opaque(id))
    }

    /// Removes roots and absolute values, in reverse order of their creation.
    fn eliminate(&self, mut part: Sparse, places: &mut Vec<Sparse>, depth: usize) -> Option<()> {
        if part.is_zero() {
            return Some(());
        }
        let original = part.clone();
        for index in (self.unknowns..self.kernels.len()).rev() {
            let at = u16::try_from(index).ok()?;
            if !part.has(at) {
                continue;
            }
            part = match &self.kernels[index] {
                Kernel::Root { degree, law, .. } => part.norm(at, *degree, law)?,
                Kernel::Absolute { inner } => part.norm(at, 2, &inner.times(inner)?)?,
                _ => part,
            };
            if part.is_zero() {
                // The polynomial is 0 on one branch of an absolute value, so the branches are treated
                // separately.
                let (absolute, inner) = self.absolute_in(&original)?;
                if depth > 5 {
                    return None;
                }
                for sign in [IBig::ONE, IBig::NEG_ONE] {
                    let branch = original.substituted(absolute, &inner.scaled(&sign)?)?;
                    self.eliminate(branch, places, depth + 1)?;
                }
                return Some(());
            }
            part = part.normal();
        }
        // Factors that are powers of single unknowns are split off.
        let (unknowns, rest) = part.split_monomial();
        for unknown in unknowns {
            places.push(Sparse::unknown(unknown));
        }
        places.push(rest.normal());
        Some(())
    }

    fn absolute_in(&self, part: &Sparse) -> Option<(u16, &Sparse)> {
        self.kernels.iter().enumerate().rev().find_map(|(index, kernel)| match kernel {
            Kernel::Absolute { inner } => {
                let at = u16::try_from(index).ok()?;
                part.has(at).then_some((at, inner))
            }
            _ => None,
        })
    }
}

/// A linear expression `factor x + rest`.
#[derive(Default)]
struct Linear {
    factor: Rational,
    unknown: Option<Symbol>,
    rest: Rational,
}

impl Linear {
    fn read(&mut self, arena: &Arena, id: Id, scale: &Rational) -> Option<()> {
        match arena.node(id) {
            Node::Number(value) => {
                self.rest = self.rest.checked_add(&value.checked_mul(scale)?)?;
                Some(())
            }
            Node::Symbol(symbol) => {
                if *self.unknown.get_or_insert(symbol) != symbol {
                    return None;
                }
                self.factor = self.factor.checked_add(scale)?;
                Some(())
            }
            Node::Sum(terms) => terms.iter().try_for_each(|term| match arena.node(*term) {
                Node::Sum(_) => None,
                _ => self.read(arena, *term, scale),
            }),
            Node::Product(&[left, right]) => {
                let (number, other) = match (arena.as_number(left), arena.as_number(right)) {
                    (Some(number), _) => (number, right),
                    (_, Some(number)) => (number, left),
                    _ => return None,
                };
                let scale = number.checked_mul(scale)?;
                match arena.node(other) {
                    Node::Product(_) => None,
                    Node::Sum(terms) => terms.iter().try_for_each(|term| match arena.node(*term) {
                        Node::Number(_) | Node::Symbol(_) => self.read(arena, *term, &scale),
                        _ => None,
                    }),
                    _ => self.read(arena, other, &scale),
                }
            }
            _ => None,
        }
    }
}

/// Returns the largest number that divides both without a remainder.
pub(super) fn common_unit(a: &Rational, b: &Rational) -> Option<Rational> {
    let (p, q) = (a.absolute(), b.absolute());
    let (c, d) = (p.denominator_part(), q.denominator_part());
    let above =
        crate::number::gcd(&p.numerator_part().checked_mul(&d)?, &q.numerator_part().checked_mul(&c)?)?;
    above.checked_div(&c.checked_mul(&d)?)
}

impl Plain {
    /// Returns the numerator, the denominator and the poles as polynomials in one unknown.
    pub(super) fn univariate(&self) -> Option<(Polynomial, Polynomial, Vec<Polynomial>)> {
        Some((
            of_same_sign(&self.numerator)?,
            of_same_sign(&self.denominator)?,
            self.poles.iter().map(of_same_sign).collect::<Option<_>>()?,
        ))
    }
}

/// Replaces a factor `x^n` by 1, `x` or `x^2`, so that at every point the result has the sign of `polynomial`.
fn of_same_sign(polynomial: &Sparse) -> Option<Polynomial> {
    let (_, rest) = polynomial.split_monomial();
    let (rest, least) = (rest.univariate(0)?, polynomial.least_degree());
    let x = Sparse::unknown(0).univariate(0)?;
    match least {
        0 => Some(rest),
        odd if odd % 2 == 1 => rest.times(&x),
        _ => rest.times(&x.times(&x)?),
    }
}
