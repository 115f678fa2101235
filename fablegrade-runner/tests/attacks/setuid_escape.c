#define _GNU_SOURCE
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#define TRY(what) do { if ((what) >= 0) puts("ALLOWED " #what); } while (0)
int main(void) {
    gid_t group = 0;
    struct rlimit more = {1 << 20, 1 << 20};
    TRY(setuid(0)); TRY(setgid(0)); TRY(setgroups(1, &group)); TRY(setresuid(0, 0, 0));
    TRY(mount("none", "/tmp", "tmpfs", 0, "")); TRY(umount2("/tmp", MNT_DETACH)); TRY(chroot("/tmp"));
    TRY(unshare(CLONE_NEWUSER)); TRY(unshare(CLONE_NEWNS)); TRY(sethostname("x", 1)); TRY(mknod("/tmp/null", S_IFBLK | 0666, 0x800));
    TRY(setrlimit(RLIMIT_NPROC, &more)); TRY(setrlimit(RLIMIT_FSIZE, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY}));
    TRY(prctl(PR_SET_SECCOMP, 0, 0, 0, 0)); TRY(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, 21, 0, 0)); TRY(setpriority(PRIO_PROCESS, 0, -20));
    TRY(open("/proc/sys/user/max_user_namespaces", O_WRONLY)); TRY(open("/proc/self/uid_map", O_WRONLY | O_TRUNC) >= 0 ? write(open("/proc/self/uid_map", O_WRONLY), "0 0 1", 5) : -1);
    TRY(syscall(SYS_setns, open("/proc/1/ns/mnt", O_RDONLY), 0));
    return 0;
}
