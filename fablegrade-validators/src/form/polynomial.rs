//! Polynomials with rational coefficients in the atoms of an expression.
//!
//! An *atom* is a part that is not a sum, product or whole power of other parts: a root, a function, a letter.
//! Atoms with the same printed form are the same.

use std::collections::BTreeMap;

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use fablegrade_latex::ast::{Node, NodeId};

use super::terms::{Tree, absolute, gcd};

/// The maximum number of terms; an expression with more is not treated as a polynomial.
const MAX_TERMS: usize = 500;
/// The largest power of a sum that is expanded.
const MAX_POWER: u64 = 40;
/// The largest power of an atom that is replaced by an integer.
const MAX_SUBSTITUTED_POWER: u32 = 200;
/// The maximum size of a coefficient's numerator and denominator, in bits.
const MAX_BITS: usize = 2_000;

/// The powers of atoms, by the atoms' numbers.
pub(super) type Monomial = BTreeMap<usize, u32>;

/// A polynomial as a map from monomials to nonzero coefficients.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Polynomial {
    pub(super) terms: BTreeMap<Monomial, RBig>,
}

/// The atoms found so far; number 0 is the variable.
pub(super) struct Atoms {
    printed: Vec<String>,
    /// Whether a power that is too large to expand counts as a power of an atom, as in `x-(1+r)^{360}`. The factors of
    /// its base are then not found, so this must be false where all common factors are sought.
    has_large_powers: bool,
}

impl Atoms {
    pub(super) fn new() -> Self {
        Self { printed: vec![String::new()], has_large_powers: false }
    }

    /// Creates a list in which powers that are too large to expand count as powers of atoms.
    pub(super) fn with_large_powers() -> Self {
        Self { has_large_powers: true, ..Self::new() }
    }

    fn number(&mut self, printed: String) -> usize {
        if let Some(at) = self.printed.iter().skip(1).position(|known| *known == printed) {
            return at + 1;
        }
        self.printed.push(printed);
        self.printed.len() - 1
    }

    pub(super) fn count(&self) -> usize {
        self.printed.len()
    }
}

impl Polynomial {
    pub(super) fn constant(value: RBig) -> Self {
        let mut terms = BTreeMap::new();
        if !value.is_zero() {
            terms.insert(Monomial::new(), value);
        }
        Self { terms }
    }

    fn atom(number: usize) -> Self {
        Self { terms: BTreeMap::from([(Monomial::from([(number, 1)]), RBig::ONE)]) }
    }

    /// Returns the polynomial of a part; `None` if it is not a polynomial in the variable, or is too large.
    pub(super) fn of(tree: &Tree<'_>, id: NodeId, atoms: &mut Atoms) -> Option<Self> {
        let id = tree.bare(id);
        if tree.is_variable(id) {
            return Some(Self::atom(0));
        }
        if let Some(number) = tree.number(id) {
            return Some(Self::constant(number));
        }
        match tree.node(id) {
            Node::Negate(inner) => Some(Self::of(tree, inner, atoms)?.scaled(&-RBig::ONE)),
            Node::Sum(list) => {
                let mut sum = Self::default();
                for term in tree.syntax.list(list) {
                    sum = sum.plus(&Self::of(tree, *term, atoms)?)?;
                }
                Some(sum)
            }
            Node::Product(list) => {
                let mut product = Self::constant(RBig::ONE);
                for factor in tree.syntax.list(list) {
                    product = product.times(&Self::of(tree, *factor, atoms)?)?;
                }
                Some(product)
            }
            Node::Quotient { numerator, denominator, .. } => {
                let below = Self::of(tree, denominator, atoms)?.as_constant()?;
                if below.is_zero() {
                    return None;
                }
                Some(Self::of(tree, numerator, atoms)?.scaled(&(RBig::ONE / below)))
            }
            Node::Power(base, power) => match tree.integer(power) {
                Some((false, power)) => {
                    let power = u64::try_from(power).ok()?;
                    let expanded = Self::of(tree, base, atoms).and_then(|base| base.pow(power));
                    let of_atom = |atoms: &mut Atoms| Self::opaque(tree, base, atoms)?.pow(power);
                    expanded.or_else(|| atoms.has_large_powers.then(|| of_atom(atoms)).flatten())
                }
                _ => Self::opaque(tree, id, atoms),
            },
            _ => Self::opaque(tree, id, atoms),
        }
    }

    fn opaque(tree: &Tree<'_>, id: NodeId, atoms: &mut Atoms) -> Option<Self> {
        (!tree.has_variable(id)).then(|| Self::atom(atoms.number(tree.printed(id))))
    }

    fn scaled(mut self, by: &RBig) -> Self {
        self.terms.values_mut().for_each(|value| *value *= by);
        self.terms.retain(|_, value| !value.is_zero());
        self
    }

    fn add(&mut self, monomial: Monomial, value: RBig) {
        use std::collections::btree_map::Entry;
        match self.terms.entry(monomial) {
            Entry::Vacant(place) => {
                if !value.is_zero() {
                    place.insert(value);
                }
            }
            Entry::Occupied(mut place) => {
                *place.get_mut() += value;
                if place.get().is_zero() {
                    place.remove();
                }
            }
        }
    }

    fn plus(mut self, other: &Self) -> Option<Self> {
        for (monomial, value) in &other.terms {
            self.add(monomial.clone(), value.clone());
        }
        (self.terms.len() <= MAX_TERMS).then_some(self)
    }

