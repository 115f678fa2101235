// "hold": takes every kind of lock on a file that all cases see, for about two seconds. "ask": prints, as the bits of a
// number, the ways in which such a lock can be detected.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>
int main(void) {
    char word[16] = "";
    if (scanf("%15s", word) != 1) return 2;
    const char *shared[] = {"/usr/lib/x86_64-linux-gnu/libc.so.6", "/usr/lib/aarch64-linux-gnu/libc.so.6", "/lib64/libc.so.6"};
    int file = -1, told = 0;
    for (int i = 0; i < 3 && file < 0; i++) file = open(shared[i], O_RDONLY);
    if (file < 0) puts("no shared file");
    for (time_t begun = time(0); time(0) - begun < 2; usleep(1000)) {
        struct flock asked = {.l_type = F_WRLCK};
        if (word[0] == 'h') {
            struct flock mine = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
            flock(file, LOCK_EX | LOCK_NB);
            fcntl(file, F_SETLK, &mine), fcntl(file, F_OFD_SETLK, &mine), fcntl(file, F_SETLEASE, F_RDLCK);
            continue;
        }
        told |= (fcntl(file, F_GETLK, &asked) == 0 && asked.l_type != F_UNLCK) << 0;
        memset(&asked, 0, sizeof asked), asked.l_type = F_WRLCK;
        told |= (fcntl(file, F_OFD_GETLK, &asked) == 0 && asked.l_type != F_UNLCK) << 1;
        told |= (flock(file, LOCK_SH | LOCK_NB) == 0) << 2;
        told |= (fcntl(file, F_GETLEASE) >= 0) << 3;
        asked.l_type = F_RDLCK;
        told |= (fcntl(file, F_SETLK, &asked) != 0 && errno != ENOSYS) << 4;
    }
    printf("%d\n", told);
}
