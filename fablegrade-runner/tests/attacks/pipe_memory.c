// Fills pipes that are as large as possible, in many processes: their contents occupy memory.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    static char filler[1 << 20];
    int told[2];
    pipe(told);
    for (int child = 0; child < 8; child++) {
        if (fork()) continue;
        long held = 0;
        for (int i = 0; i < 200; i++) {
            int ends[2];
            if (pipe2(ends, O_NONBLOCK)) break;
            fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
            long wrote = write(ends[1], filler, sizeof filler);
            if (wrote > 0) held += wrote;
        }
        write(told[1], &held, sizeof held);
        pause();
    }
    long sum = 0, held;
    for (int child = 0; child < 8; child++) if (read(told[0], &held, sizeof held) == sizeof held) sum += held;
    printf("%ld\n", sum >> 20);
}
