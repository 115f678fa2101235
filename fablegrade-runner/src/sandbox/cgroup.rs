//! Control groups: their detection on this host, and one group per run.

use super::job::{Limits, MemoryLevel};
use super::trouble::NoGroups;
use super::{owner, syscalls};
use std::fs;
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The folders in which groups can be created; they were writable when they were detected.
#[derive(Debug, Clone)]
pub(crate) enum Tree {
    V2 { parent: PathBuf },
    V1 { memory: PathBuf, pids: PathBuf, cpu: PathBuf },
}

impl Tree {
    pub(crate) fn level(&self) -> MemoryLevel {
        match self {
            Self::V2 { .. } => MemoryLevel::CgroupV2,
            Self::V1 { .. } => MemoryLevel::CgroupV1,
        }
    }

    fn parents(&self) -> Vec<&Path> {
        match self {
            Self::V2 { parent } => vec![parent],
            Self::V1 { memory, pids, cpu } => vec![memory, pids, cpu],
        }
    }

    /// Removes the groups that killed runners left behind, after killing the processes that are still in
    /// them.
    fn sweep(&self) {
        for parent in self.parents() {
            for folder in owner::left_behind(parent, PREFIX) {
                let members = fs::read_to_string(folder.join("cgroup.procs")).unwrap_or_default();
                for pid in members.lines().filter_map(|line| line.parse().ok()) {
                    let _ = syscalls::process_handle(pid).and_then(|process| syscalls::kill(&process));
                }
                let _ = remove_folder(&folder);
            }
        }
    }
}

/// A line of `/proc/self/mountinfo` that mounts control groups.
#[derive(Debug, PartialEq, Eq)]
struct Mount {
    root: String,
    place: PathBuf,
    version2: bool,
    controllers: Vec<String>,
}

fn mounts(mountinfo: &str) -> Vec<Mount> {
    mountinfo
        .lines()
        .filter_map(|line| {
            let (left, right) = line.split_once(" - ")?;
            let mut left = left.split(' ').skip(3);
            let (root, place) = (left.next()?, left.next()?);
            let mut right = right.split(' ');
            let kind = right.next()?;
            let options = right.nth(1)?;
            let version2 = kind == "cgroup2";
            (version2 || kind == "cgroup").then(|| Mount {
                root: root.to_owned(),
                place: PathBuf::from(place),
                version2,
                controllers: options.split(',').map(str::to_owned).collect(),
            })
        })
        .collect()
}

/// Returns this process's group for a controller (`""` for version 2), from the text of `/proc/self/cgroup`.
fn own_group(memberships: &str, controller: &str) -> Option<String> {
    memberships.lines().find_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next()?, parts.next()?);
        controllers.split(',').any(|one| one == controller).then(|| path.to_owned())
    })
}

fn own_folder(mount: &Mount, group: &str) -> PathBuf {
    // By whole components: `/docker/abcd` is not below `/docker/abc`.
    Path::new(group)
        .strip_prefix(&mount.root)
        .map_or_else(|_| mount.place.clone(), |below| mount.place.join(below))
}

/// Returns the folder of this process's group in version 2, below which groups are made. Nothing is made elsewhere:
/// the other groups, such as the root's, belong to the service manager.
fn own_parent(mounts: &[Mount], memberships: &str) -> Result<PathBuf, NoGroups> {
    let mount = mounts.iter().find(|mount| mount.version2).ok_or(NoGroups::NoVersion2)?;
    let elsewhere = || NoGroups::Elsewhere { place: mount.place.clone() };
    let group = own_group(memberships, "").ok_or_else(elsewhere)?;
    let below = Path::new(&group).strip_prefix(&mount.root).map_err(|_| elsewhere())?;
    // The group is outside of this process's cgroup namespace.
    if below.components().any(|part| part == Component::ParentDir) {
        return Err(elsewhere());
    }
    let own = mount.place.join(below);
    // An earlier runner may have moved this process to the supervisor group.
    let parent = own.parent().filter(|_| own.ends_with(SUPERVISOR)).map(Path::to_owned);
    Ok(parent.unwrap_or(own))
}

