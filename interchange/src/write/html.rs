//! Markdown as HTML: the inverse of [`crate::rich`].
//!
//! The result is read again. A text that would be read as another one is written literally.

use std::fmt::Write as _;

use crate::rich::from_html;
use crate::text::escaped;

/// Returns a text as XHTML paragraphs, lists and tables. With `delimiters`, formulas are written in `\(...\)`.
pub(super) fn paragraphs(text: &str, delimiters: bool) -> String {
    converted(text, delimiters).unwrap_or_else(|| literal(text))
}

/// Returns the content of an option: inline if it is one paragraph or is written literally, otherwise as blocks.
pub(super) fn content(text: &str) -> String {
    let Some(html) = converted(text, false) else { return escaped(text).replace('\n', "<br/>") };
    let only = html.strip_prefix("<p>").and_then(|rest| rest.strip_suffix("</p>"));
    match only.filter(|inside| !inside.contains("<p>")) {
        Some(inside) => inside.to_owned(),
        None => html,
    }
}

/// Returns a text as paragraphs in which no character marks emphasis, lists or formulas.
pub(super) fn literal(text: &str) -> String {
    let blocks = text.split("\n\n").filter(|block| !block.trim().is_empty());
    let paragraph = |block: &str| ["<p>", &escaped(block.trim()).replace('\n', "<br/>"), "</p>"].concat();
    blocks.map(paragraph).collect()
}

/// Converts a text if it is the same when it is read again.
fn converted(text: &str, delimiters: bool) -> Option<String> {
    let html = blocks(text, delimiters)?;
    let read = from_html(&html);
    let read = if delimiters { crate::moodle::dollars(&read) } else { read };
    let same = read.split_whitespace().eq(text.split_whitespace());
    same.then_some(html)
}

/// Returns whether an item of a list is numbered, its depth and its text; `None` for other lines.
fn item(line: &str) -> Option<(bool, usize, &str)> {
    let rest = line.trim_start_matches(' ');
    let depth = (line.len() - rest.len()) / 2;
    if let Some(text) = rest.strip_prefix("- ") {
        return Some((false, depth, text));
    }
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let text = rest[digits..].strip_prefix(". ").filter(|_| (1..=9).contains(&digits))?;
    Some((true, depth, text))
}

/// Returns the cells of a row of a table.
fn cells(line: &str) -> Option<Vec<&str>> {
    let inside = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    let mut cells = Vec::new();
    let mut from = 0;
    for (at, _) in inside.match_indices('|') {
        if !inside[..at].ends_with('\\') {
            cells.push(inside[from..at].trim());
            from = at + 1;
        }
    }
    cells.push(inside[from..].trim());
    Some(cells)
}

fn blocks(text: &str, delimiters: bool) -> Option<String> {
    let mut out = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if line.trim().is_empty() {
            continue;
        }
        if line == "```" {
            out.push_str("<pre>");
            loop {
                match lines.next()? {
                    "```" => break,
                    line => {
                        out.push_str(&escaped(line));
                        out.push('\n');
                    }
                }
            }
            out.push_str("</pre>");
        } else if item(line).is_some() {
            let mut rows = vec![line];
            while let Some(next) = lines.next_if(|next| item(next).is_some()) {
                rows.push(next);
            }
            list(&rows, delimiters, &mut out)?;
        } else if let Some(first) = cells(line) {
            let mut rows = vec![first];
            while let Some(next) = lines.peek().and_then(|next| cells(next)) {
                rows.push(next);
                lines.next();
            }
            table(&rows, delimiters, &mut out)?;
        } else if line == "---" {
            out.push_str("<hr/>");
        } else if let Some(quoted) = line.strip_prefix("> ") {
            let _ = write!(out, "<blockquote><p>{}</p></blockquote>", inline(quoted, delimiters)?);
        } else if let Some((level, title)) = heading(line) {
            let _ = write!(out, "<h{level}>{}</h{level}>", inline(title, delimiters)?);
        } else {
            let mut block = line.to_owned();
            while let Some(next) = lines.next_if(|next| !next.trim().is_empty() && item(next).is_none()) {
                block.push('\n');
                block.push_str(next);
            }
            let _ = write!(out, "<p>{}</p>", inline(block.trim(), delimiters)?);
        }
    }
    Some(out)
}

fn heading(line: &str) -> Option<(usize, &str)> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    Some((level, line[level..].strip_prefix(' ').filter(|_| (1..=6).contains(&level))?))
}

fn list(rows: &[&str], delimiters: bool, out: &mut String) -> Option<()> {
    // The open lists: whether each is numbered.
    let mut open: Vec<bool> = Vec::new();
    let tag = |numbered: bool| if numbered { "ol" } else { "ul" };
    for (numbered, depth, text) in rows.iter().filter_map(|row| item(row)) {
        while open.len() > depth + 1 {
            let _ = write!(out, "</li></{}>", tag(open.pop()?));
        }
        if open.len() == depth + 1 {
            out.push_str("</li>");
        } else {
            open.push(numbered);
            let _ = write!(out, "<{}>", tag(numbered));
        }
        let _ = write!(out, "<li>{}", inline(text, delimiters)?);
    }
    while let Some(numbered) = open.pop() {
        let _ = write!(out, "</li></{}>", tag(numbered));
    }
    Some(())
}

