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
