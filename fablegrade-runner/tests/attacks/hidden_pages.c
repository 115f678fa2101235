// Makes itself unreadable, so its shared pages cannot be observed from outside, and fills such pages.
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>
int main(void) {
    prctl(PR_SET_DUMPABLE, 0);
    size_t whole = 900ul << 20, step = 4 << 20;
    char *at = mmap(0, whole, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    for (size_t done = 0; done < whole; done += step) {
        memset(at + done, 1, step);
        madvise(at + done, step, MADV_DONTNEED);
    }
    for (;;) pause();
}
