//! Finds the answer in a response: the last value that the response commits to.
//!
//! The last of these places counts: a box, an `<answer>` tag, or an explicit marker ("the final answer is",
//! `Answer:`, `####`, in several languages). Without any of these, the answer is stated at the end of the text: the
//! whole text if it is a value, a value or a labelled value in the last line, the last bold value, or a value in the
//! last sentence. Thinking, hidden text and everything after the end of the turn are ignored. The reference is
//! not used.

mod bounds;
mod boxes;
mod clauses;
mod coordination;
mod corrections;
mod endings;
mod groups;
mod labels;
mod landmarks;
mod lines;
mod markers;
mod options;
mod phrases;
mod sentences;
mod single;
mod statements;
mod surroundings;
mod values;

use std::borrow::Cow;
use std::ops::Range;

use boxes::{AtBox, Boxed, Reader};
use landmarks::{Found, Landmark, Window};
use surroundings::Standing;

use crate::reading::option;

/// Options for finding answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Extraction {
    /// If `true`, the last stated value of a response without a box, tag or marker is its answer, and so is the last
    /// value that is stated after an answer was taken back.
    pub fallback: bool,
    /// The maximum length of a response in bytes. Longer responses have no answer.
    pub limit: usize,
}

impl Extraction {
    /// The default maximum length of a response, in bytes.
    pub const LIMIT: usize = 4_000_000;

    /// Creates options with the fallback and the default maximum length.
    #[must_use]
    pub fn new() -> Self {
        Self { fallback: true, limit: Self::LIMIT }
    }

    /// Sets the field `fallback`.
    #[must_use]
    pub fn fallback(self, fallback: bool) -> Self {
        Self { fallback, ..self }
    }
}

impl Default for Extraction {
    fn default() -> Self {
        Self::new()
    }
}

/// The kind of place where an answer was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// The answer is in a box.
    Box,
    /// The answer is in several boxes that form a list.
    Boxes,
    /// The answer is in an `<answer>` tag.
    Tag,
    /// The answer follows a marker such as `Answer:`.
    Marker,
    /// The whole response is one of these: a value, `yes` or `no`, each perhaps with a reason; a few words; a short
    /// clause that chooses an option.
    WholeText,
    /// The answer is the last bold value.
    Bold,
    /// The answer is stated in the last line or sentence.
    Statement,
}

impl Place {
    /// Returns the name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Box => "box",
            Self::Boxes => "boxes",
            Self::Tag => "tag",
            Self::Marker => "marker",
            Self::WholeText => "whole-text",
            Self::Bold => "bold",
            Self::Statement => "statement",
        }
    }
}

/// An answer in the response's notation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate<'r> {
    /// The answer, in which hidden text is replaced by blanks. Several values, such as the contents of several boxes, are
    /// joined by semicolons.
    pub text: Cow<'r, str>,
    /// The kind of place where it was found.
    pub place: Place,
    /// The byte range of the answer in the response.
    pub span: Range<usize>,
}

/// The reason why a response has no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoAnswer {
    /// The response is blank.
    Blank,
    /// The response exceeds the limit.
    TooLong,
    /// The thinking does not end, or nothing follows it.
    UnfinishedThinking,
    /// The last box is empty, or contains only a placeholder.
    EmptyBox,
    /// The last box is not closed.
    CutBox,
    /// The answer is taken back, and no other answer is found.
    TakenBack,
    /// No answer is stated.
    NothingStated,
}

impl NoAnswer {
    /// Returns the reason in words.
    #[must_use]
    pub fn message(self) -> &'static str {
        match self {
            Self::Blank => "the response is blank",
            Self::TooLong => "the response is over the limit",
            Self::UnfinishedThinking => "the thinking has no end, or nothing follows it",
            Self::EmptyBox => "the last box is empty, or contains only a placeholder",
            Self::CutBox => "the last box has no end",
            Self::TakenBack => "the answer is taken back",
            Self::NothingStated => "no answer is stated",
        }
    }
}

