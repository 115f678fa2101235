//! The common basis of both static programs: system calls with their numbers and options, the entry point,
//! and the memory functions that the compiler may call. There is no libc.
#![allow(dead_code)]

use core::arch::{asm, global_asm};

#[cfg(target_arch = "x86_64")]
pub(crate) mod number {
    pub(crate) const READ: usize = 0;
    pub(crate) const WRITE: usize = 1;
    pub(crate) const CLOSE: usize = 3;
    pub(crate) const MMAP: usize = 9;
    pub(crate) const RT_SIGPROCMASK: usize = 14;
    pub(crate) const PREAD64: usize = 17;
    pub(crate) const NANOSLEEP: usize = 35;
    pub(crate) const GETPID: usize = 39;
    pub(crate) const SOCKET: usize = 41;
    pub(crate) const CONNECT: usize = 42;
    pub(crate) const SENDTO: usize = 44;
    pub(crate) const SENDMSG: usize = 46;
    pub(crate) const RECVMSG: usize = 47;
    pub(crate) const CLONE: usize = 56;
    pub(crate) const EXECVE: usize = 59;
    pub(crate) const WAIT4: usize = 61;
    pub(crate) const KILL: usize = 62;
    pub(crate) const FCNTL: usize = 72;
    pub(crate) const CHDIR: usize = 80;
    pub(crate) const SETSID: usize = 112;
    pub(crate) const CAPSET: usize = 126;
    pub(crate) const PRCTL: usize = 157;
    pub(crate) const MOUNT: usize = 165;
    pub(crate) const GETDENTS64: usize = 217;
    pub(crate) const CLOCK_GETTIME: usize = 228;
    pub(crate) const EXIT_GROUP: usize = 231;
    pub(crate) const INOTIFY_INIT1: usize = 294;
    pub(crate) const OPENAT: usize = 257;
    pub(crate) const MKDIRAT: usize = 258;
    pub(crate) const UNSHARE: usize = 272;
    pub(crate) const DUP3: usize = 292;
    pub(crate) const PIPE2: usize = 293;
    pub(crate) const PRLIMIT64: usize = 302;
    pub(crate) const STATX: usize = 332;
    pub(crate) const CLOSE_RANGE: usize = 436;
}

#[cfg(target_arch = "aarch64")]
pub(crate) mod number {
    pub(crate) const FCNTL: usize = 25;
    pub(crate) const INOTIFY_INIT1: usize = 26;
    pub(crate) const DUP3: usize = 24;
    pub(crate) const MKDIRAT: usize = 34;
    pub(crate) const MOUNT: usize = 40;
    pub(crate) const CHDIR: usize = 49;
    pub(crate) const OPENAT: usize = 56;
    pub(crate) const CLOSE: usize = 57;
    pub(crate) const PIPE2: usize = 59;
    pub(crate) const GETDENTS64: usize = 61;
    pub(crate) const READ: usize = 63;
    pub(crate) const WRITE: usize = 64;
    pub(crate) const PREAD64: usize = 67;
    pub(crate) const CAPSET: usize = 91;
    pub(crate) const EXIT_GROUP: usize = 94;
    pub(crate) const UNSHARE: usize = 97;
    pub(crate) const NANOSLEEP: usize = 101;
    pub(crate) const CLOCK_GETTIME: usize = 113;
    pub(crate) const KILL: usize = 129;
    pub(crate) const RT_SIGPROCMASK: usize = 135;
    pub(crate) const SETSID: usize = 157;
    pub(crate) const PRCTL: usize = 167;
    pub(crate) const GETPID: usize = 172;
    pub(crate) const SOCKET: usize = 198;
    pub(crate) const CONNECT: usize = 203;
    pub(crate) const SENDTO: usize = 206;
    pub(crate) const SENDMSG: usize = 211;
    pub(crate) const RECVMSG: usize = 212;
    pub(crate) const CLONE: usize = 220;
    pub(crate) const EXECVE: usize = 221;
    pub(crate) const MMAP: usize = 222;
    pub(crate) const WAIT4: usize = 260;
    pub(crate) const PRLIMIT64: usize = 261;
    pub(crate) const STATX: usize = 291;
    pub(crate) const CLOSE_RANGE: usize = 436;
}

