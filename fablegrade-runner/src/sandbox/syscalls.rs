//! System calls that `std` does not offer, each behind a safe function. In the library, only this file and
//! `spawn.rs` contain `unsafe`.
#![allow(unsafe_code)]

use std::ffi::CString;
use std::fs::File;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::time::Duration;

pub(super) fn check(answer: libc::c_long) -> io::Result<libc::c_long> {
    if answer < 0 { Err(io::Error::last_os_error()) } else { Ok(answer) }
}

fn owned(answer: libc::c_long) -> io::Result<OwnedFd> {
    let descriptor = check(answer)?;
    // SAFETY: the kernel has just created this descriptor, and no other code holds it.
    Ok(unsafe { OwnedFd::from_raw_fd(descriptor as RawFd) })
}

/// Returns an unnamed file in memory that can no longer be changed, with the given permissions.
pub(crate) fn sealed_memory(name: &str, content: &[u8], mode: u32) -> io::Result<OwnedFd> {
    use std::io::Write as _;
    let name = CString::new(name).map_err(io::Error::other)?;
    const MFD_EXEC: libc::c_uint = 0x10;
    let flags = libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING;
    // Kernels before 6.3 do not know MFD_EXEC and refuse the call.
    // SAFETY: the name is a C string that lives through the call.
    let made = owned(unsafe { libc::syscall(libc::SYS_memfd_create, name.as_ptr(), flags | MFD_EXEC) })
        .or_else(|_| owned(unsafe { libc::syscall(libc::SYS_memfd_create, name.as_ptr(), flags) }))?;
    let mut file = File::from(made);
    file.write_all(content)?;
    let seals = libc::F_SEAL_SEAL | libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_WRITE;
    // SAFETY: plain system calls on a descriptor that this code owns.
    unsafe {
        check(libc::fchmod(file.as_raw_fd(), mode).into())?;
        check(libc::fcntl(file.as_raw_fd(), libc::F_ADD_SEALS, seals).into())?;
    }
    Ok(file.into())
}

/// Opens the file behind a descriptor again for reading, with a separate position.
pub(crate) fn reopen(descriptor: &OwnedFd) -> io::Result<OwnedFd> {
    Ok(File::open(format!("/proc/self/fd/{}", descriptor.as_raw_fd()))?.into())
}

/// Moves a descriptor to a number above those that a program expects to be free.
pub(crate) fn moved_up(descriptor: OwnedFd) -> io::Result<OwnedFd> {
    duplicate(&descriptor)
}

/// Returns a duplicate whose number is 64 or higher, and keeps the original.
pub(crate) fn duplicate(descriptor: &OwnedFd) -> io::Result<OwnedFd> {
    // SAFETY: plain system call; the duplicate is new.
    owned(unsafe { libc::fcntl(descriptor.as_raw_fd(), libc::F_DUPFD_CLOEXEC, 64) }.into())
}

/// Returns a pair of connected packet sockets; the first one receives the process id of the sender.
pub(crate) fn packet_pair() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut pair = [0; 2];
    // SAFETY: `pair` has room for two descriptors; on success this code owns both.
    let (ours, theirs) = unsafe {
        let kind = libc::SOCK_SEQPACKET | libc::SOCK_CLOEXEC;
        check(libc::socketpair(libc::AF_UNIX, kind, 0, pair.as_mut_ptr()).into())?;
        (OwnedFd::from_raw_fd(pair[0]), OwnedFd::from_raw_fd(pair[1]))
    };
    let on: libc::c_int = 1;
    // SAFETY: the option's value is an int that lives through the call.
    check(
        unsafe {
            libc::setsockopt(
                ours.as_raw_fd(),
                libc::SOL_SOCKET,
                libc::SO_PASSCRED,
                (&raw const on).cast(),
                size_of::<libc::c_int>() as libc::socklen_t,
            )
        }
        .into(),
    )?;
    Ok((ours, theirs))
}

/// A packet: its length, the sender's process id as seen by this process, and a descriptor that came with it.
pub(crate) struct Packet {
    pub(crate) length: usize,
    pub(crate) sender: Option<i32>,
    pub(crate) descriptor: Option<OwnedFd>,
}

