//! Two programs that communicate: each reads the output of the other. The runner relays between their pipes,
//! so neither program holds a descriptor of the other, and output can be counted and shown to a judge. A
//! program reads the end of its input when its partner has ended, not when the partner closes a pipe.

use super::job::{Job, Outcome};
use super::run::{Crossed, DESCRIPTORS, Run, Stopped};
use super::tree::{self, WaitsFor};
use super::trouble::Trouble;
use super::{Sandbox, syscalls};
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::fs::MetadataExt as _;
use std::time::{Duration, Instant};

/// The number of buffered bytes in one direction from which no more output is read; pipes hold some more.
const BETWEEN: usize = 1 << 20;
/// The maximum number of bytes in one read.
const CHUNK: usize = 16 << 10;
/// The interval between checks of two silent programs, and how long they must wait for each other before both
/// are ended.
const LOOK: Duration = Duration::from_millis(100);
const SILENCE: Duration = Duration::from_secs(1);
/// The time to poll for further output without sleeping. It is about the cost of sleeping and waking, so
/// polling in vain costs no more than sleeping. The second value is the longest time to relay output before
/// the limits are checked.
const ATTENTION: Duration = Duration::from_micros(30);
const TALK: Duration = Duration::from_millis(1);

/// One of the two programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The first program.
    Left,
    /// The second program.
    Right,
}

impl Side {
    /// Returns the other program.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// The end of the program that ended first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The program exited with this exit code.
    Exited(i32),
    /// The program ended in another way, for example by a signal, a limit or trouble.
    Otherwise,
}

/// Options for a conversation between two programs.
pub struct Conversation<'a> {
    /// The maximum size of the transcript in memory, in bytes; each exchange needs more than its bytes.
    pub transcript: usize,
    /// Decides, from the program that ended first and its end, whether the other program is ended too.
    pub ends_both: &'a dyn Fn(Side, Ended) -> bool,
}

impl std::fmt::Debug for Conversation<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Conversation").field("transcript", &self.transcript).finish_non_exhaustive()
    }
}

/// The output of one program until the other program writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    /// The program that wrote.
    pub by: Side,
    /// The bytes that it wrote.
    pub bytes: Vec<u8>,
}

/// The output of both programs, in the order in which it arrived.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Transcript {
    /// The exchanges that were kept, from the beginning.
    pub exchanges: Vec<Exchange>,
    /// The number of further bytes that were not kept.
    pub left_out: u64,
    kept: usize,
}

/// The outcome of a conversation between two programs.
#[derive(Debug, Clone)]
pub struct PairOutcome {
    /// The outcome of the first program.
    pub left: Outcome,
    /// The outcome of the second program.
    pub right: Outcome,
    /// The program that ended first; `None` if both were ended at once, as in a deadlock, or if neither was
    /// started.
    pub first: Option<Side>,
    /// True if both programs waited for the other to write, and no output was in transit.
    pub deadlock: bool,
    /// The programs that were waiting for the other's output when a limit, trouble or a deadlock ended one or
    /// both of them.
    pub waiting: Vec<Side>,
    /// The time for which the first program waited for output of the second while the second was busy: it
    /// neither waited for input nor had ended. Pauses of less than a tenth of a second are not measured.
    pub left_waited: Duration,
    /// The same for the second program.
    pub right_waited: Duration,
    /// The output of both programs.
    pub transcript: Transcript,
}

impl PairOutcome {
    pub(crate) fn trouble(cause: &impl std::fmt::Display) -> Self {
        Self::both(&Outcome::trouble(cause))
    }

    /// Returns the outcome of two programs that were not started.
    fn both(outcome: &Outcome) -> Self {
        Self {
            left: outcome.clone(),
            right: outcome.clone(),
            first: None,
            deadlock: false,
            waiting: Vec::new(),
            left_waited: Duration::ZERO,
            right_waited: Duration::ZERO,
            transcript: Transcript::default(),
        }
    }
}

