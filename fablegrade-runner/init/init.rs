//! The first process inside every sandbox: a static program of a few kilobytes without libc.
//!
//! It tells the runner that the sandbox stands (READY), waits for the order to start (START), forks the
//! program into its own process group with its limits, reaps whatever ends, and reports how the program
//! ended (RESULT). The frames travel over a socket that is closed in the program, so what arrives there
//! was said by this file. When it exits, the kernel ends every other process of the namespace.
//!
//! Built by `build.rs` with the same compiler as the crate; see `frames.rs` for the other end.
#![no_std]
#![no_main]
#![no_builtins]
#![deny(warnings)]

mod system;
use system::{argument, decimal, exit, number};

const CONTROL: usize = 10;
const FIRST_SPARE: usize = 11;
const CHANNEL: usize = 3;
const NO_LIMIT: u64 = u64::MAX;

const HEADER_WORDS: usize = 12;
const MAGIC: u64 = 0x4661_626c_6501;
const FLAG_CHANNEL: u64 = 1;
const FLAG_COLLECT: u64 = 2;
const FLAG_BARE: u64 = 4;

const MESSAGE_BYTES: usize = 128 * 1024;
const POINTERS: usize = 512;
const CHUNK: usize = 32 * 1024;
const PATHS_BYTES: usize = 64 * 1024;
const TICK_NANOSECONDS: u64 = 10_000_000;
const REPORTED_STEP: u64 = 1024 * 1024;

static mut MESSAGE: [u8; MESSAGE_BYTES] = [0; MESSAGE_BYTES];
static mut STRINGS: [usize; POINTERS] = [0; POINTERS];
static mut OUTGOING: [u8; CHUNK + 16] = [0; CHUNK + 16];
static mut PATHS: [u8; PATHS_BYTES] = [0; PATHS_BYTES];
static mut ENTRIES: [u8; CHUNK] = [0; CHUNK];

fn send(bytes: *const u8, count: usize, flags: usize) -> isize {
    const MSG_NOSIGNAL: usize = 0x4000;
    loop {
        let sent = sys!(SENDTO, CONTROL, bytes, count, flags | MSG_NOSIGNAL, 0, 0);
        if sent != -4 {
            return sent;
        }
    }
}

fn put(buffer: &mut [u8], at: usize, value: u64) {
    let bytes = value.to_le_bytes();
    let mut i = 0;
    while i < 8 {
        buffer[at + i] = bytes[i];
        i += 1;
    }
}

struct Start {
    words: [u64; HEADER_WORDS],
    directory: usize,
    arguments: usize,
    environment: usize,
    collect: usize,
}

fn receive() -> Start {
    let message = &raw mut MESSAGE as *mut u8;
    let got = loop {
        let got = sys!(RECVFROM, CONTROL, message, MESSAGE_BYTES - 1, 0, 0, 0);
        if got != -4 {
            break got;
        }
    };
    // Nothing received: the runner is gone.
    if got < (HEADER_WORDS * 8) as isize {
        exit(111);
    }
    let end = got as usize;
    let mut words = [0u64; HEADER_WORDS];
    for (at, word) in words.iter_mut().enumerate() {
        let mut bytes = [0u8; 8];
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = unsafe { *message.add(at * 8 + i) };
        }
        *word = u64::from_le_bytes(bytes);
    }
    if words[0] != MAGIC {
        exit(112);
    }
    unsafe { *message.add(end) = 0 };
    let mut cursor = HEADER_WORDS * 8;
    let mut next = || {
        let start = cursor;
        while cursor < end && unsafe { *message.add(cursor) } != 0 {
            cursor += 1;
        }
        if cursor < end {
            cursor += 1;
        }
        message as usize + start
    };
    let directory = next();
    let strings = &raw mut STRINGS as *mut usize;
    let (arguments, environment) = (words[9] as usize, words[10] as usize);
    if arguments == 0 || arguments > 200 || environment > 200 {
        exit(112);
    }
    for at in 0..arguments {
        unsafe { *strings.add(at) = next() };
    }
    unsafe { *strings.add(arguments) = 0 };
    for at in 0..environment {
        unsafe { *strings.add(arguments + 1 + at) = next() };
    }
    unsafe { *strings.add(arguments + 1 + environment) = 0 };
    let collect = next();
    Start {
        words,
        directory,
        arguments: strings as usize,
        environment: strings as usize + (arguments + 1) * core::mem::size_of::<usize>(),
        collect,
    }
}

