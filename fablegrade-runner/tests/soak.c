/* Ends in the way that the first letter of its input names. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
    char name[32];
    volatile unsigned long count = 0;
    switch (getchar()) {
    case 'f': /* eight processes */
        for (int i = 0; i < 3; i++) fork();
        return 0;
    case 'o': /* an orphan that holds on to standard output */
        if (fork() == 0) setsid(), sleep(60);
        return 0;
    case 'w': /* endless output */
        for (;;) puts("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
    case 's': /* endless computation */
        for (;;) count++;
    case 'm': /* endless allocation */
        for (;;) memset(malloc(1 << 20), 1, 1 << 20);
    case 'k': kill(getpid(), SIGKILL);
    case 'c': abort();
    case 't': /* temporary files */
        for (int i = 0; i < 100; i++) {
            snprintf(name, sizeof name, "/tmp/%d", i);
            close(open(name, O_CREAT | O_WRONLY, 0600));
        }
        return 0;
    }
    return 0;
}
