// Tries to reach the control socket of the first process, through a process handle or through /proc.
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
    int first = syscall(SYS_pidfd_open, 1, 0);
    for (int i = 0; i < 64 && first >= 0; i++)
        if (syscall(SYS_pidfd_getfd, first, i, 0) >= 0) printf("descriptor %d was taken\n", i);
    if (opendir("/proc/1/fd")) puts("/proc/1/fd can be read");
    const char *names[] = {"/proc/1/mem", "/proc/1/environ", "/proc/1/maps", "/proc/1/root/etc/passwd", "/proc/1/cwd/x",
                           "/proc/1/fd/10", "/proc/1/exe", "/proc/1/auxv"};
    for (int i = 0; i < 8; i++) {
        int file = open(names[i], O_RDONLY);
        char byte;
        if (file >= 0 && read(file, &byte, 1) > 0) printf("%s can be read\n", names[i]);
    }
}
