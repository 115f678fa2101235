// The environment, arguments and descriptors that the program gets reveal nothing about the host.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>
extern char **environ;
int main(int count, char **words) {
    const char *known[] = {"PATH=", "HOME=/tmp", "TMPDIR=/tmp", "LANG=", "PWD="};
    for (char **one = environ; *one; one++) {
        int found = 0;
        for (int i = 0; i < 5; i++) found |= !strncmp(*one, known[i], strlen(known[i]));
        if (!found) puts(*one);
    }
    if (count != 1 || strcmp(words[0], "/box/program")) puts(words[0]);
    DIR *all = opendir("/proc/self/fd");
    for (struct dirent *one; all && (one = readdir(all));)
        if (one->d_name[0] != '.' && atoi(one->d_name) > 2 && atoi(one->d_name) != dirfd(all)) printf("descriptor %s\n", one->d_name);
    char name[256] = "";
    gethostname(name, sizeof name);
    if (strcmp(name, "sandbox")) puts(name);
    if (getppid() > 1) printf("parent %d\n", getppid());
}
