// The program ends at once; what it has started forks and leaves its parents as fast as it can.
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    puts("ok");
    fflush(stdout);
    for (int i = 0; i < 8; i++)
        if (fork() == 0) {
            for (int s = 1; s < 32; s++) signal(s, SIG_IGN);
            setsid();
            for (;;) if (fork() > 0) _exit(0);
        }
}
