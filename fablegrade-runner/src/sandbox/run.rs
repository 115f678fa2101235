//! One run from start to end: starts bubblewrap, adds the first process to a control group, starts the
//! program, watches limits and output, ends everything, and reports the end. A [`Run`] is driven by the code
//! that waits for its descriptors: in this file for one run, in `pair.rs` for two at once.

use super::bubblewrap::{Inherited, Layout, OwnFiles};
use super::cgroup::{Counters, Group};
use super::frames::{self, Ended, Frame};
use super::identity::ReservedUser;
use super::job::{Collected, Job, Outcome};
use super::spawn::{self, Program};
use super::stream::{Stream, Streams};
use super::trouble::Trouble;
use super::{Sandbox, conclusion, owner, protocol, syscalls, tree};
use std::io;
use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd, OwnedFd};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The time limit for setting up the sandbox. bubblewrap needs milliseconds, but more on a machine under
/// heavy load.
const SET_UP: Duration = Duration::from_secs(20);
/// The longest time from the kill, or from the end of the program, to the end of the last process.
const TEAR_DOWN: Duration = Duration::from_secs(20);
/// The maximum extension of the wall-clock limit for waiting for a processor, as a multiple of that limit.
const WAITED_AT_MOST: u32 = 9;
/// The longest time between two readings of the counters, and of the process tree.
const LOOK: Duration = Duration::from_millis(20);
const LOOK_AT_TREE: Duration = Duration::from_millis(8);

/// The beginning of the names under which bubblewrap is started. If bubblewrap ends before the sandbox is
/// ready, its child waits forever. That child is found by its name.
pub(super) const NAME: &str = "fablegrade-run";
static NEXT: AtomicU64 = AtomicU64::new(0);

const KILLED_FROM_OUTSIDE: &str = "the kernel ended a program that was within its memory limit, because the host, \
                                   or a control group around the runner, has too little memory";

/// The number of descriptors that a run waits for.
pub(super) const DESCRIPTORS: usize = 6;

/// Returns whether the process limit is reached, approximately. Besides the processes of the group, some
/// kernels count two processes outside the sandbox.
fn process_limit_reached(processes: u64, job: &Job) -> bool {
    processes + 2 >= u64::from(job.limits.processes)
}

/// Returns the lists to which the first process adds itself; if there are none, it has been added already.
fn enter(group: &Group, pid: i32) -> io::Result<Vec<OwnedFd>> {
    let entries = group.entries()?;
    if entries.is_empty() {
        group.admit(pid)?;
    }
    Ok(entries)
}

/// The reasons for which the runner itself ends a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stopped {
    Time,
    Memory,
    Output,
    Cancelled,
}

/// A program that is being started, is running, or is being ended.
pub(super) struct Run<'a> {
    pub(super) sandbox: &'a Sandbox,
    pub(super) job: &'a Job,
    name: String,
    order: Vec<u8>,
    begun: Instant,
    last_look: Instant,
    /// True if bubblewrap has ended, or waiting for it is pointless.
    done: bool,
    bubblewrap: OwnedFd,
    control: Option<OwnedFd>,
    first: Option<(i32, OwnedFd)>,
    group: Option<Group>,
    pub(super) streams: Streams,
    pub(super) started: Option<Instant>,
    /// The program's `wait` status, its end on the machine's monotonic clock in nanoseconds (0 if only the
    /// result was reported), and the time at which the report arrived.
    pub(super) ended_at: Option<(i32, u64, Instant)>,
    /// The resources that the program used, and when they were reported.
    pub(super) ended: Option<(Ended, Instant)>,
    pub(super) not_started: Option<i32>,
    pub(super) stopped: Option<(Stopped, Instant)>,
    pub(super) trouble: Option<String>,
    pub(super) collected: Vec<Collected>,
    collected_bytes: usize,
    pub(super) passed_over: usize,
    /// True if the folder to collect has more folders, or longer paths, than the first process can list.
    too_many_paths: bool,
    pub(super) cpu: Duration,
    pub(super) memory: u64,
    /// Measures CPU time and memory if the kernel does not count them.
    tree: tree::Watch,
    /// The folder that the program can write to.
    space: Option<OwnedFd>,
    /// The size of that folder in bytes when it was last measured, and the highest number of names in it.
    pub(super) files: u64,
    pub(super) names: u64,
    /// True if the program wrote more than it may to another program.
    pub(super) wrote_too_much: bool,
    /// The size of the folder in `space` before the program started, which is the size of the files given
    /// there.
    pub(super) given: u64,
    /// The time for which the program has waited for a processor, and the part of it that extends the
    /// wall-clock limit.
    waiting: tree::Waiting,
    waited: Duration,
    /// The readings of the control group so far.
    pub(super) counters: Counters,
    /// The memory in bytes that the programs held at the latest reading, if the process limit was reached
    /// then. At the end, where the kernel records peaks, the peak memory less the kernel's own peak.
    pub(super) memory_at_process_limit: Option<u64>,
    bare: bool,
    /// True if bubblewrap reported that a signal ended the first process.
    pub(super) killed_inside: bool,
    /// Keeps the host user reserved until the last process has ended.
    _user: Option<ReservedUser>,
}

