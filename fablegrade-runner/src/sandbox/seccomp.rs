//! The system calls that no submission needs: refused with ENOSYS, so that libraries take their older way.

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Width, SeccompCmpOp as Is, SeccompCondition,
    SeccompFilter, SeccompRule, TargetArch,
};
use std::collections::BTreeMap;

/// Refused whatever the arguments.
const REFUSED: &[libc::c_long] = &[
    // looking into or steering other processes
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    // memory that no process's size shows
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_msgget,
    libc::SYS_semget,
    libc::SYS_mq_open,
    // large and often attacked parts of the kernel
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
    // what others do to files that several sandboxes see: events, locks, and what the page cache holds of them
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
    // mounts, namespaces, the machine
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
    libc::SYS_unshare,
    libc::SYS_setns,
    // its flags lie in memory where a filter cannot look; libc falls back to clone
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
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_vhangup,
];

/// The same number on every architecture; younger than some C libraries.
const SYS_CACHESTAT: libc::c_long = 451;

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

/// The number of the first process within its namespace.
const FIRST: u64 = 1;

/// `fcntl`: whether others hold a lock, leases, notes about a folder, larger pipes than the kernel gives at first.
/// What remains of locks tells nothing about files that cannot be written: read locks do not exclude each other.
const REFUSED_CONTROLS: [i32; 6] = [
    libc::F_GETLK,
    libc::F_OFD_GETLK,
    libc::F_SETLEASE,
    libc::F_GETLEASE,
    libc::F_NOTIFY,
    libc::F_SETPIPE_SZ,
];

type Rules = BTreeMap<i64, Vec<SeccompRule>>;
type Refusal = Result<SeccompRule, seccompiler::BackendError>;

/// The call is refused where all these arguments have these values.
fn refuse_if(arguments: &[(u8, u64)]) -> Refusal {
    let conditions =
        arguments.iter().map(|(at, value)| SeccompCondition::new(*at, Width::Dword, Is::Eq, *value));
    SeccompRule::new(conditions.collect::<Result<_, _>>()?)
}

/// The call is refused where the argument has none of these values.
fn refuse_unless(at: u8, allowed: &[u64]) -> Refusal {
    let conditions = allowed.iter().map(|value| SeccompCondition::new(at, Width::Dword, Is::Ne, *value));
    SeccompRule::new(conditions.collect::<Result<_, _>>()?)
}

fn rules() -> Result<Rules, Box<dyn std::error::Error>> {
    let mut rules: Rules = REFUSED.iter().chain(REFUSED_HERE).map(|number| (*number, Vec::new())).collect();
    let mut namespaces = Vec::new();
    for flag in NEW_NAMESPACE {
        let asked = SeccompCondition::new(0, Width::Qword, Is::MaskedEq(flag), flag)?;
        namespaces.push(SeccompRule::new(vec![asked])?);
    }
    rules.insert(libc::SYS_clone, namespaces);
    // Internet sockets hold memory that is not counted, and reach nobody.
    let families = vec![refuse_unless(0, &[libc::AF_UNIX as u64])?];
    rules.insert(libc::SYS_socket, families.clone());
    rules.insert(libc::SYS_socketpair, families);
    // what it is now, plain Linux, and Linux without address randomisation
    rules.insert(libc::SYS_personality, vec![refuse_unless(0, &[0xffff_ffff, 0, 0x0004_0000])?]);
    // TIOCSTI and TIOCLINUX push characters into a terminal
    rules.insert(libc::SYS_ioctl, vec![refuse_if(&[(1, 0x5412)])?, refuse_if(&[(1, 0x541c)])?]);
    let controls = REFUSED_CONTROLS.map(|command| refuse_if(&[(1, command as u64)]));
    rules.insert(libc::SYS_fcntl, controls.into_iter().collect::<Result<_, _>>()?);
    // RWF_NOWAIT answers from the page cache alone.
    rules.insert(libc::SYS_preadv2, vec![refuse_unless(5, &[0])?]);
    rules.insert(libc::SYS_pwritev2, vec![refuse_unless(5, &[0])?]);
    // MADV_COLD and MADV_PAGEOUT give pages away that others share.
    rules.insert(libc::SYS_madvise, vec![refuse_if(&[(2, 20)])?, refuse_if(&[(2, 21)])?]);
    // The first process has the same user. A process steers its own limits with number 0.
    rules.insert(libc::SYS_prlimit64, vec![refuse_unless(0, &[0])?]);
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

/// Groups of processes other than the caller's own, which is number 0.
fn refuse_unless_own(kind: u64) -> Refusal {
    SeccompRule::new(vec![
        SeccompCondition::new(0, Width::Dword, Is::Eq, kind)?,
        SeccompCondition::new(1, Width::Dword, Is::Ne, 0)?,
    ])
}

fn compile() -> Result<BpfProgram, Box<dyn std::error::Error>> {
    let rules = rules()?;
    let refuse = SeccompAction::Errno(libc::ENOSYS as u32);
    let here: TargetArch = std::env::consts::ARCH.try_into()?;
    Ok(SeccompFilter::new(rules, SeccompAction::Allow, refuse, here)?.try_into()?)
}

/// The filter as the kernel wants it, for bubblewrap's `--seccomp`.
pub(crate) fn filter() -> Result<Vec<u8>, String> {
    let program = compile().map_err(|error| format!("the system call filter cannot be built: {error}"))?;
    let mut bytes = Vec::with_capacity((program.len() + 4) * 8);
    let mut push = |code: u16, jump_true: u8, jump_false: u8, operand: u32| {
        bytes.extend_from_slice(&code.to_ne_bytes());
        bytes.push(jump_true);
        bytes.push(jump_false);
        bytes.extend_from_slice(&operand.to_ne_bytes());
    };
    if cfg!(target_arch = "x86_64") {
        // The x32 numbers mean the same calls and would pass every rule below.
        const LOAD: u16 = 0x20;
        const AT_LEAST: u16 = 0x35;
        const RETURN: u16 = 0x06;
        push(LOAD, 0, 0, 0);
        push(AT_LEAST, 0, 1, 0x4000_0000);
        push(RETURN, 0, 0, 0x0005_0000 | libc::ENOSYS as u32);
    }
    for step in program {
        push(step.code, step.jt, step.jf, step.k);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_filter_is_whole_instructions_within_the_kernels_limit() {
        let bytes = super::filter().unwrap();
        assert_eq!(bytes.len() % 8, 0);
        assert!(bytes.len() / 8 < 4096);
    }
}
