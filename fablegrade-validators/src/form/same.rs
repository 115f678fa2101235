//! The form of an expression as a text, up to the order and grouping of sums and products.
//!
//! Minus signs move out of products and numerators, but not out of denominators. The quotients in a product become one
//! fraction: `a(b/c)` and `ab/c` are the same. Everything else is part of the form, since nothing is computed.

use fablegrade_latex::ast::{Delimiter, List, Node, NodeId};

use super::terms::Tree;

pub(super) fn form(tree: &Tree<'_>) -> String {
    whole(tree, tree.root())
}

fn whole(tree: &Tree<'_>, id: NodeId) -> String {
    let mut terms = Vec::new();
    summands(tree, id, &mut terms);
    if terms.len() == 1 {
        return terms.swap_remove(0);
    }
    terms.sort_unstable();
    format!("sum({})", terms.join(","))
}

/// Collects the forms of the terms; a negated sum such as `-(a+b)` is one term.
fn summands(tree: &Tree<'_>, id: NodeId, out: &mut Vec<String>) {
    let id = tree.bare(id);
    match tree.node(id) {
        Node::Sum(list) => tree.syntax.list(list).iter().for_each(|term| summands(tree, *term, out)),
        _ => out.push(term(tree, id)),
    }
}

fn term(tree: &Tree<'_>, id: NodeId) -> String {
    let mut parts = Parts::default();
    parts.collect(tree, id);
    let Parts { negative, above, below } = parts;
    let (above, below) = (commuted(above), commuted(below));
    let sign = if negative { "-" } else { "" };
    if below.is_empty() && above.len() == 1 {
        return format!("{sign}{}", above[0]);
    }
    format!("{sign}({}|{})", above.join("*"), below.join("*"))
}

/// Sorts the forms of factors that commute and appends the others in their order.
fn commuted(factors: Vec<(bool, String)>) -> Vec<String> {
    let (fixed, mut free): (Vec<_>, Vec<_>) = factors.into_iter().partition(|(fixed, _)| *fixed);
    free.sort_unstable();
    free.into_iter().chain(fixed).map(|(_, form)| form).collect()
}

/// Returns whether the position of a factor in a product may matter, because the factor has a matrix.
fn has_matrix(tree: &Tree<'_>, id: NodeId) -> bool {
    tree.any(id, &|inner| matches!(tree.node(inner), Node::Matrix { .. }))
}

/// The forms of the factors of a term, each with a flag that is set if its position matters.
#[derive(Default)]
struct Parts {
    negative: bool,
    above: Vec<(bool, String)>,
    below: Vec<(bool, String)>,
}

impl Parts {
    fn collect(&mut self, tree: &Tree<'_>, id: NodeId) {
        let id = tree.bare(id);
        match tree.node(id) {
            Node::Negate(inner) => {
                self.negative = !self.negative;
                self.collect(tree, inner);
            }
            Node::Product(list) => {
                tree.syntax.list(list).iter().for_each(|factor| self.collect(tree, *factor))
            }
            Node::Quotient { numerator, denominator, .. } => {
                // A numerator of 1 or -1 is only a sign, so `1/2·x` and `x/2` have the same form.
                match tree.integer(numerator) {
                    Some((minus, value)) if value.is_one() => self.negative ^= minus,
                    _ => self.collect(tree, numerator),
                }
                self.divide(tree, denominator);
            }
            _ => self.above.push((has_matrix(tree, id), atom(tree, id))),
        }
    }

    fn divide(&mut self, tree: &Tree<'_>, id: NodeId) {
        let id = tree.bare(id);
        match tree.node(id) {
            Node::Product(list) => {
                let factors = tree.syntax.list(list).iter();
                self.below.extend(factors.map(|factor| (has_matrix(tree, *factor), whole(tree, *factor))));
            }
            _ => self.below.push((has_matrix(tree, id), whole(tree, id))),
        }
    }
}

fn joined(tree: &Tree<'_>, items: &[NodeId]) -> String {
    items.iter().map(|item| whole(tree, *item)).collect::<Vec<_>>().join(",")
}

fn unordered(tree: &Tree<'_>, list: List) -> String {
    let mut items: Vec<String> = tree.syntax.list(list).iter().map(|item| whole(tree, *item)).collect();
    items.sort_unstable();
    items.join(",")
}

fn atom(tree: &Tree<'_>, id: NodeId) -> String {
    let children = || joined(tree, &tree.syntax.children(id).collect::<Vec<_>>());
    match tree.node(id) {
        Node::Sum(_) => whole(tree, id),
        Node::Power(..) => format!("power({})", children()),
        Node::Sqrt(_) => format!("sqrt({})", children()),
        Node::Root(..) => format!("root({})", children()),
        Node::Log(..) => format!("log({})", children()),
        Node::Apply(named, _) => format!("{named:?}({})", children()),
        Node::Bars(_) => format!("bars({})", children()),
        Node::Items { open: Delimiter::Brace, close: Delimiter::Brace, items } => {
            format!("{{{}}}", unordered(tree, items))
        }
        Node::Items { open, close, items } => {
            format!("{open:?}{close:?}({})", joined(tree, tree.syntax.list(items)))
        }
        Node::Matrix { columns, determinant, .. } => format!("matrix{columns}{determinant}({})", children()),
        Node::And(list) => format!("and({})", unordered(tree, list)),
        Node::Or(list) => format!("or({})", unordered(tree, list)),
        Node::Relation(list) => {
            let steps = tree.syntax.chain(list);
            let relations: Vec<String> = steps.map(|(_, relation, _)| format!("{relation:?}")).collect();
            format!("relation({};{})", relations.join(","), children())
        }
        _ => tree.printed(id),
    }
}
