//! The system calls that no submission needs. They fail with ENOSYS, so libraries fall back to older calls.

use crate::error::Error;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Width, SeccompCmpOp as Is, SeccompCondition,
    SeccompFilter, SeccompRule, TargetArch, sock_filter,
};
use std::collections::BTreeMap;

/// Calls that are refused whatever their arguments.
const REFUSED: &[libc::c_long] = &[
    // inspecting or controlling other processes
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    SYS_PROCESS_MRELEASE,
    // memory that does not count in any process's size
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_msgget,
    libc::SYS_semget,
    libc::SYS_mq_open,
    // large, often attacked parts of the kernel
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
    libc::SYS_io_setup,
    libc::SYS_io_submit,
    // observing what others do with files that several sandboxes see: events, locks, contents of the page
    // cache
    libc::SYS_inotify_init1,
    libc::SYS_inotify_add_watch,
    libc::SYS_fanotify_init,
    libc::SYS_fanotify_mark,
    libc::SYS_flock,
    libc::SYS_fadvise64,
    libc::SYS_readahead,
    libc::SYS_mincore,
    SYS_CACHESTAT,
    libc::SYS_sync_file_range,
    libc::SYS_sync,
    libc::SYS_syncfs,
    // the location of pages, which reveals whether they are in memory
    libc::SYS_move_pages,
    libc::SYS_migrate_pages,
    libc::SYS_get_mempolicy,
    libc::SYS_set_mempolicy,
    libc::SYS_mbind,
    SYS_SET_MEMPOLICY_HOME_NODE,
    // mounts, namespaces, administration of the machine
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    SYS_STATMOUNT,
    SYS_LISTMOUNT,
    SYS_OPEN_TREE_ATTR,
    SYS_LSM_LIST_MODULES,
    libc::SYS_unshare,
    libc::SYS_setns,
    // clone3: its flags are in memory that a filter cannot read; libc falls back to clone
    libc::SYS_clone3,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_reboot,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_acct,
    libc::SYS_syslog,
    libc::SYS_quotactl,
    SYS_QUOTACTL_FD,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_vhangup,
];

// Calls that are newer than some C libraries; their numbers are the same on every architecture.
const SYS_QUOTACTL_FD: libc::c_long = 443;
const SYS_PROCESS_MRELEASE: libc::c_long = 448;
const SYS_SET_MEMPOLICY_HOME_NODE: libc::c_long = 450;
const SYS_CACHESTAT: libc::c_long = 451;
const SYS_STATMOUNT: libc::c_long = 457;
const SYS_LISTMOUNT: libc::c_long = 458;
const SYS_LSM_LIST_MODULES: libc::c_long = 461;
const SYS_OPEN_TREE_ATTR: libc::c_long = 467;

#[cfg(target_arch = "x86_64")]
const REFUSED_HERE: &[libc::c_long] = &[
    libc::SYS_inotify_init,
    libc::SYS_iopl,
    libc::SYS_ioperm,
    libc::SYS_modify_ldt,
    libc::SYS_uselib,
    libc::SYS_ustat,
    libc::SYS_sysfs,
    libc::SYS__sysctl,
    libc::SYS_nfsservctl,
    libc::SYS_lookup_dcookie,
];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED_HERE: &[libc::c_long] = &[];

/// `CLONE_NEWNS`, `NEWCGROUP`, `NEWUTS`, `NEWIPC`, `NEWUSER`, `NEWPID`, `NEWNET`.
const NEW_NAMESPACE: [u64; 7] =
    [0x0002_0000, 0x0200_0000, 0x0400_0000, 0x0800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000];

/// The id of the first process in its namespace.
const FIRST: u64 = 1;

/// The allowed commands of `fcntl`. The others reveal or change the state of a file that several sandboxes
/// see (locks, leases, hints, notifications), or take kernel memory (larger pipes). Locks would be visible on
/// devices too, which can be opened for writing.
const ALLOWED_CONTROLS: [u64; 7] = [
    libc::F_DUPFD as u64,
    libc::F_DUPFD_CLOEXEC as u64,
    libc::F_GETFD as u64,
    libc::F_SETFD as u64,
    libc::F_GETFL as u64,
    libc::F_SETFL as u64,
    libc::F_GETPIPE_SZ as u64,
];

