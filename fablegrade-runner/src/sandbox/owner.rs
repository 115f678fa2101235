//! Ownership of temporary folders and control groups: their names identify the process that made them. The
//! next start removes what a killed runner left behind, and never touches what a running one uses.

use super::syscalls;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A process, identified uniquely by its pid namespace, its id there, and its start time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Process {
    namespace: u64,
    id: u32,
    /// Start time in clock ticks since the machine booted.
    started: u64,
}

/// Returns the inode number of this process's pid namespace.
fn namespace() -> u64 {
    fs::metadata("/proc/self/ns/pid").map_or(0, |about| about.ino())
}

fn started(id: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name is in parentheses and can contain anything. Field 3 follows it; the start time is field 22.
    text.rsplit_once(')')?.1.split_ascii_whitespace().nth(19)?.parse().ok()
}

impl Process {
    fn this() -> Self {
        static THIS: OnceLock<Process> = OnceLock::new();
        *THIS.get_or_init(|| {
            let id = std::process::id();
            Self { namespace: namespace(), id, started: started(id).unwrap_or(0) }
        })
    }

    /// Returns whether the process has certainly ended; false for processes of other pid namespaces, which
    /// cannot be seen.
    fn is_gone(self) -> bool {
        self.namespace == Self::this().namespace && started(self.id) != Some(self.started)
    }
}

/// Returns a name that identifies its owner: `PREFIX-NAMESPACE-PROCESS-START-NUMBER`.
pub(crate) fn name(prefix: &str, number: u64) -> String {
    let Process { namespace, id, started } = Process::this();
    format!("{prefix}-{namespace}-{id}-{started}-{number}")
}

fn owner(name: &str, prefix: &str) -> Option<Process> {
    let rest = name.strip_prefix(prefix)?;
    let mut fields = rest.rsplit('-');
    let mut next = || fields.next()?.parse::<u64>().ok();
    let (_number, started, id, namespace) = (next()?, next()?, next()?, next()?);
    Some(Process { namespace, id: id.try_into().ok()?, started })
}

/// Returns whether the process that made this name has certainly ended; `false` for names of another form.
pub(crate) fn is_gone(name: &str, prefix: &str) -> bool {
    owner(name, prefix).is_some_and(Process::is_gone)
}

/// Returns whether the process that made this name is in this process's pid namespace, where it is visible as
/// long as it lives; `false` for names of another form.
#[cfg(feature = "containers")]
pub(crate) fn is_visible(name: &str, prefix: &str) -> bool {
    owner(name, prefix).is_some_and(|process| process.namespace == Process::this().namespace)
}

/// Returns this user's folders in `place` whose names begin with `prefix` and whose makers have ended.
pub(crate) fn left_behind(place: &Path, prefix: &str) -> Vec<PathBuf> {
    let user = super::user();
    fs::read_dir(place)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| {
            let name = entry.file_name();
            let gone = name.to_str().and_then(|name| owner(name, prefix)).is_some_and(Process::is_gone);
            gone && entry.metadata().is_ok_and(|about| about.is_dir() && about.uid() == user)
        })
        .map(|entry| entry.path())
        .collect()
}

/// Returns the first word of a process's command line.
fn first_word(id: i32) -> Option<String> {
    let line = fs::read(format!("/proc/{id}/cmdline")).ok()?;
    String::from_utf8(line.split(|byte| *byte == 0).next()?.to_vec()).ok()
}

/// Kills the processes whose command lines begin with a word that satisfies `named`.
pub(crate) fn end_processes(named: impl Fn(&str) -> bool) {
    let all = fs::read_dir("/proc").into_iter().flatten().flatten();
    for id in all.filter_map(|entry| entry.file_name().to_str()?.parse().ok()) {
        let is_meant = || first_word(id).is_some_and(|word| named(&word));
        // Checked again once the handle is held, because the id could have been reused in the meantime.
        if is_meant()
            && let Ok(process) = syscalls::process_handle(id)
            && is_meant()
        {
            let _ = syscalls::kill(&process);
        }
    }
}

/// Removes the folders that killed runners left in `place`.
pub(crate) fn sweep(place: &Path, prefix: &str) {
    for folder in left_behind(place, prefix) {
        let _ = fs::remove_dir_all(folder);
    }
}

#[cfg(test)]
mod tests {
    use super::{Process, left_behind, name, owner, sweep};
    use std::fs;

    #[test]
    fn a_name_tells_its_owner_and_only_a_dead_one_is_gone() {
        let this = owner(&name("fablegrade-work", 7), "fablegrade-").unwrap();
        assert_eq!(this, Process::this());
        assert!(!this.is_gone());
        assert!(
            Process { started: this.started + 1, ..this }.is_gone(),
            "a later process of the same number"
        );
        assert!(!Process { namespace: 1, id: u32::MAX, started: 1 }.is_gone(), "not visible from here");
        for other in ["fablegrade-test-cache-12-0", "fablegrade-work-1-2-x-4", "work-1-2-3-4", "fablegrade-"]
        {
            assert_eq!(owner(other, "fablegrade-"), None, "{other}");
        }
    }

    #[test]
    fn only_what_dead_owners_left_is_swept() {
        let place = std::env::temp_dir().join(format!("fablegrade-test-sweep-{}", std::process::id()));
        fs::create_dir_all(&place).unwrap();
        let mut child = std::process::Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        let dead = place.join(
            name("fablegrade-work", 0)
                .replace(&format!("-{}-", std::process::id()), &format!("-{}-", child.id())),
        );
        let alive = place.join(name("fablegrade-work", 1));
        let foreign = place.join("fablegrade-of-somebody");
        for folder in [&dead, &alive, &foreign] {
            fs::create_dir_all(folder.join("inside")).unwrap();
        }
        assert_eq!(left_behind(&place, "fablegrade-"), std::slice::from_ref(&dead));
        sweep(&place, "fablegrade-");
        assert!(!dead.exists() && alive.exists() && foreign.exists());
        fs::remove_dir_all(place).unwrap();
    }
}