impl Transcript {
    fn add(&mut self, by: Side, bytes: &[u8], most: usize) {
        // Many short turns need more memory than their bytes, so turns count too. Nothing is kept after a
        // gap.
        let taken = self.kept + self.exchanges.len() * size_of::<Exchange>();
        let room = if self.left_out > 0 { 0 } else { most.saturating_sub(taken).min(bytes.len()) };
        let (kept, rest) = bytes.split_at_checked(room).unwrap_or((bytes, &[]));
        self.left_out += rest.len() as u64;
        if kept.is_empty() {
            return;
        }
        self.kept += kept.len();
        match self.exchanges.last_mut() {
            Some(last) if last.by == by => last.bytes.extend_from_slice(kept),
            _ => self.exchanges.push(Exchange { by, bytes: kept.to_vec() }),
        }
    }
}

/// One direction of a conversation.
struct Lane {
    by: Side,
    from: Option<File>,
    to: Option<File>,
    /// Kept open so the pipe always has a reader.
    reader: Option<OwnedFd>,
    /// The inode number of the reading program's input.
    inode: u64,
    between: Vec<u8>,
    seen: usize,
    most: usize,
    buffer: Box<[u8]>,
}

/// Creates a lane, with the pipe ends for the writing and for the reading program.
fn lane(by: Side, most: usize) -> io::Result<(Lane, io::PipeWriter, io::PipeReader)> {
    let (from, writer) = io::pipe()?;
    let (reader, to) = io::pipe()?;
    syscalls::set_nonblocking(&from)?;
    syscalls::set_nonblocking(&to)?;
    let kept = File::from(OwnedFd::from(reader.try_clone()?));
    let lane = Lane {
        by,
        from: Some(File::from(OwnedFd::from(from))),
        to: Some(File::from(OwnedFd::from(to))),
        inode: kept.metadata()?.ino(),
        reader: Some(kept.into()),
        between: Vec::new(),
        seen: 0,
        most,
        buffer: vec![0; CHUNK].into(),
    };
    Ok((lane, writer, reader))
}

impl Lane {
    fn readable(&self) -> Option<BorrowedFd<'_>> {
        self.from.as_ref().filter(|_| self.has_room() && !self.over()).map(|from| from.as_fd())
    }

    fn writable(&self) -> Option<BorrowedFd<'_>> {
        self.to.as_ref().filter(|_| !self.between.is_empty()).map(|to| to.as_fd())
    }

    fn has_room(&self) -> bool {
        self.between.len() < BETWEEN
    }

    fn over(&self) -> bool {
        self.seen > self.most
    }

    /// Returns whether no bytes are in transit to the reader.
    fn is_empty(&self) -> bool {
        let in_pipe = self.reader.as_ref().map_or(Ok(0), syscalls::bytes_in);
        self.between.is_empty() && in_pipe.is_ok_and(|count| count == 0)
    }

    /// Reads the writer's output as long as there is room. Returns whether anything was read.
    fn read(&mut self, transcript: &mut Transcript, kept: usize) -> bool {
        let mut moved = false;
        while self.has_room() && !self.over() {
            let Some(from) = self.from.as_mut() else { break };
            match from.read(&mut self.buffer) {
                Ok(0) => self.from = None,
                Ok(count) => {
                    let bytes = self.buffer.get(..count).unwrap_or_default();
                    self.seen += count;
                    moved = true;
                    transcript.add(self.by, bytes, kept);
                    // Without a reader, the bytes are not passed on.
                    if self.to.is_some() {
                        self.between.extend_from_slice(bytes);
                    }
                    if count < CHUNK {
                        break;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(_) => self.from = None,
            }
        }
        moved
    }

    fn write(&mut self) -> bool {
        let mut written = 0;
        while let Some(to) = self.to.as_mut() {
            let left = self.between.get(written..).unwrap_or_default();
            if left.is_empty() {
                break;
            }
            match to.write(left) {
                Ok(0) => break,
                Ok(count) => written += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(_) => self.forget(),
            }
        }
        self.between.drain(..written.min(self.between.len()));
        written > 0
    }

    /// Drops the buffered bytes, because the reader has ended.
    fn forget(&mut self) {
        self.to = None;
        self.reader = None;
        self.between = Vec::new();
    }

    /// Closes the reader's input if all bytes are delivered, because the writer has ended.
    fn end_of_writer(&mut self) {
        if self.between.is_empty() {
            self.to = None;
            self.reader = None;
        }
    }
}

/// Two programs and the lanes between them.
struct Pair<'a> {
    runs: [Run<'a>; 2],
    lanes: [Lane; 2],
    conversation: &'a Conversation<'a>,
    processors: u32,
    transcript: Transcript,
    first: Option<Side>,
    deadlock: bool,
    waiting: Option<Vec<Side>>,
    last_output: Instant,
    last_look: Instant,
    /// What the programs waited for at the last check; forgotten when output is moved.
    seen: Option<[WaitsFor; 2]>,
    /// For each program, the time for which it waited while the other was busy.
    waited: [Duration; 2],
    /// The time since which both programs have waited.
    silent_since: Option<Instant>,
}

pub(super) fn run<'a>(
    sandbox: &'a Sandbox,
    left: &'a Job,
    right: &'a Job,
    conversation: &'a Conversation<'a>,
) -> PairOutcome {
    let Some(_turn) = sandbox.identity.turn(&[&left.cancel, &right.cancel]) else {
        return PairOutcome::both(&Outcome::cancelled());
    };
    let started = lane(Side::Left, left.limits.output)
        .and_then(|to_right| Ok((to_right, lane(Side::Right, right.limits.output)?)))
        .map_err(Trouble::Descriptors)
        .and_then(|((to_right, left_output, right_input), (to_left, right_output, left_input))| {
            let mut left =
                Run::begin(sandbox, left, Some(Crossed { input: left_input, output: left_output }))?;
            let right =
                Run::begin(sandbox, right, Some(Crossed { input: right_input, output: right_output }));
            match right {
                Ok(right) => Ok(([left, right], [to_right, to_left])),
                Err(cause) => {
                    left.abandon(&cause.to_string());
                    Err(cause)
                }
            }
        });
    let (runs, lanes) = match started {
        Ok(parts) => parts,
        Err(cause) => return PairOutcome::trouble(&cause),
    };
    let mut pair = Pair {
        runs,
        lanes,
        conversation,
        processors: sandbox.processors,
        transcript: Transcript::default(),
        first: None,
        deadlock: false,
        waiting: None,
        last_output: Instant::now(),
        last_look: Instant::now(),
        seen: None,
        waited: [Duration::ZERO; 2],
        silent_since: None,
    };
    pair.watch();
    pair.conclude()
}

