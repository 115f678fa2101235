//! Reads boxes, matches their braces, and decides which boxes form a list.

use std::ops::Range;

use super::landmarks::{Found, Landmark};
use crate::notation::{command_at, group_at};

/// The range of a box, and the range of its content.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Boxed {
    pub(super) range: Range<usize>,
    pub(super) content: Range<usize>,
}

/// The result of reading a box command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum AtBox {
    Complete(Boxed),
    /// The text ends inside the box.
    Cut,
    /// The command is only mentioned; there is no box.
    Mention,
}

/// Reads the box at a landmark, within the text before `end`.
pub(super) fn read(text: &str, found: &Found, end: usize) -> AtBox {
    let window = &text[..end];
    let mut at = found.range.end;
    let name = &text[found.range.clone()];
    match found.landmark {
        Landmark::BoxToken => {
            let rest = &window[at..];
            let closing = rest.to_ascii_lowercase().find("<|end_of_box|>");
            return match closing {
                Some(length) => complete(found.range.start, at..at + length, at + length + 14),
                None => AtBox::Cut,
            };
        }
        Landmark::DamagedBox => {
            at -= 1;
            let before = text[..found.range.start].chars().next_back();
            let named = before == Some('b') || before == Some('B');
            let word = if named { text[..found.range.start - 1].chars().next_back() } else { before };
            if word.is_some_and(char::is_alphanumeric) {
                return AtBox::Mention;
            }
        }
        _ if name.eq_ignore_ascii_case("\\bbox") && window[at..].starts_with('[') => {
            at += window[at..].find(']').map_or(0, |close| close + 1);
        }
        _ if name.eq_ignore_ascii_case("\\colorbox") => {
            at = group_at(window, at).map_or(at, |(_, end)| end);
        }
        _ => {}
    }
    if window[at..].starts_with(|c: char| c.is_ascii_alphabetic()) {
        // a longer command that starts with these letters
        return AtBox::Mention;
    }
    let rest = window[at..].trim_start();
    let start = end - rest.len();
    if rest.starts_with('{') {
        return match group_at(window, start) {
            Some((content, after)) => {
                complete(found.range.start, start + 1..start + 1 + content.len(), after)
            }
            None => repaired(window, found.range.start, start + 1),
        };
    }
    bare(window, found.range.start, start)
}

fn complete(start: usize, content: Range<usize>, end: usize) -> AtBox {
    AtBox::Complete(Boxed { range: start..end, content })
}

/// Ends a box that lacks its closing brace where the formula around it ends.
fn repaired(window: &str, start: usize, content: usize) -> AtBox {
    let rest = &window[content..];
    let line = rest.find('\n').map_or(rest, |end| &rest[..end]);
    let close = line.char_indices().find_map(|(at, c)| match c {
        '$' if at > 0 && !line[..at].ends_with('\\') => Some(at),
        '\\' if line[at..].starts_with("\\]") || line[at..].starts_with("\\)") => Some(at),
        _ => None,
    });
    match close {
        Some(length) if !line[..length].trim().is_empty() => {
            let inside = line[..length].trim_end();
            let inside = inside.strip_suffix("\\}").unwrap_or(inside);
            complete(start, content..content + inside.len(), content + length)
        }
        _ => AtBox::Cut,
    }
}

/// Reads a box without braces, such as `\boxed 5` or `\boxed\frac{1}{2}`: a token and its arguments.
fn bare(window: &str, start: usize, at: usize) -> AtBox {
    let rest = &window[at..];
    if rest.starts_with('\\') {
        let Some((_, mut end)) = command_at(window, at) else { return AtBox::Mention };
        while let Some((_, after)) = group_at(window, end).filter(|_| window[end..].starts_with('{')) {
            end = after;
        }
        return complete(start, at..end, end);
    }
    let length = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'.').count();
    let token = rest[..length].trim_end_matches('.');
    let number = token.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if token.is_empty() || (!number && token.len() > 1) {
        return AtBox::Mention;
    }
    complete(start, at..at + token.len(), at + token.len())
}

/// Returns whether the text between two boxes joins them into a list.
pub(super) fn joined(between: &str) -> bool {
    if between.len() > 120 || between.trim().is_empty() && !between.contains('\\') {
        return false;
    }
    let mut plain = String::with_capacity(between.len());
    let mut display_border = false;
    let mut at = 0;
    let bytes = between.as_bytes();
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => {
                if let Some((command, end)) = command_at(between, at) {
                    if matches!(command, "quad" | "qquad") {
                        plain.push(',');
                    } else if !matches!(command, "text" | "mbox" | "textrm" | "left" | "right") {
                        plain.push('?');
                    }
                    at = end;
                    continue;
                } else {
                    display_border |= matches!(bytes.get(at + 1), Some(b'[' | b']'));
                    at += 2;
                    continue;
                }
            }
            b'$' => display_border |= bytes.get(at + 1) == Some(&b'$'),
            b'{' | b'}' => {}
            _ => plain.push(char::from(byte)),
        }
        at += 1;
    }
    let plain = plain.trim().to_ascii_lowercase();
    let words: Vec<&str> =
        plain.split(|c: char| !c.is_alphanumeric() && c != '?').filter(|word| !word.is_empty()).collect();
    let joint = |word: &&str| matches!(*word, "and" | "or" | "et" | "und" | "oder" | "ou");
    if words.iter().all(&joint) {
        // only separators and conjunctions
        let signs = plain.chars().all(|c| c.is_alphanumeric() || c.is_whitespace() || ",;&".contains(c));
        return signs && (!plain.is_empty() || display_border);
    }
    // one sentence with a conjunction
    words.iter().any(joint)
        && !plain.contains(['.', '?', '!', ':', ';', '\n'])
        && !words.iter().any(|word| {
            matches!(
                *word,
                "but"
                    | "no"
                    | "not"
                    | "wait"
                    | "so"
                    | "then"
                    | "hence"
                    | "therefore"
                    | "if"
                    | "instead"
                    | "finally"
            )
        })
}
