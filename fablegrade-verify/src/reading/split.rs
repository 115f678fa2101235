//! Splits texts at their top level: lists, tuples, chains of equations.

use super::words::is_joining_word;
use crate::notation::command_at;

/// A sign or word at the top level that separates or relates the parts of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mark {
    Comma,
    Semicolon,
    /// `\text{and}`, `or`, `\lor`, `\quad` and similar words and commands.
    Joint,
    Equals,
    Approx,
    In,
}

/// Returns the marks at the top level of a tidied text, with their byte ranges.
///
/// Brackets, environments and groups each add a level. The brackets of a half-open interval, `[0, 1)`, match.
pub(crate) fn marks(text: &str) -> Vec<(Mark, usize, usize)> {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0_i32, 0);
    let mut found = Vec::new();
    while let Some(&byte) = bytes.get(at) {
        let mut next = at + 1;
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b',' if depth <= 0 => {
                // the comma of `{,}` is inside a group and does not occur here
                found.push((Mark::Comma, at, next));
            }
            b';' if depth <= 0 => found.push((Mark::Semicolon, at, next)),
            b'=' if depth <= 0 => found.push((Mark::Equals, at, next)),
            b'\\' => match command_at(text, at) {
                None => {
                    match bytes.get(at + 1) {
                        Some(b'{') => depth += 1,
                        Some(b'}') => depth -= 1,
                        _ => {}
                    }
                    next = at + 2;
                }
                Some((command, end)) => {
                    next = end;
                    match command {
                        "begin" | "langle" | "lfloor" | "lceil" => depth += 1,
                        "end" | "rangle" | "rfloor" | "rceil" => depth -= 1,
                        "quad" | "lor" | "land" | "vee" | "wedge" if depth <= 0 => {
                            found.push((Mark::Joint, at, end));
                        }
                        "approx" | "simeq" if depth <= 0 => found.push((Mark::Approx, at, end)),
                        "in" if depth <= 0 => found.push((Mark::In, at, end)),
                        "text" | "mathrm" | "mbox" => {
                            if let Some((inner, after)) = crate::notation::group_at(text, end) {
                                if depth <= 0 && is_joint(inner) {
                                    found.push((Mark::Joint, at, after));
                                }
                                next = after;
                            }
                        }
                        _ => {}
                    }
                }
            },
            b'a'..=b'z' | b'A'..=b'Z' => {
                let length = text[at..].bytes().take_while(u8::is_ascii_alphabetic).count();
                next = at + length;
                let spanish = length == 1
                    && byte == b'y'
                    && at > 1
                    && bytes[at - 1] == b' '
                    && bytes[at - 2].is_ascii_digit()
                    && bytes.get(at + 1) == Some(&b' ')
                    && bytes.get(at + 2).is_some_and(u8::is_ascii_digit);
                if depth <= 0
                    && (is_joint(&text[at..next]) || spanish)
                    && (at == 0 || !bytes[at - 1].is_ascii_alphanumeric())
                {
                    found.push((Mark::Joint, at, next));
                }
            }
            _ => {}
        }
        at = next;
    }
    found
}

/// Returns whether a word joins the members of a list.
fn is_joint(word: &str) -> bool {
    let word = word.trim().trim_matches([',', ';', ' ']);
    let last = word.rsplit(' ').next().unwrap_or_default();
    // `y` can be a name
    last.len() > 1 && is_joining_word(last) || matches!(word, "And" | "AND" | "OR" | "Or" | "&")
}

/// Returns the members of a list at the top level, without blank ones. A text that is not a list has one
/// member, a blank text none. `commas` decides whether the comma at a position separates.
pub(crate) fn members(text: &str, commas: impl Fn(usize) -> bool) -> Vec<&str> {
    let mut members = Vec::new();
    let mut start = 0;
    for (mark, at, end) in marks(text) {
        let parts = match mark {
            Mark::Comma => commas(at),
            Mark::Semicolon | Mark::Joint => true,
            _ => false,
        };
        if parts {
            members.push(text[start..at].trim());
            start = end;
        }
    }
    members.push(text[start..].trim());
    members.retain(|member| !member.is_empty());
    members
}

/// The maximum number of groups of three digits that are read before a comma.
const MOST_GROUPS: usize = 8;

/// Returns whether the comma at `at` is part of a number: that of thousands in `1,000`, but not in `1, 000` or `1,00`, and
/// the decimal comma of `0,125`, but not the first comma of `0,125,250`.
pub(crate) fn is_inside_number(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    let digits = |range: &[u8]| !range.is_empty() && range.iter().all(u8::is_ascii_digit);
    let before = bytes[..at].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let after = bytes[at + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    // only the first group has no zero at its start: `12,000,000`
    let mut first = at - before;
    for _ in 0..MOST_GROUPS {
        let group = bytes[..first].strip_suffix(b",").filter(|_| before == 3);
        let digits =
            group.map_or(0, |front| front.iter().rev().take_while(|byte| byte.is_ascii_digit()).count());
        if !(1..=3).contains(&digits) {
            break;
        }
        first -= digits + 1;
        if digits < 3 {
            break;
        }
    }
    let zero = before > 0 && bytes[first] == b'0';
    let decimal = before == 1 && zero && bytes.get(at + 4) != Some(&b',') && !bytes[..at - 1].ends_with(b",");
    (1..=3).contains(&before) && (!zero || decimal) && after == 3 && digits(&bytes[at + 1..at + 4])
}

/// A text in a pair of brackets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bracketed<'t> {
    pub(crate) open: Bracket,
    pub(crate) inside: &'t str,
    pub(crate) close: Bracket,
}

