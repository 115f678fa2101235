//! Values of nodes in the finite field, computed from the values of their parts.

use super::plan::Facts;
use super::prime::Complex;
use super::sample::{Sample, Stop, World, tag};
use super::walks::{Angle, Term};
use crate::expr::{Constant, Function, Id, Node};
use crate::limits::{FACTORIAL_SHIFT, FIELD_FACTORIAL};
use crate::number::{self, Rational};
use smallvec::{SmallVec, smallvec};

fn real(value: u64) -> Complex {
    Complex::real(value)
}

impl Sample<'_> {
    pub(crate) fn value(&self, id: Id) -> Result<Complex, Stop> {
        let p = &self.prime.p;
        Ok(match self.arena.node(id) {
            Node::Number(number) => real(self.number(World::Value, number)?),
            Node::Symbol(symbol) => real(self.variable(symbol).value),
            Node::Constant(constant) => match constant {
                Constant::Pi => real(self.atom(World::Value, &[tag::PI])),
                Constant::E => real(self.prime.exp(1)),
                Constant::I => Complex { re: 0, im: p.one },
                Constant::EulerGamma => real(self.atom(World::Value, &[tag::EULER_GAMMA])),
                Constant::Phi => {
                    let root = self.prime.sqrt(p.form(5));
                    real(p.mul(self.prime.half, p.add(p.one, root)))
                }
                Constant::Infinity | Constant::ComplexInfinity | Constant::Undefined => {
                    return Err(Stop::Unfit);
                }
            },
            Node::Sum(terms) => {
                terms.iter().fold(Complex::default(), |sum, &term| self.prime.add(sum, self.value_of(term)))
            }
            Node::Product(factors) => {
                factors.iter().fold(real(p.one), |all, &factor| self.prime.mul(all, self.value_of(factor)))
            }
            Node::Power(base, exponent) => self.power(base, exponent)?,
            Node::Apply(function, arguments) => self.apply(id, function, arguments)?,
            Node::Call(name, arguments) => {
                let mut words: SmallVec<[u64; 8]> = smallvec![tag::CALL, arguments.len() as u64];
                words.extend(self.arena.name(name).bytes().map(u64::from));
                words.push(tag::CALL);
                for &argument in arguments {
                    words.push(self.real_of(argument)?);
                }
                let atom = self.atom(World::Value, &words);
                // An uninterpreted function can have either sign.
                real(
                    if words.iter().fold(atom, |all, &word| all.rotate_left(7) ^ word).count_ones() & 1 == 1 {
                        p.neg(atom)
                    } else {
                        atom
                    },
                )
            }
            Node::Series(..) | Node::Limit(..) | Node::Derivative(..) | Node::Integral(..) => {
                return Err(Stop::Unfit);
            }
        })
    }

    fn power(&self, base: Id, exponent: Id) -> Result<Complex, Stop> {
        let p = &self.prime.p;
        let value = self.value_of(base);
        if let Some(number) = self.arena.as_number(exponent) {
            if let Some(n) = number.to_i64() {
                if value == Complex::default() && n <= 0 {
                    return Err(Stop::Pole);
                }
                let inverse = if n < 0 { self.prime.inverse(value).ok_or(Stop::Pole)? } else { value };
                return Ok(match n.unsigned_abs() {
                    1 => inverse,
                    2 => self.prime.mul(inverse, inverse),
                    n => self.prime.power(inverse, n),
                });
            }
            return self.rational_power(base, number);
        }
        if matches!(self.arena.node(base), Node::Constant(Constant::E)) {
            return self.exponential_of(exponent);
        }
        if self.plan.facts(exponent).has(Facts::IMAGINARY) {
            return Err(Stop::Unfit);
        }
        let magnitude = self.real_of(base)?;
        match self.sign(base)? {
            1 => self.positive_power(base, exponent, magnitude).map(Complex::real),
            -1 if !self.assumptions.complex => {
                let odd = match self.space.parities.get(exponent.index()) {
                    Some(&odd @ (0 | 1)) => odd == 1,
                    _ => return Err(self.missing(base)),
                };
                let power = self.positive_power(base, exponent, p.neg(magnitude))?;
                Ok(Complex::real(if odd { p.neg(power) } else { power }))
            }
            -1 => Err(Stop::Unfit),
            _ => Err(Stop::Pole),
        }
    }

    fn rational_power(&self, base: Id, exponent: &Rational) -> Result<Complex, Stop> {
        let (p, q) = (&self.prime.p, &self.prime.q);
        let (n, d) = exponent.to_small().ok_or(Stop::Unfit)?;
        let value = self.real_of(base)?;
        let root = |positive: u64| {
            if n == 1 && d == 2 {
                return Ok(self.prime.sqrt(positive));
            }
            let scalar = self.number(World::Exponent, exponent)?;
            Ok(p.pow(positive, q.plain(scalar)))
        };
        match self.sign(base)? {
            0 if n > 0 => Ok(Complex::default()),
            0 => Err(Stop::Pole),
            1 => root(value).map(Complex::real),
            _ => {
                let positive = p.neg(value);
                if self.assumptions.complex {
                    if d != 2 {
                        return Err(Stop::Unfit);
                    }
                    // (-c)^(n/2) = i^n c^(n/2)
                    let power = root(positive)?;
                    return Ok(match n.rem_euclid(4) {
                        1 => Complex { re: 0, im: power },
                        _ => Complex { re: 0, im: p.neg(power) },
                    });
                }
                if d % 2 == 0 {
                    return Err(self.missing(base));
                }
                let power = root(positive)?;
                Ok(Complex::real(if n % 2 == 0 { power } else { p.neg(power) }))
            }
        }
    }

    /// Returns the point of the unit circle at an angle.
    fn point_at(&self, angle: Id) -> Result<Complex, Stop> {
        if self.plan.facts(angle).has(Facts::IMAGINARY) {
            return Err(Stop::Unfit);
        }
        self.direction(smallvec![(Rational::ONE, Angle::Plain(angle))])
    }

    fn tan(&self, angle: Id) -> Result<Complex, Stop> {
        let (p, point) = (&self.prime.p, self.point_at(angle)?);
        Ok(real(p.mul(point.im, p.inverse(point.re).ok_or(Stop::Pole)?)))
    }

    /// Returns `e^x` and `e^(-x)`.
    fn exponentials(&self, exponent: Id) -> Result<(u64, u64), Stop> {
        let up = self.exponential(smallvec![(self.prime.q.one, Term::Plain(exponent))])?;
        Ok((up, self.prime.p.inverse(up).ok_or(Stop::Pole)?))
    }

    fn halved(&self, value: u64) -> u64 {
        self.prime.p.mul(self.prime.half, value)
    }

    fn tanh(&self, exponent: Id) -> Result<Complex, Stop> {
        // tanh x = (e^(2x) - 1)/(e^(2x) + 1) needs only one inverse.
        let p = &self.prime.p;
        let up = self.exponential(smallvec![(self.prime.q.one, Term::Plain(exponent))])?;
        let square = p.mul(up, up);
        Ok(real(p.mul(p.sub(square, p.one), p.inverse(p.add(square, p.one)).ok_or(Stop::NotHere)?)))
    }

    /// Returns the image of an inverse trigonometric function, which is a known fraction of π or an atom. For
    /// `acos`, the image is either a fraction of π, or π/2 minus the atom of `asin`.
    fn arc_image(&self, function: Function, argument: Id) -> Result<Complex, Stop> {
        let p = &self.prime.p;
        let value = self.real_of(argument)?;
        let pi = self.atom(World::Value, &[tag::PI]);
        if let Some(turns) = self.special_angle(function, argument, value)? {
            let turns = Rational::new(turns, 120).ok_or(Stop::Unfit)?;
            return Ok(real(p.mul(self.number(World::Value, &turns)?, pi)));
        }
        if function == Function::Acos {
            return Ok(real(p.sub(self.halved(pi), self.odd_atom(Function::Asin, value))));
        }
        Ok(real(self.odd_atom(function, value)))
    }

    /// Returns the image of an inverse hyperbolic function, computed from its logarithmic form.
    fn area(&self, function: Function, argument: Id) -> Result<Complex, Stop> {
        let (half, value) = self.area_value(function, self.real_of(argument)?)?;
        let logarithm = self.logarithm_of_value(World::Value, value)?;
        Ok(real(if half { self.halved(logarithm) } else { logarithm }))
    }

    fn ln(&self, argument: Id) -> Result<Complex, Stop> {
        self.real_of(argument)?;
        match self.sign(argument)? {
            1 => Ok(real(self.logarithm(World::Value, argument)?)),
            0 => Err(Stop::Pole),
            _ if self.assumptions.complex => Ok(Complex {
                re: self.logarithm(World::Value, argument)?,
                im: self.atom(World::Value, &[tag::PI]),
            }),
            _ => Err(self.missing(argument)),
        }
    }

    fn absolute(&self, argument: Id) -> Result<Complex, Stop> {
        let p = &self.prime.p;
        let value = self.value_of(argument);
        if value.im != 0 {
            let square = p.add(p.mul(value.re, value.re), p.mul(value.im, value.im));
            if p.character(square) != 1 {
                return Err(Stop::NotHere);
            }
            return Ok(real(self.prime.sqrt(square)));
        }
        Ok(real(if self.sign(argument)? < 0 { p.neg(value.re) } else { value.re }))
    }

    /// Returns the minimum (for `sign` = -1) or the maximum (for `sign` = 1) of the parts.
    fn extremum(&self, id: Id, sign: i32, parts: &[Id]) -> Result<Complex, Stop> {
        let p = &self.prime.p;
        let &[first, ..] = parts else { return Err(Stop::Unfit) };
        // Differences of constants are not nodes, so their signs cannot be checked.
        if self.plan.facts(id).has(Facts::CONSTANT) {
            return Err(Stop::Unfit);
        }
        let mut best = self.real_of(first)?;
        for &other in parts {
            let other = self.real_of(other)?;
            let larger = p.character(p.sub(other, best)) == 1;
            if larger == (sign > 0) {
                best = other;
            }
        }
        Ok(real(best))
    }

    /// Returns `(argument - less)!`.
    fn factorial_of(&self, argument: Id, less: i64) -> Result<u64, Stop> {
        let (base, shift) = self.split_integer(argument)?;
        self.factorial(base, shift.saturating_sub(less), self.plan.facts(argument).has(Facts::CONSTANT))
    }

    fn odd_atom(&self, function: Function, value: u64) -> u64 {
        let p = &self.prime.p;
        match p.character(value) {
            0 => 0,
            1 => self.atom(World::Value, &[tag::FUNCTION + function as u64, value]),
            _ => p.neg(self.atom(World::Value, &[tag::FUNCTION + function as u64, p.neg(value)])),
        }
    }

    /// Writes a node as the sum of a value and an integer, which are returned in this order.
    fn split_integer(&self, id: Id) -> Result<(u64, i64), Stop> {
        let p = &self.prime.p;
        let value = self.real_of(id)?;
        let number = match self.arena.node(id) {
            Node::Number(number) => Some(number),
            Node::Sum(terms) => terms.iter().find_map(|&term| self.arena.as_number(term)),
            _ => None,
        };
        let Some(number) = number else { return Ok((value, 0)) };
        let whole = number.floor().to_i64().ok_or(Stop::Unfit)?;
        Ok((p.sub(value, p.form_signed(whole)), whole))
    }

    /// Returns `(base + shift)!`.
    fn factorial(&self, base: u64, shift: i64, constant: bool) -> Result<u64, Stop> {
        let p = &self.prime.p;
        if base == 0 && constant {
            if shift < 0 {
                return Err(Stop::Pole);
            }
            if shift > FIELD_FACTORIAL {
                return Ok(self.atom(World::Value, &[tag::GAMMA, 1, shift as u64]));
            }
            return Ok((2..=shift).fold(p.one, |all, k| p.mul(all, p.form(k as u64))));
        }
        if shift.unsigned_abs() > FACTORIAL_SHIFT.unsigned_abs() {
            return Err(Stop::Unfit);
        }
        let atom = if base == self.prime.half {
            // (1/2)! = (√π)/2
            p.mul(self.prime.half, self.prime.sqrt(self.atom(World::Value, &[tag::PI])))
        } else {
            self.atom(World::Value, &[tag::GAMMA, base])
        };
        let mut up = p.one;
        let (from, to) = if shift >= 0 { (1, shift) } else { (shift + 1, 0) };
        for k in from..=to {
            up = p.mul(up, p.add(base, p.form_signed(k)));
        }
        if shift >= 0 { Ok(p.mul(atom, up)) } else { Ok(p.mul(atom, p.inverse(up).ok_or(Stop::Pole)?)) }
    }

    fn binomial(&self, _: Id, parts: &[Id]) -> Result<Complex, Stop> {
        let &[n, k] = parts else { return Err(Stop::Unfit) };
        self.binomial_of(n, k).map(real)
    }

    fn binomial_of(&self, n: Id, k: Id) -> Result<u64, Stop> {
        let p = &self.prime.p;
        if let (Some(n), Some(k)) = (self.arena.as_number(n), self.arena.as_number(k)) {
            let value = number::binomial(n, k).ok_or(Stop::Unfit)?;
            return self.number(World::Value, &value);
        }
        if let Some(k) = self.arena.as_integer(k) {
            // n (n-1) ... (n-k+1) / k!
            if !(0..=FACTORIAL_SHIFT).contains(&k) {
                return Err(Stop::Unfit);
            }
            let n = self.real_of(n)?;
            let (mut above, mut below) = (p.one, p.one);
            for j in 0..k {
                above = p.mul(above, p.sub(n, p.form_signed(j)));
                below = p.mul(below, p.form_signed(j + 1));
            }
            return p.inverse(below).map(|below| p.mul(above, below)).ok_or(Stop::OtherPrime);
        }
        let (of_n, of_k) = (self.split_integer(n)?, self.split_integer(k)?);
        let constant = |id: Id| self.plan.facts(id).has(Facts::CONSTANT);
        let above = self.factorial(of_n.0, of_n.1, constant(n))?;
        let first = self.factorial(of_k.0, of_k.1, constant(k))?;
        let shift = of_n.1.checked_sub(of_k.1).ok_or(Stop::Unfit)?;
        let second = self.factorial(p.sub(of_n.0, of_k.0), shift, false)?;
        Ok(p.mul(above, p.inverse(p.mul(first, second)).ok_or(Stop::Pole)?))
    }

    fn rounded(&self, function: Function, argument: Id) -> Result<u64, Stop> {
        let p = &self.prime.p;
        if let Some(number) = self.arena.as_number(argument) {
            let rounded = match function {
                Function::Floor => number.floor(),
                Function::Ceil => number.ceil(),
                _ => number.round(),
            };
            return self.number(World::Value, &rounded);
        }
        if self.plan.facts(argument).has(Facts::CONSTANT) {
            return Err(Stop::Unfit);
        }
        if function == Function::Round {
            return Ok(self.odd_atom(Function::Round, self.real_of(argument)?));
        }
        // ceil(u) = -floor(-u), floor(u + k) = floor(u) + k
        let value = self.real_of(argument)?;
        let value = if function == Function::Ceil { p.neg(value) } else { value };
        let whole = match self.arena.node(argument) {
            Node::Sum(terms) => {
                terms.iter().find_map(|&term| self.arena.as_number(term)).map(Rational::floor)
            }
            _ => None,
        };
        let whole = whole.and_then(|whole| whole.to_i64()).unwrap_or(0);
        let whole = if function == Function::Ceil { whole.saturating_neg() } else { whole };
        let whole = p.form_signed(whole);
        let atom = self.atom(World::Value, &[tag::FUNCTION + Function::Floor as u64, p.sub(value, whole)]);
        let floor = p.add(atom, whole);
        Ok(if function == Function::Ceil { p.neg(floor) } else { floor })
    }

    fn integer_function(&self, function: Function, arguments: &[Id]) -> Result<u64, Stop> {
        let numbers: SmallVec<[&Rational; 4]> =
            arguments.iter().filter_map(|&id| self.arena.as_number(id)).collect();
        if numbers.len() == arguments.len() {
            let value = match (function, numbers.as_slice()) {
                (Function::Gcd | Function::Lcm, [first, rest @ ..]) => {
                    let step = if function == Function::Gcd { number::gcd } else { number::lcm };
                    let first = step(first, first);
                    rest.iter().fold(first, |all, next| all.and_then(|all| step(&all, next)))
                }
                (Function::Mod, [a, b]) => number::modulo(a, b),
                (Function::DoubleFactorial, [n]) => n.to_u64().and_then(number::double_factorial),
                _ => None,
            };
            return self.number(World::Value, &value.ok_or(Stop::Unfit)?);
        }
        let mut words: SmallVec<[u64; 8]> = SmallVec::new();
        for &argument in arguments {
            words.push(self.real_of(argument)?);
        }
        if function != Function::Mod {
            words.sort_unstable();
        }
        words.push(tag::FUNCTION + function as u64);
        Ok(self.atom(World::Value, &words))
    }
}

