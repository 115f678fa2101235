//! The frames between the runner and the first process of the sandbox (`init/init.rs` is the other end).

use super::job::{Job, Limits};

const MAGIC: u64 = 0x4661_626c_6501;
const CHANNEL: u64 = 1;
const COLLECT: u64 = 2;
const BARE: u64 = 4;

/// What the first process says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    Ready,
    NotStarted(i32),
    /// Bytes in `/tmp`.
    Files(u64),
    File {
        path: String,
        executable: bool,
    },
    Data,
    Result(Ended),
    Nonsense,
}

/// How the program ended, as the first process reaped it.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub(crate) struct Ended {
    /// As `wait` gives it.
    pub(crate) status: i32,
    /// Processor time of the program and of the children it waited for, in microseconds.
    pub(crate) own_microseconds: u64,
    /// Processor time of the processes that were left to the first process.
    pub(crate) orphan_microseconds: u64,
    /// Largest resident size of one process.
    pub(crate) resident_kib: u64,
    /// Too many names in `/tmp`.
    pub(crate) too_many_names: bool,
}

fn word(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

/// Reads one packet. [`Frame::Data`] carries its bytes after the first.
pub(crate) fn read(packet: &[u8]) -> Frame {
    let known = match packet.split_first() {
        Some((b'1', [])) => Some(Frame::Ready),
        Some((b'X', rest)) => rest.try_into().ok().map(|code| Frame::NotStarted(i32::from_le_bytes(code))),
        Some((b'T', rest)) if rest.len() == 8 => word(rest, 0).map(Frame::Files),
        Some((b'F', [executable, path @ ..])) => std::str::from_utf8(path)
            .ok()
            .and_then(|path| path.strip_prefix("./"))
            .filter(|path| path.split('/').all(|part| !matches!(part, "" | "." | "..")))
            .map(|path| Frame::File { path: path.to_owned(), executable: *executable != 0 }),
        Some((b'D', _)) => Some(Frame::Data),
        Some((b'R', rest)) if rest.len() == 33 => (|| {
            Some(Frame::Result(Ended {
                status: word(rest, 0)? as i32,
                own_microseconds: word(rest, 8)?,
                orphan_microseconds: word(rest, 16)?,
                resident_kib: word(rest, 24)?,
                too_many_names: *rest.get(32)? != 0,
            }))
        })(),
        _ => None,
    };
    known.unwrap_or(Frame::Nonsense)
}

/// The order to start the program. `data` is the limit of one process's data, where memory is not counted by
/// the kernel.
pub(crate) fn start(job: &Job, data: Option<u64>, bare: bool) -> Result<Vec<u8>, String> {
    let Limits { cpu, stack, processes, names, file, .. } = &job.limits;
    let mut flags = 0;
    flags |= if job.channel { CHANNEL } else { 0 };
    flags |= if job.collect.is_some() { COLLECT } else { 0 };
    flags |= if bare { BARE } else { 0 };
    // The kernel's own stop is the second net, one second later than the measured one. The process limit counts
    // the first process too.
    let tasks = if bare { u64::MAX } else { u64::from(*processes) + 1 };
    let words = [
        MAGIC,
        cpu.as_secs() + 2,
        data.unwrap_or(u64::MAX),
        *file,
        tasks,
        512,
        *stack,
        *names,
        flags,
        job.command.len() as u64,
        job.environment.len() as u64,
        0,
    ];
    let mut packet: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let environment = job.environment.iter().map(|(name, value)| format!("{name}={value}"));
    let strings = std::iter::once(job.directory.clone())
        .chain(job.command.iter().cloned())
        .chain(environment)
        .chain(job.collect.iter().map(|collect| collect.directory.clone()));
    for text in strings {
        if text.contains('\0') {
            return Err("a NUL byte in the command or the environment".to_owned());
        }
        packet.extend_from_slice(text.as_bytes());
        packet.push(0);
    }
    if packet.len() > 100_000 || job.command.len() > 200 || job.environment.len() > 200 {
        return Err("the command is longer than a start order can carry".to_owned());
    }
    Ok(packet)
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
        packet.push(1);
        let expected = Ended {
            status: 9,
            own_microseconds: 1_000,
            orphan_microseconds: 20,
            resident_kib: 3_000,
            too_many_names: true,
        };
        assert_eq!(read(&packet), Frame::Result(expected));
        assert_eq!(read(&packet[..packet.len() - 1]), Frame::Nonsense);
    }

    #[test]
    fn names_that_lead_out_of_the_directory_are_nonsense() {
        for path in ["../a", "./a/../../b", "/etc/passwd", "./", "./a//b", "a"] {
            let packet: Vec<u8> = [b"F\0", path.as_bytes()].concat();
            assert_eq!(read(&packet), Frame::Nonsense, "{path}");
        }
        let good = read(b"F\x01./com/acme/Main.class");
        assert_eq!(good, Frame::File { path: "com/acme/Main.class".to_owned(), executable: true });
    }
}
