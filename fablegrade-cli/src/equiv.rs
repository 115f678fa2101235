//! `fablegrade equiv`: are two expressions the same, and what says so?

use std::io::{self, Write};
use std::path::Path as FilePath;

use clap::{Args, ValueEnum};
use fablegrade_core::json::{self, Json, Object};
use fablegrade_core::{Error, ErrorKind, Finding};
use fablegrade_math::number::Rational;
use fablegrade_math::{
    Decision, Domain, Evidence, LogBase, Note, Options, ParseError, Proof, Witness, compare, latex, print,
};

use crate::console::{BAD, Console, GOOD, MIXED, NAME, QUIET, plain};
use crate::exit::{Exit, Failure};
use crate::lines::{LineOptions, Reply, serve};

/// Decide whether two LaTeX expressions are the same
///
/// Without expressions this is a line mode: `{id, a, b}` in, `{id, equal, how, ...}` out; `equal` is null when it is
/// undecided. Exits with 0 for equal, 1 for different or unreadable, 4 for undecided.
#[derive(Args)]
pub(crate) struct Command {
    /// One expression
    #[arg(requires = "b", allow_hyphen_values = true)]
    a: Option<String>,
    /// The other expression
    #[arg(allow_hyphen_values = true)]
    b: Option<String>,
    /// Declare a variable, such as `speed` or `x_{12}`
    #[arg(long, value_name = "NAME")]
    variable: Vec<String>,
    /// Declare where a variable lies: `x=0..1`, `x=0..`, `n=1..integer`
    #[arg(long, value_name = "NAME=MIN..MAX", value_parser = domain)]
    domain: Vec<(String, Domain)>,
    /// Declare a function: `f(x+1)` is then its value, not a product
    #[arg(long, value_name = "NAME")]
    function: Vec<String>,
    /// What `\log` without a base means
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

fn domain(text: &str) -> Result<(String, Domain), String> {
    let form = "expected NAME=MIN..MAX, where MIN and MAX may be left out, and MAX may end with `integer`";
    let (name, range) = text.split_once('=').ok_or(form)?;
    let (min, max) = range.split_once("..").ok_or(form)?;
    let (max, integer) = match max.strip_suffix("integer") {
        Some(max) => (max.trim_end_matches([',', ' ']), true),
        None => (max, false),
    };
    let bound = |text: &str| match text.trim() {
        "" => Ok(None),
        text => Rational::from_decimal_text(text).map(Some).ok_or(format!("`{text}` is no number")),
    };
    if name.trim().is_empty() {
        return Err(form.into());
    }
    let domain = Domain { min: bound(min)?, max: bound(max)?, integer, ..Domain::default() };
    Ok((name.trim().into(), domain))
}

/// A decision with how both sides were read.
struct Compared {
    decision: Decision,
    understood: [String; 2],
}

/// Which side cannot be read, and why.
type Unreadable = (usize, ParseError);

fn decide(a: &str, b: &str, options: &Options) -> Result<Compared, Unreadable> {
    let read = |side, text| latex::parse(text, options.names()).map_err(|error| (side, error));
    let understood = [print::print(&read(0, a)?), print::print(&read(1, b)?)];
    // A text that parses can still be no value; the message names the second side then.
    let decision = compare(a, b, options).map_err(|error| {
        let first = fablegrade_math::Reference::new(a, options).is_err();
        (usize::from(!first), error)
    })?;
    Ok(Compared { decision, understood })
}

impl Command {
    pub(crate) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let options = self.options();
        let (Some(a), Some(b)) = (&self.a, &self.b) else {
            return serve(console, FilePath::new("-"), &self.lines, move |object| answer(object, &options));
        };
        let texts = [a.as_str(), b.as_str()];
        let compared = match decide(a, b, &options) {
            Ok(compared) => compared,
            Err((side, error)) if self.json => {
                let name = ["the first expression", "the second expression"];
                return Err(Failure::refused(
                    name.get(side).copied().unwrap_or_default(),
                    unreadable(side, &error),
                ));
            }
            Err((side, error)) => {
                write_unreadable(&mut console.err, side, texts.get(side).copied().unwrap_or_default(), &error)?;
                return Ok(Exit::Refused);
            }
        };
        if self.json {
            writeln!(console.out, "{}", to_json(&compared))?;
        } else {
            write_decision(&mut console.out, &compared)?;
        }
        Ok(match compared.decision.equal() {
            Some(true) => Exit::Done,
            Some(false) => Exit::Refused,
            None => Exit::Undecided,
        })
    }

    fn options(&self) -> Options {
        let base = match self.log_base {
            Base::Ten => LogBase::Ten,
            Base::Natural => LogBase::Natural,
        };
        let mut options = Options::new().log_base(base);
        for name in &self.variable {
            options = options.variable(name);
        }
        for (name, domain) in &self.domain {
            options = options.domain(name, domain.clone());
        }
        for name in &self.function {
            options = options.function(name);
        }
        options
    }
}

/// One line of the line mode.
fn answer(object: &mut Object<'_, '_, '_>, options: &Options) -> Option<Reply> {
    let a = object.required("a", json::string(0, latex::MAX_SOURCE));
    let b = object.required("b", json::string(0, latex::MAX_SOURCE));
    Some(match decide(&a?, &b?, options) {
        Ok(compared) => Ok(to_json(&compared)),
        Err((side, error)) => Err(unreadable(side, &error)),
    })
}

fn unreadable(side: usize, error: &ParseError) -> Error {
    let mut help = match error.expected {
        "" => "correct the expression".to_owned(),
        expected => format!("expected {expected}"),
    };
    if let Some(suggestion) = &error.suggestion {
        help.push_str("; ");
        help.push_str(suggestion);
    }
    let message = format!("from byte {} on: {}", error.span.start, error.message);
    let pointer = if side == 0 { "/a" } else { "/b" };
    Error::single(ErrorKind::Schema, Finding::error("unreadable-expression", pointer, message, help))
}