/// Finds the answer in a response.
///
/// ```
/// use fablegrade_verify::{Extraction, Place, extract};
/// let found = extract(r"So $\boxed{\frac{1}{2}}$.", &Extraction::new());
/// let found = found.map_err(|reason| reason.message())?;
/// assert_eq!((found.text.as_ref(), found.place), (r"\frac{1}{2}", Place::Box));
/// # Ok::<(), &'static str>(())
/// ```
///
/// # Errors
/// Returns the reason why the response has no answer.
pub fn extract<'r>(response: &'r str, extraction: &Extraction) -> Result<Candidate<'r>, NoAnswer> {
    if response.len() > extraction.limit {
        return Err(NoAnswer::TooLong);
    }
    if response.trim().is_empty() {
        return Err(NoAnswer::Blank);
    }
    let found = landmarks::landmarks(response);
    let stated = match landmarks::displayed(response, &found) {
        Some(displayed) => {
            let found = landmarks::landmarks(&displayed);
            extract_displayed(&displayed, &found, extraction)
                .map(|found| Candidate { text: Cow::Owned(found.text.into_owned()), ..found })
        }
        None => extract_displayed(response, &found, extraction),
    };
    stated.and_then(|stated| if is_empty(&stated.text) { Err(NoAnswer::NothingStated) } else { Ok(stated) })
}

/// Returns whether an answer has nothing between the delimiters of its formulas, as in `$ $`.
fn is_empty(answer: &str) -> bool {
    let mut rest = answer.trim_start();
    while let Some(after) = ["$", "\\(", "\\)", "\\[", "\\]"].iter().find_map(|sign| rest.strip_prefix(sign))
    {
        rest = after.trim_start();
    }
    rest.is_empty()
}

/// The maximum number of refused boxes. Boxes are read from the last one to the first.
const MOST_REFUSED: usize = 8;

/// An announced answer, or the reason why there is none.
enum Announced {
    Box(Boxed),
    Failed(NoAnswer),
    Text(Range<usize>, Place),
}

