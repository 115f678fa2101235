/*
 * A small judge that runs programs itself and leaves the grading to the library.
 *
 *     judge FOLDER SOURCE
 *
 * SOURCE is a learner's program, and FOLDER contains the problem:
 *
 *     problem.json     the question with its key: an AnswerSpec of type `code`
 *     reference        the reference solution, a trusted program
 *
 * It gets the cases to run from the library (fg_plan_new), runs the reference solution and the learner's program, and
 * concludes a result from the outcomes of each (fg_grader_conclude). It reads the reference's result (fg_result_read)
 * to check that the reference still agrees with the key, and prints the learner's result.
 *
 * It runs programs without a sandbox, so use it only for programs that you trust. `fablegrade-runner` has a sandbox.
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fablegrade.h"
#include "json.h"
#include "process.h"

static void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("judge: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

/* Exits with the error of a failed call of the library: its location, message and help. */
static void check(fg_status status, fg_error *error) {
    if (status != FG_OK) {
        fail("%s at %s: %s; %s", fg_status_name(status), fg_error_pointer(error, NULL), fg_error_message(error, NULL),
             fg_error_help(error, NULL));
    }
}

static struct bytes read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fail("%s: %s", path, strerror(errno));
    }
    struct bytes bytes = {NULL, 0, 0};
    char chunk[4096];
    size_t count;
    while ((count = fread(chunk, 1, sizeof chunk, file)) > 0) {
        bytes_add(&bytes, chunk, count);
    }
    if (ferror(file)) {
        fail("%s cannot be read", path);
    }
    fclose(file);
    bytes_add(&bytes, "", 1); /* so that an empty file is not NULL, and for C */
    bytes.length--;
    return bytes;
}

/* ANCHOR: outcome */
/* Adds one outcome in the form that the library reads. */
static void add_outcome(struct bytes *outcomes, fg_case run, struct ending ending) {
    bytes_text(outcomes, outcomes->length == 1 ? "{\"suite\":" : ",{\"suite\":");
    json_quote(outcomes, run.suite.data, run.suite.length);
    bytes_format(outcomes, ",\"caseIndex\":%lu,\"timeMs\":%ld,\"isolation\":\"none\"",
                 (unsigned long)run.case_index, ending.time_ms);
    switch (ending.how) {
    case EXITED:
        bytes_format(outcomes, ",\"end\":\"exited\",\"exitCode\":%d", ending.number);
        break;
    case SIGNALLED:
        bytes_format(outcomes, ",\"end\":\"signalled\",\"signal\":%d", ending.number);
        break;
    case TIMEOUT:
        bytes_text(outcomes, ",\"end\":\"timeout\"");
        break;
    case OUTPUT_LIMIT:
        bytes_text(outcomes, ",\"end\":\"output_limit\"");
        break;
    case NOT_STARTED:
        bytes_text(outcomes, ",\"end\":\"sandbox_error\",\"message\":\"the program could not be started\"");
        break;
    }
    bytes_text(outcomes, ",\"stdoutBase64\":\"");
    json_base64(outcomes, ending.output);
    bytes_text(outcomes, "\"}");
}
/* ANCHOR_END: outcome */

/* ANCHOR: conclude */
/* Runs a program on all cases and returns the result of the library. */
static fg_text *judge(const fg_grader *grader, const char *program, struct bytes submission, const fg_plan *plan) {
    fg_error *error = NULL;
    fg_text *result = NULL;
    if (plan == NULL) {
        /* Refused before anything could be run: the result has the reason. */
        check(fg_grader_grade(grader, submission.data, submission.length, &result, &error), error);
        return result;
    }
    struct bytes outcomes = {NULL, 0, 0};
    bytes_text(&outcomes, "[");
    size_t output_limit = (size_t)fg_plan_output_kb(plan) * 1024;
    fg_case run;
    for (size_t at = 0; fg_plan_case(plan, at, &run); at++) {
        struct ending ending =
            run_program(program, run.input.data, run.input.length, (long)run.time_ms, output_limit);
        add_outcome(&outcomes, run, ending);
        bytes_free(&ending.output);
    }
    bytes_text(&outcomes, "]");
    check(fg_grader_conclude(grader, submission.data, submission.length, outcomes.data, outcomes.length, &result,
                             &error),
          error);
    bytes_free(&outcomes);
    return result;
}
/* ANCHOR_END: conclude */

/* ANCHOR: reference */
/* Returns whether the trusted program passes all cases; prints those that it fails. */
static bool reference_agrees(const fg_grader *grader, const char *reference, struct bytes submission,
                             const fg_plan *plan) {
    fg_text *text = judge(grader, reference, submission, plan);
    fg_result *result = NULL;
    fg_error *error = NULL;
    size_t length = 0;
    const char *data = fg_text_data(text, &length);
    check(fg_result_read(data, length, &result, &error), error);
    bool agrees = fg_result_verdict(result) == FG_VERDICT_CORRECT;
    fg_case_result found;
    for (size_t at = 0; fg_result_case(result, at, &found); at++) {
        if (strcmp(found.verdict.data, "passed") != 0) {
            fprintf(stderr, "  the reference disagrees with the key: %s, case %lu: %s\n", found.suite.data,
                    (unsigned long)found.case_index, found.verdict.data);
        }
    }
    fg_result_free(result);
    fg_text_free(text);
    return agrees;
}
/* ANCHOR_END: reference */

int main(int count, char **arguments) {
    if (count != 3) {
        fprintf(stderr, "usage: judge FOLDER SOURCE\n");
        return 2;
    }
    char problem_path[4096], reference[4096];
    snprintf(problem_path, sizeof problem_path, "%s/problem.json", arguments[1]);
    snprintf(reference, sizeof reference, "%s/reference", arguments[1]);
    struct bytes problem = read_file(problem_path);
    struct bytes source = read_file(arguments[2]);

    /* ANCHOR: compile */
    /* The library checks the problem file before this program uses it. */
    fg_grader *grader = NULL;
    fg_error *error = NULL;
    check(fg_grader_new(problem.data, problem.length, &grader, &error), error);
    /* ANCHOR_END: compile */

    /* ANCHOR: plan */
    struct bytes submission = {NULL, 0, 0};
    bytes_text(&submission, "{\"type\":\"code\",\"language\":\"python\",\"source\":");
    json_quote(&submission, source.data, source.length);
    bytes_text(&submission, "}");

    fg_plan *plan = NULL;
    check(fg_plan_new(grader, submission.data, submission.length, &plan, &error), error);
    if (fg_plan_function_name(plan).data != NULL) {
        fail("this judge calls no functions: the input of a case is standard input");
    }
    /* ANCHOR_END: plan */

    int exit_code = plan == NULL || reference_agrees(grader, reference, submission, plan) ? 0 : 3;
    fg_text *result = judge(grader, arguments[2], submission, plan);
    puts(fg_text_data(result, NULL));

    fg_text_free(result);
    fg_plan_free(plan);
    fg_grader_free(grader);
    bytes_free(&submission);
    bytes_free(&source);
    bytes_free(&problem);
    return exit_code;
}
