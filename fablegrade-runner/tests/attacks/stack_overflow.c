#include <string.h>
int dive(int depth) {
    volatile char frame[4096];
    memset((char *)frame, depth, sizeof frame);
    return dive(depth + 1) + frame[depth & 4095];
}
int main(void) { return dive(0); }