/// Finds the best tree, or returns the reasons why none can be used.
pub(crate) fn detect(wanted: Option<&Path>) -> Result<Tree, Vec<NoGroups>> {
    if let Some(parent) = wanted {
        return try_v2(parent).map_err(|reason| vec![reason]);
    }
    let mountinfo = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let memberships = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let all = mounts(&mountinfo);
    let mut reasons = Vec::new();
    match own_parent(&all, &memberships).and_then(|parent| try_v2(&parent)) {
        Ok(tree) => return Ok(tree),
        Err(reason) => reasons.push(reason),
    }
    let find = |controller: &str| {
        let mount = all.iter().find(|mount| mount.controllers.iter().any(|one| one == controller))?;
        Some(own_folder(mount, &own_group(&memberships, controller)?))
    };
    match (find("memory"), find("pids"), find("cpuacct")) {
        (Some(memory), Some(pids), Some(cpu)) => {
            let tree = Tree::V1 { memory, pids, cpu };
            match probe(&tree) {
                Ok(()) => return Ok(tree),
                Err(why) => reasons.push(NoGroups::Unusable { version: 1, why: why.to_string() }),
            }
        }
        _ => reasons.push(NoGroups::NoVersion1),
    }
    Err(reasons)
}

fn try_v2(parent: &Path) -> Result<Tree, NoGroups> {
    let place = || parent.to_owned();
    let controllers = fs::read_to_string(parent.join("cgroup.controllers"))
        .map_err(|error| NoGroups::Unreadable { place: place(), why: error.to_string() })?;
    let has = |list: &str, name: &str| list.split_ascii_whitespace().any(|one| one == name);
    for controller in ["memory", "pids"] {
        if !has(&controllers, controller) {
            return Err(NoGroups::NoController { place: place(), controller });
        }
    }
    let enabled = fs::read_to_string(parent.join("cgroup.subtree_control")).unwrap_or_default();
    if !has(&enabled, "memory") || !has(&enabled, "pids") {
        let hand_down = || write(parent, "cgroup.subtree_control", "+memory +pids");
        hand_down()
            .or_else(|error| match error.kind() {
                io::ErrorKind::ResourceBusy => move_to_subgroup(parent).and_then(|()| hand_down()),
                _ => Err(error),
            })
            .map_err(|error| NoGroups::NotHandedDown { place: place(), why: error.to_string() })?;
    }
    let tree = Tree::V2 { parent: parent.to_owned() };
    probe(&tree).map_err(|why| NoGroups::Unusable { version: 2, why: why.to_string() })?;
    Ok(tree)
}

/// Moves this process into a subgroup, because a group that contains processes cannot delegate controllers.
/// Fails if other processes are in the group.
fn move_to_subgroup(parent: &Path) -> io::Result<()> {
    let members = fs::read_to_string(parent.join("cgroup.procs"))?;
    let this = std::process::id();
    if members.split_ascii_whitespace().any(|pid| pid.parse() != Ok(this)) {
        return Err(io::Error::new(io::ErrorKind::ResourceBusy, "other processes are in the group"));
    }
    let below = parent.join(SUPERVISOR);
    match fs::create_dir(&below) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(told(&below, error)),
        _ => {}
    }
    write(&below, "cgroup.procs", this)
}

fn probe(tree: &Tree) -> io::Result<()> {
    tree.sweep();
    let group = Group::make(tree, &Limits::default())?;
    let counters = group.counters()?;
    drop(group);
    if counters.oom_kills == 0 { Ok(()) } else { Err(io::Error::other("a new group reports a kill")) }
}

/// The current counters of a group.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Counters {
    pub(crate) cpu: Duration,
    pub(crate) memory_peak: u64,
    pub(crate) oom_kills: u64,
    /// The number of times that the memory limit was reached.
    pub(crate) at_limit: u64,
}

impl Counters {
    /// Adds a later reading. Without a recorded peak, the kernel reports only the memory that is held now.
    pub(crate) fn update(&mut self, later: Self) {
        let memory_peak = self.memory_peak.max(later.memory_peak);
        *self = Self { cpu: self.cpu.max(later.cpu), memory_peak, ..later };
    }

