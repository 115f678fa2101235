// Tries calls that reveal information about other processes or about the machine without a file.
#define _GNU_SOURCE
#include <linux/capability.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <unistd.h>
static void works(const char *what, long answer) { if (answer >= 0) puts(what); }
int main(void) {
    char buffer[4096];
    struct timex clock = {0};
    works("quotactl", syscall(SYS_quotactl, 0x80000700, 0, 0, buffer));
    works("keyctl", syscall(SYS_keyctl, 6, -4, buffer, sizeof buffer));
    works("syslog", syscall(SYS_syslog, 3, buffer, sizeof buffer));
    works("adjtimex", syscall(SYS_adjtimex, &clock));
    works("perf", syscall(SYS_perf_event_open, buffer, 0, -1, -1, 0));
    works("bpf", syscall(SYS_bpf, 0, buffer, sizeof buffer));
    works("acct", syscall(SYS_acct, 0));
    for (int other = 1; other < 4000; other++) {
        if (other == getpid() || other == 1) continue;
        if (getpriority(PRIO_PROCESS, other) >= 0 || syscall(SYS_sched_getscheduler, other) >= 0) printf("process %d\n", other);
        if (getpgid(other) >= 0 || getsid(other) > 0) printf("group of %d\n", other);
    }
}
