//! Notations for the derivative of a named quantity: `y'`, `\dot y` and `\frac{dy}{dx}`.
//!
//! Derivatives in two texts are identified if each text uses one notation and at most one of them names the
//! variable. For example, `y'=3y`, `\frac{dy}{dx}=3y` and `\dot y=3y` are the same. If a text mixes
//! notations, or both name different variables, no derivatives are identified.

use crate::ast::{Node, Syntax};
use crate::derivative_names::{Notation, is_derivative, is_of_term, quotient_name, split};
use crate::printer::latex_name;
use std::collections::BTreeSet;

/// The maximum number of bound names that are looked for in the derivatives of terms.
const MAX_BOUND_NAMES: usize = 16;

/// Returns the name of a derivative in a notation; `None` if the notation does not have that order.
pub(crate) fn written(function: &str, order: usize, notation: &Notation) -> Option<String> {
    Some(match notation {
        Notation::Prime => format!("{function}{}", "'".repeat(order)),
        Notation::Dot => {
            let accent = match order {
                1 => "dot",
                2 => "ddot",
                _ => return None,
            };
            format!("\\{accent}{{{}}}", latex_name(function))
        }
        Notation::By(variable) => quotient_name(function, variable, order),
    })
}

/// Returns the notations that a tree uses for derivatives, each once.
fn notations(tree: &Syntax) -> Vec<Notation> {
    let mut found = Vec::new();
    for text in tree.symbols() {
        if let Some((_, _, notation)) = split(tree.text(text))
            && !found.contains(&notation)
        {
            found.push(notation);
        }
    }
    found
}

/// Returns `other` with its derivatives in the notation of `tree`, if the two notations can be identified;
/// `None` if nothing changes.
pub fn aligned(tree: &Syntax, other: &Syntax) -> Option<Syntax> {
    if !tree.has_derivatives || !other.has_derivatives {
        return None;
    }
    let ([mine], [theirs]) = (&notations(tree)[..], &notations(other)[..]) else { return None };
    if mine == theirs || matches!((mine, theirs), (Notation::By(_), Notation::By(_))) {
        return None;
    }
    let mut renamed = other.clone();
    renamed.rename(|name| {
        let (function, order, _) = split(name)?;
        written(&function, order, mine)
    });
    Some(renamed)
}

/// Returns whether a name is a derivative that can change with a variable. `\frac{dy}{dx}` changes with x and y, and
/// the derivative of a term also with the names in the term. `y'` and `\dot y` do not name their variable, so they
/// change only with the variable of an integral around them (`is_of_integral`). Takes linear time.
pub fn changes_with(name: &str, variable: &str, is_of_integral: bool) -> bool {
    if is_of_term(name) {
        return occurs(name, &latex_name(variable));
    }
    match split(name) {
        Some((function, _, Notation::By(by))) => by == variable || function == variable,
        Some(_) => is_of_integral,
        None => false,
    }
}

/// Returns whether a name occurs in a printed term; both are LaTeX. A letter in a longer name counts.
fn occurs(term: &str, name: &str) -> bool {
    let is_command = name.starts_with('\\') && name.ends_with(|c: char| c.is_ascii_alphabetic());
    let mut rest = term;
    while let Some(first) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix(name) {
            let goes_on = is_command && after.starts_with(|c: char| c.is_ascii_alphabetic());
            // x_{1} is another name than x
            let has_subscript = !name.contains('_') && after.starts_with('_');
            if !goes_on && !has_subscript {
                return true;
            }
        }
        let letters = rest[first.len_utf8()..].bytes().take_while(u8::is_ascii_alphabetic).count();
        rest = &rest[first.len_utf8() + if first == '\\' { letters } else { 0 }..];
    }
    false
}

/// Records whether derivatives of named quantities occur: their names contain a prime or a backslash.
pub(crate) fn note(tree: &mut Syntax) {
    tree.has_derivatives =
        tree.has_marked_names() && tree.symbols().any(|text| is_derivative(tree.text(text)));
}

/// Returns whether names of derivatives in two texts may be related, so that independent values for them do not prove a
/// difference. Different names may denote the same derivative: `\frac{d(uv)}{dx}` and `\frac{d(vu)}{dx}`,
/// `\frac{df}{dx}` and `f'(x)`. A derivative may also depend on a bound variable.
pub fn may_coincide(tree: &Syntax, other: &Syntax) -> bool {
    if !tree.has_derivatives && !other.has_derivatives {
        return false;
    }
    let of_terms = |tree: &Syntax| -> BTreeSet<String> {
        tree.symbols()
            .map(|text| tree.text(text))
            .filter(|name| is_of_term(name))
            .map(str::to_owned)
            .collect()
    };
    let (mine, theirs) = (of_terms(tree), of_terms(other));
    // a bound name in a term may be a factor of the derivative of that term
    mine != theirs
        || !mine.is_empty() && binds_name_in(&mine, [tree, other])
        || calls_derived(tree, other)
        || calls_derived(other, tree)
        || integrates_open(tree)
        || integrates_open(other)
}

