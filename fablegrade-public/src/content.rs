//! Rich content: opaque JSON that hosts render; only its text and its size matter here.

use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

use crate::finding::{Finding, Findings};
use crate::json::{Json, Path, Read, Value};

/// A host's inline or rich content: any JSON (a plain string is fine) of bounded depth and size.
///
/// Stored in canonical form, so two contents are equal if their JSON values are.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Content(Json);

/// The maximum nesting depth of content.
pub const MAX_DEPTH: usize = 32;

/// The maximum size of content, in bytes of JSON.
pub const MAX_BYTES: usize = 256 * 1024;

impl Content {
    /// Creates plain text.
    pub fn text(text: impl Into<String>) -> Self {
        Self(Json::from(text.into()))
    }

    /// Returns the JSON.
    pub fn as_json(&self) -> &Json {
        &self.0
    }

    /// Returns the visible text: the strings under `text`, `value`, `latex`, `content` and `children`.
    ///
    /// Line feeds separate the strings. Arrays keep their order; an object's fields are read in the order
    /// above. A plain string is its own text. Code blocks are omitted.
    pub fn visible_text(&self) -> String {
        let mut out = String::new();
        walk(&self.0, &mut |piece| match piece {
            Piece::Text(text) => {
                if !out.is_empty() {
                    out.push('\n');
                }
                out.push_str(text);
            }
            Piece::Formula(latex) => {
                if !out.is_empty() {
                    out.push('\n');
                }
                out.push_str(latex);
            }
            Piece::Code => {}
        });
        out
    }

    /// Returns the number of words in the visible text (UAX #29). A formula counts as one word.
    ///
    /// A formula is a string under `latex` or in a node whose `type` is a kind of formula, such as
    /// `inlineMath`; inside text, it is `$...$`, `$$...$$`, `\(...\)` or `\[...\]`. `\$` is a dollar sign.
    pub fn count_words(&self) -> usize {
        let mut words = 0;
        walk(&self.0, &mut |piece| match piece {
            Piece::Text(text) => words += words_of_text(text),
            Piece::Formula(_) => words += 1,
            Piece::Code => {}
        });
        words
    }

    /// Returns whether the content contains a formula.
    pub fn has_math(&self) -> bool {
        self.pieces().iter().any(|piece| matches!(piece, Piece::Formula(_)))
    }

    /// Returns prose, formulas and code in reading order. A formula inside text is a separate piece. Linear.
    pub fn pieces(&self) -> Vec<Piece<'_>> {
        let mut pieces = Vec::new();
        walk(&self.0, &mut |piece| match piece {
            Piece::Text(text) => split_formulas(text, &mut |part| pieces.push(part)),
            other => pieces.push(other),
        });
        pieces
    }
}

impl Read for Content {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        if value.text_len() > MAX_BYTES {
            findings.push(Finding::error(
                "content-size",
                at.pointer(),
                format!("the content has more than {MAX_BYTES} bytes"),
                "shorten it or split it",
            ));
            return None;
        }
        if depth_exceeds(value, MAX_DEPTH) {
            findings.push(Finding::error(
                "content-depth",
                at.pointer(),
                format!("the content nests deeper than {MAX_DEPTH} levels"),
                "flatten it",
            ));
            return None;
        }
        Some(Self(Json::from(value)))
    }
}

/// Returns whether arrays and objects are nested deeper than `limit`.
pub fn depth_exceeds(value: Value<'_>, limit: usize) -> bool {
    let mut depth = 0usize;
    let mut in_string = false;
    let mut escaped = false;
    for byte in value.text().bytes() {
        if in_string {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'{' | b'[' => {
                depth += 1;
                if depth > limit {
                    return true;
                }
            }
            b'}' | b']' => depth -= 1,
            _ => {}
        }
    }
    false
}