/// Runs the job; any failure outside the program becomes [`End::Trouble`](super::End::Trouble).
pub(crate) fn run(sandbox: &Sandbox, job: &Job) -> Outcome {
    let Some(_turn) = sandbox.identity.turn(&[&job.cancel]) else { return Outcome::cancelled() };
    Run::begin(sandbox, job, None).map_or_else(
        |why| Outcome::trouble(&why),
        |mut run| {
            run.watch();
            run.conclude()
        },
    )
}

/// The pipe ends that connect a program to another program.
pub(super) struct Crossed {
    pub(super) input: io::PipeReader,
    pub(super) output: io::PipeWriter,
}

impl<'a> Run<'a> {
    /// Starts bubblewrap; the program starts when the sandbox is ready.
    pub(super) fn begin(
        sandbox: &'a Sandbox,
        job: &'a Job,
        crossed: Option<Crossed>,
    ) -> Result<Self, Trouble> {
        let limits = &job.limits;
        let order =
            frames::start(job, sandbox.data_limit(limits), sandbox.layout.is_none(), crossed.is_some())?;
        let cannot = Trouble::Descriptors;
        let reserved = sandbox.reserve_user()?;
        let (control, theirs) = syscalls::packet_pair().map_err(cannot)?;
        let theirs = syscalls::moved_up(theirs).map_err(cannot)?;
        // bubblewrap reads the filter from the descriptor's current position.
        let own_position = sandbox.layout.as_ref().is_some_and(Layout::is_hardened_by_bubblewrap);
        let filter = if own_position {
            syscalls::reopen(&sandbox.filter).and_then(syscalls::moved_up)
        } else {
            syscalls::duplicate(&sandbox.filter)
        };
        let filter = filter.map_err(cannot)?;
        let program = syscalls::duplicate(&sandbox.init).map_err(cannot)?;
        let (input, output, output_end) = match crossed {
            Some(Crossed { input, output }) => (OwnedFd::from(input), None, output),
            None => {
                let memory = syscalls::sealed_memory("input", &job.input, 0o444);
                let input = memory.and_then(|memory| syscalls::reopen(&memory)).map_err(cannot)?;
                let (output, end) = io::pipe().map_err(cannot)?;
                (input, Some(Stream::new(output, limits.output, limits.output).map_err(cannot)?), end)
            }
        };
        let (errors, errors_end) = io::pipe().map_err(cannot)?;
        let (channel, channel_end) = if job.channel {
            let (channel, end) = io::pipe().map_err(cannot)?;
            (Some(channel), Some(syscalls::moved_up(end.into()).map_err(cannot)?))
        } else {
            (None, None)
        };
        let channel_number = channel_end.as_ref().map(std::os::fd::AsRawFd::as_raw_fd);
        let streams = Streams {
            output,
            errors: Stream::new(errors, limits.errors_kept, limits.errors).map_err(cannot)?,
            channel: channel
                .map(|channel| Stream::new(channel, limits.channel, limits.channel))
                .transpose()
                .map_err(cannot)?,
        };
        let own = match &sandbox.layout {
            Some(_) => OwnFiles::open(job.shown.as_deref(), &job.files).map_err(Trouble::Files)?,
            None => OwnFiles::default(),
        };
        let mut keep: Vec<&OwnedFd> = vec![&theirs, &program];
        keep.extend(&channel_end);
        keep.extend(own.descriptors());
        let inherited = Inherited {
            program: program.as_raw_fd(),
            filter: filter.as_raw_fd(),
            control: theirs.as_raw_fd(),
            channel: channel_number,
            own: &own,
        };
        let (path, arguments) = match &sandbox.layout {
            Some(layout) => {
                keep.push(&filter);
                (sandbox.bubblewrap.clone(), layout.arguments(job, &inherited))
            }
            None => {
                let numbers = [Some(inherited.control), inherited.channel];
                let arguments = numbers.into_iter().flatten().map(|number| number.to_string().into());
                (PathBuf::from(format!("/proc/self/fd/{}", inherited.program)), arguments.collect())
            }
        };
        let user = reserved.as_ref().map(|reserved| reserved.user).zip(sandbox.identity.group());
        if let Some((user, group)) = user {
            // Allows the program to open `/dev/stdout` and similar paths again.
            for pipe in [&output_end, &errors_end] {
                syscalls::give_to(pipe, user, group).map_err(cannot)?;
            }
            if streams.output.is_none() {
                syscalls::give_to(&input, user, group).map_err(cannot)?;
            }
            if let Some(end) = &channel_end {
                syscalls::give_to(end, user, group).map_err(cannot)?;
            }
        }
        let name = owner::name(NAME, NEXT.fetch_add(1, Ordering::Relaxed));
        let bubblewrap = spawn::spawn(Program {
            path: &path,
            name: &name,
            arguments: &arguments,
            streams: [input, output_end.into(), errors_end.into()],
            keep: &keep,
            user,
        })
        .map_err(|source| Trouble::NotStarted { program: path, source })?;
        let mut run = Run {
            sandbox,
            job,
            name,
            order,
            begun: Instant::now(),
            last_look: Instant::now(),
            done: false,
            bubblewrap,
            control: Some(control),
            first: None,
            group: None,
            streams,
            started: None,
            ended_at: None,
            ended: None,
            not_started: None,
            stopped: None,
            trouble: None,
            collected: Vec::new(),
            collected_bytes: 0,
            passed_over: 0,
            too_many_paths: false,
            cpu: Duration::ZERO,
            memory: 0,
            tree: tree::Watch::new(),
            space: None,
            files: 0,
            names: 0,
            wrote_too_much: false,
            given: 0,
            waiting: tree::Waiting::new(),
            waited: Duration::ZERO,
            counters: Counters::default(),
            memory_at_process_limit: None,
            bare: sandbox.layout.is_none(),
            killed_inside: false,
            _user: reserved,
        };
        // Made while bubblewrap sets up the sandbox.
        if let Some(tree) = &sandbox.tree {
            match Group::make(tree, limits) {
                Ok(group) => run.group = Some(group),
                Err(error) => run.fail(format!("no control group: {error}")),
            }
        }
        Ok(run)
    }

