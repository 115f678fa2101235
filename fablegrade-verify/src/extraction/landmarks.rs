//! Finds the landmarks of a response in one pass: thinking, turns, boxes, tags, markers and hidden text.

use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::groups::Groups;

/// The kind of a landmark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Landmark {
    ThinkOpen,
    ThinkClose,
    /// A token that ends a turn of the conversation.
    TurnEnd,
    /// The start of a line with another question.
    NextQuestion,
    /// `\boxed` and similar commands; the content follows.
    Box,
    /// `oxed{`: the rest of a box command that lost its backslash, and perhaps its first letter.
    DamagedBox,
    /// `<|begin_of_box|>`.
    BoxToken,
    AnswerOpen,
    AnswerClose,
    /// A word that announces an answer.
    Marker,
    /// `####`, or a word that needs no further sign.
    StrongMarker,
    /// `A:` at the start of a line.
    LineMarker,
    /// The start of what may hide text, or a property of a style.
    Hidden,
}

use Landmark::{
    AnswerClose, AnswerOpen, Box, BoxToken, DamagedBox, Hidden, LineMarker, Marker, NextQuestion,
    StrongMarker, ThinkClose, ThinkOpen, TurnEnd,
};

const PATTERNS: &[(&str, Landmark)] = &[
    ("<think>", ThinkOpen),
    ("<thinking>", ThinkOpen),
    ("<thought>", ThinkOpen),
    ("<reasoning>", ThinkOpen),
    ("[THINK]", ThinkOpen),
    ("<|begin_of_thought|>", ThinkOpen),
    ("<｜begin▁of▁thought｜>", ThinkOpen),
    ("<|channel|>analysis", ThinkOpen),
    ("</think>", ThinkClose),
    ("</thinking>", ThinkClose),
    ("</thought>", ThinkClose),
    ("</reasoning>", ThinkClose),
    ("[/THINK]", ThinkClose),
    ("<|end_of_thought|>", ThinkClose),
    ("<｜end▁of▁thought｜>", ThinkClose),
    ("<|channel|>final<|message|>", ThinkClose),
    ("<|im_end|>", TurnEnd),
    ("<|im_start|>", TurnEnd),
    ("<|endoftext|>", TurnEnd),
    ("<|end_of_text|>", TurnEnd),
    ("<|eot_id|>", TurnEnd),
    ("<|eom_id|>", TurnEnd),
    ("<|end|>", TurnEnd),
    ("<|return|>", TurnEnd),
    ("<|user|>", TurnEnd),
    ("<end_of_turn>", TurnEnd),
    ("<start_of_turn>", TurnEnd),
    ("<｜end▁of▁sentence｜>", TurnEnd),
    ("<｜User｜>", TurnEnd),
    ("</s>", TurnEnd),
    ("[INST]", TurnEnd),
    ("\nQuestion:", NextQuestion),
    ("\n### Question", NextQuestion),
    ("\n### Problem", NextQuestion),
    ("\n### Instruction", NextQuestion),
    ("\n**Question", NextQuestion),
    ("\nQ:", NextQuestion),
    ("\nHuman:", NextQuestion),
    ("\nUser:", NextQuestion),
    ("\nProblem:", NextQuestion),
    ("\\boxed", Box),
    ("\\fbox", Box),
    ("\\framebox", Box),
    ("\\bbox", Box),
    ("\\colorbox", Box),
    ("oxed{", DamagedBox),
    ("<|begin_of_box|>", BoxToken),
    ("<answer>", AnswerOpen),
    ("<final_answer>", AnswerOpen),
    ("<final>", AnswerOpen),
    ("</final>", AnswerClose),
    ("<ans>", AnswerOpen),
    ("</ans>", AnswerClose),
    ("</answer>", AnswerClose),
    ("</final_answer>", AnswerClose),
    ("answer", Marker),
    ("final result", Marker),
    ("result:", StrongMarker),
    ("ans:", StrongMarker),
    ("ans.", StrongMarker),
    ("réponse", Marker),
    ("respuesta", Marker),
    ("resposta", Marker),
    ("risposta", Marker),
    ("antwort", Marker),
    ("ergebnis", Marker),
    ("ответ", Marker),
    ("Ответ", Marker),
    ("答案", Marker),
    ("答え", Marker),
    ("정답", Marker),
    ("正解", Marker),
    ("正确选项", Marker),
    ("正確選項", Marker),
    ("đáp án", Marker),
    ("Đáp án", Marker),
    ("คำตอบ", Marker),
    ("الإجابة", Marker),
    ("الجواب", Marker),
    ("התשובה", Marker),
    ("odpowiedź", Marker),
    ("答：", StrongMarker),
    ("答:", StrongMarker),
    ("故选", StrongMarker),
    ("应选", StrongMarker),
    ("所以选", StrongMarker),
    ("因此选", StrongMarker),
    ("####", StrongMarker),
    ("\nA:", LineMarker),
    ("\\phantom", Hidden),
    ("\\iffalse", Hidden),
    ("<!--", Hidden),
    ("<s>", Hidden),
    ("<del>", Hidden),
    ("<strike>", Hidden),
    ("~~", Hidden),
    ("<<", Hidden),
    ("\\color{white}", Hidden),
    ("\\textcolor{white}", Hidden),
    ("display", Hidden),
    ("visibility", Hidden),
];

