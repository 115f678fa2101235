// Works in children of a few milliseconds that nobody waits for, for two seconds in three lanes, and ends by itself.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static double at(clockid_t clock) { struct timespec t; clock_gettime(clock, &t); return t.tv_sec + t.tv_nsec / 1e9; }
int main(void) {
    double until = at(CLOCK_MONOTONIC) + 2;
    signal(SIGCHLD, SIG_IGN);
    for (int lane = 0; lane < 3; lane++)
        if (!fork()) {
            while (at(CLOCK_MONOTONIC) < until) {
                pid_t child = fork();
                if (!child) { while (at(CLOCK_PROCESS_CPUTIME_ID) < .004) {} _exit(0); }
                while (waitpid(child, 0, 0) == child) {}
            }
            _exit(0);
        }
    while (at(CLOCK_MONOTONIC) < until + .1) usleep(10000);
    puts("done");
}
