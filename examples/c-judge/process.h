/* Runs a program with a text as its input, with limits on time and output. No sandbox: for trusted programs only. The
 * limit of time is elapsed time, so a program also ends if it only waits; `time_ms` of an ending is CPU time. */
#ifndef JUDGE_PROCESS_H
#define JUDGE_PROCESS_H

#include "json.h"

enum how { EXITED, SIGNALLED, TIMEOUT, OUTPUT_LIMIT, NOT_STARTED };

struct ending {
    enum how how;
    int number; /* the exit code or the signal */
    long time_ms;
    struct bytes output;
};

struct ending run_program(const char *path, const char *input, size_t input_length, long time_ms, size_t output_limit);

#endif