    pub(super) fn times(&self, other: &Self) -> Option<Self> {
        use dashu_base::BitTest;
        if self.terms.len() * other.terms.len() > 20_000 {
            return None;
        }
        let mut product = Self::default();
        for (mine, value) in &self.terms {
            for (theirs, other) in &other.terms {
                let mut monomial = mine.clone();
                for (atom, power) in theirs {
                    let own = monomial.entry(*atom).or_insert(0);
                    *own = own.checked_add(*power)?;
                }
                product.add(monomial, value * other);
            }
        }
        let small = |value: &RBig| value.numerator().bit_len().max(value.denominator().bit_len()) <= MAX_BITS;
        (product.terms.len() <= MAX_TERMS && product.terms.values().all(small)).then_some(product)
    }

    /// Returns a power; `None` if the result is too large.
    pub(super) fn pow(&self, power: u64) -> Option<Self> {
        if self.terms.len() == 1 {
            return self.pow_of_term(u32::try_from(power).ok()?);
        }
        if power > MAX_POWER {
            return None;
        }
        let mut product = Self::constant(RBig::ONE);
        for _ in 0..power {
            product = product.times(self)?;
        }
        Some(product)
    }

    /// Returns a power of a polynomial with one term.
    fn pow_of_term(&self, power: u32) -> Option<Self> {
        use dashu_base::BitTest;
        let (monomial, value) = self.terms.first_key_value()?;
        let bits = value.numerator().bit_len().max(value.denominator().bit_len());
        if !absolute(value.numerator()).is_one() || !value.denominator().is_one() {
            usize::try_from(power).ok()?.checked_mul(bits).filter(|bits| *bits <= 2 * MAX_BITS)?;
        }
        let mut powers = Monomial::new();
        for (atom, exponent) in monomial.iter().filter(|_| power > 0) {
            powers.insert(*atom, exponent.checked_mul(power)?);
        }
        let value = value.pow(isize::try_from(power).ok()?);
        let small = value.numerator().bit_len().max(value.denominator().bit_len()) <= MAX_BITS;
        small.then(|| Self { terms: BTreeMap::from([(powers, value)]) })
    }

    pub(super) fn as_constant(&self) -> Option<RBig> {
        match self.terms.iter().next() {
            None => Some(RBig::ZERO),
            Some((monomial, value)) if self.terms.len() == 1 && monomial.is_empty() => Some(value.clone()),
            _ => None,
        }
    }

    /// Returns the degree in an atom.
    pub(super) fn degree(&self, atom: usize) -> u32 {
        self.terms.keys().filter_map(|monomial| monomial.get(&atom)).copied().max().unwrap_or(0)
    }

    pub(super) fn has_fraction(&self) -> bool {
        self.terms.values().any(|value| !value.denominator().is_one())
    }

    /// Returns the greatest common divisor of the numerators.
    pub(super) fn content(&self) -> UBig {
        self.terms.values().fold(UBig::ZERO, |divisor, value| gcd(&divisor, &absolute(value.numerator())))
    }

    /// Returns the least common multiple of the denominators.
    pub(super) fn denominator(&self) -> UBig {
        self.terms.values().fold(UBig::ONE, |common, value| {
            let below = value.denominator();
            &common / gcd(&common, below) * below
        })
    }

    /// Returns whether the highest power of the variable has the coefficient 1.
    pub(super) fn is_monic(&self) -> bool {
        let degree = self.degree(0);
        self.terms.iter().any(|(monomial, value)| {
            monomial.len() == 1 && monomial.get(&0) == Some(&degree) && value.is_one()
        })
    }

    /// Returns whether some atom divides every term.
    pub(super) fn has_common_atom(&self) -> bool {
        !self.common_atoms().is_empty()
    }

    /// Returns the atoms that divide every term.
    pub(super) fn common_atoms(&self) -> Vec<usize> {
        let Some(first) = self.terms.keys().next() else { return Vec::new() };
        let common = |atom: &usize| self.terms.keys().all(|monomial| monomial.contains_key(atom));
        first.keys().copied().filter(common).collect()
    }

    /// Returns integer coefficients in one atom, lowest power first, after substituting small integers for the others.
    ///
    /// `seed` selects the integers. Denominators are cleared. Returns `None` if a power is too large.
    pub(super) fn substituted(&self, atom: usize, atoms: usize, seed: u64) -> Option<Vec<IBig>> {
        if self.terms.keys().any(|monomial| monomial.values().any(|power| *power > MAX_SUBSTITUTED_POWER)) {
            return None;
        }
        // Pseudorandom values that are the same on every platform.
        let values: Vec<RBig> = (0..atoms as u64)
            .map(|number| RBig::from(2 + ((number + 1) * 7919 + seed * 104_729) % 997))
            .collect();
        let mut powers = vec![RBig::ZERO; self.degree(atom) as usize + 1];
        for (monomial, value) in &self.terms {
            let mut value = value.clone();
            for (other, power) in monomial {
                if *other != atom {
                    value *= values[*other].pow(*power as isize);
                }
            }
            powers[monomial.get(&atom).copied().unwrap_or(0) as usize] += value;
        }
        let common = powers.iter().fold(UBig::ONE, |common, value| {
            let below = value.denominator();
            &common / gcd(&common, below) * below
        });
        Some(powers.into_iter().map(|value| (value * RBig::from(common.clone())).into_parts().0).collect())
    }

    /// Returns whether this polynomial is a constant multiple of another.
    pub(super) fn is_multiple_of(&self, other: &Self) -> bool {
        if self.terms.len() != other.terms.len() || !self.terms.keys().eq(other.terms.keys()) {
            return false;
        }
        let mut quotients = self.terms.values().zip(other.terms.values()).map(|(mine, other)| mine / other);
        quotients.next().is_none_or(|first| quotients.all(|quotient| quotient == first))
    }
}
