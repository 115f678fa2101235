#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
    char path[64];
    if (open("/proc/1/mem", O_RDWR) >= 0) puts("ALLOWED init");
    snprintf(path, sizeof path, "/proc/%d/mem", getppid());
    if (open(path, O_RDWR) >= 0) puts("ALLOWED parent");
    if (open("/proc/1/environ", O_RDONLY) >= 0) puts("ALLOWED environ");
    if (open("/proc/1/maps", O_RDONLY) >= 0 && read(open("/proc/1/maps", O_RDONLY), path, 1) == 1) puts("ALLOWED maps");
    static volatile int mine = 1;
    int other = 2, own = open("/proc/self/mem", O_RDWR);
    if (own >= 0) pwrite(own, &other, sizeof other, (off_t)(long)&mine);
    puts("done");
    return 0;
}
