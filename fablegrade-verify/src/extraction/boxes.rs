//! Reads boxes, matches their braces, and decides which boxes form a list.

use std::cell::Cell;
use std::ops::Range;

use super::groups::{Groups, start_of};
use super::landmarks::{Found, Landmark};
use crate::notation::command_at;
use crate::reading::words::is_joining_word;

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

/// Reads the boxes of a text. The results of the last searches are kept, so reading all boxes from the first to the
/// last takes linear time even if none of them is closed.
pub(super) struct Reader<'t> {
    window: &'t str,
    groups: Groups<'t>,
    /// The last search for a formula's end.
    stop: Cell<Option<Stop>>,
    /// The start and the result of the last search for `<|end_of_box|>`.
    token: Cell<Option<(usize, Option<usize>)>>,
}

/// The first place at or after `from` where a line or the formula around a box ends.
#[derive(Clone, Copy)]
struct Stop {
    from: usize,
    at: usize,
    /// The end of the last character before `at` that is not blank.
    solid: usize,
}

const TOKEN_END: &str = "<|end_of_box|>";

/// The maximum length of the options of `\bbox`, in bytes.
const MOST_OPTIONS: usize = 400;

impl<'t> Reader<'t> {
    pub(super) fn new(window: &'t str) -> Self {
        Self { window, groups: Groups::new(window), stop: Cell::new(None), token: Cell::new(None) }
    }

    /// Reads the box at a landmark.
    pub(super) fn read(&self, found: &Found) -> AtBox {
        let window = self.window;
        let mut at = found.range.end;
        let name = &window[found.range.clone()];
        match found.landmark {
            Landmark::BoxToken => {
                return match self.token_end(at) {
                    Some(close) => complete(found.range.start, at..close, close + TOKEN_END.len()),
                    None => AtBox::Cut,
                };
            }
            Landmark::DamagedBox => {
                at -= 1;
                let before = window[..found.range.start].chars().next_back();
                let named = before == Some('b') || before == Some('B');
                let word = if named { window[..found.range.start - 1].chars().next_back() } else { before };
                if word.is_some_and(char::is_alphanumeric) {
                    return AtBox::Mention;
                }
            }
            _ if (name.eq_ignore_ascii_case("\\bbox") || name.eq_ignore_ascii_case("\\framebox"))
                && window[at..].starts_with('[') =>
            {
                at += start_of(&window[at..], MOST_OPTIONS).find(']').map_or(0, |close| close + 1);
            }
            _ if name.eq_ignore_ascii_case("\\colorbox") => {
                at = self.groups.at(at).map_or(at, |(_, end)| end);
            }
            _ => {}
        }
        if window[at..].starts_with(|c: char| c.is_ascii_alphabetic()) {
            // a longer command that starts with these letters
            return AtBox::Mention;
        }
        let rest = window[at..].trim_start();
        let start = window.len() - rest.len();
        if rest.starts_with('{') {
            return match self.groups.at(start) {
                Some((content, after)) => complete(found.range.start, content, after),
                None => self.repaired(found.range.start, start + 1),
            };
        }
        self.bare(found.range.start, start)
    }

    /// Returns the position of the first `<|end_of_box|>` at or after `from`.
    fn token_end(&self, from: usize) -> Option<usize> {
        if let Some((earlier, found)) = self.token.get()
            && earlier <= from
            && found.is_none_or(|found| from <= found)
        {
            return found;
        }
        let rest = &self.window[from..];
        let is_end = |at: usize| {
            rest.get(at..at + TOKEN_END.len()).is_some_and(|token| token.eq_ignore_ascii_case(TOKEN_END))
        };
        let found = rest.match_indices('<').map(|(at, _)| at).find(|at| is_end(*at)).map(|at| from + at);
        self.token.set(Some((from, found)));
        found
    }

    /// Returns the first end of a line or a formula at or after `from`; a `$` at `from` itself does not count.
    fn stop(&self, from: usize) -> Stop {
        let dollar_at = |at: usize| self.window[at..].starts_with('$');
        if let Some(stop) = self.stop.get()
            && stop.from <= from
            && (from < stop.at || from == stop.at && !dollar_at(from))
        {
            return stop;
        }
        let rest = &self.window[from..];
        let mut solid = from;
        let mut previous = None;
        let mut stop = None;
        for (at, c) in rest.char_indices() {
            let ends = match c {
                '\n' => true,
                '$' => at > 0 && previous != Some('\\'),
                '\\' => rest[at..].starts_with("\\]") || rest[at..].starts_with("\\)"),
                _ => false,
            };
            if ends {
                stop = Some(from + at);
                break;
            }
            if !c.is_whitespace() {
                solid = from + at + c.len_utf8();
            }
            previous = Some(c);
        }
        let stop = Stop { from, at: stop.unwrap_or(self.window.len()), solid };
        self.stop.set(Some(stop));
        stop
    }

    /// Ends a box that lacks its closing brace where the formula around it ends.
    fn repaired(&self, start: usize, content: usize) -> AtBox {
        let stop = self.stop(content);
        let in_line = self.window[stop.at..].starts_with(['$', '\\']);
        if !in_line || stop.solid <= content {
            return AtBox::Cut;
        }
        let inside = &self.window[content..stop.solid];
        let inside = inside.strip_suffix("\\}").unwrap_or(inside);
        complete(start, content..content + inside.len(), stop.at)
    }

    /// Reads a box without braces, such as `\boxed 5` or `\boxed\frac{1}{2}`: a token and its arguments.
    fn bare(&self, start: usize, at: usize) -> AtBox {
        let rest = &self.window[at..];
        if rest.starts_with('\\') {
            let Some((_, mut end)) = command_at(self.window, at) else { return AtBox::Mention };
            while let Some((_, after)) = self.groups.at(end).filter(|_| self.window[end..].starts_with('{')) {
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
}

fn complete(start: usize, content: Range<usize>, end: usize) -> AtBox {
    AtBox::Complete(Boxed { range: start..end, content })
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
                    at += 1 + between[at + 1..].chars().next().map_or(0, char::len_utf8);
                    continue;
                }
            }
            b'$' => display_border |= bytes.get(at + 1) == Some(&b'$'),
            b'{' | b'}' => {}
            _ => {
                let c = between[at..].chars().next().unwrap_or(' ');
                match c {
                    '、' | '，' => plain.push(','),
                    '；' => plain.push(';'),
                    // words of a script without blanks
                    '和' | '或' | '与' => plain.push_str(" and "),
                    c => plain.push(c),
                }
                at += c.len_utf8();
                continue;
            }
        }
        at += 1;
    }
    let plain = plain.trim().to_ascii_lowercase();
    let words: Vec<&str> =
        plain.split(|c: char| !c.is_alphanumeric() && c != '?').filter(|word| !word.is_empty()).collect();
    let joint = |word: &&str| is_joining_word(word);
    if words.iter().all(joint) {
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
