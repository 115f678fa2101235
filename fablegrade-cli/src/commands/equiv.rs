//! `fablegrade equiv`: decides whether two expressions are equal, with evidence.

use std::io::{self, Write};

use clap::{Args, ValueEnum};
use fablegrade_core::equivalence::{Comparison, Unreadable, equivalent};
use fablegrade_core::json::{self, Object};
use fablegrade_latex::{self as latex, names::is_name};
use fablegrade_math::number::Rational;
use fablegrade_math::{Domain, Equivalence, Evidence, LogBase, Options};

use crate::console::{BAD, Console, GOOD, MIXED, NAME, QUIET, plain};
use crate::exit::{Exit, Failure};
use crate::lines::{LineOptions, Reply, serve};

/// Decide whether two LaTeX expressions are equal
///
/// With `--jsonl`, with `-` as the only argument, or without arguments if standard input is not a terminal, reads JSON
/// Lines `{id, a, b}` and writes `{id, equal, how, ...}`; `equal` is null if undecided.
///
/// With two arguments, the exit code is 0 if they are equal, 1 if they differ or one is unreadable, and 4 if
/// undecided. With JSON Lines, it is 1 if a line is invalid or an expression is unreadable, and 0 otherwise.
#[derive(Args)]
pub(crate) struct Command {
    /// First expression
    #[arg(allow_hyphen_values = true)]
    a: Option<String>,
    /// Second expression
    #[arg(allow_hyphen_values = true)]
    b: Option<String>,
    /// Declare a variable, such as `speed` or `x_{12}`; repeatable
    #[arg(long, value_name = "NAME", value_parser = name)]
    variable: Vec<String>,
    /// Declare the domain of a variable: `x=0..1`, `x=0..` (no upper bound), `n=1..integer` (the integers from 1),
    /// `n=1..9,integer`; repeatable
    #[arg(long, value_name = "NAME=MIN..MAX", value_parser = domain)]
    domain: Vec<(String, Domain)>,
    /// Declare a variable with complex values, so `\overline{z}` is its conjugate; repeatable
    #[arg(long, value_name = "NAME", value_parser = name)]
    complex: Vec<String>,
    /// Declare a function, so `f(x+1)` is a call and not a product; repeatable
    #[arg(long, value_name = "NAME", value_parser = name)]
    function: Vec<String>,
    /// Base of `\log` without a subscript
    #[arg(long, value_enum, default_value = "10")]
    log_base: Base,
    /// Print JSON
    #[arg(long, requires = "b")]
    json: bool,
    #[command(flatten)]
    lines: LineOptions,
}

/// The base of `\log`.
#[derive(Clone, Copy, ValueEnum)]
enum Base {
    #[value(name = "10")]
    Ten,
    #[value(name = "e")]
    Natural,
}

fn name(text: &str) -> Result<String, String> {
    if is_name(text) {
        Ok(text.to_owned())
    } else {
        Err("not a name: expected a letter or a word, such as `x`, `x_1`, `\\alpha`, `speed`".into())
    }
}

fn domain(text: &str) -> Result<(String, Domain), String> {
    let form = "expected NAME=MIN..MAX, where MIN and MAX may be left out, and MAX may end with `integer`";
    let (named, range) = text.split_once('=').ok_or(form)?;
    let (min, max) = range.split_once("..").ok_or(form)?;
    let (max, integer) = match max.strip_suffix("integer") {
        Some(max) => (max.trim_end_matches([',', ' ']), true),
        None => (max, false),
    };
    let bound = |text: &str| match text.trim() {
        "" => Ok(None),
        text => Rational::from_decimal_text(text).map(Some).ok_or(format!("`{text}` is not a number")),
    };
    let named = name(named.trim())?;
    let (min, max) = (bound(min)?, bound(max)?);
    let domain = Domain { min, max, integer, ..Domain::default() };
    if domain.is_empty() {
        let what = if integer { "integer" } else { "number" };
        return Err(format!("empty domain: there is no {what} from MIN to MAX"));
    }
    Ok((named, domain))
}

