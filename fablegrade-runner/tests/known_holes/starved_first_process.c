// Tries to starve the first process while it creates up to a million file names, and then ends by itself.
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>
int main(void) {
    struct sched_param none = {0};
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    int steered = sched_setscheduler(1, SCHED_IDLE, &none) == 0;
    steered += sched_setaffinity(1, sizeof one, &one) == 0;
    steered += setpriority(PRIO_PROCESS, 1, 19) == 0;
    steered += setpriority(PRIO_USER, 0, 19) == 0;
    sched_setaffinity(0, sizeof one, &one);
    pid_t beside[3];
    for (int i = 0; i < 3; i++) if (!(beside[i] = fork())) for (;;) {}
    int names = 0;
    for (char name[40]; names < 1000000; names++) {
        snprintf(name, sizeof name, "/tmp/n%d", names);
        if (symlink("x", name)) break;
    }
    for (int i = 0; i < 3; i++) kill(beside[i], SIGKILL);
    printf("%d %d\n", steered, names);
}