/// Options of the calls, with the kernel's names. Some options of `open` differ between architectures.
pub(crate) mod option {
    #[cfg(target_arch = "x86_64")]
    pub(crate) const O_DIRECTORY: usize = 0o200000;
    #[cfg(target_arch = "x86_64")]
    pub(crate) const O_NOFOLLOW: usize = 0o400000;
    #[cfg(target_arch = "aarch64")]
    pub(crate) const O_DIRECTORY: usize = 0o40000;
    #[cfg(target_arch = "aarch64")]
    pub(crate) const O_NOFOLLOW: usize = 0o100000;
    pub(crate) const O_WRONLY: usize = 1;
    pub(crate) const O_NONBLOCK: usize = 0o4000;
    pub(crate) const O_CLOEXEC: usize = 0o2000000;
    pub(crate) const O_PATH: usize = 0o10000000;
    pub(crate) const AT_FDCWD: isize = -100;
    pub(crate) const AT_EMPTY_PATH: usize = 0x1000;
    pub(crate) const STATX_BASIC_STATS: usize = 0x7ff;
    pub(crate) const S_IFMT: u16 = 0o170000;
    pub(crate) const S_IFREG: u16 = 0o100000;
    pub(crate) const S_IXUSR: u16 = 0o100;
    pub(crate) const DT_DIR: u8 = 4;
    pub(crate) const DT_REG: u8 = 8;
    pub(crate) const MSG_NOSIGNAL: usize = 0x4000;
    pub(crate) const MSG_CMSG_CLOEXEC: usize = 0x4000_0000;
    pub(crate) const SOL_SOCKET: i32 = 1;
    pub(crate) const SCM_RIGHTS: i32 = 1;
    pub(crate) const AF_INET: usize = 2;
    pub(crate) const SOCK_STREAM: usize = 1;
    pub(crate) const F_SETFD: usize = 2;
    pub(crate) const FD_CLOEXEC: usize = 1;
    pub(crate) const CLOSE_RANGE_CLOEXEC: usize = 4;
    pub(crate) const SIG_SETMASK: usize = 2;
    pub(crate) const SIGKILL: usize = 9;
    pub(crate) const SIGCHLD: usize = 17;
    pub(crate) const CLONE_NEWUSER: usize = 0x1000_0000;
    pub(crate) const PR_SET_DUMPABLE: usize = 4;
    pub(crate) const PR_SET_SECCOMP: usize = 22;
    pub(crate) const PR_CAPBSET_READ: usize = 23;
    pub(crate) const PR_CAPBSET_DROP: usize = 24;
    pub(crate) const PR_SET_CHILD_SUBREAPER: usize = 36;
    pub(crate) const PR_SET_NO_NEW_PRIVS: usize = 38;
    pub(crate) const PR_CAP_AMBIENT: usize = 47;
    pub(crate) const PR_CAP_AMBIENT_CLEAR_ALL: usize = 4;
    pub(crate) const SECCOMP_MODE_FILTER: usize = 2;
    pub(crate) const CAPABILITY_VERSION_3: u32 = 0x2008_0522;
    pub(crate) const MS_RDONLY: usize = 1;
    pub(crate) const MS_NOSUID: usize = 2;
    pub(crate) const MS_NODEV: usize = 4;
    pub(crate) const MS_NOEXEC: usize = 8;
    pub(crate) const MS_REMOUNT: usize = 32;
    pub(crate) const MS_BIND: usize = 4096;
    pub(crate) const RLIMIT_CPU: usize = 0;
    pub(crate) const RLIMIT_FSIZE: usize = 1;
    pub(crate) const RLIMIT_DATA: usize = 2;
    pub(crate) const RLIMIT_STACK: usize = 3;
    pub(crate) const RLIMIT_NPROC: usize = 6;
    pub(crate) const RLIMIT_NOFILE: usize = 7;
    pub(crate) const RLIMIT_MEMLOCK: usize = 8;
    pub(crate) const RLIMIT_MSGQUEUE: usize = 12;
    pub(crate) const PROT_READ_WRITE: usize = 3;
    pub(crate) const MAP_PRIVATE_ANONYMOUS: usize = 0x22;
    pub(crate) const CLOCK_MONOTONIC: usize = 1;
    pub(crate) const ENOENT: isize = 2;
    pub(crate) const EINVAL: isize = 22;
    pub(crate) const EINTR: isize = 4;
    /// The highest possible descriptor, for `close_range`.
    pub(crate) const LAST_DESCRIPTOR: usize = u32::MAX as usize;
}

#[cfg(target_arch = "x86_64")]
global_asm!(".globl _start", "_start:", "xor ebp, ebp", "mov rdi, rsp", "and rsp, -16", "call {entry}", "ud2",
    entry = sym crate::entry);
#[cfg(target_arch = "aarch64")]
global_asm!(".globl _start", "_start:", "mov x29, xzr", "mov x0, sp", "bl {entry}", "brk 1",
    entry = sym crate::entry);

