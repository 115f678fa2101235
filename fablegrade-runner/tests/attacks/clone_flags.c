// Tries to create namespaces with every call that can create or join one.
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    unsigned long flags[] = {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP};
    for (int i = 0; i < 7; i++) {
        long child = syscall(SYS_clone, flags[i] | SIGCHLD, 0, 0, 0, 0);
        if (child == 0) _exit(0);
        if (child > 0) { printf("clone took %lx\n", flags[i]); waitpid(child, 0, 0); }
        uint64_t arguments[11] = {flags[i], 0, 0, 0, SIGCHLD};
        child = syscall(SYS_clone3, arguments, sizeof arguments);
        if (child == 0) _exit(0);
        if (child > 0) printf("clone3 took %lx\n", flags[i]);
        if (unshare(flags[i]) == 0) printf("unshare took %lx\n", flags[i]);
    }
    if (setns(0, 0) == 0) puts("setns");
}