/// A kind of bracket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bracket {
    Round,
    Square,
    Set,
    Angle,
}

/// Returns the pair of brackets that encloses a whole text.
pub(crate) fn bracketed(text: &str) -> Option<Bracketed<'_>> {
    let text = text.trim();
    let (open, start) = if text.starts_with('(') {
        (Bracket::Round, 1)
    } else if text.starts_with('[') {
        (Bracket::Square, 1)
    } else if text.starts_with("\\{") {
        (Bracket::Set, 2)
    } else if text.starts_with("\\langle") {
        (Bracket::Angle, 7)
    } else {
        return None;
    };
    let (close, length) = if text.ends_with("\\}") {
        (Bracket::Set, 2)
    } else if text.ends_with("\\rangle") {
        (Bracket::Angle, 7)
    } else if text.ends_with(')') {
        (Bracket::Round, 1)
    } else if text.ends_with(']') {
        (Bracket::Square, 1)
    } else {
        return None;
    };
    let end = text.len().checked_sub(length)?;
    let inside = text.get(start..end)?;
    // the first bracket must close at the end
    let (mut depth, mut at) = (0_i32, 0);
    let bytes = inside.as_bytes();
    while let Some(&byte) = bytes.get(at) {
        let mut next = at + 1;
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b'\\' => {
                let rest = &inside[at..];
                if rest.starts_with("\\{") || rest.starts_with("\\langle") {
                    depth += 1;
                } else if rest.starts_with("\\}") || rest.starts_with("\\rangle") {
                    depth -= 1;
                }
                next = command_at(inside, at).map_or(at + 2, |(_, end)| end);
            }
            _ => {}
        }
        if depth < 0 {
            return None;
        }
        at = next;
    }
    Some(Bracketed { open, inside: inside.trim(), close })
}

/// Returns the rows of a matrix environment that encloses a whole text.
pub(crate) fn matrix(text: &str) -> Option<Vec<Vec<&str>>> {
    let text = text.trim();
    let (text, outer) = match bracketed(text) {
        Some(brackets) if brackets.inside.starts_with("\\begin{array}") => (brackets.inside, true),
        _ => (text, false),
    };
    let rest = text.strip_prefix("\\begin{")?;
    let (name, rest) = rest.split_once('}')?;
    let kind = name.trim_end_matches('*');
    let known = matches!(kind, "pmatrix" | "bmatrix" | "matrix" | "Bmatrix" | "smallmatrix");
    if !known && (!outer || kind != "array") {
        return None;
    }
    let rest =
        if kind == "array" { crate::notation::group_at(rest, 0).map(|(_, end)| &rest[end..])? } else { rest };
    let inside = rest.strip_suffix('}')?.strip_suffix(name)?.strip_suffix("\\end{")?;
    if inside.contains("\\begin{") {
        return None;
    }
    let rows: Vec<Vec<&str>> = inside
        .split("\\\\")
        .map(|row| row.split('&').map(str::trim).collect())
        .filter(|row: &Vec<&str>| row.iter().any(|entry| !entry.is_empty()))
        .collect();
    (!rows.is_empty()).then_some(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_come_apart_at_their_top_level() {
        let split = |text| members(text, |at| !is_inside_number(text, at));
        assert_eq!(split(r"1, (2, 3) \text{ and } \{4, 5\}"), ["1", "(2, 3)", r"\{4, 5\}"]);
        assert_eq!(split("1,000, 2"), ["1,000", "2"]);
        assert_eq!(split("7, -2, and -5"), ["7", "-2", "-5"]);
        assert_eq!(split("(0,1]"), ["(0,1]"]);
        assert_eq!(split(r"1 \text{ oppure } 2 \text{ или } 3 \text{ 和 } 4"), ["1", "2", "3", "4"]);
        assert_eq!(split(r"1;\frac{8}{9}"), ["1", r"\frac{8}{9}"]);
    }

    #[test]
    fn brackets_enclose_all_or_nothing() {
        assert_eq!(bracketed("(1, 2)").map(|b| b.inside), Some("1, 2"));
        assert_eq!(bracketed("(1)(2)"), None);
        assert_eq!(bracketed("[0,1)").map(|b| (b.open, b.close)), Some((Bracket::Square, Bracket::Round)));
        assert_eq!(matrix(r"\begin{pmatrix}1\\2\end{pmatrix}"), Some(vec![vec!["1"], vec!["2"]]));
    }
}