fn limit(resource: usize, value: u64) {
    if value != NO_LIMIT {
        let pair = [value, value];
        // A limit that cannot be set must not pass in silence.
        if sys!(PRLIMIT64, 0, resource, pair.as_ptr(), 0) != 0 {
            exit(114);
        }
    }
}

fn become_program(start: &Start, report: usize) -> ! {
    const LIMITS: [(usize, usize); 6] = [(0, 1), (2, 2), (1, 3), (6, 4), (7, 5), (3, 6)];
    sys!(SETPGID, 0, 0);
    let mut errno = -sys!(CHDIR, start.directory);
    if errno == 0 {
        for (resource, word) in LIMITS {
            limit(resource, start.words[word]);
        }
        limit(4, 0); // no core files
        limit(8, 0); // no locked memory
        limit(12, 0); // no message queues
        // After the bare pipe only the program's own descriptors stay open.
        let keep = if start.words[8] & FLAG_CHANNEL != 0 { CHANNEL + 1 } else { CHANNEL };
        const CLOEXEC_FLAG: usize = 4;
        sys!(CLOSE_RANGE, keep, usize::MAX >> 32, CLOEXEC_FLAG);
        let none = 0u64;
        sys!(RT_SIGPROCMASK, 2, &raw const none, 0, 8);
        let program = unsafe { *(start.arguments as *const usize) };
        errno = -sys!(EXECVE, program, start.arguments, start.environment);
    }
    let code = errno as i32;
    sys!(WRITE, report, &raw const code, 4);
    exit(115)
}

/// `struct rusage`: two timevals, then ru_maxrss.
fn processor_time(usage: &[u64; 18]) -> u64 {
    usage[0] * 1_000_000 + usage[1] + usage[2] * 1_000_000 + usage[3]
}

/// Arguments: the descriptor of the control socket, and of the result channel if there is one.
pub(crate) extern "C" fn entry(stack: *const usize) -> ! {
    sys!(PRCTL, 4, 0, 0, 0, 0); // not dumpable: the program shares our uid and must not trace us
    let Some(control) = decimal(argument(stack, 1)) else { exit(110) };
    if let Some(channel) = decimal(argument(stack, 2)) {
        sys!(DUP3, channel, CHANNEL, 0);
    }
    if control != CONTROL {
        sys!(DUP3, control, CONTROL, 0o2000000);
    }
    sys!(FCNTL, CONTROL, 2, 1);
    sys!(CLOSE_RANGE, FIRST_SPARE, usize::MAX >> 32, 0);
    let child_signal = 1u64 << 16;
    sys!(RT_SIGPROCMASK, 0, &raw const child_signal, 0, 8);
    send(b"1".as_ptr(), 1, 0);
    let start = receive();
    if start.words[8] & FLAG_BARE != 0 {
        sys!(PRCTL, 36, 1, 0, 0, 0); // without a pid namespace orphans come to us like this
    }

    if start.words[8] & FLAG_COLLECT != 0 {
        sys!(MKDIRAT, -100isize, start.collect, 0o700);
    }

    let mut pipe = [0i32; 2];
    if sys!(PIPE2, pipe.as_mut_ptr(), 0o2000000) != 0 {
        exit(116);
    }
    let program = sys!(CLONE, 17, 0, 0, 0, 0);
    if program == 0 {
        become_program(&start, pipe[1] as usize);
    }
    if program < 0 {
        failed(-program as i32);
    }
    sys!(CLOSE, pipe[1]);
    let mut code = 0i32;
    loop {
        let got = sys!(READ, pipe[0], &raw mut code, 4);
        if got == 4 {
            failed(code);
        }
        if got != -4 {
            break;
        }
    }
    sys!(CLOSE, pipe[0]);
    // From here only the program and its children hold the output pipes.
    sys!(CLOSE_RANGE, 0, CONTROL - 1, 0);
    watch(&start, program, child_signal)
}

