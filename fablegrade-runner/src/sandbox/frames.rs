//! Typed frames between the runner and the first process of the sandbox; `protocol.rs` defines their bytes.

use super::job::{Job, Limits};
use super::protocol::{self, frame, put_word, word, word_at};
use super::trouble::Trouble;

/// The maximum number of descriptors that a process can have open.
const DESCRIPTORS: u64 = 512;

/// A message from the first process.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    Ready,
    NotStarted(i32),
    /// The host refused a process or a limit; contains the error number.
    HostRefused(i32),
    File {
        path: String,
        executable: bool,
    },
    PassedOver,
    TooManyPaths,
    Data,
    /// The `wait` status, and the time on the machine's monotonic clock.
    Ended {
        status: i32,
        at_nanoseconds: u64,
    },
    Result(Ended),
    Invalid,
}

/// The status and the resource usage of the program, as reported by the first process.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub(crate) struct Ended {
    /// The status as returned by `wait`.
    pub(crate) status: i32,
    /// CPU time of the program and of the children it waited for, in microseconds.
    pub(crate) own_microseconds: u64,
    /// CPU time of orphaned processes, which the first process reaped, in microseconds.
    pub(crate) orphan_microseconds: u64,
    /// Largest resident size of any single process, in KiB.
    pub(crate) resident_kib: u64,
}

/// Parses one packet. The data of [`Frame::Data`] follows the packet's first byte.
pub(crate) fn read(packet: &[u8]) -> Frame {
    let known = match packet.split_first() {
        Some((&frame::READY, [])) => Some(Frame::Ready),
        Some((&frame::NOT_STARTED, rest)) => {
            rest.try_into().ok().map(|code| Frame::NotStarted(i32::from_le_bytes(code)))
        }
        Some((&frame::HOST_REFUSED, rest)) => {
            rest.try_into().ok().map(|code| Frame::HostRefused(i32::from_le_bytes(code)))
        }
        Some((&frame::FILE, [executable, path @ ..])) => std::str::from_utf8(path)
            .ok()
            .and_then(|path| path.strip_prefix("./"))
            .filter(|path| {
                path.split('/').all(|part| !matches!(part, "" | "." | "..") && !part.contains('\0'))
            })
            .map(|path| Frame::File { path: path.to_owned(), executable: *executable != 0 }),
        Some((&frame::PASSED_OVER, [])) => Some(Frame::PassedOver),
        Some((&frame::TOO_MANY_PATHS, [])) => Some(Frame::TooManyPaths),
        Some((&frame::DATA, _)) => Some(Frame::Data),
        Some((&frame::ENDED, _)) if packet.len() == protocol::ENDED_BYTES => (|| {
            Some(Frame::Ended {
                status: word_at(packet, 1, 0)? as i32,
                at_nanoseconds: word_at(packet, 1, 1)?,
            })
        })(),
        Some((&frame::RESULT, _)) if packet.len() == protocol::RESULT_BYTES => (|| {
            Some(Frame::Result(Ended {
                status: word_at(packet, 1, 0)? as i32,
                own_microseconds: word_at(packet, 1, 1)?,
                orphan_microseconds: word_at(packet, 1, 2)?,
                resident_kib: word_at(packet, 1, 3)?,
            }))
        })(),
        _ => None,
    };
    known.unwrap_or(Frame::Invalid)
}

/// Returns the order to start the program. `data` is the limit on each process's data, in bytes, if the
/// kernel does not count memory. With `talks`, the first process reports the end of the program before it
/// does anything else.
pub(crate) fn start(job: &Job, data: Option<u64>, bare: bool, talks: bool) -> Result<Vec<u8>, Trouble> {
    let Limits { cpu, stack, processes, file, .. } = &job.limits;
    let mut flags = 0;
    flags |= if job.channel { protocol::FLAG_CHANNEL } else { 0 };
    flags |= if job.collect.is_some() { protocol::FLAG_COLLECT } else { 0 };
    flags |= if job.collect.as_ref().is_some_and(|c| c.always) { protocol::FLAG_COLLECT_ALWAYS } else { 0 };
    flags |= if bare { protocol::FLAG_BARE } else { 0 };
    flags |= if talks { protocol::FLAG_TALKS } else { 0 };
    // The kernel's CPU limit is a backstop, more than one second above the measured limit. The process limit
    // includes the first process.
    let tasks = if bare { protocol::UNLIMITED } else { u64::from(*processes) + 1 };
    let mut packet = vec![0u8; 8 * word::COUNT];
    for (at, value) in [
        (word::MAGIC, protocol::MAGIC),
        (word::SECONDS, cpu.as_secs().saturating_add(2)),
        (word::DATA, data.unwrap_or(protocol::UNLIMITED)),
        (word::FILE, *file),
        (word::TASKS, tasks),
        (word::DESCRIPTORS, DESCRIPTORS),
        (word::STACK, *stack),
        (word::FLAGS, flags),
        (word::ARGUMENTS, job.command.len() as u64),
        (word::ENVIRONMENT, job.environment.len() as u64),
    ] {
        put_word(&mut packet, 0, at, value);
    }
    for text in order_strings(job) {
        if text.contains('\0') {
            return Err(Trouble::NulInOrder);
        }
        packet.extend_from_slice(text.as_bytes());
        packet.push(0);
    }
    if packet.len() > protocol::ORDER_BYTES
        || job.command.len() > protocol::STRINGS
        || job.environment.len() > protocol::STRINGS
    {
        return Err(Trouble::LongOrder);
    }
    Ok(packet)
}

