//! Messages between the runner and the first process of a sandbox. This module is compiled into both, so they
//! interpret a message the same way. It needs only `core`.

/// The first word of a start order; it changes whenever an older first process would misread an order.
pub(crate) const MAGIC: u64 = 0x4661_626c_6505;

/// Indices of the words at the beginning of a start order; most of the words are limits.
pub(crate) mod word {
    pub(crate) const MAGIC: usize = 0;
    /// CPU time of one process, in seconds.
    pub(crate) const SECONDS: usize = 1;
    /// Bytes of data of one process.
    pub(crate) const DATA: usize = 2;
    /// Bytes of one file.
    pub(crate) const FILE: usize = 3;
    /// Processes of the user.
    pub(crate) const TASKS: usize = 4;
    /// Open descriptors of one process.
    pub(crate) const DESCRIPTORS: usize = 5;
    /// Bytes of the main thread's stack; `UNLIMITED` for as much as the host allows.
    pub(crate) const STACK: usize = 6;
    pub(crate) const FLAGS: usize = 7;
    /// The number of argument strings, and of environment strings.
    pub(crate) const ARGUMENTS: usize = 8;
    pub(crate) const ENVIRONMENT: usize = 9;
    pub(crate) const COUNT: usize = 10;
}

/// The value that means no limit.
pub(crate) const UNLIMITED: u64 = u64::MAX;

/// The program gets descriptor [`CHANNEL`].
pub(crate) const FLAG_CHANNEL: u64 = 1;
/// The files of a folder are sent back after exit code 0.
pub(crate) const FLAG_COLLECT: u64 = 2;
/// The program runs without a pid namespace, so its processes do not end with the first process.
pub(crate) const FLAG_BARE: u64 = 4;
/// With [`FLAG_COLLECT`]: collects files whatever the exit code is.
pub(crate) const FLAG_COLLECT_ALWAYS: u64 = 8;
/// The program communicates with another program, so its end is reported at once.
pub(crate) const FLAG_TALKS: u64 = 16;

/// The descriptor of the result channel in the program.
pub(crate) const CHANNEL: usize = 3;

/// The maximum size of a start order in bytes, and the maximum number of strings of each kind.
pub(crate) const ORDER_BYTES: usize = 100_000;
pub(crate) const STRINGS: usize = 200;
/// The maximum number of control groups whose lists of threads come with a start order, as descriptors.
pub(crate) const GROUPS: usize = 4;
/// The maximum number of bytes of one frame.
pub(crate) const FRAME_BYTES: usize = 32 * 1024 + 2;

/// The first byte of each frame that the first process sends.
pub(crate) mod frame {
    /// The sandbox is ready; carries a descriptor of the folder that the program can write to, if
    /// there is one.
    pub(crate) const READY: u8 = b'1';
    /// The program could not be started; carries the error number.
    pub(crate) const NOT_STARTED: u8 = b'X';
    /// The host refused a process or a limit, so the program was not started; carries the error number.
    pub(crate) const HOST_REFUSED: u8 = b'H';
    /// The program has ended; carries [`ENDED_WORDS`](super::ENDED_WORDS) words. Files can follow, then the
    /// result. Sent only with [`FLAG_COLLECT`](super::FLAG_COLLECT) or [`FLAG_TALKS`](super::FLAG_TALKS).
    pub(crate) const ENDED: u8 = b'E';
    /// A file follows; carries whether it is executable, and its path.
    pub(crate) const FILE: u8 = b'F';
    /// An entry of the collected folder is left out: it is neither a file nor a folder, or its path is not UTF-8.
    pub(crate) const PASSED_OVER: u8 = b'P';
    /// The collected folder has more folders, or longer paths, than this process can list; the rest is not collected.
    pub(crate) const TOO_MANY_PATHS: u8 = b'M';
    /// Bytes of the current file.
    pub(crate) const DATA: u8 = b'D';
    /// The program's status and the resources that it used; carries [`RESULT_WORDS`](super::RESULT_WORDS)
    /// words.
    pub(crate) const RESULT: u8 = b'R';
}

/// Words of a result: status, CPU time of the program and of orphans (microseconds), resident KiB.
pub(crate) const RESULT_WORDS: usize = 4;
pub(crate) const RESULT_BYTES: usize = 1 + 8 * RESULT_WORDS;
/// Words of an end: status, and the time on the machine's monotonic clock in nanoseconds.
pub(crate) const ENDED_WORDS: usize = 2;
pub(crate) const ENDED_BYTES: usize = 1 + 8 * ENDED_WORDS;

