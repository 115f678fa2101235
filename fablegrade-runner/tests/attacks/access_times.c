// Access times would reveal who has read shared files. Reads all mapped files and prints those whose times changed.
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[600];
    int looked = 0;
    while (maps && fgets(line, sizeof line, maps)) {
        char *path = strchr(line, '/'), buffer[4096];
        if (!path || strncmp(path, "/box", 4) == 0) continue;
        path[strcspn(path, "\n")] = 0;
        struct stat before, after;
        if (stat(path, &before)) continue;
        int file = open(path, O_RDONLY);
        if (file < 0 || read(file, buffer, sizeof buffer) < 0) continue;
        void *map = mmap(0, 4096, PROT_READ, MAP_SHARED, file, 0);
        if (map != MAP_FAILED) (void)*(volatile char *)map;
        close(file);
        usleep(20000);
        looked++;
        if (stat(path, &after) == 0 && memcmp(&before.st_atim, &after.st_atim, sizeof before.st_atim)) puts(path);
        struct timespec now[2] = {{0, UTIME_NOW}, {0, UTIME_NOW}};
        if (utimensat(AT_FDCWD, path, now, 0) == 0) printf("%s was touched\n", path);
    }
    if (!looked) puts("nothing was looked at");
}