    /// Returns whether the kernel ended a process for lack of memory although the group was within its limit:
    /// an enclosing group or the whole machine had no memory left. Some kernels do not count how often the limit
    /// was reached, so a peak close to the limit also counts as reaching it.
    pub(crate) fn killed_from_outside(&self, limit: u64) -> bool {
        self.oom_kills > 0 && self.at_limit == 0 && self.memory_peak < limit / 100 * 95
    }
}

/// A control group for one run, removed when dropped.
#[derive(Debug)]
pub(crate) struct Group {
    folders: Vec<PathBuf>,
    version2: bool,
}

/// The longest time for which a group can seem busy after its last process has ended; generous, for machines
/// under heavy load.
const LAG: Duration = Duration::from_secs(10);
const PREFIX: &str = "fablegrade";
/// The subgroup that this process moves itself into.
const SUPERVISOR: &str = "fablegrade-supervisor";
static NEXT: AtomicU64 = AtomicU64::new(0);

fn told(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

fn write(folder: &Path, file: &str, value: impl std::fmt::Display) -> io::Result<()> {
    let path = folder.join(file);
    fs::write(&path, value.to_string()).map_err(|error| told(&path, error))
}

fn read_number(folder: &Path, file: &str) -> io::Result<u64> {
    let path = folder.join(file);
    let text = fs::read_to_string(&path).map_err(|error| told(&path, error))?;
    text.trim().parse().map_err(|_| io::Error::other(format!("{}: not a number", path.display())))
}

fn field(text: &str, name: &str) -> u64 {
    text.lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.trim().parse().ok())
        .unwrap_or_default()
}

fn remove_folder(folder: &Path) -> io::Result<()> {
    let until = Instant::now() + LAG;
    loop {
        match fs::remove_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            // The last process has ended, but the kernel may not have removed it from the group yet.
            Err(error) if error.kind() == io::ErrorKind::ResourceBusy && Instant::now() < until => {
                std::thread::sleep(Duration::from_millis(1));
            }
            done => return done.map_err(|error| told(folder, error)),
        }
    }
}

impl Group {
    pub(crate) fn make(tree: &Tree, limits: &Limits) -> io::Result<Self> {
        // Programs can see the name of their group, so it must not reveal how many groups preceded it.
        let number = RandomState::new().hash_one(NEXT.fetch_add(1, Ordering::Relaxed));
        let name = owner::name(PREFIX, number);
        let parents = tree.parents();
        let version2 = matches!(tree, Tree::V2 { .. });
        let mut group = Self { folders: Vec::new(), version2 };
        for parent in parents {
            let folder = parent.join(&name);
            // Several controllers can be mounted together.
            if !group.folders.contains(&folder) {
                fs::create_dir(&folder).map_err(|error| told(&folder, error))?;
            }
            group.folders.push(folder);
        }
        // A backstop. RLIMIT_NPROC refuses a fork before the kernel has copied anything, `pids.max` only
        // afterwards.
        let tasks = u64::from(limits.processes) + 8;
        let first = &group.folders[0];
        if version2 {
            write(first, "memory.max", limits.memory)?;
            if first.join("memory.swap.max").exists() {
                write(first, "memory.swap.max", 0)?;
            }
            write(first, "memory.oom.group", 1)?;
            write(first, "pids.max", tasks)?;
        } else {
            write(first, "memory.limit_in_bytes", limits.memory)?;
            if first.join("memory.memsw.limit_in_bytes").exists() {
                write(first, "memory.memsw.limit_in_bytes", limits.memory)?;
            }
            write(&group.folders[1], "pids.max", tasks)?;
        }
        Ok(group)
    }

    /// Adds a process; the children that it forks later are members too.
    pub(crate) fn admit(&self, pid: i32) -> io::Result<()> {
        self.folders.iter().try_for_each(|folder| write(folder, "cgroup.procs", pid))
    }

    /// Opens the thread lists (`tasks`) to which a thread can add itself. Returns an empty list in version 2,
    /// where [`Group::admit`] adds processes. The kernel checks the permissions of the process that opened a
    /// list, not of the writer.
    pub(crate) fn entries(&self) -> io::Result<Vec<OwnedFd>> {
        if self.version2 {
            return Ok(Vec::new());
        }
        let open = |folder: &PathBuf| {
            let path = folder.join("tasks");
            fs::OpenOptions::new()
                .write(true)
                .open(&path)
                .map(OwnedFd::from)
                .map_err(|error| told(&path, error))
        };
        self.folders.iter().map(open).collect()
    }

