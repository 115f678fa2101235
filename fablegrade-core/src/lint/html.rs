//! HTML in plain texts: tags and entities.

use std::borrow::Cow;

const ENTITIES: [&str; 62] = [
    "lt", "gt", "amp", "quot", "apos", "nbsp", "ne", "le", "ge", "times", "divide", "deg", "plusmn", "minus",
    "middot", "sup1", "sup2", "sup3", "frac12", "frac14", "frac34", "pi", "alpha", "beta", "gamma", "delta",
    "theta", "lambda", "mu", "sigma", "phi", "omega", "Omega", "Delta", "Sigma", "auml", "ouml", "uuml",
    "Auml", "Ouml", "Uuml", "szlig", "eacute", "egrave", "agrave", "ccedil", "ntilde", "rarr", "larr",
    "uarr", "darr", "rArr", "ndash", "mdash", "hellip", "copy", "reg", "euro", "micro", "infin", "radic",
    "sum",
];

/// Returns whether a text contains an entity such as `&lt;` or `&#8804;`.
pub(super) fn has_entity(text: &str) -> bool {
    let text = without_code(text);
    text.match_indices('&').any(|(at, _)| {
        let rest = &text[at + 1..];
        let Some(end) = rest.bytes().take(12).position(|byte| byte == b';') else { return false };
        let name = &rest[..end];
        ENTITIES.contains(&name)
            || name.strip_prefix('#').is_some_and(|number| {
                let digits = number.trim_start_matches(['x', 'X']);
                !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
            })
    })
}

/// Tags for formatting and structure; other names in angle brackets, such as `<T>`, may be intended.
const TAGS: [&str; 32] = [
    "sub",
    "sup",
    "b",
    "i",
    "u",
    "em",
    "strong",
    "br",
    "p",
    "span",
    "div",
    "font",
    "img",
    "ul",
    "ol",
    "li",
    "table",
    "tr",
    "td",
    "th",
    "tt",
    "center",
    "h1",
    "h2",
    "h3",
    "h4",
    "pre",
    "code",
    "small",
    "a",
    "hr",
    "blockquote",
];

/// Returns whether a text contains a tag such as `<sub>` or `<a href="...">`; `x <b and c> d` does not.
pub(super) fn has_tag(text: &str) -> bool {
    let text = without_code(text);
    text.match_indices('<').any(|(at, _)| {
        let (closes, rest) = match text[at + 1..].strip_prefix('/') {
            Some(rest) => (true, rest),
            None => (false, &text[at + 1..]),
        };
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let name = rest[..end].to_ascii_lowercase();
        if !TAGS.contains(&name.as_str()) {
            return false;
        }
        let behind = &rest[end..];
        let inside =
            behind.bytes().take(200).position(|byte| byte == b'>').map(|stop| &behind.as_bytes()[..stop]);
        let Some(inside) = inside else { return false };
        // Without attributes, `<a>` may be a name in angle brackets.
        inside.iter().all(|byte| matches!(byte, b' ' | b'/')) && (closes || name != "a")
            || inside.contains(&b'=') && inside.starts_with(b" ")
    })
}

/// Returns the text without its parts between backticks.
fn without_code(text: &str) -> Cow<'_, str> {
    if text.matches('`').take(2).count() < 2 {
        return Cow::Borrowed(text);
    }
    let parts: Vec<&str> = text.split('`').collect();
    let closed = parts.len() % 2 == 1;
    let kept = parts.iter().enumerate().filter(|(at, _)| at % 2 == 0 || (!closed && at + 1 == parts.len()));
    Cow::Owned(kept.map(|(_, part)| *part).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_told_from_what_is_meant() {
        for text in
            ["H<sub>2</sub>O", "a<br/>b", "<a href='x'>y</a>", "<STRONG>yes</STRONG>", "<code>x</code>"]
        {
            assert!(has_tag(text), "{text}");
        }
        for text in ["x <b and c", "List<T>", "a<b and b>c", "if a<p and q>b", "use `<b>` here", "<a>"] {
            assert!(!has_tag(text), "{text}");
        }
        assert!(has_entity("a &lt; b") && has_entity("&#8804;") && has_entity("&Omega;"));
        assert!(!has_entity("AT&T; B & C; x") && !has_entity("write `&lt;`"));
    }
}
