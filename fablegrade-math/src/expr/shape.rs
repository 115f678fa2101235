//! A structural hash of expressions and a canonical order of their variables, which do not depend on the
//! spelling.
//!
//! The hash seeds the sample points, and the order assigns coordinates to variables. So a decision does not
//! depend on the names of variables, the order of terms and factors, brackets, blanks, or the order of the
//! two sides.

use super::{Arena, Id, Kind, Node, Symbol, mix};
use crate::limits::SHAPE_ROUNDS;
use crate::number::Rational;

/// The shape of all variables.
const VARIABLE: u64 = 0x6A09_E667_F3BC_C909;

/// Returns the hash of a number, which is the same on every platform.
pub(super) fn shape_of_number(number: &Rational) -> u64 {
    let (a, b) = match number.to_small() {
        Some((numerator, denominator)) => (numerator as u64, denominator as u64),
        None => (number.to_f64().to_bits(), number.bits() as u64 ^ 0x5851_F42D_4C95_7F2D),
    };
    mix(mix(0x3C6E_F372_FE94_F82B, a), b)
}

impl Arena {
    /// Returns a hash of the structure of `id`.
    ///
    /// Expressions that differ only in the names of variables and in the order of terms and factors have
    /// equal hashes.
    #[inline]
    pub(crate) fn shape(&self, id: Id) -> u64 {
        self.entries.get(id.index()).map_or(0, |entry| entry.shape)
    }

    /// Returns the shape of a node, which must not be a number, from the shapes of its parts.
    #[inline]
    pub(super) fn shape_of(&self, kind: Kind, parts: &[Id], shape: impl Fn(Id) -> u64) -> u64 {
        let head = match kind {
            Kind::Number(_) => 0,
            Kind::Constant(constant) => 1 | (constant as u64) << 8,
            Kind::Symbol(_) => return VARIABLE,
            Kind::Sum => 3,
            Kind::Product => 4,
            Kind::Power => 5,
            Kind::Apply(function) => 6 | (function as u64) << 8,
            Kind::Call(name) => self.name(name).bytes().fold(7, |hash, byte| mix(hash, u64::from(byte) + 1)),
            Kind::Series(kind, _) => 8 | (kind as u64) << 8,
            Kind::Limit(_, side) => 9 | (side as u64) << 8,
            Kind::Derivative(_, order) => 0xA | u64::from(order) << 32,
            Kind::Integral(_) => 0xB,
        };
        let mut hash = mix(0xBB67_AE85_84CA_A73B, head);
        if is_commutative(kind) {
            let all = parts.iter().fold(0u64, |sum, &part| sum.wrapping_add(mix(hash, shape(part))));
            return mix(hash, all);
        }
        for &part in parts {
            hash = mix(hash, shape(part)).rotate_left(23);
        }
        hash
    }
}

fn is_commutative(kind: Kind) -> bool {
    match kind {
        Kind::Sum | Kind::Product => true,
        Kind::Apply(function) => function.is_commutative(),
        _ => false,
    }
}

/// Finds the canonical order of the variables of a pair, with reusable buffers.
#[derive(Default, Debug)]
pub(crate) struct CanonicalOrder {
    shapes: Vec<u64>,
    contexts: Vec<u64>,
}

impl CanonicalOrder {
    /// Returns the seed of a pair, which does not depend on the order of the sides.
    pub(crate) fn seed(arena: &Arena, roots: &[Id]) -> u64 {
        let all = roots.iter().fold(0u64, |all, &root| all.wrapping_add(mix(0xA54F, arena.shape(root))));
        mix(0x510E_527F_ADE6_82D1, all)
    }

