//! Notations for the derivative of a named quantity: `y'`, `\dot y` and `\frac{dy}{dx}`.
//!
//! Derivatives in two texts are identified if each text uses one notation and at most one of them names the
//! variable. For example, `y'=3y`, `\frac{dy}{dx}=3y` and `\dot y=3y` are the same. If a text mixes
//! notations, or both name different variables, no derivatives are identified.

use crate::ast::Syntax;

/// The way a derivative is written.
#[derive(Clone, PartialEq, Eq)]
enum Notation {
    /// `y'`
    Prime,
    /// `\dot y`
    Dot,
    /// `\frac{dy}{dx}`, with its variable.
    By(String),
}

/// Splits the name of a derivative into function, order and notation; `None` for other names.
fn derivative(name: &str) -> Option<(String, usize, Notation)> {
    if let Some(rest) = name.strip_prefix("\\frac{d") {
        let (above, below) = rest.strip_suffix('}')?.split_once("}{d")?;
        let Some(above) = above.strip_prefix('^') else {
            return Some((above.to_owned(), 1, Notation::By(below.to_owned())));
        };
        let digits = above.bytes().take_while(u8::is_ascii_digit).count();
        let order: usize = above[..digits].parse().ok()?;
        let variable = below.strip_suffix(&format!("^{order}"))?;
        return Some((above[digits..].to_owned(), order, Notation::By(variable.to_owned())));
    }
    for (accent, order) in [("\\dot{", 1), ("\\ddot{", 2)] {
        if let Some(inner) = name.strip_prefix(accent) {
            let (letter, rest) = inner.split_once('}')?;
            return rest
                .is_empty()
                .then(|| (letter.trim_start_matches('\\').to_owned(), order, Notation::Dot));
        }
    }
    let letter = name.trim_end_matches('\'');
    let primes = name.len() - letter.len();
    (primes > 0).then(|| (letter.to_owned(), primes, Notation::Prime))
}

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

/// Returns the LaTeX of a derivative that is named by a quotient, such as `\frac{dtheta}{dt}`.
pub(crate) fn quotient(name: &str) -> Option<String> {
    let (function, order, Notation::By(variable)) = derivative(name)? else { return None };
    let [function, variable] = [function, variable].map(|letter| crate::printer::latex_name(&letter));
    Some(match order {
        1 => format!("\\frac{{d{function}}}{{d{variable}}}"),
        2..=9 => format!("\\frac{{d^{order}{function}}}{{d{variable}^{order}}}"),
        _ => format!("\\frac{{d^{{{order}}}{function}}}{{d{variable}^{{{order}}}}}"),
    })
}

/// Returns the notations that a tree uses for derivatives, each once.
fn notations(tree: &Syntax) -> Vec<Notation> {
    let mut found = Vec::new();
    for text in tree.symbols() {
        if let Some((_, _, notation)) = derivative(tree.text(text))
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
        let (function, order, _) = derivative(name)?;
        written(&function, order, mine)
    });
    Some(renamed)
}

/// Records whether derivatives of named quantities occur: their names contain a prime or a backslash.
pub(crate) fn note(tree: &mut Syntax) {
    tree.has_derivatives =
        tree.has_marked_names() && tree.symbols().any(|text| derivative(tree.text(text)).is_some());
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
