#include <stdio.h>
int main(void) { int n, d; if (scanf("%d", &n) != 1) return 1; for (d = n - 1; n % d; d--); printf("%d\n", d); return 0; }
