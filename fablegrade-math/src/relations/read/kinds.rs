//! Predicates for the nodes of the parse tree: statements, sets, names.

use super::Reader;
use crate::expr::Symbol;
use crate::latex::kind::is_long_ratio;
use crate::syntax::{Constant, Delimiter, Node, NodeId};

impl Reader<'_> {
    pub(super) fn is_statement(&self, id: NodeId) -> bool {
        match self.tree.node(id) {
            Node::Relation(_)
            | Node::Not(_)
            | Node::Implies(..)
            | Node::Iff(..)
            | Node::Constant(Constant::True | Constant::False) => true,
            Node::And(list) | Node::Or(list) => {
                self.tree.list(list).iter().any(|item| self.is_statement(*item))
            }
            Node::Group(inner) => self.is_statement(inner),
            _ => false,
        }
    }

    /// Returns whether the outermost form of a node is not a single scalar.
    pub(super) fn is_structured(&self, id: NodeId) -> bool {
        match self.tree.node(id) {
            Node::Group(inner) => self.is_structured(inner),
            Node::Items { open, close, items } => {
                items.len() != 1 || open == Delimiter::Brace && close == Delimiter::Brace
            }
            Node::Union(_)
            | Node::Gathered(..)
            | Node::Intersection(_)
            | Node::SetMinus(..)
            | Node::Complement(_)
            | Node::Relation(_)
            | Node::And(_)
            | Node::Or(_)
            | Node::Not(_)
            | Node::Implies(..)
            | Node::Iff(..)
            | Node::Matrix { determinant: false, .. }
            | Node::SuchThat(..)
            | Node::Cases(_)
            | Node::Constant(Constant::EmptySet) => true,
            Node::Constant(set) => matches!(set, Constant::Numbers(_)),
            Node::Ratio(..) => is_long_ratio(self.tree, id),
            _ => false,
        }
    }

    /// Returns whether a node is a letter, which may denote a truth value, or a combination of such letters.
    pub(super) fn is_letter(&self, id: NodeId) -> bool {
        match self.tree.node(id) {
            Node::Symbol(_) => true,
            Node::Group(inner) => self.is_letter(inner),
            Node::And(list) | Node::Or(list) => self.tree.list(list).iter().all(|item| self.is_letter(*item)),
            _ => false,
        }
    }

    pub(super) fn has_plus_minus(&self, id: NodeId) -> bool {
        matches!(self.tree.node(id), Node::PlusMinus(_) | Node::MinusPlus(_))
            || self.tree.children(id).any(|child| self.has_plus_minus(child))
    }

    pub(super) fn has_matrix(&self, id: NodeId) -> bool {
        match self.tree.node(id) {
            Node::Matrix { determinant, .. } => !determinant,
            Node::Items { open: Delimiter::Angle, items, .. } => items.len() > 1,
            Node::Sum(_)
            | Node::Product(_)
            | Node::Negate(_)
            | Node::Group(_)
            | Node::Quotient { .. }
            | Node::Power(..) => self.tree.children(id).any(|child| self.has_matrix(child)),
            _ => false,
        }
    }

    /// Returns whether a node is only a name: a letter, a called function, a segment `AB`, its length, a
    /// ratio of segments, or a point whose coordinates are names.
    pub(super) fn is_name(&self, id: NodeId) -> bool {
        let tree = self.tree;
        let capital = |id: &NodeId| matches!(tree.node(*id), Node::Symbol(text) if tree.text(text).starts_with(|c: char| c.is_ascii_uppercase()));
        match tree.node(id) {
            Node::Symbol(_) | Node::Call(..) => true,
            Node::Group(inner) => self.is_name(inner),
            Node::Bars(inner) => !matches!(tree.node(inner), Node::Symbol(_)) && self.is_name(inner),
            Node::Quotient { numerator, denominator, .. } | Node::Ratio(numerator, denominator) => {
                let long = |id: NodeId| matches!(tree.node(id), Node::Product(_)) || capital(&id);
                long(numerator) && long(denominator) && self.is_name(numerator) && self.is_name(denominator)
            }
            Node::Product(list) => {
                let factors = tree.list(list);
                factors.iter().all(capital)
                    || matches!(factors, [name, argument] if self.is_value_of_function(*name, *argument))
            }
            Node::Items { open: Delimiter::Paren, close: Delimiter::Paren, items } => {
                tree.list(items).iter().all(|item| self.is_name(*item))
            }
            _ => false,
        }
    }

    /// Returns whether a letter before brackets may be a function: `f(x+1)`, `E(X^2)` and `V(t)`. It is a factor if the
    /// brackets contain the letter itself, as in `x(x+1)`, or a sum of letters, as in `a(b+c)`. Small letters that are
    /// more usual for numbers are functions only of one letter or number, as in `y(0)`.
    fn is_value_of_function(&self, name: NodeId, argument: NodeId) -> bool {
        let tree = self.tree;
        let (Node::Symbol(text), Node::Group(inner)) = (tree.node(name), tree.node(argument)) else {
            return false;
        };
        let name = tree.text(text);
        if matches!(name, "f" | "g" | "h" | "F" | "G" | "H" | "P") {
            return true;
        }
        if name.len() > 1 || self.has_symbol(inner, Some(name)) || self.is_structured(inner) {
            return false;
        }
        let without_sign = |id: NodeId| if let Node::Negate(inner) = tree.node(id) { inner } else { id };
        let is_letter = |id: NodeId| matches!(tree.node(without_sign(id)), Node::Symbol(_));
        let is_number = |id: NodeId| matches!(tree.node(id), Node::Number(_) | Node::Constant(_));
        let is_usual = name.chars().all(char::is_uppercase) || matches!(name, "p" | "q" | "s" | "u" | "v");
        match tree.node(without_sign(inner)) {
            Node::Number(_) | Node::Constant(_) | Node::Symbol(_) => true,
            Node::Quotient { numerator, denominator, .. }
                if is_number(numerator) && is_number(denominator) =>
            {
                true
            }
            Node::Sum(terms) if tree.list(terms).iter().all(|term| is_letter(*term)) => false,
            _ => is_usual,
        }
    }

    /// Returns whether a part contains a letter, or any letter.
    pub(super) fn has_symbol(&self, id: NodeId, name: Option<&str>) -> bool {
        let tree = self.tree;
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            match tree.node(id) {
                Node::Symbol(text) | Node::Call(text, _)
                    if name.is_none_or(|name| tree.text(text) == name) =>
                {
                    return true;
                }
                _ => open.extend(tree.children(id)),
            }
        }
        false
    }

    /// Returns the parameters of a named function, such as the `x` of `f(x)`, which may also occur in its
    /// value.
    pub(super) fn parameters(&mut self, id: NodeId) -> Vec<Symbol> {
        let tree = self.tree;
        let arguments: &[NodeId] = match tree.node(id) {
            Node::Call(_, arguments) => tree.list(arguments),
            Node::Product(list) => match tree.list(list) {
                [name, argument] if self.is_value_of_function(*name, *argument) => {
                    std::slice::from_ref(argument)
                }
                _ => &[],
            },
            _ => &[],
        };
        let inner = |id: NodeId| if let Node::Group(inner) = tree.node(id) { inner } else { id };
        arguments
            .iter()
            .filter_map(|argument| match tree.node(inner(*argument)) {
                Node::Symbol(text) => Some(self.arena.symbol(tree.text(text))),
                _ => None,
            })
            .collect()
    }

    /// Returns whether a node is a sum of calls of named functions: `f(-2)+f(0)`.
    pub(super) fn is_sum_of_calls(&self, id: NodeId) -> bool {
        match self.tree.node(id) {
            Node::Sum(list) => self.tree.list(list).iter().all(|item| {
                matches!(self.tree.node(*item), Node::Product(_) | Node::Call(..)) && self.is_name(*item)
            }),
            _ => false,
        }
    }
}
