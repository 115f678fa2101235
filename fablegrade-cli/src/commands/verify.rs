//! `fablegrade verify`: compares language models' answers with references.

use std::io::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::{Args, ValueEnum};
use fablegrade_core::json::{self, Json, Object, Path, Value};
use fablegrade_core::{Finding, Findings};
use fablegrade_verify::{Convention, Extraction, Gold, Profile, Verdict, Verification};

use crate::console::{BAD, Console, GOOD, MIXED, QUIET, plain};
use crate::exit::{Exit, Failure};
use crate::lines::{LineOptions, Reply, serve};

/// Extract the answer from a language model's response and compare it with a reference
///
/// With `--jsonl`, with `-` as the only argument, or without arguments if standard input is not a terminal, reads JSON
/// Lines `{id, gold, response}` and writes `{id, verdict, extracted, place, span, how, evidence, conventions}`. With
/// `--audit`, each line has the verdict of another program as `old` (`true`, `correct` and scores above 0 mean
/// correct), and results also have `old` and `agrees`; if the two verdicts agree, a result has only these, `id` and
/// `verdict`.
///
/// With two arguments, the exit code is 0 if the verdict is correct, and 1 for every other verdict, including
/// undecided. With JSON Lines, it is 1 if a line is invalid, and 0 otherwise.
#[derive(Args)]
pub(crate) struct Command {
    /// Reference answer; `gold` in JSON Lines
    #[arg(allow_hyphen_values = true, value_name = "REFERENCE")]
    gold: Option<String>,
    /// The model's response
    #[arg(allow_hyphen_values = true)]
    response: Option<String>,
    /// Conventions that apply
    #[arg(long, value_enum, default_value = "model")]
    profile: Conventions,
    /// Switch off a convention of the profile, by its name in docs/verify.md; repeatable
    #[arg(long, value_name = "CONVENTION", value_delimiter = ',', value_parser = conventions(), hide_possible_values = true)]
    without: Vec<Convention>,
    /// Extract answers only from boxes and tags, and after markers; do not fall back to the last stated value
    #[arg(long)]
    no_fallback: bool,
    /// Compare with the verdict `old` in each line
    #[arg(long, conflicts_with = "response")]
    audit: bool,
    /// Print JSON
    #[arg(long, requires = "response")]
    json: bool,
    #[command(flatten)]
    lines: LineOptions,
}

/// Returns a parser for the names of conventions.
fn conventions() -> impl clap::builder::TypedValueParser<Value = Convention> {
    PossibleValuesParser::new(Convention::ALL.iter().map(|convention| convention.name()))
        .try_map(|name| Convention::from_name(&name).ok_or("not a convention"))
}

/// The profiles.
#[derive(Clone, Copy, ValueEnum)]
enum Conventions {
    /// Mathematical equality only
    Exact,
    /// The conventions by which models' answers are usually judged
    Model,
}

/// Maximum length of a reference or a response in a line, in code points.
const LONGEST: usize = 4 << 20;

/// The last reference, because lines with the same reference are often adjacent.
type LastGold = Mutex<Option<Arc<Gold>>>;

impl Command {
    pub(crate) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let profile = match self.profile {
            Conventions::Exact => Profile::exact(),
            Conventions::Model => Profile::model(),
        };
        let profile = self.without.iter().fold(profile, |profile, convention| profile.without(*convention));
        let extraction = Extraction::new().fallback(!self.no_fallback);
        let lone = self.gold.as_deref() == Some("-") && self.response.is_none();
        let lines = lone || self.lines.reads_lines(self.gold.is_some(), "a reference and a response")?;
        if self.gold.is_some() && self.response.is_none() && !lone {
            return Err(Failure::Usage("only a reference: give the response too".into()));
        }
        let (false, Some(gold), Some(response)) = (lines, &self.gold, &self.response) else {
            let (last, audit) = (LastGold::default(), self.audit);
            return serve(&self.lines, move |object| answer(object, &profile, &extraction, &last, audit));
        };
        let found = Gold::new(gold, &profile).with_extraction(extraction).verify(response);
        if self.json {
            writeln!(console.out, "{}", found.to_json())?;
        } else {
            write_verification(console, &found)?;
        }
        Ok(if found.is_correct() { Exit::Done } else { Exit::Negative })
    }
}

/// Answers one line of JSON Lines.
fn answer(
    object: &mut Object<'_, '_, '_>,
    profile: &Profile,
    extraction: &Extraction,
    last: &LastGold,
    audit: bool,
) -> Option<Reply> {
    let gold = object.required("gold", json::string(0, LONGEST));
    let response = object.required("response", json::string(0, LONGEST));
    let old = if audit { Some(object.required("old", old_verdict)?) } else { None };
    let (gold, response) = (gold?, response?);
    let known = last.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let reference = known.filter(|known| known.text() == gold).unwrap_or_else(|| {
        // It is compiled outside the lock, so the other threads can continue.
        let reference = Arc::new(Gold::new(&gold, profile).with_extraction(*extraction));
        *last.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&reference));
        reference
    });
    let found = reference.verify(&response);
    let Some(old) = old else { return Some(Ok(found.to_json())) };
    let agrees = old == found.is_correct();
    let mut fields = vec![("agrees".into(), Json::Bool(agrees)), ("old".into(), Json::Bool(old))];
    if agrees {
        fields.push(("verdict".into(), Json::from(found.verdict.as_str())));
    } else {
        fields.extend(found.to_json().as_object().unwrap_or_default().iter().cloned());
    }
    Some(Ok(Json::object(fields)))
}

/// Reads a verdict of another program: a boolean, a score (correct if positive), or a word such as `correct`.
fn old_verdict(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<bool> {
    if let Some(verdict) = value.bool() {
        return Some(verdict);
    }
    if let Some(score) = value.number() {
        return Some(score.to_f64() > 0.0);
    }
    match value.str().as_deref() {
        Some("correct" | "true" | "C") => Some(true),
        Some("incorrect" | "false" | "I" | "undecided" | "no-answer" | "unreadable-gold") => Some(false),
        _ => {
            findings.push(Finding::error(
                "old-verdict",
                at.pointer(),
                "not a verdict",
                "write a boolean, a score, `correct` or `incorrect`",
            ));
            None
        }
    }
}

fn write_verification(console: &mut Console, found: &Verification) -> Result<(), Failure> {
    let style = match found.verdict {
        Verdict::Correct => GOOD,
        Verdict::Incorrect => BAD,
        _ => MIXED,
    };
    let out = &mut console.out;
    writeln!(out, "{style}{}{style:#}   {}", found.verdict, plain(&found.evidence))?;
    if let (Some(text), Some(place)) = (&found.answer, found.place) {
        writeln!(out, "  {QUIET}answer{QUIET:#}  {}  {QUIET}({place}){QUIET:#}", plain(text))?;
    }
    let used: Vec<&str> = found.conventions.iter().map(|convention| convention.name()).collect();
    if !used.is_empty() {
        writeln!(out, "  {QUIET}conventions{QUIET:#}  {}", used.join(", "))?;
    }
    Ok(())
}
