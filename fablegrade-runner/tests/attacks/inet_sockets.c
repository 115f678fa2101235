// Tries to open sockets of families other than Unix, whose buffers no limit includes.
#include <stdio.h>
#include <sys/socket.h>
int main(void) {
    int kinds[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW}, families[] = {AF_INET, AF_INET6, AF_NETLINK, AF_PACKET, AF_VSOCK, AF_ALG};
    for (int f = 0; f < 6; f++)
        for (int k = 0; k < 3; k++)
            if (socket(families[f], kinds[k], 0) >= 0) printf("%d %d\n", families[f], kinds[k]);
    return 0;
}
