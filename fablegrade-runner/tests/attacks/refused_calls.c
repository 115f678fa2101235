// Calls that use large parts of the kernel or affect other processes. They have valid arguments where possible, so the
// filter must refuse them.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define REFUSED(number, a, b, c, d, e)                                                                                 \
    do {                                                                                                               \
        errno = 0;                                                                                                     \
        if (syscall(number, a, b, c, d, e) != -1 || errno != ENOSYS) printf("%s: %s\n", #number, strerror(errno));     \
    } while (0)

static char space[4096];

int main(void) {
    struct iovec part = {space, 8}, same = {space + 16, 8};
    struct perf_event_attr event = {.type = PERF_TYPE_SOFTWARE, .size = sizeof event, .exclude_kernel = 1};
    int self = getpid();

    REFUSED(SYS_io_uring_setup, 8, space, 0, 0, 0);
    REFUSED(SYS_io_uring_enter, 0, 1, 0, 0, 0);
    REFUSED(SYS_io_uring_register, 0, 0, space, 0, 0);
    REFUSED(SYS_userfaultfd, O_CLOEXEC | 1, 0, 0, 0, 0);
    REFUSED(SYS_perf_event_open, &event, 0, -1, -1, 0);
    REFUSED(SYS_add_key, "user", "name", "x", 1, -2);
    REFUSED(SYS_request_key, "user", "name", 0, -2, 0);
    REFUSED(SYS_keyctl, 0, -5, 1, 0, 0);
    REFUSED(SYS_name_to_handle_at, AT_FDCWD, "/tmp", space, space + 256, 0);
    REFUSED(SYS_open_by_handle_at, AT_FDCWD, space, O_RDONLY, 0, 0);
    REFUSED(SYS_process_vm_readv, self, &part, 1, &same, 1);
    REFUSED(SYS_process_vm_writev, self, &part, 1, &same, 1);
    REFUSED(SYS_shmget, 0, 4096, 01600, 0, 0);
    REFUSED(SYS_msgget, 0, 01600, 0, 0, 0);
    REFUSED(SYS_semget, 0, 1, 01600, 0, 0);
    REFUSED(SYS_mq_open, "queue", O_CREAT | O_RDWR, 0600, 0, 0);
    REFUSED(SYS_memfd_create, "program", MFD_CLOEXEC, 0, 0, 0);
    int descriptor = syscall(434, self, 0); // pidfd_open
    REFUSED(438, descriptor, 0, 0, 0, 0);   // pidfd_getfd

    // Only Unix sockets can be created.
    for (int family = 0; family < 64; family++)
        for (int kind = SOCK_STREAM; kind <= SOCK_SEQPACKET; kind++) {
            errno = 0;
            if (family != AF_UNIX && (socket(family, kind, 0) != -1 || errno != ENOSYS))
                printf("a socket of family %d: %s\n", family, strerror(errno));
        }

    // Core files are disabled: with the limit 1, the kernel starts no program that collects them either. Where the host
    // forbids core files, the limit is 0. Changing it succeeds without effect, because sanitizers and scripts do so.
    struct rlimit core, before, after;
    if (getrlimit(RLIMIT_CORE, &before) || before.rlim_max > 1 || before.rlim_cur != before.rlim_max) puts("a core may be written");
    for (unsigned limit = 0; limit < 2; limit++) {
        core = (struct rlimit){limit, 1};
        if (syscall(SYS_prlimit64, 0, RLIMIT_CORE, &core, 0) != 0) printf("prlimit64: %s\n", strerror(errno));
        if (syscall(SYS_setrlimit, RLIMIT_CORE, &core) != 0) printf("setrlimit: %s\n", strerror(errno));
        if (getrlimit(RLIMIT_CORE, &after) || after.rlim_cur != before.rlim_cur || after.rlim_max != before.rlim_max)
            puts("the limit on core files was changed");
        // The filter cannot tell the old limit, nor change that of another process.
        REFUSED(SYS_prlimit64, 0, RLIMIT_CORE, &core, &after, 0);
        REFUSED(SYS_prlimit64, self, RLIMIT_CORE, &core, 0, 0);
    }
    return 0;
}