fn failed(errno: i32) -> ! {
    let code = errno.to_le_bytes();
    let frame = [b'X', code[0], code[1], code[2], code[3]];
    send(frame.as_ptr(), 5, 0);
    exit(0)
}

fn watch(start: &Start, program: isize, child_signal: u64) -> ! {
    let tick = [0u64, TICK_NANOSECONDS];
    let mut own = [0u64; 18];
    let mut orphans = 0u64;
    let mut status = 0i32;
    let mut ended = false;
    let mut reason = 0u8;
    let mut reported = 0u64;
    while !ended {
        loop {
            let mut usage = [0u64; 18];
            let mut state = 0i32;
            let pid = sys!(WAIT4, -1isize, &raw mut state, 1, usage.as_mut_ptr());
            if pid <= 0 {
                break;
            }
            if pid == program {
                own = usage;
                status = state;
                ended = true;
            } else {
                orphans += processor_time(&usage);
            }
        }
        if ended {
            break;
        }
        if start.words[8] & FLAG_BARE == 0 {
            let mut space = [0u64; 16];
            if sys!(STATFS, c"/tmp".as_ptr(), space.as_mut_ptr()) == 0 {
                let used = (space[2] - space[3]) * space[1];
                if used >= reported + REPORTED_STEP || used + REPORTED_STEP < reported {
                    reported = used;
                    let mut frame = [b'T'; 9];
                    put(&mut frame, 1, used);
                    send(frame.as_ptr(), 9, 0x40);
                }
                if space[5] - space[6] > start.words[7] {
                    reason = 1;
                    sys!(KILL, -1isize, 9);
                }
            }
        }
        sys!(RT_SIGTIMEDWAIT, &raw const child_signal, 0, tick.as_ptr(), 8);
    }
    if start.words[8] & FLAG_BARE != 0 {
        sys!(KILL, -program, 9);
        end_children();
    }
    if start.words[8] & FLAG_COLLECT != 0 && status == 0 {
        sys!(KILL, if start.words[8] & FLAG_BARE != 0 { -program } else { -1 }, 9);
        collect(start.collect);
    }
    let mut frame = [b'R'; 38];
    put(&mut frame, 1, status as u32 as u64);
    put(&mut frame, 9, processor_time(&own));
    put(&mut frame, 17, orphans);
    put(&mut frame, 25, own[4]);
    frame[33] = reason;
    send(frame.as_ptr(), 34, 0);
    exit(0)
}

/// Without a pid namespace: kill and reap every process that was handed up to us.
fn end_children() {
    let path = c"/proc/thread-self/children";
    let list = &raw mut ENTRIES as *mut u8;
    loop {
        let file = sys!(OPENAT, 0, path.as_ptr(), 0, 0);
        if file < 0 {
            return;
        }
        let got = sys!(READ, file, list, CHUNK);
        sys!(CLOSE, file);
        if got <= 0 {
            return;
        }
        let mut pid = 0isize;
        for at in 0..got as usize {
            let byte = unsafe { *list.add(at) };
            if byte.is_ascii_digit() {
                pid = pid * 10 + isize::from(byte - b'0') as isize;
            } else if pid != 0 {
                sys!(KILL, pid, 9);
                pid = 0;
            }
        }
        if sys!(WAIT4, -1isize, 0, 0, 0) <= 0 {
            return;
        }
    }
}

