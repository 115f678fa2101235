//! Reads lists that are written in adjacent lines: numbered items, named values, labelled parts.

use std::ops::Range;

use super::{labels, values};

/// The maximum number of lines of a list.
const MOST_LINES: usize = 64;

/// What makes a line an item of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Kind {
    /// A marker such as `-`.
    Bullet,
    /// A number such as `1.`
    Number,
    /// A small letter such as `(a)`.
    Letter,
    /// A name: `x = 42`.
    Name(String),
    /// A label for a part of the question: `Part A: 42`.
    Part,
    /// Another label of one word: `Tom: 42`.
    Label(String),
}

impl Kind {
    /// Returns whether two lines, this one first, can be items of one list.
    fn precedes(&self, next: &Self) -> bool {
        match (self, next) {
            (Self::Name(first), Self::Name(second)) => are_names_of_one_list(first, second),
            (Self::Label(first), Self::Label(second)) => first != second,
            _ => self == next,
        }
    }
}

/// The letters that are used together as names of values.
const ALPHABETS: [&str; 4] = ["wxyz", "abcd", "kmn", "pqr"];

fn are_names_of_one_list(first: &str, second: &str) -> bool {
    let (Some(one), Some(other)) = (first.chars().next(), second.chars().next()) else { return false };
    if one == other {
        return first != second && first.len() > 1 && second.len() > 1;
    }
    ALPHABETS.iter().any(|letters| letters.contains(one) && letters.contains(other))
}

/// Labels of a value that is computed from those before it.
const CONCLUSIONS: &[&str] = &[
    "total",
    "sum",
    "answer",
    "result",
    "final",
    "overall",
    "combined",
    "difference",
    "product",
    "average",
    "mean",
    "median",
    "ratio",
    "area",
    "volume",
    "perimeter",
    "profit",
    "cost",
    "price",
    "probability",
    "solution",
    "remaining",
    "left",
    "conclusion",
    "hence",
    "thus",
    "so",
    "therefore",
    "then",
    "percentage",
    "distance",
    "time",
    "speed",
];

/// Returns the length of a list marker at the start of a line, with the blanks behind it: `- `, `1. `, `(a) `.
pub(super) fn marker_length(line: &str) -> usize {
    marker(line).map_or(0, |(_, length)| length)
}

fn marker(line: &str) -> Option<(Kind, usize)> {
    let (kind, behind) = if let Some(rest) =
        ["-", "*", "+", "•", "◦", "–"].iter().find_map(|mark| line.strip_prefix(mark))
    {
        (Kind::Bullet, rest)
    } else {
        let inside = line.strip_prefix('(');
        let label = inside.unwrap_or(line);
        let length = label.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let (name, rest) = label.split_at(length);
        let rest = if inside.is_some() { rest.strip_prefix(')') } else { rest.strip_prefix(['.', ')']) }?;
        let number = (1..=2).contains(&length) && name.bytes().all(|byte| byte.is_ascii_digit());
        let letter = length == 1 && name.bytes().all(|byte| byte.is_ascii_lowercase())
            || matches!(name, "ii" | "iii" | "iv" | "vi");
        match (number, letter) {
            (true, _) => (Kind::Number, rest),
            (_, true) => (Kind::Letter, rest),
            _ => return None,
        }
    };
    let content = behind.trim_start_matches([' ', '\t']);
    (content.len() < behind.len() && !content.trim().is_empty()).then_some((kind, line.len() - content.len()))
}

/// Returns the range of a text without blanks, emphasis and final signs.
fn bare(text: &str) -> Range<usize> {
    let start = text.len() - text.trim_start_matches([' ', '\t', '*', '_', '`']).len();
    let end = text.trim_end_matches([' ', '\t', '\r', '*', '_', '`', '.', ',', ';']).len();
    start..end.max(start)
}

/// Reads a line as an item of a list.
fn item(line: &str) -> Option<(Kind, Range<usize>)> {
    if line.len() > values::LONGEST_LINE {
        return None;
    }
    let lead = line.len() - line.trim_start().len();
    if let Some((kind, length)) = marker(&line[lead..]) {
        let content = bare(&line[lead + length..]);
        let content = lead + length + content.start..lead + length + content.end;
        if values::is_value(&line[content.clone()]) {
            return Some((kind, content));
        }
        let labelled = labels::labelled(&line[lead + length..])?;
        return Some((kind, lead + length + labelled.start..lead + length + labelled.end));
    }
    let content = bare(line);
    if let Some(name) = name(&line[content.clone()]) {
        return Some((Kind::Name(name), content));
    }
    let value = labels::labelled(line)?;
    let label: Vec<&str> =
        line[..value.start].split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    match label.as_slice() {
        [part, number] if part.eq_ignore_ascii_case("part") && number.len() <= 2 => Some((Kind::Part, value)),
        [one] if one.starts_with(char::is_uppercase) && one.len() > 1 => {
            Some((Kind::Label(one.to_ascii_lowercase()), value))
        }
        _ => None,
    }
}