fn extract_displayed<'r>(
    text: &'r str,
    found: &[Found],
    extraction: &Extraction,
) -> Result<Candidate<'r>, NoAnswer> {
    let Window::Open(window) = landmarks::window(text, found) else {
        return Err(NoAnswer::UnfinishedThinking);
    };
    let inside = |found: &&Found| found.range.start >= window.start && found.range.end <= window.end;
    let found: Vec<&Found> = found.iter().filter(inside).collect();
    // backwards: the last landmark that announces an answer decides
    let reader = Reader::new(&text[..window.end]);
    let mut boxes: Option<Boxes> = None;
    let mut effort = markers::Effort::new();
    // the last tag or value before a remark about the answer; not yet searched at first
    let mut earlier_value: Option<Option<usize>> = None;
    // the number of boxes whose content is denied, supposed or asked about; if there is one, a value that is only stated
    // is not the answer
    let mut refused = 0_usize;
    for at in (0..found.len()).rev() {
        let announced = match found[at].landmark {
            // in a response with many refused boxes, only the last ones are read
            Landmark::Box | Landmark::DamagedBox | Landmark::BoxToken if refused >= MOST_REFUSED => continue,
            Landmark::Box | Landmark::DamagedBox | Landmark::BoxToken => {
                match reader.read(found[at]) {
                    AtBox::Mention => continue,
                    AtBox::Cut => Announced::Failed(NoAnswer::CutBox),
                    AtBox::Complete(boxed) => {
                        // a box inside another box counts as the outer box
                        let all = boxes.get_or_insert_with(|| Boxes::new(&reader, &found));
                        let outer = all.complete().find(|outer| {
                            outer.range.start <= boxed.range.start && boxed.range.end <= outer.range.end
                        });
                        let boxed = outer.unwrap_or(&boxed).clone();
                        if matches!(surroundings::standing(text, window.clone(), &boxed), Standing::Refused) {
                            let retraction = corrections::taken_back(
                                &text[boxed.content.clone()],
                                &text[boxed.range.end..window.end],
                            );
                            if let Some(value) = retraction.and_then(|retraction| retraction.value) {
                                let value = boxed.range.end + value.start..boxed.range.end + value.end;
                                return Ok(candidate(text, &[value], Place::Statement));
                            }
                            refused += 1;
                            continue;
                        }
                        Announced::Box(boxed)
                    }
                }
            }
            Landmark::AnswerClose => continue,
            Landmark::AnswerOpen => {
                let start = found[at].range.end;
                let close = found[at..].iter().find(|found| found.landmark == Landmark::AnswerClose);
                let end = close.map_or(window.end, |close| close.range.start);
                let blank = text[start..end].trim().is_empty();
                if blank {
                    Announced::Failed(NoAnswer::NothingStated)
                } else {
                    Announced::Text(start..end, Place::Tag)
                }
            }
            Landmark::Marker | Landmark::StrongMarker | Landmark::LineMarker => {
                let all = boxes.get_or_insert_with(|| Boxes::new(&reader, &found));
                if all.contain(found[at].range.start) {
                    continue;
                }
                let has_box = !all.contents.is_empty();
                let mut announced = |at: usize, values: bool| {
                    markers::announced(text, found[at], window.clone(), values, &mut effort)
                };
                let Some(range) = announced(at, has_box) else { continue };
                // words such as `The answer is correct` after an announced value are a remark about it
                let remark = found[at].landmark == Landmark::Marker
                    && !text[found[at].range.end..range.start].contains([':', '：'])
                    && is_remark(&text[range.clone()])
                    && announced(at, true).is_none();
                if remark && earlier_value.is_none_or(|earlier| earlier.is_some_and(|earlier| earlier >= at))
                {
                    let mut close: Option<usize> = None;
                    earlier_value = Some((0..at).rev().find(|before| {
                        match found[*before].landmark {
                            Landmark::AnswerClose => {
                                close = Some(found[*before].range.start);
                                false
                            }
                            // a tag that does not close is only mentioned
                            Landmark::AnswerOpen => close.take().is_some_and(|close| {
                                !text[found[*before].range.end..close].trim().is_empty()
                            }),
                            Landmark::Marker | Landmark::StrongMarker => announced(*before, true)
                                .is_some_and(|value| value.end <= found[at].range.start),
                            _ => false,
                        }
                    }));
                }
                if remark && earlier_value.flatten().is_some() {
                    continue;
                }
                Announced::Text(range, Place::Marker)
            }
            _ => continue,
        };
        let (answer, end) = match &announced {
            Announced::Box(boxed) => (boxed.content.clone(), boxed.range.end),
            Announced::Text(range, _) => (range.clone(), range.end),
            Announced::Failed(_) => (window.end..window.end, window.end),
        };
        if let Some(retraction) = corrections::taken_back(&text[answer], &text[end..window.end]) {
            let after = Some(end + retraction.from..window.end).filter(|_| extraction.fallback);
            let stated = after.and_then(|after| match retraction.value {
                Some(value) => {
                    let value = end + value.start..end + value.end;
                    Some((vec![value], Place::Statement))
                }
                None => statements::last_stated(text, after.clone())
                    .or_else(|| Some((vec![corrections::instead(text, after)?], Place::Statement)))
                    .filter(|(ranges, _)| {
                        !ranges.iter().all(|range| corrections::is_denial(&text[range.clone()]))
                    }),
            });
            let (ranges, place) = stated.ok_or(NoAnswer::TakenBack)?;
            return Ok(candidate(text, &ranges, place));
        }
        return match announced {
            Announced::Failed(reason) => Err(reason),
            Announced::Text(range, place) => {
                let mut values = vec![range];
                if place == Place::Tag {
                    let content = &text[values[0].clone()];
                    let plain: Cow<'_, str> = Cow::Borrowed(content.trim());
                    if let Some(value) = tag_in_words(&plain) {
                        let found = candidate(text, &values, place);
                        return Ok(Candidate { text: Cow::Owned(value), ..found });
                    }
                }
                if place == Place::Marker {
                    values.extend(lines::following(&text[..window.end], &values[0]));
                }
                Ok(candidate(text, &values, place))
            }
            Announced::Box(last) => {
                let all = boxes.get_or_insert_with(|| Boxes::new(&reader, &found));
                let found = from_boxes(text, &last, &all.all)?;
                match surroundings::standing(text, window, &last) {
                    Standing::Part(text) if found.place == Place::Box => {
                        Ok(Candidate { text: Cow::Owned(text), ..found })
                    }
                    _ => Ok(found),
                }
            }
        };
    }
    if !extraction.fallback || refused > 0 {
        return Err(NoAnswer::NothingStated);
    }
    let (ranges, place) = statements::last_stated(text, window).ok_or(NoAnswer::NothingStated)?;
    Ok(candidate(text, &ranges, place))
}

/// Returns the answer that consists of the values in some ranges, joined by semicolons.
fn candidate<'r>(text: &'r str, ranges: &[Range<usize>], place: Place) -> Candidate<'r> {
    let ranges: Vec<Range<usize>> = ranges.iter().map(|range| trimmed(text, range.clone())).collect();
    let values: Vec<&str> = ranges.iter().map(|range| &text[range.clone()]).collect();
    let start = ranges.first().map_or(0, |range| range.start);
    let end = ranges.last().map_or(start, |range| range.end);
    let text = match values.as_slice() {
        [one] => Cow::Borrowed(*one),
        values => Cow::Owned(values.join(" ; ")),
    };
    Candidate { text, place, span: start..end }
}

