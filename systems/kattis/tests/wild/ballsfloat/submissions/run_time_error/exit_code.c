#include <stdio.h>
int main(void) { puts("4.18879020478639"); return 3; }