/// Returns the name in a line such as `x = 42` or `$$y = 43$$`.
fn name(content: &str) -> Option<String> {
    let inside = [("$$", "$$"), ("\\[", "\\]"), ("\\(", "\\)"), ("$", "$")]
        .iter()
        .find_map(|(open, close)| content.strip_prefix(open)?.strip_suffix(close))
        .unwrap_or(content);
    let (name, value) = inside.split_once('=')?;
    let name: String = name.chars().filter(|c| !matches!(c, ' ' | '_' | '{' | '}')).collect();
    let mut characters = name.chars();
    let letter = characters.next().is_some_and(|c| c.is_ascii_lowercase());
    let indexed = characters.all(|c| c.is_ascii_digit());
    (letter && indexed && !value.contains('=') && values::is_value(value.trim())).then_some(name)
}

/// Returns the values of the lines after the line of a value that form a list with it.
pub(super) fn following(text: &str, value: &Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let start = text[..value.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[value.start..].find('\n').map_or(text.len(), |at| value.start + at);
    if start == 0 || value.end > end {
        return found;
    }
    let Some((mut kind, first)) = item(&text[start..end]) else { return found };
    if start + first.start > value.start || matches!(kind, Kind::Part | Kind::Label(_)) {
        return found;
    }
    let mut at = end;
    while at < text.len() && found.len() < MOST_LINES {
        let next = at + 1;
        let end = text[next..].find('\n').map_or(text.len(), |length| next + length);
        let Some((other, value)) = item(&text[next..end]) else { break };
        if !kind.precedes(&other) {
            break;
        }
        found.push(next + value.start..next + value.end);
        (kind, at) = (other, end);
    }
    found
}

/// Returns the values of the lines before the last line, which starts at `line`, that form a list with it.
pub(super) fn preceding(body: &str, line: usize) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let Some((mut kind, _)) = item(&body[line..]) else { return found };
    if matches!(kind, Kind::Bullet | Kind::Number | Kind::Letter) {
        // items can be the steps of a calculation
        return found;
    }
    let concludes = |kind: &Kind| matches!(kind, Kind::Label(label) if CONCLUSIONS.contains(&label.as_str()));
    if concludes(&kind) {
        return found;
    }
    let mut at = line;
    while at > 0 && found.len() < MOST_LINES {
        let end = body[..at].trim_end_matches(['\n', ' ', '\r']).len();
        // parts and displays can have blank lines between them
        let blank = body[end..at].matches('\n').count() > 1;
        let start = body[..end].rfind('\n').map_or(0, |at| at + 1);
        let Some((other, value)) = item(&body[start..end]) else { break };
        if !other.precedes(&kind) || concludes(&other) || blank && kind != Kind::Part {
            break;
        }
        found.push(start + value.start..start + value.end);
        (kind, at) = (other, start);
    }
    // labels of other values are a list only if there is nothing else
    if matches!(kind, Kind::Label(_)) && at > 0 {
        found.clear();
    }
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjacent_lines_form_lists() {
        for (text, values) in [
            ("x = 42\ny = 43", &["x = 42"][..]),
            ("$$x = 42$$\n$$y = 43$$", &["$$x = 42$$"]),
            ("x_1 = 2\nx_2 = 3", &["x_1 = 2"]),
            ("Tom: 42\nJerry: 43", &["42"]),
            ("**Part A:** 42\n\n**Part B:** 43", &["42"]),
            ("Cost: 40\nTax: 2\nTotal: 42", &[]),
            ("They share:\nTom: 42\nJerry: 43", &[]),
            ("x = 6\nxy = 42", &[]),
            ("r = 3\na = 9", &[]),
            ("- 6\n- 42", &[]),
        ] {
            let line = text.rfind('\n').map_or(0, |at| at + 1);
            let found: Vec<&str> = preceding(text, line).into_iter().map(|range| &text[range]).collect();
            assert_eq!(found, values, "{text}");
        }
        for (text, value, values) in [
            ("Answer:\n1. 42\n2. 43", "42", &["43"][..]),
            ("Answer:\n(a) 3\n(b) 4", "3", &["4"]),
            ("Answer:\nx = 42\ny = 43", "x = 42", &["y = 43"]),
            ("Answer: 42\n1. 43", "42", &[]),
            ("Answer:\n- 42\n\nIndeed", "42", &[]),
        ] {
            let start = text.find(value).expect("the value");
            let found = following(text, &(start..start + value.len()));
            let found: Vec<&str> = found.into_iter().map(|range| &text[range]).collect();
            assert_eq!(found, values, "{text}");
        }
    }

    #[test]
    fn markers_of_lists_precede_their_items() {
        for (line, length) in [
            ("- 42", 2),
            ("1. 42", 3),
            ("2) 42", 3),
            ("(a) 3", 4),
            ("-42", 0),
            ("1.5", 0),
            ("(A) 3", 0),
            ("- ", 0),
        ] {
            assert_eq!(marker_length(line), length, "{line}");
        }
    }
}