fn automaton() -> Option<&'static AhoCorasick> {
    static AUTOMATON: OnceLock<Option<AhoCorasick>> = OnceLock::new();
    AUTOMATON
        .get_or_init(|| {
            AhoCorasick::builder()
                .ascii_case_insensitive(true)
                .match_kind(MatchKind::LeftmostLongest)
                .kind(Some(AhoCorasickKind::DFA))
                .build(PATTERNS.iter().map(|(pattern, _)| pattern))
                .ok()
        })
        .as_ref()
}

/// A landmark and its range in the response.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) landmark: Landmark,
    pub(super) range: Range<usize>,
}

/// Returns all landmarks of a text in order. Takes linear time.
pub(super) fn landmarks(text: &str) -> Vec<Found> {
    let Some(automaton) = automaton() else { return Vec::new() };
    automaton
        .find_iter(text)
        .map(|found| Found { landmark: PATTERNS[found.pattern().as_usize()].1, range: found.range() })
        .collect()
}

/// The part of a response that can contain the answer: after the thinking, before the next turn.
pub(super) enum Window {
    /// The range of this part.
    Open(Range<usize>),
    /// The thinking does not end, or nothing follows it.
    Unfinished,
}

/// Finds the part of a response that can contain the answer.
pub(super) fn window(text: &str, found: &[Found]) -> Window {
    let close = found.iter().rposition(|found| found.landmark == ThinkClose);
    let after = close.map_or(0, |at| at + 1);
    let start = close.map_or(0, |at| found[at].range.end);
    if found[after..].iter().any(|found| found.landmark == ThinkOpen) {
        return Window::Unfinished;
    }
    let mut start = start;
    let mut end = text.len();
    for found in &found[after..] {
        let ends = matches!(found.landmark, TurnEnd | NextQuestion);
        if !ends {
            continue;
        }
        if text[start..found.range.start].trim().is_empty() {
            // a token of the chat template precedes the response
            if found.landmark == TurnEnd {
                start = found.range.end;
            }
            continue;
        }
        end = found.range.start;
        break;
    }
    if close.is_some() && text[start..end].trim().is_empty() {
        return Window::Unfinished;
    }
    Window::Open(start..end)
}

/// Returns the length of the rest of a calculator's note after its `<<`.
fn calculation(rest: &str) -> Option<usize> {
    let end = rest.bytes().take(200).position(|byte| matches!(byte, b'>' | b'\n' | b'<'))?;
    (rest[end..].starts_with(">>") && rest[..end].contains('=')).then_some(end + 2)
}

/// A text that ends hidden parts, and the last search for it.
struct Closing {
    pattern: &'static str,
    /// The start of the search, and the end of what was found.
    last: Option<(usize, usize)>,
}

impl Closing {
    fn new(pattern: &'static str) -> Self {
        Self { pattern, last: None }
    }

