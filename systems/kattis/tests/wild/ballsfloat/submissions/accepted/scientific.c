#include <stdio.h>

int main(void) {
    double r;
    if (scanf("%lf", &r) != 1) return 1;
    printf("%.12E\n", 4.0 / 3.0 * 3.14159265358979 * r * r * r);
    return 0;
}
