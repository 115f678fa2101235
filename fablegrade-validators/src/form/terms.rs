//! Traversals of an expression: the terms of a sum and the factors of a product, with their signs.
//!
//! The tree is at most [`fablegrade_latex::ast::MAX_DEPTH`] deep, so recursion is safe.

use dashu_base::Gcd;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use fablegrade_latex::Syntax;
use fablegrade_latex::ast::{Constant, Delimiter, Node, NodeId};
use fablegrade_latex::printer::print_node;

/// An expression and the variable of the form, if it has one.
pub(super) struct Tree<'t> {
    pub(super) syntax: &'t Syntax,
    variable: Option<&'t str>,
}

/// A factor `base^exponent`, in the denominator if `below` is true.
#[derive(Clone, Copy)]
pub(super) struct Factor {
    pub(super) base: NodeId,
    pub(super) exponent: u32,
    pub(super) below: bool,
}

/// The largest exponent of a factor; a power with a larger exponent is not split into base and exponent.
const MAX_EXPONENT: u64 = 100_000;

impl<'t> Tree<'t> {
    pub(super) fn new(syntax: &'t Syntax, variable: Option<&'t str>) -> Self {
        Self { syntax, variable }
    }

    pub(super) fn node(&self, id: NodeId) -> Node {
        self.syntax.node(id)
    }

    pub(super) fn root(&self) -> NodeId {
        self.bare(self.syntax.root())
    }

    /// Removes brackets and plus signs that change nothing.
    pub(super) fn bare(&self, mut id: NodeId) -> NodeId {
        loop {
            match self.node(id) {
                Node::Group(inner) | Node::Plus(inner) => id = inner,
                Node::Items { open: Delimiter::Bracket, close: Delimiter::Bracket, items } => {
                    match self.syntax.list(items) {
                        [only] => id = *only,
                        _ => return id,
                    }
                }
                _ => return id,
            }
        }
    }

    /// Returns whether the test holds for a node or any of its descendants.
    pub(super) fn any(&self, id: NodeId, test: &impl Fn(NodeId) -> bool) -> bool {
        test(id) || self.syntax.children(id).any(|child| self.any(child, test))
    }

    /// Returns whether a node is the variable.
    pub(super) fn is_variable(&self, id: NodeId) -> bool {
        let Some(variable) = self.variable else { return false };
        let id = self.bare(id);
        match self.node(id) {
            Node::Symbol(_) | Node::Apply(..) | Node::Power(..) | Node::Call(..) => {
                print_node(self.syntax, id) == *variable
            }
            _ => false,
        }
    }

    pub(super) fn has_variable(&self, id: NodeId) -> bool {
        self.any(id, &|node| self.is_variable(node))
    }

    /// Collects the terms of a sum with their signs; an expression that is not a sum is one term.
    pub(super) fn terms(&self, id: NodeId, negative: bool, out: &mut Vec<(bool, NodeId)>) {
        let id = self.bare(id);
        match self.node(id) {
            Node::Sum(list) => {
                for term in self.syntax.list(list) {
                    self.terms(*term, negative, out);
                }
            }
            Node::Negate(inner) => self.terms(inner, !negative, out),
            _ => out.push((negative, id)),
        }
    }

    /// Collects the factors of a term; each minus sign with an odd exponent flips `negative`.
    pub(super) fn factors(
        &self,
        id: NodeId,
        exponent: u32,
        below: bool,
        negative: &mut bool,
        out: &mut Vec<Factor>,
    ) {
        let id = self.bare(id);
        if self.is_variable(id) {
            out.push(Factor { base: id, exponent, below });
            return;
        }
        match self.node(id) {
            Node::Negate(inner) => {
                *negative ^= exponent % 2 == 1;
                self.factors(inner, exponent, below, negative, out);
            }
            Node::Product(list) => {
                for factor in self.syntax.list(list) {
                    self.factors(*factor, exponent, below, negative, out);
                }
            }
            Node::Quotient { numerator, denominator, .. } => {
                self.factors(numerator, exponent, below, negative, out);
                self.factors(denominator, exponent, !below, negative, out);
            }
            Node::Power(base, power) => {
                let whole = self.integer(power).and_then(|(minus, power)| {
                    let power = u64::try_from(power).ok()?.checked_mul(u64::from(exponent))?;
                    (power > 0 && power <= MAX_EXPONENT).then_some((minus, power as u32))
                });
                match whole {
                    Some((minus, power)) => self.factors(base, power, below ^ minus, negative, out),
                    None => out.push(Factor { base: id, exponent, below }),
                }
            }
            _ => out.push(Factor { base: id, exponent, below }),
        }
    }

