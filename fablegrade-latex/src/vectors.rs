//! Products of vectors. The engine multiplies the letters under arrows as numbers, which proves nothing about a cross
//! product, or about a product of three vectors.

use crate::ast::{Node, NodeId, Syntax};

/// Returns whether a text has a product of vectors that differs from the product of numbers: with `\times`, or of more
/// than two vectors.
///
/// Takes time linear in the size of the tree.
pub fn has_vector_product(tree: &Syntax) -> bool {
    if !tree.has_marked_names() && !tree.has_times_sign {
        return false;
    }
    // The number of vectors that are multiplied in each node; children precede parents.
    let mut counts: Vec<u32> = Vec::with_capacity(tree.len());
    for id in tree.nodes() {
        let of = |child: &NodeId| counts.get(child.0 as usize).copied().unwrap_or(0);
        let is_nabla =
            |factor: &NodeId| matches!(tree.node(*factor), Node::Symbol(name) if tree.text(name) == "nabla");
        let count = match tree.node(id) {
            Node::Symbol(name) => u32::from(tree.text(name).starts_with("\\vec{") || is_nabla(&id)),
            Node::Group(inner) | Node::Negate(inner) | Node::Plus(inner) => of(&inner),
            Node::Sum(terms) => tree.list(terms).iter().map(of).max().unwrap_or(0),
            Node::Product(factors) => {
                let factors = tree.list(factors);
                let count: u32 = factors.iter().map(of).sum();
                // the factor beside a nabla is a vector in `\nabla\times F`
                if factors.len() > 1 && factors.iter().any(is_nabla) { count.max(2) } else { count }
            }
            _ => 0,
        };
        if count > 2 || count == 2 && tree.has_times_sign {
            return true;
        }
        counts.push(count);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::has_vector_product;
    use crate::names::Declarations;

    #[test]
    fn cross_products_and_products_of_three_vectors_are_found() {
        for (latex, expected) in [
            (r"\vec a\times\vec b", true),
            (r"\vec a\times(\vec b+\vec c)", true),
            (r"(\vec a\cdot\vec b)\vec c", true),
            (r"-\vec a×2\vec b", true),
            (r"\nabla\times\vec F", true),
            (r"\nabla\times F", true),
            (r"\nabla\cdot F", false),
            (r"\nabla f", false),
            (r"\vec a\cdot\vec b", false),
            (r"2\times\vec a", false),
            (r"|\vec a|\times|\vec b|\cos\phi", false),
            (r"a\times b", false),
        ] {
            let tree = crate::parse(latex, &Declarations::default()).unwrap();
            assert_eq!(has_vector_product(&tree), expected, "{latex}");
        }
    }
}
