//! Results as JSON Lines, grouped by sitting.
//!
//! A line is `{item, sitting, result, submission?, seconds?}`, as `fablegrade batch --keep` writes it. It can
//! also be an attempt that is still to be graded:
//! `{item, sitting, submission | attempt, outcomes?, context?}`. The lines of a sitting must be adjacent.

mod answer_state;
mod error;
mod joiner;

use std::borrow::Cow;

use fablegrade_core::bank::Bank;
use fablegrade_core::json::{Limits, Tape, Value, write_json_string};
use fablegrade_core::repeated::{Head, Repeated};
use fablegrade_core::request::Request;
use fablegrade_core::{AnswerSpec, AttemptResult, CaseVerdict, Error, Findings, Grader};

use crate::accumulator::{Accumulator, MAX_ANSWERS};
use crate::cell::{Cell, MAX_CELLS};
use crate::items::{write_case, write_pair, write_position};
use crate::sitting::{AnswerState, One, Score, Sitting};
use answer_state::{millis_of, read_seconds, read_state, state_of};
use error::{invalid, missing, rejected, wrong_type};
pub use joiner::Joiner;
use joiner::fingerprint;

/// Maximum length of a sitting's name in bytes.
pub const MAX_SITTING_BYTES: usize = 255;
/// Maximum number of sittings in one input. Each takes at least 16 bytes, to detect a sitting that recurs.
pub const MAX_KNOWN: usize = 1 << 26;
/// Maximum number of sittings whose names are kept.
pub const MAX_NAMED: usize = 100_000;
/// The maximum number of invalid lines that are kept.
const MAX_INVALID: usize = 20;

/// Invalid lines: the first ones with their numbers, and their total number.
#[derive(Debug, Clone, Default)]
pub struct InvalidLines {
    /// The first invalid lines, by line number from 1. An error about the whole input has the number 0.
    pub first: Vec<(u64, Error)>,
    /// The total number of invalid lines.
    pub count: u64,
}

impl InvalidLines {
    fn push(&mut self, line: u64, error: Error) {
        self.count += 1;
        let index = self.first.partition_point(|(before, _)| *before <= line);
        if index < MAX_INVALID {
            self.first.insert(index, (line, error));
            self.first.truncate(MAX_INVALID);
        }
    }

    fn append(&mut self, other: Self) {
        self.count += other.count;
        self.first.extend(other.first);
        self.first.sort_by_key(|(line, _)| *line);
        self.first.truncate(MAX_INVALID);
    }
}

/// A sitting at an end of a piece, which the neighbouring piece may continue.
#[derive(Debug, Default)]
struct Open {
    name: String,
    /// The number of its first line.
    line: u64,
    answers: Sitting,
}

impl Open {
    /// Returns the sitting with its name.
    fn named(&self) -> NamedSitting {
        NamedSitting { name: self.name.clone(), answers: self.answers.len(), score: self.answers.total() }
    }
}

/// A sitting with its name, for teachers who request it. Reports contain no names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedSitting {
    /// The canonical JSON text of the field `sitting`.
    pub name: String,
    /// The number of answers.
    pub answers: usize,
    /// The sum of the scores.
    pub score: Score,
}

/// The result of reading a piece of the input. Its first and last sittings can continue in the neighbouring pieces; the
/// [`Reader`] has already added the sittings between them to its accumulator.
#[derive(Debug, Default)]
pub struct Piece {
    first: Option<Open>,
    last: Option<Open>,
    /// Hashes of the complete sittings' names, each with the number of its first line.
    names: Vec<(u128, u64)>,
    /// The same sittings with their names, if requested.
    named: Vec<NamedSitting>,
    invalid_lines: InvalidLines,
}

impl Piece {
    /// Creates a piece for a line that could not be read at all.
    pub fn invalid(line: u64, error: Error) -> Self {
        let mut piece = Self::default();
        piece.invalid_lines.push(line, error);
        piece
    }
}

/// The complete sittings of a reader, and its current one.
#[derive(Default)]
struct Sittings {
    accumulator: Accumulator,
    current: Open,
    /// Whether the names of sittings are kept.
    named: bool,
    /// The sums of each repeated answer; `None` until a sitting with the answer has been added.
    cells: Vec<Option<Cell>>,
}

