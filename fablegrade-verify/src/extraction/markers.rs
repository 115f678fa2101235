//! Finds the values that markers announce, such as `The answer is 42`.

use std::ops::Range;

use super::groups::{end_of, start_of};
use super::landmarks::{Found, Landmark};
use super::{bounds, clauses, corrections, lines, sentences, statements, values};

/// Words before a marker that show that the answer is wrong or somebody else's.
const ATTRIBUTIONS: [&str; 18] = [
    "wrong",
    "incorrect",
    "previous",
    "reference",
    "expected",
    "sample",
    "ground truth",
    "gold",
    "provided",
    "possible wrong",
    "student's",
    "textbook's",
    "textbook’s",
    "book's",
    "initial",
    "naive",
    "naïve",
    "tempting",
];

/// The maximum length of the text that is searched for the value of one marker, in bytes. Longer than any answer
/// that is compared, so an answer that is cut here is not compared either.
const REACH: usize = 20_100;

/// The number of bytes that may still be read to find the values of markers.
///
/// Nearly always, one of the last markers announces the answer. In a response with very many markers that announce
/// nothing, only the last ones are read.
pub(super) struct Effort {
    bytes: usize,
}

impl Effort {
    pub(super) fn new() -> Self {
        Self { bytes: 100_000 }
    }

    /// Spends bytes. Returns `None` if this exhausts the budget; then every later call returns `None` too.
    fn spend(&mut self, bytes: usize) -> Option<()> {
        self.bytes = self.bytes.saturating_sub(bytes);
        (self.bytes > 0).then_some(())
    }
}

/// Returns the range of the value that a marker announces. With `has_box`, words that are not recognised as a value
/// do not count.
pub(super) fn announced(
    text: &str,
    found: &Found,
    window: Range<usize>,
    has_box: bool,
    effort: &mut Effort,
) -> Option<Range<usize>> {
    effort.spend(0)?;
    let before = &text[window.start..found.range.start];
    let last_words = before.trim_end_matches([' ', '*', '_', '"', '\'', '{']);
    let mut tail_start = found.range.end;
    let rest = |at: usize| start_of(&text[at..window.end], REACH);
    match found.landmark {
        Landmark::Marker => {
            let lower = end_of(last_words, 24).to_ascii_lowercase();
            if ATTRIBUTIONS.iter().any(|other| lower.ends_with(other)) {
                return None;
            }
            // the marker ends a longer word
            if before.ends_with(|c: char| c.is_alphabetic() && c.is_ascii())
                && !before.ends_with(['l', 'L', 'd'])
            {
                return None;
            }
            let plural = rest(tail_start).strip_prefix(['s', 'S']).is_some();
            tail_start += usize::from(plural);
            tail_start += match announcement(rest(tail_start)) {
                Some(length) => length,
                // a line that is a marker and a value: `Answer 42`
                None => value_alone(before, rest(tail_start))?,
            };
            if is_supposed(before) || is_only_thought(before, rest(found.range.end)) {
                return None;
            }
        }
        Landmark::LineMarker => {
            // `A:` also starts options; only a value with a digit or a command is an answer
            let all = rest(tail_start);
            let tail = all.trim_start();
            let start = tail_start + all.len() - tail.len();
            let line = start..start + tail.find('\n').unwrap_or(tail.len());
            effort.spend(line.len())?;
            let value = value_in(text, line)?;
            return text[value.clone()].contains(|c: char| c.is_ascii_digit() || c == '\\').then_some(value);
        }
        // the marker ends a longer word: `ans:` in `means:`
        _ if text[found.range.clone()].starts_with(|c: char| c.is_ascii_alphabetic())
            && before.ends_with(char::is_alphanumeric) =>
        {
            return None;
        }
        _ => {}
    }
    let tail = rest(tail_start);
    let skipped = filler(tail);
    let mut tail_start = tail_start + skipped;
    // an item of a list on the next line
    if text[found.range.end..tail_start].contains('\n') {
        tail_start += lines::marker_length(rest(tail_start));
    }
    let tail = rest(tail_start);
    let sentence = sentences::sentence_end(tail);
    effort.spend(skipped + sentence)?;
    if found.landmark == Landmark::Marker
        && let Some(head) = head_of_sentence(before)
        && corrections::confirms(&text[found.range.start - head.len()..tail_start + sentence])
    {
        return None;
    }
    if bounds::starts(tail) {
        // the answer is the whole phrase, not its value: `at least 17`
        return if has_box { None } else { words_in(text, tail_start..tail_start + sentence) };
    }
    if is_negated(tail) {
        let but = tail.find(" but ").map(|at| at + 5)?;
        effort.spend(but)?;
        return value_in(text, tail_start + but..tail_start + sentence.max(but));
    }
    let quoted = text[..tail_start].ends_with(['"', '\'']);
    if quoted
        && text[..tail_start].ends_with('"')
        && let Some(end) = closing_quote(tail)
    {
        return Some(tail_start..tail_start + end);
    }
    let end = tail_start + sentence;
    if clauses::is_part(&text[tail_start..end]) {
        return None;
    }
    match value_in(text, tail_start..end) {
        Some(value) => {
            let behind = text[value.end..end].trim_start_matches([' ', '*', '$', '(']);
            let denied = [
                "is too ",
                "is one of",
                "is impossible",
                "is wrong",
                "is incorrect",
                "is false",
                "is not ",
                "isn't",
                "incorrect",
                "wrong",
            ];
            (!denied.iter().any(|words| behind.starts_with(words))).then_some(value)
        }
        None if has_box || text[end..].starts_with('?') => None,
        None => words_in(text, tail_start..end),
    }
}

