//! All answers of one learner in one test.

use std::collections::HashSet;

use crate::accumulator::{MAX_ANSWERS, MAX_NAME, MAX_OPTIONS};
use crate::cell::Cell;

/// A score in millionths of a point, so sums are exact.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score(pub(crate) i64);

/// Millionths per point.
pub(crate) const UNIT: i64 = 1_000_000;
/// Maximum absolute value of one score, in points.
pub const MAX_POINTS: i32 = 1_000;
/// Maximum length, in bytes, of an answer's text that is counted individually.
pub const MAX_TEXT: usize = 512;

impl Score {
    /// Creates a score of whole points.
    pub fn from_points(points: i32) -> Self {
        Self(i64::from(points) * UNIT)
    }

    /// Rounds to the nearest millionth of a point, with halves to even.
    ///
    /// `None` if the number is not finite, or exceeds [`MAX_POINTS`] in absolute value.
    pub fn from_f64(points: f64) -> Option<Self> {
        let within = points.is_finite() && points.abs() <= f64::from(MAX_POINTS);
        within.then(|| Self(libm::rint(points * UNIT as f64) as i64))
    }

    /// Returns the score in points.
    pub fn to_f64(self) -> f64 {
        self.0 as f64 / UNIT as f64
    }
}

/// The state of an answer: how it counts in a sitting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AnswerState {
    Scored(Score),
    Blank,
    Refused,
    Pending,
}

impl AnswerState {
    /// Returns the score. Blank and refused answers have a score of 0; pending answers have none.
    pub(crate) fn score(self) -> Option<i64> {
        match self {
            Self::Scored(Score(score)) => Some(score),
            Self::Blank | Self::Refused => Some(0),
            Self::Pending => None,
        }
    }
}

/// The answer of a learner to one item.
#[derive(Debug, Clone, Copy)]
pub struct Answer<'a> {
    item: &'a str,
    state: AnswerState,
    options: Option<&'a [&'a str]>,
    text: Option<&'a str>,
    millis: Option<u32>,
}

impl<'a> Answer<'a> {
    fn new(item: &'a str, state: AnswerState) -> Self {
        Self { item, state, options: None, text: None, millis: None }
    }

    /// Creates an answer with a score.
    pub fn scored(item: &'a str, score: Score) -> Self {
        Self::new(item, AnswerState::Scored(score))
    }

    /// Creates a blank answer, which counts as 0 points.
    pub fn blank(item: &'a str) -> Self {
        Self::new(item, AnswerState::Blank)
    }

    /// Creates a refused answer, which counts as 0 points.
    pub fn refused(item: &'a str) -> Self {
        Self::new(item, AnswerState::Refused)
    }

    /// Creates an answer that is not graded yet. It is counted, but has no score.
    pub fn pending(item: &'a str) -> Self {
        Self::new(item, AnswerState::Pending)
    }

    /// Adds the selected options: choices, pairs, positions or passed test cases, by name. An option that occurs
    /// several times counts once. An empty list means that nothing was selected; without a list, the selection is
    /// unknown.
    #[must_use]
    pub fn options(self, options: &'a [&'a str]) -> Self {
        Self { options: Some(options), ..self }
    }

    /// Adds the written text: a number or an expression.
    #[must_use]
    pub fn text(self, text: &'a str) -> Self {
        Self { text: Some(text), ..self }
    }

    /// Adds the time taken, in milliseconds.
    #[must_use]
    pub fn millis(self, millis: u32) -> Self {
        Self { millis: Some(millis), ..self }
    }
}

/// All answers of one learner in one test. Their texts are in one buffer, which can be reused for the next
/// sitting.
#[derive(Debug, Clone, Default)]
pub struct Sitting {
    text: String,
    options: Vec<Span>,
    answers: Vec<Stored>,
}

/// A part of a sitting's text.
#[derive(Debug, Clone, Copy)]
struct Span {
    start: u32,
    end: u32,
}

impl Span {
    fn moved(self, by: u32) -> Self {
        Self { start: self.start + by, end: self.end + by }
    }

