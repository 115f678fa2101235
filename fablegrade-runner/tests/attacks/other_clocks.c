// Processor clocks of others, and timers that wake the machine: prints those that can be read.
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int main(void) {
    struct timespec now;
    /* the clock of process 1 and of numbers beyond: ~pid << 3 | 2 */
    for (long other = 2; other < 4000; other++) {
        if (other == getpid()) continue;
        if (clock_gettime((clockid_t)(~other << 3 | 2), &now) == 0) printf("clock of %ld\n", other);
    }
    struct timespec set = {0, 0};
    if (clock_settime(CLOCK_REALTIME, &set) == 0) puts("the clock was set");
    timer_t timer;
    if (timer_create(9 /* CLOCK_BOOTTIME_ALARM */, 0, &timer) == 0) puts("a timer that wakes the machine");
}