/// Returns the strings of a job in the sequence in which a start order contains them.
fn order_strings(job: &Job) -> Vec<String> {
    let environment = job.environment.iter().map(|(name, value)| format!("{name}={value}"));
    std::iter::once(job.directory.clone())
        .chain(job.command.iter().cloned())
        .chain(environment)
        .chain(job.collect.iter().map(|collect| collect.directory.clone()))
        .collect()
}

/// Returns the strings that the first process reads from an order; used by tests and fuzzing.
pub(crate) fn read_strings(order: &[u8]) -> Option<Vec<String>> {
    let mut places: protocol::Places = [0; 2 * protocol::STRINGS + 2];
    let read = protocol::read_order(order, &mut places)?;
    let text = |at: usize| {
        let rest = order.get(at..).unwrap_or_default();
        let end = rest.iter().position(|byte| *byte == 0).unwrap_or(rest.len());
        String::from_utf8_lossy(rest.get(..end).unwrap_or_default()).into_owned()
    };
    let (arguments, rest) = places.split_at(read.arguments);
    let environment = rest.iter().skip(1).take(read.environment);
    let mut all = vec![text(read.directory)];
    all.extend(arguments.iter().chain(environment).map(|at| text(*at)));
    if read.words[word::FLAGS] & protocol::FLAG_COLLECT != 0 {
        all.push(text(read.collect));
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::{Ended, Frame, read};

    #[test]
    fn a_result_is_read_back_field_by_field() {
        let mut packet = vec![b'R'];
        for value in [9u64, 1_000, 20, 3_000] {
            packet.extend(value.to_le_bytes());
        }
        let expected =
            Ended { status: 9, own_microseconds: 1_000, orphan_microseconds: 20, resident_kib: 3_000 };
        assert_eq!(read(&packet), Frame::Result(expected));
        assert_eq!(read(&packet[..packet.len() - 1]), Frame::Invalid);
        assert_eq!(read(b"X\x08\0\0\0"), Frame::NotStarted(8));
        assert_eq!(read(b"H\x01\0\0\0"), Frame::HostRefused(1));
        assert_eq!(read(b"H\x01"), Frame::Invalid);
    }

    proptest::proptest! {
        /// Every packet is read as a frame or as invalid, and no path leads out of the folder.
        #[test]
        fn any_packet_is_read(kind in 0u8..=255, rest in proptest::collection::vec(0u8..=255, 0..80)) {
            let packet = [&[kind][..], &rest].concat();
            if let Frame::File { path, .. } = read(&packet) {
                proptest::prop_assert!(path.split('/').all(|part| !matches!(part, "" | "." | "..")), "{path:?}");
            }
        }

        /// Every job is refused, or its order is short enough and ends with NUL.
        #[test]
        fn an_order_carries_a_job_or_is_refused(
            words in proptest::collection::vec(".{0,40}", 1..260),
            long in 0usize..120_000,
        ) {
            let mut job = crate::sandbox::Job {
                command: words,
                environment: vec![("LONG".to_owned(), "x".repeat(long))],
                shown: None,
                visible: crate::sandbox::Visible::default(),
                files: Vec::new(),
                directory: "/tmp".to_owned(),
                input: Vec::new(),
                channel: false,
                collect: None,
                cancel: crate::cancel::Cancel::default(),
                limits: crate::sandbox::Limits::default(),
            };
            if let Ok(order) = super::start(&job, None, false, false) {
                proptest::prop_assert_eq!(super::read_strings(&order), Some(super::order_strings(&job)));
                proptest::prop_assert!(order.len() <= super::protocol::ORDER_BYTES && order.last() == Some(&0));
                proptest::prop_assert!(job.command.len() <= super::protocol::STRINGS);
            }
            job.command.push("a\0b".to_owned());
            proptest::prop_assert!(super::start(&job, None, false, false).is_err());
        }
    }

    #[test]
    fn names_that_lead_out_of_the_directory_are_nonsense() {
        for path in ["../a", "./a\0b", "./a/../../b", "/etc/passwd", "./", "./a//b", "a"] {
            let packet: Vec<u8> = [b"F\0", path.as_bytes()].concat();
            assert_eq!(read(&packet), Frame::Invalid, "{path}");
        }
        let good = read(b"F\x01./com/acme/Main.class");
        assert_eq!(good, Frame::File { path: "com/acme/Main.class".to_owned(), executable: true });
    }
}
