// Tries to store data in message queues and shared memory.
#include <fcntl.h>
#include <mqueue.h>
#include <stdio.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>

int main(void) {
    static char filler[8192];
    long held = 0;
    for (int i = 0; i < 1000; i++) {
        int queue = msgget(IPC_PRIVATE, 0600 | IPC_CREAT);
        if (queue < 0) break;
        for (int k = 0; k < 100; k++) if (msgsnd(queue, filler, 4096, IPC_NOWAIT) == 0) held += 4096;
    }
    if (held > 32 << 20) printf("%ld MiB in queues\n", held >> 20);
    if (shmget(IPC_PRIVATE, 1 << 28, 0600 | IPC_CREAT) >= 0) puts("shared memory");
    if (mq_open("/fablegrade", O_CREAT | O_RDWR, 0600, 0) != (mqd_t)-1) puts("a message queue");
}
