// Calls that tell where pages lie, what is mounted, what others hold, or that make the whole machine work, each as a program
// would make it that means it. They are refused by the filter; those that a C library does not know yet go by their numbers.
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
    // What is said before the end comes out.
    setvbuf(stdout, 0, _IONBF, 0);
    int self = getpid(), library = open("/proc/self/exe", O_RDONLY), folder = open("/", O_RDONLY | O_DIRECTORY);
    void *page = mmap(0, 4096, PROT_READ, MAP_SHARED, library, 0), *pages[] = {page};
    int status[1] = {0};
    struct { uint32_t size, spare; uint64_t id, what, space; } request = {24, 0, -1, 1, 0};

    // Which node a page lies on tells whether it is there.
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

    // Others: their descriptors, files, locks, keys, events by file handles.
    REFUSED("kcmp", SYS_kcmp, self, self, 0, 0, 0, 0);
    REFUSED("pidfd_getfd", 438, -1, 0, 0, 0, 0, 0);
    REFUSED("fanotify_init by handles", SYS_fanotify_init, 0x200 | 0x800, O_RDONLY, 0, 0, 0, 0);
    REFUSED("fanotify_init by process", SYS_fanotify_init, 0x80, O_RDONLY, 0, 0, 0, 0);
    REFUSED("userfaultfd", SYS_userfaultfd, O_CLOEXEC | 1, 0, 0, 0, 0, 0);
    REFUSED("memfd_secret", 447, 0, 0, 0, 0, 0, 0);
    REFUSED("lsm_list_modules", 461, space, space + 4096, 0, 0, 0, 0);

    // Writes back what everybody has written, and takes as long as that takes.
    REFUSED("syncfs", SYS_syncfs, folder, 0, 0, 0, 0, 0);
    errno = 0;
    syscall(SYS_sync);
    if (errno != ENOSYS) printf("sync: %s\n", strerror(errno));

    // By the call of 32-bit programs the same numbers mean others; the filter must know them too.
#if defined(__x86_64__)
    long answer = 20; // getpid
    __asm__ volatile("int $0x80" : "+a"(answer) : : "memory", "r8", "r9", "r10", "r11");
    printf("a call of 32-bit programs: %ld\n", answer);
#endif
    return 0;
}
