//! Words for *and* and *or* in several languages.

use crate::commands::Token;

/// A word between two statements.
struct Connective {
    word: &'static str,
    token: Token,
    /// Whether the word has other meanings, so it joins only what has relations on both sides.
    is_common: bool,
}

const fn certain(word: &'static str, token: Token) -> Connective {
    Connective { word, token, is_common: false }
}

const fn common(word: &'static str, token: Token) -> Connective {
    Connective { word, token, is_common: true }
}

/// English and German words without other meanings are in the table of words in [`crate::commands`].
#[rustfmt::skip]
const CONNECTIVES: &[Connective] = &[
    // French, Spanish, Portuguese, Italian, Romanian
    certain("ou", Token::Or), certain("oppure", Token::Or), certain("sau", Token::Or), common("o", Token::Or), common("u", Token::Or),
    certain("et", Token::And), common("y", Token::And), common("e", Token::And), common("ed", Token::And), certain("și", Token::And), certain("şi", Token::And),
    // Dutch, Danish, Norwegian, Swedish
    certain("eller", Token::Or), common("of", Token::Or), certain("og", Token::And), certain("och", Token::And), common("en", Token::And),
    // Polish, Czech, Slovak, Croatian, Slovenian
    certain("lub", Token::Or), certain("albo", Token::Or), certain("nebo", Token::Or), certain("anebo", Token::Or), certain("alebo", Token::Or), certain("ili", Token::Or), common("ali", Token::Or),
    certain("oraz", Token::And), common("i", Token::And), common("a", Token::And),
    // Hungarian, Finnish, Turkish, Greek
    certain("vagy", Token::Or), certain("tai", Token::Or), certain("veya", Token::Or), certain("ή", Token::Or),
    certain("és", Token::And), common("ja", Token::And), certain("ve", Token::And), certain("και", Token::And),
    // Russian, Ukrainian
    certain("или", Token::Or), certain("либо", Token::Or), certain("або", Token::Or), common("и", Token::And), common("і", Token::And), certain("та", Token::And),
];

/// How far before and after a word a relation is looked for.
const NEAR: usize = 200;

/// Returns *and* or *or* for a word in `before{word}after` that joins two parts. `is_spaced` if blanks separate it
/// from its neighbours.
pub(crate) fn connective(word: &str, before: &str, after: &str, is_spaced: bool) -> Option<Token> {
    let found = CONNECTIVES.iter().find(|known| known.word == word)?;
    if !found.is_common {
        let (before, after) = (before.trim_end(), after.trim_start());
        let opens = before.is_empty() || before.ends_with(['_', '^', '{', '(']) || opens_a_fence(before);
        let closes = after.is_empty() || after.starts_with(['}', ')']) || after.starts_with("\\right");
        let joins = !opens && !closes;
        return joins.then_some(found.token);
    }
    let front = before.len() - before.len().min(NEAR);
    let front = (front..=before.len()).find_map(|at| before.get(at..)).unwrap_or("");
    let back = (0..=after.len().min(NEAR)).rev().find_map(|at| after.get(..at)).unwrap_or("");
    (is_spaced && has_relation(front) && has_relation(back)).then_some(found.token)
}

/// Whether a text ends in `\left` with its delimiter.
fn opens_a_fence(text: &str) -> bool {
    text.strip_suffix(['(', '[', ']', '|', '{'])
        .is_some_and(|text| text.strip_suffix('\\').unwrap_or(text).ends_with("\\left"))
}

fn has_relation(text: &str) -> bool {
    let signs = ["=", "<", ">", "≤", "≥", "≠", "∈", "\\le", "\\ge", "\\ne", "\\in", "\\lt", "\\gt"];
    signs.iter().any(|sign| {
        text.match_indices(sign).any(|(at, _)| {
            let rest = &text[at + sign.len()..];
            // `\left`, `\geqslant` and `\infty` begin in the same way
            !sign.starts_with('\\')
                || ["", "q", "qq", "qslant"].iter().any(|end| {
                    rest.strip_prefix(end)
                        .is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphabetic()))
                })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::connective;
    use crate::commands::Token;

    #[test]
    fn common_words_join_relations_only() {
        assert_eq!(connective("ou", "x=2\\text", "x=3", true), Some(Token::Or));
        assert_eq!(connective("ou", "2", "3", true), Some(Token::Or));
        assert_eq!(connective("ou", "", "", true), None);
        assert_eq!(connective("ou", "\\operatorname{sgn}\\left(", "\\right)", false), None);
        assert_eq!(connective("ou", "x\\in\\left]1,2\\right[", "x=3", true), Some(Token::Or));
        assert_eq!(connective("y", "x=2\\text", "x=3", true), Some(Token::And));
        assert_eq!(connective("y", "x=2\\text", "x=3", false), None);
        assert_eq!(connective("y", "x=2\\text", "\\left(x\\right)", true), None);
        assert_eq!(connective("luego", "x=2\\text", "x=3", true), None);
    }
}
