//! Finds braced groups in linear time, however many of them are not closed.

use std::cell::OnceCell;
use std::ops::Range;

use crate::notation::group_at;

/// The maximum length of a group whose end is found by a short search, in bytes. Most groups are shorter.
const NEAR: usize = 1_000;

/// The braced groups of a text.
///
/// A search for the end of each group is quadratic if many groups have no end. So if a group has no end nearby,
/// one pass finds the ends of all groups.
pub(super) struct Groups<'t> {
    text: &'t str,
    /// The braces that open a group, in order, each with the brace that closes it.
    pairs: OnceCell<Vec<(usize, Option<usize>)>>,
}

impl<'t> Groups<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, pairs: OnceCell::new() }
    }

    /// Returns the range of the content and the end of the group at `at` or after blanks, like [`group_at`]. A
    /// backslash must not precede the group.
    pub(super) fn at(&self, at: usize) -> Option<(Range<usize>, usize)> {
        let rest = self.text.get(at..)?;
        let open = at + rest.len() - rest.trim_start().len();
        if !self.text[open..].starts_with('{') {
            return None;
        }
        if self.pairs.get().is_none()
            && let Some((_, end)) = group_at(start_of(&self.text[open..], NEAR), 0)
        {
            return Some((open + 1..open + end - 1, open + end));
        }
        let pairs = self.pairs.get_or_init(|| pairs(self.text));
        let found = pairs.binary_search_by_key(&open, |(open, _)| *open).ok()?;
        let close = pairs[found].1?;
        Some((open + 1..close, close + 1))
    }
}

/// Returns the start of a text: at most `most` bytes.
pub(super) fn start_of(text: &str, most: usize) -> &str {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Returns the end of a text: at most `most` bytes.
pub(super) fn end_of(text: &str, most: usize) -> &str {
    let mut start = text.len().saturating_sub(most);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    &text[start..]
}

fn pairs(text: &str) -> Vec<(usize, Option<usize>)> {
    let bytes = text.as_bytes();
    let mut pairs = Vec::new();
    let mut open = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'{' => {
                open.push(pairs.len());
                pairs.push((at, None));
            }
            b'}' => {
                if let Some(pair) = open.pop() {
                    pairs[pair].1 = Some(at);
                }
            }
            _ => {}
        }
        at += 1;
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_those_of_group_at() {
        let long = "x".repeat(2 * NEAR);
        for text in [
            "a{b{c}d}e".to_owned(),
            format!("{{{{{long}}}{{"),
            format!("}}{{ {{{long}\\}}é}} {{{long}}}"),
            format!("{{{long}\\\\}}  {{{{{long}"),
        ] {
            let groups = Groups::new(&text);
            for at in (0..text.len()).filter(|at| text.is_char_boundary(*at) && !text[..*at].ends_with('\\'))
            {
                let expected =
                    group_at(&text, at).map(|(content, end)| (end - 1 - content.len()..end - 1, end));
                assert_eq!(groups.at(at), expected, "{at}");
            }
        }
    }

    #[test]
    fn parts_of_a_text_end_between_characters() {
        let text = "aé∴b";
        for (most, start, end) in
            [(0, "", ""), (1, "a", "b"), (2, "a", "b"), (3, "aé", "b"), (4, "aé", "∴b"), (6, "aé∴", "é∴b")]
        {
            assert_eq!((start_of(text, most), end_of(text, most)), (start, end), "{most}");
        }
        assert_eq!((start_of(text, 99), end_of(text, 7)), (text, text));
    }
}
