// Fills shared memory and drops it from its own page tables, so its resident size stays small.
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void) {
    size_t whole = 900ul << 20, step = 4 << 20;
    char *at = mmap(0, whole, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    for (size_t done = 0; done < whole; done += step) {
        memset(at + done, 1, step);
        madvise(at + done, step, MADV_DONTNEED);
    }
    for (;;) pause();
}
