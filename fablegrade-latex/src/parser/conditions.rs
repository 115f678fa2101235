//! Conditions in `cases`.

use super::{Parsed, Parser};
use crate::ast::{Constant, Delimiter, Node, NodeId, Relation, Span};
use crate::error::Problem;
use crate::free_names::{Names, names_below};
use crate::printer::print_node;
use smallvec::SmallVec;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// The kind of a claim about a term.
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

/// The known size of a value, set or bound.
#[derive(Clone, Copy, PartialEq)]
enum Size {
    /// It is this number, or near it.
    Number(f64),
    /// It has no letters, but its size is not computed.
    Constant,
    /// It contains letters.
    Letters,
}

/// A claim about a term: its value, set or bound. Both texts are printed LaTeX.
struct Claim {
    term: String,
    sense: Sense,
    bound: String,
    size: Size,
    /// The letters and functions in a bound that contains letters.
    names: Vec<String>,
    /// Whether the bound is one of the usual variables x, y and z.
    is_variable: bool,
    condition: usize,
    /// Whether the term is on the left of the sign.
    is_left: bool,
    /// Whether the term is the first in its condition that has a claim.
    is_first: bool,
    /// Whether the condition has a bound on both sides of the term.
    is_enclosed: bool,
}

impl Claim {
    fn is_above(&self) -> bool {
        matches!(self.sense, Sense::Above { .. })
    }

    fn is_below(&self) -> bool {
        matches!(self.sense, Sense::Below { .. })
    }

    fn is_strict(&self) -> bool {
        !matches!(self.sense, Sense::Above { strict: false } | Sense::Below { strict: false })
    }
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

