//! JSON lines in, JSON lines out: in order, in bounded memory, on any number of threads.
//!
//! Simple modes call [`serve`] with a function from a line's object to the fields of its answer; modes with state of
//! their own implement [`Answer`] and call [`run`]. Blank lines are skipped; every other line gets one answer line.

mod blocks;
mod identify;

use std::io::{self, IsTerminal as _, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path as FilePath;
use std::sync::Arc;

use clap::Args;
use crossbeam_channel::{Receiver, Sender, bounded};
use fablegrade_core::json::{Json, Limits, Object, Path, Tape};
use fablegrade_core::{Error, ErrorKind, Finding, Findings};

pub(crate) use blocks::{Block, Blocks, LINE_LIMIT};
pub(crate) use identify::identify;

use crate::console::Console;
use crate::exit::{Exit, Failure};
use crate::input;

/// The options that all line modes share.
#[derive(Args, Clone)]
pub(crate) struct LineOptions {
    /// How many lines to work on at the same time (default: one for each core)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// Answer each line before reading the next, one at a time
    #[arg(long, conflicts_with = "jobs")]
    pub(crate) unbuffered: bool,
}

impl LineOptions {
    /// How many threads answer.
    pub(crate) fn jobs(&self) -> usize {
        match self.jobs {
            _ if self.unbuffered => 1,
            Some(jobs) => usize::from(jobs),
            None => std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

/// Answers lines; one for each thread.
pub(crate) trait Answer: Send {
    /// Appends the answer to one line, without a line feed. `number` counts from 1; the line is not blank.
    fn answer(&mut self, number: u64, line: &[u8], out: &mut String, tally: &mut Tally);

    /// Appends the answer to a line that is over the limit; `head` is its beginning.
    fn too_long(&mut self, number: u64, head: &[u8], length: u64, out: &mut String, tally: &mut Tally) {
        tally.refused += 1;
        write_refusal(identify(head), number, &too_long(length), out);
    }

    /// Appends the answer to a line that made this program fail: a defect, but no reason to lose the other lines.
    fn defect(&mut self, number: u64, line: &[u8], out: &mut String, tally: &mut Tally) {
        tally.refused += 1;
        write_refusal(identify(line), number, &defect(), out);
    }
}

/// What became of the lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Lines that were answered.
    pub(crate) lines: u64,
    /// Lines that were answered with an error.
    pub(crate) refused: u64,
    /// Verdicts in the order correct, partial, incorrect, pending, error.
    pub(crate) verdicts: [u64; 5],
}

impl Tally {
    fn add(&mut self, other: &Self) {
        self.lines += other.lines;
        self.refused += other.refused;
        for (sum, more) in self.verdicts.iter_mut().zip(other.verdicts) {
            *sum += more;
        }
    }
}

/// The error of a line over the limit.
pub(crate) fn too_long(length: u64) -> Error {
    Error::single(
        ErrorKind::Json,
        Finding::error(
            "line-too-long",
            "",
            format!("the line has {length} bytes, more than the limit of {LINE_LIMIT}"),
            "split the document or send it by itself",
        ),
    )
}

/// The error of a line that made this program fail.
pub(crate) fn defect() -> Error {
    Error::single(
        ErrorKind::Json,
        Finding::error("defect", "", "this line made the program fail", "please report the line as a defect"),
    )
}

/// Appends `{"id":..,"error":{..},"line":..}`; an id that could not be read is `null`.
pub(crate) fn write_refusal(id: Option<&str>, number: u64, error: &Error, out: &mut String) {
    out.push_str("{\"id\":");
    out.push_str(id.unwrap_or("null"));
    out.push_str(",\"error\":");
    error.write_json(out);
    out.push_str(",\"line\":");
    out.push_str(&number.to_string());
    out.push('}');
}

/// Why lines could not be answered.
#[derive(Debug)]
pub(crate) enum Stopped {
    /// The input failed.
    Read(io::Error),
    /// The output failed.
    Write(io::Error),
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}

/// Where answers go and who watches.
pub(crate) struct Sink<'a> {
    /// Where answers go.
    pub(crate) output: &'a mut dyn Write,
    /// Whether every single answer is flushed.
    pub(crate) unbuffered: bool,
    /// Is told the sums so far, and how many bytes of the input are answered.
    pub(crate) watch: &'a mut dyn FnMut(&Tally, u64),
}

/// Answers all lines of `input` in order.
pub(crate) fn run<R, A>(
    mut blocks: Blocks<R>,
    sink: Sink<'_>,
    jobs: usize,
    make: Arc<dyn Fn() -> A + Send + Sync>,
) -> Result<Tally, Stopped>
where
    R: Read + Send + 'static,
    A: Answer + 'static,
{
    if jobs > 1 {
        return run_parallel(blocks, sink, jobs, make);
    }
    let mut desk = Desk { answer: make(), make };
    let (mut block, mut out, mut sum) = (Block::default(), String::new(), Tally::default());
    while blocks.next(&mut block).map_err(Stopped::Read)? {
        out.clear();
        let mut tally = Tally::default();
        if sink.unbuffered {
            let output = &mut *sink.output;
            desk.answer_block(&block, &mut out, &mut tally, |out| {
                let written = output.write_all(out.as_bytes()).and_then(|()| output.flush());
                out.clear();
                written
            })
        } else {
            desk.answer_block(&block, &mut out, &mut tally, |_| Ok(()))
                .and_then(|()| sink.output.write_all(out.as_bytes()))
        }
        .map_err(Stopped::Write)?;
        sum.add(&tally);
        (sink.watch)(&sum, block.end);
    }
    sink.output.flush().map_err(Stopped::Write)?;
    Ok(sum)
}

/// One thread's place of work.
struct Desk<A> {
    answer: A,
    make: Arc<dyn Fn() -> A + Send + Sync>,
}

impl<A: Answer> Desk<A> {
    fn answer_block(
        &mut self,
        block: &Block,
        out: &mut String,
        tally: &mut Tally,
        mut answered: impl FnMut(&mut String) -> io::Result<()>,
    ) -> io::Result<()> {
        if let Some(length) = block.too_long {
            tally.lines += 1;
            self.answer.too_long(block.first_line, &block.bytes, length, out, tally);
            out.push('\n');
            return answered(out);
        }
        let mut number = block.first_line;
        let mut rest = &block.bytes[..];
        while !rest.is_empty() {
            let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            let line = &rest[..end];
            if !is_blank(line) {
                tally.lines += 1;
                self.answer_line(number, line, out, tally);
                out.push('\n');
                answered(out)?;
            }
            number += 1;
            rest = rest.get(end + 1..).unwrap_or_default();
        }
        Ok(())
    }

    fn answer_line(&mut self, number: u64, line: &[u8], out: &mut String, tally: &mut Tally) {
        let (mark, before) = (out.len(), *tally);
        let answer = &mut self.answer;
        if catch_unwind(AssertUnwindSafe(|| answer.answer(number, line, out, tally))).is_err() {
            out.truncate(mark);
            *tally = before;
            self.answer = (self.make)();
            self.answer.defect(number, line, out, tally);
        }
    }
}

/// A block on its way through the threads.
struct Job {
    sequence: usize,
    block: Block,
    out: String,
    tally: Tally,
}

enum Message {
    Answered(Job),
    Failed(io::Error),
}

/// A fixed number of jobs circulates: reader, any desk, writer (which restores the order), reader.
///
/// The threads are detached: when the output fails nobody waits for a reader that hangs in a read.
fn run_parallel<R, A>(
    blocks: Blocks<R>,
    sink: Sink<'_>,
    jobs: usize,
    make: Arc<dyn Fn() -> A + Send + Sync>,
) -> Result<Tally, Stopped>
where
    R: Read + Send + 'static,
    A: Answer + 'static,
{
    let circulating = 2 * jobs + 2;
    let (free, free_jobs) = bounded(circulating);
    let (work, work_jobs) = bounded(circulating);
    let (done, done_jobs) = bounded(circulating + 1);
    for _ in 0..circulating {
        let job = Job { sequence: 0, block: Block::default(), out: String::new(), tally: Tally::default() };
        let _ = free.send(job);
    }
    for _ in 0..jobs {
        let (work_jobs, done, make) = (work_jobs.clone(), done.clone(), Arc::clone(&make));
        std::thread::spawn(move || answer_jobs(&work_jobs, &done, make));
    }
    std::thread::spawn(move || read_jobs(blocks, &free_jobs, &work, &done));

    let mut waiting: Vec<Option<Job>> = Vec::new();
    waiting.resize_with(circulating, || None);
    let (mut next, mut sum) = (0, Tally::default());
    for message in &done_jobs {
        match message {
            Message::Failed(error) => return Err(Stopped::Read(error)),
            Message::Answered(job) => {
                let place = job.sequence % circulating;
                waiting[place] = Some(job);
            }
        }
        while let Some(job) = waiting[next % circulating].take() {
            sink.output.write_all(job.out.as_bytes()).map_err(Stopped::Write)?;
            sum.add(&job.tally);
            (sink.watch)(&sum, job.block.end);
            next += 1;
            // The reader may have come to the end.
            let _ = free.send(job);
        }
        if done_jobs.is_empty() {
            sink.output.flush().map_err(Stopped::Write)?;
        }
    }
    sink.output.flush().map_err(Stopped::Write)?;
    Ok(sum)
}

fn read_jobs<R: Read>(
    mut blocks: Blocks<R>,
    free: &Receiver<Job>,
    work: &Sender<Job>,
    done: &Sender<Message>,
) {
    for (sequence, mut job) in free.iter().enumerate() {
        job.sequence = sequence;
        match blocks.next(&mut job.block) {
            Ok(true) if work.send(job).is_ok() => {}
            Ok(_) => return,
            Err(error) => {
                let _ = done.send(Message::Failed(error));
                return;
            }
        }
    }
}

fn answer_jobs<A: Answer>(
    work: &Receiver<Job>,
    done: &Sender<Message>,
    make: Arc<dyn Fn() -> A + Send + Sync>,
) {
    let mut desk = Desk { answer: make(), make };
    for mut job in work {
        job.out.clear();
        if job.out.capacity() > 4 << 20 {
            job.out.shrink_to(1 << 20);
        }
        job.tally = Tally::default();
        // The writer of this closure cannot fail.
        let _ = desk.answer_block(&job.block, &mut job.out, &mut job.tally, |_| Ok(()));
        if done.send(Message::Answered(job)).is_err() {
            return;
        }
    }
}

/// The answer to a line: an object whose fields follow the id, or why there is none.
pub(crate) type Reply = Result<Json, Error>;

/// Answers by a function from the line's object to the fields of the answer.
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
            Ok(reply) => {
                out.push_str("{\"id\":");
                out.push_str(id.as_deref().unwrap_or("null"));
                for (key, value) in reply.as_object().unwrap_or_default() {
                    out.push(',');
                    fablegrade_core::json::write_json_string(key, out);
                    out.push(':');
                    value.write(out);
                }
                out.push('}');
            }
            Err(error) => {
                tally.refused += 1;
                write_refusal(id.as_deref().or_else(|| identify(line)), number, &error, out);
            }
        }
    }
}

