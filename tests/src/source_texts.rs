//! The quoted texts of Rust sources: messages, help, formats.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Returns the quoted texts of a source as they are at run time; formats keep their braces. Comments and
/// everything after `#[cfg(test)]` are skipped. Linear.
pub fn texts_of(source: &str) -> Vec<String> {
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    let mut texts = Vec::new();
    let mut rest = code;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '/' if rest.starts_with('/') => rest = rest.split_once('\n').map_or("", |(_, after)| after),
            '/' if rest.starts_with('*') => rest = rest.split_once("*/").map_or("", |(_, after)| after),
            // A character literal. Unlike a lifetime, it has a closing quote.
            '\'' if rest.starts_with('\\') => {
                rest = rest.get(2..).and_then(|after| after.split_once('\'')).map_or("", |(_, after)| after);
            }
            '\'' => {
                let mut characters = rest.chars();
                characters.next();
                rest = if characters.next() == Some('\'') { characters.as_str() } else { rest };
            }
            'r' if rest.starts_with(['"', '#']) => {
                let inside = rest.trim_start_matches('#');
                let end = format!("\"{}", &rest[..rest.len() - inside.len()]);
                if let Some((text, after)) =
                    inside.strip_prefix('"').and_then(|inside| inside.split_once(&end))
                {
                    texts.push(text.to_owned());
                    rest = after;
                }
            }
            '"' => {
                let (text, after) = quoted(rest);
                texts.push(text);
                rest = after;
            }
            // A name is skipped as a whole, because an `r` at its end does not begin a text.
            c if c.is_alphanumeric() || c == '_' => {
                rest = rest.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
            }
            _ => {}
        }
    }
    texts
}

/// Returns the text up to the closing quote, and the rest after it.
fn quoted(source: &str) -> (String, &str) {
    let mut text = String::new();
    let mut characters = source.chars();
    while let Some(c) = characters.next() {
        match c {
            '"' => break,
            '\\' => match characters.next() {
                Some('\n') => characters = characters.as_str().trim_start().chars(),
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some('u') => text.push_str("\\u"),
                Some(c) => text.push(c),
                None => {}
            },
            c => text.push(c),
        }
    }
    (text, characters.as_str())
}

/// Returns whether a text is for people: it has at least two words.
pub fn is_phrase(text: &str) -> bool {
    text.split(' ').filter(|word| word.len() > 1 && word.bytes().all(|b| b.is_ascii_lowercase())).count() > 1
}

/// Returns the phrases of all sources below a folder, sorted, without repetitions.
pub fn phrases_below(folder: &Path) -> BTreeSet<String> {
    let mut phrases = BTreeSet::new();
    for entry in fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            phrases.extend(phrases_below(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let source = fs::read_to_string(&path).expect("a readable file");
            phrases.extend(texts_of(&source).into_iter().filter(|text| is_phrase(text)));
        }
    }
    phrases
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_taken_out_of_code() {
        let source = r##"
            // "a comment" and 'b'
            fn f<'a>(x: &'a str, c: char) { /* "another" */
                let _ = ("one", '"', r"raw \ text", r#"a "raw" one"#, 'x', '\'', b"bytes", format!("{x} of {{y}}"));
                let _ = "two \
                         lines\n and \"quotes\"";
                for var in [r, xr] { "r" }
            }
            #[cfg(test)] mod tests { "left out" }
        "##;
        let expected = [
            "one",
            "raw \\ text",
            "a \"raw\" one",
            "bytes",
            "{x} of {{y}}",
            "two lines\n and \"quotes\"",
            "r",
        ];
        assert_eq!(texts_of(source), expected);
        assert!(is_phrase("give a number") && !is_phrase("fn f()") && !is_phrase("kebab-case word"));
    }
}
