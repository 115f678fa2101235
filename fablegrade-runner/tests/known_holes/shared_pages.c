// Holds a gigabyte of shared memory that its own page tables do not show, for a moment, and then ends normally.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void) {
    size_t whole = 1ul << 30, step = 4ul << 20;
    char *at = mmap(0, whole, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) { puts("refused"); return 1; }
    for (size_t done = 0; done < whole; done += step) memset(at + done, 1, step), madvise(at + done, step, MADV_DONTNEED);
    usleep(300000);
    puts("held");
}
