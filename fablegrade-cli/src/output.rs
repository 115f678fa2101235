//! The output file of `batch` and `regrade`. `batch` can continue it after the process was killed.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek as _, SeekFrom};
use std::path::Path;

use fablegrade_core::json::{Limits, Tape};

use crate::exit::Failure;
use crate::lines::{Block, Blocks, Stopped, identify};

/// An output file that is being written.
pub(crate) struct OutputFile {
    /// The file, positioned at the place of the next answer.
    file: File,
    name: String,
    /// The number of answers that were in the file before this run.
    pub(crate) answered: u64,
}

impl OutputFile {
    /// Creates an output file. A file that is not empty is replaced only with `overwrite`; otherwise, the error says
    /// what to do instead, in the words of `advice`.
    pub(crate) fn create(path: &Path, overwrite: bool, advice: &str) -> Result<Self, Failure> {
        let this = Self::open(path)?;
        let length = this.file.metadata().map_err(|error| this.failure(error))?.len();
        if length > 0 && !overwrite {
            return Err(Failure::Usage(format!("{} exists; {advice}", this.name)));
        }
        // A device such as /dev/null has no length to set.
        if length > 0 {
            this.file.set_len(0).map_err(|error| this.failure(error))?;
        }
        Ok(this)
    }

    /// Opens a file that may contain answers, and leaves `input` at the first line without an answer.
    ///
    /// The id of each answer is compared with that of its line of `input`. The file is truncated before its
    /// first incomplete line.
    pub(crate) fn resume(
        path: &Path,
        input: &mut Blocks<Box<dyn Read + Send>>,
        input_name: &str,
    ) -> Result<Self, Failure> {
        let mut this = Self::open(path)?;
        let failed = |error| Failure::Io(format!("cannot write {}", path.display()), error);
        // A device or a pipe has no answers to continue after, and no length to set.
        if !this.file.metadata().map_err(failed)?.is_file() {
            return Ok(this);
        }
        let mut answers = Lines::new(Blocks::new(this.file.try_clone().map_err(failed)?));
        let nothing: Box<dyn Read + Send> = Box::new(io::empty());
        let mut lines = Lines::new(std::mem::replace(input, Blocks::new(nothing)));
        let mut kept = 0;
        let mut tape = Tape::default();
        let mut id = String::new();
        while let Some((answer, end)) = answers.next_complete().map_err(failed)? {
            let found = lines
                .next_used(|line| read_id(line, &mut tape, &mut id))
                .map_err(|error| Failure::Io(format!("cannot read {input_name}"), error))?;
            let answers_it = found
                && answer
                    .strip_prefix(b"{\"id\":")
                    .and_then(|rest| rest.strip_prefix(id.as_bytes()))
                    .is_some_and(|rest| rest.starts_with(b","));
            if !answers_it {
                return Err(Failure::Usage(format!(
                    "{} cannot be continued: its line {} does not belong to the lines of {input_name}",
                    this.name,
                    this.answered + 1
                )));
            }
            this.answered += 1;
            kept = end;
        }
        *input = lines.into_rest();
        this.file.set_len(kept).map_err(failed)?;
        this.file.seek(SeekFrom::Start(kept)).map_err(failed)?;
        Ok(this)
    }

    fn open(path: &Path) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let failed = |error| Failure::Io(format!("cannot write {name}"), error);
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed)?;
        // Two batches would overwrite each other's lines. On file systems without locks, that is not
        // prevented.
        if matches!(file.try_lock(), Err(std::fs::TryLockError::WouldBlock)) {
            return Err(failed(io::Error::other("another process is writing it")));
        }
        Ok(Self { file, name, answered: 0 })
    }

    /// Returns the file to which the next answers are written.
    ///
    /// # Errors
    /// Returns an error if the file descriptor cannot be duplicated.
    pub(crate) fn writer(&self) -> Result<File, Failure> {
        self.file.try_clone().map_err(|error| self.failure(error))
    }

    /// Returns the failure for a failed write.
    pub(crate) fn failure(&self, error: io::Error) -> Failure {
        Failure::Io(format!("cannot write {}", self.name), error)
    }

    /// Converts the reason why lines of `input` could not be answered to a failure. Without a file, the output is
    /// standard output.
    pub(crate) fn stopped(file: Option<&Self>, stopped: Stopped, input: &str) -> Failure {
        match (stopped, file) {
            (Stopped::Write(error), Some(file)) => file.failure(error),
            (stopped, _) => stopped.about(input),
        }
    }

    /// Ensures that everything is on the disk.
    pub(crate) fn finish(&self) -> Result<(), Failure> {
        match self.file.sync_all() {
            // Pipes and devices cannot be synchronised.
            Err(error) if error.kind() != io::ErrorKind::InvalidInput => Err(self.failure(error)),
            _ => Ok(()),
        }
    }
}