/// A line mode from `path` (`-` is standard input) to standard output.
///
/// `respond` takes the fields it knows from the line's object (the id is taken already; fields that nobody takes are
/// errors) and returns the fields of the answer, an error, or `None` after it has pushed findings.
pub(crate) fn serve<F>(
    console: &mut Console,
    path: &FilePath,
    options: &LineOptions,
    respond: F,
) -> Result<Exit, Failure>
where
    F: Fn(&mut Object<'_, '_, '_>) -> Option<Reply> + Send + Sync + 'static,
{
    let respond = Arc::new(respond);
    serve_with(
        console,
        path,
        options,
        Arc::new(move || Each { respond: Arc::clone(&respond), tape: Tape::default() }),
    )
}

/// As [`serve`] for a mode with its own [`Answer`].
pub(crate) fn serve_with<A: Answer + 'static>(
    console: &mut Console,
    path: &FilePath,
    options: &LineOptions,
    make: Arc<dyn Fn() -> A + Send + Sync>,
) -> Result<Exit, Failure> {
    let input::Stream { reader, name, .. } = input::open(path)?;
    remark_on_terminal(console, path);
    let mut output = io::stdout();
    let sink = Sink { output: &mut output, unbuffered: options.unbuffered, watch: &mut |_, _| {} };
    let tally =
        run(Blocks::new(reader), sink, options.jobs(), make).map_err(|stopped| stopped.about(&name))?;
    Ok(if tally.refused == 0 { Exit::Done } else { Exit::Refused })
}

/// Tells somebody who sits before a silent prompt what is awaited.
pub(crate) fn remark_on_terminal(console: &mut Console, path: &FilePath) {
    if input::is_stdin(path) && io::stdin().is_terminal() {
        let _ = writeln!(console.err, "reading JSON lines from the terminal; Ctrl-D ends the input");
    }
}

impl Stopped {
    /// The failure, for an input of this name and standard output.
    pub(crate) fn about(self, input: &str) -> Failure {
        match self {
            Self::Read(error) => Failure::Io(format!("cannot read {input}"), error),
            Self::Write(error) => Failure::write(error),
        }
    }
}
