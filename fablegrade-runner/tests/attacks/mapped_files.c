// Fills files in memory that are mapped, unlinked and closed: no folder and no descriptor table contains them.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void) {
    long held = 0;
    for (int i = 0; i < 400; i++) {
        char path[40];
        sprintf(path, "/tmp/m%d", i);
        int file = open(path, O_CREAT | O_RDWR, 0600);
        if (file < 0 || ftruncate(file, 1 << 20)) break;
        unlink(path);
        char *at = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        close(file);
        if (at == MAP_FAILED) break;
        memset(at, 1, 1 << 20);
        held++;
        printf("%ld\n", held), fflush(stdout);
    }
    for (;;) pause();
}
