//! Escapes text for XML and HTML.

/// Escapes text for XML 1.0 and HTML, including attributes in double quotes.
///
/// Control characters other than tabs, line feeds and carriage returns, and characters that XML does not allow, become
/// U+FFFD.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' => escaped.push_str("&#9;"),
            '\n' => escaped.push_str("&#10;"),
            '\r' => escaped.push_str("&#13;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn white_space_that_xml_allows_is_kept() {
        assert_eq!(escape("a\tb\r\n<c>\u{1b}\u{ffff}"), "a&#9;b&#13;&#10;&lt;c&gt;\u{fffd}\u{fffd}");
    }
}
