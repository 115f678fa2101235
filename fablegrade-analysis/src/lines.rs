//! Results as JSON Lines, grouped by sitting.
//!
//! A line is `{item, sitting, result, submission?, seconds?}`, as `fablegrade batch --keep` writes it, or an attempt that is
//! graded here: `{item, sitting, submission | attempt, outcomes?, context?}`. The lines of a sitting stand together.

use std::collections::HashSet;
use std::hash::{Hash as _, Hasher as _};

use fablegrade_core::bank::Bank;
use fablegrade_core::json::{Limits, Tape, Value};
use fablegrade_core::request::Request;
use fablegrade_core::{Error, ErrorKind, Finding, Findings, Grader};

use crate::accumulator::{Accumulator, MAX_ANSWERS};
use crate::items::{case_name, pair_name, position_name};
use crate::sitting::{Outcome, Score, Sitting};

/// Maximum length of a sitting's name in bytes.
pub const MAX_SITTING_BYTES: usize = 255;
/// Maximum number of sittings in one input: each is remembered by 16 bytes, to notice one that comes back.
pub const MAX_KNOWN: usize = 1 << 26;
/// How many malformed lines are kept.
const MAX_REFUSED: usize = 20;

/// Lines that are no results: the first ones with their numbers, and how many there are.
#[derive(Debug, Clone, Default)]
pub struct Refused {
    /// The first ones, by line number from 1.
    pub first: Vec<(u64, Error)>,
    /// All of them.
    pub count: u64,
}

impl Refused {
    fn push(&mut self, line: u64, error: Error) {
        self.count += 1;
        if self.first.len() < MAX_REFUSED {
            self.first.push((line, error));
        }
    }

    fn append(&mut self, other: Self) {
        self.count += other.count;
        self.first.extend(other.first);
        self.first.sort_by_key(|(line, _)| *line);
        self.first.truncate(MAX_REFUSED);
    }
}

/// The answers of a sitting that may go on in the next or began in the last piece of the input.
#[derive(Debug, Default)]
struct Open {
    name: String,
    /// Number of its first line.
    line: u64,
    answers: Sitting,
}

/// What a piece of the input has besides the whole sittings in its middle, which its [`Reader`] has added.
#[derive(Debug, Default)]
pub struct Piece {
    first: Option<Open>,
    last: Option<Open>,
    /// The whole sittings, each with its first line.
    names: Vec<(u128, u64)>,
    refused: Refused,
}

impl Piece {
    /// A line that could not be read at all.
    pub fn refused(line: u64, error: Error) -> Self {
        let mut piece = Self::default();
        piece.refused.push(line, error);
        piece
    }
}

/// Reads pieces of the input into its own accumulator; one for each thread.
pub struct Reader<'b> {
    bank: &'b Bank,
    tape: Tape,
    accumulator: Accumulator,
    current: Open,
    options: Vec<String>,
    text: String,
}

/// A tape for a longer line is not kept.
const LONG: usize = 1 << 20;

impl<'b> Reader<'b> {
    /// A reader that takes the questions from `bank`.
    pub fn new(bank: &'b Bank) -> Self {
        Self {
            bank,
            tape: Tape::default(),
            accumulator: Accumulator::new(),
            current: Open::default(),
            options: Vec::new(),
            text: String::new(),
        }
    }

    /// The whole sittings of all pieces.
    pub fn into_accumulator(self) -> Accumulator {
        self.accumulator
    }

    /// Reads some whole lines; `first_line` is the number of the first.
    pub fn read(&mut self, bytes: &[u8], first_line: u64) -> Piece {
        let mut piece = Piece::default();
        let mut number = first_line;
        let mut rest = bytes;
        self.current.answers.clear();
        self.current.name.clear();
        while !rest.is_empty() {
            let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            let line = &rest[..end];
            if !line.iter().all(u8::is_ascii_whitespace) {
                self.line(line, number, &mut piece);
            }
            number += 1;
            rest = rest.get(end + 1..).unwrap_or_default();
        }
        if !self.current.answers.is_empty() {
            let last = std::mem::take(&mut self.current);
            if piece.first.is_none() { piece.first = Some(last) } else { piece.last = Some(last) }
        }
        piece
    }

    fn line(&mut self, line: &[u8], number: u64, piece: &mut Piece) {
        let mut tape = std::mem::take(&mut self.tape);
        let read = tape.with(line, Limits::default(), |value| self.value(value, number, piece));
        self.tape = if line.len() > LONG { Tape::default() } else { tape };
        if let Err(error) = read.and_then(|read| read) {
            piece.refused.push(number, error);
        }
    }