    /// Reads the counters; cheap enough to be called every few milliseconds.
    pub(crate) fn counters(&self) -> io::Result<Counters> {
        let first = &self.folders[0];
        if self.version2 {
            let events = fs::read_to_string(first.join("memory.events"))?;
            let cpu = fs::read_to_string(first.join("cpu.stat"))?;
            let memory_peak =
                read_number(first, "memory.peak").or_else(|_| read_number(first, "memory.current"))?;
            return Ok(Counters {
                cpu: Duration::from_micros(field(&cpu, "usage_usec")),
                memory_peak,
                oom_kills: field(&events, "oom_kill").max(field(&events, "oom_group_kill")),
                at_limit: field(&events, "max"),
            });
        }
        Ok(Counters {
            cpu: Duration::from_nanos(read_number(&self.folders[2], "cpuacct.usage")?),
            memory_peak: read_number(first, "memory.max_usage_in_bytes")?,
            oom_kills: field(&fs::read_to_string(first.join("memory.oom_control"))?, "oom_kill"),
            // Where swap is counted too, the limit on memory with swap is the same and is reached first.
            at_limit: read_number(first, "memory.failcnt")?
                .saturating_add(read_number(first, "memory.memsw.failcnt").unwrap_or_default()),
        })
    }

    /// Returns the number of processes and threads that are now in the group.
    pub(crate) fn processes(&self) -> io::Result<u64> {
        read_number(if self.version2 { &self.folders[0] } else { &self.folders[1] }, "pids.current")
    }

    /// Returns the memory that the programs hold now, in bytes: data and written files, without the kernel's
    /// own memory.
    pub(crate) fn own_memory(&self) -> Option<u64> {
        let text = fs::read_to_string(self.folders[0].join("memory.stat")).ok()?;
        let data = if self.version2 { "anon" } else { "rss" };
        Some(field(&text, data) + field(&text, "shmem"))
    }

    /// Returns the peak number of processes and the kernel's peak memory for them, in bytes. `None` unless
    /// the kernel records both (version 1 of a recent kernel does).
    pub(crate) fn peaks(&self) -> Option<(u64, u64)> {
        let pids = if self.version2 { &self.folders[0] } else { &self.folders[1] };
        let kernel = read_number(&self.folders[0], "memory.kmem.max_usage_in_bytes").ok()?;
        Some((read_number(pids, "pids.peak").ok()?, kernel))
    }

    /// Returns the size of file pages read from disk that this group touched first, in bytes. They are not
    /// the program's own memory, and would make the first run of a big runtime seem larger than the second.
    pub(crate) fn file_pages(&self) -> u64 {
        let text = fs::read_to_string(self.folders[0].join("memory.stat")).unwrap_or_default();
        field(&text, "active_file") + field(&text, "inactive_file")
    }

    fn remove(&self) -> io::Result<()> {
        self.folders.iter().try_for_each(|folder| remove_folder(folder))
    }

    /// Removes the group; an error means that a process of the run may still live.
    pub(crate) fn close(mut self) -> io::Result<()> {
        let done = self.remove();
        self.folders.clear();
        done
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let _ = self.remove();
    }
}

#[cfg(test)]
mod tests {
    use super::{Counters, Group, NoGroups, field, mounts, own_folder, own_group, own_parent};
    use std::path::{Path, PathBuf};
    use std::time::Duration;

    const MOUNTINFO: &str = "\
35 24 0:30 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755
36 35 0:31 / /sys/fs/cgroup/cpu,cpuacct rw,nosuid - cgroup cgroup rw,cpu,cpuacct
37 35 0:32 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
38 35 0:33 / /sys/fs/cgroup/unified rw shared:9 - cgroup2 cgroup2 rw,nsdelegate";

