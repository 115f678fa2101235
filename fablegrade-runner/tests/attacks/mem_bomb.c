#include <stdlib.h>
#include <string.h>
int main(void) {
    for (;;) {
        char *block = malloc(1 << 20);
        if (!block) return 1;
        memset(block, 7, 1 << 20);
    }
}
