//! The processes of a run as `/proc` shows them: what is left to look at where the kernel does not count memory
//! and processor time for us.

use super::syscalls::ticks_per_second;
use std::fs;
use std::time::Duration;

/// The most processes that one look follows; a run is not allowed more.
const MOST: usize = 512;

/// Sums over the first process of a sandbox and everything below it.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Sums {
    /// Includes the processes that have ended and were waited for.
    pub(crate) cpu: Duration,
    /// Proportional memory: shared pages are counted once over all.
    pub(crate) memory: u64,
}

/// Looks at the whole tree. Every process of a pid namespace hangs below its first one.
pub(crate) fn sums(first: i32) -> Sums {
    let mut ticks = 0;
    let mut memory = 0;
    for pid in members(first) {
        ticks += processor_ticks(pid);
        if pid != first {
            memory += proportional(pid).unwrap_or_else(|| resident(pid));
        }
    }
    Sums { cpu: Duration::from_nanos(ticks * (1_000_000_000 / ticks_per_second())), memory }
}

/// The longest time that a thread of the tree was ready to run and had no processor.
pub(crate) fn waited(first: i32) -> Duration {
    let mut longest = 0;
    for pid in members(first) {
        for task in fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten() {
            // nanoseconds on a processor, nanoseconds of waiting for one, number of turns
            let text = fs::read_to_string(task.path().join("schedstat")).unwrap_or_default();
            let waited = text.split_ascii_whitespace().nth(1).and_then(|field| field.parse::<u64>().ok());
            longest = longest.max(waited.unwrap_or_default());
        }
    }
    Duration::from_nanos(longest)
}

/// The first process and everything below it.
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

fn processor_ticks(pid: i32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // The name stands in parentheses and may hold anything, parentheses too.
    let Some((_, rest)) = text.rsplit_once(')') else { return 0 };
    // utime, stime, cutime, cstime are fields 14 to 17; field 3 is the first one here
    rest.split_ascii_whitespace().skip(11).take(4).filter_map(|field| field.parse::<u64>().ok()).sum()
}

fn proportional(pid: i32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    line.split_ascii_whitespace().next()?.parse::<u64>().ok().map(|kib| kib << 10)
}

/// For a process that made itself unreadable: its resident pages, shared ones too.
fn resident(pid: i32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{pid}/statm")).unwrap_or_default();
    text.split_ascii_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or_default() << 12
}

#[cfg(test)]
mod tests {
    #[test]
    fn this_process_has_used_processor_time_below_its_parent() {
        let mut child = std::process::Command::new("sleep").arg("30").spawn().unwrap();
        let found = super::sums(std::process::id() as i32);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(found.memory > 0, "the child holds some memory");
    }
}
