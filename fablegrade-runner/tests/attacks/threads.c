#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static void *stay(void *nothing) { pause(); return nothing; }
int main(void) {
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    int count = 0;
    pthread_t thread;
    while (count < 5000 && pthread_create(&thread, &small, stay, NULL) == 0) count++;
    printf("%d\n", count);
    return 0;
}