const SIDES: [Side; 2] = [Side::Left, Side::Right];

/// Returns the programs that wait for the other without a time limit.
fn waiting(seen: [WaitsFor; 2]) -> Vec<Side> {
    SIDES.into_iter().zip(seen).filter(|(_, what)| *what == WaitsFor::Input).map(|(side, _)| side).collect()
}

/// Returns the program that waits for the other, if the other is busy. One that waits for input with a time limit is
/// not busy.
fn waits_alone(seen: [WaitsFor; 2]) -> Option<Side> {
    match seen {
        [WaitsFor::Input, WaitsFor::Other | WaitsFor::Nothing] => Some(Side::Left),
        [WaitsFor::Other | WaitsFor::Nothing, WaitsFor::Input] => Some(Side::Right),
        _ => None,
    }
}

impl Pair<'_> {
    fn watch(&mut self) {
        while !self.runs.iter().all(Run::is_done) {
            let pause = self.runs.iter().map(Run::pause).min().unwrap_or(LOOK).min(LOOK);
            let [left, right] = &self.runs;
            let [to_right, to_left] = &self.lanes;
            let mut read: Vec<Option<BorrowedFd<'_>>> = Vec::with_capacity(2 * DESCRIPTORS + 2);
            read.extend(left.waited_for());
            read.extend(right.waited_for());
            read.extend([to_right.readable(), to_left.readable()]);
            let ready = syscalls::wait_ready(&read, &[to_right.writable(), to_left.writable()], pause);
            let ready = match ready {
                Ok((ready, _)) => ready,
                Err(error) => {
                    self.runs.iter_mut().for_each(|run| run.lost(&error));
                    break;
                }
            };
            if self.relay(ready.get(2 * DESCRIPTORS..).unwrap_or_default()) {
                self.listen(pause.min(TALK));
            }
            for (run, ready) in self.runs.iter_mut().zip(ready.chunks(DESCRIPTORS)) {
                run.react(ready);
            }
            self.after();
        }
        self.runs.iter_mut().for_each(Run::end);
        // Nobody reads any more, but everything that was written counts.
        for (run, lane) in self.runs.iter_mut().zip(&mut self.lanes) {
            lane.forget();
            lane.read(&mut self.transcript, self.conversation.transcript);
            run.wrote_too_much = lane.over();
        }
    }

    /// Moves output in both directions; returns whether any was moved.
    fn relay(&mut self, ready: &[bool]) -> bool {
        let mut moved = false;
        for (lane, ready) in self.lanes.iter_mut().zip(ready) {
            let read = *ready && lane.read(&mut self.transcript, self.conversation.transcript);
            moved |= (!lane.between.is_empty() && lane.write()) || read;
        }
        if moved {
            self.last_output = Instant::now();
            self.seen = None;
            self.silent_since = None;
        }
        moved
    }

    /// Relays output until none has arrived for `ATTENTION`, or until `longest` has passed. Returns at once
    /// on a single processor, which the programs need themselves.
    fn listen(&mut self, longest: Duration) {
        if self.processors < 2 {
            return;
        }
        let began = Instant::now();
        while began.elapsed() < longest && self.last_output.elapsed() < ATTENTION {
            let ready =
                [0, 1].map(|at: usize| self.lanes.get(at).is_some_and(|lane| lane.readable().is_some()));
            if !self.relay(&ready) {
                // A thread that yields is scheduled as if it had used up its time slice.
                std::hint::spin_loop();
            }
        }
    }

    fn after(&mut self) {
        for (run, lane) in self.runs.iter_mut().zip(&self.lanes) {
            if lane.over() {
                run.stop(Stopped::Output);
            }
        }
        self.record_first_end();
        for (at, side) in SIDES.into_iter().enumerate() {
            if self.runs.get(at).is_some_and(Run::is_over) {
                self.deliver_the_end(side);
            }
        }
        self.check_silence();
    }

    /// Returns the lane that a program writes to and the lane that it reads from.
    fn lanes_of(&mut self, side: Side) -> (&mut Lane, &mut Lane) {
        let [left, right] = &mut self.lanes;
        match side {
            Side::Left => (left, right),
            Side::Right => (right, left),
        }
    }

    /// Handles the end of a program: takes its remaining output, then lets its partner read the end of its
    /// input. Further input to the ended program is not delivered.
    fn deliver_the_end(&mut self, side: Side) {
        let (kept, mut transcript) = (self.conversation.transcript, std::mem::take(&mut self.transcript));
        let (writes, reads) = self.lanes_of(side);
        reads.forget();
        while writes.from.is_some() && writes.read(&mut transcript, kept) && writes.write() {}
        if writes.has_room() {
            writes.end_of_writer();
        }
        self.transcript = transcript;
    }

    fn record_first_end(&mut self) {
        if self.first.is_some() || self.waiting.is_some() {
            return;
        }
        let [left, right] = &self.runs;
        let ended = match (left.own_end(), right.own_end()) {
            (Some((at, code)), Some((other, _))) if at <= other => Some((Side::Left, code)),
            (_, Some((_, code))) => Some((Side::Right, code)),
            (Some((_, code)), None) => Some((Side::Left, code)),
            (None, None) => None,
        };
        if let Some((side, code)) = ended {
            self.first = Some(side);
            self.end_both(side, code.map_or(Ended::Otherwise, Ended::Exited));
            return;
        }
        // A limit or trouble: no program has ended by itself.
        let over: Vec<Side> = SIDES
            .into_iter()
            .zip(&self.runs)
            .filter(|(_, run)| run.is_over())
            .map(|(side, _)| side)
            .collect();
        if let Some(side) = over.first().copied() {
            self.waiting = Some(self.seen.map(waiting).unwrap_or_default());
            if over.len() == 1 {
                self.first = Some(side);
                self.end_both(side, Ended::Otherwise);
            }
        }
    }

    fn end_both(&mut self, side: Side, how: Ended) {
        if (self.conversation.ends_both)(side, how) {
            let [left, right] = &mut self.runs;
            let other = if side == Side::Left { right } else { left };
            other.stop(Stopped::Cancelled);
        }
    }

    /// Returns what the programs wait for. A program with unread input waits for nothing.
    fn waits(&self) -> [WaitsFor; 2] {
        let [left, right] = &self.runs;
        let [to_right, to_left] = &self.lanes;
        [(left, to_left), (right, to_right)].map(|(run, lane)| match run.first_seen() {
            Some(first) if lane.is_empty() => tree::waits_for(first, lane.inode),
            _ => WaitsFor::Nothing,
        })
    }

    /// Checks what two silent programs wait for: measures how long one waits for the other, and detects a deadlock,
    /// in which both would wait until their time is over.
    fn check_silence(&mut self) {
        if self.last_look.elapsed() < LOOK
            || self.last_output.elapsed() < LOOK
            || !self.runs.iter().all(Run::is_running)
        {
            return;
        }
        // No output was moved since the last check, so a program that waited then still waits.
        if let Some(side) = self.seen.and_then(waits_alone) {
            let passed = self.last_look.elapsed();
            let [left, right] = &mut self.waited;
            *(if side == Side::Left { left } else { right }) += passed;
        }
        self.last_look = Instant::now();
        let seen = self.waits();
        self.seen = Some(seen);
        if waiting(seen).len() < SIDES.len() {
            self.silent_since = None;
            return;
        }
        let since = *self.silent_since.get_or_insert_with(Instant::now);
        if since.elapsed() >= SILENCE {
            self.deadlock = true;
            self.waiting = Some(SIDES.to_vec());
            self.runs.iter_mut().for_each(|run| run.stop(Stopped::Time));
        }
    }

    fn conclude(self) -> PairOutcome {
        let [mut left, mut right] = self.runs.map(Run::conclude);
        let [to_right, to_left] = &self.lanes;
        left.written += to_right.seen as u64;
        right.written += to_left.seen as u64;
        let waiting = self.waiting.unwrap_or_default();
        let deadlock = self.deadlock || (self.first.is_none() && waiting.len() == SIDES.len());
        let [left_waited, right_waited] = self.waited;
        PairOutcome {
            left,
            right,
            first: self.first,
            deadlock,
            waiting,
            left_waited,
            right_waited,
            transcript: self.transcript,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Exchange, Side, Transcript};

    proptest::proptest! {
        /// Every byte is kept or counted; the kept bytes are the beginning of the output and within the
        /// limit.
        #[test]
        fn a_transcript_is_a_beginning(
            said in proptest::collection::vec((proptest::bool::ANY, 0usize..300), 0..60),
            most in 0usize..3000,
        ) {
            let mut transcript = Transcript::default();
            let (mut all, mut next) = (Vec::new(), 0u8);
            for (left, count) in said {
                let bytes: Vec<u8> = (0..count).map(|_| { next = next.wrapping_add(1); next }).collect();
                transcript.add(if left { Side::Left } else { Side::Right }, &bytes, most);
                all.extend(bytes);
            }
            let kept: Vec<u8> = transcript.exchanges.iter().flat_map(|one| one.bytes.clone()).collect();
            proptest::prop_assert!(kept.len() <= most && all.starts_with(&kept));
            proptest::prop_assert_eq!(kept.len() as u64 + transcript.left_out, all.len() as u64);
            let turns = transcript.exchanges.windows(2).all(|pair| pair[0].by != pair[1].by);
            proptest::prop_assert!(turns && transcript.exchanges.iter().all(|one| !one.bytes.is_empty()));
        }
    }

    #[test]
    fn a_transcript_joins_what_one_says_and_is_bounded() {
        let mut transcript = Transcript::default();
        for (by, text) in [(Side::Left, "1"), (Side::Left, "2\n"), (Side::Right, "yes\n")] {
            transcript.add(by, text.as_bytes(), 1000);
        }
        let said = |by, text: &str| Exchange { by, bytes: text.as_bytes().to_vec() };
        assert_eq!(transcript.exchanges, [said(Side::Left, "12\n"), said(Side::Right, "yes\n")]);
        transcript.add(Side::Left, &[b'x'; 5000], 1000);
        transcript.add(Side::Right, b"more", 1000);
        let kept: usize = transcript.exchanges.iter().map(|exchange| exchange.bytes.len()).sum();
        assert!(kept < 1000);
        assert_eq!(kept as u64 + transcript.left_out, 7 + 5000 + 4, "each byte is kept or counted");
        assert_eq!(transcript.exchanges.len(), 3, "nothing is kept after a gap");
    }
}
