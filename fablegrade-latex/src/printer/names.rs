//! The spelling of names as LaTeX, and which names and texts could be read as something else.

use crate::ast::Constant;
use crate::commands::{self, Token};
use crate::derivative_names::{Notation, split};

/// Returns a name in its normal spelling as LaTeX.
pub fn latex_name(name: &str) -> String {
    let plain = name.trim_end_matches('\'');
    let primes = &name[plain.len()..];
    // the name of a value, such as P(X=4), is printed already
    if plain.contains("\\left(") {
        return name.to_owned();
    }
    // the order of a derivative: y^{(n)}
    if let Some(at) = plain.find("^{(") {
        return latex_name(&plain[..at]) + &plain[at..];
    }
    if plain.starts_with("\\frac") {
        return quotient(plain).unwrap_or_else(|| name.to_owned());
    }
    // the subscript of a decorated name comes after a closing brace
    let from = if plain.starts_with('\\') { plain.find('}').unwrap_or(0) } else { 0 };
    let at = plain[from..].find('_').map(|at| from + at);
    let (base, subscript) = match at {
        Some(at) => (&plain[..at], Some(&plain[at + 1..])),
        None => (plain, None),
    };
    let mut out = if base.starts_with('\\') || base.chars().nth(1).is_none() {
        base.to_owned()
    } else if is_letter(base) {
        format!("\\{base}")
    } else {
        format!("\\mathrm{{{base}}}")
    };
    if let Some(subscript) = subscript {
        let inner =
            subscript.strip_prefix('{').and_then(|inner| inner.strip_suffix('}')).unwrap_or(subscript);
        out.push_str("_{");
        if inner == "infty" || inner.len() > 1 && is_letter(inner) {
            out.push('\\');
        }
        out.push_str(inner);
        out.push('}');
    }
    out.push_str(primes);
    out
}

/// Returns the LaTeX of a derivative that is named by a quotient, such as `\frac{dtheta}{dt}`.
fn quotient(name: &str) -> Option<String> {
    let (function, order, Notation::By(variable)) = split(name)? else { return None };
    let [function, variable] = [function, variable].map(|letter| latex_name(&letter));
    Some(match order {
        1 => format!("\\frac{{d{function}}}{{d{variable}}}"),
        2..=9 => format!("\\frac{{d^{order}{function}}}{{d{variable}^{order}}}"),
        _ => format!("\\frac{{d^{{{order}}}{function}}}{{d{variable}^{{{order}}}}}"),
    })
}

/// Returns whether a command of this name is a letter, such as `\alpha`.
pub(crate) fn is_letter(name: &str) -> bool {
    matches!(commands::command(name), Some(Token::Name(_) | Token::Constant(Constant::Pi)))
}

/// Returns whether a text after `\left(` is a name without operators up to its bracket.
pub(super) fn is_name_in_brackets(text: &str) -> bool {
    text.split_once("\\right)").is_some_and(|(name, _)| {
        name.chars().all(|c| c.is_alphanumeric() || matches!(c, '\\' | '{' | '}' | '_' | '\''))
    })
}

/// Returns whether a name is that of a value such as `P\left(0\mid 1\right)`, which alone would be a point.
pub(super) fn looks_like_a_point(name: &str) -> bool {
    name.split_once("\\left(")
        .and_then(|(_, inner)| inner.split_once("\\mid "))
        .is_some_and(|(first, _)| !first.contains(|c: char| c.is_ascii_alphabetic()))
}
