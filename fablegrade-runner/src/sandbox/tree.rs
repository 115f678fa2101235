//! The processes of a run as `/proc` shows them: their memory and CPU time, for hosts where the kernel does
//! not count these, the time for which they wait for a processor, and what they wait for.

use super::syscalls::{page_size, ticks_per_second};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// The number of processes after which a check stops searching for more.
const MOST: usize = 512;

/// The interval between checks of waiting times. The waiting time of a shorter-lived process can be missed.
const LOOK_AT_WAITING: Duration = Duration::from_millis(50);

/// Sums over the descendants of a sandbox's first process.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Sums {
    /// Includes the first process, the processes that have ended and were waited for, and an estimate of
    /// those that were not waited for.
    pub(crate) cpu: Duration,
    /// Proportional memory: each shared page counts once in total. Memory that processes share on purpose
    /// counts in full, because its pages can be held without being in any process's tables. Page tables count
    /// too, and each socket counts with the maximum number of bytes that can wait in it.
    pub(crate) memory: u64,
}

/// Measurements of a process.
#[derive(Debug, Clone, Copy)]
struct Seen {
    parent: i32,
    running: bool,
    /// Clock ticks of the process alone, and with the children that it waited for.
    own_ticks: u64,
    ticks: u64,
    /// Grows whenever a child is waited for.
    faults_of_children: u64,
}

/// The processes of a run, checked repeatedly.
#[derive(Debug)]
pub(crate) struct Watch {
    seen: BTreeMap<i32, Seen>,
    last: Instant,
    /// True once processes have ended that were not waited for; no counter includes their time.
    unreaped: bool,
    /// The measured part of the CPU time of those processes, in clock ticks.
    lost_ticks: u64,
    estimated: Duration,
    /// The size of each piece of memory that processes share, by its inode number.
    shared: BTreeMap<u64, u64>,
}

impl Watch {
    pub(crate) fn new() -> Self {
        Self {
            seen: BTreeMap::new(),
            last: Instant::now(),
            unreaped: false,
            lost_ticks: 0,
            estimated: Duration::ZERO,
            shared: BTreeMap::new(),
        }
    }

    /// Measures the whole tree. Every process of a pid namespace descends from its first process.
    pub(crate) fn look(&mut self, first: i32, processors: u32) -> Sums {
        let now: BTreeMap<i32, Seen> =
            members(first).into_iter().filter_map(|pid| Some((pid, look_at(pid)?))).collect();
        for (pid, before) in &self.seen {
            if now.contains_key(pid) {
                continue;
            }
            let parents = (self.seen.get(&before.parent), now.get(&before.parent));
            if let (Some(was), Some(is)) = parents
                && was.faults_of_children == is.faults_of_children
            {
                self.unreaped = true;
                self.lost_ticks += before.own_ticks;
            }
        }
        let passed = self.last.elapsed();
        self.last = Instant::now();
        if self.unreaped {
            // Processes that start and end between two checks are in no counter. A new process that is found
            // running counts as having run for the whole interval.
            let new = now.iter().filter(|(pid, seen)| seen.running && !self.seen.contains_key(pid)).count();
            self.estimated += passed * u32::try_from(new).unwrap_or(u32::MAX).min(processors);
        }
        let ticks = self.lost_ticks + now.values().map(|seen| seen.ticks).sum::<u64>();
        let mut memory = 0;
        let mut shared = BTreeMap::new();
        for pid in now.keys().filter(|pid| **pid != first) {
            memory += proportional(*pid).unwrap_or_else(|| whole_size(*pid)) + tables(*pid);
            shared_memory(*pid, &mut shared);
        }
        memory += sockets(first).saturating_mul(*SOCKET_BYTES);
        // A piece that was mostly unmapped keeps its pages as long as any part of it is mapped.
        for (number, size) in &mut shared {
            *size = (*size).max(self.shared.get(number).copied().unwrap_or_default());
        }
        memory += shared.values().sum::<u64>();
        self.shared = shared;
        self.seen = now;
        Sums {
            cpu: Duration::from_nanos(ticks * (1_000_000_000 / ticks_per_second())) + self.estimated,
            memory,
        }
    }
}

