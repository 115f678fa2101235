// "hide TEXT": encodes the bits of the text by which pages of a library, which all cases see, are in the page cache.
// "find": reads the bits in each way that does not itself load a page, and prints the text.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
enum { STRIDE = 4, PAGE = 4096 };
static int file;
static void *map;
static int there(int way, long page) {
    char byte;
    struct iovec part = {&byte, 1};
    unsigned long range[2] = {page * PAGE, PAGE}, counts[5] = {0};
    unsigned char resident = 0;
    switch (way) {
    case 0: return preadv2(file, &part, 1, page * PAGE, RWF_NOWAIT) == 1;
    case 1: return mincore((char *)map + page * PAGE, PAGE, &resident) == 0 && resident & 1;
    default: return syscall(451, file, range, counts, 0) == 0 && counts[0] > 0;
    }
}
int main(void) {
    static char line[256], said[128];
    if (!fgets(line, sizeof line, stdin)) return 2;
    const char *shared[] = {"/usr/lib/x86_64-linux-gnu/libc.so.6", "/usr/lib/aarch64-linux-gnu/libc.so.6", "/lib64/libc.so.6"};
    struct stat about;
    for (int i = 0; i < 3; i++) if ((file = open(shared[i], O_RDONLY)) >= 0) break;
    if (file < 0 || fstat(file, &about)) { puts("no shared file"); return 0; }
    long pages = about.st_size / PAGE, bits = pages / STRIDE;
    map = mmap(0, about.st_size, PROT_READ, MAP_SHARED, file, 0);
    if (line[0] == 'h') {
        posix_fadvise(file, 0, 0, POSIX_FADV_RANDOM);
        posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
        madvise(map, about.st_size, 21);
        char byte;
        for (long bit = 0; bit < bits && bit < 8 * (long)strlen(line + 5); bit++)
            if (line[5 + bit / 8] >> bit % 8 & 1 && pread(file, &byte, 1, bit * STRIDE * PAGE) != 1) return 3;
        return 0;
    }
    for (int way = 0; way < 3; way++) {
        memset(said, 0, sizeof said);
        for (long bit = 0; bit < bits && bit < 8 * 100; bit++) said[bit / 8] |= there(way, bit * STRIDE) << bit % 8;
        for (int i = 0; i < 100; i++) if (said[i]) { printf("%d: %.99s\n", way, said); break; }
    }
}