/// # Safety
/// Every argument that the kernel takes as a pointer must be valid for what the call reads or writes there.
#[cfg(target_arch = "x86_64")]
pub(crate) unsafe fn call(number: usize, a: usize, b: usize, c: usize, d: usize, e: usize, f: usize) -> isize {
    let answer: isize;
    // SAFETY: the kernel's calling convention; it changes only the registers listed.
    unsafe {
        asm!("syscall", inlateout("rax") number as isize => answer, in("rdi") a, in("rsi") b, in("rdx") c,
             in("r10") d, in("r8") e, in("r9") f, lateout("rcx") _, lateout("r11") _, options(nostack));
    }
    answer
}

/// # Safety
/// Every argument that the kernel takes as a pointer must be valid for what the call reads or writes there.
#[cfg(target_arch = "aarch64")]
pub(crate) unsafe fn call(number: usize, a: usize, b: usize, c: usize, d: usize, e: usize, f: usize) -> isize {
    let answer: isize;
    // SAFETY: the kernel's calling convention; it changes only the registers listed.
    unsafe {
        asm!("svc 0", in("x8") number, inlateout("x0") a as isize => answer, in("x1") b, in("x2") c, in("x3") d,
             in("x4") e, in("x5") f, options(nostack));
    }
    answer
}

/// Makes a system call, `sys!(NAME, arguments...)`, and returns the raw answer; negative numbers are error
/// numbers. Pointers among the arguments must be valid for what the call reads or writes; those of this
/// program refer to locals and statics that outlive the call.
#[macro_export]
macro_rules! sys {
    ($n:ident $(, $arg:expr)*) => { $crate::sys!(@pad $n [$($arg as usize),*]) };
    (@pad $n:ident [$($arg:expr),*]) => {{
        let given = [$($arg),*];
        let mut all = [0usize; 6];
        let mut at = 0;
        while at < given.len() { all[at] = given[at]; at += 1; }
        // SAFETY: see above; each use names live memory of the size that the call expects.
        unsafe { $crate::system::call($crate::system::number::$n, all[0], all[1], all[2], all[3], all[4], all[5]) }
    }};
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    exit(113)
}

/// Referenced by the precompiled `core`, but never called: panics abort.
// SAFETY: no other symbol of this name exists in a program without libc.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

/// The memory functions that the compiler may call; there is no libc to provide them.
mod memory {
    // SAFETY: the only definition of the symbol; the contract is that of C's function.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
        let mut at = 0;
        while at < count {
            // SAFETY: the caller promises `count` bytes at both places.
            unsafe { *to.add(at) = *from.add(at) };
            at += 1;
        }
        to
    }
    // SAFETY: the only definition of the symbol; the contract is that of C's function.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn memmove(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
        let mut at = 0;
        while at < count {
            let place = if (to as usize) < from as usize { at } else { count - 1 - at };
            // SAFETY: the caller promises `count` bytes at both places; the order preserves what is still to
            // be read.
            unsafe { *to.add(place) = *from.add(place) };
            at += 1;
        }
        to
    }
    // SAFETY: the only definition of the symbol; the contract is that of C's function.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn memset(to: *mut u8, value: i32, count: usize) -> *mut u8 {
        let mut at = 0;
        while at < count {
            // SAFETY: the caller promises `count` bytes.
            unsafe { *to.add(at) = value as u8 };
            at += 1;
        }
        to
    }
    // SAFETY: the only definition of the symbol; the contract is that of C's function.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn memcmp(a: *const u8, b: *const u8, count: usize) -> i32 {
        let mut at = 0;
        while at < count {
            // SAFETY: the caller promises `count` bytes at both places.
            let (x, y) = unsafe { (*a.add(at), *b.add(at)) };
            if x != y {
                return i32::from(x) - i32::from(y);
            }
            at += 1;
        }
        0
    }
}

pub(crate) fn exit(code: usize) -> ! {
    loop {
        sys!(EXIT_GROUP, code);
    }
}

/// Returns the `at`-th word of the command line, or null. `stack` is the stack pointer at the start.
pub(crate) fn argument(stack: *const usize, at: usize) -> *const u8 {
    // SAFETY: the kernel puts the number of arguments there, followed by that many pointers.
    unsafe { if at < *stack { *stack.add(1 + at) as *const u8 } else { core::ptr::null() } }
}

/// Parses the digits at the start of `text`, which is null or ends with NUL; `None` if there are none.
pub(crate) fn decimal(text: *const u8) -> Option<usize> {
    if text.is_null() {
        return None;
    }
    let (mut value, mut at) = (0usize, 0usize);
    loop {
        // SAFETY: the loop ends at the NUL at the latest.
        let byte = unsafe { *text.add(at) };
        if !byte.is_ascii_digit() {
            return (at > 0).then_some(value);
        }
        value = value.wrapping_mul(10).wrapping_add(usize::from(byte - b'0'));
        at += 1;
    }
}