/// Returns the length of the text between a marker and its value: `:`, `is`, `=`, an arrow, a heading's end.
///
/// `None` if the marker announces nothing.
fn announcement(rest: &str) -> Option<usize> {
    let closed = rest.len() - rest.trim_start_matches(['*', '_', '}', '"', '\'', ')', '#']).len();
    let after = &rest[closed..];
    let blank = after.len() - after.trim_start_matches([' ', '\t']).len();
    let word = &after[blank..];
    let word =
        ["to the question", "to the problem", "to this question", "to this problem", "to your question"]
            .iter()
            .find_map(|question| word.strip_prefix(question).filter(|rest| rest.starts_with(':')))
            .unwrap_or(word);
    let word = ["finale", "final", "definitiva", "correcta", "correta", "đúng"]
        .iter()
        .find_map(|adjective| word.strip_prefix(adjective).filter(|rest| rest.starts_with([' ', ':', '*'])))
        .map_or(word, |rest| rest.trim_start_matches([' ', '*']));
    if let Some(behind) = word.strip_prefix("- ").filter(|_| blank > 0) {
        return Some(rest.len() - behind.len());
    }
    for sign in [":", "：", "=>", "=", "→", "⇒", "->", "–", "—"] {
        if let Some(behind) = word.strip_prefix(sign) {
            return Some(rest.len() - behind.len());
        }
    }
    for verb in [
        "is",
        "are",
        "was",
        "would be",
        "should be",
        "must be",
        "equals",
        "will be",
        "comes out to",
        "là",
        "jest",
        "คือ",
        "هي",
        "هو",
        "היא",
        "הוא",
        "은",
        "는",
        "est",
        "es",
        "é",
        "ist",
        "lautet",
        "sera",
        "是",
        "为",
        "選",
        "选",
        "は",
        "therefore",
        "thus",
        "becomes",
        "to the problem is",
        "to the question is",
        "to this problem is",
        "to this question is",
    ] {
        if let Some(behind) = word.strip_prefix(verb) {
            let ends =
                !verb.is_ascii() || behind.starts_with(|c: char| !c.is_alphanumeric()) || behind.is_empty();
            if ends && !behind.trim_start().is_empty() {
                return Some(rest.len() - behind.len());
            }
        }
    }
    // a heading: the value is on the next line
    if word.starts_with('\n') && !word.trim_start().is_empty() {
        return Some(rest.len() - word.len());
    }
    // `Answer $9$`, `Antwort B`
    let letter = word.starts_with(|c: char| c.is_ascii_uppercase())
        && !word[1..].starts_with(|c: char| c.is_alphanumeric());
    if word.starts_with(['$']) || word.starts_with("\\[") || word.starts_with("\\(") || (letter && blank > 0)
    {
        return Some(rest.len() - word.len());
    }
    None
}

