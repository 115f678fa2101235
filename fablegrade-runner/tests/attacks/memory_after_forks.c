// Reaches the process limit, lets the processes end, and only then takes all memory.
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    pid_t children[1000];
    int count = 0;
    while (count < 1000) {
        pid_t child = fork();
        if (child < 0) break;
        if (child == 0)
            for (;;) pause();
        children[count++] = child;
    }
    // Long enough for the runner to see them.
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    for (int at = 0; at < count; at++) {
        kill(children[at], SIGKILL);
        waitpid(children[at], NULL, 0);
    }
    for (;;) {
        char *more = malloc(1 << 20);
        if (!more) return 1;
        memset(more, 1, 1 << 20);
    }
}