impl Sittings {
    /// Ends the current sitting and starts the sitting `name`, unless that is the current sitting.
    fn turn_to(&mut self, name: &str, number: u64, piece: &mut Piece) {
        if self.current.answers.is_empty() || self.current.name != name {
            self.close(piece);
            self.current.name.clear();
            self.current.name.push_str(name);
            self.current.line = number;
        }
    }

    /// Ends the current sitting.
    fn close(&mut self, piece: &mut Piece) {
        if self.current.answers.is_empty() {
            return;
        }
        if piece.first.is_none() {
            piece.first = Some(std::mem::take(&mut self.current));
            return;
        }
        piece.names.push((fingerprint(&self.current.name), self.current.line));
        if let Err(error) = self.accumulator.add_with(&self.current.answers, &mut self.cells) {
            piece.invalid_lines.push(self.current.line, rejected(&error));
        }
        if self.named {
            piece.named.push(self.current.named());
        }
        self.current.answers.clear();
        self.current.name.clear();
    }

    /// Adds the sums of all cells to those of their items, and removes the cells.
    fn empty_cells(&mut self) {
        self.current.answers.forget_cells();
        for mut cell in self.cells.drain(..).flatten() {
            cell.empty_into(self.accumulator.items.at(cell.item as usize));
        }
    }
}

/// Reads pieces of the input into its own accumulator. Each thread has one reader.
pub struct Reader<'b> {
    bank: &'b Bank,
    tape: Tape,
    sittings: Sittings,
    options: Names,
    text: String,
    repeated: Repeated<One>,
}

/// The maximum number of bytes that a reader keeps to recognise repeated lines.
const REMEMBERED: usize = 8 << 20;

/// Names in one buffer, which is reused from line to line.
#[derive(Default)]
struct Names {
    text: String,
    ends: Vec<usize>,
}

impl Names {
    fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }

    /// Adds the name that `write` appends.
    fn push(&mut self, write: impl FnOnce(&mut String)) {
        write(&mut self.text);
        self.ends.push(self.text.len());
    }

    fn iter(&self) -> impl Iterator<Item = &str> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.text[start..end])
    }
}

/// The maximum length, in bytes, of a line whose tape is reused.
const LONG: usize = 1 << 20;

impl<'b> Reader<'b> {
    /// Creates a reader that takes the questions from `bank`.
    pub fn new(bank: &'b Bank) -> Self {
        Self {
            bank,
            tape: Tape::default(),
            sittings: Sittings::default(),
            options: Names::default(),
            text: String::new(),
            repeated: Repeated::within(REMEMBERED),
        }
    }

    /// Also keeps the names of sittings, for [`Joiner::named`]. Memory use grows with their number.
    #[must_use]
    pub fn named(mut self) -> Self {
        self.sittings.named = true;
        self
    }

    /// Returns the sums of the complete sittings of all pieces.
    pub fn into_accumulator(mut self) -> Accumulator {
        self.sittings.empty_cells();
        self.sittings.accumulator
    }

    /// Reads complete lines. `first_line` is the number of the first one.
    pub fn read(&mut self, bytes: &[u8], first_line: u64) -> Piece {
        self.start();
        let mut piece = Piece::default();
        let mut number = first_line;
        let mut rest = bytes;
        while !rest.is_empty() {
            let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            let line = &rest[..end];
            if !line.iter().all(u8::is_ascii_whitespace) {
                let head = Head::of(line).filter(|head| head.item.is_some() && head.sitting.is_some());
                match head {
                    Some(head) if self.repeat(&head, number, &mut piece) => {}
                    Some(head) => {
                        let lasting = self.line(line, number, &mut piece, |_| Ok(()));
                        self.remember(&head, lasting);
                    }
                    None => {
                        self.line(line, number, &mut piece, |_| Ok(()));
                    }
                }
            }
            number += 1;
            rest = rest.get(end + 1..).unwrap_or_default();
        }
        self.end(piece)
    }

