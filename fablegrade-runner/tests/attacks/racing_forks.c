// The program ends at once. Its children fork as fast as they can, and each parent then exits.
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
