//! Starts the program that makes a sandbox. As in `posix_spawn`, the child shares its parent's memory until
//! it executes that program, so a start does not cost more if the parent holds much memory. `std` does this
//! only for children that inherit no further descriptors and keep their user, and forks otherwise.
#![allow(unsafe_code)]

use super::syscalls::{check, moved_up};
use std::ffi::{CString, OsStr, OsString, c_char, c_int, c_long, c_void};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd as _, FromRawFd as _, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::ptr::null;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, PoisonError};

/// The stack size in bytes; enough for the system calls of the child and the C library's wrappers.
const STACK: usize = 64 << 10;
const LAST_SIGNAL: c_int = 64;

/// A program to start. It gets an empty environment and the root as its working directory.
pub(super) struct Program<'a> {
    pub(super) path: &'a Path,
    /// The name under which the process appears.
    pub(super) name: &'a str,
    pub(super) arguments: &'a [OsString],
    /// Standard input, output and errors.
    pub(super) streams: [OwnedFd; 3],
    /// Further descriptors that it inherits with unchanged numbers.
    pub(super) keep: &'a [&'a OwnedFd],
    /// The user and group, without supplementary groups; `None` keeps those of this process.
    pub(super) user: Option<(u32, u32)>,
}

/// Instructions for the child, prepared before it exists because it must not allocate.
struct Order<'a> {
    path: *const c_char,
    arguments: *const *const c_char,
    environment: *const *const c_char,
    streams: [RawFd; 3],
    keep: &'a [RawFd],
    user: Option<(u32, u32)>,
    /// The error number if the program was not started, otherwise 0.
    error: AtomicI32,
}

/// Starts the program and returns a handle that can never refer to another process.
///
/// # Errors
///
/// The error of the system call that failed, in this process or in the child, or a NUL byte in a string.
pub(super) fn spawn(program: Program<'_>) -> io::Result<OwnedFd> {
    let string = |text: &OsStr| CString::new(text.as_bytes()).map_err(io::Error::from);
    let path = string(program.path.as_os_str())?;
    let mut words = vec![string(OsStr::new(program.name))?];
    for argument in program.arguments {
        words.push(string(argument)?);
    }
    let arguments: Vec<_> = words.iter().map(|word| word.as_ptr()).chain([null()]).collect();
    let keep: Vec<_> = program.keep.iter().map(|descriptor| descriptor.as_raw_fd()).collect();
    let [input, output, errors] = program.streams;
    // `dup2` in the child assigns the numbers 0 to 2, so no stream may have one of them yet.
    let streams = [moved_up(input)?, moved_up(output)?, moved_up(errors)?];
    let environment = [null()];
    let order = Order {
        path: path.as_ptr(),
        arguments: arguments.as_ptr(),
        environment: environment.as_ptr(),
        streams: streams.each_ref().map(|stream| stream.as_raw_fd()),
        keep: &keep,
        user: program.user,
        error: AtomicI32::new(0),
    };
    let handle = match order.user {
        None => start(&order)?,
        Some(_) => preserving_dumpable(|| start(&order))?,
    };
    match order.error.load(Ordering::Relaxed) {
        0 => Ok(handle),
        error => {
            wait(&handle)?;
            Err(io::Error::from_raw_os_error(error))
        }
    }
}