/// The time for which a program was ready to run but had no processor. It is measured repeatedly, because the
/// waiting times of ended processes are unknown.
#[derive(Debug)]
pub(crate) struct Waiting {
    threads: BTreeMap<i32, Waits>,
    last: Instant,
    /// Nanoseconds from the start to the last check.
    elapsed: u64,
    /// Nanoseconds of waiting.
    total: u64,
}

/// The kernel's counters of a thread. They change only when the thread gets or leaves a processor, apart from
/// regular updates of `ran`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Counters {
    /// Nanoseconds on a processor.
    ran: u64,
    /// Nanoseconds of waiting for a processor, without a wait that has not ended.
    waited: u64,
    /// True if the thread runs or waits for a processor.
    is_ready: bool,
}

/// The waiting of a thread, in nanoseconds.
#[derive(Debug, Clone, Copy, Default)]
struct Waits {
    counters: Counters,
    /// The known part of a wait that has not ended.
    pending: u64,
    /// The largest sum so far of the counted waits and the pending one.
    counted: u64,
    /// The time between checks for which the thread was there.
    known: u64,
}

impl Waiting {
    pub(crate) fn new() -> Self {
        Self { threads: BTreeMap::new(), last: Instant::now(), elapsed: 0, total: 0 }
    }

    /// Returns the sum so far. For each interval between checks, it includes the time of the thread that
    /// waited longest.
    pub(crate) fn look(&mut self, first: i32) -> Duration {
        let mut now = BTreeMap::new();
        for pid in members(first) {
            for task in fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten() {
                let Some(thread) = task.file_name().to_str().and_then(|name| name.parse().ok()) else {
                    continue;
                };
                // nanoseconds on a processor, nanoseconds of waiting for one, number of time slices
                let text = fs::read_to_string(task.path().join("schedstat")).unwrap_or_default();
                let mut fields = text.split_ascii_whitespace().map(|field| field.parse::<u64>().ok());
                let mut field = || fields.next().flatten().unwrap_or_default();
                let (ran, waited) = (field(), field());
                now.insert(thread, Counters { ran, waited, is_ready: state(&task.path()) == Some('R') });
            }
        }
        let passed = self.last.elapsed();
        self.last = Instant::now();
        self.add(&now, u64::try_from(passed.as_nanos()).unwrap_or(u64::MAX));
        Duration::from_nanos(self.total)
    }

    /// Adds the longest wait since the last check, `passed` nanoseconds ago.
    fn add(&mut self, now: &BTreeMap<i32, Counters>, passed: u64) {
        let mut longest = 0;
        // A thread that has ended is assumed to have waited at the same rate as before.
        for (_, waits) in self.threads.iter().filter(|(thread, _)| !now.contains_key(thread)) {
            let share = u128::from(waits.counted) * u128::from(passed) / u128::from(waits.known.max(1));
            longest = longest.max(u64::try_from(share).unwrap_or(u64::MAX).min(passed));
        }
        let threads = now.iter().map(|(thread, counters)| {
            let before = self.threads.get(thread).copied().unwrap_or_default();
            // A thread that is ready at two checks, with unchanged counters, has waited for the whole time
            // between them.
            let still = counters.is_ready && *counters == before.counters;
            let pending = if still { before.pending.saturating_add(passed) } else { 0 };
            let counted = counters.waited.saturating_add(pending).max(before.counted);
            longest = longest.max(counted - before.counted);
            let known = before.known.saturating_add(passed);
            (*thread, Waits { counters: *counters, pending, counted, known })
        });
        self.threads = threads.collect();
        // A wait is often counted in a later interval, which can be shorter than the wait.
        self.elapsed = self.elapsed.saturating_add(passed);
        self.total = self.total.saturating_add(longest).min(self.elapsed);
    }

    /// Returns whether the next check is due.
    pub(crate) fn is_due(&self) -> bool {
        self.last.elapsed() >= LOOK_AT_WAITING
    }
}