impl From<&Content> for Json {
    fn from(content: &Content) -> Self {
        content.0.clone()
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

/// A part of content in reading order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Prose.
    Text(&'a str),
    /// A formula without its delimiters.
    Formula(&'a str),
    /// A block of code.
    Code,
}

const CHILD_KEYS: [&str; 5] = ["text", "value", "latex", "content", "children"];

fn walk<'a>(root: &'a Json, visit: &mut impl FnMut(Piece<'a>)) {
    // Reading bounds the depth, but an explicit stack costs nothing.
    let mut stack: Vec<(&'a Json, bool)> = vec![(root, false)];
    while let Some((node, math)) = stack.pop() {
        match node {
            Json::String(text) if math => visit(Piece::Formula(text)),
            Json::String(text) => visit(Piece::Text(text)),
            Json::Array(items) => stack.extend(items.iter().rev().map(|item| (item, math))),
            Json::Object(_) => {
                let kind = node.get("type").and_then(Json::as_str).unwrap_or_default();
                if is_code(kind) {
                    visit(Piece::Code);
                    continue;
                }
                let math = math || is_math(kind);
                for key in CHILD_KEYS.iter().rev() {
                    if let Some(child) = node.get(key) {
                        stack.push((child, math || *key == "latex"));
                    }
                }
            }
            _ => {}
        }
    }
}

fn is_code(kind: &str) -> bool {
    matches!(kind, "code" | "codeBlock" | "code_block" | "code-block" | "pre")
}

fn is_math(kind: &str) -> bool {
    matches!(
        kind,
        "math"
            | "inlineMath"
            | "inline_math"
            | "inline-math"
            | "blockMath"
            | "block_math"
            | "block-math"
            | "mathBlock"
            | "math_block"
            | "math-block"
            | "displayMath"
            | "display_math"
            | "latex"
            | "formula"
            | "equation"
    )
}

fn words_of_text(text: &str) -> usize {
    let mut words = 0;
    split_formulas(text, &mut |piece| {
        words += if let Piece::Text(prose) = piece { prose.unicode_words().count() } else { 1 };
    });
    words
}

/// Splits text into prose and formulas, in order. Linear.
pub fn split_formulas<'a>(text: &'a str, visit: &mut impl FnMut(Piece<'a>)) {
    const MARKS: [(&str, &str); 4] = [("$$", "$$"), ("\\(", "\\)"), ("\\[", "\\]"), ("$", "$")];
    let mut rest = text;
    let mut plain = 0;
    // If the closing mark is missing here, it is missing for every later opening mark too.
    let mut dead = [false; 4];
    'text: while let Some(at) = next_mark(rest, plain) {
        for (index, (open, close)) in MARKS.iter().enumerate() {
            if dead[index] || !rest[at..].starts_with(open) {
                continue;
            }
            let inside = at + open.len();
            match find_close(&rest[inside..], close) {
                Some(length) => {
                    let (formula, after) = rest[inside..].split_at(length);
                    let after = &after[close.len()..];
                    if length > 0 && (*open != "$" || looks_like_math(formula, after)) {
                        if at > 0 {
                            visit(Piece::Text(&rest[..at]));
                        }
                        visit(Piece::Formula(formula));
                        rest = after;
                        plain = 0;
                        continue 'text;
                    }
                }
                None => dead[index] = true,
            }
        }
        plain = at + 1;
    }
    if !rest.is_empty() {
        visit(Piece::Text(rest));
    }
}

/// Returns the position, at or after `from`, of the next unescaped dollar sign or of the last backslash of a run
/// of backslashes. `from` must not be inside such a run.
fn next_mark(text: &str, from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += text[at..].find(['$', '\\'])?;
        let behind = text[at..].trim_start_matches('\\');
        let backslashes = text.len() - at - behind.len();
        // Two backslashes are an escaped backslash and do not escape the next character.
        at += match (backslashes, behind.starts_with('$')) {
            (0, _) => return Some(at),
            (count, true) => count + count % 2,
            (count, false) => return Some(at + count - 1),
        };
    }
}

/// Returns the positions of the dollar signs that are not escaped.
pub fn dollar_signs(text: &str) -> impl Iterator<Item = usize> {
    let signs = std::iter::successors(next_mark(text, 0), |at| next_mark(text, at + 1));
    signs.filter(|at| text[*at..].starts_with('$'))
}

fn find_close(text: &str, close: &str) -> Option<usize> {
    if close.starts_with('$') {
        dollar_signs(text).find(|at| text[*at..].starts_with(close))
    } else {
        text.find(close)
    }
}

/// Returns the normal form in which texts are compared.
///
/// Blanks at the ends are removed and repeated blanks collapsed. Characters are normalised by NFKC, except
/// where their compatible form has another meaning, as for superscripts.
pub fn comparable_text(text: &str) -> String {
    if text.is_ascii() {
        return text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    let keeps = |c: char| {
        matches!(c, '\u{b2}' | '\u{b3}' | '\u{b9}' | '\u{bc}'..='\u{be}' | '\u{1d2c}'..='\u{1d6a}' |
            '\u{2070}'..='\u{209f}' | '\u{2150}'..='\u{215f}' | '\u{2102}'..='\u{214f}')
    };
    let mut folded = String::with_capacity(text.len());
    for c in text.nfc() {
        if keeps(c) {
            folded.push(c);
        } else {
            folded.extend(std::iter::once(c).nfkc());
        }
    }
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns whether the text between single dollar signs looks like math, with the text after them.
///
/// It must contain no line feed and neither start nor end with a blank, and no digit may follow: `$5 and $6`
/// and `US$5 or CA$6` are prices.
fn looks_like_math(inside: &str, after: &str) -> bool {
    !inside.starts_with(char::is_whitespace)
        && !inside.ends_with(char::is_whitespace)
        && !inside.contains('\n')
        && !after.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(text: &str) -> Content {
        crate::json::Document::parse(text.as_bytes()).unwrap().read().unwrap()
    }

    #[test]
    fn words_follow_unicode() {
        for (text, words) in [
            (r#""The quick (\"brown\") fox can't jump 32.3 feet""#, 8),
            (r#""""#, 0),
            (r#""  \n\t""#, 0),
            (
                r#"{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"one two"}]},{"text":"three"}]}"#,
                3,
            ),
            (r#"[{"text":"Let"},{"latex":"x^2 + y^2"},{"text":"be small"}]"#, 4),
            (r#""so $x^2 + 1$ grows""#, 3),
            (r#""costs $5 and $6 each""#, 5),
            (r#"[{"type":"code_block","text":"let x = 1"},"done"]"#, 1),
            (r#"{"attrs":{"href":"not counted"},"text":"link"}"#, 1),
            (r"null", 0),
        ] {
            assert_eq!(content(text).count_words(), words, "{text}");
        }
    }

    #[test]
    fn prices_are_not_formulas() {
        let split = |text| {
            let mut pieces = Vec::new();
            split_formulas(text, &mut |piece| pieces.push(piece));
            pieces
        };
        for text in [
            r"It costs \$5 and then \$6 more",
            "US$5 and then CA$6",
            r"\$5",
            r"$5 or \$6",
            r"\\\$x$",
            r"$x\$",
            r"\",
            r"\\",
        ] {
            assert_eq!(split(text), [Piece::Text(text)], "{text}");
        }
        for (text, before, formula, after) in [
            (r"\$5 for $x$.", r"\$5 for ", "x", "."),
            (r"pay $\$5+x$.", "pay ", r"\$5+x", "."),
            (r"a\\$x$ b", r"a\\", "x", " b"),
            (r"US$5 and $x$, CA$6", "US$5 and ", "x", ", CA$6"),
            (r"a $$\$x$$ b", "a ", r"\$x", " b"),
            (r"a \\(x\\) b", r"a \", r"x\", " b"),
        ] {
            assert_eq!(
                split(text),
                [Piece::Text(before), Piece::Formula(formula), Piece::Text(after)],
                "{text}"
            );
        }
        assert_eq!(dollar_signs(r"$ \$ \\$ \( $$").collect::<Vec<_>>(), [0, 7, 12, 13]);
    }

    #[test]
    fn splitting_takes_linear_time() {
        for part in ["$", "\\", "$x ", "\\$", "\\(", "$$ ", "$x$1", "\\\\("] {
            let mut count = 0;
            split_formulas(&part.repeat(300_000), &mut |_| count += 1);
            assert!(count > 0);
        }
    }

    #[test]
    fn math_is_seen_where_it_stands() {
        for (text, math) in [
            (r#""plain""#, false),
            (r#""a price of $5""#, false),
            (r#""$x$""#, true),
            (r#""\\(x\\)""#, true),
            (r#"{"type":"inlineMath","value":"x"}"#, true),
            (r#"[{"latex":"x"}]"#, true),
        ] {
            assert_eq!(content(text).has_math(), math, "{text}");
        }
    }

    #[test]
    fn deep_content_is_refused() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(content(&nested(MAX_DEPTH)).count_words(), 0);
        let deep = nested(MAX_DEPTH + 1);
        let error = crate::json::Document::parse(deep.as_bytes()).unwrap().read::<Content>().unwrap_err();
        assert_eq!(error.rule(), "content-depth");
    }
}