macro_rules! images {
    (
        all $all:tt
        unary { $($unary:ident { facts $facts:tt range $range:tt derivative $rule:tt doubles $doubles:tt balls $balls:tt image { $image:expr } })* }
        binary { $($binary:ident { facts $more:tt range $ranges:tt doubles $pairs:tt balls $others:tt image { $of_parts:expr } })* }
    ) => {
        impl Sample<'_> {
            /// Returns the image of a function from the images of its arguments.
            fn apply(&self, id: Id, function: Function, arguments: &[Id]) -> Result<Complex, Stop> {
                fn one<'a>(
                    sample: &Sample<'a>,
                    arguments: &[Id],
                    image: impl FnOnce(&Sample<'a>, Id) -> Result<Complex, Stop>,
                ) -> Result<Complex, Stop> {
                    let &[argument] = arguments else { return Err(Stop::Unfit) };
                    image(sample, argument)
                }
                fn several<'a>(
                    sample: &Sample<'a>,
                    (id, arguments): (Id, &[Id]),
                    image: impl FnOnce(&Sample<'a>, Id, &[Id]) -> Result<Complex, Stop>,
                ) -> Result<Complex, Stop> {
                    image(sample, id, arguments)
                }
                match function {
                    $(Function::$unary => one(self, arguments, $image),)*
                    $(Function::$binary => several(self, (id, arguments), $of_parts),)*
                }
            }
        }
    };
}

functions!(images);
