//! Names of derivatives, such as `y'`, `\dot{y}` and `\frac{dtheta}{dt}`.

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

/// Returns whether a name is the derivative of a term such as `uv` whose letters depend on the variable in an
/// unspecified way: `\frac{d\left(uv\right)}{dx}`, `\frac{d{uv}}{dx}`.
pub(crate) fn is_of_term(name: &str) -> bool {
    name.strip_prefix("\\frac{d").is_some_and(|rest| {
        let order = rest.strip_prefix("^{").and_then(|rest| rest.split_once('}'));
        let term = order.map_or(rest, |(_, rest)| rest);
        term.starts_with('{') || term.starts_with("\\left")
    })
}
