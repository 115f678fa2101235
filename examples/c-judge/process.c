#define _POSIX_C_SOURCE 200809L

#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { OUTPUT_MOST = 1 << 20 };

static long now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (long)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* Writes the input and collects the output until the program closes its output, exceeds a limit, or time is up. */
static enum how talk(int to, int from, const char *input, size_t input_length, long deadline, struct bytes *output) {
    size_t written = 0;
    enum how how = EXITED;
    fcntl(to, F_SETFL, O_NONBLOCK);
    for (;;) {
        if (to >= 0 && written == input_length) {
            close(to);
            to = -1;
        }
        struct pollfd ends[2] = {{from, POLLIN, 0}, {to, POLLOUT, 0}};
        long left = deadline - now_ms();
        int ready = left > 0 ? poll(ends, 2, (int)left) : 0;
        if (ready == 0 || (ready < 0 && errno != EINTR)) {
            how = TIMEOUT;
            break;
        }
        if (ends[1].revents != 0) {
            ssize_t count = write(to, input + written, input_length - written);
            written = count > 0 ? written + (size_t)count : input_length; /* it reads no more */
        }
        if (ends[0].revents != 0) {
            char chunk[4096];
            ssize_t count = read(from, chunk, sizeof chunk);
            if (count <= 0) {
                break;
            }
            bytes_add(output, chunk, (size_t)count);
            if (output->length > OUTPUT_MOST) {
                how = OUTPUT_LIMIT;
                break;
            }
        }
    }
    if (to >= 0) {
        close(to);
    }
    return how;
}

struct ending run_program(const char *path, const char *input, size_t input_length, long time_ms) {
    struct ending ending = {NOT_STARTED, 0, 0, {NULL, 0, 0}};
    bytes_add(&ending.output, "", 0); /* never NULL */
    int in[2], out[2];
    if (pipe(in) != 0) {
        return ending;
    }
    if (pipe(out) != 0) {
        close(in[0]);
        close(in[1]);
        return ending;
    }
    signal(SIGPIPE, SIG_IGN);
    long start = now_ms();
    pid_t child = fork();
    if (child == 0) {
        setpgid(0, 0);
        signal(SIGPIPE, SIG_DFL);
        dup2(in[0], 0);
        dup2(out[1], 1);
        close(in[0]);
        close(in[1]);
        close(out[0]);
        close(out[1]);
        execl(path, path, (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    if (child < 0) {
        close(in[1]);
        close(out[0]);
        return ending;
    }
    setpgid(child, child);
    ending.how = talk(in[1], out[0], input, input_length, start + time_ms, &ending.output);
    close(out[0]);
    int status = 0;
    /* A program that closed its output may still run: it has the rest of its time. */
    while (ending.how == EXITED && waitpid(child, &status, WNOHANG) == 0) {
        if (now_ms() >= start + time_ms) {
            ending.how = TIMEOUT;
        } else {
            nanosleep(&(struct timespec){0, 1000000}, NULL);
        }
    }
    if (ending.how != EXITED) {
        kill(-child, SIGKILL);
        waitpid(child, &status, 0);
    } else if (WIFSIGNALED(status)) {
        ending.how = SIGNALLED;
        ending.number = WTERMSIG(status);
    } else if (WEXITSTATUS(status) == 127) {
        ending.how = NOT_STARTED;
    } else {
        ending.number = WEXITSTATUS(status);
    }
    ending.time_ms = now_ms() - start;
    return ending;
}
