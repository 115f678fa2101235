//! `fablegrade kattis compare`: the default output validator.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use fablegrade_core::json::{Json, Object, Path, Value};
use fablegrade_core::{Error, ErrorKind, Finding, Findings};
use fablegrade_kattis::Version;
use fablegrade_kattis::default_validator::Comparison;

use crate::console::{BAD, Console, GOOD, plain};
use crate::exit::{Exit, Failure};
use crate::input;
use crate::lines::{Encoding, LineOptions, Reply, serve};

/// Compare an output with the answer, as the default output validator does
///
/// JSON Lines: reads `{id, flags?, answer, output, enc?}` and writes `{id, accept, message?}`. `flags` is a string or a
/// list of strings. With "enc":"base64", `answer` and `output` are bytes in base64.
#[derive(Args)]
pub(super) struct Compare {
    /// Answer file
    #[arg(requires = "output")]
    answer: Option<PathBuf>,
    /// Output file (`-` for standard input)
    output: Option<PathBuf>,
    /// Arguments of the validator, such as `float_tolerance 1e-6`
    flags: Vec<String>,
    /// Version of the format, which decides what counts as a number
    #[arg(long, value_name = "VERSION", value_enum, default_value_t = Format::Current)]
    format: Format,
    /// Print JSON
    #[arg(long, requires = "answer")]
    json: bool,
    #[command(flatten)]
    lines: LineOptions,
}

#[derive(Clone, Copy, clap::ValueEnum)]
pub(super) enum Format {
    #[value(name = "2025-09")]
    Current,
    Legacy,
}

impl Format {
    fn version(self) -> Version {
        match self {
            Self::Current => Version::V2025_09,
            Self::Legacy => Version::Legacy,
        }
    }
}

impl Compare {
    pub(super) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let version = self.format.version();
        let lines = self.lines.reads_lines(self.answer.is_some(), "an answer and an output")?;
        let (false, Some(answer), Some(output)) = (lines, &self.answer, &self.output) else {
            return serve(&self.lines, move |line| respond(line, version));
        };
        let comparison = read(&self.flags, version, "/flags")
            .map_err(|error| Failure::Usage(format!("invalid flags: {}", error.findings()[0])))?;
        input::at_most_one_stdin([answer.as_path(), output])?;
        let (answer, output) = (input::read_raw(answer)?, input::read_raw(output)?);
        let difference = comparison.compare(&answer, &output).err();
        if self.json {
            let answer = Json::build().with("accept", difference.is_none());
            let answer = answer.with_some("message", difference.as_ref().map(ToString::to_string));
            writeln!(console.out, "{}", answer.build())?;
        } else if let Some(difference) = &difference {
            writeln!(console.out, "{BAD}differs{BAD:#}   {}", plain(&difference.to_string()))?;
        } else {
            writeln!(console.out, "{GOOD}accepted{GOOD:#}")?;
        }
        Ok(if difference.is_none() { Exit::Done } else { Exit::Negative })
    }
}

fn read(flags: &[String], version: Version, pointer: &str) -> Result<Comparison, Error> {
    Comparison::from_args(flags, version).map_err(|error| {
        let finding = Finding::error("validator-flags", pointer, error.to_string(), error.help());
        Error::single(ErrorKind::Spec, finding)
    })
}

fn respond(line: &mut Object<'_, '_, '_>, version: Version) -> Option<Reply> {
    let flags = line.defaulted("flags", Vec::new(), flags);
    let encoding = Encoding::take(line);
    let bytes =
        |value: Value<'_>, at: &Path<'_>, findings: &mut Findings| encoding.bytes(value, at, findings);
    let answer = line.required("answer", bytes);
    let output = line.required("output", bytes);
    let (flags, answer, output) = (flags?, answer?, output?);
    Some(read(&flags, version, "/flags").map(|comparison| {
        let difference = comparison.compare(&answer, &output).err();
        let reply = Json::build().with("accept", difference.is_none());
        reply.with_some("message", difference.map(|difference| difference.to_string())).build()
    }))
}

/// Reads flags from a string of words, or from a list of strings.
fn flags(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Vec<String>> {
    if let Some(text) = value.str() {
        return Some(text.split_whitespace().map(str::to_owned).collect());
    }
    fablegrade_core::json::list(0, 100, fablegrade_core::json::string(0, 1_000))(value, at, findings)
}
