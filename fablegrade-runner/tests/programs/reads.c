#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void) {
    char word[20];
    for (int first = 1; scanf("%19s", word) == 1; first = 0) {
        volatile int spins = !strcmp(word, "spin");
        while (spins) {}
        if (!strcmp(word, "sleep")) sleep(600);
        while (!strcmp(word, "eat")) {
            char *block = malloc(1 << 20);
            if (!block) return 9;
            memset(block, 1, 1 << 20);
        }
        while (!strcmp(word, "flood")) puts("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
        if (!strcmp(word, "crash")) return 3;
        printf(first ? "%d" : " %d", 2 * atoi(word));
    }
    puts("");
}
