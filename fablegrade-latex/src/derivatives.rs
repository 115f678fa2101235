//! Notations for the derivative of a named quantity: `y'`, `\dot y` and `\frac{dy}{dx}`.
//!
//! Derivatives in two texts are identified if each text uses one notation and at most one of them names the
//! variable. For example, `y'=3y`, `\frac{dy}{dx}=3y` and `\dot y=3y` are the same. If a text mixes
//! notations, or both name different variables, no derivatives are identified.

use crate::ast::Syntax;
use crate::derivative_names::{Notation, split};

/// Returns the name of a derivative in a notation; `None` if the notation does not have that order.
fn written(function: &str, order: usize, notation: &Notation) -> Option<String> {
    Some(match notation {
        Notation::Prime => format!("{function}{}", "'".repeat(order)),
        Notation::Dot => {
            let accent = match order {
                1 => "dot",
                2 => "ddot",
                _ => return None,
            };
            format!("\\{accent}{{{}}}", crate::printer::latex_name(function))
        }
        Notation::By(variable) if order == 1 => format!("\\frac{{d{function}}}{{d{variable}}}"),
        Notation::By(variable) => format!("\\frac{{d^{order}{function}}}{{d{variable}^{order}}}"),
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

/// Records whether derivatives of named quantities occur: their names contain a prime or a backslash.
pub(crate) fn note(tree: &mut Syntax) {
    tree.has_derivatives =
        tree.has_marked_names() && tree.symbols().any(|text| split(tree.text(text)).is_some());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::printer::print;
    use crate::{Declarations, parse};

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
