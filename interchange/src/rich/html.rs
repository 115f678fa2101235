//! A lenient reader of HTML.

use std::borrow::Cow;

use super::RichText;
use crate::mathml;
use crate::xml::unescape;

impl RichText {
    /// Ends the element whose end tag HTML lets authors leave out before this start tag, such as `p` before `p`.
    fn end_implied(&mut self, name: &str) {
        let name = name.to_ascii_lowercase();
        // The elements that this start tag can end, and their containers. Elements outside the innermost container
        // do not end.
        let (ends, inside): (&[&str], &[&str]) = match name.as_str() {
            "p" => {
                (&["p"], &["table", "td", "th", "li", "dd", "dt", "blockquote", "div", "section", "figure"])
            }
            "li" => (&["li"], &["ul", "ol"]),
            "dt" | "dd" => (&["dt", "dd"], &["dl"]),
            "td" | "th" => (&["td", "th"], &["tr", "table"]),
            "tr" => (&["tr"], &["table"]),
            _ => return,
        };
        let last = self
            .open
            .iter()
            .rev()
            .find(|(open, _)| ends.contains(&open.as_str()) || inside.contains(&open.as_str()));
        if let Some((open, _)) = last
            && ends.contains(&open.as_str())
        {
            let open = open.clone();
            self.beyond.remove(&open);
            self.end(&open);
        }
    }
}

/// Adds HTML, which may be malformed, to a text under construction.
pub fn html_into(html: &str, rich: &mut RichText) {
    let bytes = html.as_bytes();
    let mut at = 0;
    let lenient = |text: &str| lenient_unescape(text).into_owned();
    while at < html.len() {
        let open = html[at..].find('<').map_or(html.len(), |found| at + found);
        if open > at {
            rich.text(&lenient_unescape(&html[at..open]));
        }
        if open == html.len() {
            break;
        }
        at = open;
        let rest = &html[at..];
        if rest.starts_with("<!--") {
            at += rest.find("-->").map_or(rest.len(), |end| end + 3);
            continue;
        }
        let next = bytes.get(at + 1).copied().unwrap_or(b' ');
        if next == b'!' || next == b'?' {
            at += rest.find('>').map_or(rest.len(), |end| end + 1);
            continue;
        }
        if !(next.is_ascii_alphabetic()
            || (next == b'/' && bytes.get(at + 2).is_some_and(u8::is_ascii_alphabetic)))
        {
            rich.text("<");
            at += 1;
            continue;
        }
        let Some(length) = tag_end(rest) else {
            if rich.hidden == 0 && rich.verbatim == 0 {
                rich.due_blank();
                rich.shown_tag();
            } else {
                rich.text("<");
            }
            at += 1;
            continue;
        };
        let tag = &rest[1..length - 1];
        at += length;
        if let Some(name) = tag.strip_prefix('/') {
            rich.end(name.trim());
            continue;
        }
        let stop = tag.find(|c: char| c.is_ascii_whitespace() || c == '/').unwrap_or(tag.len());
        let name = &tag[..stop];
        if name.eq_ignore_ascii_case("math") {
            if is_self_closing(&tag[stop..]) {
                continue;
            }
            let end = find_ignoring_case(&html[at..], "</math>").map_or(html.len(), |found| at + found + 7);
            rich.raw(&mathml::from_text(&html[at - length..end]));
            at = end;
            continue;
        }
        rich.end_implied(name);
        rich.start(name, &|wanted| html_attribute(&tag[stop..], wanted).map(lenient));
        if name.eq_ignore_ascii_case("script") || name.eq_ignore_ascii_case("style") {
            let close = format!("</{name}");
            at += find_ignoring_case(&html[at..], &close).unwrap_or(html.len() - at);
        } else if is_self_closing(&tag[stop..]) {
            rich.end(name);
        }
    }
}

fn find_ignoring_case(text: &str, wanted: &str) -> Option<usize> {
    let (text, wanted) = (text.as_bytes(), wanted.as_bytes());
    text.windows(wanted.len()).position(|window| window.eq_ignore_ascii_case(wanted))
}

/// Returns the length of a tag with both angle brackets; quoted attributes can contain a `>`. Returns `None` if the tag
/// is not closed, contains an unquoted `<` or is longer than 1 MiB.
fn tag_end(text: &str) -> Option<usize> {
    let mut quote = 0;
    for (at, byte) in text.bytes().enumerate().take(1 << 20).skip(1) {
        match byte {
            b'>' if quote == 0 => return Some(at + 1),
            b'<' if quote == 0 => return None,
            b'"' | b'\'' if quote == 0 => quote = byte,
            byte if byte == quote => quote = 0,
            _ => {}
        }
    }
    None
}

/// Returns whether the rest of a start tag ends with a slash that is not part of an unquoted value.
fn is_self_closing(mut rest: &str) -> bool {
    let mut slash = rest.ends_with('/');
    while slash && let Some((_, value, after)) = next_attribute(rest) {
        slash = !(after.is_empty() && value.ends_with('/'));
        rest = after;
    }
    slash
}

/// Returns the value of an attribute in the rest of a start tag.
fn html_attribute<'h>(mut rest: &'h str, wanted: &str) -> Option<&'h str> {
    while let Some((name, value, after)) = next_attribute(rest) {
        if name.eq_ignore_ascii_case(wanted) {
            return Some(value);
        }
        rest = after;
    }
    None
}

/// Returns the name and the value of the first attribute in the rest of a start tag, and the text after it.
fn next_attribute(rest: &str) -> Option<(&str, &str, &str)> {
    let mut rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
    if rest.is_empty() {
        return None;
    }
    let end = rest.find(|c: char| c.is_ascii_whitespace() || c == '=' || c == '/').unwrap_or(rest.len());
    let name = &rest[..end];
    rest = rest[end..].trim_start();
    let mut value = "";
    if let Some(after) = rest.strip_prefix('=') {
        let after = after.trim_start();
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''));
        (value, rest) = match quote {
            Some(quote) => after[1..].split_once(quote).unwrap_or((&after[1..], "")),
            None => {
                let end = after.find(|c: char| c.is_ascii_whitespace()).unwrap_or(after.len());
                after.split_at(end)
            }
        };
    } else if end == 0 {
        // Skip a stray character.
        let mut chars = rest.chars();
        chars.next();
        rest = chars.as_str();
    }
    Some((name, value, rest))
}

/// Resolves known character references and keeps the others unchanged.
pub fn lenient_unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for (index, piece) in text.split('&').enumerate() {
        if index == 0 {
            out.push_str(piece);
            continue;
        }
        let end = piece.bytes().take(40).position(|byte| byte == b';');
        match end.and_then(|end| unescape_one(&piece[..end]).map(|known| (known, end))) {
            Some((known, end)) => {
                out.push_str(&known);
                out.push_str(&piece[end + 1..]);
            }
            None => {
                out.push('&');
                out.push_str(piece);
            }
        }
    }
    Cow::Owned(out)
}

fn unescape_one(name: &str) -> Option<String> {
    unescape(&format!("&{name};")).ok().map(Cow::into_owned)
}