/// Returns the letter for the state of a thread, from its folder in `/proc`.
fn state(task: &Path) -> Option<char> {
    let stat = fs::read_to_string(task.join("stat")).ok()?;
    stat.rsplit_once(')')?.1.trim_ascii_start().chars().next()
}

/// What a thread waits for; what a program waits for is the greatest of what its threads wait for.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum WaitsFor {
    /// Something other than input, such as another thread.
    #[default]
    Other,
    /// Input, without a time limit.
    Input,
    /// Input, with a time limit.
    InputForAWhile,
    /// Nothing that another program could do: it runs, sleeps for a fixed time or waits for a disk, or the kernel
    /// does not tell.
    Nothing,
}

/// Returns what the programs below the first process wait for. Their input is the pipe with this inode number.
pub(crate) fn waits_for(first: i32, input: u64) -> WaitsFor {
    let mut all = WaitsFor::default();
    for pid in members(first).into_iter().filter(|pid| *pid != first) {
        for task in fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten() {
            let task = task.path();
            match state(&task) {
                Some('S') => {}
                Some('Z' | 'X') => continue,
                _ => return WaitsFor::Nothing,
            }
            // A program can read its input with any number: as `/dev/stdin`, or as a copy.
            let is_input = |number: u64| {
                fs::metadata(task.join(format!("fd/{number}"))).is_ok_and(|file| file.ino() == input)
            };
            let call = fs::read_to_string(task.join("syscall")).unwrap_or_default();
            all = all.max(waits_in(&call, is_input));
        }
    }
    all
}

/// The time limit of a call that waits for descriptors.
#[derive(Debug, Clone, Copy)]
enum Timeout {
    /// The argument with this index counts milliseconds; there is no limit if it is negative.
    Milliseconds(usize),
    /// The argument with this index is the address of a time; there is no limit if it is null.
    Address(usize),
}

/// Calls that read from one descriptor, their first argument.
const READS: &[i64] = &[libc::SYS_read, libc::SYS_readv];
/// Calls that end after some time.
const SLEEPS: &[i64] = &[libc::SYS_nanosleep, libc::SYS_clock_nanosleep];
/// Calls that wait for descriptors: the index of the argument that counts these (`epoll` calls have none),
/// and the time limit.
const WAITS: &[(i64, Option<usize>, Timeout)] = &[
    (libc::SYS_ppoll, Some(1), Timeout::Address(2)),
    (libc::SYS_pselect6, Some(0), Timeout::Address(4)),
    (libc::SYS_epoll_pwait, None, Timeout::Milliseconds(3)),
    (libc::SYS_epoll_pwait2, None, Timeout::Address(3)),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_poll, Some(1), Timeout::Milliseconds(2)),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_select, Some(0), Timeout::Address(4)),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_epoll_wait, None, Timeout::Milliseconds(3)),
];

/// Returns what a sleeping thread waits for, from the text of its `syscall`: the number and the arguments.
/// `is_input` tells whether a descriptor is the program's input.
fn waits_in(call: &str, is_input: impl Fn(u64) -> bool) -> WaitsFor {
    let argument = |at: usize| {
        let word = call.split_ascii_whitespace().nth(at + 1)?;
        u64::from_str_radix(word.strip_prefix("0x")?, 16).ok()
    };
    let known = || {
        let number: i64 = call.split_ascii_whitespace().next()?.parse().ok()?;
        if SLEEPS.contains(&number) {
            return None;
        }
        if READS.contains(&number) {
            return Some(if is_input(argument(0)?) { WaitsFor::Input } else { WaitsFor::Other });
        }
        let Some((_, count, timeout)) = WAITS.iter().find(|(known, ..)| *known == number) else {
            return Some(WaitsFor::Other);
        };
        let forever = match timeout {
            Timeout::Milliseconds(at) => (argument(*at)? as u32 as i32) < 0,
            Timeout::Address(at) => argument(*at)? == 0,
        };
        // Without descriptors, these calls only sleep. The number is an `int`, or for `poll` an `unsigned long`.
        let none = count.map_or(Some(false), |at| Some(argument(at)? as u32 == 0))?;
        match (none, forever) {
            (false, true) => Some(WaitsFor::Input),
            (false, false) => Some(WaitsFor::InputForAWhile),
            (true, true) => Some(WaitsFor::Other),
            (true, false) => None,
        }
    };
    known().unwrap_or(WaitsFor::Nothing)
}