    #[test]
    fn mounts_and_memberships_lead_to_the_own_folder() {
        let all = mounts(MOUNTINFO);
        assert_eq!(all.len(), 3);
        assert!(all[2].version2);
        let memberships = "8:memory:/docker/abc/job\n4:cpu,cpuacct:/\n0::/user.slice/x";
        assert_eq!(own_group(memberships, "cpuacct").as_deref(), Some("/"));
        let group = own_group(memberships, "memory").unwrap();
        assert_eq!(own_folder(&all[1], &group), Path::new("/sys/fs/cgroup/memory/job"));
        assert_eq!(own_folder(&all[1], "/docker/abc"), Path::new("/sys/fs/cgroup/memory"));
        assert_eq!(own_folder(&all[1], "/docker/abcd/job"), Path::new("/sys/fs/cgroup/memory"));
        for (memberships, parent) in [
            ("0::/", "/sys/fs/cgroup/unified"),
            ("0::/a/fablegrade-supervisor", "/sys/fs/cgroup/unified/a"),
            (memberships, "/sys/fs/cgroup/unified/user.slice/x"),
        ] {
            assert_eq!(own_parent(&all, memberships), Ok(PathBuf::from(parent)));
        }
    }

    #[test]
    fn an_own_group_that_is_not_below_the_mount_is_told() {
        let told = |root: &str, memberships: &str| {
            let mountinfo = format!("38 35 0:33 {root} /sys/fs/cgroup rw - cgroup2 cgroup2 rw");
            own_parent(&mounts(&mountinfo), memberships).map_err(|reason| reason.to_string())
        };
        let elsewhere = "control groups v2: the group of this process is not visible below /sys/fs/cgroup";
        for (root, memberships) in
            [("/b", "0::/a"), ("/..", "0::/"), ("/", "0::/../a"), ("/a", "0::/ab"), ("/", "8:memory:/a")]
        {
            assert_eq!(told(root, memberships), Err(elsewhere.to_owned()), "{root} {memberships}");
        }
        assert_eq!(told("/a", "0::/a/b"), Ok(PathBuf::from("/sys/fs/cgroup/b")));
        assert_eq!(own_parent(&[], "0::/a"), Err(NoGroups::NoVersion2));
    }

    /// Returns the counters of a group of version 2 whose files have these contents.
    fn counters(folder: &Path, events: &str, current: u64, peak: Option<u64>) -> Counters {
        let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
        write("memory.events", events);
        write("cpu.stat", "usage_usec 7000\nuser_usec 5000\n");
        write("memory.current", &current.to_string());
        match peak {
            Some(peak) => write("memory.peak", &peak.to_string()),
            None => drop(std::fs::remove_file(folder.join("memory.peak"))),
        }
        let group = Group { folders: vec![folder.to_owned()], version2: true };
        let counters = group.counters().unwrap();
        std::mem::forget(group);
        counters
    }

    #[test]
    fn the_highest_reading_is_the_peak_where_the_kernel_records_none() {
        let folder = std::env::temp_dir().join(format!("fablegrade-test-group-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut all = Counters::default();
        for (current, peak, wanted) in [(50, None, 50), (90, None, 90), (20, None, 90), (20, Some(95), 95)] {
            all.update(counters(&folder, "max 0\noom_kill 0\n", current, peak));
            assert_eq!((all.memory_peak, all.cpu), (wanted, Duration::from_millis(7)));
        }
        for (events, peak, wanted) in [
            ("max 0\noom_kill 0\n", 20, false),
            ("max 3\noom_kill 0\n", 20, false),
            ("max 3\noom_kill 2\noom_group_kill 1\n", 20, false),
            ("max 0\noom_kill 1\n", 20, true),
            ("max 0\noom_kill 1\n", 990, false),
        ] {
            let counters = counters(&folder, events, 20, Some(peak));
            assert_eq!(counters.killed_from_outside(1000), wanted, "{events}");
        }
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_field_is_found_by_its_whole_name() {
        let events = "low 0\nhigh 0\nmax 12\noom 1\noom_kill 3\noom_group_kill 1\n";
        assert_eq!(field(events, "oom"), 1);
        assert_eq!(field(events, "oom_kill"), 3);
        assert_eq!(field(events, "missing"), 0);
    }
}
