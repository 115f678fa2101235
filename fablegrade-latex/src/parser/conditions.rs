//! Conditions in `cases`.

use super::{Parsed, Parser};
use crate::ast::{Constant, Delimiter, Node, NodeId, Relation, Span};
use crate::error::Problem;
use crate::printer::print_node;
use smallvec::SmallVec;
use std::cmp::Ordering;

/// What a condition says about a term.
#[derive(Clone, Copy, PartialEq)]
enum Sense {
    /// It has this value.
    Value,
    /// It is in this set.
    Member,
    /// It is above this bound.
    Above { strict: bool },
    /// It is below this bound.
    Below { strict: bool },
}

/// A term, printed, with its value, set or bound, and the condition that contains it.
struct Claim {
    term: String,
    sense: Sense,
    bound: NodeId,
    condition: usize,
}

impl Parser<'_, '_, '_> {
    /// Splits a row of `cases` without `&`: in `x, x>0, x<1`, the conditions follow a comma.
    pub(super) fn split_conditions(&mut self, entry: NodeId, is_first: bool) -> Parsed<()> {
        let Node::Items { open: Delimiter::None, close: Delimiter::None, items } = self.tree.node(entry)
        else {
            return Ok(());
        };
        let items: SmallVec<[NodeId; 4]> = self.tree.list(items).into();
        let is_condition =
            |id: &NodeId| self.is_statement(*id) || matches!(self.tree.node(*id), Node::Words(_));
        let (value, conditions) = items.split_at(usize::from(is_first));
        if value.iter().any(is_condition) || !conditions.iter().all(is_condition) {
            return Ok(());
        }
        self.stack.pop();
        self.stack.extend_from_slice(value);
        let base = self.stack.len();
        self.stack.extend_from_slice(conditions);
        if conditions.len() > 1 {
            let node = self.joint_of_conditions(conditions)?;
            let joined = self.collect(node, base, self.tree.span(conditions[0]).start)?;
            self.stack.push(joined);
        }
        Ok(())
    }

    /// Returns what joins conditions with commas: `x=0,x=1` are alternatives, `x>0,x<1` hold together.
    ///
    /// # Errors
    /// If conditions on the same term cannot hold together, or if that is not certain: `x<-1,x>1`.
    fn joint_of_conditions(&self, conditions: &[NodeId]) -> Parsed<fn(crate::ast::List) -> Node> {
        let mut claims: Vec<Claim> = Vec::new();
        for (at, condition) in conditions.iter().enumerate() {
            self.claims(*condition, at, &mut claims);
        }
        let values = claims.iter().filter(|claim| claim.sense == Sense::Value).count();
        let is_one_term = claims.windows(2).all(|pair| pair[0].term == pair[1].term);
        if values == conditions.len() && claims.len() == values && is_one_term {
            return Ok(Node::Or);
        }
        // claims about the same term are neighbours, in the order in which they are written
        claims.sort_by(|a, b| a.term.cmp(&b.term));
        for about in claims.chunk_by(|a, b| a.term == b.term) {
            if !self.can_hold_together(about) {
                let mut error = self.error(
                    Span { start: self.tree.span(conditions[0]).start, end: self.used },
                    Problem::Ambiguous,
                    "it is not clear whether these conditions hold together or are alternatives",
                    "",
                );
                error.suggestion = Some("write \\text{ or } or \\text{ and } between them".to_owned());
                return Err(error);
            }
        }
        Ok(Node::And)
    }

    /// Collects what a relation says about its sides that are not constants.
    fn claims(&self, mut condition: NodeId, at: usize, claims: &mut Vec<Claim>) {
        while let Node::Group(inner) = self.tree.node(condition) {
            condition = inner;
        }
        let Node::Relation(chain) = self.tree.node(condition) else { return };
        for (left, relation, right) in self.tree.chain(chain) {
            let (below, above) =
                (|strict| Some(Sense::Below { strict }), |strict| Some(Sense::Above { strict }));
            // what is said about the left side, and about the right side
            let senses = match relation {
                Relation::Equal => [Some(Sense::Value); 2],
                Relation::In => [Some(Sense::Member), None],
                Relation::Less => [below(true), above(true)],
                Relation::LessEqual => [below(false), above(false)],
                Relation::Greater => [above(true), below(true)],
                Relation::GreaterEqual => [above(false), below(false)],
                _ => continue,
            };
            for (term, sense, bound) in [(left, senses[0], right), (right, senses[1], left)] {
                if let Some(sense) = sense
                    && !self.is_constant(term)
                {
                    claims.push(Claim { term: print_node(self.tree, term), sense, bound, condition: at });
                }
            }
        }
    }

    /// Returns whether claims about one term can certainly hold together, as far as different conditions make them.
    /// Where bounds cannot be compared, the lower one is written first: `a<x,x<b`, but not `x<a,x>b`.
    fn can_hold_together(&self, claims: &[Claim]) -> bool {
        let first = |is: fn(Sense) -> bool| claims.iter().find(|claim| is(claim.sense));
        let is_elsewhere = |claim: &Claim| claims.iter().any(|other| other.condition != claim.condition);
        if let Some(value) = first(|sense| sense == Sense::Value) {
            // a value and another value, set or bound of the same term
            return !is_elsewhere(value);
        }
        if let Some(member) = first(|sense| sense == Sense::Member)
            && claims.iter().any(|other| other.sense == Sense::Member && other.condition != member.condition)
        {
            return false;
        }
        let (mut lowest, mut highest): (Option<&Claim>, Option<&Claim>) = (None, None);
        for claim in claims {
            let (bound, is_tighter) = match claim.sense {
                Sense::Above { .. } => (&mut lowest, Ordering::Greater),
                Sense::Below { .. } => (&mut highest, Ordering::Less),
                _ => continue,
            };
            let replaces = bound.is_none_or(|known| {
                self.compared(claim.bound, known.bound).is_none_or(|order| order == is_tighter)
            });
            if replaces {
                *bound = Some(claim);
            }
        }
        let (Some(low), Some(high)) = (lowest, highest) else { return true };
        if low.condition == high.condition {
            return true;
        }
        match self.compared(low.bound, high.bound) {
            Some(Ordering::Less) => true,
            Some(Ordering::Equal) => {
                low.sense == Sense::Above { strict: false } && high.sense == Sense::Below { strict: false }
            }
            Some(Ordering::Greater) => false,
            None => low.condition < high.condition,
        }
    }

    /// Returns whether no letter and no function occurs in an expression.
    fn is_constant(&self, id: NodeId) -> bool {
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            if matches!(self.tree.node(id), Node::Symbol(_) | Node::Call(..) | Node::Words(_)) {
                return false;
            }
            pending.extend(self.tree.children(id));
        }
        true
    }

    fn compared(&self, a: NodeId, b: NodeId) -> Option<Ordering> {
        self.size(a)?.partial_cmp(&self.size(b)?)
    }

    /// Returns the approximate value of a number, a fraction of numbers, or infinity.
    fn size(&self, mut id: NodeId) -> Option<f64> {
        let mut sign = 1.0;
        let mut below = 1.0;
        let number = |id: NodeId| match self.tree.node(id) {
            Node::Number(text) => self.tree.text(text).parse::<f64>().ok(),
            _ => None,
        };
        loop {
            id = match self.tree.node(id) {
                Node::Group(inner) | Node::Plus(inner) => inner,
                Node::Negate(inner) => {
                    sign = -sign;
                    inner
                }
                Node::Quotient { numerator, denominator, .. } => {
                    below *= number(denominator)?;
                    numerator
                }
                Node::Constant(Constant::Infinity) => return Some(sign * f64::INFINITY),
                _ => return Some(sign * number(id)? / below),
            };
        }
    }
}
