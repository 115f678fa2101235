#define _POSIX_C_SOURCE 200809L

#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (long)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* Returns the CPU time of all programs that have been waited for. */
static long children_cpu_ms(void) {
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return (long)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000 +
           (long)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1000;
}

/* Writes the input and collects the output until the program closes its output, exceeds a limit, or time is up. */
static enum how talk(int to, int from, const char *input, size_t input_length, long deadline, size_t output_limit,
                     struct bytes *output) {
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
            if (output->length > output_limit) {
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

static void close_both(const int ends[2]) {
    close(ends[0]);
    close(ends[1]);
}

/* Opens the pipes of a program's input, of its output and of the failure to start it: all of them or none. */
static bool open_pipes(int in[2], int out[2], int failure[2]) {
    if (pipe(in) != 0) {
        return false;
    }
    if (pipe(out) != 0) {
        close_both(in);
        return false;
    }
    if (pipe(failure) != 0) {
        close_both(in);
        close_both(out);
        return false;
    }
    return true;
}

/* Returns whether exec failed in the child. A program that was started has closed the pipe: no exit code says that it was
 * not started, because any program can end with any exit code. */
static bool exec_failed(int failure) {
    char byte;
    ssize_t count;
    do {
        count = read(failure, &byte, 1);
    } while (count < 0 && errno == EINTR);
    return count != 0;
}

struct ending run_program(const char *path, const char *input, size_t input_length, long time_ms, size_t output_limit) {
    struct ending ending = {NOT_STARTED, 0, 0, {NULL, 0, 0}};
    bytes_add(&ending.output, "", 0); /* never NULL */
    int in[2], out[2], failure[2];
    if (!open_pipes(in, out, failure)) {
        return ending;
    }
    signal(SIGPIPE, SIG_IGN);
    long start = now_ms(), cpu_before = children_cpu_ms();
    pid_t child = fork();
    if (child == 0) {
        setpgid(0, 0);
        signal(SIGPIPE, SIG_DFL);
        dup2(in[0], 0);
        dup2(out[1], 1);
        close_both(in);
        close_both(out);
        close(failure[0]);
        fcntl(failure[1], F_SETFD, FD_CLOEXEC);
        execl(path, path, (char *)NULL);
        ssize_t written = write(failure[1], "", 1);
        _exit(written == 1 ? 127 : 126);
    }
    close(in[0]);
    close(out[1]);
    close(failure[1]);
    if (child > 0) {
        setpgid(child, child);
    }
    bool failed = child < 0 || exec_failed(failure[0]);
    close(failure[0]);
    if (failed) {
        close(in[1]);
        close(out[0]);
        if (child > 0) {
            waitpid(child, NULL, 0);
        }
        return ending;
    }
    ending.how = talk(in[1], out[0], input, input_length, start + time_ms, output_limit, &ending.output);
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
    } else {
        ending.number = WEXITSTATUS(status);
    }
    ending.time_ms = children_cpu_ms() - cpu_before;
    return ending;
}