/// Returns the first process and its descendants; stops the search once there are more than [`MOST`].
pub(crate) fn members(first: i32) -> Vec<i32> {
    let mut all = vec![first];
    let mut at = 0;
    while let Some(pid) = all.get(at).copied() {
        at += 1;
        for task in fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten() {
            let children = fs::read_to_string(task.path().join("children")).unwrap_or_default();
            all.extend(children.split_ascii_whitespace().filter_map(|pid| pid.parse::<i32>().ok()));
        }
        if all.len() > MOST {
            break;
        }
    }
    all
}

fn look_at(pid: i32) -> Option<Seen> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name is in parentheses and can contain anything, even parentheses. Field 3 is the first one after
    // it.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_ascii_whitespace().collect();
    let number = |field: usize| fields.get(field - 3)?.parse::<u64>().ok();
    let (user, system, user_of_children, system_of_children) =
        (number(14)?, number(15)?, number(16)?, number(17)?);
    Some(Seen {
        parent: fields.get(1)?.parse().ok()?,
        running: fields.first() == Some(&"R"),
        own_ticks: user + system,
        ticks: user + system + user_of_children + system_of_children,
        faults_of_children: number(11)?,
    })
}

/// Returns the proportional memory in bytes, without memory that is shared on purpose.
fn proportional(pid: i32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
    let kib = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_ascii_whitespace().next()?.parse::<u64>().ok()
    };
    Some(kib("Pss:")?.saturating_sub(kib("Pss_Shmem:").unwrap_or_default()) << 10)
}

/// Collects the pieces of memory that a process shares with its children: their inode numbers, and where the
/// last mapped page of each ends.
fn shared_memory(pid: i32, pieces: &mut BTreeMap<u64, u64>) {
    let text = fs::read_to_string(format!("/proc/{pid}/maps")).unwrap_or_default();
    for line in text.lines().filter(|line| line.contains("/dev/zero")) {
        let mut fields = line.split_ascii_whitespace();
        let hexadecimal = |text: &str| u64::from_str_radix(text, 16).ok();
        let piece = (|| {
            let (from, to) = fields.next()?.split_once('-')?;
            let shared = fields.next()?.ends_with('s');
            let offset = hexadecimal(fields.next()?)?;
            let number: u64 = fields.nth(1)?.parse().ok()?;
            let end = offset + hexadecimal(to)?.saturating_sub(hexadecimal(from)?);
            shared.then_some((number, end))
        })();
        if let Some((number, end)) = piece {
            let known = pieces.entry(number).or_default();
            *known = (*known).max(end);
        }
    }
}

/// The consequences for operators where [`may_inspect`] is false. The first applies only where the kernel
/// does not count memory, the second everywhere.
pub(super) const NOT_INSPECTED: &str = "without the capability SYS_PTRACE, the memory of a program is its whole address \
                                        space, which runtimes such as Node.js and Java reserve in large pieces \
                                        (Docker: `--cap-add SYS_PTRACE`)";

pub(super) const WAITING_NOT_SEEN: &str = "without the capability SYS_PTRACE, two programs that wait for each other are \
                                           ended only by their time limits (Docker: `--cap-add SYS_PTRACE`)";

/// Returns whether this process can see memory and system calls of other users' processes, from the text of its
/// `status`.
pub(super) fn may_inspect(status: &str) -> bool {
    const CAP_SYS_PTRACE: u32 = 19;
    let effective = status.lines().find_map(|line| line.strip_prefix("CapEff:"));
    effective
        .and_then(|text| u64::from_str_radix(text.trim(), 16).ok())
        .is_none_or(|all| all >> CAP_SYS_PTRACE & 1 == 1)
}