/// Returns whether a sum, product, limit or integral binds a name that occurs in a term.
fn binds_name_in(terms: &BTreeSet<String>, trees: [&Syntax; 2]) -> bool {
    let mut names: BTreeSet<Option<&str>> = BTreeSet::new();
    for tree in trees {
        for id in tree.nodes() {
            let (Node::Repeated(_, list)
            | Node::Limit(_, list)
            | Node::Integral(list)
            | Node::Gathered(_, list)) = tree.node(id)
            else {
                continue;
            };
            names.insert(tree.list(list).first().and_then(|variable| match tree.node(*variable) {
                Node::Symbol(text) => Some(tree.text(text)),
                _ => None,
            }));
        }
    }
    names.len() > MAX_BOUND_NAMES
        || names.into_iter().any(|name| {
            name.is_none_or(|name| {
                let name = latex_name(name);
                terms.iter().any(|term| occurs(term, &name))
            })
        })
}

/// Returns whether a derivative that does not name its variable, `y'` or `\dot y`, is in an integral. The integral may
/// be over another variable, as in `\int\dot y\,dx`.
fn integrates_open(tree: &Syntax) -> bool {
    if !tree.has_derivatives || !tree.nodes().any(|id| matches!(tree.node(id), Node::Integral(_))) {
        return false;
    }
    let mut pending = vec![(tree.root(), false)];
    while let Some((id, is_inside)) = pending.pop() {
        if let Node::Symbol(text) = tree.node(id)
            && is_inside
            && matches!(split(tree.text(text)), Some((_, _, Notation::Prime | Notation::Dot)))
        {
            return true;
        }
        let is_integral = matches!(tree.node(id), Node::Integral(_));
        pending.extend(tree.children(id).map(|child| (child, is_inside || is_integral)));
    }
    false
}

/// Returns whether one text names a derivative `\frac{df}{dx}` and the other has values of `f` or `f'`.
fn calls_derived(tree: &Syntax, other: &Syntax) -> bool {
    let derived: BTreeSet<String> = tree
        .symbols()
        .filter_map(|text| match split(tree.text(text)) {
            Some((function, _, Notation::By(_))) => Some(function),
            _ => None,
        })
        .collect();
    !derived.is_empty()
        && other.nodes().any(|id| match other.node(id) {
            Node::Call(text, _) => derived.contains(other.text(text).trim_end_matches('\'')),
            _ => false,
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::printer::print;
    use crate::{Declarations, parse};

    #[test]
    fn derivatives_change_with_their_names() {
        for (latex, variables, others) in [
            (r"\frac{dy}{dx}", &["x", "y"][..], &["d", "t"][..]),
            (r"\frac{d^2y}{d\theta^2}", &["theta"], &["t"]),
            (r"\frac{d(uv)}{dx}", &["x", "u", "v"], &["l", "e", "f", "t"]),
            (r"\frac{d(\alpha\sin x_1)}{d\theta}", &["theta", "alpha", "x_1"], &["x", "s", "a", "x_2"]),
            (r"\frac{d}{dx}(x_k\frac{dy}{dx})", &["k", "y"], &["r"]),
            ("y''", &[], &["x", "y"]),
            ("xy", &[], &["x", "y"]),
        ] {
            let tree = parse(latex, &Declarations::new()).unwrap();
            let names: Vec<&str> = tree.symbols().map(|text| tree.text(text)).collect();
            let changes = |variable: &&str| names.iter().any(|name| changes_with(name, variable, false));
            assert!(variables.iter().all(changes) && !others.iter().any(changes), "{latex}: {names:?}");
        }
        assert!(changes_with("y'", "x", true) && changes_with("\\dot{y}", "x", true));
    }

    #[test]
    fn one_notation_each_is_aligned() {
        let names = Declarations::new();
        for (tree, other, printed) in [
            ("y'=3y", r"\frac{dy}{dx}=3y", "y'=3y"),
            (r"\frac{dy}{dx}=3y", "y'=3y", r"\frac{dy}{dx}=3y"),
            (r"y''+y", r"\ddot y+y", "y''+y"),
            (r"\frac{d^2\theta}{dt^2}", r"\ddot{\theta}", r"\frac{d^2\theta}{dt^2}"),
            (r"\frac{dy}{dx}", r"\frac{dy}{dt}", r"\frac{dy}{dt}"),
            (r"\frac{dy}{dx}\frac{dx}{dt}", "y'", "y'"),
        ] {
            let tree = parse(tree, &names).unwrap();
            let other = parse(other, &names).unwrap();
            assert_eq!(print(&aligned(&tree, &other).unwrap_or(other)), printed);
        }
    }
}
