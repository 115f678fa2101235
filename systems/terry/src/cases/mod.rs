//! Reads output files of the form `Case #1: ...` and produces the checker's result, for checkers written in Rust.
//!
//! The parser behaves like the Python library that terry's checkers use (`terry_cli/parser.py`), message for message,
//! because contestants and authors know those messages. It differs where that library itself fails (see
//! [`Parser::run`]), and keeps at most 1,000 alerts.
//!
//! ```
//! use fablegrade_terry::cases::Parser;
//!
//! // Input: numbers to double. Output: `Case #1: 14` and so on.
//! let numbers = [7, 20];
//! let report = Parser::new(numbers.len(), "Case #2: 40\nCase #1: 15\n")?.run(|case, stream| {
//!     let answer = stream.int()?;
//!     stream.end()?;
//!     Ok((answer == 2 * numbers[case - 1]).into())
//! });
//! assert_eq!(report.score(), 0.5);
//! println!("{}", report.to_json()); // what a checker prints
//! # Ok::<(), fablegrade_terry::cases::Unusable>(())
//! ```

mod stream;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use fablegrade_public::Decimal;
use fablegrade_public::json::Json;

use stream::End;
pub use stream::{Invalid, Options, Stream};

/// The score of a case, with an optional message.
#[derive(Debug, Clone, PartialEq)]
pub struct Worth {
    score: f64,
    message: String,
}

impl Worth {
    /// Creates a score, which should be from 0 to 1; see [`Parser::run`].
    pub fn score(score: f64) -> Self {
        Self { score, message: String::new() }
    }

    /// Adds a message that the contestant sees after confirming.
    #[must_use]
    pub fn saying(mut self, message: impl Into<String>) -> Self {
        self.message = message.into();
        self
    }
}

impl From<bool> for Worth {
    fn from(correct: bool) -> Self {
        Self::score(if correct { 1.0 } else { 0.0 })
    }
}

impl From<f64> for Worth {
    fn from(score: f64) -> Self {
        Self::score(score)
    }
}

/// The reason why a [`Parser`] cannot be created.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unusable {
    /// There are no cases, so there is no mean score.
    NoCases,
    /// The maximum length of a string is shorter than that of a number.
    ShortStrings,
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoCases => "there are no cases; pass the number of cases of the input file",
            Self::ShortStrings => "str_max_len is below int_max_len or float_max_len; raise it",
        })
    }
}

impl std::error::Error for Unusable {}

/// Reads an output file case by case.
#[derive(Debug)]
pub struct Parser<'t> {
    cases: usize,
    stream: Stream<'t>,
}

impl<'t> Parser<'t> {
    /// Creates a parser for the text of an output file whose input file has `cases` cases. [`output_text`] gives the
    /// text of a file's bytes.
    ///
    /// # Errors
    /// There are no cases.
    pub fn new(cases: usize, text: &'t str) -> Result<Self, Unusable> {
        Self::with_options(cases, text, Options::default())
    }

    /// Creates a parser with other options.
    ///
    /// # Errors
    /// There are no cases, or the limits contradict each other.
    pub fn with_options(cases: usize, text: &'t str, options: Options) -> Result<Self, Unusable> {
        if cases == 0 {
            return Err(Unusable::NoCases);
        }
        if options.str_max_len < options.int_max_len.max(options.float_max_len) {
            return Err(Unusable::ShortStrings);
        }
        Ok(Self { cases, stream: Stream::new(text, options) })
    }

