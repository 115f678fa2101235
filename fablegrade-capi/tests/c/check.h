/* Shared by the tests in C: a check that reports where it failed, and documents. Compiles as C99 and as C++. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fablegrade.h"

static int checks = 0;

#define CHECK(condition)                                                              \
    do {                                                                              \
        checks++;                                                                     \
        if (!(condition)) {                                                           \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                                  \
        }                                                                             \
    } while (0)

#define CHECK_TEXT(expected, found) check_text(__FILE__, __LINE__, expected, found)

static inline void check_text(const char *file, int line, const char *expected, const char *found) {
    checks++;
    if (strcmp(expected, found) != 0) {
        fprintf(stderr, "%s:%d:\n  expected: %s\n  found:    %s\n", file, line, expected, found);
        exit(1);
    }
}

/* Prints the last line of each test program; ./test adds up the numbers of checks. */
static inline int finish(const char *name) {
    printf("%s: %d checks\n", name, checks);
    return 0;
}

static const char *const NUMERIC = "{\"type\":\"numeric\",\"answer\":{\"value\":42}}";
static const char *const NUMERIC_RIGHT = "{\"type\":\"numeric\",\"value\":42}";

static const char *const CODE =
    "{\"type\":\"code\",\"languages\":[\"python\"],\"limits\":{\"timeMsPerCase\":1000,\"memoryMb\":64,"
    "\"outputKb\":16},\"testSuites\":[{\"name\":\"sums\",\"visibility\":\"hidden\",\"cases\":["
    "{\"input\":\"1 2\\n\",\"expected\":\"3\\n\"},{\"input\":\"5 5\\n\",\"expected\":\"10\\n\"}]}]}";
static const char *const CODE_SUBMISSION =
    "{\"type\":\"code\",\"language\":\"python\",\"source\":\"print(sum(map(int,input().split())))\"}";

#endif
