// Starves the first process of its sandbox, and meanwhile creates as many file names as it can.
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>
int main(void) {
    struct sched_param none = {0};
    sched_setscheduler(1, SCHED_IDLE, &none);
    setpriority(PRIO_USER, 0, 19);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    sched_setaffinity(0, sizeof one, &one);
    for (int i = 0; i < 3; i++) if (!fork()) for (;;) {}
    for (int i = 0;; i++) {
        char name[32];
        snprintf(name, sizeof name, "/tmp/name%d", i);
        if (symlink("x", name)) break;
    }
    for (;;) pause();
}
