//! Checks which protections this host can enforce, and returns the results as data.

use crate::runner::Runner;
use crate::sandbox::MemoryLevel;

/// The state of one feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Health {
    /// The feature is available and works.
    Good,
    /// The feature works, but with restrictions.
    Limited,
    /// The feature is missing or does not work.
    Bad,
}

/// The check of one feature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// The name of the feature.
    pub name: String,
    /// The state of the feature.
    pub health: Health,
    /// The result; if there is a problem, also how to correct it.
    pub note: String,
}

fn check(name: &str, health: Health, note: impl Into<String>) -> Check {
    Check { name: name.to_owned(), health, note: note.into() }
}

/// Checks everything that is needed to run programs on this host.
pub fn doctor(runner: &Runner) -> Vec<Check> {
    let mut all = Vec::new();
    let bad = |cause: &dyn std::fmt::Display| {
        check("sandbox", Health::Bad, format!("{cause}; no program is run until this is corrected"))
    };
    match (runner.trouble(), runner.sandbox()) {
        (Some(cause), _) => all.push(bad(&cause)),
        // Tested now, even if there is a record of a passed self-test.
        (None, Some(sandbox)) if sandbox.isolates() => match sandbox.test() {
            Err(cause) => all.push(bad(&cause)),
            Ok(probes) => {
                let program = sandbox.bubblewrap().map(|path| path.display().to_string()).unwrap_or_default();
                let proven = probes.len();
                all.push(check(
                    "sandbox",
                    Health::Good,
                    format!("{program}, {proven} of {proven} probes passed"),
                ));
                all.extend(probes.iter().map(|probe| check(probe.name, Health::Good, probe.holds)));
            }
        },
        _ => {
            all.push(check("sandbox", Health::Bad, "switched off: programs can do whatever this user can do"))
        }
    }
    if let Some(sandbox) = runner.sandbox() {
        all.push(match sandbox.memory_level() {
            MemoryLevel::CgroupV2 => check("memory limit", Health::Good, "exact, by control groups version 2"),
            MemoryLevel::CgroupV1 => check("memory limit", Health::Good, "exact, by control groups version 1"),
            MemoryLevel::Approximate => check(
                "memory limit",
                Health::Limited,
                format!(
                    "approximate: a fast program can overshoot for some milliseconds; {}; run as root, or inside a \
                     control group that is handed over (`systemd-run --user --scope -p Delegate=yes`)",
                    sandbox.why_approximate().join("; ")
                ),
            ),
        });
        all.extend(sandbox.why_deadlocks_undetected().map(|why| check("deadlocks", Health::Limited, why)));
        let parallel = runner.parallel();
        let (health, note) = if sandbox.slots() > 1
            || std::thread::available_parallelism().map_or(1, usize::from) == 1
        {
            (Health::Good, format!("{parallel} at a time, as separate users"))
        } else {
            (
                Health::Limited,
                "one after another, as your user; run as root to give each case a separate user".to_owned(),
            )
        };
        all.push(check("cases", health, note));
    }
    for (language, found) in runner.toolchains() {
        all.push(match found {
            Ok(toolchain) => {
                let program = toolchain.program().map(|path| path.display().to_string()).unwrap_or_default();
                match toolchain.shared_folders() {
                    [] => check(language, Health::Good, program),
                    why => {
                        let note = "a program could leave traces in a folder for another program";
                        check(language, Health::Limited, format!("{program}; {note}: {}", why.join("; ")))
                    }
                }
            }
            Err(why) => check(language, Health::Bad, format!("{language}: {why}")),
        });
    }
    all
}