    fn moved_back(self, by: u32) -> Self {
        Self { start: self.start - by, end: self.end - by }
    }
}

/// A single answer with its own copy of its texts.
pub(crate) struct One {
    text: Box<str>,
    options: Box<[Span]>,
    answer: Stored,
}

impl One {
    /// Returns the memory that the answer needs in addition to its own size, in bytes.
    pub(crate) fn size(&self) -> usize {
        self.text.len() + size_of_val(&*self.options)
    }
}

#[derive(Debug, Clone, Copy)]
struct Stored {
    item: Span,
    state: AnswerState,
    /// The range in [`Sitting::options`].
    options: Span,
    /// Whether the options are known, even if there are none.
    has_options: bool,
    text: Option<Span>,
    millis: Option<u32>,
    /// The index of its cell in the reader that created the sitting, or [`NO_CELL`].
    cell: u32,
}

/// The number of options of an answer that are compared one by one, to recognise a repeated option.
const FEW: usize = 16;

/// The index of an answer without a cell.
const NO_CELL: u32 = u32::MAX;

impl Sitting {
    /// Creates a sitting without answers.
    pub fn new() -> Self {
        Self::default()
    }

    /// Removes all answers, but keeps the allocated memory.
    pub fn clear(&mut self) {
        self.text.clear();
        self.options.clear();
        self.answers.clear();
    }

    /// Returns the number of answers.
    pub fn len(&self) -> usize {
        self.answers.len()
    }

    /// Returns whether there are no answers.
    pub fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }

    /// Returns the sum of the scores. Blank and refused answers count as 0; pending answers do not count.
    pub fn total(&self) -> Score {
        Score(self.answers.iter().filter_map(|answer| answer.state.score()).sum())
    }

    /// Returns the total length of the stored texts in bytes.
    pub fn text_len(&self) -> usize {
        self.text.len()
    }

    /// Adds an answer. [`crate::Accumulator::add_sitting`] checks the whole sitting.
    pub fn push(&mut self, answer: &Answer<'_>) {
        let options = answer.options.map(|options| options.iter().copied());
        self.store(answer.item, answer.state, options, answer.text, answer.millis);
    }

    pub(crate) fn store<'o>(
        &mut self,
        item: &str,
        state: AnswerState,
        options: Option<impl Iterator<Item = &'o str>>,
        text: Option<&str>,
        millis: Option<u32>,
    ) {
        // One answer above the limit is enough for the sitting to be rejected.
        if self.answers.len() > MAX_ANSWERS {
            return;
        }
        let item = self.keep(item, MAX_NAME);
        let start = self.options.len();
        let mut more = HashSet::new();
        let has_options = options.is_some();
        for option in options.into_iter().flatten() {
            // One option above the limit is enough for the answer to be rejected.
            if self.options.len() - start > MAX_OPTIONS {
                break;
            }
            let few = &self.options[start..self.options.len().min(start + FEW)];
            let repeated = few.iter().any(|&span| self.part(span) == start_of(option, MAX_NAME));
            if repeated || few.len() == FEW && !more.insert(option) {
                continue;
            }
            let span = self.keep(option, MAX_NAME);
            self.options.push(span);
        }
        let options = Span { start: start as u32, end: self.options.len() as u32 };
        let text = text.map(|text| self.keep(text, MAX_TEXT));
        self.answers.push(Stored { item, state, options, has_options, text, millis, cell: NO_CELL });
    }

    /// Adds all answers of another part of the same sitting.
    pub fn append(&mut self, other: &Self) {
        for answer in other.answers() {
            let options = answer.has_options.then(|| answer.options());
            self.store(answer.item, answer.state, options, answer.text, answer.millis);
        }
    }

    /// Returns a copy of the last answer. The answer and its repetitions are counted in `cell`.
    pub(crate) fn last(&mut self, cell: u32) -> Option<One> {
        let last = self.answers.last_mut()?;
        last.cell = cell;
        let mut answer = *last;
        let parts = self.options[answer.options.start as usize..answer.options.end as usize].iter();
        // The texts of an answer are adjacent, starting with its item.
        let start = answer.item.start;
        let text = self.text[start as usize..].into();
        let options = parts.map(|part| part.moved_back(start)).collect();
        answer.item = answer.item.moved_back(start);
        answer.text = answer.text.map(|text| text.moved_back(start));
        Some(One { text, options, answer })
    }

    /// Adds an answer again. Its time is `millis` or, if that is `None`, the time of the copied answer.
    pub(crate) fn repeat(&mut self, one: &One, millis: Option<u32>) {
        let start = self.text.len() as u32;
        self.text.push_str(&one.text);
        let first = self.options.len() as u32;
        self.options.extend(one.options.iter().map(|part| part.moved(start)));
        let answer = one.answer;
        self.answers.push(Stored {
            item: answer.item.moved(start),
            options: Span { start: first, end: self.options.len() as u32 },
            text: answer.text.map(|text| text.moved(start)),
            millis: millis.or(answer.millis),
            ..answer
        });
    }

    /// Keeps a text, or enough of it to show that it has more than `most` bytes. The limits together keep the texts of
    /// a sitting below 2³² bytes.
    fn keep(&mut self, text: &str, most: usize) -> Span {
        let start = self.text.len() as u32;
        self.text.push_str(start_of(text, most));
        Span { start, end: self.text.len() as u32 }
    }

    fn part(&self, span: Span) -> &str {
        &self.text[span.start as usize..span.end as usize]
    }

    pub(crate) fn answers(&self) -> impl Iterator<Item = Given<'_>> {
        self.answers.iter().map(|stored| Given {
            item: self.part(stored.item),
            state: stored.state,
            text: stored.text.map(|text| self.part(text)),
            millis: stored.millis,
            sitting: self,
            options: stored.options,
            has_options: stored.has_options,
            cell: stored.cell,
        })
    }

    /// Removes the cells of all answers.
    pub(crate) fn forget_cells(&mut self) {
        self.answers.iter_mut().for_each(|answer| answer.cell = NO_CELL);
    }
}

