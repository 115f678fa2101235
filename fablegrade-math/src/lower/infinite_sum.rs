//! Infinite sums with a closed form.
//!
//! A term is written as `c · r^k · F(k) / (a k + b)!` with a rational function `F` and an index that starts
//! at 0. These sums have values:
//!
//! - `P(k) r^k` with a polynomial `P`, by derivatives of the geometric series, and `r^k/(k+a)` with a positive
//!   integer `a` or `a = 1/2`, which is a logarithm or an inverse (hyperbolic) tangent. Both need `|r| < 1` in
//!   the ranges of the bound variables; if `r` contains others, the condition is recorded
//!   ([`Arena::note_disc`]).
//! - `P(k) r^k/(k+b)!` and `r^k/(2k+b)!`, which are exponential, hyperbolic and circular functions.
//! - Rational functions whose partial fractions cancel (telescoping).
//! - `1/(k+a)^p` with an even `p` and an integer or half-integer `a`, by Euler's values of zeta, and
//!   `(-1)^k/(k+a)^p`, by those of eta and beta.
//!
//! All of them are in tables of series (Abramowitz and Stegun, chapters 3, 4 and 23). Other sums remain sums,
//! with constant factors in front and an index from 0, so sums that are equal in this form become the same
//! node.

mod disc;
mod fraction;

use crate::evaluate::constant_sign;
use crate::expr::{Arena, Constant, Function, Id, Node, SeriesKind, Symbol};
use crate::limits::{SERIES_DEGREE, SERIES_DEPTH, SERIES_SHIFT};
use crate::lower::indexed::Bound;
use crate::lower::limits::vanishes;
use crate::number::Rational;
use fraction::{Fraction, Polynomial, add, at, divided, multiply};

/// The general term of a sum.
struct Term {
    outside: Vec<Id>,
    /// Powers `base^(times k)`, as pairs of `base` and `times`.
    bases: Vec<(Id, i64)>,
    fraction: Fraction,
    /// `1/(a k + b)!`
    factorial: Option<(i64, i64)>,
}

/// Returns the value of a sum from an integer to infinity.
///
/// If the value is not known but the term has the form described in the module, returns the sum with an index
/// from 0.
pub(super) fn infinite_sum(
    arena: &mut Arena,
    scope: &[Bound],
    index: Symbol,
    from: Id,
    body: Id,
) -> Option<Id> {
    let start = arena.as_integer(from)?;
    if arena.size(body) > 60 {
        return None;
    }
    let along = arena.variable_of(index);
    let shift = arena.integer(start);
    let shifted = arena.add(along, shift);
    let body = arena.substitute(body, index, shifted);
    let mut summing = Summing { arena, scope, index };
    let parts: Vec<Id> = match summing.fraction(body, 0) {
        Some(_) => vec![body],
        None => match summing.arena.node(body) {
            Node::Sum(parts) => parts.to_vec(),
            _ => vec![body],
        },
    };
    let mut values = Vec::with_capacity(parts.len());
    for part in &parts {
        let value = summing.term(*part).and_then(|term| summing.closed(&term));
        values.push(value);
    }
    if let Some(values) = values.into_iter().collect::<Option<Vec<Id>>>() {
        return Some(summing.arena.sum(&values));
    }
    // A sum is not split into parts without known values, because the parts may diverge.
    match parts.as_slice() {
        [part] => summing.term(*part).map(|term| summing.written(&term)),
        _ => None,
    }
}

/// Returns the sum of `(j + first)^-power` for `j` from 0 to `count - 1`; `alternating` alternates the signs.
fn first_terms(first: &Rational, count: i64, power: u32, alternating: bool) -> Option<Rational> {
    if count > SERIES_SHIFT {
        return None;
    }
    let mut sum = Rational::ZERO;
    for j in 0..count {
        let base = first.checked_add(&Rational::from(j))?;
        let term = Rational::ONE.checked_div(&base.checked_pow(i64::from(power))?)?;
        sum = if alternating && j % 2 == 1 { sum.checked_sub(&term)? } else { sum.checked_add(&term)? };
    }
    Some(sum)
}