/// Returns the total mapped size in bytes; used for a process that made itself unreadable, because it could
/// hide shared pages.
fn whole_size(pid: i32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{pid}/statm")).unwrap_or_default();
    whole_size_of(&text, page_size())
}

/// Reads the total size from the text of `statm`, which counts pages.
fn whole_size_of(statm: &str, page_size: u64) -> u64 {
    let pages = statm.split_ascii_whitespace().next().and_then(|pages| pages.parse::<u64>().ok());
    pages.unwrap_or_default().saturating_mul(page_size)
}

/// Returns the size of a process's page tables in bytes, which grow with the pages that it touches, not with
/// those that it holds.
fn tables(pid: i32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    named_number(&text, "VmPTE:") << 10
}

/// Returns the number of a sandbox's sockets, including those that are in transit inside other sockets.
fn sockets(first: i32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{first}/net/sockstat")).unwrap_or_default();
    named_number(&text, "sockets: used")
}

/// The maximum number of bytes that can wait in one socket: twice the largest size that a program can
/// request, because the kernel counts its own overhead too. The actual number is not reported anywhere.
static SOCKET_BYTES: LazyLock<u64> = LazyLock::new(|| {
    let read = |name: &str| {
        let text = fs::read_to_string(format!("/proc/sys/net/core/{name}")).unwrap_or_default();
        text.trim().parse::<u64>().unwrap_or(212_992)
    };
    read("wmem_default").max(read("wmem_max").saturating_mul(2))
});