/// The refused advice about memory: `MADV_COLD` and `MADV_PAGEOUT` evict pages that others share,
/// `MADV_COLLAPSE` joins them, and `MADV_MERGEABLE` lets the kernel share equal pages.
const REFUSED_ADVICE: [u64; 4] = [12, 20, 21, 25];

type Rules = BTreeMap<i64, Vec<SeccompRule>>;
type Refusal = Result<SeccompRule, seccompiler::BackendError>;

/// Refuses the call if all of these arguments have these values.
fn refuse_if(arguments: &[(u8, u64)]) -> Refusal {
    let conditions =
        arguments.iter().map(|(at, value)| SeccompCondition::new(*at, Width::Dword, Is::Eq, *value));
    SeccompRule::new(conditions.collect::<Result<_, _>>()?)
}

/// Refuses the call unless the argument has one of these values.
fn refuse_unless(at: u8, allowed: &[u64]) -> Refusal {
    let conditions = allowed.iter().map(|value| SeccompCondition::new(at, Width::Dword, Is::Ne, *value));
    SeccompRule::new(conditions.collect::<Result<_, _>>()?)
}

fn rules() -> Result<Rules, Failure> {
    let mut rules: Rules = REFUSED.iter().chain(REFUSED_HERE).map(|number| (*number, Vec::new())).collect();
    let mut namespaces = Vec::new();
    for flag in NEW_NAMESPACE {
        let asked = SeccompCondition::new(0, Width::Qword, Is::MaskedEq(flag), flag)?;
        namespaces.push(SeccompRule::new(vec![asked])?);
    }
    rules.insert(libc::SYS_clone, namespaces);
    // Internet sockets hold memory that is not counted, and reach no host anyway.
    let families = vec![refuse_unless(0, &[libc::AF_UNIX as u64])?];
    rules.insert(libc::SYS_socket, families.clone());
    rules.insert(libc::SYS_socketpair, families);
    // allowed: a query, plain Linux, and Linux without address randomisation
    rules.insert(libc::SYS_personality, vec![refuse_unless(0, &[0xffff_ffff, 0, 0x0004_0000])?]);
    // TIOCSTI and TIOCLINUX push characters into a terminal
    rules.insert(libc::SYS_ioctl, vec![refuse_if(&[(1, 0x5412)])?, refuse_if(&[(1, 0x541c)])?]);
    rules.insert(libc::SYS_fcntl, vec![refuse_unless(1, &ALLOWED_CONTROLS)?]);
    // RWF_NOWAIT reveals whether data is in the page cache.
    rules.insert(libc::SYS_preadv2, vec![refuse_unless(5, &[0])?]);
    rules.insert(libc::SYS_pwritev2, vec![refuse_unless(5, &[0])?]);
    let advice = REFUSED_ADVICE.map(|advice| refuse_if(&[(2, advice)]));
    rules.insert(libc::SYS_madvise, advice.into_iter().collect::<Result<_, _>>()?);
    // The first process has the same user, so its limits could be changed too. With process id 0, a process
    // can only change its own limits. Core files could be enabled with a lower limit, see `spawn.rs`.
    let new_core = SeccompRule::new(new_core()?.into())?;
    rules.insert(libc::SYS_prlimit64, vec![refuse_unless(0, &[0])?, new_core]);
    rules.insert(libc::SYS_setrlimit, vec![refuse_if(&[(0, CORE)])?]);
    for number in [
        libc::SYS_sched_setaffinity,
        libc::SYS_sched_setparam,
        libc::SYS_sched_setscheduler,
        libc::SYS_sched_setattr,
    ] {
        rules.insert(number, vec![refuse_if(&[(0, FIRST)])?]);
    }
    let (process, its_group, everything) = (0, 1, 2);
    let whose =
        [refuse_if(&[(0, process), (1, FIRST)]), refuse_unless_own(its_group), refuse_if(&[(0, everything)])];
    rules.insert(libc::SYS_setpriority, whose.into_iter().collect::<Result<_, _>>()?);
    let (process, its_group, everything) = (1, 2, 3);
    let whose =
        [refuse_if(&[(0, process), (1, FIRST)]), refuse_unless_own(its_group), refuse_if(&[(0, everything)])];
    rules.insert(libc::SYS_ioprio_set, whose.into_iter().collect::<Result<_, _>>()?);
    Ok(rules)
}