/// Returns whether words after `The answer is` say only that an answer before them holds: `correct`, `found by adding`.
fn is_remark(words: &str) -> bool {
    let first = words.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
    let holds = first.is_some_and(|first| {
        matches!(
            first.to_ascii_lowercase().as_str(),
            "correct"
                | "right"
                | "verified"
                | "exact"
                | "confirmed"
                | "found"
                | "unique"
                | "valid"
                | "consistent"
                | "reasonable"
        )
    });
    holds && !words.contains(|c: char| c.is_ascii_digit() || c == '\\')
}

/// The outermost boxes of a text, in order.
struct Boxes {
    /// The boxes, including those that are cut off.
    all: Vec<AtBox>,
    /// The contents of the complete boxes; none overlaps the next.
    contents: Vec<Range<usize>>,
}

impl Boxes {
    fn new(reader: &Reader<'_>, found: &[&Found]) -> Self {
        let mut boxes = Self { all: Vec::new(), contents: Vec::new() };
        let mut inside_until = 0;
        for found in found {
            if !matches!(found.landmark, Landmark::Box | Landmark::DamagedBox | Landmark::BoxToken) {
                continue;
            }
            if found.range.start < inside_until {
                continue;
            }
            let boxed = reader.read(found);
            if let AtBox::Complete(boxed) = &boxed {
                inside_until = boxed.range.end;
                boxes.contents.push(boxed.content.clone());
            }
            if boxed != AtBox::Mention {
                boxes.all.push(boxed);
            }
        }
        boxes
    }

    fn complete(&self) -> impl Iterator<Item = &Boxed> {
        self.all.iter().filter_map(|boxed| match boxed {
            AtBox::Complete(boxed) => Some(boxed),
            _ => None,
        })
    }

    /// Returns whether a complete box contains a position.
    fn contain(&self, place: usize) -> bool {
        let after = self.contents.partition_point(|content| content.start <= place);
        after.checked_sub(1).is_some_and(|at| self.contents[at].contains(&place))
    }
}

/// Returns the content of the last box, and of the boxes before it that form a list with it.
fn from_boxes<'r>(text: &'r str, last: &Boxed, all: &[AtBox]) -> Result<Candidate<'r>, NoAnswer> {
    let content = trimmed(text, last.content.clone());
    if is_empty_content(&text[content.clone()]) {
        return Err(NoAnswer::EmptyBox);
    }
    let mut first = last.clone();
    let mut members = vec![content.clone()];
    for boxed in all.iter().rev() {
        let AtBox::Complete(boxed) = boxed else { break };
        if boxed.range.start >= first.range.start {
            continue;
        }
        // a box without braces can overlap the next box
        let between = text.get(boxed.range.end..first.range.start);
        // letters of options in boxes side by side
        let letters = between == Some("")
            && [&boxed.content, &first.content]
                .iter()
                .all(|content| matches!(text[(*content).clone()].trim().as_bytes(), [b'A'..=b'H']));
        if members.len() >= 64 || !letters && !between.is_some_and(boxes::joined) {
            break;
        }
        members.push(trimmed(text, boxed.content.clone()));
        first = boxed.clone();
    }
    if members.len() == 1 {
        let content = without_marks(text, content);
        let inner = &text[content.clone()];
        // `\text{Yes, it is}`
        let lead = ["\\text{", "\\textbf{"]
            .iter()
            .find(|lead| inner.starts_with(**lead))
            .map_or(0, |lead| lead.len());
        if let Some(length) = statements::yes_or_no(&inner[lead..]) {
            let span = content.start + lead..content.start + lead + length;
            return Ok(Candidate { text: Cow::Borrowed(&text[span.clone()]), place: Place::Box, span });
        }
        // a sentence in the box: find the value that it announces or states
        if inner.len() <= values::LONGEST_LINE
            && let Some(inside) = markers::inside_box(inner)
        {
            let span = content.start + inside.start..content.start + inside.end;
            return Ok(Candidate { text: Cow::Borrowed(&text[span.clone()]), place: Place::Box, span });
        }
        // `\ ` becomes two blanks, so byte positions stay the same
        let spaced = inner.replace("\\ ", "  ");
        if spaced.len() <= sentences::LONGEST_SENTENCE
            && spaced.contains(" is ")
            && crate::reading::words::is_textual(&spaced)
            && !is_formula_with_condition(&spaced)
            && let Some(inside) = statements::stated(&spaced, false)
            // the text of an option can be about another option: `(B) Statement (R) is the reason of (A)`
            && !(option::is_labelled(&spaced) && option::choice(&spaced[inside.clone()]).is_some())
        {
            let span = content.start + inside.start..content.start + inside.end;
            return Ok(Candidate { text: Cow::Borrowed(&text[span.clone()]), place: Place::Box, span });
        }
        let text = value_in_words(inner).map_or(Cow::Borrowed(inner), Cow::Owned);
        return Ok(Candidate { text, place: Place::Box, span: content });
    }
    members.reverse();
    let texts: Vec<&str> = members.iter().map(|member| &text[member.clone()]).collect();
    Ok(Candidate {
        text: Cow::Owned(texts.join(" ; ")),
        place: Place::Boxes,
        span: first.range.start..last.range.end,
    })
}