    /// Calls `judge` for every case found, in the file's order, with its number (from 1) and the stream after its
    /// header. If a case occurs more than once, the first counts, even if it is invalid. A case whose number exceeds
    /// the number of cases is skipped with an alert.
    ///
    /// A score outside 0 to 1 is a mistake of the checker and counts as 0, with a message. So does NaN, for which the
    /// original library prints invalid JSON. Takes time linear in the length of the text.
    pub fn run(mut self, mut judge: impl FnMut(usize, &mut Stream<'t>) -> Result<Worth, Invalid>) -> Report {
        let mut report = Report::new(self.cases);
        let mut seen = BTreeSet::new();
        let mut total = 0.0;
        loop {
            let header = self.next_header();
            if !header.skipped.is_empty() {
                report.warn(format!("Skipped data from line {}: {}", header.skipped_from, header.skipped));
            }
            let Some((number, line)) = header.found else { break };
            let index =
                number.value.and_then(|value| usize::try_from(value).ok()).filter(|at| *at <= self.cases);
            let Some(index) = index else {
                report.warn(format!("Skipped testcase {} > {} at line {line}", number.text, self.cases));
                continue;
            };
            if !seen.insert(index) {
                report.warn(format!("Skipped duplicate testcase {index} at line {line}"));
                continue;
            }
            let judged = judge(index, &mut self.stream);
            let Some(case) = report.cases.get_mut(index - 1) else { continue };
            match judged {
                Err(reason) => case.status = Status::Invalid(reason.reason().to_owned()),
                Ok(worth) => {
                    case.status = Status::Parsed { line };
                    case.message = Some(worth.message).filter(|message| !message.is_empty());
                    case.correct = worth.score == 1.0;
                    if (0.0..=1.0).contains(&worth.score) {
                        total += worth.score;
                    } else {
                        case.message = Some("buggy checker detected!".to_owned());
                    }
                }
            }
        }
        report.score = total / self.cases as f64;
        report
    }

    /// Reads up to the end of the next `Case #N:`.
    fn next_header(&mut self) -> Header {
        let mut skipped = Skipped::default();
        loop {
            let before = skipped.text.clone();
            let skipped_from = self.stream.line();
            match self.header_here(&mut skipped) {
                Ok(Some(found)) => return Header { skipped: before, skipped_from, found: Some(found) },
                Ok(None) => {}
                Err(End) => return Header { skipped: skipped.text, skipped_from, found: None },
            }
        }
    }

    /// Reads one word, and the rest of a header if the word begins one; `Ok(None)` if there is no header. The text read
    /// is added to `skipped` as in the original library, which repeats some blanks.
    fn header_here(&mut self, skipped: &mut Skipped) -> Result<Option<(stream::Integer, usize)>, End> {
        let stream = &mut self.stream;
        let mut buffer = [0; 4];
        loop {
            let next = stream.peek().ok_or(End)?;
            if !matches!(next, ' ' | '\t' | '\n') {
                break;
            }
            skipped.add(next.encode_utf8(&mut buffer));
            stream.next();
        }
        let Ok(word) = stream.str() else { return Ok(None) };
        let line = stream.line();
        skipped.add(&word);
        if !word.eq_ignore_ascii_case("case") && !word.eq_ignore_ascii_case("caso") {
            skipped.add(stream.peek().ok_or(End)?.encode_utf8(&mut buffer));
            return Ok(None);
        }
        let Ok(blank) = stream.space() else { return Ok(None) };
        skipped.add(blank.encode_utf8(&mut buffer));
        if stream.peek().ok_or(End)? != '#' {
            return Ok(None);
        }
        stream.next();
        skipped.add("#");
        let Ok(number) = stream.case_number() else { return Ok(None) };
        skipped.add(&number.text);
        if number.text == "0" || number.text.starts_with('-') || stream.peek().ok_or(End)? != ':' {
            return Ok(None);
        }
        stream.next();
        Ok(Some((number, line)))
    }
}

struct Header {
    skipped: String,
    skipped_from: usize,
    found: Option<(stream::Integer, usize)>,
}

/// The first 100 characters of skipped text, then `...` if there are more.
#[derive(Default)]
struct Skipped {
    text: String,
    length: usize,
    cut: bool,
}

impl Skipped {
    const MOST: usize = 100;

    fn add(&mut self, more: &str) {
        if self.cut {
            return;
        }
        let length = more.chars().count();
        if self.length + length > Self::MOST {
            self.text.extend(more.chars().take(Self::MOST - self.length));
            self.text.push_str("...");
            self.cut = true;
        } else {
            self.text.push_str(more);
            self.length += length;
        }
    }
}

/// The evaluation of an output file, as a checker prints it.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    score: f64,
    cases: Vec<Case>,
    alerts: Vec<String>,
    unsaid: usize,
}

#[derive(Debug, Clone, PartialEq)]
struct Case {
    status: Status,
    correct: bool,
    message: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
enum Status {
    Missing,
    Parsed { line: usize },
    Invalid(String),
}

impl Report {
    /// The maximum number of alerts to keep. Others are only counted, since an output file can cause millions.
    const MOST_ALERTS: usize = 1000;

    fn new(cases: usize) -> Self {
        let missing = Case { status: Status::Missing, correct: false, message: None };
        Self { score: 0.0, cases: vec![missing; cases], alerts: Vec::new(), unsaid: 0 }
    }

    fn warn(&mut self, message: String) {
        if self.alerts.len() < Self::MOST_ALERTS {
            self.alerts.push(message);
        } else {
            self.unsaid += 1;
        }
    }

    /// Returns the score from 0 to 1: the mean over all cases, missing ones included.
    pub fn score(&self) -> f64 {
        self.score
    }

    /// Returns the checker's result as JSON. Its [`Display`](fmt::Display) implementation writes what a checker prints.
    pub fn to_json(&self) -> Json {
        let validation = self.cases.iter().map(|case| {
            let (status, message) = match &case.status {
                Status::Missing => ("missing", None),
                Status::Parsed { line } => ("parsed", Some(format!("Found from line {line}"))),
                Status::Invalid(reason) => ("invalid", Some(reason.clone())),
            };
            Json::build().with("status", status).with_some("message", message).build()
        });
        let feedback = self.cases.iter().map(|case| {
            Json::build().with("correct", case.correct).with_some("message", case.message.as_ref()).build()
        });
        let unsaid = (self.unsaid > 0).then(|| format!("... and {} more", self.unsaid));
        let alerts = self
            .alerts
            .iter()
            .chain(&unsaid)
            .map(|message| Json::build().with("severity", "warning").with("message", message).build());
        let half =
            |cases: Json, alerts: Json| Json::build().with("cases", cases).with("alerts", alerts).build();
        Json::build()
            // Between 0 and 1, so always finite.
            .with("score", Decimal::from_f64(self.score).unwrap_or_else(Decimal::zero))
            .with("validation", half(Json::array(validation), Json::array(alerts)))
            .with("feedback", half(Json::array(feedback), Json::Array(Vec::new())))
            .build()
    }
}

/// Returns the text of an output file as a checker reads it with Python's `open(path, "r")`: CRLF and CR become LF.
/// Bytes that are not UTF-8, on which a Python checker fails, become U+FFFD, which is not a blank, digit or letter.
pub fn output_text(bytes: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(bytes);
    if !text.contains('\r') {
        return text;
    }
    Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
}