    /// Reads the rows of a table, each given as the names and texts of its fields.
    ///
    /// The texts of `item` and `sitting` are plain; all others are JSON. `first` is the number of the first
    /// row.
    pub fn read_rows<T: AsRef<[u8]>>(
        &mut self,
        rows: impl IntoIterator<Item = Vec<(&'static str, T)>>,
        first: u64,
    ) -> Piece {
        self.start();
        let mut piece = Piece::default();
        let mut line = String::new();
        for (number, row) in (first..).zip(rows) {
            line.clear();
            if let Err(error) = compose(&row, &mut line) {
                piece.invalid_lines.push(number, error);
                continue;
            }
            self.line(line.as_bytes(), number, &mut piece, |value| {
                // A text of more than one JSON value could inject fields.
                let changed = row.iter().filter(|(name, _)| is_json(name)).find(|(name, text)| {
                    value.get(name).is_none_or(|value| value.text().as_bytes() != text.as_ref().trim_ascii())
                });
                match changed {
                    Some((name, _)) => {
                        let message = "the text is not one JSON value";
                        Err(invalid("json-syntax", format!("/{name}"), message, "correct the column"))
                    }
                    None => Ok(()),
                }
            });
        }
        self.end(piece)
    }

    /// Adds a line whose item and answer were read before. Returns `false` if the line must be read.
    fn repeat(&mut self, head: &Head<'_>, number: u64, piece: &mut Piece) -> bool {
        let name = head.sitting.unwrap_or_default();
        let millis = match head.seconds.map(|seconds| seconds.parse().ok().and_then(millis_of)) {
            Some(None) => return false,
            millis => millis.flatten(),
        };
        if name.len() > MAX_SITTING_BYTES || !is_canonical(name) {
            return false;
        }
        let Some(one) = self.repeated.get(head) else { return false };
        self.sittings.turn_to(name, number, piece);
        if self.sittings.current.answers.len() == MAX_ANSWERS {
            return false;
        }
        self.sittings.current.answers.repeat(one, millis);
        true
    }

    /// Remembers the answer of the last added line, if its state depends only on the line.
    fn remember(&mut self, head: &Head<'_>, lasting: bool) {
        if !lasting || !self.repeated.is_again(head) {
            return;
        }
        if self.sittings.cells.len() == MAX_CELLS {
            self.sittings.empty_cells();
            self.repeated.clear();
        }
        let cell = self.sittings.cells.len() as u32;
        if let Some(one) = self.sittings.current.answers.last(cell) {
            self.sittings.cells.push(None);
            let size = one.size() + size_of::<Option<Cell>>();
            self.repeated.learn(head, one, size);
        }
    }

    fn start(&mut self) {
        self.sittings.current.answers.clear();
        self.sittings.current.name.clear();
    }

    fn end(&mut self, mut piece: Piece) -> Piece {
        if !self.sittings.current.answers.is_empty() {
            let last = std::mem::take(&mut self.sittings.current);
            if piece.first.is_none() { piece.first = Some(last) } else { piece.last = Some(last) }
        }
        piece
    }

    fn line(
        &mut self,
        line: &[u8],
        number: u64,
        piece: &mut Piece,
        check: impl FnOnce(Value<'_>) -> Result<(), Error>,
    ) -> bool {
        let mut tape = std::mem::take(&mut self.tape);
        let read = tape.with(line, Limits::default(), |value| {
            check(value)?;
            self.value(value, number, piece)
        });
        self.tape = if line.len() > LONG { Tape::default() } else { tape };
        read.and_then(|read| read).unwrap_or_else(|error| {
            piece.invalid_lines.push(number, error);
            false
        })
    }

    /// Adds a line. Returns whether its state depends only on the line.
    fn value(&mut self, value: Value<'_>, number: u64, piece: &mut Piece) -> Result<bool, Error> {
        if !value.is_object() {
            return Err(invalid(
                "wrong-type",
                "",
                format!("expected an object, found {}", value.kind()),
                "write `{item, sitting, result}`",
            ));
        }
        let mut fields = Fields::default();
        for (key, value) in value.fields() {
            let field = match key.as_ref() {
                "item" => &mut fields.item,
                "sitting" => &mut fields.sitting,
                "result" => &mut fields.result,
                "submission" => &mut fields.submission,
                "attempt" => &mut fields.attempt,
                "seconds" => &mut fields.seconds,
                "id" | "outcomes" | "context" => continue,
                "error" => {
                    let message = "this line was not graded";
                    return Err(invalid(
                        "not-graded",
                        "/error",
                        message,
                        "correct the attempt and grade it again",
                    ));
                }
                unknown => {
                    let pointer = format!("/{}", unknown.replace('~', "~0").replace('/', "~1"));
                    let message = "this field is not part of a result";
                    return Err(invalid("unknown-field", pointer, message, "remove it or correct its name"));
                }
            };
            *field = Some(value);
        }
        let item = fields
            .item
            .ok_or_else(|| missing("", "item"))?
            .str()
            .ok_or_else(|| wrong_type("/item", "a string"))?;
        let name = fields.sitting.ok_or_else(|| missing("", "sitting"))?;
        let name = name_of(name).ok_or_else(|| wrong_type("/sitting", "a string or a number"))?;
        if name.len() > MAX_SITTING_BYTES {
            let message = format!("the name of the sitting has more than {MAX_SITTING_BYTES} bytes");
            return Err(invalid("sitting-name", "/sitting", message, "shorten it"));
        }
        let Some(compiled) = self.bank.get(&item) else {
            return Err(invalid(
                "unknown-item",
                "/item",
                format!("the bank has no question with the id {item:?}"),
                "add the question to the bank or correct the id",
            ));
        };
        let (state, graded, lasting) = match fields.result {
            Some(result) => (read_state(result)?, None, true),
            None => {
                // A validator of the host may judge the same answer differently next time.
                let by_host =
                    compiled.as_ref().is_ok_and(|grader| matches!(grader.spec(), AnswerSpec::Widget(_)));
                let (state, result) = self.grade(value)?;
                (state, Some(result), !by_host)
            }
        };
        self.options.clear();
        self.text.clear();
        let submission =
            fields.submission.or_else(|| fields.attempt.and_then(|attempt| attempt.get("submission")));
        let mut given = Content::Nothing;
        if let (Some(submission), Ok(_)) = (submission, compiled) {
            given = self.given(submission);
            // A refused answer can name any number of options that do not exist.
            if state == AnswerState::Refused && given == Content::Options {
                self.options.clear();
                given = Content::Nothing;
            }
        }
        if let Some(results) = fields.result.and_then(|result| result.get("codeResults")) {
            self.cases(results);
            // The result of an answer that is not a program can have an empty list.
            if results.elements().next().is_some() {
                given = Content::Options;
            }
        }
        for case in graded.iter().flat_map(|result| &result.code_results) {
            given = Content::Options;
            if case.verdict == CaseVerdict::Passed {
                self.options.push(|text| write_case(&case.suite, u64::from(case.case_index), text));
            }
        }
        let millis = match fields.seconds {
            Some(seconds) => Some(read_seconds(seconds, "/seconds")?),
            None => {
                let seconds = fields.attempt.and_then(|attempt| attempt.get("timeSpentSeconds"));
                seconds.map(|seconds| read_seconds(seconds, "/attempt/timeSpentSeconds")).transpose()?
            }
        };
        self.sittings.turn_to(&name, number, piece);
        if self.sittings.current.answers.len() == MAX_ANSWERS {
            let message = format!("more than {MAX_ANSWERS} answers in one sitting");
            return Err(invalid("sitting-too-long", "/sitting", message, "split the test"));
        }
        let options = (given == Content::Options).then(|| self.options.iter());
        let text = (given == Content::Text).then_some(self.text.as_str());
        self.sittings.current.answers.store(&item, state, options, text, millis);
        Ok(lasting)
    }

    fn grade(&self, value: Value<'_>) -> Result<(AnswerState, AttemptResult), Error> {
        let mut findings = Findings::new();
        let request = Request::split_item(value, &mut findings);
        let grade = |answer: &fablegrade_core::request::Answer, grader: &Grader| answer.grade(grader);
        let result = request.grade_from(self.bank, findings, grade)?;
        Ok((state_of(result.verdict.as_str(), result.score)?, result))
    }

    /// Records the selected options or the written text, and returns which of them the submission has.
    ///
    /// Malformed parts are ignored, because the result has already judged them.
    fn given(&mut self, submission: Value<'_>) -> Content {
        let kind = submission.get("type").and_then(Value::str);
        let ids =
            |name: &str| submission.get(name).into_iter().flat_map(Value::elements).filter_map(Value::str);
        match kind.as_deref() {
            Some("multiple_choice") => {
                ids("selectedChoiceIds").for_each(|id| self.options.push(|text| text.push_str(&id)));
                Content::Options
            }
            Some("matching") => {
                let pairs = submission.get("pairs").into_iter().flat_map(Value::elements);
                for pair in pairs {
                    let side = |name| pair.get(name).and_then(Value::str);
                    if let (Some(left), Some(right)) = (side("left"), side("right")) {
                        self.options.push(|text| write_pair(&left, &right, text));
                    }
                }
                Content::Options
            }
            Some("ordering") => {
                for (at, id) in ids("order").enumerate() {
                    self.options.push(|text| write_position(&id, at, text));
                }
                Content::Options
            }
            Some("numeric") => {
                let Some(value) = submission.get("value").filter(|value| value.number().is_some()) else {
                    return Content::Nothing;
                };
                self.text.push_str(value.text());
                if let Some(unit) =
                    submission.get("unit").and_then(Value::str).filter(|unit| !unit.trim().is_empty())
                {
                    self.text.push(' ');
                    self.text.push_str(unit.trim());
                }
                Content::Text
            }
            Some("expression") => {
                let Some(latex) = submission.get("latex").and_then(Value::str) else {
                    return Content::Nothing;
                };
                self.text.push_str(&latex);
                Content::Text
            }
            _ => Content::Nothing,
        }
    }

    /// Records the test cases that were passed.
    fn cases(&mut self, results: Value<'_>) {
        for case in results.elements() {
            let passed = case.get("verdict").and_then(Value::str).is_some_and(|verdict| verdict == "passed");
            let index = case.get("caseIndex").and_then(Value::number).and_then(|index| index.to_i64());
            let index = index.and_then(|index| u64::try_from(index).ok());
            if let (Some(suite), Some(index)) =
                (case.get("suite").and_then(Value::str).filter(|_| passed), index)
            {
                self.options.push(|text| write_case(&suite, index, text));
            }
        }
    }
}

/// Returns the canonical JSON text of a sitting's name, so all JSON spellings of a name are equal. A number can be a
/// name too; a string keeps its quotes, so "1" and 1 are different sittings.
fn name_of(value: Value<'_>) -> Option<Cow<'_, str>> {
    if let Some(number) = value.number() {
        let text = value.text();
        return Some(if is_canonical(text) { text.into() } else { number.to_string().into() });
    }
    let name = value.str()?;
    if is_canonical(value.text()) {
        return Some(value.text().into());
    }
    let mut text = String::with_capacity(name.len() + 2);
    write_json_string(&name, &mut text);
    Some(text.into())
}

/// Returns whether the JSON text of a string or a number is known to be canonical, because it is a string without
/// escapes or a short integer. Other texts can be canonical as well.
fn is_canonical(text: &str) -> bool {
    match text.strip_prefix('"') {
        Some(rest) => !rest.contains('\\'),
        None => {
            let digits = text.strip_prefix('-').filter(|digits| *digits != "0").unwrap_or(text);
            digits.len() <= 15 && digits.bytes().all(|byte| byte.is_ascii_digit())
        }
    }
}

/// Returns whether a field of a row is JSON.
fn is_json(name: &str) -> bool {
    !matches!(name, "item" | "sitting")
}

/// Writes a row as a line of JSON.
fn compose<T: AsRef<[u8]>>(row: &[(&'static str, T)], line: &mut String) -> Result<(), Error> {
    for (at, (name, text)) in row.iter().enumerate() {
        let text = std::str::from_utf8(text.as_ref()).map_err(|_| {
            invalid("json-encoding", format!("/{name}"), "the text is not UTF-8", "correct the column")
        })?;
        line.push(if at == 0 { '{' } else { ',' });
        write_json_string(name, line);
        line.push(':');
        if is_json(name) {
            line.push_str(text);
        } else {
            write_json_string(text, line);
        }
    }
    line.push_str(if row.is_empty() { "{}" } else { "}" });
    Ok(())
}

/// What is known of an answer besides its state.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    Nothing,
    /// The list of selected options, which can be empty.
    Options,
    Text,
}

/// The fields of a line.
#[derive(Default)]
struct Fields<'d> {
    item: Option<Value<'d>>,
    sitting: Option<Value<'d>>,
    result: Option<Value<'d>>,
    submission: Option<Value<'d>>,
    attempt: Option<Value<'d>>,
    seconds: Option<Value<'d>>,
}