fn named_number(text: &str, name: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|rest| rest.split_ascii_whitespace().next()?.parse().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{
        Counters, Waiting, WaitsFor, Watch, may_inspect, page_size, waits_in, whole_size, whole_size_of,
    };
    use std::collections::BTreeMap;
    use std::process::Command;

    #[test]
    fn pages_have_the_size_of_the_machine() {
        assert_eq!(whole_size_of("12 5 3 1 0 4 0\n", 65_536), 12 * 65_536);
        assert_eq!(whole_size_of("", 4_096), 0);
        assert_eq!(whole_size_of("18446744073709551615 0", 16_384), u64::MAX);
        assert!(page_size().is_power_of_two() && page_size() >= 4_096);
        // `VmSize` is the same size in KiB. This process can grow between the two readings.
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let kib = super::named_number(&status, "VmSize:");
        let whole = whole_size(std::process::id() as i32) >> 10;
        assert!(whole.abs_diff(kib) < kib / 2, "{whole} {kib}");
    }

    /// Returns the sum after checks of one thread: the time since the check before, the time on a processor, the
    /// counted waiting, and whether the thread is ready.
    fn waited(checks: &[(u64, u64, u64, bool)]) -> u64 {
        let mut waiting = Waiting::new();
        for &(passed, ran, waited, is_ready) in checks {
            waiting.add(&BTreeMap::from([(1, Counters { ran, waited, is_ready })]), passed);
        }
        waiting.total
    }

    #[test]
    fn a_wait_counts_while_it_lasts_and_once() {
        let (ready, asleep) = (true, false);
        // The wait lasts for several checks.
        assert_eq!(waited(&[(50, 20, 0, ready), (50, 20, 0, ready), (50, 20, 0, ready)]), 100);
        assert_eq!(waited(&[(50, 20, 0, ready), (50, 20, 0, ready), (50, 30, 70, ready)]), 70);
        // The wait ends in an interval that is shorter.
        assert_eq!(waited(&[(50, 20, 0, ready), (4, 21, 33, ready)]), 33);
        // A thread that sleeps, or was asleep before, does not count as waiting.
        assert_eq!(waited(&[(50, 20, 0, ready), (50, 20, 0, asleep), (50, 20, 0, ready)]), 0);
        // Waiting that the counters report late is not counted twice.
        assert_eq!(waited(&[(50, 20, 0, ready), (2, 20, 0, ready), (50, 60, 9, ready)]), 9);
        // Nothing waits for longer than the run.
        assert_eq!(waited(&[(50, 1, 200, ready)]), 50);
    }

    #[test]
    fn memory_of_other_users_is_read_with_a_capability() {
        // All capabilities, and those of a container in Docker.
        assert!(may_inspect("Name:\tx\nCapPrm:\t0\nCapEff:\t000001ffffffffff\n"));
        assert!(!may_inspect("Name:\tx\nCapPrm:\t000001ffffffffff\nCapEff:\t00000000a80425fb\n"));
    }

    #[test]
    fn calls_wait_for_input_with_and_without_a_time_limit_or_for_something_else() {
        let call = |number: i64, arguments: [&str; 5]| {
            let call = format!("{number} {} 0x0 0x7ffd0 0x7f11\n", arguments.join(" "));
            waits_in(&call, |number| [0, 5].contains(&number))
        };
        let (fds, none) = ("0x7ffd00", "0x0");
        for (number, at, never, limited) in [
            (libc::SYS_ppoll, 2, "0x0", "0x7ffd00"),
            (libc::SYS_pselect6, 4, "0x0", "0x7ffd00"),
            (libc::SYS_epoll_pwait, 3, "0xffffffff", "0x64"),
            (libc::SYS_epoll_pwait, 3, "0xffffffffffffffff", "0x0"),
            (libc::SYS_epoll_pwait2, 3, "0x0", "0x7ffd00"),
            #[cfg(target_arch = "x86_64")]
            (libc::SYS_poll, 2, "0xffffffff", "0xc350"),
            #[cfg(target_arch = "x86_64")]
            (libc::SYS_select, 4, "0x0", "0x7ffd00"),
            #[cfg(target_arch = "x86_64")]
            (libc::SYS_epoll_wait, 3, "0xffffffff", "0x64"),
        ] {
            let with = |timeout: &'static str| {
                let mut arguments = [fds, "0x1", "0x1", "0x1", "0x1"];
                arguments[at] = timeout;
                call(number, arguments)
            };
            let wanted = [WaitsFor::Input, WaitsFor::InputForAWhile];
            assert_eq!([with(never), with(limited)], wanted, "{number}");
        }
        for read in [libc::SYS_read, libc::SYS_readv] {
            let of = |descriptor| call(read, [descriptor, fds, none, none, none]);
            // 0 and 5 are the input.
            assert_eq!([of(none), of("0x5")], [WaitsFor::Input; 2]);
            assert_eq!(of("0x3"), WaitsFor::Other);
        }
        assert_eq!(call(libc::SYS_futex, [fds; 5]), WaitsFor::Other);
        assert_eq!(call(libc::SYS_nanosleep, [fds; 5]), WaitsFor::Nothing);
        // Without descriptors, the calls sleep or wait for a signal.
        assert_eq!(call(libc::SYS_ppoll, [none, none, fds, none, none]), WaitsFor::Nothing);
        assert_eq!(call(libc::SYS_pselect6, [none, none, none, none, fds]), WaitsFor::Nothing);
        assert_eq!(call(libc::SYS_ppoll, [none, none, none, none, none]), WaitsFor::Other);
        // The kernel does not tell it, or the thread runs by now.
        assert_eq!(["", "running\n", "0\n"].map(|call| waits_in(call, |_| true)), [WaitsFor::Nothing; 3]);
    }

    #[test]
    fn a_thread_that_ended_has_waited_at_the_rate_of_its_life() {
        let mut waiting = Waiting::new();
        waiting.add(&BTreeMap::from([(1, Counters { ran: 10, waited: 30, is_ready: true })]), 40);
        waiting.add(&BTreeMap::from([(1, Counters { ran: 11, waited: 30, is_ready: false })]), 20);
        waiting.add(&BTreeMap::new(), 20);
        assert_eq!(waiting.total, 40);
        waiting.add(&BTreeMap::new(), 20);
        assert_eq!(waiting.total, 40);
    }

    #[test]
    fn a_child_holds_some_memory() {
        let mut child = Command::new("sleep").arg("30").spawn().unwrap();
        let found = Watch::new().look(std::process::id() as i32, 2);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(found.memory > 0);
    }
}