impl Command {
    pub(crate) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let options = self.options();
        let lone = self.a.as_deref() == Some("-") && self.b.is_none();
        let lines = lone || self.lines.reads_lines(self.a.is_some(), "two expressions")?;
        if self.a.is_some() && self.b.is_none() && !lone {
            return Err(Failure::Usage("only one expression: give the other one too".into()));
        }
        let (false, Some(a), Some(b)) = (lines, &self.a, &self.b) else {
            return serve(&self.lines, move |object| answer(object, &options));
        };
        let compared = match equivalent(a, b, &options) {
            Ok(compared) => compared,
            Err(unreadable) if self.json => {
                let name = if unreadable.second { "the second expression" } else { "the first expression" };
                return Err(Failure::invalid(name, unreadable.into()));
            }
            Err(unreadable) => {
                write_unreadable(&mut console.err, if unreadable.second { b } else { a }, &unreadable)?;
                return Ok(Exit::Negative);
            }
        };
        if self.json {
            writeln!(console.out, "{}", compared.to_json())?;
        } else {
            write_decision(&mut console.out, &compared)?;
        }
        Ok(match compared.decision().verdict() {
            Equivalence::Equal => Exit::Done,
            Equivalence::Different => Exit::Negative,
            Equivalence::Undecided => Exit::Undecided,
        })
    }

    fn options(&self) -> Options {
        let base = match self.log_base {
            Base::Ten => LogBase::Ten,
            Base::Natural => LogBase::Natural,
        };
        let mut options = Options::new().with_log_base(base);
        for name in &self.variable {
            options = options.with_variable(name);
        }
        for (name, domain) in &self.domain {
            options = options.with_domain(name, domain.clone());
        }
        for name in &self.complex {
            options = options.with_complex_variable(name);
        }
        for name in &self.function {
            options = options.with_function(name);
        }
        options
    }
}

/// Compares the expressions of one line.
fn answer(object: &mut Object<'_, '_, '_>, options: &Options) -> Option<Reply> {
    let a = object.required("a", json::string(0, latex::MAX_SOURCE));
    let b = object.required("b", json::string(0, latex::MAX_SOURCE));
    Some(equivalent(&a?, &b?, options).map(|compared| compared.to_json()).map_err(Into::into))
}

fn write_decision(out: &mut impl Write, compared: &Comparison) -> io::Result<()> {
    let decision = compared.decision();
    let (style, word) = match decision.verdict() {
        Equivalence::Equal => (GOOD, "equal"),
        Equivalence::Different => (BAD, "different"),
        Equivalence::Undecided => (MIXED, "undecided"),
    };
    let how = match &decision.evidence {
        Evidence::Undecided(_) => String::new(),
        _ => format!("{}   ", decision.evidence.kind()),
    };
    writeln!(out, "{style}{word}{style:#}   {how}{}", plain(&compared.evidence()))?;
    if let Some(remark) = compared.remark() {
        writeln!(out, "  {MIXED}note{MIXED:#}  {remark}")?;
    }
    let notes = [&decision.reference_notes, &decision.submission_notes];
    for (text, notes) in compared.understood().iter().zip(notes) {
        writeln!(out, "  {QUIET}read as{QUIET:#}  {}", plain(text))?;
        for note in notes {
            writeln!(out, "           {QUIET}{}{QUIET:#}", note.message())?;
        }
    }
    Ok(())
}

/// Returns the last character boundary at or before `at`.
fn char_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// Writes an expression with a marker under the position of the error.
fn write_unreadable(out: &mut impl Write, text: &str, unreadable: &Unreadable) -> io::Result<()> {
    let error = &unreadable.error;
    let which = if unreadable.second { "second" } else { "first" };
    writeln!(out, "{BAD}error{BAD:#}: the {which} expression cannot be read: {}", plain(&error.message))?;
    let start = char_boundary(text, error.span.start as usize);
    let end = char_boundary(text, (error.span.end as usize).max(start));
    let (before, rest) = text.split_at(start);
    // A long expression is cut to the part around the error.
    let skipped = before.chars().count().saturating_sub(60);
    let before: String = before.chars().skip(skipped).collect();
    let shown: String = rest.chars().take(40).collect();
    let dots = if skipped > 0 { "…" } else { "" };
    writeln!(out, "  {dots}{}{}", plain(&before), plain(&shown))?;
    let indent = dots.chars().count() + plain(&before).chars().count();
    let width = text.get(start..end).map_or(1, |span| span.chars().count()).clamp(1, 40);
    writeln!(out, "  {}{BAD}{}{BAD:#}", " ".repeat(indent), "^".repeat(width))?;
    if !error.expected.is_empty() {
        writeln!(out, "  expected {}", error.expected)?;
    }
    if let Some(suggestion) = &error.suggestion {
        writeln!(out, "  {NAME}{}{NAME:#}", plain(suggestion))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains_are_read_from_the_command_line() {
        let (named, read) = domain("n=1..integer").expect("a domain");
        assert_eq!((named.as_str(), read.integer, read.max.is_none()), ("n", true, true));
        assert_eq!(read.min, Some(Rational::from(1)));
        let (_, read) = domain("x=-0.5..1").expect("a domain");
        assert_eq!(read.min, Rational::from_decimal_text("-0.5"));
        for wrong in ["x", "x=1", "=0..1", "x=a..b", "x=2..1", "n=0.2..0.8integer", "2x=0..1"] {
            assert!(domain(wrong).is_err(), "{wrong}");
        }
        for right in ["x", "x_1", "x_{12}", "\\alpha", "\\mathrm{speed}", "f'", "α"] {
            assert!(name(right).is_ok(), "{right}");
        }
        for wrong in ["", "x y", "2f", "x+1", "x_", "\\frac{1}{2}"] {
            assert!(name(wrong).is_err(), "{wrong}");
        }
    }
}