/// Receives one packet without waiting. Returns `None` if nothing has arrived, and length 0 if the other side
/// is gone.
pub(crate) fn receive(socket: &OwnedFd, buffer: &mut [u8]) -> io::Result<Option<Packet>> {
    let mut part = libc::iovec { iov_base: buffer.as_mut_ptr().cast(), iov_len: buffer.len() };
    let mut space = [0u64; 8];
    // SAFETY: the header points at buffers that outlive the call; control data is read with the CMSG macros
    // within the length that the kernel reports.
    unsafe {
        let mut header: libc::msghdr = MaybeUninit::zeroed().assume_init();
        header.msg_iov = &raw mut part;
        header.msg_iovlen = 1;
        header.msg_control = space.as_mut_ptr().cast();
        header.msg_controllen = size_of_val(&space) as _;
        let got =
            libc::recvmsg(socket.as_raw_fd(), &raw mut header, libc::MSG_DONTWAIT | libc::MSG_CMSG_CLOEXEC);
        if got < 0 {
            let error = io::Error::last_os_error();
            return match error.kind() {
                io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted => Ok(None),
                io::ErrorKind::ConnectionReset => {
                    Ok(Some(Packet { length: 0, sender: None, descriptor: None }))
                }
                _ => Err(error),
            };
        }
        let (mut sender, mut descriptor) = (None, None);
        let mut message = libc::CMSG_FIRSTHDR(&raw const header);
        while !message.is_null() {
            match ((*message).cmsg_level, (*message).cmsg_type) {
                (libc::SOL_SOCKET, libc::SCM_CREDENTIALS) => {
                    let mut credentials: libc::ucred = MaybeUninit::zeroed().assume_init();
                    std::ptr::copy_nonoverlapping(
                        libc::CMSG_DATA(message),
                        (&raw mut credentials).cast::<u8>(),
                        size_of::<libc::ucred>(),
                    );
                    sender = Some(credentials.pid);
                }
                (libc::SOL_SOCKET, libc::SCM_RIGHTS) => {
                    let mut number: libc::c_int = -1;
                    std::ptr::copy_nonoverlapping(
                        libc::CMSG_DATA(message),
                        (&raw mut number).cast::<u8>(),
                        size_of::<libc::c_int>(),
                    );
                    descriptor = Some(OwnedFd::from_raw_fd(number));
                }
                _ => {}
            }
            message = libc::CMSG_NXTHDR(&raw const header, message);
        }
        Ok(Some(Packet { length: got as usize, sender, descriptor }))
    }
}

fn file_system(on_it: &impl AsRawFd) -> io::Result<libc::statfs> {
    let mut space: MaybeUninit<libc::statfs> = MaybeUninit::zeroed();
    // SAFETY: the structure has room for the answer and is initially all zeros.
    unsafe {
        check(libc::fstatfs(on_it.as_raw_fd(), space.as_mut_ptr()).into())?;
        Ok(space.assume_init())
    }
}

/// Returns the block size, which is signed in glibc and unsigned in musl.
#[allow(clippy::unnecessary_cast)]
fn block_size(space: &libc::statfs) -> u64 {
    space.f_bsize as u64
}

/// Returns the numbers of bytes and of names that a file system in memory holds.
pub(crate) fn space_in(folder: &OwnedFd) -> io::Result<(u64, u64)> {
    let space = file_system(folder)?;
    let used = space.f_blocks.saturating_sub(space.f_bfree) * block_size(&space);
    Ok((used, space.f_files.saturating_sub(space.f_ffree)))
}

/// Returns the number of bytes that a file system in memory can still take; `None` if the folder is on
/// another kind.
pub(crate) fn memory_left(folder: &std::path::Path) -> io::Result<Option<u64>> {
    let space = file_system(&File::open(folder)?)?;
    let in_memory = space.f_type as u64 & 0xffff_ffff == libc::TMPFS_MAGIC as u64;
    Ok(in_memory.then(|| space.f_bavail.saturating_mul(block_size(&space))))
}

/// Loads every page of a file into memory; on success, all of them were in memory. Advice
/// (`POSIX_FADV_WILLNEED`) is not enough: the kernel reads later, or not at all if memory is short.
pub(crate) fn read_whole(file: &File) -> io::Result<()> {
    let size = usize::try_from(file.metadata()?.len()).map_err(io::Error::other)?;
    if size == 0 {
        return Ok(());
    }
    // SAFETY: a new read-only mapping at an address that the kernel chooses; this code does not read from it.
    let place = unsafe {
        libc::mmap(std::ptr::null_mut(), size, libc::PROT_READ, libc::MAP_SHARED, file.as_raw_fd(), 0)
    };
    if place == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the mapping made above; a page that cannot be read gives an error, not a signal.
    let populated =
        check(libc::c_long::from(unsafe { libc::madvise(place, size, libc::MADV_POPULATE_READ) }));
    // SAFETY: the whole mapping made above, to which nothing points any more.
    unsafe { libc::munmap(place, size) };
    match populated {
        Ok(_) => Ok(()),
        // Kernels before 5.14 do not know this advice.
        Err(error) if error.raw_os_error() == Some(libc::EINVAL) => {
            io::copy(&mut &*file, &mut io::sink()).map(|_| ())
        }
        Err(error) => Err(error),
    }
}