/// Returns the length of the blanks between a marker that starts a line and a value that ends it: `Answer 42`.
fn value_alone(before: &str, behind: &str) -> Option<usize> {
    let first = before.trim_end_matches([' ', '*', '#', '_']);
    let line = behind.lines().next().unwrap_or_default();
    let value = line.trim_matches([' ', '*', '.']);
    let alone = (first.is_empty() || first.ends_with('\n')) && line.starts_with(' ');
    (alone
        && value.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '(' | '-'))
        && values::is_value(value))
    .then(|| line.len() - line.trim_start().len())
}

/// Returns the length of the leading words that do not belong to the value.
fn filler(tail: &str) -> usize {
    let mut rest = tail;
    loop {
        let trimmed = rest.trim_start_matches(|c: char| {
            c.is_whitespace()
                || matches!(
                    c,
                    '*' | ':'
                        | '：'
                        | '"'
                        | '“'
                        | '”'
                        | '„'
                        | '‘'
                        | '«'
                        | '_'
                        | '`'
                        | '✅'
                        | '→'
                        | '≈'
                        | '是'
                        | '为'
                        | '#'
                )
        });
        // `>` opens a quoted line; elsewhere it is a relation.
        let opens_line = tail[..tail.len() - trimmed.len()].trim_end_matches(' ').ends_with('\n');
        let trimmed = trimmed.strip_prefix('>').filter(|_| opens_line).unwrap_or(trimmed);
        let trimmed =
            ["\\text{", "\\approx", "\\quad", "<b>", "<strong>", "<em>", "<i>", "<code>", "<p>", "<br>"]
                .iter()
                .find_map(|one| trimmed.strip_prefix(one))
                .unwrap_or(trimmed);
        // the line under a heading
        let rule = trimmed.bytes().take_while(|byte| matches!(byte, b'=' | b'-')).count();
        let trimmed = if rule > 2 && trimmed[rule..].starts_with('\n') { &trimmed[rule..] } else { trimmed };
        let next = [
            "therefore",
            "thus",
            "then",
            "hence",
            "simply",
            "just",
            "approximately",
            "approx.",
            "about",
            "exactly",
            "roughly",
            "around",
            "for sure",
            "definitely",
            "clearly",
            "indeed",
            "now",
            "also",
            "donc",
            "equal to",
            "given by",
            "option",
            "choice",
            "is",
            "are",
            "equals",
            "the number",
            "the value",
            "probably",
            "the final answer is",
            "final answer:",
            "therefore:",
            "la opción",
            "opción",
            "la letra",
            "a letra",
            "letra",
            "a opção",
            "opção",
            "a alternativa",
            "alternativa",
            "l'option",
            "la lettre",
            "die option",
            "вариант",
            "environ",
            "einfach",
            "=",
        ]
        .iter()
        .find_map(|word| {
            let head = trimmed.get(..word.len())?;
            let behind = &trimmed[word.len()..];
            (head.eq_ignore_ascii_case(word) && behind.starts_with([' ', ',', ':', '\n', '$']))
                .then_some(behind)
        });
        match next {
            Some(behind) => rest = behind.trim_start_matches([',', ' ']),
            None if trimmed.len() == rest.len() => return tail.len() - rest.len(),
            None => rest = trimmed,
        }
    }
}

/// Returns the part of a sentence at the end of `before`, or `None` if it is longer than 200 bytes.
pub(super) fn head_of_sentence(before: &str) -> Option<&str> {
    let near = end_of(before, 200);
    let start = near.rfind(['.', '!', '?', '\n', ':']).map(|at| at + 1);
    let start = start.or((near.len() == before.len()).then_some(0))?;
    Some(&near[start..])
}

/// Returns whether the sentence at the end of `before` is a supposition: `Suppose the answer`.
///
/// Long sentences count as statements.
fn is_supposed(before: &str) -> bool {
    let Some(head) = head_of_sentence(before) else { return false };
    let head: String = head.trim_start_matches([' ', '*', '_']).chars().take(10).collect();
    let head = head.to_ascii_lowercase();
    ["suppose", "assume", "assuming", "if "].iter().any(|word| head.starts_with(word))
}

