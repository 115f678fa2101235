// Works in threads that live for milliseconds, so checks of the thread list miss their CPU time.
#include <pthread.h>
#include <time.h>
static void *work(void *unused) {
    struct timespec t;
    do clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); while (t.tv_nsec < 3000000 && !t.tv_sec);
    return unused;
}
int main(void) {
    for (;;) {
        pthread_t all[4];
        for (int i = 0; i < 4; i++) pthread_create(&all[i], 0, work, 0);
        for (int i = 0; i < 4; i++) pthread_join(all[i], 0);
    }
}