/// Returns `zeta(p) / π^p` for even `p` up to 12.
fn zeta(power: u32) -> Option<Rational> {
    let (numerator, denominator) = match power {
        2 => (1, 6),
        4 => (1, 90),
        6 => (1, 945),
        8 => (1, 9450),
        10 => (1, 93555),
        12 => (691, 638_512_875),
        _ => return None,
    };
    Rational::new(numerator, denominator)
}

struct Summing<'a> {
    arena: &'a mut Arena,
    /// The variables that are bound around the sum.
    scope: &'a [Bound],
    index: Symbol,
}

impl Summing<'_> {
    fn varies(&self, id: Id) -> bool {
        self.arena.free(id).contains(self.index)
    }

    fn polynomial(&self, id: Id, depth: u32) -> Option<Polynomial> {
        if depth > SERIES_DEPTH {
            return None;
        }
        match self.arena.node(id) {
            Node::Number(value) => add(std::slice::from_ref(value), &[]),
            Node::Symbol(symbol) if symbol == self.index => Some(vec![Rational::ZERO, Rational::ONE]),
            Node::Sum(parts) => {
                parts.iter().try_fold(Vec::new(), |sum, part| add(&sum, &self.polynomial(*part, depth + 1)?))
            }
            Node::Product(parts) => parts.iter().try_fold(vec![Rational::ONE], |all, part| {
                multiply(&all, &self.polynomial(*part, depth + 1)?)
            }),
            Node::Power(base, exponent) => {
                let power =
                    self.arena.as_integer(exponent).filter(|n| (1..=SERIES_DEGREE as i64).contains(n))?;
                let base = self.polynomial(base, depth + 1)?;
                (0..power).try_fold(vec![Rational::ONE], |all, _| multiply(&all, &base))
            }
            _ => None,
        }
    }

    /// Returns the coefficients `(a, b)` of `a k + b`.
    fn linear(&self, id: Id) -> Option<(Rational, Rational)> {
        match self.polynomial(id, 0)?.as_slice() {
            [] => Some((Rational::ZERO, Rational::ZERO)),
            [b] => Some((Rational::ZERO, b.clone())),
            [b, a] => Some((a.clone(), b.clone())),
            _ => None,
        }
    }

    /// Writes the reciprocal of a polynomial of degree at most 2 as a fraction, if its roots are rational and
    /// it has a value at every index.
    fn reciprocal(polynomial: &[Rational]) -> Option<Fraction> {
        let (leading, roots) = match polynomial {
            [c] => (c, Vec::new()),
            [b, a] => (a, vec![Rational::ZERO.checked_sub(&b.checked_div(a)?)?]),
            [c, b, a] => {
                let half = b.checked_div(a)?.checked_mul(&Rational::HALF)?;
                let square = half.checked_mul(&half)?.checked_sub(&c.checked_div(a)?)?;
                let width = if square.is_zero() { Rational::ZERO } else { square.exact_root(2)? };
                (a, vec![width.checked_sub(&half)?, Rational::ZERO.checked_sub(&width.checked_add(&half)?)?])
            }
            _ => return None,
        };
        if roots.iter().any(|root| root.is_integer() && !root.is_negative()) {
            return None;
        }
        Some(Fraction { numerator: vec![Rational::ONE.checked_div(leading)?], roots })
    }

    fn fraction(&self, id: Id, depth: u32) -> Option<Fraction> {
        if depth > SERIES_DEPTH {
            return None;
        }
        if let Some(numerator) = self.polynomial(id, depth) {
            return Some(Fraction { numerator, roots: Vec::new() });
        }
        match self.arena.node(id) {
            Node::Sum(parts) => {
                let mut sum: Option<Fraction> = None;
                for part in parts {
                    let next = self.fraction(*part, depth + 1)?;
                    sum = Some(match sum {
                        None => next,
                        Some(sum) => sum.plus(&next)?,
                    });
                }
                sum
            }
            Node::Product(parts) => {
                let mut all = Fraction { numerator: vec![Rational::ONE], roots: Vec::new() };
                for part in parts {
                    all = all.times(&self.fraction(*part, depth + 1)?)?;
                }
                Some(all)
            }
            Node::Power(base, exponent) => {
                let power = self.arena.as_integer(exponent).filter(|n| (-12..0).contains(n))?;
                let one = match self.polynomial(base, depth + 1) {
                    Some(below) => match Self::reciprocal(&below) {
                        Some(one) => one,
                        None => self.inverted(base, depth)?,
                    },
                    None => self.inverted(base, depth)?,
                };
                (0..-power)
                    .try_fold(Fraction { numerator: vec![Rational::ONE], roots: Vec::new() }, |all, _| {
                        all.times(&one)
                    })
            }
            _ => None,
        }
    }

    /// Inverts a product or a power factor by factor.
    fn inverted(&self, id: Id, depth: u32) -> Option<Fraction> {
        if depth > SERIES_DEPTH {
            return None;
        }
        match self.arena.node(id) {
            Node::Product(parts) => {
                let mut all = Fraction { numerator: vec![Rational::ONE], roots: Vec::new() };
                for part in parts {
                    all = all.times(&self.inverted(*part, depth + 1)?)?;
                }
                Some(all)
            }
            Node::Power(base, exponent) => {
                let power = self.arena.as_integer(exponent).filter(|n| (1..=12).contains(n))?;
                let one = self.inverted(base, depth + 1)?;
                (0..power)
                    .try_fold(Fraction { numerator: vec![Rational::ONE], roots: Vec::new() }, |all, _| {
                        all.times(&one)
                    })
            }
            _ => {
                let below = self.polynomial(id, depth)?;
                // Integer roots from -6 to -1 are divided out until the degree is at most 2. Non-negative
                // integer roots are indices of terms without a value.
                let mut rest = below;
                let mut roots = Vec::new();
                while rest.len() > 3 {
                    let root = (-6..=-1)
                        .map(Rational::from)
                        .find(|root| at(&rest, root).is_some_and(|value| value.is_zero()))?;
                    rest = divided(&rest, &root)?;
                    roots.push(root);
                }
                let mut one = Self::reciprocal(&rest)?;
                one.roots.extend(roots);
                Some(one)
            }
        }
    }

    /// Writes an expression as a general term.
    fn term(&mut self, id: Id) -> Option<Term> {
        let mut term = Term {
            outside: Vec::new(),
            bases: Vec::new(),
            fraction: Fraction { numerator: vec![Rational::ONE], roots: Vec::new() },
            factorial: None,
        };
        self.factor(id, 1, &mut term, 0)?;
        term.fraction.cancel()?;
        Some(term)
    }

    /// Multiplies the term by an integer power of a factor.
    fn factor(&mut self, id: Id, power: i64, term: &mut Term, depth: u32) -> Option<()> {
        if depth > SERIES_DEPTH {
            return None;
        }
        if !self.varies(id) {
            let power = self.arena.integer(power);
            let raised = self.arena.power(id, power);
            term.outside.push(raised);
            return Some(());
        }
        match self.arena.node(id) {
            Node::Product(parts) => {
                let parts = parts.to_vec();
                return parts.into_iter().try_for_each(|part| self.factor(part, power, term, depth + 1));
            }
            Node::Power(base, exponent) if !self.varies(base) => {
                let (times, rest) = self.linear(exponent)?;
                if !rest.is_integer() || !times.is_integer() {
                    // Only roots of non-negative numbers are supported.
                    self.arena.as_number(base).filter(|base| !base.is_negative())?;
                }
                // `0^0` has no value.
                if vanishes(self.arena, base) != Some(false) {
                    return None;
                }
                let (times, base) = if times.is_integer() {
                    (times.to_i64()?, base)
                } else {
                    let (numerator, denominator) = times.to_small()?;
                    let share = self.arena.fraction(1, denominator);
                    (numerator, self.arena.power(base, share))
                };
                let rest = self.arena.number(rest.checked_mul(&Rational::from(power))?);
                let Node::Power(inner, _) = self.arena.node(id) else { return None };
                let first = self.arena.power(inner, rest);
                term.outside.push(first);
                // `base` splits the base, so (-x)^k is (-1)^k x^k.
                let times = times.checked_mul(power)?;
                return self.base(base, times, term, depth);
            }
            Node::Power(base, exponent) if self.arena.as_integer(exponent).is_some() => {
                let inner = self.arena.as_integer(exponent)?.checked_mul(power)?;
                if self.fraction(base, depth).is_none() {
                    return self.factor(base, inner, term, depth + 1);
                }
            }
            Node::Apply(Function::Factorial, &[argument]) if power == -1 && term.factorial.is_none() => {
                let (times, rest) = self.linear(argument)?;
                term.factorial = Some((times.to_i64()?, rest.to_i64()?));
                return Some(());
            }
            _ => {}
        }
        let whole = self.arena.integer(power);
        let raised = self.arena.power(id, whole);
        let fraction = self.fraction(raised, depth).or_else(|| {
            (power < 0)
                .then(|| self.inverted(id, depth))
                .flatten()
                .and_then(|one| (1..-power).try_fold(one.clone(), |all, _| all.times(&one)))
        })?;
        term.fraction = term.fraction.times(&fraction)?;
        Some(())
    }

    fn base(&mut self, base: Id, times: i64, term: &mut Term, depth: u32) -> Option<()> {
        if depth > SERIES_DEPTH {
            return None;
        }
        match self.arena.node(base) {
            Node::Number(value) if value.is_negative() && !value.is_minus_one() => {
                let size = value.absolute();
                let size = self.arena.number(size);
                self.base(size, times, term, depth + 1)?;
                return self.base(Arena::MINUS_ONE, times, term, depth + 1);
            }
            Node::Number(value) if value.is_minus_one() && times % 2 == 0 => return Some(()),
            Node::Number(value) if value.is_one() => return Some(()),
            Node::Product(parts) => {
                let parts = parts.to_vec();
                return parts.into_iter().try_for_each(|part| self.base(part, times, term, depth + 1));
            }
            Node::Power(inner, exponent) => {
                if let Some(power) = self.arena.as_integer(exponent) {
                    return self.base(inner, times.checked_mul(power)?, term, depth + 1);
                }
            }
            _ => {}
        }
        if times.unsigned_abs() > 24 {
            return None;
        }
        match term.bases.iter_mut().find(|(known, _)| *known == base) {
            // An odd power of -1 is -1, and two of them cancel.
            Some(_) if base == Arena::MINUS_ONE => term.bases.retain(|(known, _)| *known != base),
            Some((_, known)) => *known += times,
            None => term.bases.push((base, if base == Arena::MINUS_ONE { 1 } else { times })),
        }
        term.bases.retain(|(_, times)| *times != 0);
        Some(())
    }

    fn raised(&mut self, base: Id, power: i64) -> Id {
        if power == 0 {
            return Arena::ONE;
        }
        let power = self.arena.integer(power);
        self.arena.power(base, power)
    }

    /// Returns `r`, the quotient of the powers in consecutive terms.
    fn ratio(&mut self, term: &Term) -> Id {
        let factors: Vec<Id> = term.bases.iter().map(|(base, times)| self.raised(*base, *times)).collect();
        self.arena.product(&factors)
    }

    /// Returns `t` and `false` for `r = t²`, or `t` and `true` for `r = -t²`.
    fn root(&mut self, term: &Term) -> Option<(Id, bool)> {
        let mut negative = false;
        let mut factors = Vec::new();
        for (base, times) in &term.bases {
            if *base == Arena::MINUS_ONE {
                negative = true;
            } else if times % 2 == 0 {
                factors.push(self.raised(*base, times / 2));
            } else if constant_sign(self.arena, *base) == Some(1) {
                let root = self.arena.sqrt(*base);
                factors.push(self.raised(root, *times));
            } else {
                return None;
            }
        }
        Some((self.arena.product(&factors), negative))
    }

    /// Checks that `|r| < 1`; for variables that are not bound, records the condition instead.
    fn shrinks(&mut self, ratio: Id) -> Option<()> {
        disc::shrinks(self.arena, self.scope, ratio)
    }

    fn number(&mut self, value: Rational) -> Id {
        self.arena.number(value)
    }

    fn closed(&mut self, term: &Term) -> Option<Id> {
        if term.fraction.numerator.is_empty() {
            return Some(Arena::ZERO);
        }
        let value = match term.factorial {
            Some(below) => self.with_factorial(term, below)?,
            None if term.bases.is_empty() => self.rational(&term.fraction, false)?,
            None if term.bases == [(Arena::MINUS_ONE, 1)] => self.rational(&term.fraction, true)?,
            None => self.with_powers(term)?,
        };
        let mut factors = term.outside.clone();
        factors.push(value);
        Some(self.arena.product(&factors))
    }

    /// Returns the sum of `r^k F(k)`.
    fn with_powers(&mut self, term: &Term) -> Option<Id> {
        let ratio = self.ratio(term);
        let Fraction { numerator, roots } = &term.fraction;
        let rest = self.arena.sub(Arena::ONE, ratio);
        match (numerator.as_slice(), roots.as_slice()) {
            (coefficients, []) if coefficients.len() <= 4 => {
                self.shrinks(ratio)?;
                // The numerators of (r d/dr)^j 1/(1-r).
                let above: [&[i64]; 4] = [&[1], &[0, 1], &[0, 1, 1], &[0, 1, 4, 1]];
                let mut terms = Vec::new();
                for (j, coefficient) in coefficients.iter().enumerate() {
                    let mut parts = Vec::new();
                    for (power, times) in above[j].iter().enumerate() {
                        let (times, power) = (self.arena.integer(*times), self.raised(ratio, power as i64));
                        parts.push(self.arena.mul(times, power));
                    }
                    let (above, below) = (self.arena.sum(&parts), self.raised(rest, -(j as i64) - 1));
                    let coefficient = self.number(coefficient.clone());
                    terms.push(self.arena.product(&[coefficient, above, below]));
                }
                Some(self.arena.sum(&terms))
            }
            ([coefficient], [root]) => {
                let first = Rational::ZERO.checked_sub(root)?;
                let coefficient = self.number(coefficient.clone());
                if first == Rational::HALF {
                    self.shrinks(ratio)?;
                    let (root, negative) = self.root(term)?;
                    let function = if negative { Function::Atan } else { Function::Atanh };
                    let value = self.arena.apply(function, &[root]);
                    let value = self.arena.div(value, root);
                    return Some(self.arena.product(&[Arena::TWO, coefficient, value]));
                }
                let steps = first.to_i64().filter(|steps| (1..=SERIES_SHIFT).contains(steps))?;
                self.shrinks(ratio)?;
                let logarithm = self.arena.apply(Function::Ln, &[rest]);
                let mut terms = vec![self.arena.neg(logarithm)];
                for j in 1..steps {
                    let (power, share) = (self.raised(ratio, j), self.arena.fraction(-1, j));
                    terms.push(self.arena.mul(power, share));
                }
                let (sum, back) = (self.arena.sum(&terms), self.raised(ratio, -steps));
                Some(self.arena.product(&[coefficient, sum, back]))
            }
            _ => None,
        }
    }

    /// Returns the sum of `r^k P(k)/(a k + b)!`.
    fn with_factorial(&mut self, term: &Term, (times, rest): (i64, i64)) -> Option<Id> {
        if !term.fraction.roots.is_empty() || !(0..=SERIES_SHIFT / 2).contains(&rest) {
            return None;
        }
        let ratio = self.ratio(term);
        let coefficients = &term.fraction.numerator;
        match times {
            1 => {
                // The coefficients of P(j - b).
                let back = [Rational::from(-rest), Rational::ONE];
                let mut shifted: Polynomial = Vec::new();
                for coefficient in coefficients.iter().rev() {
                    shifted = add(&multiply(&shifted, &back)?, std::slice::from_ref(coefficient))?;
                }
                if shifted.len() > 4 {
                    return None;
                }
                let whole = self.arena.exp(ratio);
                let above: [&[i64]; 4] = [&[1], &[0, 1], &[0, 1, 1], &[0, 1, 3, 1]];
                let mut terms = Vec::new();
                for (j, coefficient) in shifted.iter().enumerate() {
                    for (power, times) in above[j].iter().enumerate() {
                        let factor = self.number(coefficient.checked_mul(&Rational::from(*times))?);
                        let power = self.raised(ratio, power as i64);
                        terms.push(self.arena.product(&[factor, power, whole]));
                    }
                }
                let mut factorial = Rational::ONE;
                for j in 0..rest {
                    if j > 0 {
                        factorial = factorial.checked_mul(&Rational::from(j))?;
                    }
                    let share = at(&shifted, &Rational::from(j))?.checked_div(&factorial)?;
                    let share = self.number(Rational::ZERO.checked_sub(&share)?);
                    let power = self.raised(ratio, j);
                    terms.push(self.arena.mul(share, power));
                }
                let (sum, back) = (self.arena.sum(&terms), self.raised(ratio, -rest));
                Some(self.arena.mul(sum, back))
            }
            2 => {
                let [coefficient] = coefficients.as_slice() else { return None };
                let (root, negative) = self.root(term)?;
                let odd = rest % 2 == 1;
                let function = match (odd, negative) {
                    (false, false) => Function::Cosh,
                    (false, true) => Function::Cos,
                    (true, false) => Function::Sinh,
                    (true, true) => Function::Sin,
                };
                let mut whole = self.arena.apply(function, &[root]);
                if odd {
                    whole = self.arena.div(whole, root);
                }
                let mut terms = vec![whole];
                let mut factorial = Rational::ONE;
                for j in 0..rest / 2 {
                    let top = 2 * j + i64::from(odd);
                    for next in (top - 1).max(1)..=top {
                        factorial = factorial.checked_mul(&Rational::from(next))?;
                    }
                    let share = self.number(Rational::MINUS_ONE.checked_div(&factorial)?);
                    let power = self.raised(ratio, j);
                    terms.push(self.arena.mul(share, power));
                }
                let (sum, back) = (self.arena.sum(&terms), self.raised(ratio, -(rest / 2)));
                let coefficient = self.number(coefficient.clone());
                Some(self.arena.product(&[coefficient, sum, back]))
            }
            _ => None,
        }
    }

    /// Returns the sum of a rational function of the index, with or without alternating signs.
    fn rational(&mut self, fraction: &Fraction, alternating: bool) -> Option<Id> {
        let Fraction { numerator, roots } = fraction;
        if let ([coefficient], [root, rest @ ..]) = (numerator.as_slice(), roots.as_slice())
            && rest.iter().all(|other| other == root)
        {
            let power = u32::try_from(roots.len()).ok()?;
            let value = self.of_one_root(&Rational::ZERO.checked_sub(root)?, power, alternating)?;
            let coefficient = self.number(coefficient.clone());
            return Some(self.arena.mul(coefficient, value));
        }
        if alternating || numerator.len() + 1 > roots.len() {
            return None;
        }
        // Partial fractions with simple poles cancel if their poles differ by integers and their residues add
        // up to 0.
        let mut sum = Rational::ZERO;
        let mut open: Vec<(Rational, Rational)> = Vec::new();
        for (i, root) in roots.iter().enumerate() {
            let mut residue = at(numerator, root)?;
            for (j, other) in roots.iter().enumerate() {
                if i != j {
                    let gap = root.checked_sub(other)?;
                    if gap.is_zero() {
                        return None;
                    }
                    residue = residue.checked_div(&gap)?;
                }
            }
            open.push((Rational::ZERO.checked_sub(root)?, residue));
        }
        open.sort();
        while let Some((lowest, _)) = open.first().cloned() {
            let mut total = Rational::ZERO;
            let mut others = Vec::new();
            for (first, residue) in open {
                let gap = first.checked_sub(&lowest)?;
                if !gap.is_integer() {
                    others.push((first, residue));
                    continue;
                }
                let steps = gap.to_i64()?;
                let part = first_terms(&lowest, steps, 1, false)?.checked_mul(&residue)?;
                sum = sum.checked_sub(&part)?;
                total = total.checked_add(&residue)?;
            }
            if !total.is_zero() {
                return None;
            }
            open = others;
        }
        Some(self.number(sum))
    }

    /// Returns the sum of `1/(k+first)^power`, with or without alternating signs.
    fn of_one_root(&mut self, first: &Rational, power: u32, alternating: bool) -> Option<Id> {
        let (start, half) = if first.is_integer() { (Rational::ONE, false) } else { (Rational::HALF, true) };
        let steps = first.checked_sub(&start)?.to_i64().filter(|steps| (0..=SERIES_SHIFT).contains(steps))?;
        let two_to = |power: i64| Rational::from(2).checked_pow(power);
        // The value of the sum with `first` = 1 or 1/2, as a rational multiple of a power of π (or of ln 2).
        let (share, constant) = match (alternating, half, power) {
            (false, false, _) => (zeta(power)?, power),
            (false, true, _) => {
                (zeta(power)?.checked_mul(&two_to(i64::from(power))?.checked_sub(&Rational::ONE)?)?, power)
            }
            (true, false, 1) => (Rational::ONE, 0),
            (true, false, _) => (
                zeta(power)?.checked_mul(&Rational::ONE.checked_sub(&two_to(1 - i64::from(power))?)?)?,
                power,
            ),
            (true, true, 1) => (Rational::HALF, 1),
            (true, true, 3) => (Rational::new(1, 4)?, 3),
            (true, true, 5) => (Rational::new(5, 48)?, 5),
            _ => return None,
        };
        let constant = if constant == 0 {
            self.arena.apply(Function::Ln, &[Arena::TWO])
        } else {
            let pi = self.arena.constant(Constant::Pi);
            self.raised(pi, i64::from(constant))
        };
        let share = self.number(share);
        let whole = self.arena.mul(share, constant);
        let missing = first_terms(&start, steps, power, alternating)?;
        let missing = self.number(missing);
        let value = self.arena.sub(whole, missing);
        Some(if alternating && steps % 2 == 1 { self.arena.neg(value) } else { value })
    }

    /// Returns the unevaluated sum, with constant factors in front and an index from 0.
    fn written(&mut self, term: &Term) -> Id {
        let along = self.arena.variable_of(self.index);
        let mut factors = Vec::new();
        for (base, times) in &term.bases {
            let times = self.arena.integer(*times);
            let exponent = self.arena.mul(times, along);
            factors.push(self.arena.power(*base, exponent));
        }
        let mut terms = Vec::new();
        let mut outside = term.outside.clone();
        // The leading coefficient is one of the constant factors.
        let leading = term.fraction.numerator.last().cloned().unwrap_or(Rational::ONE);
        for (power, coefficient) in term.fraction.numerator.iter().enumerate() {
            let coefficient = coefficient.checked_div(&leading).unwrap_or(Rational::ONE);
            let (coefficient, power) = (self.number(coefficient), self.raised(along, power as i64));
            terms.push(self.arena.mul(coefficient, power));
        }
        factors.push(self.arena.sum(&terms));
        outside.push(self.number(leading));
        for root in &term.fraction.roots {
            let root = self.number(root.clone());
            let below = self.arena.sub(along, root);
            factors.push(self.raised(below, -1));
        }
        if let Some((times, rest)) = term.factorial {
            let (times, rest) = (self.arena.integer(times), self.arena.integer(rest));
            let product = self.arena.mul(times, along);
            let argument = self.arena.add(product, rest);
            let factorial = self.arena.apply(Function::Factorial, &[argument]);
            factors.push(self.raised(factorial, -1));
        }
        let body = self.arena.product(&factors);
        let infinity = self.arena.constant(Constant::Infinity);
        let series = self.arena.series(SeriesKind::Sum, self.index, Arena::ZERO, infinity, body);
        outside.push(series);
        self.arena.product(&outside)
    }
}