    fn fail(&mut self, cause: String) {
        self.trouble.get_or_insert(cause);
        self.kill();
    }

    pub(super) fn stop(&mut self, why: Stopped) {
        if self.ended.is_none() && self.stopped.is_none() {
            self.stopped = Some((why, Instant::now()));
            self.kill();
        }
    }

    /// Kills the first process, whose end makes the kernel end all processes of the namespace. Before that
    /// process has reported, kills bubblewrap.
    fn kill(&mut self) {
        let killed = match &self.first {
            Some((pid, first)) => {
                if self.bare {
                    // Without a namespace, other processes do not end with the first one.
                    tree::members(*pid).iter().skip(1).for_each(|pid| {
                        let _ = syscalls::process_handle(*pid).and_then(|process| syscalls::kill(&process));
                    });
                }
                syscalls::kill(first)
            }
            None => syscalls::kill(&self.bubblewrap),
        };
        if let Err(error) = killed {
            self.trouble.get_or_insert(format!("a run could not be ended: {error}"));
        }
    }

    /// Watches until bubblewrap has ended, which is after the first process and therefore after all others.
    fn watch(&mut self) {
        while !self.done {
            let pause = self.pause();
            match syscalls::wait_ready(&self.waited_for(), &[], pause) {
                Ok((ready, _)) => self.react(&ready),
                Err(error) => self.lost(&error),
            }
        }
        self.end();
    }

    pub(super) fn lost(&mut self, error: &io::Error) {
        self.fail(format!("cannot wait for a run: {error}"));
        self.done = true;
    }

    pub(super) fn is_done(&self) -> bool {
        self.done
    }

    /// Ends the run because it is no longer needed, and waits for its end.
    pub(super) fn abandon(&mut self, cause: &str) {
        self.fail(cause.to_owned());
        self.watch();
    }