/// Returns the value of a label or a sentence in a tag, whose text is not set in commands: `So the total is 42.`
fn tag_in_words(content: &str) -> Option<String> {
    if content.contains('\\') || content.contains(['{', '}', '$']) {
        return None;
    }
    value_in_words(&format!("\\text{{{content}}}"))
}

/// Returns the content of a box without quotation marks around it and without a line break at its end.
fn without_marks(text: &str, content: Range<usize>) -> Range<usize> {
    let inner = &text[content.clone()];
    let inner = inner.strip_suffix("\\\\").map_or(inner, str::trim_end);
    let plain = statements::without_quotes(inner);
    let start = content.start + usize::from(plain.len() < inner.len()) * (inner.len() - plain.len()) / 2;
    if text.is_char_boundary(start) && text[start..].starts_with(plain) {
        start..start + plain.len()
    } else {
        content.start..content.start + inner.len()
    }
}

/// Returns the value of a label or a sentence in a box or a tag: `\text{Total: }42`, `There are 42 ways.`
fn value_in_words(content: &str) -> Option<String> {
    if content.len() > 300 || content.trim().contains('\n') || !content.contains(' ') {
        return None;
    }
    let flat = crate::reading::words::flatten(content);
    let flat = flat.trim();
    let letters = flat.starts_with(|c: char| c.is_uppercase()) && crate::reading::words::is_textual(content);
    if !letters || option::choice(content).is_some() || flat.contains('?') {
        return None;
    }
    let stated = labels::labelled(flat).or_else(|| {
        let verb = [" is ", " are ", " was ", " were ", " equals "].iter().any(|verb| flat.contains(verb));
        if verb { statements::stated(flat, false) } else { None }
    })?;
    let value = &flat[stated];
    value.contains(|c: char| c.is_ascii_digit()).then(|| value.to_owned())
}

/// Returns whether a formula is followed by a condition on its names, as in `k\pi, where k is an integer`.
fn is_formula_with_condition(content: &str) -> bool {
    let is_word = |at: usize, word: &str| {
        let letter = |c: char| c.is_ascii_alphabetic() || c == '\\';
        !content[..at].ends_with(letter) && !content[at + word.len()..].starts_with(letter)
    };
    let conditions = ["where", "for", "with"]
        .into_iter()
        .filter_map(|word| content.match_indices(word).map(|(at, _)| at).find(|at| is_word(*at, word)));
    let Some(at) = conditions.min() else { return false };
    let formula = content[..at].trim_end_matches([' ', ',', ';', '(']);
    let formula = ["\\text{", "\\mathrm{", "\\textrm{", "\\mbox{"]
        .iter()
        .find_map(|opening| formula.strip_suffix(opening))
        .unwrap_or(formula);
    let formula = formula.trim_matches(|c: char| c.is_whitespace() || c == ',');
    !formula.is_empty() && !formula.contains(" is ") && !crate::reading::words::is_textual(formula)
}

/// Returns whether a box is empty, or contains only a placeholder such as `your answer`.
fn is_empty_content(content: &str) -> bool {
    let plain = crate::reading::words::flatten(content);
    let plain = plain.trim().trim_matches(['.', '…', '?', '_', '\\', '-']).trim();
    if plain.is_empty() {
        return !content.contains("\\emptyset")
            && content
                .chars()
                .all(|c| c.is_whitespace() || "\\{}~.,;$…?_".contains(c) || c.is_ascii_alphabetic())
            && !content.contains("\\varnothing")
            && !content.contains("\\{")
            && !matches!(content.trim(), "." | "," | ";");
    }
    matches!(
        plain.to_ascii_lowercase().as_str(),
        "answer"
            | "your answer"
            | "final answer"
            | "your final answer"
            | "your answer here"
            | "ans"
            | "\\ldots"
            | "\\dots"
            | "\\cdots"
    )
}

/// Returns a range without blanks at its ends.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let start = range.start + part.len() - part.trim_start().len();
    let end = range.start + part.trim_end().len();
    start..end.max(start)
}
