//! The `pl-` elements of a question's HTML.

use std::collections::HashMap;
use std::ops::Range;

use fablegrade_public::Decimal;

use crate::loss::Place;
use crate::moodle::question::normal_number;
use crate::rich::lenient_unescape;

/// An element whose name begins with `pl-`.
pub(super) struct Element<'h> {
    pub(super) name: &'h str,
    pub(super) attributes: Vec<(&'h str, String)>,
    pub(super) outer: Range<usize>,
    pub(super) inner: Range<usize>,
    pub(super) line: u32,
}

impl Element<'_> {
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    pub(super) fn yes(&self, name: &str, default: bool) -> bool {
        self.attribute(name).map_or(default, |value| {
            matches!(value.trim().to_ascii_lowercase().as_str(), "true" | "t" | "1" | "yes" | "y")
        })
    }

    pub(super) fn number(&self, name: &str) -> Option<Decimal> {
        decimal(self.attribute(name)?)
    }

    pub(super) fn place(&self) -> Place {
        Place::new(self.name, self.line)
    }
}

pub(super) fn decimal(text: &str) -> Option<Decimal> {
    Decimal::from_text(&normal_number(text)?).ok()
}

/// The maximum number of elements of a question.
pub(super) const MAX_ELEMENTS: usize = 5_000;

/// Returns the `pl-` elements of a text in the order of their start tags, in linear time; at most one more than
/// [`MAX_ELEMENTS`].
pub(super) fn elements(html: &str) -> Vec<Element<'_>> {
    let mut found: Vec<Element<'_>> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    // The number of open elements of each name.
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let mut at = 0;
    let mut line = 1;
    let mut counted = 0;
    while let Some(start) = html[at..].find('<').map(|found| at + found) {
        let rest = &html[start..];
        if rest.starts_with("<!--") {
            at = start + rest.find("-->").map_or(rest.len(), |end| end + 3);
            continue;
        }
        if let Some(after) = rest.strip_prefix("</pl-") {
            let length = after.find('>').unwrap_or(after.len());
            let name = after[..length].trim();
            at = start + (5 + length + 1).min(rest.len());
            while counts.get(name).is_some_and(|count| *count > 0) {
                let Some(index) = open.pop() else { break };
                found[index].inner.end = start;
                found[index].outer.end = at;
                let closed = &found[index].name[3..];
                counts.entry(closed).and_modify(|count| *count -= 1);
                if closed == name {
                    break;
                }
            }
            continue;
        }
        if !rest.starts_with("<pl-") || found.len() > MAX_ELEMENTS {
            at = start + 1;
            continue;
        }
        let (name, attributes, length, empty) = start_tag(rest);
        line += html[counted..start].bytes().filter(|byte| *byte == b'\n').count() as u32;
        counted = start;
        let end = start + length;
        found.push(Element { name, attributes, outer: start..end, inner: end..end, line });
        if !empty {
            open.push(found.len() - 1);
            *counts.entry(&name[3..]).or_default() += 1;
        }
        at = end;
    }
    found
}

type StartTag<'h> = (&'h str, Vec<(&'h str, String)>, usize, bool);

/// The maximum number of attributes of an element that are read.
const MAX_ATTRIBUTES: usize = 200;

/// Returns the name, the attributes and the length of a start tag, and whether it is self-closing.
fn start_tag(text: &str) -> StartTag<'_> {
    let name_end =
        text[1..].find(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).map_or(text.len(), |end| end + 1);
    let mut attributes = Vec::new();
    let mut at = name_end;
    loop {
        at += text[at..].len() - text[at..].trim_start().len();
        let rest = &text[at..];
        if rest.is_empty() {
            return (&text[1..name_end], attributes, at, false);
        }
        if let Some(length) = [">", "/>"].into_iter().find(|end| rest.starts_with(end)).map(str::len) {
            return (&text[1..name_end], attributes, at + length, length == 2);
        }
        let end = rest
            .find(|c: char| c.is_whitespace() || matches!(c, '=' | '>' | '/'))
            .unwrap_or(rest.len())
            .max(1);
        let end = (end..=rest.len()).find(|end| rest.is_char_boundary(*end)).unwrap_or(rest.len());
        let name = &rest[..end];
        at += end;
        let after = text[at..].trim_start();
        let Some(value) = after.strip_prefix('=') else {
            if attributes.len() < MAX_ATTRIBUTES {
                attributes.push((name, String::new()));
            }
            continue;
        };
        let value = value.trim_start();
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
        let (given, left) = match quote {
            Some(quote) => value[1..].split_once(quote).unwrap_or((&value[1..], "")),
            None => {
                value.split_at(value.find(|c: char| c.is_whitespace() || c == '>').unwrap_or(value.len()))
            }
        };
        at = text.len() - left.len();
        if attributes.len() < MAX_ATTRIBUTES {
            attributes.push((name, lenient_unescape(given).into_owned()));
        }
    }
}
