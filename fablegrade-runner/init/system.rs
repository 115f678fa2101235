//! What both static programs stand on: system calls, the start address, and the memory functions that the
//! compiler may call. There is no libc.
#![allow(dead_code)]

use core::arch::{asm, global_asm};

#[cfg(target_arch = "x86_64")]
pub(crate) mod number {
    pub(crate) const READ: usize = 0;
    pub(crate) const CLOSE: usize = 3;
    pub(crate) const RT_SIGPROCMASK: usize = 14;
    pub(crate) const SENDTO: usize = 44;
    pub(crate) const RECVFROM: usize = 45;
    pub(crate) const CLONE: usize = 56;
    pub(crate) const EXECVE: usize = 59;
    pub(crate) const WAIT4: usize = 61;
    pub(crate) const KILL: usize = 62;
    pub(crate) const FCNTL: usize = 72;
    pub(crate) const CHDIR: usize = 80;
    pub(crate) const SETPGID: usize = 109;
    pub(crate) const RT_SIGTIMEDWAIT: usize = 128;
    pub(crate) const STATFS: usize = 137;
    pub(crate) const PRCTL: usize = 157;
    pub(crate) const GETDENTS64: usize = 217;
    pub(crate) const EXIT_GROUP: usize = 231;
    pub(crate) const OPENAT: usize = 257;
    pub(crate) const PIPE2: usize = 293;
    pub(crate) const PRLIMIT64: usize = 302;
    pub(crate) const STATX: usize = 332;
    pub(crate) const WRITE: usize = 1;
    pub(crate) const CLOSE_RANGE: usize = 436;
    pub(crate) const DUP3: usize = 292;
    pub(crate) const MKDIRAT: usize = 258;
    pub(crate) const MMAP: usize = 9;
    pub(crate) const NANOSLEEP: usize = 35;
    pub(crate) const SOCKET: usize = 41;
    pub(crate) const CONNECT: usize = 42;
    pub(crate) const UNSHARE: usize = 272;
    pub(crate) const O_DIRECTORY: usize = 0o200000;
    pub(crate) const O_NOFOLLOW: usize = 0o400000;
}

#[cfg(target_arch = "aarch64")]
pub(crate) mod number {
    pub(crate) const READ: usize = 63;
    pub(crate) const CLOSE: usize = 57;
    pub(crate) const RT_SIGPROCMASK: usize = 135;
    pub(crate) const SENDTO: usize = 206;
    pub(crate) const RECVFROM: usize = 207;
    pub(crate) const CLONE: usize = 220;
    pub(crate) const EXECVE: usize = 221;
    pub(crate) const WAIT4: usize = 260;
    pub(crate) const KILL: usize = 129;
    pub(crate) const FCNTL: usize = 25;
    pub(crate) const CHDIR: usize = 49;
    pub(crate) const SETPGID: usize = 154;
    pub(crate) const RT_SIGTIMEDWAIT: usize = 137;
    pub(crate) const STATFS: usize = 43;
    pub(crate) const PRCTL: usize = 167;
    pub(crate) const GETDENTS64: usize = 61;
    pub(crate) const EXIT_GROUP: usize = 94;
    pub(crate) const OPENAT: usize = 56;
    pub(crate) const PIPE2: usize = 59;
    pub(crate) const PRLIMIT64: usize = 261;
    pub(crate) const STATX: usize = 291;
    pub(crate) const WRITE: usize = 64;
    pub(crate) const CLOSE_RANGE: usize = 436;
    pub(crate) const DUP3: usize = 24;
    pub(crate) const MKDIRAT: usize = 34;
    pub(crate) const MMAP: usize = 222;
    pub(crate) const NANOSLEEP: usize = 101;
    pub(crate) const SOCKET: usize = 198;
    pub(crate) const CONNECT: usize = 203;
    pub(crate) const UNSHARE: usize = 97;
    pub(crate) const O_DIRECTORY: usize = 0o40000;
    pub(crate) const O_NOFOLLOW: usize = 0o100000;
}

#[cfg(target_arch = "x86_64")]
global_asm!(".globl _start", "_start:", "xor ebp, ebp", "mov rdi, rsp", "and rsp, -16", "call {entry}", "ud2",
    entry = sym crate::entry);
#[cfg(target_arch = "aarch64")]
global_asm!(".globl _start", "_start:", "mov x29, xzr", "mov x0, sp", "bl {entry}", "brk 1",
    entry = sym crate::entry);

#[cfg(target_arch = "x86_64")]
pub(crate) unsafe fn call(number: usize, a: usize, b: usize, c: usize, d: usize, e: usize, f: usize) -> isize {
    let answer: isize;
    unsafe {
        asm!("syscall", inlateout("rax") number as isize => answer, in("rdi") a, in("rsi") b, in("rdx") c,
             in("r10") d, in("r8") e, in("r9") f, lateout("rcx") _, lateout("r11") _, options(nostack));
    }
    answer
}

#[cfg(target_arch = "aarch64")]
pub(crate) unsafe fn call(number: usize, a: usize, b: usize, c: usize, d: usize, e: usize, f: usize) -> isize {
    let answer: isize;
    unsafe {
        asm!("svc 0", in("x8") number, inlateout("x0") a as isize => answer, in("x1") b, in("x2") c, in("x3") d,
             in("x4") e, in("x5") f, options(nostack));
    }
    answer
}

/// `sys!(NAME, arguments...)`: the raw answer, negative numbers are error numbers.
#[macro_export]
macro_rules! sys {
    ($n:ident $(, $arg:expr)*) => { $crate::sys!(@pad $n [$($arg as usize),*]) };
    (@pad $n:ident [$($arg:expr),*]) => {{
        let given = [$($arg),*];
        let mut all = [0usize; 6];
        let mut at = 0;
        while at < given.len() { all[at] = given[at]; at += 1; }
        unsafe { $crate::system::call($crate::system::number::$n, all[0], all[1], all[2], all[3], all[4], all[5]) }
    }};
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    exit(113)
}

/// Named by the precompiled `core`, never called: panics abort.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

/// What the compiler may call for copies; there is no libc to bring them.
mod memory {
    #[unsafe(no_mangle)]
    unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
        let mut at = 0;
        while at < count {
            unsafe { *to.add(at) = *from.add(at) };
            at += 1;
        }
        to
    }
    #[unsafe(no_mangle)]
    unsafe extern "C" fn memset(to: *mut u8, value: i32, count: usize) -> *mut u8 {
        let mut at = 0;
        while at < count {
            unsafe { *to.add(at) = value as u8 };
            at += 1;
        }
        to
    }
    #[unsafe(no_mangle)]
    unsafe extern "C" fn memcmp(a: *const u8, b: *const u8, count: usize) -> i32 {
        let mut at = 0;
        while at < count {
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


/// The `at`-th word of the command line, or null. `stack` is the stack pointer at the start.
pub(crate) fn argument(stack: *const usize, at: usize) -> *const u8 {
    unsafe { if at < *stack { *stack.add(1 + at) as *const u8 } else { core::ptr::null() } }
}

/// A decimal number, `None` when there is none.
pub(crate) fn decimal(text: *const u8) -> Option<usize> {
    if text.is_null() {
        return None;
    }
    let (mut value, mut at) = (0usize, 0usize);
    while unsafe { (*text.add(at)).is_ascii_digit() } {
        value = value.wrapping_mul(10).wrapping_add(unsafe { *text.add(at) - b'0' } as usize);
        at += 1;
    }
    (at > 0).then_some(value)
}
