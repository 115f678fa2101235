//! `fablegrade batch`: grades many submissions (JSON Lines).

use std::io::{self, IsTerminal as _, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use fablegrade_core::bank::Bank;
use fablegrade_core::json::{Limits, Tape};
use fablegrade_core::repeated::{Head, Repeated};
use fablegrade_core::{AnswerSpec, Findings, Grader, Verdict};

use fablegrade_validators::registry::host;

use crate::bank;
use crate::console::Console;
use crate::exit::{Exit, Failure};
use crate::folder::is_json;
use crate::input;
use crate::lines::{
    Answer, Blocks, LineOptions, Sink, Tally, identify, open, run, write_error, write_error_fields,
};
use crate::output::OutputFile;
use crate::progress::{Progress, write_summary};
use crate::same_file::keep_inputs;
use crate::validators::Validators;
use fablegrade_core::graders::Graders;
use fablegrade_core::request::{Answer as Given, Request};

/// Grade many submissions (JSON Lines)
///
/// Reads `{id, spec, sitting?, submission | attempt, outcomes?, context?}` and writes `{id, result}`, in the order of
/// the lines. With `--bank`, a line gives the id of its question as `item` instead of the question as `spec`, and each
/// question is compiled once. For a line that cannot be graded, the command writes `{id, error: {kind, findings},
/// line}` and continues; blank lines are skipped.
#[derive(Args)]
pub(crate) struct Command {
    /// JSON Lines to grade (`-` for standard input); if omitted, piped standard input is read
    file: Option<PathBuf>,
    /// Item bank: JSON Lines of {item, spec}, or a folder with one spec per file (the item id is its path
    /// without .json)
    #[arg(long, value_name = "FILE|DIR")]
    bank: Option<PathBuf>,
    /// For `analyse`: keep `item`, `sitting` and `submission` of each line in its result, and the learner's time in
    /// seconds as `seconds`; needs --bank
    #[arg(long, requires = "bank")]
    keep: bool,
    /// Write the results to this file; an existing file needs --resume or --overwrite
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Continue after the last complete line of the output file
    #[arg(long, requires = "output", conflicts_with = "overwrite")]
    resume: bool,
    /// Replace the output file
    #[arg(long, requires = "output")]
    overwrite: bool,
    /// At the end, print the number of results per verdict to standard error
    #[arg(long)]
    summary: bool,
    #[command(flatten)]
    lines: LineOptions,
    #[command(flatten)]
    validators: Validators,
}

impl Command {
    pub(crate) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let from_stdin = self.lines.reads_lines(self.file.is_some(), "a file (`-` for standard input)")?;
        self.validators.register()?;
        let stdin = PathBuf::from("-");
        let path = self.file.as_ref().filter(|_| !from_stdin).unwrap_or(&stdin);
        input::at_most_one_stdin([path].into_iter().chain(&self.bank).map(PathBuf::as_path))?;
        let inputs = [path].into_iter().chain(&self.bank).map(PathBuf::as_path);
        keep_inputs(self.output.as_deref(), inputs, is_json)?;
        // Loaded before the output is opened, so an invalid bank leaves an existing file unchanged.
        let bank = self.bank.as_deref().map(bank::load).transpose()?.map(Arc::new);
        let input::Stream { reader, name, length } = input::open(path)?;
        let mut blocks = Blocks::new(reader);
        let file = match &self.output {
            None => None,
            Some(path) if self.resume => Some(OutputFile::resume(path, &mut blocks, &name)?),
            Some(path) => {
                let advice = "continue it with --resume or replace it with --overwrite";
                Some(OutputFile::create(path, self.overwrite, advice)?)
            }
        };
        let jobs = self.lines.jobs();
        let keep = self.keep;
        let make = Arc::new(move || Grading {
            tape: Tape::default(),
            keep,
            repeated: Repeated::within(REMEMBERED / jobs),
            questions: match &bank {
                Some(bank) => Questions::Bank(Arc::clone(bank)),
                None => Questions::Inline(Graders::with_host(jobs, &host())),
            },
        });
        // A progress bar would disturb results on the same terminal.
        let watched = !console.is_quiet()
            && io::stderr().is_terminal()
            && (self.output.is_some() || !io::stdout().is_terminal());
        let answered_before = file.as_ref().map_or(0, |file| file.answered);
        let progress = watched.then(|| Progress::new("grading", length, answered_before, blocks.position()));
        let output: Box<dyn Write + Send> = match &file {
            Some(file) => Box::new(file.writer()?),
            None => Box::new(io::stdout()),
        };
        let mut told = progress.clone();
        let watch = move |tally: &Tally, end: u64| {
            if let Some(progress) = &mut told {
                progress.tell(tally, end);
            }
        };
        let sink = Sink { output, unbuffered: self.lines.unbuffered, watch: Box::new(watch) };
        let outcome = run(blocks, sink, jobs, make);
        let elapsed = progress.map(Progress::finish);
        let tally = outcome.map_err(|stopped| OutputFile::stopped(file.as_ref(), stopped, &name))?;
        if let Some(file) = &file {
            file.finish()?;
        }
        if self.summary || console.is_verbose() || elapsed.is_some() {
            write_summary(&mut console.err, &tally, answered_before, elapsed)?;
        }
        Ok(if tally.refused == 0 { Exit::Done } else { Exit::Negative })
    }
}

