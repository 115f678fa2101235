// Fills many sockets of many processes with datagrams that are never read, which occupy kernel memory.
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>
int main(void) {
    static char filler[100000];
    int told[2];
    if (pipe(told)) return 2;
    for (int child = 0; child < 8; child++) {
        if (fork()) continue;
        long held = 0, wrote;
        for (int i = 0; i < 240; i++) {
            int pair[2], room = 1 << 24;
            if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair)) break;
            setsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
            while ((wrote = send(pair[0], filler, sizeof filler, MSG_DONTWAIT)) > 0) held += wrote;
        }
        if (write(told[1], &held, sizeof held) < 0) {}
        for (;;) pause();
    }
    long sum = 0, held;
    for (int child = 0; child < 8; child++) if (read(told[0], &held, sizeof held) == sizeof held) sum += held;
    printf("%ld\n", sum >> 20);
}
