//! Finds values at the end of a response that are set apart: a line, a bold text, a table's cell, a formula.

use std::ops::Range;

use super::statements::{last_paragraphs, stated};
use super::{lines, values};

/// Returns a line that is only a value: `### 21`, `=> x = 2, x = 3`.
pub(super) fn value_line(line: &str) -> Option<Range<usize>> {
    let marker = lines::marker_length(line);
    // a calculation in a list item
    let calculation = marker > 0 && line.contains('=');
    if line.starts_with(['-', '*', '+']) && !line.starts_with("**") && !calculation
        || !line.bytes().any(|byte| byte.is_ascii_digit())
    {
        // a list item, or a line without digits
        return None;
    }
    let lead = line.len() - line.trim_start_matches(['#', '*', '_', '`', ' ', '>', '∴', '→']).len();
    let arrow = ["=> ", "-> "].iter().find(|arrow| line.starts_with(**arrow)).map_or(0, |arrow| arrow.len());
    let lead = lead.max(arrow).max(if calculation { marker } else { 0 });
    let value = line[lead..].trim_end_matches(['*', '_', '`', ' ', '.', '!']);
    values::is_value(value).then(|| lead..lead + value.len())
}

/// Returns the last line of a program's output or the last cell of a table, if it is a value.
pub(super) fn in_structure(body: &str) -> Option<Range<usize>> {
    if let Some(fenced) = body.strip_suffix("```") {
        let open = fenced.rfind("```")?;
        let first_line = fenced[open..].find('\n')? + open;
        let language = fenced[open + 3..first_line].trim();
        if !matches!(language, "" | "output" | "text" | "plaintext") {
            return None;
        }
        let output = fenced[first_line..].trim_end();
        let start = first_line + output.rfind('\n').map_or(0, |at| at + 1);
        let indented = &fenced[start..first_line + output.len()];
        let line = indented.trim();
        let start = start + indented.len() - indented.trim_start().len();
        return values::is_value(line).then(|| start..start + line.len());
    }
    let line_start = body.rfind('\n').map_or(0, |at| at + 1);
    let line = body[line_start..].trim();
    let cells = line.strip_prefix('|')?.strip_suffix('|')?;
    // a bar inside the last formula does not separate cells
    let closed = cells.trim_end().strip_suffix('$');
    let open = closed.and_then(|inside| inside.rfind('$')).unwrap_or(cells.len());
    let cell_start = cells[..open].rfind('|').map_or(0, |at| at + 1);
    let cell = &cells[cell_start..];
    let value = cell.trim_matches([' ', '*']);
    let lead = cell.len() - cell.trim_start_matches([' ', '*']).len();
    let start = line_start + body[line_start..].find(line)? + 1 + cell_start + lead;
    values::is_value(value).then(|| start..start + value.len())
}

/// Returns the last bold text at the end of the response that is a value or states one, or the list of bold values that
/// ends with it.
pub(super) fn last_bold(body: &str) -> Option<Vec<Range<usize>>> {
    let tail = last_paragraphs(body);
    let offset = body.len() - tail.len();
    let mut marks = tail.match_indices("**").map(|(at, _)| at);
    let mut last: Option<Vec<Range<usize>>> = None;
    // the end of the last bold value
    let mut end = 0;
    while let (Some(open), Some(close)) = (marks.next(), marks.next()) {
        let inside = &tail[open + 2..close];
        if inside.contains("\n\n") || inside.trim_end().ends_with(':') {
            continue;
        }
        let value = inside.trim();
        let bare = value.trim_end_matches(['.', '!']);
        let length = values::value_length(value);
        let option = crate::reading::option::choice(value).is_some_and(|choice| !choice.text.is_empty());
        if option && tail[close + 2..].trim_matches(['.', '!', ' ', '\n']).is_empty() {
            let start = offset + open + 2 + (inside.len() - inside.trim_start().len());
            let option = start..start + value.len();
            last = Some(vec![option]);
            continue;
        }
        let yes_or_no = matches!(bare.to_ascii_lowercase().as_str(), "yes" | "no" | "true" | "false");
        // at the very end, a noun for the counted things can follow
        let last_words = tail[close + 2..].trim_matches(['.', '!', ' ', '\n']).is_empty();
        let noun = bare[length.min(bare.len())..].trim();
        let counted = last_words
            && noun.split(' ').count() <= 3
            && bare.starts_with(|c: char| c.is_ascii_digit())
            && noun.chars().all(|c| c.is_lowercase() || c == ' ');
        if yes_or_no || (length > 0 && (length >= bare.len() || counted)) {
            let start = offset + open + 2 + (inside.len() - inside.trim_start().len());
            let value = start..start + bare.len().max(1);
            let gap = tail[end..open].trim_matches(' ');
            match &mut last {
                Some(values) if end > 0 && matches!(gap, "," | "and" | "or" | ", and" | ", or") => {
                    values.push(value)
                }
                _ => last = Some(vec![value]),
            }
            end = close + 2;
        } else if length == 0 && bare.split_whitespace().count() > 2 {
            // a sentence in bold
            if let Some(stated) = stated(bare, false) {
                let start = offset + open + 2 + (inside.len() - inside.trim_start().len());
                let value = start + stated.start..start + stated.end;
                last = Some(vec![value]);
            }
        }
    }
    last
}

