//! Commands whose backslash and first letter became a control character: `"\times"` in JSON or in a programming language
//! is a tab and `imes`.

use crate::error::{ParseError, Problem};
use crate::span::Span;

/// A control character, its name, the letter of its escape, and what remains of commands after it.
///
/// `\ne`, `\ni` and `\re` are not listed, because a line of a formula can begin with `e` or `i`.
#[rustfmt::skip]
const ESCAPES: &[(char, &str, char, &[&str])] = &[
    ('\t', "a tab", 't', &[
        "imes", "heta", "an", "anh", "au", "ext", "frac", "ilde", "extbf", "extit", "extrm", "riangle", "o", "op", "binom",
        "herefore",
    ]),
    ('\r', "a carriage return", 'r', &[
        "ho", "ight", "angle", "ightarrow", "ceil", "floor", "vert", "Vert", "brace", "brack",
    ]),
    ('\n', "a line break", 'n', &["u", "eq", "eg", "abla", "ot", "otin", "exists", "mid", "parallel"]),
    ('\u{7}', "a bell", 'a', &["lpha", "pprox", "ngle", "rcsin", "rccos", "rctan", "rg", "st", "leph", "rccot"]),
    ('\u{8}', "a backspace", 'b', &[
        "eta", "ar", "inom", "egin", "mod", "oxed", "ig", "igg", "igl", "igr", "f", "ecause", "oldsymbol", "ullet", "ot",
        "ackslash",
    ]),
    ('\u{b}', "a vertical tab", 'v', &[
        "arphi", "arepsilon", "artheta", "arrho", "arsigma", "arpi", "ec", "ee", "dots", "ert",
    ]),
    ('\u{c}', "a form feed", 'f', &["rac", "orall", "lat", "rown", "box"]),
];

/// Advice on keeping backslashes, for an author or a programmer.
pub const KEEP_BACKSLASHES: &str =
    "double the backslashes in JSON: `\\\\times`; in Python write a raw string: `r\"\\times\"`";

/// Finds the first command that has lost its backslash: `\times` as a tab and `imes`. Linear.
///
/// The error has the position and names the control character; its message does not quote the source.
pub fn lost_backslash(source: &str) -> Option<ParseError> {
    // Most formulas have no control character at all.
    if !source.bytes().any(|byte| byte < b' ') {
        return None;
    }
    source.char_indices().find_map(|(at, control)| {
        let (_, name, letter, tails) = ESCAPES.iter().find(|(known, ..)| *known == control)?;
        // A line that ends with `\r\n` is not an escape.
        if control == '\n' && source[..at].ends_with('\r') {
            return None;
        }
        let rest = &source[at + 1..];
        let end = rest.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(rest.len());
        tails.contains(&&rest[..end]).then(|| ParseError {
            span: Span::new(at, at + 1 + end),
            problem: Problem::LostBackslash,
            message: format!(
                "{name} (`\\{letter}`) is before letters, where a command has lost its backslash"
            ),
            expected: "",
            suggestion: Some(KEEP_BACKSLASHES.to_owned()),
        })
    })
}

/// Returns a text with control characters written as escapes, so that messages show them.
pub(crate) fn visible(text: &str) -> String {
    text.chars()
        .map(|c| match ESCAPES.iter().find(|(known, ..)| *known == c) {
            Some((.., letter, _)) => format!("\\{letter}"),
            None if c.is_control() => format!("\\u{{{:x}}}", u32::from(c)),
            None => c.to_string(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Declarations, parse};

    #[test]
    fn escapes_of_json_and_of_languages_are_known() {
        for (text, name) in [
            ("2\times 3", "a tab (`\\t`)"),
            ("x\to 0", "a tab (`\\t`)"),
            ("\rho g", "a carriage return (`\\r`)"),
            ("2\nu", "a line break (`\\n`)"),
            ("\u{8}eta", "a backspace (`\\b`)"),
            ("\u{c}orall x", "a form feed (`\\f`)"),
            ("\u{7}lpha", "a bell (`\\a`)"),
            ("1+\u{b}arphi", "a vertical tab (`\\v`)"),
        ] {
            let error = lost_backslash(text).expect(text);
            assert!(error.message.starts_with(name), "{text:?}: {}", error.message);
        }
        for text in ["2 \\times 3", "x\n\t+y", "x +\r\nu", "x\ty", "a\n= e", "\u{8}", "", "\ttan x = 1"] {
            assert_eq!(lost_backslash(text), None, "{text:?}");
        }
    }

    #[test]
    fn it_is_the_reason_why_a_formula_cannot_be_read() {
        for text in ["\u{8}eta", "\u{c}rac{1}{2}", "\\left(x\right)"] {
            let error = parse(text, &Declarations::default()).expect_err(text);
            assert_eq!(error.problem, Problem::LostBackslash, "{text:?}: {error}");
        }
        let stray = parse("2\u{8}3", &Declarations::default()).expect_err("a backspace");
        assert_eq!(stray.problem, Problem::UnknownCharacter);
        assert!(stray.message.contains("`\\b`"), "{}", stray.message);
    }
}
