//! The first process inside every sandbox: a static program of a few kilobytes without libc.
//!
//! It reports that the sandbox is ready (READY) with a descriptor of the writable folder, which the runner
//! measures itself. Then it waits for the start order, forks the program into a separate session with
//! its limits, reaps everything that ends, and reports how the program ended (RESULT). The frames travel over
//! a socket that is closed in the program, so only this process can send them. When it exits, the kernel ends
//! every other process of its pid namespace; without one (FLAG_BARE), it ends its remaining children itself. The
//! runner enforces the time limits, so a program that slows this process down gains nothing: it only delays the
//! report of its end.
//!
//! Built by `build.rs` with the same compiler as the crate; `protocol.rs` defines the messages.
#![no_std]
#![no_main]
#![no_builtins]
#![deny(warnings)]

mod hardening;
#[allow(dead_code)]
#[path = "../src/sandbox/protocol.rs"]
mod protocol;
mod system;

use protocol::{
    CHANNEL, ENDED_BYTES, FLAG_BARE, FLAG_CHANNEL, FLAG_COLLECT, FLAG_COLLECT_ALWAYS, FLAG_TALKS, GROUPS, Places, RESULT_BYTES,
    STRINGS, UNLIMITED, failure, frame, put_word, read_order, word,
};
use system::option::*;
use system::{argument, decimal, exit};

/// The descriptor of the control socket; those of the program have lower numbers.
const CONTROL: usize = 10;
const FIRST_SPARE: usize = 11;

const MESSAGE_BYTES: usize = 128 * 1024;
const CHUNK: usize = 32 * 1024;
const PATHS_BYTES: usize = 256 * 1024;

/// Everything too large for a stack frame. There is one thread, and `entry` takes the only reference.
struct Memory {
    message: [u8; MESSAGE_BYTES],
    strings: Places,
    outgoing: [u8; CHUNK + 2],
    paths: [u8; PATHS_BYTES],
    entries: [u8; CHUNK],
}

static mut MEMORY: Memory = Memory {
    message: [0; MESSAGE_BYTES],
    strings: [0; 2 * STRINGS + 2],
    outgoing: [0; CHUNK + 2],
    paths: [0; PATHS_BYTES],
    entries: [0; CHUNK],
};

fn send(bytes: &[u8]) {
    loop {
        let sent = sys!(SENDTO, CONTROL, bytes.as_ptr(), bytes.len(), MSG_NOSIGNAL, 0, 0);
        if sent != -EINTR {
            return;
        }
    }
}

/// `struct msghdr` as the kernel reads it on 64-bit machines.
#[repr(C)]
struct Header {
    name: usize,
    name_length: usize,
    parts: *const [usize; 2],
    part_count: usize,
    control: *const Rights,
    control_length: usize,
    flags: usize,
}

/// A control message with descriptors: one if it is sent, up to [`GROUPS`] if it is received.
#[repr(C)]
struct Rights {
    length: usize,
    level: i32,
    kind: i32,
    descriptors: [i32; GROUPS],
}

/// The number of bytes before the descriptors.
const RIGHTS_HEADER: usize = 16;

const NO_RIGHTS: Rights = Rights { length: 0, level: 0, kind: 0, descriptors: [0; GROUPS] };

fn header(part: &[usize; 2], rights: &Rights) -> Header {
    Header {
        name: 0,
        name_length: 0,
        parts: part,
        part_count: 1,
        control: rights,
        control_length: core::mem::size_of::<Rights>(),
        flags: 0,
    }
}

