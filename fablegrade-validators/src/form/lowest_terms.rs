//! Quotients in lowest terms: of integers, and of polynomials.

use dashu_int::UBig;
use dashu_ratio::RBig;
use fablegrade_latex::ast::{Node, NodeId};
use fablegrade_math::polynomial::have_common_factor;

use super::polynomial::{Atoms, Polynomial};
use super::terms::{Factor, Tree, gcd};

/// The largest power of an integer that is evaluated.
const MAX_EVALUATED_POWER: u32 = 64;

/// The maximum number of different factors that are searched for common factors one by one.
const MAX_FACTORS: usize = 5;

/// Returns the value of an integer or a product of integers and their small powers, as [`Tree::integer`] does.
fn integer_product(tree: &Tree<'_>, id: NodeId) -> Option<(bool, UBig)> {
    let (minus, factors) = tree.factored(id);
    let mut product = UBig::ONE;
    for factor in factors {
        if factor.below || factor.exponent > MAX_EVALUATED_POWER {
            return None;
        }
        product *= tree.integer(factor.base)?.1.pow(factor.exponent as usize);
    }
    Some((minus, product))
}

/// Returns whether a quotient of two integers is reduced and has no minus sign below that cancels another one; true for
/// other quotients. `outer` is true if a minus sign precedes the quotient.
fn reduced(tree: &Tree<'_>, above: NodeId, below: NodeId, outer: bool) -> bool {
    let (Some((above_minus, above)), Some((below_minus, below))) =
        (integer_product(tree, above), integer_product(tree, below))
    else {
        return true;
    };
    gcd(&above, &below).is_one() && !(below_minus && (above_minus || outer))
}

fn all_reduced(tree: &Tree<'_>, id: NodeId, outer: bool) -> bool {
    let own = match tree.node(id) {
        Node::Quotient { numerator, denominator, .. } => reduced(tree, numerator, denominator, outer),
        Node::Mixed(list) => match *tree.syntax.list(list) {
            [_, above, below] => reduced(tree, above, below, false),
            _ => true,
        },
        _ => true,
    };
    let passes_sign = matches!(tree.node(id), Node::Negate(_) | Node::Group(_) | Node::Plus(_));
    let minus = matches!(tree.node(id), Node::Negate(_));
    own && tree.syntax.children(id).all(|child| all_reduced(tree, child, passes_sign && (outer ^ minus)))
}

