#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
char *solve(const char *how) {
    volatile int spins = !strcmp(how, "spin");
    while (spins) {}
    if (!strcmp(how, "sleep")) sleep(600);
    while (!strcmp(how, "eat")) {
        char *block = malloc(1 << 20);
        if (!block) exit(9);
        memset(block, 1, 1 << 20);
    }
    while (!strcmp(how, "flood")) puts("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
    if (!strcmp(how, "crash")) abort();
    char *answer = malloc(100);
    return strcat(strcpy(answer, how), "!");
}