/// What the decision rests on, in words.
fn describe(evidence: &Evidence) -> String {
    match evidence {
        Evidence::Proven(Proof::SameForm) => {
            "the same expression up to order and arithmetic on numbers".into()
        }
        Evidence::Proven(Proof::NormalForm) => "the same exact normal form".into(),
        Evidence::Proven(Proof::Separation) => {
            "algebraic numbers closer than different ones of their kind can be".into()
        }
        Evidence::Identity { error_bits } => {
            format!("the same at random values; the chance of a coincidence is below 2^-{error_bits}")
        }
        Evidence::Agreed { points, bits } => format!("agree to {bits} bits at {points} points"),
        Evidence::Refuted(Some(witness)) => describe_witness(witness),
        Evidence::Refuted(None) => "known to differ".into(),
        Evidence::Undecided(why) => why.to_string(),
    }
}

fn describe_witness(witness: &Witness) -> String {
    let value = |(real, imaginary): (f64, f64)| {
        if imaginary == 0.0 { format!("{real}") } else { format!("{real} {imaginary:+}i") }
    };
    let point: Vec<String> = witness.point.iter().map(|(name, at)| format!("{name} = {at}")).collect();
    let at = if point.is_empty() { String::new() } else { format!("at {}: ", point.join(", ")) };
    format!("{at}{} against {}", value(witness.left), value(witness.right))
}

/// Sides that lack a value where the other has one, in words.
fn undefined(decision: &Decision) -> Option<&'static str> {
    match (decision.reference_undefined, decision.submission_undefined) {
        (true, true) => Some("each is undefined somewhere where the other has values"),
        (true, false) => Some("the first is undefined somewhere where the second has values"),
        (false, true) => Some("the second is undefined somewhere where the first has values"),
        (false, false) => None,
    }
}

fn write_decision(out: &mut impl Write, compared: &Compared) -> io::Result<()> {
    let decision = &compared.decision;
    let (style, word) = match decision.equal() {
        Some(true) => (GOOD, "equal"),
        Some(false) => (BAD, "different"),
        None => (MIXED, "undecided"),
    };
    let how = match &decision.evidence {
        Evidence::Undecided(_) => String::new(),
        _ => format!("{}   ", decision.how()),
    };
    writeln!(out, "{style}{word}{style:#}   {how}{}", plain(&describe(&decision.evidence)))?;
    if let Some(remark) = undefined(decision) {
        writeln!(out, "  {MIXED}note{MIXED:#}  {remark}")?;
    }
    let notes = [&decision.reference_notes, &decision.submission_notes];
    for (text, notes) in compared.understood.iter().zip(notes) {
        writeln!(out, "  {QUIET}read as{QUIET:#}  {}", plain(text))?;
        for note in notes {
            writeln!(out, "           {QUIET}{}{QUIET:#}", note.message())?;
        }
    }
    Ok(())
}

/// The last character boundary that is not after `at`.
fn char_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// The expression with a mark under the place where reading ended.
fn write_unreadable(out: &mut impl Write, side: usize, text: &str, error: &ParseError) -> io::Result<()> {
    let which = if side == 0 { "first" } else { "second" };
    writeln!(out, "{BAD}error{BAD:#}: the {which} expression cannot be read: {}", plain(&error.message))?;
    let start = char_boundary(text, error.span.start as usize);
    let end = char_boundary(text, (error.span.end as usize).max(start));
    let (before, rest) = text.split_at(start);
    // A long expression is shown around the place.
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

fn to_json(compared: &Compared) -> Json {
    let decision = &compared.decision;
    let real = |value: f64| {
        fablegrade_core::Decimal::from_f64(value).map_or_else(|| Json::from(value.to_string()), Json::Number)
    };
    let complex = |(re, im): (f64, f64)| if im == 0.0 { real(re) } else { Json::array([real(re), real(im)]) };
    let notes = |notes: &[Note]| Json::array(notes.iter().map(|note| note.message()));
    let side = |text: &String, list: &[Note]| {
        Json::build().with("understood", text).with("notes", notes(list)).build()
    };
    let object = Json::build()
        .with("equal", decision.equal().map_or(Json::Null, Json::Bool))
        .with("how", decision.how())
        .with("evidence", describe(&decision.evidence))
        .with_some("note", undefined(decision))
        .with("a", side(&compared.understood[0], &decision.reference_notes))
        .with("b", side(&compared.understood[1], &decision.submission_notes));
    match &decision.evidence {
        Evidence::Identity { error_bits } => object.with("errorBits", *error_bits),
        Evidence::Agreed { points, bits } => object.with("points", *points).with("bits", *bits),
        Evidence::Refuted(Some(witness)) => {
            let point =
                witness.point.iter().fold(Json::build(), |object, (name, at)| object.with(name, real(*at)));
            object.with(
                "witness",
                Json::build()
                    .with("point", point.build())
                    .with("a", complex(witness.left))
                    .with("b", complex(witness.right))
                    .build(),
            )
        }
        _ => object,
    }
    .build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains_are_read_from_the_command_line() {
        let (name, read) = domain("n=1..integer").expect("a domain");
        assert_eq!((name.as_str(), read.integer, read.max.is_none()), ("n", true, true));
        assert_eq!(read.min, Some(Rational::from(1)));
        let (_, read) = domain("x=-0.5..1").expect("a domain");
        assert_eq!(read.min, Rational::from_decimal_text("-0.5"));
        for wrong in ["x", "x=1", "=0..1", "x=a..b"] {
            assert!(domain(wrong).is_err(), "{wrong}");
        }
    }
}