    /// Refines a key per variable by the positions at which the variable occurs in `roots`, whose parts are
    /// `parts`.
    ///
    /// [`SHAPE_ROUNDS`] rounds of colour refinement do not distinguish variables with equal keys. On entry,
    /// `keys` contains one key per variable, which depends on the domain of the variable.
    pub(crate) fn refine(
        &mut self,
        arena: &Arena,
        (roots, parts): (&[Id], &[Id]),
        variables: &[Symbol],
        keys: &mut [u64],
    ) {
        self.shapes.resize(arena.len(), 0);
        self.contexts.resize(arena.len(), 0);
        let mut known = 0;
        for _ in 0..SHAPE_ROUNDS {
            for &id in parts {
                let shape = match arena.node(id) {
                    Node::Symbol(symbol) => {
                        let at = variables.iter().position(|&variable| variable == symbol);
                        at.and_then(|at| keys.get(at)).map_or(VARIABLE, |&key| mix(VARIABLE, key))
                    }
                    Node::Number(number) => shape_of_number(number),
                    _ => {
                        let kind = arena.entries[id.index()].kind;
                        arena.shape_of(kind, arena.parts(id), |part| self.shapes[part.index()])
                    }
                };
                self.shapes[id.index()] = shape;
                self.contexts[id.index()] = 0;
            }
            for root in roots {
                if let Some(context) = self.contexts.get_mut(root.index()) {
                    *context = context.wrapping_add(0x9B05_688C_2B3E_6C1F);
                }
            }
            for &id in parts.iter().rev() {
                let kind = arena.entries[id.index()].kind;
                let here = mix(self.contexts[id.index()], self.shapes[id.index()] | 1);
                for (place, part) in arena.parts(id).iter().enumerate() {
                    let place = if is_commutative(kind) { 0 } else { place as u64 + 1 };
                    let context = &mut self.contexts[part.index()];
                    *context = context.wrapping_add(mix(here, place ^ 0x1F83_D9AB_FB41_BD6B));
                }
                if let Node::Symbol(symbol) = arena.node(id)
                    && let Some(key) = variables
                        .iter()
                        .position(|&variable| variable == symbol)
                        .and_then(|at| keys.get_mut(at))
                {
                    *key = mix(*key, self.contexts[id.index()]);
                }
            }
            let distinct =
                (0..keys.len()).filter(|&at| !keys.iter().take(at).any(|key| *key == keys[at])).count();
            if distinct == keys.len() || distinct == known {
                return;
            }
            known = distinct;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_ignore_names_and_order() {
        let mut arena = Arena::default();
        let [x, y, z] = ["x", "y", "z"].map(|name| arena.variable(name));
        let mut build = |a: Id, b: Id, swap: bool| {
            let square = arena.power(a, Arena::TWO);
            let product = arena.product(&if swap { [b, square] } else { [square, b] });
            arena.sum(&if swap { [product, a] } else { [a, product] })
        };
        let (first, second) = (build(x, y, false), build(z, x, true));
        assert_eq!(arena.shape(first), arena.shape(second));
        assert_ne!(arena.shape(first), arena.shape(arena.parts(first)[0]));
        let [x, y, z] = ["x", "y", "z"].map(|name| arena.symbol(name));
        let keys = |root: Id, variables: [Symbol; 2]| {
            let mut keys = [0; 2];
            CanonicalOrder::default().refine(
                &arena,
                (&[root], &arena.reachable(&[root])),
                &variables,
                &mut keys,
            );
            keys
        };
        // The first variable of each pair is the squared one.
        assert_eq!(keys(first, [x, y]), keys(second, [z, x]));
        assert_ne!(keys(first, [x, y])[0], keys(first, [x, y])[1]);
    }

    #[test]
    fn exchangeable_variables_have_one_key() {
        let mut arena = Arena::default();
        let [x, y] = ["x", "y"].map(|name| arena.symbol(name));
        let (a, b) = (arena.variable_of(x), arena.variable_of(y));
        let sum = arena.sum(&[a, b]);
        let root = arena.sqrt(sum);
        let mut keys = [0; 2];
        CanonicalOrder::default().refine(
            &arena,
            (&[root, sum], &arena.reachable(&[root, sum])),
            &[x, y],
            &mut keys,
        );
        assert_eq!(keys[0], keys[1]);
    }
}