    /// Returns the descriptors to wait for; [`Run::react`] takes their readiness in the same order.
    pub(super) fn waited_for(&self) -> [Option<BorrowedFd<'_>>; DESCRIPTORS] {
        if self.done {
            return [None; DESCRIPTORS];
        }
        [
            self.control.as_ref().map(OwnedFd::as_fd),
            self.streams.output.as_ref().and_then(Stream::waiting),
            self.streams.errors.waiting(),
            self.streams.channel.as_ref().and_then(Stream::waiting),
            self.first.as_ref().filter(|_| self.group_ends_with_first()).map(|(_, first)| first.as_fd()),
            Some(self.bubblewrap.as_fd()),
        ]
    }

    /// Handles what has arrived, then checks the cancel token, the clock and the limits.
    pub(super) fn react(&mut self, ready: &[bool]) {
        if self.done {
            return;
        }
        if ready.first() == Some(&true) {
            self.read_frames();
        }
        // In a pair, usually the partner's output ended the wait, and none of these descriptors is ready.
        if ready.contains(&true) {
            self.streams.read();
            if self.streams.over() {
                self.stop(Stopped::Output);
            }
        }
        if ready.get(DESCRIPTORS - 2) == Some(&true) {
            self.end_of_group();
        }
        if ready.last() == Some(&true) {
            self.done = true;
            return;
        }
        if self.job.cancel.is_cancelled() {
            self.stop(Stopped::Cancelled);
        }
        if !self.check_clock() {
            self.done = true;
            return;
        }
        let gone = self.group.is_none() && self.sandbox.tree.is_some();
        if self.running() && !gone && self.last_look.elapsed() >= self.between_looks() {
            self.last_look = Instant::now();
            self.look();
        }
    }

    /// Returns whether the group is empty once the first process has ended, as everything in its namespace
    /// ends with it. The group is then removed while bubblewrap ends.
    fn group_ends_with_first(&self) -> bool {
        !self.bare && self.group.is_some()
    }

    /// Takes the final measurements, after bubblewrap has ended.
    pub(super) fn end(&mut self) {
        let status = spawn::wait(&self.bubblewrap);
        self.read_frames();
        if self.first.is_none() {
            owner::end_processes(|name| name == self.name);
        }
        self.wait_for_one_that_never_started();
        self.look_at_files();
        self.space = None;
        self.streams.read();
        self.killed_inside = status.ok().flatten().is_some_and(|code| code > 128);
        self.end_of_group();
    }

    /// Waits for a first process that has received no order. It ends with bubblewrap, or when it finds that
    /// no order comes; both can take a moment.
    fn wait_for_one_that_never_started(&mut self) {
        let until = Instant::now() + TEAR_DOWN;
        while self.started.is_none()
            && Instant::now() < until
            && let Some(control) = &self.control
        {
            let left = until.saturating_duration_since(Instant::now());
            let waited = syscalls::no_more_packets(control)
                .and_then(|()| syscalls::wait_ready(&[Some(control.as_fd())], &[], left));
            if waited.is_err() {
                return;
            }
            self.read_frames();
        }
    }

    /// Returns when and how the program ended, if it ended by itself. The time is in nanoseconds of the
    /// machine's monotonic clock; the exit code is absent if a signal ended the program.
    pub(super) fn own_end(&self) -> Option<(u64, Option<i32>)> {
        let (status, at, _) = self.ended_at.filter(|_| self.stopped.is_none() && self.trouble.is_none())?;
        Some((at, conclusion::exit_code(status)))
    }

    /// Returns whether the program has ended or is being ended.
    pub(super) fn is_over(&self) -> bool {
        self.done
            || self.ended_at.is_some()
            || self.ended.is_some()
            || self.stopped.is_some()
            || self.trouble.is_some()
    }

    /// Returns whether the program has started and nothing has ended it.
    pub(super) fn is_running(&self) -> bool {
        self.running()
    }

    /// Returns the id of the first process, once it has reported.
    pub(super) fn first_seen(&self) -> Option<i32> {
        self.first.as_ref().map(|(pid, _)| *pid)
    }

    fn running(&self) -> bool {
        self.started.is_some() && self.ended_at.is_none() && self.ended.is_none() && self.stopped.is_none()
    }

