//! Limits that a package requires but this host cannot enforce. Its programs are then not run, because a
//! verdict under other limits would be meaningless.

use fablegrade_kattis::job::{Job, ProcessLimits};
use std::fs;
use std::sync::LazyLock;

/// The memory limit of packages that set none, in MiB; a host with less memory does not refuse them.
const DEFAULT_MEMORY_MIB: u64 = 2048;
/// The maximum output of one program, in bytes; up to this much is held in the memory of this process.
pub(super) const MOST_OUTPUT: u64 = 1 << 30;

/// The memory of this host in MiB, if known.
static MEMORY: LazyLock<Option<u64>> = LazyLock::new(|| {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.split_ascii_whitespace().next()?.parse::<u64>().ok().map(|kibibytes| kibibytes >> 10)
});

/// Returns the reason why the job cannot be run within its limits, if there is one.
pub(super) fn unfulfillable(job: &Job<'_>) -> Option<String> {
    let all: Vec<(&str, &ProcessLimits)> = match job {
        Job::Build(job) => vec![("compilation", &job.limits)],
        Job::ValidateInput(job) => vec![("validation", &job.limits)],
        Job::ValidateOutput(job) => vec![("validation", &job.limits)],
        Job::ValidateStatic(job) => vec![("validation", &job.limits)],
        Job::Grade(job) => vec![("grading", &job.limits)],
        Job::Run(job) => vec![("submissions", &job.limits), ("validation", &job.validator_limits)],
        _ => Vec::new(),
    };
    all.into_iter().find_map(|(what, limits)| beyond(what, limits, *MEMORY))
}

fn beyond(what: &str, limits: &ProcessLimits, memory: Option<u64>) -> Option<String> {
    let wanted = limits.memory_mib;
    if let Some(there) = memory.filter(|there| wanted > DEFAULT_MEMORY_MIB && wanted > *there) {
        return Some(format!(
            "the package asks for {wanted} MiB of memory for {what}; this host has {there} MiB"
        ));
    }
    let most = MOST_OUTPUT >> 20;
    (limits.output_bytes > MOST_OUTPUT).then(|| {
        format!(
            "the package allows {} MiB of output for {what}; this host takes {most} MiB",
            limits.output_bytes >> 20
        )
    })
}

#[cfg(test)]
mod tests {
    use super::beyond;
    use fablegrade_kattis::job::ProcessLimits;
    use std::time::Duration;

    #[test]
    fn default_limits_are_never_refused() {
        let limits = |memory, output: u64| ProcessLimits::new(Duration::from_secs(1), memory, output << 20);
        assert_eq!(beyond("x", &limits(2048, 8), Some(900)), None);
        assert_eq!(beyond("x", &limits(4096, 8), Some(8000)), None);
        assert_eq!(beyond("x", &limits(4096, 8), None), None);
        assert!(
            beyond("x", &limits(4096, 8), Some(4000)).is_some_and(|why| why.contains("4096 MiB of memory"))
        );
        assert_eq!(beyond("x", &limits(64, 1024), Some(900)), None);
        assert!(
            beyond("x", &limits(64, 1025), Some(900)).is_some_and(|why| why.contains("1025 MiB of output"))
        );
    }
}