/// Files of `/proc` that reveal the identity of the machine, or counters that one case could change and
/// another read. A `/proc` that shows only processes (`subset=pid`) omits them; where it cannot be mounted,
/// they are covered.
pub(crate) const MACHINE_FILES: &[&str] = &[
    "bootconfig",
    "buddyinfo",
    "cgroups",
    "cmdline",
    "config.gz",
    "cpuinfo",
    "diskstats",
    "interrupts",
    "key-users",
    "keys",
    "latency_stats",
    "loadavg",
    "locks",
    "mdstat",
    "meminfo",
    "modules",
    "partitions",
    "sched_debug",
    "schedstat",
    "softirqs",
    "stat",
    "swaps",
    "timer_stats",
    "uptime",
    "vmstat",
    "zoneinfo",
];
pub(crate) const MACHINE_FOLDERS: &[&str] =
    &["acpi", "asound", "bus", "driver", "fs", "irq", "pressure", "scsi", "sys", "tty"];

/// The devices that programs see. Their inodes are the host's.
pub(crate) const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// Exit codes of a first process that cannot continue.
pub(crate) mod failure {
    pub(crate) const NO_CONTROL: usize = 110;
    pub(crate) const RUNNER_GONE: usize = 111;
    pub(crate) const BAD_ORDER: usize = 112;
    pub(crate) const PANIC: usize = 113;
    pub(crate) const NOT_STARTED: usize = 115;
    pub(crate) const NO_PIPE: usize = 116;
    pub(crate) const NOT_HARDENED: usize = 117;
    pub(crate) const NO_GROUP: usize = 118;
}

/// A parsed start order: its words, the offsets of both folders in the message, and the numbers of
/// arguments and environment strings. Each string ends with NUL or with the message.
pub(crate) struct Order {
    pub(crate) words: [u64; word::COUNT],
    pub(crate) directory: usize,
    pub(crate) arguments: usize,
    pub(crate) environment: usize,
    pub(crate) collect: usize,
}

/// Offsets of all strings: the arguments, an unused entry, the environment, an unused entry.
pub(crate) type Places = [usize; 2 * STRINGS + 2];

/// Parses a start order and stores the offsets of its strings; `None` if the message is not a start order.
/// Every offset is within the message or at its end.
pub(crate) fn read_order(message: &[u8], places: &mut Places) -> Option<Order> {
    let mut words = [0u64; word::COUNT];
    for (at, value) in words.iter_mut().enumerate() {
        *value = word_at(message, 0, at)?;
    }
    let count = |at: usize| usize::try_from(words[at]).ok().filter(|count| *count <= STRINGS);
    let (arguments, environment) = (count(word::ARGUMENTS)?, count(word::ENVIRONMENT)?);
    if words[word::MAGIC] != MAGIC || arguments == 0 {
        return None;
    }
    let mut cursor = word::COUNT * 8;
    let mut next = || {
        let start = cursor.min(message.len());
        let rest = message.get(start..).unwrap_or_default();
        cursor = start + rest.iter().position(|byte| *byte == 0).map_or(rest.len(), |end| end + 1);
        start
    };
    let directory = next();
    places.iter_mut().take(arguments).for_each(|place| *place = next());
    places.iter_mut().skip(arguments + 1).take(environment).for_each(|place| *place = next());
    Some(Order { words, directory, arguments, environment, collect: next() })
}

/// Writes the word with the given number, counted from `start`; does nothing if the buffer ends before it.
pub(crate) fn put_word(buffer: &mut [u8], start: usize, number: usize, value: u64) {
    let at = start + 8 * number;
    if let Some(place) = buffer.get_mut(at..at + 8) {
        place.copy_from_slice(&value.to_le_bytes());
    }
}

/// Reads the word with the given number, counted from `start`; `None` if the buffer ends before it.
pub(crate) fn word_at(buffer: &[u8], start: usize, number: usize) -> Option<u64> {
    let at = number.checked_mul(8)?.checked_add(start)?;
    let bytes = buffer.get(at..at.checked_add(8)?)?;
    Some(u64::from_le_bytes(bytes.try_into().ok()?))
}
