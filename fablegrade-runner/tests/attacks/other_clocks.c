// Tries to read CPU clocks of other processes, to set the clock, and to create a timer that wakes the machine.
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int main(void) {
    struct timespec now;
    /* The clock of process N is ~N << 3 | 2. */
    for (long other = 2; other < 4000; other++) {
        if (other == getpid()) continue;
        if (clock_gettime((clockid_t)(~other << 3 | 2), &now) == 0) printf("clock of %ld\n", other);
    }
    struct timespec set = {0, 0};
    if (clock_settime(CLOCK_REALTIME, &set) == 0) puts("the clock was set");
    timer_t timer;
    if (timer_create(9 /* CLOCK_BOOTTIME_ALARM */, 0, &timer) == 0) puts("a timer that wakes the machine");
}
