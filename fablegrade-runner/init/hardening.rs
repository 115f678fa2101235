//! The last steps of the isolation, taken by the first process: forbid further user namespaces, hide what
//! `/proc` reveals about the whole machine, make the root and the devices read-only, give up all privileges, and filter
//! system calls. bubblewrap can do the same, but reads the whole list of mounts for each file that it hides.
//! At this point, nothing of a submission has been read. If a step fails, the sandbox ends.

use crate::protocol::{DEVICES, MACHINE_FILES, MACHINE_FOLDERS, failure};
use crate::sys;
use crate::system::exit;
use crate::system::option::*;

const HIDDEN: usize = MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC;
/// Longer than the path of every device, and every hidden path below `/proc`.
const PATH: usize = 64;

/// The size of one instruction of a filter, in bytes.
const STEP: usize = 8;

/// `struct sock_fprog` on 64-bit machines.
#[repr(C)]
struct Filter {
    length: u16,
    steps: *const u8,
}

fn must(answer: isize) {
    if answer < 0 {
        exit(failure::NOT_HARDENED);
    }
}

/// Performs all steps; `filter` is the descriptor of the filter, and `buffer` has room for its contents.
pub(crate) fn harden(filter: usize, buffer: &mut [u8]) {
    // A process that is not the first of its namespace is not in a sandbox, and must not change what others
    // see.
    if sys!(GETPID) != 1 {
        exit(failure::NOT_HARDENED);
    }
    no_more_users();
    hide_the_machine();
    keep_times_of_devices();
    // The root becomes read-only; all mount points in it exist by now.
    must(sys!(MOUNT, 0, c"/".as_ptr(), 0, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV, 0));
    give_up_privileges();
    install(filter, buffer);
}

/// Forbids further user namespaces; the limit counts those below this one.
fn no_more_users() {
    let limit = sys!(OPENAT, AT_FDCWD, c"/proc/sys/user/max_user_namespaces".as_ptr(), O_WRONLY | O_CLOEXEC, 0);
    must(limit);
    must(sys!(WRITE, limit, c"0".as_ptr(), 1));
    sys!(CLOSE, limit);
}

/// Returns the path of `name` in the folder, ended by NUL.
fn path(folder: &str, name: &str) -> [u8; PATH] {
    let mut path = [0; PATH];
    for (to, from) in path.iter_mut().take(PATH - 1).zip(folder.as_bytes().iter().chain(name.as_bytes())) {
        *to = *from;
    }
    path
}

/// Covers the first existing name with a new mount, and all others with bind mounts of it.
fn hide(names: &[&str], mount: impl Fn(&[u8; PATH]) -> isize) {
    let mut first = None;
    for name in names {
        let here = path("/proc/", name);
        let hidden = match &first {
            None => mount(&here),
            Some(first) => {
                let first: &[u8; PATH] = first;
                sys!(MOUNT, first.as_ptr(), here.as_ptr(), 0, MS_BIND, 0)
            }
        };
        if hidden == -ENOENT {
            continue;
        }
        must(hidden);
        if first.is_none() {
            first = Some(here);
        }
    }
}

/// Hides everything in `/proc` except processes. Kernels before 5.8 cannot mount such a `/proc`, and some
/// hosts do not allow a second one. In these cases, each entry that reveals the machine is covered.
fn hide_the_machine() {
    let proc = c"proc".as_ptr();
    let flags = MS_NOSUID | MS_NODEV | MS_NOEXEC;
    if sys!(MOUNT, proc, c"/proc".as_ptr(), proc, flags, c"subset=pid".as_ptr()) == 0 {
        return;
    }
    hide(MACHINE_FILES, |here| {
        let bound = sys!(MOUNT, c"/dev/null".as_ptr(), here.as_ptr(), 0, MS_BIND, 0);
        // Devices cannot be opened on such a mount, so an attempt to read is refused.
        if bound == 0 { sys!(MOUNT, 0, here.as_ptr(), 0, MS_BIND | MS_REMOUNT | HIDDEN, 0) } else { bound }
    });
    hide(MACHINE_FOLDERS, |here| {
        let tmpfs = c"tmpfs".as_ptr();
        sys!(MOUNT, tmpfs, here.as_ptr(), tmpfs, HIDDEN, c"mode=0555,size=4096,nr_inodes=2".as_ptr())
    });
}

/// Makes the devices read-only, which does not concern what is written to them. Otherwise, a program could set
/// their times, which programs in other sandboxes see. bubblewrap has no such option: it would forbid to open
/// the devices.
fn keep_times_of_devices() {
    for device in DEVICES {
        let here = path("", device);
        must(sys!(MOUNT, 0, here.as_ptr(), 0, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NOEXEC, 0));
    }
}

fn give_up_privileges() {
    must(sys!(PRCTL, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    // Up to the first capability that the kernel does not know.
    let mut capability = 0;
    loop {
        let dropped = sys!(PRCTL, PR_CAPBSET_DROP, capability, 0, 0, 0);
        if dropped == -EINVAL && capability > 0 {
            break;
        }
        must(dropped);
        capability += 1;
    }
    must(sys!(PRCTL, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0));
    let header = [CAPABILITY_VERSION_3, 0u32];
    let none = [0u32; 6];
    must(sys!(CAPSET, header.as_ptr(), none.as_ptr()));
}

fn install(filter: usize, buffer: &mut [u8]) {
    let mut length = 0;
    loop {
        // An explicit offset, because other sandboxes can read the same descriptor at the same time.
        let got = sys!(PREAD64, filter, buffer[length..].as_mut_ptr(), buffer.len() - length, length);
        if got == -EINTR {
            continue;
        }
        must(got);
        if got == 0 {
            break;
        }
        length += got as usize;
    }
    if length == 0 || length % STEP != 0 || length / STEP > u16::MAX as usize {
        exit(failure::NOT_HARDENED);
    }
    let filter = Filter { length: (length / STEP) as u16, steps: buffer.as_ptr() };
    must(sys!(PRCTL, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &raw const filter, 0, 0));
}
