//! `fablegrade match`: compares a program's output with the expected output.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use fablegrade_core::json::{self, Json, Object, Path, Value};
use fablegrade_core::matcher::Difference;
use fablegrade_core::{Decimal, Finding, Findings, Matcher};

use crate::console::{BAD, Console, GOOD, QUIET, plain};
use crate::exit::{Exit, Failure};
use crate::input;
use crate::lines::{Encoding, LineOptions, Reply, serve};

/// Compare an output with the expected output
///
/// With `--jsonl`, with `-` as the only argument, or without arguments if standard input is not a terminal,
/// reads JSON Lines `{id, matcher, expected, actual, enc?, floatTolerance?}` and writes `{id, accept}`. With
/// "enc":"base64", both outputs are bytes in base64.
#[derive(Args)]
pub(crate) struct Command {
    /// File with the expected output
    expected: Option<PathBuf>,
    /// File with the actual output (`-` for standard input)
    actual: Option<PathBuf>,
    /// Method of comparison
    #[arg(long, value_enum, default_value = "trimmed_lines", requires = "expected")]
    matcher: Word,
    /// Tolerance for `json` and `float_tolerance`: accepts if |e-a| <= TOL or |e-a| <= TOL*|e| [default: 1e-6 for
    /// `float_tolerance`; without it, `json` compares numbers exactly]
    #[arg(long, value_name = "TOL", requires = "expected", value_parser = tolerance)]
    float_tolerance: Option<Decimal>,
    /// Print JSON
    #[arg(long, requires = "expected")]
    json: bool,
    #[command(flatten)]
    lines: LineOptions,
}

/// A matcher as a command-line argument.
#[derive(Clone, Copy)]
struct Word(Matcher);

impl clap::ValueEnum for Word {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            Self(Matcher::Exact),
            Self(Matcher::TrimmedLines),
            Self(Matcher::Tokens),
            Self(Matcher::Json),
            Self(Matcher::FloatTolerance),
        ]
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(clap::builder::PossibleValue::new(self.0.as_str()))
    }
}

fn tolerance(text: &str) -> Result<Decimal, String> {
    match Decimal::from_text(text) {
        Ok(tolerance) if !tolerance.is_negative() => Ok(tolerance),
        Ok(_) => Err("expected a non-negative tolerance".into()),
        Err(_) => Err("expected a number such as 1e-6".into()),
    }
}

impl Command {
    pub(crate) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let lone = self.expected.as_deref().is_some_and(input::is_stdin) && self.actual.is_none();
        let lines =
            lone || self.lines.reads_lines(self.expected.is_some(), "an expected and an actual output")?;
        if self.expected.is_some() && self.actual.is_none() && !lone {
            return Err(Failure::Usage("only one output: give the actual output too".into()));
        }
        let (false, Some(expected), Some(actual)) = (lines, &self.expected, &self.actual) else {
            return serve(&self.lines, answer);
        };
        input::at_most_one_stdin([expected.as_path(), actual])?;
        let expected = input::read_raw(expected)?;
        let actual = input::read_raw(actual)?;
        let found = self.matcher.0.compare(&expected, &actual, self.float_tolerance.as_ref());
        if self.json {
            writeln!(console.out, "{}", found.to_json())?;
        } else if found.accepted {
            write!(console.out, "{GOOD}accepted{GOOD:#}")?;
            if let Some(error) = &found.largest_error {
                write!(console.out, "  {QUIET}largest error {error}{QUIET:#}")?;
            }
            writeln!(console.out)?;
        } else {
            let difference = found.difference.as_ref().map(ToString::to_string).unwrap_or_default();
            write!(console.out, "{BAD}differs{BAD:#}   {}", plain(&difference))?;
            if let Some(Difference::Byte(at)) = found.difference {
                let line = memchr::memchr_iter(b'\n', actual.get(..at).unwrap_or(&actual)).count() + 1;
                write!(console.out, " (line {line})")?;
            }
            writeln!(console.out)?;
        }
        Ok(if found.accepted { Exit::Done } else { Exit::Negative })
    }
}

/// Compares the outputs of one line.
fn answer(object: &mut Object<'_, '_, '_>) -> Option<Reply> {
    let matcher = object.required("matcher", json::word(Matcher::WORDS));
    let encoding = Encoding::take(object);
    let bytes =
        |value: Value<'_>, at: &Path<'_>, findings: &mut Findings| encoding.bytes(value, at, findings);
    let expected = object.required("expected", bytes);
    let actual = object.required("actual", bytes);
    let tolerance =
        object.optional("floatTolerance", |value: Value<'_>, at: &Path<'_>, findings: &mut Findings| {
            let tolerance = json::decimal(value, at, findings)?;
            if tolerance.is_negative() {
                findings.push(Finding::error(
                    "out-of-range",
                    at.pointer(),
                    "expected a non-negative tolerance",
                    "drop the sign",
                ));
                return None;
            }
            Some(tolerance)
        });
    let accept = matcher?.accepts(&expected?, &actual?, tolerance?.as_ref());
    Some(Ok(Json::build().with("accept", accept).build()))
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;

    use super::*;

    #[test]
    fn every_matcher_has_its_word_on_the_command_line() {
        let words: Vec<_> = Word::value_variants().iter().map(|word| word.0).collect();
        let all: Vec<_> = Matcher::WORDS.iter().map(|(_, matcher)| *matcher).collect();
        assert_eq!(words, all);
    }
}