const CORE: u64 = libc::RLIMIT_CORE as u64;

/// The conditions under which `prlimit64` changes the limit on core files.
fn new_core() -> Result<[SeccompCondition; 2], seccompiler::BackendError> {
    Ok([
        SeccompCondition::new(1, Width::Dword, Is::Eq, CORE)?,
        SeccompCondition::new(2, Width::Qword, Is::Ne, 0)?,
    ])
}

/// Returns the refused calls that succeed without effect instead of failing. Sanitizers, and scripts with
/// `ulimit -c 0`, end if they cannot lower their limit on core files.
fn pretended() -> Result<Rules, Failure> {
    let own = SeccompCondition::new(0, Width::Dword, Is::Eq, 0)?;
    // The filter cannot write the old limit.
    let old_unread = SeccompCondition::new(3, Width::Qword, Is::Eq, 0)?;
    let new_core = SeccompRule::new(new_core()?.into_iter().chain([own, old_unread]).collect())?;
    Ok(Rules::from([
        (libc::SYS_prlimit64, vec![new_core]),
        (libc::SYS_setrlimit, vec![refuse_if(&[(0, CORE)])?]),
    ]))
}

/// Refuses process groups other than the caller's own, which has number 0.
fn refuse_unless_own(kind: u64) -> Refusal {
    SeccompRule::new(vec![
        SeccompCondition::new(0, Width::Dword, Is::Eq, kind)?,
        SeccompCondition::new(1, Width::Dword, Is::Ne, 0)?,
    ])
}

/// The maximum number of calls that are compared one after another. The kernel translates the filter and
/// evaluates it for every call number when it is installed, which adds to the cost of each run.
const TOGETHER: usize = 8;

/// The opcodes of a filter.
mod operation {
    pub(super) const LOAD: u16 = 0x20;
    pub(super) const JUMP: u16 = 0x05;
    pub(super) const EQUAL: u16 = 0x15;
    pub(super) const AT_LEAST: u16 = 0x35;
    pub(super) const ABOVE: u16 = 0x25;
    pub(super) const RETURN: u16 = 0x06;
}

const ALLOW: u32 = 0x7fff_0000;
const END_PROCESS: u32 = 0x8000_0000;
const REFUSE: u32 = 0x0005_0000 | libc::ENOSYS as u32;
/// The kernel's number of the architecture, and the offsets of the call number and the architecture.
const MACHINE: u32 = if cfg!(target_arch = "aarch64") { 0xc000_00b7 } else { 0xc000_003e };
const NUMBER_AT: u32 = 0;
const MACHINE_AT: u32 = 4;

type Failure = Box<dyn std::error::Error + Send + Sync>;
/// The highest call number of a group, and the instructions for its calls.
type Group = (u32, BpfProgram);

fn step(code: u16, jt: u8, jf: u8, k: u32) -> sock_filter {
    sock_filter { code, jt, jf, k }
}

