#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#define TRY(number, a, b, c, d, e) do { if (syscall(number, a, b, c, d, e) >= 0) puts("ALLOWED " #number); } while (0)
static char space[256];
int main(void) {
    memset(space, 0, sizeof space);
    TRY(SYS_ptrace, 0, 0, 0, 0, 0);
    TRY(SYS_memfd_create, "x", 0, 0, 0, 0);
    TRY(SYS_shmget, 0, 4096, 01600, 0, 0);
    TRY(SYS_msgget, 0, 01600, 0, 0, 0);
    TRY(SYS_semget, 0, 1, 01600, 0, 0);
    TRY(SYS_userfaultfd, 1, 0, 0, 0, 0);
    TRY(SYS_io_uring_setup, 8, space, 0, 0, 0);
    TRY(SYS_bpf, 0, space, 48, 0, 0);
    TRY(SYS_perf_event_open, space, 0, -1, -1, 0);
    TRY(SYS_keyctl, 0, -3, 1, 0, 0);
    TRY(SYS_add_key, "user", "x", "y", 1, -3);
    TRY(SYS_clone, 0x10000000 | 17, 0, 0, 0, 0);
    TRY(SYS_clone, 0x40000000 | 17, 0, 0, 0, 0);
    TRY(435, space, 88, 0, 0, 0);
    TRY(SYS_unshare, 0x20000000, 0, 0, 0, 0);
    TRY(SYS_personality, 0x0400000, 0, 0, 0, 0);
    TRY(SYS_open_by_handle_at, -1, space, 0, 0, 0);
    TRY(SYS_process_vm_readv, 1, space, 1, space, 1);
    TRY(SYS_kexec_load, 0, 0, 0, 0, 0);
    TRY(SYS_init_module, space, 1, "", 0, 0);
    TRY(SYS_acct, 0, 0, 0, 0, 0);
    TRY(SYS_syslog, 3, space, 100, 0, 0);
    TRY(0x40000000 | 39, 0, 0, 0, 0, 0);
    TRY(SYS_ioctl, 0, 0x5412, "x", 0, 0);
    return 0;
}