    /// Returns the end of the first occurrence at or after `from`, or the end of the text. `from` never decreases,
    /// so the searches of a text take linear time together.
    fn after(&mut self, text: &str, from: usize) -> usize {
        match self.last {
            Some((start, end))
                if start <= from && (from + self.pattern.len() <= end || end == text.len()) =>
            {
                end
            }
            _ => {
                let found = text[from..].find(self.pattern);
                let end = found.map_or(text.len(), |at| from + at + self.pattern.len());
                self.last = Some((from, end));
                end
            }
        }
    }
}

/// The values of `style` attributes: `<span style="display:none">`. They may have any length.
struct Styles<'t> {
    text: &'t str,
    /// The end of the part that was searched.
    searched: usize,
    /// The start of the name of the open start tag.
    tag: Option<usize>,
    /// The end of the `style` that ends last, and the name of its tag.
    last: Option<(usize, usize)>,
    /// The end of the last value without quotation marks.
    unquoted: usize,
    double: Closing,
    single: Closing,
}

impl<'t> Styles<'t> {
    fn new(text: &'t str) -> Self {
        let (double, single) = (Closing::new("\""), Closing::new("'"));
        Self { text, searched: 0, tag: None, last: None, unquoted: 0, double, single }
    }

    /// Returns the start of the tag's name if a position is inside the value of a `style` of this tag. Positions never
    /// decrease, so all calls take linear time together.
    fn tag_at(&mut self, at: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        while let Some(found) = self.text.get(self.searched..at).and_then(|part| part.find(['<', '=', '>'])) {
            let sign = self.searched + found;
            self.searched = sign + 1;
            match (bytes[sign], self.tag) {
                (b'<', _) => match bytes.get(sign + 1) {
                    Some(b'/') => self.tag = None,
                    Some(next) if next.is_ascii_alphabetic() => self.tag = Some(sign + 1),
                    _ => {}
                },
                (b'>', _) => self.tag = None,
                (_, Some(tag)) => {
                    let end = self.value_end(sign + 1);
                    let name = self.text[..sign].trim_end();
                    let style = name.len().checked_sub(5).and_then(|start| name.split_at_checked(start));
                    let style = style.is_some_and(|(front, name)| {
                        name.eq_ignore_ascii_case("style")
                            && front.ends_with(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '/'))
                    });
                    if style && self.last.is_none_or(|(last, _)| last < end) {
                        self.last = Some((end, tag));
                    }
                    // signs in a closed value do not end the tag
                    if end < self.text.len() {
                        self.searched = end;
                    }
                }
                _ => {}
            }
        }
        self.searched = self.searched.max(at);
        self.last.filter(|(end, _)| at < *end).map(|(_, tag)| tag)
    }

    /// Returns the end of the value after an equals sign.
    fn value_end(&mut self, after: usize) -> usize {
        // quotation marks can be escaped
        let value = self.text[after..].trim_start_matches(|c: char| c.is_whitespace() || c == '\\');
        let start = self.text.len() - value.len();
        match value.bytes().next() {
            Some(b'"') => self.double.after(self.text, start + 1),
            Some(b'\'') => self.single.after(self.text, start + 1),
            _ => {
                if start >= self.unquoted {
                    let length = value.find(|c: char| c.is_whitespace() || c == '>');
                    self.unquoted = length.map_or(self.text.len(), |length| start + length);
                }
                self.unquoted
            }
        }
    }
}

/// Returns whether a property of a style hides text: `display` before `: none`.
fn hides(property: &str, behind: &str) -> bool {
    let hiding = if property == "display" { "none" } else { "hidden" };
    let value = behind.trim_start().strip_prefix(':').map(str::trim_start);
    let value = value.and_then(|value| value.get(..hiding.len()));
    value.is_some_and(|value| value.eq_ignore_ascii_case(hiding))
}

/// Elements without content, by the standard of HTML.
const VOID: &[&str] =
    &["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"];

