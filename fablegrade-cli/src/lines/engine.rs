//! Answers lines on several threads, in order and in bounded memory.

use std::io::{self, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::blocks::{Block, Blocks};
use super::envelope::{internal_error, too_long, write_error};
use super::identify::identify;
use super::parallel::{Halted, Pipeline, Take};
use crate::exit::Failure;

/// Answers lines. Each thread has one instance.
pub(crate) trait Answer: Send {
    /// Appends the answer to one line, or nothing, without a line feed. `number` counts from 1; the line is
    /// not blank.
    fn answer(&mut self, number: u64, line: &[u8], out: &mut String, tally: &mut Tally);

    /// Appends the answer to a line over the limit. `head` is its beginning.
    fn too_long(&mut self, number: u64, head: &[u8], length: u64, out: &mut String, tally: &mut Tally) {
        tally.refused += 1;
        write_error(identify(head), number, &too_long(length), out);
    }

    /// Appends the answer to a line that caused a panic. This is a bug, but the other lines are still
    /// answered.
    fn panicked(&mut self, number: u64, line: &[u8], out: &mut String, tally: &mut Tally) {
        tally.refused += 1;
        write_error(identify(line), number, &internal_error(), out);
    }
}

/// Counts of answered lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// The number of lines, without blank lines.
    pub(crate) lines: u64,
    /// The number of lines that were answered with an error.
    pub(crate) refused: u64,
    /// The number of lines per verdict, in the order correct, partial, incorrect, pending, error.
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

/// The reason why lines could not be answered.
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

/// Receives the progress: the counts so far, and the number of input bytes that are processed.
type Watch = Box<dyn FnMut(&Tally, u64) + Send>;

/// The destination of answers and of the progress.
pub(crate) struct Sink {
    /// The destination of answers.
    pub(crate) output: Box<dyn Write + Send>,
    /// If `true`, each answer is flushed. Only a run with a single job does this.
    pub(crate) unbuffered: bool,
    /// Called after each block.
    pub(crate) watch: Watch,
}

/// Answers all lines of `blocks` in order.
pub(crate) fn run<R, A>(
    mut blocks: Blocks<R>,
    mut sink: Sink,
    jobs: usize,
    make: Arc<dyn Fn() -> A + Send + Sync>,
) -> Result<Tally, Stopped>
where
    R: Read + Send + 'static,
    A: Answer + 'static,
{
    if jobs > 1 {
        return run_parallel(blocks, sink, jobs, &make);
    }
    let mut worker = Worker { answer: make(), make };
    let (mut block, mut out, mut sum) = (Block::default(), String::new(), Tally::default());
    while blocks.next(&mut block).map_err(Stopped::Read)? {
        out.clear();
        let mut tally = Tally::default();
        if sink.unbuffered {
            let output = &mut *sink.output;
            worker.answer_block(&block, &mut out, &mut tally, |out| {
                let written = output.write_all(out.as_bytes()).and_then(|()| output.flush());
                out.clear();
                written
            })
        } else {
            worker
                .answer_block(&block, &mut out, &mut tally, |_| Ok(()))
                .and_then(|()| sink.output.write_all(out.as_bytes()))
        }
        .map_err(Stopped::Write)?;
        sum.add(&tally);
        (sink.watch)(&sum, block.end);
    }
    sink.output.flush().map_err(Stopped::Write)?;
    Ok(sum)
}

/// The state of one thread.
struct Worker<A> {
    answer: A,
    make: Arc<dyn Fn() -> A + Send + Sync>,
}

impl<A: Answer> Worker<A> {
    fn answer_block(
        &mut self,
        block: &Block,
        out: &mut String,
        tally: &mut Tally,
        mut answered: impl FnMut(&mut String) -> io::Result<()>,
    ) -> io::Result<()> {
        if let Some(length) = block.too_long {
            tally.lines += 1;
            self.answer.too_long(block.first_line, block.bytes(), length, out, tally);
            out.push('\n');
            return answered(out);
        }
        let mut number = block.first_line;
        let mut rest = block.bytes();
        while !rest.is_empty() {
            let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            let line = &rest[..end];
            if !is_blank(line) {
                tally.lines += 1;
                let before = out.len();
                self.answer_line(number, line, out, tally);
                // An empty answer does not become a line.
                if out.len() > before {
                    out.push('\n');
                }
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
            self.answer.panicked(number, line, out, tally);
        }
    }
}

/// Answers lines on `jobs` threads, and waits for the end.
///
/// The threads are detached, so the caller does not wait for a thread that is blocked in a read if the output
/// fails.
fn run_parallel<R, A>(
    blocks: Blocks<R>,
    sink: Sink,
    jobs: usize,
    make: &Arc<dyn Fn() -> A + Send + Sync>,
) -> Result<Tally, Stopped>
where
    R: Read + Send + 'static,
    A: Answer + 'static,
{
    let pipeline = Arc::new(Pipeline::new(blocks, jobs, Written { sink, sum: Tally::default() }));
    for number in 0..jobs {
        let mut worker = Worker { answer: make(), make: Arc::clone(make) };
        let pipeline = Arc::clone(&pipeline);
        std::thread::spawn(move || {
            pipeline.work(number, move |block, (out, tally): &mut (String, Tally)| {
                out.clear();
                if out.capacity() > 4 << 20 {
                    out.shrink_to(1 << 20);
                }
                *tally = Tally::default();
                // This callback cannot fail.
                let _ = worker.answer_block(block, out, tally, |_| Ok(()));
            });
        });
    }
    let mut written = pipeline.wait().map_err(|halted| match halted {
        Halted::Input(error) => Stopped::Read(error),
        Halted::Taker(error) => Stopped::Write(error),
    })?;
    written.sink.output.flush().map_err(Stopped::Write)?;
    Ok(written.sum)
}

/// Writes the answers of blocks, and adds up their counts.
struct Written {
    sink: Sink,
    sum: Tally,
}

impl Take<(String, Tally)> for Written {
    type Error = io::Error;

    fn take(&mut self, block: &Block, (out, tally): &mut (String, Tally), is_last: bool) -> io::Result<()> {
        self.sink.output.write_all(out.as_bytes())?;
        self.sum.add(tally);
        (self.sink.watch)(&self.sum, block.end);
        // The next answers are not ready, so a reader may be waiting for these.
        if is_last { self.sink.output.flush() } else { Ok(()) }
    }
}

impl Stopped {
    /// Converts the reason to a failure. `input` is the name of the input; the output is standard output.
    pub(crate) fn about(self, input: &str) -> Failure {
        match self {
            Self::Read(error) => Failure::Io(format!("cannot read {input}"), error),
            Self::Write(error) => Failure::write(error),
        }
    }
}