pub(super) fn lowest_terms(tree: &Tree<'_>, root: NodeId) -> Option<&'static str> {
    if !all_reduced(tree, root, false) {
        return Some("not-lowest-terms");
    }
    root_in_denominator(tree, root).then_some("root-in-denominator")
}

pub(super) fn root_in_denominator(tree: &Tree<'_>, root: NodeId) -> bool {
    tree.any(root, &|id| match tree.node(id) {
        Node::Quotient { denominator, .. } => tree.any(denominator, &|inner| tree.is_surd(inner)),
        _ => false,
    })
}

pub(super) fn rational_lowest_terms(tree: &Tree<'_>, root: NodeId) -> Option<&'static str> {
    let (mut id, mut outer) = (root, false);
    while let Node::Negate(inner) = tree.node(id) {
        outer = !outer;
        id = tree.bare(inner);
    }
    let Node::Quotient { numerator, denominator, .. } = tree.node(id) else {
        let lowest =
            all_reduced(tree, root, false) && (!tree.has_fraction(root) || terms_are_lowest(tree, root));
        return (!lowest).then_some("not-lowest-terms");
    };
    if !reduced(tree, numerator, denominator, outer) {
        return Some("not-lowest-terms");
    }
    let mut atoms = Atoms::new();
    let mut product = |id: NodeId| {
        let (_, factors) = tree.factored(id);
        if factors.iter().any(|factor| factor.below) {
            // A fraction inside is a coefficient.
            return Some(Product::from(Polynomial::of(tree, id, &mut atoms)?));
        }
        Product::of(tree, &factors, &mut atoms)
    };
    let (Some(above), Some(below)) = (product(numerator), product(denominator)) else {
        return Some("not-lowest-terms");
    };
    (!coprime(&above, &below, &atoms)).then_some("not-lowest-terms")
}

/// Returns whether an expression with fractions, but not a quotient, is one term in lowest terms or a polynomial with
/// coefficients in lowest terms. The parts of anything that is not arithmetic, such as a relation, a list or a system,
/// are judged one by one.
fn terms_are_lowest(tree: &Tree<'_>, root: NodeId) -> bool {
    let root = tree.bare(root);
    let has_parts = matches!(
        tree.node(root),
        Node::Relation(_)
            | Node::And(_)
            | Node::Or(_)
            | Node::Not(_)
            | Node::Implies(..)
            | Node::Iff(..)
            | Node::Union(_)
            | Node::Intersection(_)
            | Node::SetMinus(..)
            | Node::Complement(_)
            | Node::Items { .. }
            | Node::SuchThat(..)
            | Node::Matrix { .. }
            | Node::Cases(_)
            | Node::PlusMinus(_)
            | Node::MinusPlus(_)
    );
    if has_parts {
        let mut parts = tree.syntax.children(root);
        return parts.all(|part| !tree.has_fraction(part) || terms_are_lowest(tree, part));
    }
    let mut terms = Vec::new();
    tree.terms(root, false, &mut terms);
    let mut atoms = Atoms::new();
    if terms.len() > 1 {
        // Terms with the same powers could be added.
        let whole = Polynomial::of(tree, root, &mut atoms);
        if whole.is_none_or(|whole| whole.terms.len() != terms.len()) {
            return false;
        }
    }
    terms.iter().all(|(_, term)| {
        if matches!(tree.node(tree.bare(*term)), Node::Mixed(_)) {
            // `all_reduced` judges its fraction
            return true;
        }
        let (_, factors) = tree.factored(*term);
        let (below, above): (Vec<Factor>, Vec<Factor>) = factors.iter().partition(|factor| factor.below);
        let (Some(above), Some(below)) =
            (Product::of(tree, &above, &mut atoms), Product::of(tree, &below, &mut atoms))
        else {
            return false;
        };
        (terms.len() == 1 || below.is_constant()) && coprime(&above, &below, &atoms)
    })
}

/// A product of powers of polynomials.
struct Product {
    /// Polynomials that together have the same irreducible factors as the product, regardless of powers.
    factors: Vec<Polynomial>,
    /// Whether it has a coefficient that is not an integer.
    has_fraction: bool,
}

impl From<Polynomial> for Product {
    fn from(polynomial: Polynomial) -> Self {
        Self { has_fraction: polynomial.has_fraction(), factors: vec![polynomial] }
    }
}

impl Product {
    /// Returns the product of factors, above or below; `None` if one is not a polynomial, or there are too many.
    fn of(tree: &Tree<'_>, factors: &[Factor], atoms: &mut Atoms) -> Option<Self> {
        let mut whole = Some(Polynomial::constant(RBig::ONE));
        let mut bases: Vec<Polynomial> = Vec::new();
        for factor in factors {
            let base = Polynomial::of(tree, factor.base, atoms)?;
            whole = whole.and_then(|whole| whole.times(&base.pow(u64::from(factor.exponent))?));
            if bases.len() <= MAX_FACTORS && !bases.contains(&base) {
                bases.push(base);
            }
            if bases.len() > MAX_FACTORS && whole.is_none() {
                return None;
            }
        }
        if bases.len() > MAX_FACTORS {
            return whole.map(Self::from);
        }
        let has_fraction = match whole {
            Some(whole) => whole.has_fraction(),
            None => bases.iter().any(Polynomial::has_fraction),
        };
        Some(Self { factors: bases, has_fraction })
    }

    fn is_constant(&self) -> bool {
        self.factors.iter().all(|factor| factor.as_constant().is_some())
    }
}

/// Returns whether two products have integer coefficients and no common factor.
fn coprime(above: &Product, below: &Product, atoms: &Atoms) -> bool {
    let mut pairs =
        above.factors.iter().flat_map(|above| below.factors.iter().map(move |below| (above, below)));
    !above.has_fraction
        && !below.has_fraction
        && !pairs.any(|(above, below)| may_have_common_factor(above, below, atoms))
}

/// Returns whether two polynomials have a common factor, or are too large to exclude one.
fn may_have_common_factor(above: &Polynomial, below: &Polynomial, atoms: &Atoms) -> bool {
    if !gcd(&above.content(), &below.content()).is_one() {
        return true;
    }
    if above.common_atoms().iter().any(|atom| below.common_atoms().contains(atom)) {
        return true;
    }
    // A common factor contains an atom. It remains common for all values of the other atoms, so one substitution
    // without a common factor excludes it.
    (0..atoms.count()).any(|atom| {
        above.degree(atom) > 0
            && below.degree(atom) > 0
            && (0..3).all(|seed| {
                let of = |one: &Polynomial| one.substituted(atom, atoms.count(), seed);
                match (of(above), of(below)) {
                    (Some(above), Some(below)) => have_common_factor(&above, &below),
                    _ => true,
                }
            })
    })
}
