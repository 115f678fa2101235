#include <stdio.h>

int main(void) {
    double n;
    if (scanf("%lf", &n) != 1 || n > {{most}}) return 1;
    printf("%.9e\n", n / 2);
    return 0;
}
