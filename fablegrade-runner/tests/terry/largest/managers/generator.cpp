#include <cstdio>
#include <cstdlib>
#include <random>

#include "limits.hpp"

int main(int count, char **arguments) {
    if (count != 3) abort();
    std::mt19937 random(strtoul(arguments[1], nullptr, 10));
    printf("%d\n", cases);
    for (int at = 0; at < cases; at++) {
        printf("%d\n", length(at));
        for (int i = 0; i < length(at); i++) printf("%d ", int(random() % 2000001) - 1000000);
        printf("\n");
    }
}
