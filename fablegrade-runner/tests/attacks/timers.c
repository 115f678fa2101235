// Creates timers and queued signals, which occupy kernel memory.
#include <signal.h>
#include <stdio.h>
#include <time.h>

int main(void) {
    int made = 0;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    timer_t timer;
    signal(SIGUSR1, SIG_IGN);
    while (made < 2000000 && timer_create(CLOCK_MONOTONIC, &event, &timer) == 0) made++;
    printf("%d\n", made);
}