    /// Returns the factors of a whole term and whether it is negative.
    pub(super) fn factored(&self, id: NodeId) -> (bool, Vec<Factor>) {
        let (mut negative, mut factors) = (false, Vec::new());
        self.factors(id, 1, false, &mut negative, &mut factors);
        (negative, factors)
    }

    /// Returns an integer as typed: whether it is negative, and its absolute value.
    pub(super) fn integer(&self, id: NodeId) -> Option<(bool, UBig)> {
        let id = self.bare(id);
        match self.node(id) {
            Node::Negate(inner) => self.integer(inner).map(|(minus, value)| (!minus, value)),
            Node::Number(text) => {
                let text = self.syntax.text(text);
                let plain = text.len() <= 400 && text.bytes().all(|byte| byte.is_ascii_digit());
                plain.then(|| UBig::from_str_radix(text, 10).ok()).flatten().map(|value| (false, value))
            }
            _ => None,
        }
    }

    /// Returns the value of an integer, a decimal, a mixed number, or a quotient of numbers.
    pub(super) fn number(&self, id: NodeId) -> Option<RBig> {
        let id = self.bare(id);
        match self.node(id) {
            Node::Negate(inner) => self.number(inner).map(|value| -value),
            Node::Number(text) => {
                let text = self.syntax.text(text);
                (text.len() <= 400).then(|| crate::number_text::decimal(text)).flatten()
            }
            Node::Quotient { numerator, denominator, .. } => {
                let (above, below) = (self.number(numerator)?, self.number(denominator)?);
                (!below.is_zero()).then(|| above / below)
            }
            Node::Mixed(list) => {
                let [whole, above, below] = *self.syntax.list(list) else { return None };
                let below = self.number(below)?;
                (!below.is_zero()).then(|| Some(self.number(whole)? + self.number(above)? / below)).flatten()
            }
            _ => None,
        }
    }

    /// Returns whether this is a root, a fractional power of a number, or the imaginary unit.
    pub(super) fn is_surd(&self, id: NodeId) -> bool {
        match self.node(id) {
            Node::Sqrt(_) | Node::Root(..) | Node::Constant(Constant::I) => true,
            Node::Symbol(text) => self.syntax.text(text) == "i",
            Node::Power(base, power) => {
                self.number(base).is_some()
                    && self.number(power).is_some_and(|power| !power.denominator().is_one())
            }
            _ => false,
        }
    }

    /// Returns whether an expression has a quotient, a mixed number or a negative power outside of exponents.
    pub(super) fn has_fraction(&self, id: NodeId) -> bool {
        match self.node(id) {
            Node::Quotient { .. } | Node::Mixed(_) => true,
            Node::Power(base, power) => {
                self.integer(power).is_some_and(|(minus, _)| minus) || self.has_fraction(base)
            }
            _ => self.syntax.children(id).any(|child| self.has_fraction(child)),
        }
    }

    pub(super) fn printed(&self, id: NodeId) -> String {
        print_node(self.syntax, self.bare(id))
    }
}

/// Returns the greatest common divisor; 0 if both are 0.
pub(super) fn gcd(a: &UBig, b: &UBig) -> UBig {
    if a.is_zero() { b.clone() } else { a.gcd(b) }
}

/// Returns the absolute value.
pub(super) fn absolute(value: &IBig) -> UBig {
    value.clone().into_parts().1
}
