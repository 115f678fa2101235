//! `{{expression}}` inside messages to the respondent; `\{{` is a literal `{{`.

/// A piece of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// Literal text.
    Text(&'a str),
    /// The source between the braces.
    Expression(&'a str),
    /// A `{{` without `}}`.
    Unclosed,
}

/// Splits a message. Linear in its length; the value of an expression is never split again.
pub(crate) fn split(message: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = message;
    while let Some(open) = rest.find("{{") {
        let (before, after) = (&rest[..open], &rest[open + 2..]);
        if let Some(before) = before.strip_suffix('\\') {
            pieces.extend([Piece::Text(before), Piece::Text("{{")]);
            rest = after;
            continue;
        }
        pieces.push(Piece::Text(before));
        match after.find("}}") {
            Some(close) => {
                pieces.push(Piece::Expression(&after[..close]));
                rest = &after[close + 2..];
            }
            None => {
                // No `}}` follows, so the rest is text.
                pieces.extend([Piece::Unclosed, Piece::Text("{{"), Piece::Text(after)]);
                return pieces;
            }
        }
    }
    pieces.push(Piece::Text(rest));
    pieces.retain(|piece| *piece != Piece::Text(""));
    pieces
}

#[cfg(test)]
mod tests {
    use super::Piece::{Expression, Text, Unclosed};
    use super::split;

    #[test]
    fn expressions_stand_between_braces() {
        assert_eq!(split("You are {{ $age }}."), [Text("You are "), Expression(" $age "), Text(".")]);
        assert_eq!(split("{{$a}}{{$b}}"), [Expression("$a"), Expression("$b")]);
        assert_eq!(split("plain }} text {"), [Text("plain }} text {")]);
        assert!(split("").is_empty());
    }

    #[test]
    fn a_backslash_makes_braces_literal() {
        assert_eq!(split(r"write \{{name}}"), [Text("write "), Text("{{"), Text("name}}")]);
        assert_eq!(split(r"\{{{{1}}"), [Text("{{"), Expression("1")]);
    }

    #[test]
    fn an_open_brace_that_nothing_closes_is_seen() {
        assert_eq!(split("a {{ b"), [Text("a "), Unclosed, Text("{{"), Text(" b")]);
    }
}