/// Returns the instructions for a few calls. Every path through them ends with a decision.
fn group(rules: &[(i64, Vec<SeccompRule>)]) -> Result<Group, Failure> {
    let (always, sometimes): (Vec<_>, Vec<_>) =
        rules.iter().cloned().partition(|(_, rules)| rules.is_empty());
    let mut steps = BpfProgram::new();
    for (at, (number, _)) in always.iter().enumerate() {
        // If equal, continues at the refusal after the jump.
        steps.push(step(operation::EQUAL, u8::try_from(always.len() - at)?, 0, u32::try_from(*number)?));
    }
    steps.push(step(operation::JUMP, 0, 0, 1));
    steps.push(step(operation::RETURN, 0, 0, REFUSE));
    let filter = |rules: Rules, error: libc::c_int| -> Result<BpfProgram, Failure> {
        let here: TargetArch = std::env::consts::ARCH.try_into()?;
        let action = SeccompAction::Errno(u32::try_from(error)?);
        Ok(SeccompFilter::new(rules, SeccompAction::Allow, action, here)?.try_into()?)
    };
    let mut pretended = pretended()?;
    pretended.retain(|number, _| rules.iter().any(|(known, _)| known == number));
    if !pretended.is_empty() {
        // With error 0, a call succeeds. The calls that this filter would allow are left to the next one.
        let mut first = filter(pretended, 0)?;
        let end = first.len();
        for (at, one) in first.iter_mut().enumerate() {
            if (one.code, one.k) == (operation::RETURN, ALLOW) {
                *one = step(operation::JUMP, 0, 0, u32::try_from(end - 1 - at)?);
            }
        }
        steps.append(&mut first);
    }
    if sometimes.is_empty() {
        steps.push(step(operation::RETURN, 0, 0, ALLOW));
    } else {
        steps.append(&mut filter(sometimes.into_iter().collect(), libc::ENOSYS)?);
    }
    let last = rules.last().map_or(0, |(number, _)| *number);
    Ok((u32::try_from(last)?, steps))
}

/// Returns a binary search for the group of a call number.
fn search(groups: &[Group]) -> BpfProgram {
    if let [(_, steps)] = groups {
        return steps.clone();
    }
    let (low, high) = groups.split_at(groups.len() / 2);
    let last = low.last().map_or(0, |(last, _)| *last);
    let (mut low, mut high) = (search(low), search(high));
    // A conditional jump spans at most 255 instructions, so an unconditional one skips the lower half.
    let over = u32::try_from(low.len()).unwrap_or(u32::MAX);
    let mut all = vec![step(operation::ABOVE, 0, 1, last), step(operation::JUMP, 0, 0, over)];
    all.append(&mut low);
    all.append(&mut high);
    all
}

fn compile() -> Result<BpfProgram, Failure> {
    let rules: Vec<(i64, Vec<SeccompRule>)> = rules()?.into_iter().collect();
    let groups = rules.chunks(TOGETHER).map(group).collect::<Result<Vec<_>, _>>()?;
    let mut all = vec![
        step(operation::LOAD, 0, 0, MACHINE_AT),
        // On other architectures, the numbers mean other calls.
        step(operation::EQUAL, 1, 0, MACHINE),
        step(operation::RETURN, 0, 0, END_PROCESS),
        step(operation::LOAD, 0, 0, NUMBER_AT),
    ];
    if cfg!(target_arch = "x86_64") {
        // The x32 numbers mean the same calls and would pass every rule below.
        all.push(step(operation::AT_LEAST, 0, 1, 0x4000_0000));
        all.push(step(operation::RETURN, 0, 0, REFUSE));
    }
    all.append(&mut search(&groups));
    Ok(all)
}