/// Returns the formula at the end of a text, or the list of formulas that ends with it.
pub(super) fn final_formula(body: &str) -> Option<Range<usize>> {
    let end = body.trim_end_matches(['.', '!', ' ', '✓']);
    for (open, close) in [("$$", "$$"), ("\\[", "\\]"), ("\\(", "\\)"), ("$", "$")] {
        let Some(inside) = end.strip_suffix(close) else { continue };
        if let Some(at) = inside.rfind(open) {
            let formula = &inside[at + open.len()..];
            let money = formula.starts_with(' ') && formula.contains(" and ");
            if !money && !formula.trim().is_empty() {
                let first = if open == "$" { first_named(end, at) } else { at };
                return Some(first..end.len());
            }
        }
    }
    None
}

/// Returns the start of the list of named values that ends with the formula at `at`.
///
/// Examples: `$x=1$ and $y=2$`; `$x=2$ or $x=3$`.
fn first_named(text: &str, at: usize) -> usize {
    let name = |formula: &str| {
        let relations = ["=", "<", ">", "\\le", "\\ge", "≤", "≥"];
        let (sign, relation) = relations.iter().filter_map(|sign| Some((formula.find(sign)?, sign))).min()?;
        let (name, value) = (&formula[..sign], &formula[sign + relation.len()..]);
        let (letter, index) = name.trim().split_at_checked(1)?;
        let index = index.strip_prefix('_').unwrap_or(index).trim_matches(['{', '}']);
        let single = letter.bytes().all(|byte| byte.is_ascii_alphabetic())
            && index.bytes().all(|byte| byte.is_ascii_digit());
        (single && !value.contains('=')).then_some(*relation == "=")
    };
    // a list has only equations or only inequalities
    let last = name(text[at..].trim_matches('$'));
    let mut named = last.is_some();
    let mut first = at;
    for _ in 0..10 {
        if !named {
            break;
        }
        let whole = text[..first].trim_end();
        let before =
            ["and", "or"].iter().find_map(|joint| whole.strip_suffix(joint)).map_or(whole, str::trim_end);
        let before = before.strip_suffix(',').map_or(before, str::trim_end);
        let Some(inside) = before.strip_suffix('$').filter(|_| before.len() < whole.len()) else { break };
        let Some(open) = inside.rfind('$') else { break };
        named = name(&inside[open + 1..]) == last;
        if named {
            first = open;
        }
    }
    if first == at { first_listed(text, at) } else { first }
}

/// Returns the start of the list of formulas that ends with the formula at `at`: `are $4$ and $6$`.
///
/// Returns `at` if no verb or colon precedes the list.
fn first_listed(text: &str, at: usize) -> usize {
    let mut first = at;
    for _ in 0..10 {
        let whole = text[..first].trim_end();
        let before =
            ["and", "or"].iter().find_map(|joint| whole.strip_suffix(joint)).map_or(whole, str::trim_end);
        let before = before.strip_suffix(',').map_or(before, str::trim_end);
        let Some(inside) = before.strip_suffix('$').filter(|_| before.len() < whole.len()) else { break };
        let Some(open) = inside.rfind('$') else { break };
        first = open;
    }
    if [" are ", " is ", " be ", ": "].iter().any(|verb| text[..first].ends_with(verb)) { first } else { at }
}