/// Returns whether a sentence about an answer only says what somebody thinks or what would be: "one might think the answer
/// is", "the answer would be 43 if".
fn is_only_thought(before: &str, behind: &str) -> bool {
    let head = head_of_sentence(before).unwrap_or_default().to_ascii_lowercase();
    let thought =
        ["might think", "may think", "could think", "be tempted", "i thought", "i guessed", "initially"];
    if thought.iter().any(|words| head.contains(words)) {
        return true;
    }
    let sentence = &behind[..sentences::sentence_end(start_of(behind, 300))];
    let sentence = sentence.to_ascii_lowercase();
    sentence.trim_start().starts_with("would ")
        && [" if ", " had ", " were ", " have been "]
            .iter()
            .any(|word| head.contains(word) || sentence.contains(word))
}

fn is_negated(tail: &str) -> bool {
    let lower: String = tail.chars().take(12).collect::<String>().to_ascii_lowercase();
    [
        "not ", "nicht ", "не ", "pas ", "n't ", "neither ", "never ", "one of ", "unknown", "unclear",
        "either ",
    ]
    .iter()
    .any(|word| lower.starts_with(word))
}

/// Returns the value at the start of a range; otherwise, the value that the range states.
fn value_in(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let tail = &text[range.clone()];
    if let Some(length) = statements::yes_or_no(tail) {
        return Some(range.start..range.start + length);
    }
    let mut length = values::value_length(tail);
    if length > 0 {
        // "the answer is" contains the verb of the sentence; "Answer:" does not
        if text[..range.start].trim_end().ends_with(char::is_alphabetic) {
            length = clauses::without_clause(tail, length);
        }
        length = clauses::with_change(tail, length);
        // the range ends before a sentence's exclamation mark, so an exclamation mark in it is a factorial
        let factorial = usize::from(&tail[length..] == "!");
        if text[range.start + length..].starts_with('?') {
            // a question, not a statement
            return None;
        }
        return Some(range.start..range.start + length + factorial);
    }
    (tail.len() <= sentences::LONGEST_SENTENCE)
        .then(|| statements::stated(tail, false))
        .flatten()
        .map(|value| range.start + value.start..range.start + value.end)
        .filter(|value| !text[value.end..].starts_with('?'))
}

/// Returns an answer of one to eight words, which ends before a comma, a reason or a remark.
fn words_in(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let tail = &text[range.clone()];
    // `Yes, but not always`
    let first = tail.split(',').next().unwrap_or_default().trim().to_ascii_lowercase();
    if matches!(first.as_str(), "yes" | "no" | "true" | "false") && tail.contains(',') {
        return (tail.split_whitespace().count() <= 8).then_some(range);
    }
    let end = [",", ";", " because", " since", " (", "**", " -", "\"", "”", "“", "»", "</"]
        .iter()
        .filter_map(|stop| tail.find(stop))
        .min()
        .unwrap_or(tail.len());
    let words = tail[..end].trim();
    // `given below`, `as follows`
    if words.ends_with("below") || words.ends_with("follows") || words.ends_with("following") {
        return None;
    }
    let count = words.split_whitespace().count();
    ((1..=8).contains(&count)).then(|| range.start..range.start + end)
}

/// Returns the position of the closing quotation mark.
fn closing_quote(tail: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in tail.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = tail[at..].starts_with("\\\"") || tail[at..].starts_with("\\\\"),
            '"' => return (at > 0).then_some(at),
            '\n' => return None,
            _ => {}
        }
    }
    None
}

/// Returns the value that a sentence in a box announces: `\text{The answer is 460}`.
pub(super) fn inside_box(content: &str) -> Option<Range<usize>> {
    let lower = content.to_ascii_lowercase();
    let at = lower.rfind("answer")?;
    let start = at + 6;
    let announced = announcement(&content[start..])?;
    let start = start + announced;
    let start = start + filler(&content[start..]);
    let start = content.len() - content[start..].trim_start_matches(['}', ' ']).len();
    let word = content[start..].trim_end_matches(['}', ' ', '.']);
    if matches!(word.to_ascii_lowercase().as_str(), "true" | "false" | "yes" | "no") {
        return Some(start..start + word.len());
    }
    let length = values::value_length(&content[start..]);
    let length = if length > 0 { clauses::with_change(&content[start..], length) } else { 0 };
    (length > 0).then(|| start..start + length)
}