    fn value(&mut self, value: Value<'_>, number: u64, piece: &mut Piece) -> Result<(), Error> {
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
            .ok_or_else(|| missing("item"))?
            .str()
            .ok_or_else(|| wrong_type("/item", "a string"))?;
        let name = fields.sitting.ok_or_else(|| missing("sitting"))?;
        // A number is a name as well; a text keeps its quotes, so that "1" and 1 are two sittings.
        let name = if name.str().is_some() || name.number().is_some() {
            name.text()
        } else {
            return Err(wrong_type("/sitting", "a string or a number"));
        };
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
        let outcome = match fields.result {
            Some(result) => read_outcome(result)?,
            None => self.grade(value)?,
        };
        self.options.clear();
        self.text.clear();
        let submission =
            fields.submission.or_else(|| fields.attempt.and_then(|attempt| attempt.get("submission")));
        let mut is_written = false;
        if let (Some(submission), Ok(_)) = (submission, compiled) {
            is_written = self.given(submission);
        }
        if let Some(results) = fields.result.and_then(|result| result.get("codeResults")) {
            self.cases(results);
        }
        let millis = match fields.seconds {
            Some(seconds) => Some(read_seconds(seconds, "/seconds")?),
            None => {
                let seconds = fields.attempt.and_then(|attempt| attempt.get("timeSpentSeconds"));
                seconds.map(|seconds| read_seconds(seconds, "/attempt/timeSpentSeconds")).transpose()?
            }
        };
        if self.current.answers.is_empty() || self.current.name != name {
            self.close(piece);
            self.current.name.push_str(name);
            self.current.line = number;
        }
        if self.current.answers.len() == MAX_ANSWERS {
            let message = format!("more than {MAX_ANSWERS} answers in one sitting");
            return Err(invalid("sitting-too-long", "/sitting", message, "split the test"));
        }
        let text = is_written.then_some(self.text.as_str());
        self.current.answers.store(&item, outcome, self.options.iter().map(String::as_str), text, millis);
        Ok(())
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
        if let Err(error) = self.accumulator.add_sitting(&self.current.answers) {
            piece.refused.push(self.current.line, rejected(&error));
        }
        self.current.answers.clear();
        self.current.name.clear();
    }

    fn grade(&self, value: Value<'_>) -> Result<Outcome, Error> {
        let mut findings = Findings::new();
        let request = Request::split_item(value, &mut findings);
        let grade = |answer: &fablegrade_core::request::Answer, grader: &Grader| answer.grade(grader);
        let result = request.grade_from(self.bank, findings, grade)?;
        outcome_of(result.verdict.as_str(), result.score)
    }

    /// Notes what was chosen or written; tells whether it was written. Malformed parts are left out: the result has judged
    /// them.
    fn given(&mut self, submission: Value<'_>) -> bool {
        let kind = submission.get("type").and_then(Value::str);
        let ids =
            |name: &str| submission.get(name).into_iter().flat_map(Value::elements).filter_map(Value::str);
        match kind.as_deref() {
            Some("multiple_choice") => {
                self.options.extend(ids("selectedChoiceIds").map(std::borrow::Cow::into_owned));
            }
            Some("matching") => {
                let pairs = submission.get("pairs").into_iter().flat_map(Value::elements);
                self.options.extend(pairs.filter_map(|pair| {
                    let side = |name| pair.get(name).and_then(Value::str);
                    Some(pair_name(&side("left")?, &side("right")?))
                }));
            }
            Some("ordering") => {
                self.options.extend(ids("order").enumerate().map(|(at, id)| position_name(&id, at)));
            }
            Some("numeric") => {
                let Some(value) = submission.get("value").filter(|value| value.number().is_some()) else {
                    return false;
                };
                self.text.push_str(value.text());
                if let Some(unit) =
                    submission.get("unit").and_then(Value::str).filter(|unit| !unit.trim().is_empty())
                {
                    self.text.push(' ');
                    self.text.push_str(unit.trim());
                }
                return true;
            }
            Some("expression") => {
                let Some(latex) = submission.get("latex").and_then(Value::str) else { return false };
                self.text.push_str(&latex);
                return true;
            }
            _ => {}
        }
        false
    }

    /// Notes the test cases that were passed.
    fn cases(&mut self, results: Value<'_>) {
        self.options.extend(results.elements().filter_map(|case| {
            let passed = case.get("verdict").and_then(Value::str).is_some_and(|verdict| verdict == "passed");
            let suite = case.get("suite").and_then(Value::str).filter(|_| passed)?;
            let index = case.get("caseIndex").and_then(Value::number)?.to_i64()?;
            Some(case_name(&suite, u64::try_from(index).ok()?))
        }));
    }
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

/// Puts the pieces of an input together, in their order.
#[derive(Default)]
pub struct Joiner {
    accumulator: Accumulator,
    open: Option<Open>,
    known: HashSet<u128>,
    refused: Refused,
}

impl Joiner {
    /// No pieces.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next piece.
    pub fn add(&mut self, piece: Piece) {
        let Piece { first, last, names, refused } = piece;
        self.refused.append(refused);
        let Some(first) = first else { return };
        match &mut self.open {
            Some(open) if open.name == first.name => {
                if open.answers.len() + first.answers.len() > MAX_ANSWERS {
                    let message = format!("more than {MAX_ANSWERS} answers in one sitting");
                    self.refused
                        .push(first.line, invalid("sitting-too-long", "/sitting", message, "split the test"));
                } else {
                    open.answers.append(&first.answers);
                }
            }
            _ => {
                self.close();
                self.open = Some(first);
            }
        }
        if !names.is_empty() || last.is_some() {
            self.close();
        }
        for (name, line) in names {
            self.know(name, line);
        }
        if last.is_some() {
            self.open = last;
        }
    }