/// Waits until the child has ended. Returns its exit code, or `None` if a signal ended it.
pub(super) fn wait(child: &OwnedFd) -> io::Result<Option<i32>> {
    let mut how = MaybeUninit::<libc::siginfo_t>::zeroed();
    let process = child.as_raw_fd() as libc::id_t;
    // SAFETY: there is room for the answer, which is complete once the call has succeeded; zeros are valid
    // too.
    while let Err(error) =
        check(unsafe { libc::waitid(libc::P_PIDFD, process, how.as_mut_ptr(), libc::WEXITED) }.into())
    {
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    // SAFETY: as above; the status is present for every child that has ended.
    let (code, status) = unsafe { (how.assume_init_ref().si_code, how.assume_init_ref().si_status()) };
    Ok((code == libc::CLD_EXITED).then_some(status))
}

/// Runs `work`, then makes this process dumpable again if it was before. A child that changes its user makes
/// the shared memory undumpable, so debuggers and core files of the host program would no longer work.
fn preserving_dumpable<T>(work: impl FnOnce() -> T) -> T {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: plain system calls.
    let before = unsafe { libc::prctl(libc::PR_GET_DUMPABLE) };
    let done = work();
    if before == 1 {
        // SAFETY: as above.
        unsafe { libc::prctl(libc::PR_SET_DUMPABLE, 1) };
    }
    done
}

fn start(order: &Order<'_>) -> io::Result<OwnedFd> {
    let mut stack = Vec::<u128>::with_capacity(STACK / size_of::<u128>());
    // The stack grows downwards on every supported architecture.
    let top = stack.spare_capacity_mut().as_mut_ptr_range().end;
    let mut handle: RawFd = -1;
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PIDFD | libc::SIGCHLD;
    // SAFETY: the child has a separate stack, and no signal handler runs in it, as all signals are blocked.
    // This thread waits until the child has become another program or has ended, so everything that the child
    // reads and writes outlives it.
    unsafe {
        let mut before = MaybeUninit::<libc::sigset_t>::uninit();
        let mut all = MaybeUninit::<libc::sigset_t>::uninit();
        libc::sigfillset(all.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr());
        let started =
            libc::clone(child, top.cast(), flags, (&raw const *order).cast_mut().cast(), &raw mut handle);
        let started = check(started.into());
        libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), std::ptr::null_mut());
        started?;
        Ok(OwnedFd::from_raw_fd(handle))
    }
}

/// Runs in the child, on shared memory: only system calls, nothing that allocates, locks or unwinds.
extern "C" fn child(order: *mut c_void) -> c_int {
    // SAFETY: `start` passed this pointer and waits.
    let order = unsafe { &*order.cast::<Order<'_>>() };
    if let Err(error) = become_program(order) {
        order.error.store(error, Ordering::Relaxed);
    }
    // SAFETY: plain system call.
    unsafe { libc::_exit(127) }
}

/// Executes the program. Returns only if that fails, with the error number.
fn become_program(order: &Order<'_>) -> Result<(), i32> {
    let done = |answer: c_long| {
        // SAFETY: the C library's `errno` of this thread.
        if answer < 0 { Err(unsafe { *libc::__errno_location() }) } else { Ok(()) }
    };
    // SAFETY: plain system calls, with structures that live through them; the order's strings and lists end
    // as `execve` demands. The user is changed by the kernel's calls, because those of the C library would
    // change the parent's threads too.
    unsafe {
        let mut action = MaybeUninit::<libc::sigaction>::zeroed().assume_init();
        for signal in 1..=LAST_SIGNAL {
            // No handler of this process may run in the child once signals are unblocked. Ignored signals
            // stay ignored, except SIGPIPE, which Rust ignores.
            let known = libc::sigaction(signal, null(), &raw mut action) == 0;
            if known && (action.sa_sigaction != libc::SIG_IGN || signal == libc::SIGPIPE) {
                action.sa_sigaction = libc::SIG_DFL;
                libc::sigaction(signal, &raw const action, std::ptr::null_mut());
            }
        }
        for (number, stream) in (0..).zip(order.streams) {
            done(libc::dup2(stream, number).into())?;
        }
        // Descriptors that the host program left open must not reach the sandbox.
        done(libc::syscall(libc::SYS_close_range, 3, u32::MAX, libc::CLOSE_RANGE_CLOEXEC as libc::c_uint))?;
        for descriptor in order.keep {
            done(libc::fcntl(*descriptor, libc::F_SETFD, 0).into())?;
        }
        if let Some((user, group)) = order.user {
            done(libc::syscall(libc::SYS_setgroups, 0, null::<libc::gid_t>()))?;
            done(libc::syscall(libc::SYS_setresgid, group, group, group))?;
            done(libc::syscall(libc::SYS_setresuid, user, user, user))?;
        }
        done(libc::chdir(c"/".as_ptr()).into())?;
        libc::umask(0o077);
        // With limit 1, the kernel also does not start a program that collects core files; with limit 0, it
        // does. A host that forbids core files can allow only 0.
        let core = [1u64; 2];
        libc::syscall(libc::SYS_prlimit64, 0, libc::RLIMIT_CORE, core.as_ptr(), null::<u64>());
        let mut none = MaybeUninit::<libc::sigset_t>::uninit();
        libc::sigemptyset(none.as_mut_ptr());
        libc::sigprocmask(libc::SIG_SETMASK, none.as_ptr(), std::ptr::null_mut());
        done(libc::execve(order.path, order.arguments, order.environment).into())
    }
}
