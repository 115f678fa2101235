// Descriptors in transit in sockets are in no process's table, but their data still occupies memory.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
    static char filler[65536];
    long sent = 0;
    for (int round = 0; round < 20000; round++) {
        int pair[2], carrier[2];
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) break;
        if (socketpair(AF_UNIX, SOCK_DGRAM, 0, carrier)) break;
        if (send(pair[0], filler, sizeof filler, MSG_DONTWAIT) < 0) break;
        char space[CMSG_SPACE(2 * sizeof(int))] = {0}, byte = 0;
        struct iovec part = {&byte, 1};
        struct msghdr header = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
        struct cmsghdr *rights = CMSG_FIRSTHDR(&header);
        rights->cmsg_level = SOL_SOCKET, rights->cmsg_type = SCM_RIGHTS, rights->cmsg_len = CMSG_LEN(2 * sizeof(int));
        memcpy(CMSG_DATA(rights), pair, sizeof pair);
        if (sendmsg(carrier[0], &header, MSG_DONTWAIT) < 0) break;
        close(pair[0]), close(pair[1]);
        sent += sizeof filler;
    }
    printf("%ld\n", sent >> 20);
}
