// Reads one byte per two megabytes of empty memory, so only the kernel's page tables grow.
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>
int main(void) {
    for (int child = 0; child < 3; child++) if (!fork()) break;
    for (long stretches = 0;; stretches++) {
        size_t size = 1ul << 36;
        char *at = mmap(0, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (at == MAP_FAILED) break;
        madvise(at, size, MADV_NOHUGEPAGE);
        for (size_t done = 0; done < size; done += 2ul << 20) (void)*(volatile char *)(at + done);
    }
    for (;;) pause();
}