/// Returns the filter as bytes in the kernel's format.
pub(crate) fn filter() -> Result<Vec<u8>, Error> {
    let steps = compile().map_err(Error::Filter)?;
    let mut bytes = Vec::with_capacity(steps.len() * 8);
    for step in steps {
        bytes.extend_from_slice(&step.code.to_ne_bytes());
        bytes.extend_from_slice(&[step.jt, step.jf]);
        bytes.extend_from_slice(&step.k.to_ne_bytes());
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::{ALLOW, END_PROCESS, MACHINE, REFUSE, compile, operation, rules};
    use seccompiler::sock_filter;

    /// Success without effect.
    const PRETEND: u32 = 0x0005_0000;

    /// Evaluates the filter as the kernel does.
    fn decide(steps: &[sock_filter], number: u32, machine: u32, arguments: [u64; 6]) -> u32 {
        let mut data = Vec::from(number.to_ne_bytes());
        data.extend(machine.to_ne_bytes());
        data.extend(0_u64.to_ne_bytes());
        arguments.iter().for_each(|argument| data.extend(argument.to_ne_bytes()));
        let (mut at, mut value) = (0, 0);
        loop {
            let sock_filter { code, jt, jf, k } = steps[at];
            at += 1;
            let holds = match code {
                operation::LOAD => {
                    let from = k as usize;
                    value = u32::from_ne_bytes(data[from..from + 4].try_into().unwrap());
                    continue;
                }
                operation::JUMP => {
                    at += k as usize;
                    continue;
                }
                operation::RETURN => return k,
                0x54 => {
                    value &= k;
                    continue;
                }
                operation::EQUAL => value == k,
                operation::AT_LEAST => value >= k,
                operation::ABOVE => value > k,
                other => panic!("{other:#x}"),
            };
            at += usize::from(if holds { jt } else { jf });
        }
    }

    #[test]
    fn each_call_is_decided_by_its_own_rules() {
        let (steps, rules) = (compile().unwrap(), rules().unwrap());
        let none = [0; 6];
        for number in 0..600_u32 {
            let decided = decide(&steps, number, MACHINE, none);
            match rules.get(&i64::from(number)) {
                None => assert_eq!(decided, ALLOW, "{number}"),
                Some(rules) if rules.is_empty() => assert_eq!(decided, REFUSE, "{number}"),
                Some(_) => assert!([ALLOW, REFUSE].contains(&decided), "{number}"),
            }
            assert_eq!(decide(&steps, number, 0x4000_0003, none), END_PROCESS, "{number}");
            if cfg!(target_arch = "x86_64") {
                assert_eq!(decide(&steps, number | 0x4000_0000, MACHINE, none), REFUSE, "{number}");
            }
        }
        let of = |number: libc::c_long, arguments: &[u64]| {
            let mut all = none;
            all.iter_mut().zip(arguments).for_each(|(to, from)| *to = *from);
            decide(&steps, u32::try_from(number).unwrap(), MACHINE, all)
        };
        assert_eq!([of(libc::SYS_socket, &[1]), of(libc::SYS_socket, &[2])], [ALLOW, REFUSE]);
        assert_eq!([of(libc::SYS_clone, &[17]), of(libc::SYS_clone, &[0x1000_0011])], [ALLOW, REFUSE]);
        assert_eq!([of(libc::SYS_prlimit64, &[0, 7]), of(libc::SYS_prlimit64, &[1, 7])], [ALLOW, REFUSE]);
        // F_SETFL, F_DUPFD_CLOEXEC
        assert_eq!([4, 1030].map(|command| of(libc::SYS_fcntl, &[3, command])), [ALLOW; 2]);
        // locks, hints, the size of a pipe
        let refused = [5, 6, 7, 36, 37, 38, 1024, 1031, 1035, 1036, 1037, 1038];
        refused
            .iter()
            .for_each(|command| assert_eq!(of(libc::SYS_fcntl, &[3, *command]), REFUSE, "{command}"));
        assert_eq!([4, 8, 14].map(|advice| of(libc::SYS_madvise, &[0, 0, advice])), [ALLOW; 3]);
        assert_eq!([12, 20, 21, 25].map(|advice| of(libc::SYS_madvise, &[0, 0, advice])), [REFUSE; 4]);
        // the limit on core files: read, changed (the address in the upper half), changed, changed and read, that
        // of another process; another limit
        let limits: [(&[u64], u32); 7] = [
            (&[0, 4, 0, 8], ALLOW),
            (&[0, 4, 1 << 32], PRETEND),
            (&[0, 4, 8], PRETEND),
            (&[0, 4, 8, 16], REFUSE),
            (&[0, 4, 8, 1 << 32], REFUSE),
            (&[1, 4, 8], REFUSE),
            (&[0, 7, 8], ALLOW),
        ];
        for (arguments, wanted) in limits {
            assert_eq!(of(libc::SYS_prlimit64, arguments), wanted, "{arguments:?}");
        }
        assert_eq!([of(libc::SYS_setrlimit, &[7]), of(libc::SYS_setrlimit, &[4])], [ALLOW, PRETEND]);
    }

    #[test]
    fn the_filter_is_whole_instructions_within_the_kernels_limit() {
        let bytes = super::filter().unwrap();
        assert_eq!(bytes.len() % 8, 0);
        assert!(bytes.len() / 8 < 1000, "{}", bytes.len() / 8);
    }
}