/// Sends one packet with at most four descriptors, without waiting and without SIGPIPE.
pub(crate) fn send(socket: &OwnedFd, packet: &[u8], descriptors: &[OwnedFd]) -> io::Result<()> {
    let mut numbers = [0 as RawFd; super::protocol::GROUPS];
    for (number, descriptor) in numbers.iter_mut().zip(descriptors) {
        *number = descriptor.as_raw_fd();
    }
    let count = descriptors.len().min(numbers.len());
    let bytes = (count * size_of::<RawFd>()) as u32;
    let mut part = libc::iovec { iov_base: packet.as_ptr().cast_mut().cast(), iov_len: packet.len() };
    let mut space = [0u64; 8];
    // SAFETY: the header points at buffers that outlive the call; the control message is written with the
    // CMSG macros and fits, as 16 bytes and four numbers are less than 64.
    let sent = check(unsafe {
        let mut header: libc::msghdr = MaybeUninit::zeroed().assume_init();
        header.msg_iov = &raw mut part;
        header.msg_iovlen = 1;
        if count > 0 {
            header.msg_control = space.as_mut_ptr().cast();
            header.msg_controllen = libc::CMSG_SPACE(bytes) as _;
            let message = libc::CMSG_FIRSTHDR(&raw const header);
            (*message).cmsg_level = libc::SOL_SOCKET;
            (*message).cmsg_type = libc::SCM_RIGHTS;
            (*message).cmsg_len = libc::CMSG_LEN(bytes) as _;
            std::ptr::copy_nonoverlapping(
                numbers.as_ptr().cast::<u8>(),
                libc::CMSG_DATA(message),
                bytes as usize,
            );
        }
        let flags = libc::MSG_DONTWAIT | libc::MSG_NOSIGNAL;
        libc::sendmsg(socket.as_raw_fd(), &raw const header, flags) as libc::c_long
    })?;
    if sent as usize == packet.len() { Ok(()) } else { Err(io::ErrorKind::WriteZero.into()) }
}

/// Shuts down sending, so the other side sees that no more packets come.
pub(crate) fn no_more_packets(socket: &OwnedFd) -> io::Result<()> {
    // SAFETY: plain system call on a descriptor that this code holds.
    match check(unsafe { libc::shutdown(socket.as_raw_fd(), libc::SHUT_WR) }.into()) {
        // `NotConnected` means that the other side has ended.
        Err(error) if error.kind() != io::ErrorKind::NotConnected => Err(error),
        _ => Ok(()),
    }
}

/// The readiness of each descriptor in the two lists. A descriptor whose other end is closed is ready too.
pub(crate) type Ready = (Vec<bool>, Vec<bool>);

/// Waits until a descriptor of the first list is readable or one of the second is writable, at most
/// `longest`.
pub(crate) fn wait_ready(
    read: &[Option<BorrowedFd<'_>>],
    write: &[Option<BorrowedFd<'_>>],
    longest: Duration,
) -> io::Result<Ready> {
    let polled = |descriptors: &[Option<BorrowedFd<'_>>], events| {
        let one = |descriptor: &Option<BorrowedFd<'_>>| libc::pollfd {
            fd: descriptor.map_or(-1, |descriptor| descriptor.as_raw_fd()),
            events,
            revents: 0,
        };
        descriptors.iter().map(one).collect::<Vec<_>>()
    };
    let mut all = polled(read, libc::POLLIN);
    all.append(&mut polled(write, libc::POLLOUT));
    let time = libc::timespec { tv_sec: longest.as_secs() as _, tv_nsec: longest.subsec_nanos().into() };
    // SAFETY: the array lives through the call and its length is given.
    let answer = check(
        unsafe {
            libc::ppoll(all.as_mut_ptr(), all.len() as libc::nfds_t, &raw const time, std::ptr::null())
        }
        .into(),
    );
    match answer {
        Err(error) if error.kind() == io::ErrorKind::Interrupted => {
            all.iter_mut().for_each(|one| one.revents = 0)
        }
        Err(error) => return Err(error),
        Ok(_) => {}
    }
    let mut ready: Vec<bool> = all.iter().map(|one| one.revents != 0).collect();
    let written = ready.split_off(read.len());
    Ok((ready, written))
}

/// Returns the number of unread bytes in a pipe.
pub(crate) fn bytes_in(pipe: &impl AsRawFd) -> io::Result<usize> {
    let mut count: libc::c_int = 0;
    // SAFETY: the call writes one int, which lives through it.
    check(unsafe { libc::ioctl(pipe.as_raw_fd(), libc::FIONREAD, &raw mut count) }.into())?;
    Ok(usize::try_from(count).unwrap_or_default())
}

pub(crate) fn set_nonblocking(descriptor: &impl AsRawFd) -> io::Result<()> {
    // SAFETY: plain system calls on a descriptor that the caller holds.
    unsafe {
        let flags = check(libc::fcntl(descriptor.as_raw_fd(), libc::F_GETFL).into())?;
        check(libc::fcntl(descriptor.as_raw_fd(), libc::F_SETFL, flags as i32 | libc::O_NONBLOCK).into())?;
    }
    Ok(())
}

/// Returns a handle that can never refer to another process.
pub(crate) fn process_handle(pid: i32) -> io::Result<OwnedFd> {
    // SAFETY: plain system call.
    owned(unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) })
}

