// Calls that reveal the location of pages, mounts, or other processes' resources, or that make the whole machine work. Each
// has valid arguments where possible, so the filter must refuse it. Calls that some C libraries lack are made by number.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define REFUSED(what, number, a, b, c, d, e, f)                                                                        \
    do {                                                                                                               \
        errno = 0;                                                                                                     \
        if (syscall(number, a, b, c, d, e, f) != -1 || errno != ENOSYS) printf("%s: %s\n", what, strerror(errno));     \
    } while (0)

static char space[65536];

int main(void) {
    // The process is killed at the end, so its output must not be buffered.
    setvbuf(stdout, 0, _IONBF, 0);
    int self = getpid(), library = open("/proc/self/exe", O_RDONLY), folder = open("/", O_RDONLY | O_DIRECTORY);
    void *page = mmap(0, 4096, PROT_READ, MAP_SHARED, library, 0), *pages[] = {page};
    int status[1] = {0};
    struct { uint32_t size, spare; uint64_t id, what, space; } request = {24, 0, -1, 1, 0};

    // The memory node of a page reveals whether the page is in memory.
    REFUSED("move_pages", SYS_move_pages, self, 1, pages, 0, status, 0);
    REFUSED("migrate_pages", SYS_migrate_pages, self, 64, space, space, 0, 0);
    REFUSED("get_mempolicy", SYS_get_mempolicy, status, 0, 0, page, 3, 0);
    REFUSED("set_mempolicy", SYS_set_mempolicy, 0, 0, 0, 0, 0, 0);
    REFUSED("mbind", SYS_mbind, page, 4096, 0, 0, 0, 0);
    REFUSED("set_mempolicy_home_node", 450, page, 4096, 0, 0, 0, 0);
    REFUSED("cachestat", 451, library, space, space + 256, 0, 0, 0);
    REFUSED("process_madvise", SYS_process_madvise, -1, space, 1, 20, 0, 0);
    REFUSED("process_mrelease", 448, -1, 0, 0, 0, 0, 0);

    // Mounts have numbers that count all mounts of the machine.
    REFUSED("statmount", 457, &request, space, sizeof space, 0, 0, 0);
    REFUSED("listmount", 458, &request, space, 64, 0, 0, 0);
    REFUSED("open_tree", SYS_open_tree, AT_FDCWD, "/", 1, 0, 0, 0);
    REFUSED("open_tree_attr", 467, AT_FDCWD, "/", 1, space, 32, 0);
    REFUSED("mount_setattr", 442, AT_FDCWD, "/", 0, space, 32, 0);
    REFUSED("quotactl_fd", 443, folder, 0x80000700, 0, space, 0, 0);
    REFUSED("quotactl", SYS_quotactl, 0x80000700, 0, 0, space, 0, 0);

    // Descriptors of other processes, events on files, memory, security modules.
    REFUSED("kcmp", SYS_kcmp, self, self, 0, 0, 0, 0);
    REFUSED("pidfd_getfd", 438, -1, 0, 0, 0, 0, 0);
    REFUSED("fanotify_init by handles", SYS_fanotify_init, 0x200 | 0x800, O_RDONLY, 0, 0, 0, 0);
    REFUSED("fanotify_init by process", SYS_fanotify_init, 0x80, O_RDONLY, 0, 0, 0, 0);
    REFUSED("userfaultfd", SYS_userfaultfd, O_CLOEXEC | 1, 0, 0, 0, 0, 0);
    REFUSED("memfd_secret", 447, 0, 0, 0, 0, 0, 0);
    REFUSED("lsm_list_modules", 461, space, space + 4096, 0, 0, 0, 0);

    // Writes back the data of all processes, so its duration reveals how much there is.
    REFUSED("syncfs", SYS_syncfs, folder, 0, 0, 0, 0, 0);
    errno = 0;
    syscall(SYS_sync);
    if (errno != ENOSYS) printf("sync: %s\n", strerror(errno));

    // In a 32-bit system call, the same numbers mean other calls; the filter must refuse these too.
#if defined(__x86_64__)
    long answer = 20; // getpid
    __asm__ volatile("int $0x80" : "+a"(answer) : : "memory", "r8", "r9", "r10", "r11");
    printf("a call of 32-bit programs: %ld\n", answer);
#endif
    return 0;
}