    /// Returns the connective for conditions with commas: `x=0,x=1` are alternatives, `x>0,x<1` hold together.
    ///
    /// # Errors
    /// If it is not certain that conditions on the same term hold together: `x<-1,x>1`.
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
        for about in claims.chunk_by_mut(|a, b| a.term == b.term) {
            for same in about.chunk_by_mut(|a, b| a.condition == b.condition) {
                let is_enclosed = same.iter().any(Claim::is_above) && same.iter().any(Claim::is_below);
                same.iter_mut().for_each(|claim| claim.is_enclosed = is_enclosed);
            }
            if !can_hold_together(about) {
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

    /// Collects the claims of a relation about its sides that are not constants.
    fn claims(&self, mut condition: NodeId, at: usize, claims: &mut Vec<Claim>) {
        while let Node::Group(inner) = self.tree.node(condition) {
            condition = inner;
        }
        let Node::Relation(chain) = self.tree.node(condition) else { return };
        let mut first: Option<NodeId> = None;
        for (left, relation, right) in self.tree.chain(chain) {
            let (below, above) =
                (|strict| Some(Sense::Below { strict }), |strict| Some(Sense::Above { strict }));
            // the claims about the left side and about the right side
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
                let Some(sense) = sense else { continue };
                if !self.is_constant(term) {
                    let size = self.size(bound);
                    let names = match size {
                        Size::Letters => names_below(self.tree, bound),
                        _ => Names::default(),
                    };
                    let bound = print_node(self.tree, bound);
                    claims.push(Claim {
                        term: print_node(self.tree, term),
                        sense,
                        size,
                        names: names.symbols.into_iter().chain(names.calls).collect(),
                        is_variable: matches!(bound.as_str(), "x" | "y" | "z"),
                        bound,
                        condition: at,
                        is_left: term == left,
                        is_first: *first.get_or_insert(term) == term,
                        is_enclosed: false,
                    });
                }
            }
        }
    }

    /// Returns whether an expression contains no variable, no uninterpreted function and no words.
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

    /// Returns the known size of an expression.
    fn size(&self, id: NodeId) -> Size {
        if !self.is_constant(id) {
            return Size::Letters;
        }
        self.approximate(id).filter(|number| !number.is_nan()).map_or(Size::Constant, Size::Number)
    }

    /// Returns the approximate value of a number, in which roots, products, quotients and sums may occur.
    fn approximate(&self, id: NodeId) -> Option<f64> {
        // parents before their children, and the last child first
        let (mut parts, mut pending) = (Vec::new(), vec![id]);
        while let Some(part) = pending.pop() {
            parts.push(part);
            pending.extend(self.tree.children(part));
        }
        let mut values: Vec<f64> = Vec::new();
        for part in parts.into_iter().rev() {
            let from = values.len().checked_sub(self.tree.children(part).count())?;
            let value = match (self.tree.node(part), &values[from..]) {
                (Node::Number(text), _) => self.tree.text(text).parse().ok()?,
                (Node::Constant(Constant::Pi), _) => std::f64::consts::PI,
                (Node::Constant(Constant::E), _) => std::f64::consts::E,
                (Node::Constant(Constant::Infinity), _) => f64::INFINITY,
                (Node::Group(_) | Node::Plus(_), &[inner]) => inner,
                (Node::Negate(_), &[inner]) => -inner,
                (Node::Sqrt(_), &[inner]) => inner.sqrt(),
                (Node::Root(..), &[radicand, index]) => root(radicand, index)?,
                (Node::Power(..), &[base, exponent]) => power(base, exponent)?,
                (Node::Quotient { .. }, &[above, below]) => above / below,
                (Node::Mixed(_), &[whole, above, below]) => whole + above / below,
                (Node::Product(_), factors) => factors.iter().product(),
                (Node::Sum(_), terms) => terms.iter().sum(),
                _ => return None,
            };
            values.truncate(from);
            values.push(value);
        }
        values.pop()
    }
}

/// Returns a power with a small exponent.
fn power(base: f64, exponent: f64) -> Option<f64> {
    let times = (0..=64u8).find(|times| f64::from(*times).total_cmp(&exponent).is_eq())?;
    Some((0..times).map(|_| base).product())
}

/// Returns a root of a number that is not negative, by bisection, whose result is the same on every machine.
fn root(radicand: f64, index: f64) -> Option<f64> {
    if !(0.0..=1e9).contains(&radicand) || index < 1.0 {
        return None;
    }
    let (mut low, mut high) = (0.0, radicand.max(1.0));
    for _ in 0..80 {
        let middle = f64::midpoint(low, high);
        if power(middle, index)? < radicand { low = middle } else { high = middle }
    }
    Some(high)
}

/// Compares two approximate numbers; nearly equal ones count as equal.
fn compared(a: f64, b: f64) -> Ordering {
    let is_near = a.is_finite() && (a - b).abs() <= 1e-9 * a.abs().min(b.abs());
    if is_near { Ordering::Equal } else { a.partial_cmp(&b).unwrap_or(Ordering::Equal) }
}

/// Returns whether claims of several conditions about one term certainly hold together. Bounds that are numbers must
/// leave a value. Of two bounds with letters, the lower one must be written first, as in `a<x,x<b`, or both must be
/// links of a chain, as in `y<z,x<y`.
fn can_hold_together(claims: &[Claim]) -> bool {
    // a value and another value, set or bound of the same term
    let mut first = claims.iter().filter(|claim| claim.is_first);
    if let Some(value) = first.clone().find(|claim| claim.sense == Sense::Value)
        && first.any(|other| other.condition != value.condition)
    {
        return false;
    }
    let mut members = claims.iter().filter(|claim| claim.sense == Sense::Member);
    if let Some(member) = members.next()
        && members.any(|other| other.condition != member.condition)
    {
        return false;
    }
    if !numbers_allow(claims) || !bounds_differ(claims) {
        return false;
    }
    let has_letters = |claim: &Claim| claim.size == Size::Letters;
    let is_unknown = |claim: &Claim| claim.size == Size::Constant;
    let is_constant = |claim: &Claim| claim.size != Size::Letters;
    !are_alternatives(claims, has_letters, has_letters, is_outside)
        && !are_alternatives(claims, is_unknown, is_constant, is_upper_first)
        && !are_alternatives(claims, is_constant, is_unknown, is_upper_first)
}

/// Returns whether the bounds that are numbers leave a value: the greatest lower bound is below the least upper bound,
/// or they are equal and not strict. Two bounds in one condition are not compared.
fn numbers_allow(claims: &[Claim]) -> bool {
    let mut lowest: Option<(f64, &Claim)> = None;
    let mut highest: Option<(f64, &Claim)> = None;
    for claim in claims {
        let Size::Number(number) = claim.size else { continue };
        let (bound, tighter) = match claim.sense {
            Sense::Above { .. } => (&mut lowest, Ordering::Greater),
            Sense::Below { .. } => (&mut highest, Ordering::Less),
            _ => continue,
        };
        let replaces = bound.is_none_or(|(known, by)| match compared(number, known) {
            Ordering::Equal => claim.is_strict() && !by.is_strict(),
            order => order == tighter,
        });
        if replaces {
            *bound = Some((number, claim));
        }
    }
    let (Some((from, low)), Some((to, high))) = (lowest, highest) else { return true };
    low.condition == high.condition
        || match compared(from, to) {
            Ordering::Less => true,
            Ordering::Equal => !low.is_strict() && !high.is_strict(),
            Ordering::Greater => false,
        }
}

/// Returns `false` if the term is above and below the same bound, at least once strictly: `x<a,x>a`.
fn bounds_differ(claims: &[Claim]) -> bool {
    let highs = || claims.iter().filter(|claim| claim.is_below());
    let below: BTreeSet<&str> = highs().map(|claim| claim.bound.as_str()).collect();
    let strictly: BTreeSet<&str> =
        highs().filter(|claim| claim.is_strict()).map(|claim| claim.bound.as_str()).collect();
    !claims.iter().any(|claim| {
        let contrary = if claim.is_strict() { &below } else { &strictly };
        claim.is_above() && contrary.contains(claim.bound.as_str())
    })
}

/// Returns whether an upper and a lower bound may belong to alternatives. They may if `is_outside` holds for the bounds
/// that do not enclose the term, as in `x<a,x>b`, or if two conditions enclose it: `a<x<b,c<x<d`. One condition that
/// encloses the term is not an alternative to a single bound: `0<x<a,x>b`.
fn are_alternatives(
    claims: &[Claim],
    is_high: impl Fn(&Claim) -> bool,
    is_low: impl Fn(&Claim) -> bool,
    is_outside: impl Fn(&[&Claim], &[&Claim]) -> bool,
) -> bool {
    let highs = claims.iter().filter(|claim| claim.is_below() && is_high(claim));
    let lows = claims.iter().filter(|claim| claim.is_above() && is_low(claim));
    let (high, upper): (Vec<&Claim>, Vec<&Claim>) = highs.partition(|claim| claim.is_enclosed);
    let (low, lower): (Vec<&Claim>, Vec<&Claim>) = lows.partition(|claim| claim.is_enclosed);
    let are_enclosed = match (high.first(), low.first()) {
        (Some(above), Some(below)) => {
            let (above, below) = (above.condition, below.condition);
            above != below
                || high.iter().any(|other| other.condition != below)
                || low.iter().any(|other| other.condition != above)
        }
        _ => false,
    };
    are_enclosed || is_outside(&upper, &lower)
}

/// Returns whether an upper bound is written before a lower one.
fn is_upper_first(upper: &[&Claim], lower: &[&Claim]) -> bool {
    is_upper_first_of(upper, lower, |_| true)
}

fn is_upper_first_of(upper: &[&Claim], lower: &[&Claim], is_part: fn(&Claim) -> bool) -> bool {
    let first = upper.iter().filter(|high| is_part(high)).map(|high| high.condition).min();
    first.is_some_and(|first| lower.iter().any(|low| is_part(low) && low.condition > first))
}

/// Returns whether an upper bound with letters is written before a lower one, unless the two are links of a chain: they
/// are on different sides of the term, have no letter in common, and one of them is a usual variable.
fn is_outside(upper: &[&Claim], lower: &[&Claim]) -> bool {
    let parts: [fn(&Claim) -> bool; 3] =
        [|claim| claim.is_left, |claim| !claim.is_left, |claim| !claim.is_variable];
    if parts.into_iter().any(|is_part| is_upper_first_of(upper, lower, is_part)) {
        return true;
    }
    // the first condition whose upper bound contains a letter
    let mut first: BTreeMap<&str, usize> = BTreeMap::new();
    for high in upper {
        for name in &high.names {
            let known = first.entry(name).or_insert(high.condition);
            *known = high.condition.min(*known);
        }
    }
    lower.iter().any(|low| {
        low.names.iter().any(|name| first.get(name.as_str()).is_some_and(|first| low.condition > *first))
    })
}