    fn close(&mut self) {
        let Some(open) = self.open.take() else { return };
        self.know(fingerprint(&open.name), open.line);
        if let Err(error) = self.accumulator.add_sitting(&open.answers) {
            self.refused.push(open.line, rejected(&error));
        }
    }

    fn know(&mut self, name: u128, line: u64) {
        if self.known.len() == MAX_KNOWN {
            let message = format!("more than {MAX_KNOWN} sittings in one input");
            self.refused.push(line, invalid("too-many-sittings", "/sitting", message, "split the input"));
            return;
        }
        if !self.known.insert(name) {
            let message = "this sitting was complete already: other sittings lie between its lines";
            let help = "sort the lines by sitting, or give each sitting a name of its own";
            self.refused.push(line, invalid("sitting-split", "/sitting", message, help));
        }
    }

    /// All sittings, with those of the readers.
    ///
    /// # Errors
    /// The lines that are no results.
    pub fn finish(mut self, readers: impl IntoIterator<Item = Accumulator>) -> Result<Accumulator, Refused> {
        self.close();
        for accumulator in readers {
            if let Err(error) = self.accumulator.merge(&accumulator) {
                self.refused.push(0, rejected(&error));
            }
        }
        if self.refused.count == 0 { Ok(self.accumulator) } else { Err(self.refused) }
    }
}

/// 128 bits of a name; two names share them by chance less than once in 10²⁰ inputs of the maximum size.
fn fingerprint(name: &str) -> u128 {
    let half = |salt: u8| {
        #[allow(deprecated)] // the successor has a random key: the same input could be refused only sometimes
        let mut hasher = std::hash::SipHasher::new_with_keys(u64::from(salt), 0x5eed);
        name.hash(&mut hasher);
        hasher.finish()
    };
    u128::from(half(1)) << 64 | u128::from(half(2))
}

fn read_outcome(result: Value<'_>) -> Result<Outcome, Error> {
    if result.text() == "null" {
        return Ok(Outcome::Blank);
    }
    if !result.is_object() {
        return Err(wrong_type("/result", "an object, or null for a blank answer"));
    }
    let (mut verdict, mut score) = (None, None);
    for (key, value) in result.fields() {
        match key.as_ref() {
            "verdict" => verdict = value.str(),
            "score" => {
                score = Some(value.number().ok_or_else(|| wrong_type("/result/score", "a number"))?.to_f64())
            }
            _ => {}
        }
    }
    outcome_of(&verdict.ok_or_else(|| missing("result/verdict"))?, score)
}

fn outcome_of(verdict: &str, score: Option<f64>) -> Result<Outcome, Error> {
    match verdict {
        "correct" | "partial" | "incorrect" => {
            let score = score.ok_or_else(|| missing("result/score"))?;
            let score = Some(score).filter(|score| (0.0..=1.0).contains(score)).and_then(Score::from_f64);
            score.map(Outcome::Scored).ok_or_else(|| {
                invalid(
                    "out-of-range",
                    "/result/score",
                    "a score is between 0 and 1",
                    "give a share of the maximum",
                )
            })
        }
        "error" => Ok(Outcome::Refused),
        "pending" => Ok(Outcome::Pending),
        other => Err(invalid(
            "unknown-word",
            "/result/verdict",
            format!("{other:?} is not a verdict"),
            "use correct, partial, incorrect, pending or error",
        )),
    }
}

fn read_seconds(value: Value<'_>, pointer: &str) -> Result<u32, Error> {
    let seconds = value.number().ok_or_else(|| wrong_type(pointer, "a number of seconds"))?.to_f64();
    if !(0.0..=86_400.0).contains(&seconds) {
        let message = "the time is not between 0 and 86,400 seconds";
        return Err(invalid("out-of-range", pointer, message, "give the time in seconds, or leave it out"));
    }
    Ok(libm::rint(seconds * 1_000.0) as u32)
}

fn invalid(
    rule: &'static str,
    pointer: impl Into<String>,
    message: impl Into<String>,
    help: impl Into<String>,
) -> Error {
    Error::single(ErrorKind::Schema, Finding::error(rule, pointer.into(), message.into(), help.into()))
}

fn missing(field: &str) -> Error {
    invalid("missing-field", "", format!("the field `{field}` is missing"), format!("add `{field}`"))
}

fn wrong_type(pointer: &str, expected: &str) -> Error {
    invalid("wrong-type", pointer, format!("expected {expected}"), "correct the value")
}

fn rejected(error: &crate::Rejected) -> Error {
    invalid("sitting-rejected", "/sitting", error.to_string(), "correct the lines of this sitting")
}
