// Allocates and frees memory in quick succession: the peak counts, not the amount at the moment of a check.
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
int main(void) {
    size_t size = 600ul << 20;
    for (;;) {
        char *at = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (at == MAP_FAILED) return 3;
        memset(at, 1, size);
        munmap(at, size);
        struct timespec pause = {0, 3000000};
        nanosleep(&pause, 0);
    }
}
