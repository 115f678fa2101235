//! The names that a formula uses: free variables and functions, as its author would call them.

use crate::ast::{Node, NodeId, Repeated, Syntax};
use crate::functions::plain_name;

/// The names in a formula, sorted, each once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Names {
    /// Free variables in their normal spelling ([`crate::names`]). The variables that sums, products, unions,
    /// intersections, limits and definite integrals bind are omitted.
    pub symbols: Vec<String>,
    /// Known functions by their plain names: `sin`, `arctan`, `ln`, `sqrt`, `abs`, `factorial` ...
    pub functions: Vec<&'static str>,
    /// Uninterpreted functions that are called.
    pub calls: Vec<String>,
}

/// Returns whether two names mean the same function: `asin` and `arcsin`, `sign` and `sgn`.
pub fn same_function(a: &str, b: &str) -> bool {
    let standard = |name: &str| match plain_name(name) {
        Some(plain) => plain.to_owned(),
        None if name.eq_ignore_ascii_case("nthroot") => "root".to_owned(),
        None => name.to_ascii_lowercase(),
    };
    a == b || standard(a) == standard(b)
}

/// Returns whether a list of allowed functions contains a function under any of its names.
pub fn admits(allowed: &[String], function: &str) -> bool {
    allowed.iter().any(|name| {
        same_function(name, function)
            // `sqrt` also allows `root`, and both also allow `cbrt`.
            || (matches!(function, "root" | "cbrt") && same_function(name, "sqrt"))
            || (function == "cbrt" && same_function(name, "root"))
            // `log` also allows logarithms named after their base, `lg` and `lb`.
            || (matches!(function, "lg" | "lb") && same_function(name, "log"))
    })
}

/// Returns the plain name of the function that a node applies, by name or by notation.
fn function_of(node: Node) -> Option<&'static str> {
    Some(match node {
        Node::Apply(named, _) => named.row().plain,
        Node::Sqrt(_) => "sqrt",
        Node::Bars(_) => "abs",
        Node::Floor(_) => "floor",
        Node::Ceil(_) => "ceil",
        Node::Factorial(_) | Node::DoubleFactorial(_) => "factorial",
        Node::Root(..) => "root",
        Node::Log(..) => "log",
        Node::Modulo(..) => "mod",
        Node::Binomial(..) => "binomial",
        Node::Repeated(Repeated::Sum, _) => "sum",
        Node::Repeated(Repeated::Product, _) => "prod",
        Node::Limit(..) => "lim",
        Node::Integral(_) => "int",
        Node::Derivative(..) => "diff",
        _ => return None,
    })
}

/// Schedules the parts of a sum, limit, definite integral or the like, whose variable is bound only in the
/// body.
fn bind<'t>(
    tree: &'t Syntax,
    (pending, bound): (&mut Vec<Option<NodeId>>, &mut Vec<&'t str>),
    variable: NodeId,
    outside: &[NodeId],
    body: NodeId,
) {
    pending.extend(outside.iter().map(|&id| Some(id)));
    if let Node::Symbol(text) = tree.node(variable) {
        bound.push(tree.text(text));
        pending.extend([None, Some(body)]);
    } else {
        pending.extend([Some(variable), Some(body)]);
    }
}

/// Returns the names in a parse tree.
pub fn names_of(tree: &Syntax) -> Names {
    if tree.is_empty() { Names::default() } else { names_below(tree, tree.root()) }
}

/// Returns the names in a part of a parse tree.
pub(crate) fn names_below(tree: &Syntax, part: NodeId) -> Names {
    let (mut symbols, mut functions, mut calls) = (Vec::new(), Vec::new(), Vec::new());
    let mut bound: Vec<&str> = Vec::new();
    // The nodes to visit; `None` ends the scope of the innermost bound variable.
    let mut pending: Vec<Option<NodeId>> = vec![Some(part)];
    while let Some(next) = pending.pop() {
        let Some(id) = next else {
            bound.pop();
            continue;
        };
        match tree.node(id) {
            Node::Symbol(text) => {
                let name = tree.text(text);
                if !bound.contains(&name) {
                    symbols.push(name);
                }
            }
            Node::Call(text, _) => calls.push(tree.text(text)),
            _ => functions.extend(function_of(tree.node(id))),
        }
        match tree.node(id) {
            Node::Gathered(_, list) => {
                if let [variable, ref range @ .., body] = *tree.list(list) {
                    let bounds: &[NodeId] = if range.len() == 2 { range } else { &[] };
                    bind(tree, (&mut pending, &mut bound), variable, bounds, body);
                    // a relation names the index itself, and may name a set
                    if let &[relation] = range {
                        pending.push(Some(relation));
                    }
                }
            }
            Node::Repeated(_, list) | Node::Limit(_, list) | Node::Integral(list) => match *tree.list(list) {
                [variable, from, to, body] if matches!(tree.node(id), Node::Repeated(..)) => {
                    bind(tree, (&mut pending, &mut bound), variable, &[from, to], body);
                }
                [variable, target, body] => bind(tree, (&mut pending, &mut bound), variable, &[target], body),
                // without bounds an integral depends on its variable
                [variable, body, ref bounds @ ..] if !bounds.is_empty() => {
                    bind(tree, (&mut pending, &mut bound), variable, bounds, body);
                }
                _ => pending.extend(tree.children(id).map(Some)),
            },
            _ => pending.extend(tree.children(id).map(Some)),
        }
    }
    let owned = |names| each_once(names).iter().map(|&name| name.to_owned()).collect();
    Names { symbols: owned(symbols), functions: each_once(functions), calls: owned(calls) }
}

#[inline]
fn each_once(mut names: Vec<&str>) -> Vec<&str> {
    names.sort_unstable();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::Declarations;

    fn names(latex: &str) -> Names {
        names_of(&crate::parse(latex, &Declarations::new()).unwrap())
    }

    #[test]
    fn the_index_of_a_union_is_bound() {
        assert_eq!(names(r"\bigcup_{k=1}^{n}(k,a+k)").symbols, ["a", "n"]);
        assert_eq!(names(r"\bigcup_{k\in S}(k,a)").symbols, ["S", "a"]);
    }

    #[test]
    fn variables_are_free_ones() {
        for (latex, symbols) in [
            (r"x_1+\alpha e^{i\pi}", &["alpha", "x_1"][..]),
            (r"\sum_{k=1}^{n} k x", &["n", "x"]),
            (r"k+\sum_{k=1}^{k} 1", &["k"]),
            (r"\int_0^1 t^2\,dt", &[]),
            (r"y=2x", &["x", "y"]),
        ] {
            assert_eq!(names(latex).symbols, symbols, "{latex}");
        }
    }

    #[test]
    fn functions_have_plain_names_however_they_are_written() {
        for (latex, functions) in [
            (r"\sin^{-1}x+\sqrt[3]{x}", &["arcsin", "root"][..]),
            (r"|x|+n!+\binom{n}{2}", &["abs", "binomial", "factorial"]),
            (r"\frac{x}{2}", &[]),
        ] {
            assert_eq!(names(latex).functions, functions, "{latex}");
        }
        for (a, b) in
            [("asin", "arcsin"), ("arcsinh", "arsinh"), ("asinh", "arsinh"), ("sign", "sgn"), ("log10", "lg")]
        {
            assert!(same_function(a, b), "{a} {b}");
        }
        assert!(!same_function("sin", "sinh") && !same_function("arcsin", "arcsinh"));
    }
}
