//! Names of derivatives, such as `y'`, `\dot{y}` and `\frac{dtheta}{dt}`.

use crate::printer::latex_name;

/// The way a derivative is written.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Notation {
    /// `y'`
    Prime,
    /// `\dot y`
    Dot,
    /// `\frac{dy}{dx}`, with its variable.
    By(String),
}

/// Splits the name of a derivative into function, order and notation; `None` for other names.
pub(crate) fn split(name: &str) -> Option<(String, usize, Notation)> {
    if let Some(rest) = name.strip_prefix("\\frac{d") {
        let (above, below) = rest.strip_suffix('}')?.split_once("}{d")?;
        if is_of_term(name) {
            return None;
        }
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

/// Returns the name of a derivative by a variable; both are in their normal spelling.
pub(crate) fn quotient_name(function: &str, variable: &str, order: usize) -> String {
    match order {
        1 => format!("\\frac{{d{function}}}{{d{variable}}}"),
        _ => format!("\\frac{{d^{order}{function}}}{{d{variable}^{order}}}"),
    }
}

/// Returns whether a name is a derivative.
pub(crate) fn is_derivative(name: &str) -> bool {
    split(name).is_some() || is_of_term(name)
}

/// Returns whether a name is a derivative that can change with a variable: `\frac{dy}{dx}` with x and y, and that of a
/// term also with the names in the term. The notations `y'` and `\dot y` leave the variable open; it is the variable of
/// an integral around them. Takes linear time.
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

/// Returns whether a name is the derivative of a term such as `uv` whose letters depend on the variable in a way that
/// is not said: `\frac{d\left(uv\right)}{dx}`, `\frac{d{uv}}{dx}`.
pub(crate) fn is_of_term(name: &str) -> bool {
    name.strip_prefix("\\frac{d").is_some_and(|rest| {
        let order = rest.strip_prefix("^{").and_then(|rest| rest.split_once('}'));
        let term = order.map_or(rest, |(_, rest)| rest);
        term.starts_with('{') || term.starts_with("\\left")
    })
}