fn table(rows: &[Vec<&str>], delimiters: bool, out: &mut String) -> Option<()> {
    let is_rule =
        |row: &&Vec<&str>| row.iter().all(|cell| cell.len() >= 3 && cell.bytes().all(|byte| byte == b'-'));
    out.push_str("<table><tbody>");
    for row in rows.iter().filter(|row| !is_rule(row)) {
        out.push_str("<tr>");
        for cell in row {
            let _ = write!(out, "<td>{}</td>", inline(cell, delimiters)?);
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table>");
    Some(())
}

/// Converts marks inside a block; `None` if a mark is not closed.
fn inline(text: &str, delimiters: bool) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    // The end tags of the open marks, with the sign that closes each.
    let mut open: Vec<(&str, &str)> = Vec::new();
    while let Some(first) = rest.chars().next() {
        if let Some((sign, tag)) = open.last().copied()
            && rest.starts_with(sign)
        {
            out.push_str(tag);
            open.pop();
            rest = &rest[sign.len()..];
            continue;
        }
        let mark = [
            ("**", "**", "<strong>", "</strong>"),
            ("*", "*", "<em>", "</em>"),
            ("^(", ")", "<sup>", "</sup>"),
            ("_(", ")", "<sub>", "</sub>"),
        ]
        .into_iter()
        // `2 * 3` is a product.
        .find(|(sign, ..)| rest.strip_prefix(sign).is_some_and(|behind| !behind.starts_with([' ', '\n'])));
        if let Some((sign, close, start, end)) = mark {
            out.push_str(start);
            open.push((close, end));
            rest = &rest[sign.len()..];
            continue;
        }
        let taken = match first {
            '\\' => {
                let next = rest[1..].chars().next().filter(char::is_ascii_punctuation);
                out.push_str(&escaped(&next.unwrap_or('\\').to_string()));
                1 + next.map_or(0, char::len_utf8)
            }
            '`' => {
                let end = rest[1..].find('`')?;
                let _ = write!(out, "<code>{}</code>", escaped(&rest[1..=end]));
                end + 2
            }
            '$' => {
                let sign = if rest.starts_with("$$") { "$$" } else { "$" };
                let inside = &rest[sign.len()..];
                let end = inside.find(sign).filter(|end| *end > 0)?;
                let formula = escaped(&inside[..end]);
                let _ = match (delimiters, sign) {
                    (false, sign) => write!(out, "{sign}{formula}{sign}"),
                    (true, "$") => write!(out, "\\({formula}\\)"),
                    (true, _) => write!(out, "\\[{formula}\\]"),
                };
                end + 2 * sign.len()
            }
            '!' if rest.starts_with("![") => {
                let (alternative, address, length) = link(&rest[1..])?;
                let _ = write!(out, "<img src=\"{}\" alt=\"{}\"/>", escaped(address), escaped(alternative));
                length + 1
            }
            '[' => match link(rest) {
                Some((text, address, length)) => {
                    let _ = write!(out, "<a href=\"{}\">{}</a>", escaped(address), escaped(text));
                    length
                }
                None => {
                    out.push('[');
                    1
                }
            },
            '\n' => {
                out.push_str("<br/>");
                1
            }
            first => {
                out.push_str(&escaped(&first.to_string()));
                first.len_utf8()
            }
        };
        rest = &rest[taken..];
    }
    open.is_empty().then_some(out)
}

/// How long the text and the address of a link are at most, in bytes.
const MOST_LINK: usize = 4_000;

/// Returns the text, the address and the length of a link such as `[text](address)`.
fn link(text: &str) -> Option<(&str, &str, usize)> {
    let find = |text: &str, sign: u8| text.bytes().take(MOST_LINK).position(|byte| byte == sign);
    let end = find(text, b']')?;
    let address = text[end + 1..].strip_prefix('(')?;
    let length = find(address, b')')?;
    Some((&text[1..end], &address[..length], end + 2 + length + 1))
}

#[cfg(test)]
mod tests {
    use super::{content, paragraphs};

    #[test]
    fn markdown_becomes_html() {
        for (markdown, html) in [
            ("Solve $x^2=4$ for *x*:", "<p>Solve \\(x^2=4\\) for <em>x</em>:</p>"),
            ("- one\n- two\n  1. three", "<ul><li>one</li><li>two<ol><li>three</li></ol></li></ul>"),
            ("![pic](@@PLUGINFILE@@/a.png)", "<p><img src=\"@@PLUGINFILE@@/a.png\" alt=\"pic\"/></p>"),
            ("**a** `b` H_(2)O", "<p><strong>a</strong> <code>b</code> H<sub>2</sub>O</p>"),
            ("\\<script>", "<p>&lt;script&gt;</p>"),
            ("* one\n* two **x**", "<p>* one<br/>* two <strong>x</strong></p>"),
            ("[text](a.html)", "<p><a href=\"a.html\">text</a></p>"),
        ] {
            assert_eq!(paragraphs(markdown, true), html, "{markdown}");
        }
        assert!(
            paragraphs("| 1 | 2 |\n| --- | --- |\n| 3 | 4 |", true)
                .starts_with("<table><tbody><tr><td>1</td>")
        );
        assert_eq!(content("*a*"), "<em>a</em>");
    }

    #[test]
    fn signs_that_mean_nothing_stay() {
        for text in ["2 * 3", "$5", "a_b", "[x] (y)", "`", "a\nb", "1.5"] {
            let html = paragraphs(text, true);
            assert!(!html.contains("<em>") && !html.contains("<a"), "{html}");
        }
    }
}
