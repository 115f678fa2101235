//! The signs that `\pm` and `\mp` stand for.
//!
//! All signs of a part are chosen together: the upper ones or the lower ones. If no `\mp` shows that they belong
//! together, they may also be independent: `\pm\sqrt2\pm\sqrt3` is two values or four. Such a text has two readings.

use super::{Read, Reader};
use crate::limits::FREE_SIGNS;
use crate::relations::compare::relation_of;
use crate::relations::{Statement, Value};
use crate::syntax::{Delimiter, List, Node, NodeId, Relation};

impl Reader<'_> {
    /// Returns whether the signs in a value are chosen together, so that the value stands for several.
    pub(super) fn chooses_signs(&self, id: NodeId) -> bool {
        match self.tree.node(id) {
            Node::Group(inner) if self.is_structured(inner) => false,
            Node::Items { open: Delimiter::None, close: Delimiter::None, items } => {
                self.are_signs_shared(items)
            }
            _ if self.chooses_apart(id) => false,
            // The signs of each part of these are chosen separately.
            Node::And(_)
            | Node::Or(_)
            | Node::Not(_)
            | Node::Implies(..)
            | Node::Iff(..)
            | Node::Relation(_) => false,
            _ => self.has_own_signs(id),
        }
    }

    /// Returns the nodes `\pm` and `\mp` that are chosen for a part, in ascending order. Nodes in parts whose signs are
    /// chosen separately are omitted, such as those in the set of `(0,\{\pm1\})`.
    fn own_signs(&self, id: NodeId) -> Vec<NodeId> {
        let tree = self.tree;
        let mut signs = Vec::new();
        // Braces in a calculation are brackets, so only the parts of values and statements can have separate signs.
        let mut open = vec![(id, true)];
        while let Some((id, is_value)) = open.pop() {
            let node = tree.node(id);
            if matches!(node, Node::PlusMinus(_) | Node::MinusPlus(_)) {
                signs.push(id);
            }
            let has_values = is_value
                && matches!(
                    node,
                    Node::Group(_)
                        | Node::Items { .. }
                        | Node::Matrix { .. }
                        | Node::Relation(_)
                        | Node::And(_)
                        | Node::Or(_)
                        | Node::Not(_)
                        | Node::Implies(..)
                        | Node::Iff(..)
                );
            let is_own = |child: &NodeId| !has_values || !self.chooses_apart(*child);
            open.extend(tree.children(id).filter(is_own).map(|child| (child, has_values)));
        }
        signs.sort_unstable();
        signs
    }

    pub(super) fn has_own_signs(&self, id: NodeId) -> bool {
        !self.own_signs(id).is_empty()
    }

    /// Returns whether the signs in a part of an answer are not chosen with the other signs of the answer: those of
    /// sets, of pieces, and of statements that exclude values.
    pub(super) fn chooses_apart(&self, id: NodeId) -> bool {
        match self.tree.node(id) {
            Node::Items { open: Delimiter::Brace, .. }
            | Node::Union(_)
            | Node::Intersection(_)
            | Node::Gathered(..)
            | Node::SetMinus(..)
            | Node::Complement(_)
            | Node::SuchThat(..)
            | Node::Cases(_) => true,
            Node::Relation(chain) => {
                let first = self.tree.chain(chain).next();
                matches!(first, Some((_, Relation::NotEqual | Relation::NotIn, _)))
            }
            _ => false,
        }
    }

    /// Reads a part whose signs may be chosen separately from those around it.
    pub(super) fn apart<T>(&mut self, id: NodeId, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        let outside = if self.chooses_apart(id) { self.negative.take() } else { None };
        let value = read(self);
        if outside.is_some() {
            self.negative = outside;
        }
        value
    }

    /// Returns whether the signs of several statements in a list are chosen together: `x=\pm1,y=\mp1`. They are chosen
    /// separately in statements that exclude values, and for several values of one name.
    pub(super) fn are_signs_shared(&self, list: List) -> bool {
        let tree = self.tree;
        let mut left = Vec::new();
        for item in tree.list(list) {
            if !self.is_statement(*item) || self.chooses_apart(*item) || !self.has_own_signs(*item) {
                continue;
            }
            left.push(match tree.node(*item) {
                Node::Relation(chain) if self.is_order_with_two_signs(chain) => return false,
                Node::Relation(chain) => match tree.chain(chain).next() {
                    Some((left, Relation::Equal, _)) => match tree.node(left) {
                        Node::Symbol(text) => Some(tree.text(text)),
                        _ => None,
                    },
                    _ => None,
                },
                _ => None,
            });
        }
        left.len() > 1 && (left[0].is_none() || left.iter().any(|name| *name != left[0]))
    }

    /// Returns the values that a part with signs denotes.
    pub(super) fn with_each_sign(&mut self, id: NodeId) -> Read<Value> {
        let values = self.each_sign(id, |reader| reader.value(id))?;
        let statements: Option<Vec<Statement>> = match self.tree.node(id) {
            Node::Items { open: Delimiter::None, .. } => values.iter().map(relation_of).collect(),
            _ => None,
        };
        Ok(match statements {
            Some(statements) => Value::Statement(Statement::Or(statements)),
            None => Value::Several(values),
        })
    }

    /// Reads a part for each choice of its signs.
    pub(super) fn each_sign<T>(
        &mut self,
        id: NodeId,
        mut read: impl FnMut(&mut Self) -> Read<T>,
    ) -> Read<Vec<T>> {
        let choices = self.choices(id);
        let mut all = Vec::with_capacity(choices.len());
        for choice in choices {
            self.negative = Some(choice);
            let value = read(self);
            self.negative = None;
            all.push(value?);
        }
        Ok(all)
    }

    /// Returns the choices of signs for a part, as the nodes that are minus.
    fn choices(&mut self, id: NodeId) -> Vec<Vec<NodeId>> {
        let tree = self.tree;
        let signs = self.own_signs(id);
        let is_plus_minus = |sign: &NodeId| matches!(tree.node(*sign), Node::PlusMinus(_));
        let of = |wanted: bool| signs.iter().copied().filter(|sign| is_plus_minus(sign) == wanted).collect();
        if signs.len() < 2 || !signs.iter().all(is_plus_minus) || self.is_calculation(id) {
            return vec![of(false), of(true)];
        }
        self.has_free_signs = true;
        if !self.are_signs_free {
            return vec![of(false), of(true)];
        }
        if signs.len() > FREE_SIGNS {
            self.has_too_many_signs = true;
            return vec![of(false), of(true)];
        }
        let chosen = |choice: usize| {
            let is_minus = |at: usize| choice >> at & 1 == 1;
            signs.iter().enumerate().filter(|(at, _)| is_minus(*at)).map(|(_, sign)| *sign).collect()
        };
        (0..1usize << signs.len()).map(chosen).collect()
    }

    /// Returns whether a part is a chain in which each side has at most one sign: the signs of
    /// `x=\frac{3\pm\sqrt1}2=\frac{3\pm1}2` belong together.
    fn is_calculation(&self, id: NodeId) -> bool {
        let Node::Relation(chain) = self.tree.node(id) else { return false };
        let mut sides = self.tree.operands(chain).map(|side| self.own_signs(side).len());
        self.tree.chain(chain).count() > 1 && sides.all(|count| count < 2)
    }

    /// Returns whether a chain has `\pm` and starts with an order or a similar relation, so it may mean both
    /// values or one.
    pub(super) fn is_order_with_two_signs(&self, chain: List) -> bool {
        let tree = self.tree;
        let first = tree.chain(chain).next().map(|(_, relation, _)| relation);
        first.is_some_and(|relation| {
            !matches!(
                relation,
                Relation::Equal
                    | Relation::In
                    | Relation::Approximate
                    | Relation::NotEqual
                    | Relation::NotIn
                    | Relation::Defines
            )
        }) && tree.operands(chain).any(|operand| !self.chooses_apart(operand) && self.has_own_signs(operand))
    }
}
