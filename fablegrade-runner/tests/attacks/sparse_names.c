// Creates long names, deep folders and links: the bytes of names are in no file, but in memory.
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
    char target[4000], name[256];
    memset(target, 'x', sizeof target - 1), target[sizeof target - 1] = 0;
    memset(name, 'n', 255);
    long made = 0;
    if (chdir("/tmp")) return 2;
    for (int depth = 0; depth < 200; depth++) {
        for (int i = 0; i < 1000; i++, made++) {
            snprintf(name, sizeof name, "%0240d", i);
            if (symlink(target, name)) goto full;
        }
        if (mkdir("d", 0700) || chdir("d")) break;
    }
full:
    printf("%ld\n", made);
}
