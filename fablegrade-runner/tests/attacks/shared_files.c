// Tries ways to observe or influence how others use files that several sandboxes see; prints those that work.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
static void works(const char *what, long answer) { if (answer >= 0) puts(what); }
int main(void) {
    const char *shared = "/usr/lib/x86_64-linux-gnu/libc.so.6";
    int f = open(shared, O_RDONLY);
    if (f < 0) f = open("/proc/self/exe", O_RDONLY);
    char b[1], residency[64];
    struct iovec one = {b, 1};
    struct flock lock = {.l_type = F_WRLCK};
    void *map = mmap(0, 4096, PROT_READ, MAP_SHARED, f, 0);
    unsigned long range[2] = {0, 4096}, counts[5];
    works("inotify_init1", syscall(SYS_inotify_init1, 0));
#ifdef SYS_inotify_init
    works("inotify_init", syscall(SYS_inotify_init));
#endif
    works("fanotify", syscall(SYS_fanotify_init, 0, 0));
    works("flock exclusive", flock(f, LOCK_EX | LOCK_NB));
    works("flock shared", flock(f, LOCK_SH | LOCK_NB));
    works("getlk", fcntl(f, F_GETLK, &lock));
    works("lease", fcntl(f, F_SETLEASE, F_RDLCK));
    works("getlease", fcntl(f, F_GETLEASE));
    works("notify", fcntl(open("/", O_RDONLY), F_NOTIFY, 1));
    works("fadvise", posix_fadvise(f, 0, 0, POSIX_FADV_DONTNEED) ? -1 : 0);
    works("readahead", readahead(f, 0, 4096));
    works("mincore", mincore(map, 4096, (void *)residency));
    works("nowait", preadv2(f, &one, 1, 0, RWF_NOWAIT));
    works("cachestat", syscall(451, f, range, counts, 0));
    works("pageout", madvise(map, 4096, 21));
    works("cold", madvise(map, 4096, 20));
    works("collapse", madvise(map, 4096, 25));
    works("mergeable", madvise(map, 4096, MADV_MERGEABLE));
    works("pipe", fcntl(f, F_SETPIPE_SZ, 1 << 20));
    // The devices are shared, can be opened for writing, and exist in every sandbox.
    const char *devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};
    for (int i = 0; i < 5; i++) {
        int device = open(devices[i], O_RDWR);
        struct timespec now[2] = {{0, UTIME_NOW}, {0, UTIME_NOW}};
        unsigned long hint = 2;
        if (device < 0) puts("a device cannot be opened");
        lock.l_type = F_WRLCK;
        works("lock of a device", fcntl(device, F_SETLK, &lock));
        works("lock of an open device", fcntl(device, F_OFD_SETLK, &lock));
        works("hint", fcntl(device, 1036, &hint));
        works("hint of a file", fcntl(device, 1038, &hint));
        works("times of a device", utimensat(AT_FDCWD, devices[i], now, 0));
        works("times of a device", utimensat(AT_FDCWD, devices[i], 0, 0));
        works("times of an open device", futimens(device, 0));
        works("mode of a device", fchmod(device, 0666));
    }
    if (write(open("/dev/null", O_WRONLY), b, 1) != 1 || read(open("/dev/zero", O_RDONLY), b, 1) != 1)
        puts("a device does not work");
    return 0;
}