/// Sends every regular file below the directory: `F` path, `D` bytes ..., then the next.
/// Names are sent as they are; the runner judges them. Links, pipes and devices are passed over.
fn collect(root: usize) {
    const O_CLOEXEC: usize = 0o2000000;
    const O_NONBLOCK: usize = 0o4000;
    let top = sys!(OPENAT, -100isize, root, number::O_DIRECTORY | number::O_NOFOLLOW | O_CLOEXEC, 0);
    if top < 0 {
        return;
    }
    let paths = &raw mut PATHS as *mut u8;
    let entries = &raw mut ENTRIES as *mut u8;
    let outgoing = &raw mut OUTGOING as *mut u8;
    // A queue of directory paths relative to the top, each ended by NUL.
    unsafe { *paths = b'.' };
    let (mut head, mut tail) = (0usize, 2usize);
    while head < tail {
        let here = head;
        while unsafe { *paths.add(head) } != 0 {
            head += 1;
        }
        let length = head - here;
        head += 1;
        let directory =
            sys!(OPENAT, top, paths.wrapping_add(here), number::O_DIRECTORY | number::O_NOFOLLOW | O_CLOEXEC, 0);
        if directory < 0 {
            continue;
        }
        loop {
            let got = sys!(GETDENTS64, directory, entries, CHUNK);
            if got <= 0 {
                break;
            }
            let mut at = 0usize;
            while at < got as usize {
                let entry = entries.wrapping_add(at);
                let record = unsafe { *entry.add(16) as usize | (*entry.add(17) as usize) << 8 };
                let kind = unsafe { *entry.add(18) };
                let name = entry.wrapping_add(19);
                at += record;
                let mut size = 0usize;
                while unsafe { *name.add(size) } != 0 {
                    size += 1;
                }
                let dots = unsafe { *name == b'.' && (size == 1 || (size == 2 && *name.add(1) == b'.')) };
                if dots || tail + length + size + 2 > PATHS_BYTES {
                    continue;
                }
                // Write the joined path at the tail; it stays there only when it is a directory.
                let mut to = tail;
                for i in 0..length {
                    unsafe { *paths.add(to) = *paths.add(here + i) };
                    to += 1;
                }
                unsafe { *paths.add(to) = b'/' };
                to += 1;
                for i in 0..size {
                    unsafe { *paths.add(to) = *name.add(i) };
                    to += 1;
                }
                unsafe { *paths.add(to) = 0 };
                to += 1;
                if kind == 4 {
                    tail = to;
                } else if kind == 8 {
                    let flags = number::O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;
                    let file = sys!(OPENAT, top, paths.wrapping_add(tail), flags, 0);
                    if file < 0 {
                        continue;
                    }
                    let mut about = [0u8; 256];
                    let known = sys!(STATX, file, c"".as_ptr(), 0x1000, 0x7ff, about.as_mut_ptr());
                    let mode = u16::from_le_bytes([about[28], about[29]]);
                    if known == 0 && mode & 0o170000 == 0o100000 {
                        unsafe { *outgoing = b'F' };
                        unsafe { *outgoing.add(1) = u8::from(mode & 0o100 != 0) };
                        let count = (to - tail - 1).min(CHUNK - 2);
                        for i in 0..count {
                            unsafe { *outgoing.add(2 + i) = *paths.add(tail + i) };
                        }
                        send(outgoing, count + 2, 0);
                        loop {
                            let read = sys!(READ, file, outgoing.wrapping_add(1), CHUNK);
                            if read <= 0 {
                                break;
                            }
                            unsafe { *outgoing = b'D' };
                            send(outgoing, read as usize + 1, 0);
                        }
                    }
                    sys!(CLOSE, file);
                }
            }
        }
        sys!(CLOSE, directory);
    }
}
