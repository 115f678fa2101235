// Uses three seconds of CPU time in short-lived children that are not waited for, three at a time, and ends by itself.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static long spent(void) { struct timespec t; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); return t.tv_sec * 1000000 + t.tv_nsec / 1000; }
int main(void) {
    long *all = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    signal(SIGCHLD, SIG_IGN);
    for (int lane = 0; lane < 3; lane++)
        if (!fork()) {
            while (__atomic_load_n(all, __ATOMIC_SEQ_CST) < 3000000) {
                pid_t child = fork();
                if (!child) {
                    while (spent() < 4000) {}
                    __atomic_add_fetch(all, spent(), __ATOMIC_SEQ_CST);
                    _exit(0);
                }
                while (waitpid(child, 0, 0) == child) {}
            }
            _exit(0);
        }
    while (__atomic_load_n(all, __ATOMIC_SEQ_CST) < 3000000) usleep(10000);
    puts("done");
}
