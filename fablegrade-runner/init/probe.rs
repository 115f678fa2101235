//! The program that the self-test runs in the sandbox. Each command tries something forbidden, exceeds a
//! limit, or reads a file. Most print what they observe.
#![no_std]
#![no_main]
#![no_builtins]
#![deny(warnings)]

mod system;
use system::option::*;
use system::{argument, decimal, exit};

const NONE: usize = 0;

static mut BUFFER: [u8; 65536] = [0; 65536];

fn print(bytes: *const u8, count: usize) {
    let mut at = 0;
    while at < count {
        let wrote = sys!(WRITE, 1, bytes.wrapping_add(at), count - at);
        if wrote <= 0 {
            exit(0);
        }
        at += wrote as usize;
    }
}

fn print_number(label: &[u8], mut value: usize) {
    print(label.as_ptr(), label.len());
    let mut digits = [b'0'; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (value % 10) as u8;
        value /= 10;
        if value == 0 || at == 0 {
            break;
        }
    }
    print(digits[at..].as_ptr(), digits.len() - at);
    print(b"\n".as_ptr(), 1);
}

fn sleep_forever() -> ! {
    loop {
        let hour = [3600u64, 0];
        sys!(NANOSLEEP, hour.as_ptr(), 0);
    }
}

pub(crate) extern "C" fn entry(stack: *const usize) -> ! {
    let word = argument(stack, 1);
    let given = argument(stack, 2);
    // SAFETY: an argument that exists ends with NUL, so its first byte can be read.
    let kind = if word.is_null() { 0 } else { unsafe { *word } };
    let number = decimal(given).unwrap_or(NONE);
    let buffer = &raw mut BUFFER as *mut u8;
    match kind {
        // read PATH: print the file
        b'r' => {
            let file = sys!(OPENAT, AT_FDCWD, given, 0, 0);
            if file < 0 {
                print_number(b"refused ", -file as usize);
                exit(0)
            }
            loop {
                let got = sys!(READ, file, buffer, 65536);
                if got <= 0 {
                    exit(0)
                }
                print(buffer, got as usize);
            }
        }
        // connect PORT on the loopback device
        b'c' => {
            let socket = sys!(SOCKET, AF_INET, SOCK_STREAM, 0);
            let port = number as u16;
            let address = [2u8, 0, (port >> 8) as u8, port as u8, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0];
            let answer = sys!(CONNECT, socket, address.as_ptr(), 16);
            if answer == 0 { print_number(b"connected ", 0) } else { print_number(b"refused ", -answer as usize) }
            exit(0)
        }
        // fork until refused, at most NUMBER
        b'f' => {
            let mut count = 0;
            while count < number {
                let child = sys!(CLONE, SIGCHLD, 0, 0, 0, 0);
                if child == 0 {
                    sleep_forever();
                }
                if child < 0 {
                    break;
                }
                count += 1;
            }
            print_number(b"forked ", count);
            exit(0)
        }
        // memory: touch NUMBER MiB and keep them, so even a slow observer sees them
        b'm' => {
            let size = number << 20;
            let at = sys!(MMAP, 0, size, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, -1isize, 0);
            if at < 0 {
                exit(12);
            }
            let mut touched = 0;
            while touched < size {
                // SAFETY: within the `size` bytes that were just mapped for writing.
                unsafe { core::ptr::write_volatile((at as usize + touched) as *mut u8, 1) };
                touched += 4096;
            }
            sleep_forever()
        }
        b's' => sleep_forever(),
        // write without end
        b'w' => loop {
            print(buffer, 65536);
        },
        // unshare a user namespace
        b'u' => {
            let answer = sys!(UNSHARE, CLONE_NEWUSER);
            print_number(b"refused ", -answer as usize);
            exit(0)
        }
        // watch files that other sandboxes see too
        b'i' => {
            let answer = sys!(INOTIFY_INIT1, 0);
            if answer < 0 { print_number(b"refused ", -answer as usize) } else { print_number(b"watches ", 0) }
            exit(0)
        }
        // change a limit of the first process
        b'l' => {
            let pair = [0u64, 0];
            let answer = sys!(PRLIMIT64, 1, RLIMIT_CPU, pair.as_ptr(), 0);
            if answer < 0 { print_number(b"refused ", -answer as usize) } else { print_number(b"limited ", 0) }
            exit(0)
        }
        // forge a RESULT frame on every descriptor, then exit with 7
        b'e' => {
            let mut frame = [0u8; 34];
            frame[0] = b'R';
            for descriptor in 3..1024 {
                sys!(WRITE, descriptor, frame.as_ptr(), frame.len());
            }
            exit(7)
        }
        _ => exit(2),
    }
}
