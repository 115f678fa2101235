//! Processes JSON Lines from standard input to standard output, in order and in bounded memory.
//!
//! A command flattens [`LineOptions`] into its arguments, and calls [`LineOptions::reads_lines`] to decide whether
//! it reads lines. Then it calls [`serve`] with a function from a line's object to the fields of its result.
//! Commands with additional state implement [`Answer`] and call [`serve_with`]. Blank lines are skipped.

mod blocks;
mod bytes;
mod engine;
mod envelope;
mod identify;
pub(crate) mod parallel;

use std::io::{self, IsTerminal as _};
use std::path::Path as FilePath;
use std::sync::Arc;

use clap::Args;
use clap::builder::RangedI64ValueParser;
use fablegrade_core::json::{Json, Limits, Object, Path, Tape};
use fablegrade_core::{Error, ErrorKind, Findings};

pub(crate) use blocks::{Block, Blocks, MARK};
pub(crate) use bytes::Encoding;
pub(crate) use engine::{Answer, Sink, Stopped, Tally, run};
pub(crate) use envelope::{open, too_long, write_answer, write_error, write_error_fields};
pub(crate) use identify::identify;

use crate::exit::{Exit, Failure};
use crate::input;

/// Returns the parser for `--jobs`, which all commands share.
pub(crate) fn job_count() -> RangedI64ValueParser<u16> {
    RangedI64ValueParser::new().range(1..=1024)
}

/// The options of every command that reads JSON Lines.
#[derive(Args, Clone)]
#[group(skip)]
#[command(next_help_heading = "JSON Lines")]
pub(crate) struct LineOptions {
    /// Read JSON Lines from standard input, even if it is a terminal
    #[arg(long)]
    pub(crate) jsonl: bool,
    /// Process N lines at a time [default: one per core]
    #[arg(long, alias = "parallel", value_name = "N", value_parser = job_count())]
    pub(crate) jobs: Option<u16>,
    /// Write the result of each line before processing the next
    #[arg(long, conflicts_with = "jobs")]
    pub(crate) unbuffered: bool,
}

impl LineOptions {
    /// Returns the number of worker threads.
    pub(crate) fn jobs(&self) -> usize {
        match self.jobs {
            _ if self.unbuffered => 1,
            Some(jobs) => usize::from(jobs),
            None => std::thread::available_parallelism().map_or(1, usize::from),
        }
    }

    /// Returns whether to read JSON Lines.
    ///
    /// They are read with `--jsonl`, or if no document is given and standard input is not a terminal.
    ///
    /// # Errors
    /// Returns a usage error if there is nothing to read, or if `--jsonl` is given together with documents. The
    /// message contains `arguments`, the document arguments of the command.
    pub(crate) fn reads_lines(&self, documents_named: bool, arguments: &str) -> Result<bool, Failure> {
        match (self.jsonl, documents_named) {
            (true, true) => Err(Failure::Usage(format!(
                "`--jsonl` reads standard input; give it or {arguments}, not both"
            ))),
            (true, false) => Ok(true),
            (false, true) => Ok(false),
            (false, false) if io::stdin().is_terminal() => Err(Failure::Usage(format!(
                "no input: give {arguments}, or send JSON Lines on standard input (`--jsonl` reads them from the terminal)"
            ))),
            (false, false) => Ok(true),
        }
    }
}

/// The result of a line: an object whose fields follow the id, or an error.
pub(crate) type Reply = Result<Json, Error>;

/// Answers lines with a function from a line's object to the fields of the result.
struct Each<F> {
    respond: Arc<F>,
    tape: Tape,
}

impl<F> Answer for Each<F>
where
    F: Fn(&mut Object<'_, '_, '_>) -> Option<Reply> + Send + Sync,
{
    fn answer(&mut self, number: u64, line: &[u8], out: &mut String, tally: &mut Tally) {
        let mut id = None;
        let respond = &self.respond;
        let reply = self.tape.with(line, Limits::default(), |value| {
            id = value.get("id").map(|id| id.text().to_owned());
            let mut findings = Findings::new();
            let reply = Object::open(value, &Path::Root, &mut findings).and_then(|mut object| {
                object.take("id");
                let reply = respond(&mut object);
                object.close();
                reply
            });
            match reply {
                Some(reply) if findings.errors() == 0 => reply,
                _ => Err(Error::new(ErrorKind::Schema, findings)),
            }
        });
        match reply.and_then(|reply| reply) {
            Ok(reply) => write_answer(id.as_deref(), &reply, out),
            Err(error) => {
                tally.refused += 1;
                write_error(id.as_deref().or_else(|| identify(line)), number, &error, out);
            }
        }
    }
}

/// Reads JSON Lines from standard input and writes their results to standard output.
///
/// `respond` takes the fields that it knows from the line's object. The id is already taken, and remaining
/// fields are errors. It returns the fields of the result, an error, or `None` after it has pushed findings.
pub(crate) fn serve<F>(options: &LineOptions, respond: F) -> Result<Exit, Failure>
where
    F: Fn(&mut Object<'_, '_, '_>) -> Option<Reply> + Send + Sync + 'static,
{
    let respond = Arc::new(respond);
    serve_with(options, Arc::new(move || Each { respond: Arc::clone(&respond), tape: Tape::default() }))
}

/// Works like [`serve`], for a command with its own [`Answer`].
pub(crate) fn serve_with<A: Answer + 'static>(
    options: &LineOptions,
    make: Arc<dyn Fn() -> A + Send + Sync>,
) -> Result<Exit, Failure> {
    let input::Stream { reader, name, .. } = input::open(FilePath::new("-"))?;
    let sink =
        Sink { output: Box::new(io::stdout()), unbuffered: options.unbuffered, watch: Box::new(|_, _| {}) };
    let tally =
        run(Blocks::new(reader), sink, options.jobs(), make).map_err(|stopped| stopped.about(&name))?;
    Ok(if tally.refused == 0 { Exit::Done } else { Exit::Negative })
}
