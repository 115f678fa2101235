//! Output of a running program: non-blocking pipes, each with its limit.

use super::syscalls;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};

/// The bytes that are read from one pipe, up to a limit.
pub(super) struct Stream {
    pipe: Option<File>,
    pub(super) kept: Vec<u8>,
    keep: usize,
    pub(super) seen: usize,
    most: usize,
}

impl Stream {
    pub(super) fn new(pipe: io::PipeReader, keep: usize, most: usize) -> io::Result<Self> {
        syscalls::set_nonblocking(&pipe)?;
        Ok(Self { pipe: Some(File::from(OwnedFd::from(pipe))), kept: Vec::new(), keep, seen: 0, most })
    }

    pub(super) fn over(&self) -> bool {
        self.seen > self.most
    }

    pub(super) fn waiting(&self) -> Option<BorrowedFd<'_>> {
        self.pipe.as_ref().filter(|_| !self.over()).map(|pipe| pipe.as_fd())
    }

    /// Reads the bytes that are available, at most one buffer more than the limit.
    pub(super) fn read(&mut self) {
        let mut buffer = [0u8; 16 * 1024];
        while let Some(pipe) = self.pipe.as_mut().filter(|_| self.seen <= self.most) {
            match pipe.read(&mut buffer) {
                Ok(0) => self.pipe = None,
                Ok(count) => {
                    let wanted = self.keep.saturating_sub(self.kept.len()).min(count);
                    self.kept.extend_from_slice(buffer.get(..wanted).unwrap_or_default());
                    self.seen += count;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(_) => self.pipe = None,
            }
        }
    }
}

/// All output of one program.
pub(super) struct Streams {
    /// Absent if standard output is the input of another program.
    pub(super) output: Option<Stream>,
    pub(super) errors: Stream,
    pub(super) channel: Option<Stream>,
}

impl Streams {
    pub(super) fn over(&self) -> bool {
        let over = |stream: &Option<Stream>| stream.as_ref().is_some_and(Stream::over);
        over(&self.output) || self.errors.over() || over(&self.channel)
    }

    pub(super) fn read(&mut self) {
        self.errors.read();
        self.output.iter_mut().chain(&mut self.channel).for_each(Stream::read);
    }
}
