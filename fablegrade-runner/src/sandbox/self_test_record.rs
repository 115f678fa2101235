//! Records of passed self-tests, valid until the machine restarts. A process need not repeat the test as long as
//! nothing that it depends on has changed.

use sha2::{Digest as _, Sha256};
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

const PREFIX: &str = ".self-test-";

/// A digest of everything that a self-test depends on.
#[derive(Debug, Default)]
pub(crate) struct SelfTestDigest(Sha256);

impl SelfTestDigest {
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    /// Adds a program's path and the metadata that distinguish its versions.
    pub(crate) fn add_program(&mut self, path: &Path) {
        self.add(path.as_os_str().as_encoded_bytes());
        if let Ok(about) = fs::metadata(path) {
            for number in
                [about.ino(), about.dev(), about.size(), about.mtime() as u64, about.mtime_nsec() as u64]
            {
                self.add(&number.to_le_bytes());
            }
        }
    }

    /// Adds the properties of the host that decide what this process may do: kernel settings, namespaces,
    /// user, privileges.
    pub(crate) fn add_host(&mut self) {
        for path in [
            "/proc/sys/kernel/osrelease",
            "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
            "/proc/sys/kernel/unprivileged_userns_clone",
            "/proc/sys/user/max_user_namespaces",
            "/proc/self/uid_map",
            "/proc/self/attr/current",
            "/proc/self/limits",
        ] {
            self.add(&fs::read(path).unwrap_or_default());
        }
        for namespace in ["cgroup", "ipc", "mnt", "net", "pid", "user", "uts"] {
            let link = fs::read_link(format!("/proc/self/ns/{namespace}")).unwrap_or_default();
            self.add(link.as_os_str().as_encoded_bytes());
        }
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        for name in ["Uid:", "Gid:", "CapEff:", "CapBnd:", "NoNewPrivs:", "Seccomp:"] {
            let line = status.lines().find(|line| line.starts_with(name)).unwrap_or_default();
            self.add(line.as_bytes());
        }
    }

    /// Returns the path of the record of a passed self-test with this digest.
    pub(crate) fn record_path(self, folder: &Path) -> PathBuf {
        let digest = self.0.finalize().iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"));
        folder.join(format!("{PREFIX}{}-{digest}", super::boot()))
    }
}

/// Returns whether the record exists and belongs to this user; false if the boot ID is unknown.
pub(crate) fn exists(record: &Path) -> bool {
    !super::boot().is_empty()
        && fs::symlink_metadata(record).is_ok_and(|about| about.is_file() && about.uid() == super::user())
}

/// Writes the record and removes those of earlier boots. If that fails, the next process repeats the test.
pub(crate) fn write(path: &Path) {
    let Some(folder) = path.parent() else { return };
    let this_start = format!("{PREFIX}{}-", super::boot());
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with(PREFIX) && !name.starts_with(&this_start) {
            let _ = fs::remove_file(entry.path());
        }
    }
    let _ = fs::write(path, []);
}

/// Removes the record, so no process relies on it any more.
pub(crate) fn remove(record: &Path) {
    let _ = fs::remove_file(record);
}