/// Returns the end of an element's content, or `limit` if there is no end tag before it. `tag` is the start of the
/// element's name, and `from` is a position in its start tag. Elements of the same name can be inside.
fn element_end(text: &str, tag: usize, from: usize, limit: usize) -> usize {
    let tag = &text[tag..from];
    let name = &tag[..tag.bytes().take_while(u8::is_ascii_alphanumeric).count()];
    if VOID.iter().any(|void| name.eq_ignore_ascii_case(void)) {
        return from;
    }
    let (mut depth, mut at) = (1_usize, from);
    while let Some(found) = text[at..limit].find('<') {
        let bracket = at + found;
        at = bracket + 1;
        let inside = &text[at..limit];
        let ends = inside.starts_with('/');
        let inside = inside.strip_prefix('/').unwrap_or(inside);
        let (Some(other), Some(rest)) = (inside.get(..name.len()), inside.get(name.len()..)) else {
            continue;
        };
        if !other.eq_ignore_ascii_case(name)
            || rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-')
        {
            continue;
        }
        if !ends {
            depth += 1;
        } else if depth == 1 {
            return bracket;
        } else {
            depth -= 1;
        }
    }
    limit
}

/// Returns the text with hidden parts replaced by blanks of the same length. `None` if nothing is hidden.
pub(super) fn displayed(text: &str, found: &[Found]) -> Option<String> {
    let mut bytes: Option<Vec<u8>> = None;
    let groups = Groups::new(text);
    let (mut comment, mut fi) = (Closing::new("-->"), Closing::new("\\fi"));
    let (mut line, mut struck) = (Closing::new("\n"), Closing::new("</s>"));
    let (mut deleted, mut strike, mut tildes) =
        (Closing::new("</del>"), Closing::new("</strike>"), Closing::new("~~"));
    let mut styles = Styles::new(text);
    let first = text.len() - text.trim_start().len();
    let thinking =
        found.iter().rfind(|found| found.landmark == ThinkClose).map_or(0, |found| found.range.start);
    // an open comment in the thinking does not hide the answer after it
    let within = |start: usize, end: usize, pattern: &str| {
        let open = end == text.len() && !text[start..].ends_with(pattern);
        if open && start <= thinking { thinking } else { end }
    };
    // the end of the part that is blank already
    let mut blank = 0;
    for found in found.iter().filter(|found| found.landmark == Hidden) {
        let pattern = text[found.range.clone()].to_ascii_lowercase();
        let start = found.range.end;
        let end = if pattern.starts_with("<!--") {
            within(start, comment.after(text, start), "-->")
        } else if pattern == "<s>" {
            // struck out; at the start of a response or without an end in its line, a token of the chat template
            let end = struck.after(text, start);
            let within_line = end <= line.after(text, start) && text[start..end].ends_with("</s>");
            if found.range.start <= first || !within_line {
                continue;
            }
            end
        } else if matches!(pattern.as_str(), "<del>" | "<strike>" | "~~") {
            // struck out within a line
            let (closing, end_tag) = match pattern.as_str() {
                "<del>" => (&mut deleted, "</del>"),
                "<strike>" => (&mut strike, "</strike>"),
                _ => (&mut tildes, "~~"),
            };
            if start <= blank {
                // this ends what is struck out
                continue;
            }
            // In a formula, `~` is a space.
            if pattern == "~~" && text[start..].starts_with(['\\', ' ', '$']) {
                continue;
            }
            let end = closing.after(text, start);
            if end > line.after(text, start) || !text[start..end].ends_with(end_tag) {
                continue;
            }
            end
        } else if pattern == "<<" {
            // a calculator's note: `9 * 2 = <<9*2=18>>18`
            match calculation(&text[start..]) {
                Some(length) => start + length,
                None => continue,
            }
        } else if pattern == "\\iffalse" {
            within(start, fi.after(text, start), "\\fi")
        } else if pattern.starts_with('\\') {
            groups.at(start).map_or(start, |(_, end)| end)
        } else if start <= blank || !hides(&pattern, &text[start..]) {
            continue;
        } else if let Some(tag) = styles.tag_at(found.range.start) {
            let limit = if start <= thinking { thinking } else { text.len() };
            element_end(text, tag, found.range.start, limit)
        } else {
            // a style that is only mentioned
            continue;
        };
        let bytes = bytes.get_or_insert_with(|| text.as_bytes().to_vec());
        let from = found.range.start.max(blank);
        if from < end {
            bytes[from..end].fill(b' ');
            blank = end;
        }
    }
    // still UTF-8: every range starts and ends at a character boundary
    bytes.and_then(|bytes| String::from_utf8(bytes).ok())
}