/// Grades the lines of one thread.
struct Grading {
    tape: Tape,
    /// Whether fields of a line are kept in its result.
    keep: bool,
    questions: Questions,
    repeated: Repeated<Remembered>,
}

/// The source of the questions.
enum Questions {
    /// Each line contains its question.
    Inline(Graders),
    /// A bank that all threads share.
    Bank(Arc<Bank>),
}

/// The remembered result of a line.
struct Remembered {
    verdict: Verdict,
    /// The end of the answer, after `item` and `sitting`: the other kept fields, and the result.
    text: Box<str>,
}

/// The memory for the remembered lines of all threads together, in bytes.
const REMEMBERED: usize = 16 << 20;
/// Maximum length, in bytes, of a line whose tape is reused.
const LONG: usize = 1 << 20;

impl Answer for Grading {
    fn answer(&mut self, number: u64, line: &[u8], out: &mut String, tally: &mut Tally) {
        let head = Head::of(line);
        if let Some(head) = &head
            && let Some(remembered) = self.repeated.get(head)
        {
            open(head.id, out);
            if self.keep {
                for (name, value) in [(",\"item\":", head.item), (",\"sitting\":", head.sitting)] {
                    if let Some(value) = value {
                        out.push_str(name);
                        out.push_str(value);
                    }
                }
            }
            out.push_str(&remembered.text);
            tally.verdicts[remembered.verdict as usize] += 1;
            return;
        }
        let graded = self.grade(number, line, head.as_ref(), out, tally);
        if let (Some(head), Some((verdict, from))) = (&head, graded)
            && self.repeated.is_again(head)
        {
            let text: Box<str> = out[from..].into();
            let size = text.len();
            self.repeated.learn(head, Remembered { verdict, text }, size);
        }
    }
}

impl Grading {
    /// Reads and grades a line.
    ///
    /// If the answer can be remembered, returns the verdict and the position in `out` after `item` and
    /// `sitting`.
    fn grade(
        &mut self,
        number: u64,
        line: &[u8],
        head: Option<&Head<'_>>,
        out: &mut String,
        tally: &mut Tally,
    ) -> Option<(Verdict, usize)> {
        let (questions, keep) = (&mut self.questions, self.keep);
        let read = self.tape.with(line, Limits::default(), |value| {
            let mut findings = Findings::new();
            // A validator of the host may judge the same answer differently next time.
            let mut lasting = false;
            let grade = |answer: &Given, grader: &Grader| {
                lasting = !matches!(grader.spec(), AnswerSpec::Widget(_));
                answer.grade(grader)
            };
            let (request, graded) = match questions {
                Questions::Inline(graders) => {
                    let request = Request::split(value, &mut findings);
                    (request, request.grade_with(graders, findings, grade))
                }
                Questions::Bank(bank) => {
                    let request = Request::split_item(value, &mut findings);
                    (request, request.grade_from(bank, findings, grade))
                }
            };
            open(request.id.map(|id| id.text()), out);
            let mut from = out.len();
            if keep {
                for (name, value) in request.kept() {
                    out.push_str(",\"");
                    out.push_str(name);
                    out.push_str("\":");
                    out.push_str(value.text());
                    if matches!(name, "item" | "sitting") {
                        // An `item` or `sitting` in the middle of the line is not in the head, so it would be
                        // missing from a repeated answer.
                        let of_head =
                            head.and_then(|head| if name == "item" { head.item } else { head.sitting });
                        lasting &= of_head.is_some();
                        from = out.len();
                    }
                }
            }
            match graded {
                Ok(result) => {
                    tally.verdicts[result.verdict as usize] += 1;
                    out.push_str(",\"result\":");
                    result.write_json(out);
                    out.push('}');
                    lasting.then_some((result.verdict, from))
                }
                Err(error) => {
                    tally.refused += 1;
                    write_error_fields(number, &error, out);
                    None
                }
            }
        });
        if line.len() > LONG {
            self.tape = Tape::default();
        }
        read.unwrap_or_else(|error| {
            tally.refused += 1;
            write_error(identify(line), number, &error, out);
            None
        })
    }
}

// The tally's array is indexed by verdicts in their order of declaration.
const _: () = assert!(Verdict::Correct as usize == 0 && Verdict::Error as usize == 4);