/// Ends the process behind the handle; a process that has ended already is not an error.
pub(crate) fn kill(process: &OwnedFd) -> io::Result<()> {
    // SAFETY: plain system call.
    let answer = check(unsafe {
        libc::syscall(
            libc::SYS_pidfd_send_signal,
            process.as_raw_fd(),
            libc::SIGKILL,
            std::ptr::null::<u8>(),
            0,
        )
    });
    match answer {
        Err(error) if error.raw_os_error() != Some(libc::ESRCH) => Err(error),
        _ => Ok(()),
    }
}

pub(crate) fn effective_user() -> u32 {
    // SAFETY: cannot fail.
    unsafe { libc::geteuid() }
}

/// Returns this process's limit on the size of a file that it writes, in bytes.
pub(crate) fn file_size_limit() -> u64 {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the structure has room for the answer.
    if unsafe { libc::getrlimit(libc::RLIMIT_FSIZE, &raw mut limit) } == 0 {
        limit.rlim_cur
    } else {
        u64::MAX
    }
}

/// Returns the number of clock ticks (the unit of `/proc/PID/stat`) in one second.
pub(crate) fn ticks_per_second() -> u64 {
    // SAFETY: cannot fail for this name.
    unsafe { libc::sysconf(libc::_SC_CLK_TCK) }.max(1) as u64
}

/// Returns the size of a memory page in bytes (the unit of `/proc/PID/statm`); not every machine has 4,096.
pub(crate) fn page_size() -> u64 {
    // SAFETY: cannot fail for this name.
    unsafe { libc::sysconf(libc::_SC_PAGESIZE) }.max(1) as u64
}

/// Changes the group of a file and keeps its owner.
pub(crate) fn give_to_group(path: &std::path::Path, group: u32) -> io::Result<()> {
    std::os::unix::fs::lchown(path, None, Some(group))
}

pub(crate) fn give_to(pipe: &impl std::os::fd::AsFd, user: u32, group: u32) -> io::Result<()> {
    std::os::unix::fs::fchown(pipe, Some(user), Some(group))
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::os::fd::AsRawFd as _;

    const SIZE: usize = 4 << 20;

    /// Returns the number of pages of a file that are in memory.
    fn there(file: &File) -> usize {
        let mut pages = vec![0_u8; SIZE / 4096];
        // SAFETY: a new mapping of the whole file, unmapped below; `pages` has one byte for each of its
        // pages.
        unsafe {
            let place = libc::mmap(
                std::ptr::null_mut(),
                SIZE,
                libc::PROT_READ,
                libc::MAP_SHARED,
                file.as_raw_fd(),
                0,
            );
            assert_ne!(place, libc::MAP_FAILED);
            assert_eq!(libc::mincore(place, SIZE, pages.as_mut_ptr()), 0);
            libc::munmap(place, SIZE);
        }
        pages.iter().filter(|page| **page & 1 == 1).count()
    }

    #[test]
    fn every_page_is_in_memory_as_soon_as_a_file_was_read() {
        // Not in the temporary folder, which can be in memory.
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join(format!("fablegrade-test-resident-{}", std::process::id()));
        fs::write(&path, vec![1_u8; SIZE]).unwrap();
        let file = File::open(&path).unwrap();
        fs::remove_file(&path).unwrap();
        file.sync_all().unwrap();
        // SAFETY: plain system call on a descriptor that this code holds.
        unsafe { libc::posix_fadvise(file.as_raw_fd(), 0, 0, libc::POSIX_FADV_DONTNEED) };
        // A file system in memory does not evict pages.
        let before = there(&file);
        super::read_whole(&file).unwrap();
        assert_eq!(there(&file), SIZE / 4096, "{before} before");
    }
}