    fn between_looks(&self) -> Duration {
        if self.group.is_none() {
            return LOOK_AT_TREE;
        }
        // Even all processors together cannot use up the remaining CPU time sooner.
        let left = self.job.limits.cpu.saturating_sub(self.cpu) / self.sandbox.processors;
        left.clamp(Duration::from_millis(1), LOOK)
    }

    /// Returns the time until the next check is due.
    pub(super) fn pause(&self) -> Duration {
        if self.done {
            return TEAR_DOWN;
        }
        if let Some(started) = self.started.filter(|_| self.running()) {
            let deadline = self.job.limits.wall.saturating_add(self.waited).saturating_sub(started.elapsed());
            let look = self.between_looks().saturating_sub(self.last_look.elapsed());
            return deadline.min(look);
        }
        let (since, longest, look) = match (self.stopped, self.ended_at) {
            (Some((_, at)), _) | (None, Some((.., at))) => (at, TEAR_DOWN, TEAR_DOWN),
            (None, None) => (self.begun, SET_UP, LOOK),
        };
        // While the sandbox is set up, regular checks detect that the run was cancelled.
        longest.saturating_sub(since.elapsed()).min(look)
    }

    /// Checks the clock; returns false if waiting any longer is pointless.
    fn check_clock(&mut self) -> bool {
        let wall = self.job.limits.wall;
        if self.running() {
            if let Some(started) = self.started
                && started.elapsed() >= wall.saturating_add(self.waited)
            {
                // On a busy machine, the time that a program waits for a processor does not count, up to a
                // bound.
                let waited =
                    self.first.as_ref().map(|(first, _)| self.waiting.look(*first)).unwrap_or_default();
                self.waited = waited.min(wall.saturating_mul(WAITED_AT_MOST));
                if started.elapsed() >= wall.saturating_add(self.waited) {
                    self.stop(Stopped::Time);
                }
            }
            return true;
        }
        match (self.stopped, self.ended_at) {
            (Some((_, at)), _) | (None, Some((.., at))) if at.elapsed() >= TEAR_DOWN => {
                self.trouble.get_or_insert("the processes of a run did not end after the kill".to_owned());
                let _ = syscalls::kill(&self.bubblewrap);
                false
            }
            (None, None) if self.begun.elapsed() >= SET_UP + TEAR_DOWN => {
                let _ = syscalls::kill(&self.bubblewrap);
                false
            }
            (None, None) if self.begun.elapsed() >= SET_UP => {
                self.fail("the sandbox was not ready after 20 seconds".to_owned());
                true
            }
            _ => true,
        }
    }

    /// Handles all frames that have arrived.
    fn read_frames(&mut self) {
        let mut packet = vec![0u8; protocol::FRAME_BYTES + 1];
        loop {
            let Some(control) = &self.control else { return };
            let got = match syscalls::receive(control, &mut packet) {
                Ok(None) => return,
                Ok(Some(got)) if got.length > 0 => got,
                Ok(_) | Err(_) => {
                    self.control = None;
                    return;
                }
            };
            let packet = packet.get(..got.length).unwrap_or_default();
            match frames::read(packet) {
                Frame::Ready if self.started.is_none() => {
                    self.space = got.descriptor;
                    self.look_at_files();
                    self.given = self.files;
                    self.start(got.sender);
                }
                Frame::NotStarted(code) => self.not_started = Some(code),
                Frame::HostRefused(code) => {
                    let why = io::Error::from_raw_os_error(code);
                    self.fail(format!("the host refused the program a process or a limit: {why}"));
                }
                Frame::File { path, executable } => {
                    self.collected.push(Collected { path, executable, content: Vec::new() });
                }
                Frame::PassedOver => self.passed_over = self.passed_over.saturating_add(1),
                Frame::TooManyPaths => self.too_many_paths = true,
                Frame::Data => {
                    if let Some(file) = self.collected.last_mut() {
                        let bytes = packet.get(1..).unwrap_or_default();
                        file.content.extend_from_slice(bytes);
                        self.collected_bytes += bytes.len();
                    }
                }
                Frame::Ended { status, at_nanoseconds }
                    if self.started.is_some() && self.ended_at.is_none() =>
                {
                    self.ended_at = Some((status, at_nanoseconds, Instant::now()));
                }
                Frame::Result(ended) => {
                    self.ended_at.get_or_insert((ended.status, 0, Instant::now()));
                    self.ended = Some((ended, Instant::now()));
                }
                Frame::Ready | Frame::Ended { .. } | Frame::Invalid => {
                    self.fail("an invalid frame on the control socket".to_owned());
                }
            }
            if let Some(collect) = &self.job.collect
                && (self.too_many_paths
                    || self.collected.len() + self.passed_over > collect.files
                    || self.collected_bytes > collect.bytes)
            {
                self.stop(Stopped::Output);
                self.collected.clear();
            }
        }
    }

