//! Exponentials and points at angles.
//!
//! An exponent or angle is split into terms, and each term is evaluated in a world in which its image is
//! exact.

use super::plan::Facts;
use super::prime::Complex;
use super::sample::{Sample, Stop, World};
use crate::expr::{Arena, Constant, Function, Id, Node};
use crate::number::Rational;
use smallvec::{SmallVec, smallvec};

/// The terms of an exponent, each with its coefficient modulo `q`.
pub(crate) type Terms = SmallVec<[(u64, Term); 8]>;

/// A term of an exponent.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Term {
    /// A node.
    Plain(Id),
    /// The logarithm of a node's absolute value.
    Logarithm(Id),
    /// The logarithm of the magnitude of a value.
    Value(u64),
}

/// The terms of an angle, each with its exact coefficient.
pub(crate) type Angles = SmallVec<[(Rational, Angle); 4]>;

/// A term of an angle.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Angle {
    /// A node.
    Plain(Id),
    /// A product without its factor `i`.
    WithoutI(Id),
}

impl Sample<'_> {
    /// Returns e to the power of the sum of all terms, which is a positive real value.
    pub(crate) fn exponential(&self, mut work: Terms) -> Result<u64, Stop> {
        let (p, q) = (&self.prime.p, &self.prime.q);
        let mut rest = 0u64;
        let mut product = p.one;
        while let Some((factor, term)) = work.pop() {
            match term {
                Term::Plain(id) => {
                    if self.plan.facts(id).has(Facts::IMAGINARY) {
                        return Err(Stop::Unfit);
                    }
                    if !self.plan.facts(id).has(Facts::LOG) {
                        rest = q.add(rest, q.mul(factor, self.scalar_of(World::Exponent, id)));
                        continue;
                    }
                    match self.arena.node(id) {
                        Node::Sum(terms) => {
                            work.extend(terms.iter().map(|&term| (factor, Term::Plain(term))));
                        }
                        Node::Product(factors) => {
                            let mut logarithms =
                                factors.iter().filter(|&&part| self.plan.facts(part).has(Facts::LOG));
                            let (first, second) = (logarithms.next().copied(), logarithms.next());
                            match (first, second) {
                                (Some(logarithm), None) => {
                                    let scalar = factors
                                        .iter()
                                        .filter(|&&part| part != logarithm)
                                        .fold(factor, |all, &part| {
                                            q.mul(all, self.scalar_of(World::Exponent, part))
                                        });
                                    work.push((scalar, Term::Plain(logarithm)));
                                }
                                _ => rest = q.add(rest, q.mul(factor, self.scalar_of(World::Exponent, id))),
                            }
                        }
                        Node::Apply(Function::Ln, &[argument]) => {
                            work.push((factor, Term::Logarithm(argument)));
                        }
                        Node::Apply(function, &[argument]) => {
                            let argument = self.real_of(argument)?;
                            let (half, value) = self.area_value(function, argument)?;
                            let factor = if half { q.mul(factor, q.form(q.m.div_ceil(2))) } else { factor };
                            work.push((factor, Term::Value(value)));
                        }
                        _ => return Err(Stop::Unfit),
                    }
                }
                Term::Logarithm(id) => match self.arena.node(id) {
                    Node::Product(factors) => {
                        work.extend(factors.iter().map(|&part| (factor, Term::Logarithm(part))));
                    }
                    Node::Constant(Constant::E) => rest = q.add(rest, factor),
                    Node::Symbol(symbol) => {
                        rest = q.add(rest, q.mul(factor, self.variable(symbol).logarithm));
                    }
                    Node::Power(base, exponent) => {
                        if let Some(number) = self.arena.as_number(exponent) {
                            work.push((
                                q.mul(factor, self.number(World::Exponent, number)?),
                                Term::Logarithm(base),
                            ));
                        } else if matches!(self.arena.node(base), Node::Constant(Constant::E)) {
                            work.push((factor, Term::Plain(exponent)));
                        } else {
                            work.push((factor, Term::Value(self.magnitude(id)?)));
                        }
                    }
                    _ => work.push((factor, Term::Value(self.magnitude(id)?))),
                },
                Term::Value(value) => {
                    let value = if p.character(value) < 0 { p.neg(value) } else { value };
                    product = p.mul(product, p.pow(value, q.plain(factor)));
                }
            }
        }
        Ok(p.mul(product, self.prime.exp(q.plain(rest))))
    }

    fn magnitude(&self, id: Id) -> Result<u64, Stop> {
        let value = self.real_of(id)?;
        if value == 0 { Err(Stop::Pole) } else { Ok(value) }
    }

    /// Writes an inverse hyperbolic function as a logarithm. Returns whether the logarithm must be halved,
    /// and its argument.
    pub(crate) fn area_value(&self, function: Function, argument: u64) -> Result<(bool, u64), Stop> {
        let p = &self.prime.p;
        let square = p.mul(argument, argument);
        let root = |radicand: u64| match p.character(radicand) {
            -1 => Err(Stop::NotHere),
            0 => Ok(0),
            _ => Ok(self.prime.sqrt(radicand)),
        };
        let value = match function {
            Function::Asinh => p.add(argument, root(p.add(square, p.one))?),
            Function::Acosh => {
                if p.character(argument) != 1 {
                    return Err(Stop::NotHere);
                }
                p.add(argument, root(p.sub(square, p.one))?)
            }
            Function::Atanh => {
                let below = p.inverse(p.sub(p.one, argument)).ok_or(Stop::Pole)?;
                p.mul(p.add(p.one, argument), below)
            }
            _ => return Err(Stop::Unfit),
        };
        if p.character(value) == 1 { Ok((function == Function::Atanh, value)) } else { Err(Stop::NotHere) }
    }

    /// Returns `|base|^exponent`, where `magnitude` is the value of `|base|`. The exponent is not a number.
    pub(crate) fn positive_power(&self, base: Id, exponent: Id, magnitude: u64) -> Result<u64, Stop> {
        let (p, q) = (&self.prime.p, &self.prime.q);
        if !self.plan.facts(exponent).has(Facts::LOG) {
            let scalar = q.plain(self.scalar_of(World::Exponent, exponent));
            return Ok(match self.arena.node(base) {
                Node::Symbol(symbol) => {
                    let both =
                        q.mul(self.variable(symbol).logarithm, self.scalar_of(World::Exponent, exponent));
                    self.prime.exp(q.plain(both))
                }
                _ => p.pow(magnitude, scalar),
            });
        }
        let of_base = self.logarithm(World::Exponent, base)?;
        // b^(ln u / ln b) is u. The coefficient of `ln u` is then 1, or another small integer for powers of
        // u.
        if let Some((factor, logarithm)) = self.single_logarithm(exponent) {
            let factor = q.mul(factor, of_base);
            let plain = q.plain(factor);
            if plain <= 12 || q.m - plain <= 12 {
                return self.exponential(smallvec![(factor, Term::Plain(logarithm))]);
            }
        }
        let both = q.mul(of_base, self.scalar_of(World::Exponent, exponent));
        Ok(self.prime.exp(q.plain(both)))
    }

    fn single_logarithm(&self, id: Id) -> Option<(u64, Id)> {
        let q = &self.prime.q;
        match self.arena.node(id) {
            Node::Apply(..) => Some((q.one, id)),
            Node::Product(factors) => {
                let mut logarithms = factors.iter().filter(|&&part| self.plan.facts(part).has(Facts::LOG));
                let (first, second) = (logarithms.next().copied()?, logarithms.next());
                if second.is_some() {
                    return None;
                }
                let scalar = factors
                    .iter()
                    .filter(|&&part| part != first)
                    .fold(q.one, |all, &part| q.mul(all, self.scalar_of(World::Exponent, part)));
                Some((scalar, first))
            }
            _ => None,
        }
    }

    /// Returns e to the power of `id`, which can be complex.
    pub(crate) fn exponential_of(&self, id: Id) -> Result<Complex, Stop> {
        let q = &self.prime.q;
        if !self.plan.facts(id).has(Facts::IMAGINARY) {
            return Ok(Complex::real(self.exponential(smallvec![(q.one, Term::Plain(id))])?));
        }
        let mut real = Terms::new();
        let mut angles = Angles::new();
        let mut work: SmallVec<[(Rational, Id); 4]> = smallvec![(Rational::ONE, id)];
        while let Some((factor, id)) = work.pop() {
            if !self.plan.facts(id).has(Facts::IMAGINARY) {
                real.push((self.number(World::Exponent, &factor)?, Term::Plain(id)));
                continue;
            }
            match self.arena.node(id) {
                Node::Constant(Constant::I) => angles.push((factor, Angle::Plain(Arena::ONE))),
                Node::Sum(terms) => work.extend(terms.iter().map(|&term| (factor.clone(), term))),
                Node::Product(factors) => {
                    let mut imaginary =
                        factors.iter().filter(|&&part| self.plan.facts(part).has(Facts::IMAGINARY));
                    let (Some(&first), None) = (imaginary.next(), imaginary.next()) else {
                        return Err(Stop::Unfit);
                    };
                    if matches!(self.arena.node(first), Node::Constant(Constant::I)) {
                        angles.push((factor, Angle::WithoutI(id)));
                        continue;
                    }
                    let mut factor = factor;
                    for &part in factors.iter().filter(|&&part| part != first) {
                        let number = self.arena.as_number(part).ok_or(Stop::Unfit)?;
                        factor = factor.checked_mul(number).ok_or(Stop::Unfit)?;
                    }
                    work.push((factor, first));
                }
                _ => return Err(Stop::Unfit),
            }
        }
        let magnitude = self.exponential(real)?;
        let direction = self.direction(angles)?;
        Ok(self.prime.mul(Complex::real(magnitude), direction))
    }

    /// Returns the point of the unit circle at the sum of all terms.
    pub(crate) fn direction(&self, mut work: Angles) -> Result<Complex, Stop> {
        let (p, h) = (&self.prime.p, &self.prime.h);
        let mut half_turns = Rational::ZERO;
        let mut rest = 0u64;
        let mut point = Complex::real(p.one);
        while let Some((factor, term)) = work.pop() {
            let (id, skip) = match term {
                Angle::Plain(id) => (id, false),
                Angle::WithoutI(id) => (id, true),
            };
            match self.arena.node(id) {
                Node::Constant(Constant::Pi) => {
                    half_turns = half_turns.checked_add(&factor).ok_or(Stop::Unfit)?;
                }
                Node::Sum(terms) => {
                    work.extend(terms.iter().map(|&term| (factor.clone(), Angle::Plain(term))));
                }
                Node::Product(factors) => {
                    self.angle_product(factor, factors, skip, &mut work, &mut half_turns, &mut rest)?;
                }
                Node::Apply(function @ (Function::Asin | Function::Acos | Function::Atan), &[argument]) => {
                    let value = self.real_of(argument)?;
                    let special = self.special_angle(function, argument, value)?;
                    if let Some(turns) = special {
                        let turns = Rational::new(turns, 120).ok_or(Stop::Unfit)?;
                        let turns = turns.checked_mul(&factor).ok_or(Stop::Unfit)?;
                        half_turns = half_turns.checked_add(&turns).ok_or(Stop::Unfit)?;
                        continue;
                    }
                    let one = self.arc(function, value)?;
                    let (times, one) = match factor.to_small() {
                        Some((n, 1)) => (n, one),
                        Some((n, 2)) => (n, self.half_angle(one)?),
                        _ => return Err(Stop::Unfit),
                    };
                    let one = if times < 0 { Complex { re: one.re, im: p.neg(one.im) } } else { one };
                    if times.unsigned_abs() > 1 << 20 {
                        return Err(Stop::Unfit);
                    }
                    point = self.prime.mul(point, self.prime.power(one, times.unsigned_abs()));
                }
                _ => {
                    let scalar = h.mul(self.number(World::Angle, &factor)?, self.scalar_of(World::Angle, id));
                    rest = h.add(rest, scalar);
                }
            }
        }
        let turns = half_turns
            .checked_mul(&Rational::from(120))
            .and_then(|turns| turns.to_i64())
            .ok_or(Stop::Unfit)?;
        Ok(self.prime.mul(point, self.prime.cis(h.plain(rest), turns)))
    }

    fn angle_product(
        &self,
        mut factor: Rational,
        factors: &[Id],
        skip_i: bool,
        work: &mut Angles,
        half_turns: &mut Rational,
        rest: &mut u64,
    ) -> Result<(), Stop> {
        let h = &self.prime.h;
        let mut others: SmallVec<[Id; 4]> = SmallVec::new();
        let mut pi = false;
        for &part in factors {
            match self.arena.node(part) {
                Node::Number(number) => factor = factor.checked_mul(number).ok_or(Stop::Unfit)?,
                Node::Constant(Constant::I) if skip_i => {}
                Node::Constant(Constant::Pi) if !pi => pi = true,
                _ => others.push(part),
            }
        }
        match (pi, others.as_slice()) {
            (true, []) => *half_turns = half_turns.checked_add(&factor).ok_or(Stop::Unfit)?,
            (false, []) => *rest = h.add(*rest, self.number(World::Angle, &factor)?),
            (false, &[only]) => work.push((factor, Angle::Plain(only))),
            (true, parts) => {
                // The point at an integer multiple of π depends only on the parity. Otherwise, a number in a
                // sum is split off as an exact multiple of π.
                let integer =
                    parts.iter().all(|&part| self.arena.free(part).without(self.plan.integers).is_empty());
                let mut odd = Some(1u8);
                for &part in parts {
                    odd = match (odd, self.space.parities.get(part.index())) {
                        (Some(odd), Some(&parity)) if parity < 2 => Some(odd & parity),
                        _ => None,
                    };
                }
                if let (true, Some(odd), Some(times)) =
                    (integer && !self.plan.integers.is_empty(), odd, factor.to_i64())
                {
                    let turns = Rational::from(i64::from(odd) * (times & 1));
                    *half_turns = half_turns.checked_add(&turns).ok_or(Stop::Unfit)?;
                    return Ok(());
                }
                let pi = self.pi_angle();
                if let &[only] = parts
                    && let Node::Sum(terms) = self.arena.node(only)
                {
                    for &term in terms {
                        if let Some(number) = self.arena.as_number(term) {
                            let turns = number.checked_mul(&factor).ok_or(Stop::Unfit)?;
                            *half_turns = half_turns.checked_add(&turns).ok_or(Stop::Unfit)?;
                        } else {
                            let scalar = h.mul(pi, self.scalar_of(World::Angle, term));
                            *rest = h.add(*rest, h.mul(self.number(World::Angle, &factor)?, scalar));
                        }
                    }
                    return Ok(());
                }
                let scalar =
                    parts.iter().fold(pi, |all, &part| h.mul(all, self.scalar_of(World::Angle, part)));
                *rest = h.add(*rest, h.mul(self.number(World::Angle, &factor)?, scalar));
            }
            (false, parts) => {
                let scalar =
                    parts.iter().fold(h.one, |all, &part| h.mul(all, self.scalar_of(World::Angle, part)));
                *rest = h.add(*rest, h.mul(self.number(World::Angle, &factor)?, scalar));
            }
        }
        Ok(())
    }

    /// Returns `k` if an inverse trigonometric function of a constant is known to be `kπ/120`.
    pub(crate) fn special_angle(
        &self,
        function: Function,
        argument: Id,
        value: u64,
    ) -> Result<Option<i64>, Stop> {
        if !self.plan.facts(argument).has(Facts::CONSTANT) {
            return Ok(None);
        }
        if value == 0 {
            return Ok(Some(if function == Function::Acos { 60 } else { 0 }));
        }
        let p = &self.prime.p;
        let sign = self.sign(argument)?;
        let magnitude = if sign < 0 { p.neg(value) } else { value };
        let found = match function {
            Function::Atan => self.prime.arctangent(magnitude),
            _ => self.prime.arcsine(magnitude),
        };
        let found = found.map(|turns| i64::from(sign) * turns);
        Ok(if function == Function::Acos { found.map(|turns| 60 - turns) } else { found })
    }

    /// Returns the point of the circle at the value of an inverse trigonometric function.
    fn arc(&self, function: Function, value: u64) -> Result<Complex, Stop> {
        let p = &self.prime.p;
        let square = p.mul(value, value);
        if function == Function::Atan {
            let norm = p.add(p.one, square);
            if p.character(norm) != 1 {
                return Err(Stop::NotHere);
            }
            let scale = p.inverse(self.prime.sqrt(norm)).ok_or(Stop::Pole)?;
            return Ok(Complex { re: scale, im: p.mul(value, scale) });
        }
        let rest = p.sub(p.one, square);
        let other = match p.character(rest) {
            -1 => return Err(Stop::NotHere),
            0 => 0,
            _ => self.prime.sqrt(rest),
        };
        Ok(if function == Function::Asin {
            Complex { re: other, im: value }
        } else {
            Complex { re: value, im: other }
        })
    }

    /// Returns the point at half the angle, which must be between -π and π.
    fn half_angle(&self, point: Complex) -> Result<Complex, Stop> {
        let (p, half) = (&self.prime.p, self.prime.half);
        let square = p.mul(half, p.add(p.one, point.re));
        if p.character(square) != 1 {
            return Err(Stop::NotHere);
        }
        let cos = self.prime.sqrt(square);
        let scale = p.inverse(p.add(cos, cos)).ok_or(Stop::Pole)?;
        Ok(Complex { re: cos, im: p.mul(point.im, scale) })
    }

    fn pi_angle(&self) -> u64 {
        self.atom(World::Angle, &[super::sample::tag::PI])
    }
}
