//! Exact normal form: quotients of multivariate polynomials over *kernels*.
//!
//! A kernel is a part that arithmetic treats as an atom: a variable, a constant, a root, a sine, a power with
//! a symbolic exponent. Kernels are treated as independent of each other, except for two laws that hold
//! wherever the kernels have values: the q-th power of a q-th root is its radicand, and
//! `cos^2 = 1 - sin^2`. `i` is the square root of -1. Two expressions whose quotients agree after
//! cross-multiplication are therefore equal at every point at which both have a value. The converse does not
//! hold, so this module proves equality and never refutes it.
//!
//! The cost is bounded by `NORMAL_FORM_TERMS` per polynomial, `NORMAL_FORM_PRODUCTS`, `NORMAL_FORM_POWER`,
//! `NORMAL_FORM_DEPTH` and the bit limit of [`Rational`].

use crate::limits::{Fuel, NORMAL_FORM_DEPTH, NORMAL_FORM_POWER, NORMAL_FORM_PRODUCTS, NORMAL_FORM_TERMS};
use smallvec::{SmallVec, smallvec};

use crate::expr::{Arena, Constant, Function, Id, Node};
use crate::number::Rational;
use crate::polynomial::sparse::{Monomial, merged};

/// Terms, sorted by monomial; no coefficient is zero. Most polynomials have one or two terms.
type Polynomial = SmallVec<[(Monomial, Rational); 2]>;

struct Quotient {
    numerator: Polynomial,
    /// `None` is 1, the common case, which needs no multiplication.
    denominator: Option<Polynomial>,
}