    fn start(&mut self, sender: Option<i32>) {
        let Some(pid) = sender.filter(|pid| *pid > 0) else {
            return self.fail("the first process of the sandbox has no visible id".to_owned());
        };
        match syscalls::process_handle(pid) {
            Ok(handle) => self.first = Some((pid, handle)),
            Err(error) => {
                return self.fail(format!("no handle on the first process of the sandbox: {error}"));
            }
        }
        // The run was ended while the sandbox was being set up.
        if self.trouble.is_some() || self.stopped.is_some() || self.done {
            return self.kill();
        }
        let entries = match self.group.as_ref().map_or(Ok(Vec::new()), |group| enter(group, pid)) {
            Ok(entries) => entries,
            Err(error) => return self.fail(format!("the control group does not take a process: {error}")),
        };
        if let Some(control) = &self.control
            && let Err(error) = syscalls::send(control, &self.order, &entries)
        {
            return self.fail(format!("the start order cannot be sent: {error}"));
        }
        self.started = Some(Instant::now());
        self.waiting = tree::Waiting::new();
    }

    /// Measures from outside how much the program has written.
    fn look_at_files(&mut self) {
        if self.bare {
            return;
        }
        if let Some(Ok((bytes, names))) = self.space.as_ref().map(syscalls::space_in) {
            self.files = bytes;
            self.names = self.names.max(names);
            if names > self.job.limits.names {
                self.stop(Stopped::Output);
            }
        }
    }

    fn look(&mut self) {
        let job = self.job;
        if let Some((first, _)) = self.first.as_ref().filter(|_| self.waiting.is_due()) {
            self.waiting.look(*first);
        }
        self.look_at_files();
        if let Some(group) = &self.group {
            match group.counters() {
                Ok(counters) => {
                    self.cpu = self.cpu.max(counters.cpu);
                    self.counters.update(counters);
                    if counters.oom_kills == 0
                        && let Ok(processes) = group.processes()
                    {
                        // A limit that was reached earlier says nothing about memory that was taken later.
                        self.memory_at_process_limit =
                            process_limit_reached(processes, job).then(|| group.own_memory()).flatten();
                    }
                }
                Err(error) => return self.fail(format!("the control group does not answer: {error}")),
            }
            if self.counters.killed_from_outside(job.limits.memory) {
                return self.fail(KILLED_FROM_OUTSIDE.to_owned());
            }
            if self.counters.oom_kills > 0 {
                self.stop(Stopped::Memory);
            }
        } else if let Some((first, _)) = &self.first {
            let sums = self.tree.look(*first, self.sandbox.processors);
            self.cpu = self.cpu.max(sums.cpu);
            self.memory = self.memory.max(sums.memory + self.files);
            if self.memory > job.limits.memory {
                self.stop(Stopped::Memory);
            }
        }
        if self.cpu > job.limits.cpu {
            self.stop(Stopped::Time);
        }
    }

    /// Reads the final counters and removes the group, which fails while a process in it lives.
    fn end_of_group(&mut self) {
        let job = self.job;
        let Some(group) = self.group.take() else { return };
        match group.counters() {
            Ok(counters) => {
                self.cpu = self.cpu.max(counters.cpu);
                self.counters.update(counters);
                self.memory = self.counters.memory_peak.saturating_sub(group.file_pages());
                if self.counters.killed_from_outside(job.limits.memory) {
                    self.trouble.get_or_insert(KILLED_FROM_OUTSIDE.to_owned());
                }
                // Needed only if the memory limit was reached.
                if counters.at_limit + counters.oom_kills > 0
                    && let Some((processes, kernel)) = group.peaks()
                    && process_limit_reached(processes, job)
                {
                    self.memory_at_process_limit = Some(counters.memory_peak.saturating_sub(kernel));
                }
            }
            Err(error) => {
                self.trouble.get_or_insert(format!("the control group does not answer: {error}"));
            }
        }
        if let Err(error) = group.close() {
            self.trouble.get_or_insert(format!("a process of a run did not end: {error}"));
        }
    }
}