/// Reports that the sandbox is ready and passes a descriptor of the writable folder, if there is one.
fn tell_ready() {
    let folder = sys!(OPENAT, AT_FDCWD, c"/tmp".as_ptr(), O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
    if folder < 0 {
        return send(&[frame::READY]);
    }
    let text = [frame::READY];
    let part = [text.as_ptr() as usize, 1];
    let mut rights = NO_RIGHTS;
    rights.length = RIGHTS_HEADER + 4;
    (rights.level, rights.kind) = (SOL_SOCKET, SCM_RIGHTS);
    rights.descriptors[0] = folder as i32;
    let header = Header { control_length: rights.length.next_multiple_of(8), ..header(&part, &rights) };
    loop {
        let sent = sys!(SENDMSG, CONTROL, &raw const header, MSG_NOSIGNAL);
        if sent != -EINTR {
            break;
        }
    }
    sys!(CLOSE, folder);
}

/// Joins the control groups whose lists of threads came with the order. If a thread is moved from outside,
/// the kernel waits for all processors; if it moves itself, the kernel does not.
fn join_groups(rights: &Rights) {
    // SAFETY: the kernel has written the length through the pointer in the header, which the compiler does
    // not know.
    let length = unsafe { core::ptr::read_volatile(&raw const rights.length) };
    let count = length.saturating_sub(RIGHTS_HEADER) / 4;
    let first = &raw const rights.descriptors as *const i32;
    for at in 0..count.min(GROUPS) {
        // SAFETY: within the array, see above.
        let list = unsafe { core::ptr::read_volatile(first.add(at)) };
        if sys!(WRITE, list, c"0".as_ptr(), 1) != 1 {
            exit(failure::NO_GROUP);
        }
        sys!(CLOSE, list);
    }
}

/// A start order: its words, and the addresses of its strings and lists of strings. Strings end with NUL.
struct Start {
    words: [u64; word::COUNT],
    directory: usize,
    arguments: usize,
    environment: usize,
    collect: usize,
}

impl Start {
    fn has(&self, flag: u64) -> bool {
        self.words[word::FLAGS] & flag != 0
    }
}

fn receive(message: &mut [u8; MESSAGE_BYTES], strings: &mut Places) -> Start {
    let part = [message.as_mut_ptr() as usize, MESSAGE_BYTES - 1];
    let mut rights = NO_RIGHTS;
    let got = loop {
        let mut header = header(&part, &rights);
        header.control = &raw mut rights;
        let got = sys!(RECVMSG, CONTROL, &raw mut header, MSG_CMSG_CLOEXEC);
        if got != -EINTR {
            break got;
        }
    };
    if got <= 0 {
        exit(failure::RUNNER_GONE);
    }
    join_groups(&rights);
    // The last string must end with NUL, whatever was sent.
    message[got as usize] = 0;
    let Some(order) = read_order(&message[..got as usize], strings) else { exit(failure::BAD_ORDER) };
    let base = message.as_ptr() as usize;
    // Lists of addresses as `execve` expects them, each ended by null.
    for (at, string) in strings.iter_mut().enumerate() {
        *string = if at == order.arguments || at > order.arguments + order.environment { 0 } else { base + *string };
    }
    let first = strings.as_ptr() as usize;
    Start {
        words: order.words,
        directory: base + order.directory,
        arguments: first,
        environment: first + (order.arguments + 1) * core::mem::size_of::<usize>(),
        collect: base + order.collect,
    }
}

/// Sets the limits of the program; `Err` is the error number of the one that the host refuses. The limit on
/// core files is inherited: `spawn.rs` set it before it started bubblewrap or this program.
fn set_limits(start: &Start) -> Result<(), isize> {
    const LIMITS: [(usize, usize); 6] = [
        (RLIMIT_CPU, word::SECONDS),
        (RLIMIT_DATA, word::DATA),
        (RLIMIT_FSIZE, word::FILE),
        (RLIMIT_NPROC, word::TASKS),
        (RLIMIT_NOFILE, word::DESCRIPTORS),
        (RLIMIT_STACK, word::STACK),
    ];
    for (resource, at) in LIMITS {
        if start.words[at] != UNLIMITED {
            set_limit(resource, start.words[at])?;
        }
    }
    if start.words[word::STACK] == UNLIMITED {
        // Raises the soft limit to the hard one.
        let mut pair = [0u64; 2];
        done(sys!(PRLIMIT64, 0, RLIMIT_STACK, 0, pair.as_mut_ptr()))?;
        set_limit(RLIMIT_STACK, pair[1])?;
    }
    set_limit(RLIMIT_MEMLOCK, 0)?;
    set_limit(RLIMIT_MSGQUEUE, 0)
}

fn set_limit(resource: usize, value: u64) -> Result<(), isize> {
    let pair = [value; 2];
    done(sys!(PRLIMIT64, 0, resource, pair.as_ptr(), 0))
}

fn done(answer: isize) -> Result<(), isize> {
    if answer < 0 { Err(-answer) } else { Ok(()) }
}

/// Returns the machine's monotonic clock, in nanoseconds.
fn now() -> u64 {
    let mut time = [0u64; 2];
    sys!(CLOCK_GETTIME, CLOCK_MONOTONIC, time.as_mut_ptr());
    time[0] * 1_000_000_000 + time[1]
}

/// The size of a report that the program was not started: the kind of the frame, and the error number.
const REPORT_BYTES: usize = 8;

fn become_program(start: &Start, program: usize, report: usize) -> ! {
    // A session of its own: otherwise the program could join the process group of this process and lower the
    // priority of both.
    sys!(SETSID);
    let mut failed = (frame::NOT_STARTED, -sys!(CHDIR, start.directory));
    if failed.1 == 0 && let Err(errno) = set_limits(start) {
        failed = (frame::HOST_REFUSED, errno);
    }
    if failed.1 == 0 {
        // Only the program's own descriptors stay open when it starts; the report's pipe is closed with the
        // others.
        let keep = if start.has(FLAG_CHANNEL) { CHANNEL + 1 } else { CHANNEL };
        sys!(CLOSE_RANGE, keep, LAST_DESCRIPTOR, CLOSE_RANGE_CLOEXEC);
        let none = 0u64;
        sys!(RT_SIGPROCMASK, SIG_SETMASK, &raw const none, 0, 8);
        failed.1 = -sys!(EXECVE, program, start.arguments, start.environment);
    }
    let told = [i32::from(failed.0), failed.1 as i32];
    sys!(WRITE, report, told.as_ptr(), REPORT_BYTES);
    exit(failure::NOT_STARTED)
}

/// `struct rusage`: two times as seconds and microseconds, then the resident size, then counters.
type Usage = [u64; 18];
const RESIDENT: usize = 4;

fn processor_time(usage: &Usage) -> u64 {
    usage[0] * 1_000_000 + usage[1] + usage[2] * 1_000_000 + usage[3]
}

/// The entry point. Its arguments are the descriptors of the control socket, of the result channel (`-` for
/// none), and of the filter if this process completes the isolation.
pub(crate) extern "C" fn entry(stack: *const usize) -> ! {
    // Not dumpable: the program has the same user and must not trace this process.
    sys!(PRCTL, PR_SET_DUMPABLE, 0, 0, 0, 0);
    let Some(control) = decimal(argument(stack, 1)) else { exit(failure::NO_CONTROL) };
    // SAFETY: there is one thread, `entry` runs once, and nothing else names `MEMORY`.
    let memory = unsafe { &mut *(&raw mut MEMORY) };
    if let Some(filter) = decimal(argument(stack, 3)) {
        hardening::harden(filter, &mut memory.message);
    }
    if let Some(channel) = decimal(argument(stack, 2)) {
        sys!(DUP3, channel, CHANNEL, 0);
    }
    if control != CONTROL {
        sys!(DUP3, control, CONTROL, O_CLOEXEC);
    }
    sys!(FCNTL, CONTROL, F_SETFD, FD_CLOEXEC);
    sys!(CLOSE_RANGE, FIRST_SPARE, LAST_DESCRIPTOR, 0);
    tell_ready();
    let start = receive(&mut memory.message, &mut memory.strings);
    let program_name = memory.strings[0];
    if start.has(FLAG_BARE) {
        // Without a pid namespace, this process must be a subreaper to reap orphans.
        sys!(PRCTL, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    }
    if start.has(FLAG_COLLECT) {
        sys!(MKDIRAT, AT_FDCWD, start.collect, 0o700);
    }

    let mut pipe = [0i32; 2];
    if sys!(PIPE2, pipe.as_mut_ptr(), O_CLOEXEC) != 0 {
        exit(failure::NO_PIPE);
    }
    let program = sys!(CLONE, SIGCHLD, 0, 0, 0, 0);
    if program == 0 {
        become_program(&start, program_name, pipe[1] as usize);
    }
    if program < 0 {
        failed(frame::HOST_REFUSED, -program as i32);
    }
    sys!(CLOSE, pipe[1]);
    let mut told = [0i32; 2];
    loop {
        let got = sys!(READ, pipe[0], told.as_mut_ptr(), REPORT_BYTES);
        if got == REPORT_BYTES as isize {
            failed(told[0] as u8, told[1]);
        }
        if got != -EINTR {
            break;
        }
    }
    sys!(CLOSE, pipe[0]);
    // From here only the program and its children hold the output pipes.
    sys!(CLOSE_RANGE, 0, CONTROL - 1, 0);
    watch(&start, program, memory)
}

fn failed(kind: u8, errno: i32) -> ! {
    let code = errno.to_le_bytes();
    send(&[kind, code[0], code[1], code[2], code[3]]);
    exit(0)
}

fn watch(start: &Start, program: isize, memory: &mut Memory) -> ! {
    let mut orphans = 0u64;
    let (own, status) = loop {
        let mut usage: Usage = [0; 18];
        let mut state = 0i32;
        let pid = sys!(WAIT4, -1isize, &raw mut state, 0, usage.as_mut_ptr());
        if pid == program {
            break (usage, state);
        }
        if pid > 0 {
            orphans += processor_time(&usage);
        } else if pid != -EINTR {
            // There is no child left, which is impossible before the program has ended.
            exit(failure::BAD_ORDER);
        }
    };
    // Sent before files are collected, so another program need not wait for them.
    if start.has(FLAG_TALKS) || start.has(FLAG_COLLECT) {
        let mut over = [frame::ENDED; ENDED_BYTES];
        put_word(&mut over, 1, 0, status as u32 as u64);
        put_word(&mut over, 1, 1, now());
        send(&over);
    }
    let bare = start.has(FLAG_BARE);
    if bare {
        sys!(KILL, -program, SIGKILL);
        end_children(&mut memory.entries);
    }
    if start.has(FLAG_COLLECT) && (status == 0 || start.has(FLAG_COLLECT_ALWAYS)) {
        sys!(KILL, if bare { -program } else { -1 }, SIGKILL);
        collect(start.collect, &mut memory.paths, &mut memory.entries, &mut memory.outgoing);
    }
    let mut result = [frame::RESULT; RESULT_BYTES];
    let words = [status as u32 as u64, processor_time(&own), orphans, own[RESIDENT]];
    for (at, value) in words.into_iter().enumerate() {
        put_word(&mut result, 1, at, value);
    }
    send(&result);
    exit(0)
}

/// Kills and reaps every process that became a child of this one; used without a pid namespace.
fn end_children(list: &mut [u8; CHUNK]) {
    loop {
        let file = sys!(OPENAT, 0, c"/proc/thread-self/children".as_ptr(), O_CLOEXEC, 0);
        if file < 0 {
            return;
        }
        let got = sys!(READ, file, list.as_mut_ptr(), CHUNK);
        sys!(CLOSE, file);
        if got <= 0 {
            return;
        }
        let mut pid = 0isize;
        for byte in &list[..got as usize] {
            if byte.is_ascii_digit() {
                pid = pid * 10 + isize::from(byte - b'0');
            } else if pid != 0 {
                sys!(KILL, pid, SIGKILL);
                pid = 0;
            }
        }
        if sys!(WAIT4, -1isize, 0, 0, 0) <= 0 {
            return;
        }
    }
}

/// Sends the regular files below the directory: a path, its bytes, then the next file. Paths are sent
/// unchanged; the runner checks them. Of links, pipes, devices, and files whose path is not UTF-8, only the
/// presence is reported. If `paths` has no room for an entry, that is reported, and no more files are sent.
fn collect(
    root: usize,
    paths: &mut [u8; PATHS_BYTES],
    entries: &mut [u8; CHUNK],
    outgoing: &mut [u8; CHUNK + 2],
) {
    const FOLDER: usize = O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    let top = sys!(OPENAT, AT_FDCWD, root, FOLDER, 0);
    if top < 0 {
        return;
    }
    // A queue of directory paths relative to the top, each ended by NUL.
    paths[0] = b'.';
    let (mut head, mut tail) = (0usize, 2usize);
    while head < tail {
        let here = head;
        while paths[head] != 0 {
            head += 1;
        }
        let length = head - here;
        head += 1;
        let directory = sys!(OPENAT, top, paths[here..].as_ptr(), FOLDER, 0);
        if directory < 0 {
            continue;
        }
        loop {
            let got = sys!(GETDENTS64, directory, entries.as_mut_ptr(), CHUNK);
            if got <= 0 {
                break;
            }
            let mut at = 0usize;
            while at < got as usize {
                // `struct linux_dirent64`: inode, offset, length of the record, kind, name.
                let record = usize::from(entries[at + 16]) | usize::from(entries[at + 17]) << 8;
                let kind = entries[at + 18];
                let name = at + 19;
                at += record;
                let mut size = 0usize;
                while entries[name + size] != 0 {
                    size += 1;
                }
                let name = &entries[name..name + size];
                if matches!(name, b"." | b"..") {
                    continue;
                }
                if tail + length + size + 2 > PATHS_BYTES {
                    send(&[frame::TOO_MANY_PATHS]);
                    return;
                }
                // Write the joined path at the tail; it stays in the queue only if it is a directory.
                let mut to = tail;
                for i in 0..length {
                    paths[to + i] = paths[here + i];
                }
                to += length;
                paths[to] = b'/';
                to += 1;
                for (i, byte) in name.iter().enumerate() {
                    paths[to + i] = *byte;
                }
                to += size;
                paths[to] = 0;
                to += 1;
                if kind == DT_DIR {
                    tail = to;
                } else if kind == DT_REG && core::str::from_utf8(&paths[tail..to]).is_ok() {
                    send_file(top, &paths[tail..to], outgoing);
                } else {
                    send(&[frame::PASSED_OVER]);
                }
            }
        }
        sys!(CLOSE, directory);
    }
}

/// Sends a file; `path` ends with NUL.
fn send_file(top: isize, path: &[u8], outgoing: &mut [u8; CHUNK + 2]) {
    let file = sys!(OPENAT, top, path.as_ptr(), O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0);
    if file < 0 {
        return;
    }
    // `struct statx`: the mode follows seven words of four bytes.
    let mut about = [0u8; 256];
    let known = sys!(STATX, file, c"".as_ptr(), AT_EMPTY_PATH, STATX_BASIC_STATS, about.as_mut_ptr());
    let mode = u16::from_le_bytes([about[28], about[29]]);
    if known == 0 && mode & S_IFMT == S_IFREG {
        outgoing[0] = frame::FILE;
        outgoing[1] = u8::from(mode & S_IXUSR != 0);
        let mut count = 2;
        for byte in path {
            if *byte == 0 || count == outgoing.len() {
                break;
            }
            outgoing[count] = *byte;
            count += 1;
        }
        send(&outgoing[..count]);
        loop {
            let read = sys!(READ, file, outgoing[1..].as_mut_ptr(), CHUNK);
            if read <= 0 {
                break;
            }
            outgoing[0] = frame::DATA;
            send(&outgoing[..read as usize + 1]);
        }
    }
    sys!(CLOSE, file);
}