/// Reads the id of a line, exactly as its answer repeats it.
fn read_id(line: &[u8], tape: &mut Tape, id: &mut String) {
    id.clear();
    let read = tape.with(line, Limits::default(), |value| {
        id.push_str(value.get("id").map_or("null", |id| id.text()));
    });
    if read.is_err() {
        id.push_str(identify(line).unwrap_or("null"));
    }
}

/// The lines of a stream, one by one.
struct Lines<R> {
    blocks: Blocks<R>,
    block: Block,
    /// The position of the next line in the block.
    at: usize,
    /// The number of the next line, as counted by `next_used`.
    number: u64,
    /// The position in the stream after the lines that `next_complete` has returned.
    position: u64,
}

impl<R: Read> Lines<R> {
    fn new(blocks: Blocks<R>) -> Self {
        Self { blocks, block: Block::default(), at: 0, number: 1, position: 0 }
    }

    /// Ensures that the block has bytes at `at`. Returns `false` at the end of the stream.
    fn fill(&mut self) -> io::Result<bool> {
        if self.at < self.block.bytes().len() {
            return Ok(true);
        }
        self.at = 0;
        let more = self.blocks.next(&mut self.block)?;
        if more {
            self.number = self.block.first_line;
            // A byte order mark at the start is not part of the lines.
            self.position = self.block.end - self.block.bytes().len() as u64;
        } else {
            self.block.clear();
        }
        Ok(more)
    }

    /// Returns the line at `at` without its line feed, and its length with the line feed, if it has one.
    fn line(&self) -> (&[u8], usize) {
        let rest = &self.block.bytes()[self.at..];
        if self.block.too_long.is_some() {
            return (rest, rest.len());
        }
        match memchr::memchr(b'\n', rest) {
            Some(feed) => (&rest[..feed], feed + 1),
            None => (rest, rest.len()),
        }
    }

    /// Returns the next line, or the beginning of a line over the limit, and the position in the stream after it.
    /// `None` at the end, or if the next line has no line feed.
    fn next_complete(&mut self) -> io::Result<Option<(&[u8], u64)>> {
        if !self.fill()? {
            return Ok(None);
        }
        if self.block.too_long.is_some() {
            // An answer with the fields that it keeps can be longer than its line of input.
            self.at = self.block.bytes().len();
            self.position = self.block.end;
            return Ok(self.block.ended.then_some((self.block.bytes(), self.position)));
        }
        let (line, step) = self.line();
        let length = line.len();
        if length == step {
            return Ok(None);
        }
        let start = self.at;
        self.at += step;
        self.position += step as u64;
        Ok(Some((&self.block.bytes()[start..start + length], self.position)))
    }

    /// Calls `look` with the next line that is not blank, or with the beginning of a line over the limit. Returns
    /// `false` if there is none.
    fn next_used(&mut self, mut look: impl FnMut(&[u8])) -> io::Result<bool> {
        while self.fill()? {
            let (line, step) = self.line();
            let used = self.block.too_long.is_some() || !line.iter().all(u8::is_ascii_whitespace);
            if used {
                look(line);
            }
            self.at += step;
            self.number += 1;
            if used {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the stream from the next line on.
    fn into_rest(mut self) -> Blocks<R> {
        if self.at < self.block.bytes().len() {
            self.blocks.unread(&self.block.bytes()[self.at..], self.number);
        }
        self.blocks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_answer_is_complete_if_it_has_a_line_feed() {
        let text = b"one\nlonger than the limit\ntwo\nlonger than the limit";
        let mut lines = Lines::new(Blocks::with_limit(&text[..], 8));
        let mut found = Vec::new();
        while let Some((line, end)) = lines.next_complete().expect("reads") {
            found.push((line.to_vec(), end));
        }
        let expected = [("one", 4), ("longer than the limit", 26), ("two", 30)];
        assert_eq!(found, expected.map(|(line, end)| (line.as_bytes().to_vec(), end)));
    }
}