/// Returns the text, or its start: a text of more than `most` bytes is cut at the first character boundary after that
/// length.
fn start_of(text: &str, most: usize) -> &str {
    let end = (most + 1..text.len()).find(|&end| text.is_char_boundary(end)).unwrap_or(text.len());
    &text[..end]
}

/// An answer in a sitting.
#[derive(Clone, Copy)]
pub(crate) struct Given<'s> {
    pub(crate) item: &'s str,
    pub(crate) state: AnswerState,
    pub(crate) text: Option<&'s str>,
    pub(crate) millis: Option<u32>,
    pub(crate) has_options: bool,
    sitting: &'s Sitting,
    options: Span,
    cell: u32,
}

impl<'s> Given<'s> {
    /// Returns the cell of this answer, if it has one among `cells`.
    pub(crate) fn cell_in<'c>(&self, cells: &'c mut [Option<Cell>]) -> Option<&'c mut Option<Cell>> {
        cells.get_mut(self.cell as usize)
    }

    pub(crate) fn options(&self) -> impl ExactSizeIterator<Item = &'s str> + use<'s> {
        let sitting = self.sitting;
        sitting.options[self.options.start as usize..self.options.end as usize]
            .iter()
            .map(move |&span| sitting.part(span))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Accumulator;

    #[test]
    fn a_sitting_keeps_no_more_of_a_text_than_is_counted() {
        let long = "ä".repeat(1 << 20);
        let mut sitting = Sitting::new();
        sitting.push(&Answer::blank("a").text(&long));
        assert!(sitting.text_len() < MAX_TEXT + 8);
        let mut all = Accumulator::new();
        all.add_sitting(&sitting).unwrap();
        assert_eq!(all.finish(&crate::Items::new()).items[0].long_answers, 1);
        assert!(all.add(&[Answer::blank("a").options(&[&long])]).is_err());
        assert!(all.add(&[Answer::blank(&long)]).is_err());
    }
}
