//! The kind of an expression by its form: one value, a relation, a set, or several values.

use crate::ast::{Constant, Delimiter, Named, Node, NodeId, Syntax};

/// The kind of an expression, by its form only.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Kind {
    /// One number or expression: `x+1`.
    Value,
    /// An equation, an inequality, a system, a truth value, or statements joined by connectives: `x<1`.
    Relation,
    /// A set: `\{1,2\}`, `\mathbb{R}`, `A\cup B`, `\{x\mid x>0\}`.
    Set,
    /// Several values: a list, a point or an interval `(1,2)`, a matrix, `\pm2`, cases, a ratio of three parts or more.
    Several,
}

/// Returns the kind of a tree. Linear in its size.
///
/// ```
/// use fablegrade_latex::{Declarations, kind::{Kind, kind_of}, parse};
/// let kind = |latex| parse(latex, &Declarations::new()).map(|tree| kind_of(&tree));
/// assert_eq!(kind(r"\{x\mid x>0\}")?, Kind::Set);
/// assert_eq!(kind("x>0")?, Kind::Relation);
/// assert_eq!(kind("[x]^2")?, Kind::Value);
/// # Ok::<(), fablegrade_latex::ParseError>(())
/// ```
pub fn kind_of(tree: &Syntax) -> Kind {
    let root = tree.root();
    // Almost every text is a plain value, so this check usually decides.
    let is_plain = |id| !may_be_several(tree.node(id));
    if tree.nodes().all(is_plain) && !is_long_ratio(tree, root) {
        return Kind::Value;
    }
    // As a whole, `\{x\}` is a set; inside a calculation, the braces group.
    let is_set = matches!(tree.node(root), Node::Items { open: Delimiter::Brace, .. });
    if !is_set && !is_long_ratio(tree, root) && is_value(tree, root) {
        return Kind::Value;
    }
    let mut id = root;
    while let Node::Group(inner) = tree.node(id) {
        id = inner;
    }
    match tree.node(id) {
        Node::Relation(_)
        | Node::And(_)
        | Node::Or(_)
        | Node::Not(_)
        | Node::Implies(..)
        | Node::Iff(..)
        | Node::Constant(Constant::True | Constant::False) => Kind::Relation,
        Node::Items { open: Delimiter::Brace, .. }
        | Node::Constant(Constant::EmptySet | Constant::Numbers(_))
        | Node::Union(_)
        | Node::Gathered(..)
        | Node::Intersection(_)
        | Node::SetMinus(..)
        | Node::Complement(_)
        | Node::SuchThat(..) => Kind::Set,
        _ => Kind::Several,
    }
}

/// Returns whether a node is a ratio of three parts or more; a ratio of two parts is a quotient.
pub fn is_long_ratio(tree: &Syntax, node: NodeId) -> bool {
    match tree.node(node) {
        Node::Group(inner) => is_long_ratio(tree, inner),
        Node::Ratio(front, _) => matches!(tree.node(front), Node::Ratio(..)),
        _ => false,
    }
}

/// Returns whether a node of this kind may be something other than a single value.
fn may_be_several(node: Node) -> bool {
    matches!(
        node,
        Node::Items { .. }
            | Node::Matrix { .. }
            | Node::PlusMinus(_)
            | Node::MinusPlus(_)
            | Node::Relation(_)
            | Node::Cases(_)
            | Node::And(_)
            | Node::Or(_)
            | Node::Not(_)
            | Node::Implies(..)
            | Node::Iff(..)
            | Node::Union(_)
            | Node::Gathered(..)
            | Node::Intersection(_)
            | Node::SetMinus(..)
            | Node::Complement(_)
            | Node::SuchThat(..)
            | Node::Constant(Constant::True | Constant::False | Constant::EmptySet | Constant::Numbers(_))
    )
}

/// Returns whether a node and all its parts form one value. The depth of the tree bounds the recursion.
fn is_value(tree: &Syntax, id: NodeId) -> bool {
    let of_parts = || tree.children(id).all(|child| is_value(tree, child));
    match tree.node(id) {
        // brackets around a single item only group
        Node::Items { items, .. } => items.len() == 1 && of_parts(),
        Node::Matrix { determinant, .. } => determinant && of_parts(),
        Node::Apply(Named::Det, arguments) => tree.list(arguments).iter().all(|matrix| {
            let mut matrix = *matrix;
            while let Node::Group(inner) = tree.node(matrix) {
                matrix = inner;
            }
            parts_are_values(tree, matrix)
        }),
        node => !may_be_several(node) && of_parts(),
    }
}

fn parts_are_values(tree: &Syntax, id: NodeId) -> bool {
    tree.children(id).all(|child| is_value(tree, child))
}