impl Quotient {
    fn whole(numerator: Polynomial) -> Self {
        Self { numerator, denominator: None }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kernel {
    Opaque(Id),
    Root(Id, u16),
    Sin(Id),
    Cos(Id),
}

/// The cost of a product of two terms, in units of the budget.
const TERM_COST: u64 = 4;

#[derive(Default)]
struct Normaliser {
    kernels: Vec<Kernel>,
    /// For a kernel with a law, the power at which it is replaced, and the replacement.
    laws: Vec<Option<(u16, Polynomial)>>,
    work: usize,
}

/// Returns whether two expressions have the same exact normal form, hence the same value wherever both have
/// one.
///
/// `false` proves nothing: the forms may differ, an expression may be too large or unsupported, or the budget
/// may be used up.
pub(crate) fn same_normal_form(arena: &Arena, [a, b]: [Id; 2], fuel: &mut Fuel) -> bool {
    let mut normaliser = Normaliser::default();
    let same = normaliser.same(arena, a, b).unwrap_or(false);
    fuel.spend(TERM_COST * (1 + normaliser.work as u64)) && same
}

fn constant(value: Rational) -> Polynomial {
    if value.is_zero() { Polynomial::new() } else { smallvec![(Monomial::new(), value)] }
}

impl Normaliser {
    fn same(&mut self, arena: &Arena, a: Id, b: Id) -> Option<bool> {
        let a = self.quotient(arena, a, 0)?;
        let b = self.quotient(arena, b, 0)?;
        if a.denominator == b.denominator {
            return Some(a.numerator == b.numerator);
        }
        let left = self.times(a.numerator, b.denominator.as_ref())?;
        let right = self.times(b.numerator, a.denominator.as_ref())?;
        Some(left == right)
    }

    fn kernel(&mut self, arena: &Arena, kernel: Kernel, depth: usize) -> Option<Quotient> {
        let index = match self.kernels.iter().position(|known| *known == kernel) {
            Some(index) => index,
            None => {
                let law = match kernel {
                    Kernel::Root(radicand, degree) => {
                        let radicand = self.quotient(arena, radicand, depth + 1)?;
                        radicand.denominator.is_none().then_some((degree, radicand.numerator))
                    }
                    Kernel::Cos(argument) => {
                        let sine = self.kernel(arena, Kernel::Sin(argument), depth + 1)?.numerator;
                        let square = self.product(&sine, &sine)?;
                        let rest = self.sum(constant(Rational::ONE), &square, &Rational::MINUS_ONE)?;
                        Some((2, rest))
                    }
                    Kernel::Opaque(_) | Kernel::Sin(_) => None,
                };
                self.kernels.push(kernel);
                self.laws.push(law);
                self.kernels.len() - 1
            }
        };
        let monomial = Monomial::from_slice(&[(u16::try_from(index).ok()?, 1)]);
        Some(Quotient::whole(smallvec![(monomial, Rational::ONE)]))
    }

    /// Builds the quotient. Recursion is bounded by `NORMAL_FORM_DEPTH`.
    fn quotient(&mut self, arena: &Arena, id: Id, depth: usize) -> Option<Quotient> {
        if depth > NORMAL_FORM_DEPTH {
            return None;
        }
        match arena.node(id) {
            Node::Number(value) => Some(Quotient::whole(constant(value.clone()))),
            Node::Sum(&[first, ref rest @ ..]) => {
                let mut sum = self.quotient(arena, first, depth + 1)?;
                for &term in rest {
                    let term = self.quotient(arena, term, depth + 1)?;
                    sum = self.add(sum, term)?;
                }
                Some(sum)
            }
            Node::Product(&[first, ref rest @ ..]) => {
                let mut product = self.quotient(arena, first, depth + 1)?;
                for &factor in rest {
                    let factor = self.quotient(arena, factor, depth + 1)?;
                    product = self.multiply(&product, &factor)?;
                }
                Some(product)
            }
            Node::Power(base, exponent) => {
                let Some((numerator, denominator)) = arena.as_number(exponent).and_then(Rational::to_small)
                else {
                    return self.kernel(arena, Kernel::Opaque(id), depth);
                };
                if numerator == 0 {
                    // A power of something other than 0 is a factor of its own; `0^0` has no value.
                    let base = self.quotient(arena, base, depth + 1)?;
                    if base.numerator.is_empty() {
                        return None;
                    }
                    return self.kernel(arena, Kernel::Opaque(id), depth);
                }
                if numerator.unsigned_abs() > NORMAL_FORM_POWER
                    || denominator.unsigned_abs() > NORMAL_FORM_POWER
                {
                    return None;
                }
                let root = if denominator == 1 {
                    self.quotient(arena, base, depth + 1)?
                } else {
                    self.kernel(arena, Kernel::Root(base, u16::try_from(denominator).ok()?), depth)?
                };
                self.power(root, numerator)
            }
            Node::Constant(Constant::I) => self.kernel(arena, Kernel::Root(Arena::MINUS_ONE, 2), depth),
            Node::Apply(Function::Sin, &[argument]) => self.kernel(arena, Kernel::Sin(argument), depth),
            Node::Apply(Function::Cos, &[argument]) => self.kernel(arena, Kernel::Cos(argument), depth),
            Node::Apply(Function::Tan, &[argument]) => {
                let sine = self.kernel(arena, Kernel::Sin(argument), depth)?;
                let cosine = self.kernel(arena, Kernel::Cos(argument), depth)?;
                Some(Quotient { numerator: sine.numerator, denominator: Some(cosine.numerator) })
            }
            _ => self.kernel(arena, Kernel::Opaque(id), depth),
        }
    }

    fn add(&mut self, a: Quotient, b: Quotient) -> Option<Quotient> {
        if a.denominator == b.denominator {
            let numerator = self.sum(a.numerator, &b.numerator, &Rational::ONE)?;
            return Some(Quotient { numerator, denominator: a.denominator });
        }
        let left = self.times(a.numerator, b.denominator.as_ref())?;
        let right = self.times(b.numerator, a.denominator.as_ref())?;
        Some(Quotient {
            numerator: self.sum(left, &right, &Rational::ONE)?,
            denominator: self.below(a.denominator.as_ref(), b.denominator.as_ref())?,
        })
    }

    fn multiply(&mut self, a: &Quotient, b: &Quotient) -> Option<Quotient> {
        Some(Quotient {
            numerator: self.product(&a.numerator, &b.numerator)?,
            denominator: self.below(a.denominator.as_ref(), b.denominator.as_ref())?,
        })
    }

    /// Returns a polynomial times another, where `None` is 1.
    fn times(&mut self, a: Polynomial, b: Option<&Polynomial>) -> Option<Polynomial> {
        match b {
            None => Some(a),
            Some(b) => self.product(&a, b),
        }
    }

    /// Returns the product of two denominators, where `None` is 1; the outer `None` means that the product
    /// grew too large.
    #[allow(clippy::option_option)]
    fn below(&mut self, a: Option<&Polynomial>, b: Option<&Polynomial>) -> Option<Option<Polynomial>> {
        match (a, b) {
            (None, None) => Some(None),
            (Some(one), None) | (None, Some(one)) => Some(Some(one.clone())),
            (Some(a), Some(b)) => self.product(a, b).map(Some),
        }
    }

    fn power(&mut self, base: Quotient, exponent: i64) -> Option<Quotient> {
        let base = if exponent < 0 {
            // `1/0` has no value anywhere.
            if base.numerator.is_empty() {
                return None;
            }
            let numerator = base.denominator.unwrap_or_else(|| constant(Rational::ONE));
            Quotient { numerator, denominator: Some(base.numerator) }
        } else {
            base
        };
        if exponent.unsigned_abs() == 1 {
            return Some(base);
        }
        let mut power = Quotient { numerator: base.numerator.clone(), denominator: base.denominator.clone() };
        for _ in 1..exponent.unsigned_abs() {
            power = self.multiply(&power, &base)?;
        }
        Some(power)
    }

    /// Returns `a + factor * b`.
    fn sum(&mut self, mut a: Polynomial, b: &Polynomial, factor: &Rational) -> Option<Polynomial> {
        for (monomial, coefficient) in b {
            self.add_term(&mut a, monomial.clone(), coefficient.checked_mul(factor)?)?;
        }
        Some(a)
    }

    fn add_term(&mut self, polynomial: &mut Polynomial, monomial: Monomial, value: Rational) -> Option<()> {
        self.work += 1;
        if self.work > NORMAL_FORM_PRODUCTS || polynomial.len() > NORMAL_FORM_TERMS {
            return None;
        }
        if value.is_zero() {
            return Some(());
        }
        match polynomial.binary_search_by(|(known, _)| known.cmp(&monomial)) {
            Err(place) => polynomial.insert(place, (monomial, value)),
            Ok(place) => {
                let sum = polynomial[place].1.checked_add(&value)?;
                if sum.is_zero() {
                    polynomial.remove(place);
                } else {
                    polynomial[place].1 = sum;
                }
            }
        }
        Some(())
    }

    fn product(&mut self, a: &Polynomial, b: &Polynomial) -> Option<Polynomial> {
        let (few, many) = if a.len() <= b.len() { (a, b) } else { (b, a) };
        // A constant factor leaves the monomials unchanged.
        if let [(monomial, factor)] = few.as_slice()
            && monomial.is_empty()
        {
            let scaled =
                many.iter().map(|(monomial, value)| Some((monomial.clone(), value.checked_mul(factor)?)));
            return scaled.collect();
        }
        let mut result = Polynomial::new();
        for (left, x) in a {
            for (right, y) in b {
                self.add_term(&mut result, merged(left, right)?, x.checked_mul(y)?)?;
            }
        }
        self.reduce(result)
    }

    /// Applies the laws of the kernels until none applies. Each step lowers the power of a kernel and raises
    /// only powers of kernels that were created earlier, so the loop ends. The limits also bound it.
    fn reduce(&mut self, mut polynomial: Polynomial) -> Option<Polynomial> {
        loop {
            let reducible = polynomial.iter().enumerate().find_map(|(term, (monomial, _))| {
                let at = monomial.iter().position(|(kernel, exponent)| {
                    self.laws[usize::from(*kernel)].as_ref().is_some_and(|(degree, _)| exponent >= degree)
                })?;
                Some((term, at))
            });
            let Some((term, at)) = reducible else { return Some(polynomial) };
            let (monomial, coefficient) = polynomial.remove(term);
            let (kernel, exponent) = monomial[at];
            let (degree, replacement) = self.laws[usize::from(kernel)].clone()?;
            let mut rest = monomial;
            if exponent == degree {
                rest.remove(at);
            } else {
                rest[at].1 -= degree;
            }
            for (factor, value) in &replacement {
                self.add_term(&mut polynomial, merged(&rest, factor)?, coefficient.checked_mul(value)?)?;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::latex::parse;
    use crate::lower::lower;
    use crate::symbols::Declarations;

    fn same(a: &str, b: &str) -> bool {
        let names = Declarations::new();
        let mut arena = Arena::default();
        let [a, b] = [a, b].map(|latex| lower(&parse(latex, &names).unwrap(), &names, &mut arena).unwrap());
        same_normal_form(&arena, [a, b], &mut Fuel::new(u64::MAX))
    }

    #[test]
    fn rational_functions_roots_and_pythagoras_are_proven() {
        for (a, b) in [
            (r"\frac{x^2-1}{x-1}", "x+1"),
            (r"(a+b)^3", r"a^3+3a^2b+3ab^2+b^3"),
            (r"\frac{1}{x}+\frac{1}{y}", r"\frac{x+y}{xy}"),
            (r"(1+\sqrt2)^2", r"3+2\sqrt2"),
            (r"\frac{1}{1+\sqrt2}", r"\sqrt2-1"),
            (r"\sin^2x+\cos^2x", "1"),
            (r"1+\tan^2x", r"\frac{1}{\cos^2x}"),
            (r"x^{1/3}x^{2/3}", "x"),
            (r"0.5x", r"\frac{x}{2}"),
            (r"(\ln x+1)^2-(\ln x)^2", r"2\ln x+1"),
            (r"(a+ib)(a-ib)", "a^2+b^2"),
            (r"\frac{1}{1+i}", r"\frac{1-i}{2}"),
            ("i^5", r"\sqrt{-1}"),
        ] {
            assert!(same(a, b), "{a} = {b}");
        }
    }

    #[test]
    fn different_things_are_not_proven_and_neither_are_domains_crossed() {
        for (a, b) in [
            (r"\frac{x^2-1}{x-1}", "x-1"),
            (r"\sqrt{x^2}", "x"),
            (r"(x^{6})^{1/2}", "x^3"),
            ("x-y", "y-x"),
            (r"\sin^2x-\cos^2x", "1"),
            (r"\frac{1}{x-x}", "0"),
            (r"\frac{1}{i^2+1}", "0"),
            ("i^3", "i"),
            (r"\sqrt2", "1.4142135623730951"),
        ] {
            assert!(!same(a, b), "{a} = {b}");
        }
    }

    #[test]
    fn large_expressions_are_left_alone() {
        for (a, b) in
            [("(x+y+z+a+b+t)^{20}", "(x+y+z+a+b+t)^{19}(x+y+z+a+b+t)"), ("(x-a)^{6000}", "(a-x)^{6000}")]
        {
            assert!(!same(a, b), "{a} = {b}");
        }
    }
}
