/*
 * A small judge of the old school that learned one new thing: what to say about what it ran.
 *
 *     judge FOLDER SOURCE
 *
 * FOLDER holds a problem as contests have kept them for decades, and SOURCE is a learner's program:
 *
 *     problem.json     the question with its key, an AnswerSpec of type `code`; only its suites' names, visibility,
 *                      matcher and points are written by hand
 *     reference        a trusted program: the reference solution
 *
 * It asks the library what has to be run (fg_grader_plan), runs the trusted reference program and the learner's program
 * with /bin/sh, first shows whether the reference still agrees with the key (fg_match), then concludes the learner's
 * result from its own outcomes (fg_grader_conclude) and prints it.
 *
 * It runs programs without a sandbox: for programs you trust. `fablegrade-runner` is a host that does not trust them.
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

/* Every call of the library ends here if it fails: place, message, and the way out. */
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

/* What the key expects of one case, from the problem file. */
struct expectation {
    struct bytes text;
    struct bytes tolerance;
    int32_t matcher;
};

static struct expectation expectation_of(struct json problem, struct bytes suite, long index) {
    struct json suites = json_field(problem, "testSuites");
    for (size_t at = 0; at < json_count(suites); at++) {
        struct json candidate = json_item(suites, at);
        struct bytes name = json_string(json_field(candidate, "name"));
        bool found = name.length == suite.length && memcmp(name.data, suite.data, name.length) == 0;
        bytes_free(&name);
        if (found) {
            struct json entry = json_item(json_field(candidate, "cases"), (size_t)index);
            struct expectation expectation = {json_string(json_field(entry, "expected")), {NULL, 0, 0},
                                              FG_TRIMMED_LINES};
            struct json matcher = json_field(entry, "matcher");
            if (matcher.text != NULL) {
                struct bytes word = json_string(matcher);
                fg_error *error = NULL;
                check(fg_matcher_from_word(word.data, word.length, &expectation.matcher, &error), error);
                bytes_free(&word);
            }
            struct json tolerance = json_field(entry, "floatTolerance");
            if (tolerance.text != NULL) {
                bytes_add(&expectation.tolerance, tolerance.text, tolerance.length);
            }
            return expectation;
        }
    }
    fail("the plan names a suite that is not in the problem");
    exit(1);
}

/* Whether the trusted program agrees with the key. */
static bool reference_agrees(const char *reference, struct bytes input, long time_ms, struct expectation expectation) {
    struct ending ending = run_program(reference, input, time_ms);
    bool accepted = false;
    fg_text *report = NULL;
    fg_error *error = NULL;
    check(fg_match(expectation.matcher, expectation.text.data, expectation.text.length, ending.output.data,
                   ending.output.length, expectation.tolerance.data, expectation.tolerance.length, &accepted, &report,
                   &error),
          error);
    if (!accepted || ending.how != EXITED || ending.number != 0) {
        fprintf(stderr, "  the reference disagrees with the key: %s\n", fg_text_data(report, NULL));
        accepted = false;
    }
    fg_text_free(report);
    bytes_free(&ending.output);
    return accepted;
}

/* ANCHOR: outcome */
/* One outcome, as the library wants to hear it. */
static void add_outcome(struct bytes *outcomes, struct bytes suite, long index, struct ending ending) {
    bytes_text(outcomes, outcomes->length == 1 ? "{\"suite\":" : ",{\"suite\":");
    json_quote(outcomes, suite);
    bytes_format(outcomes, ",\"caseIndex\":%ld,\"timeMs\":%ld,\"isolation\":\"none\"", index, ending.time_ms);
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
    /* The library checks the problem file before this program believes a word of it. */
    fg_grader *grader = NULL;
    fg_error *error = NULL;
    check(fg_grader_new(problem.data, problem.length, &grader, &error), error);
    /* ANCHOR_END: compile */

    /* ANCHOR: plan */
    struct bytes submission = {NULL, 0, 0};
    bytes_text(&submission, "{\"type\":\"code\",\"language\":\"python\",\"source\":");
    json_quote(&submission, source);
    bytes_text(&submission, "}");

    fg_text *plan = NULL;
    check(fg_grader_plan(grader, submission.data, submission.length, &plan, &error), error);
    /* ANCHOR_END: plan */
    struct bytes outcomes = {NULL, 0, 0};
    int exit_code = 0;
    bytes_text(&outcomes, "[");
    if (plan != NULL) {
        size_t length = 0;
        const char *text = fg_text_data(plan, &length);
        struct json cases = json_field((struct json){text, length}, "cases");
        for (size_t at = 0; at < json_count(cases); at++) {
            struct json entry = json_item(cases, at);
            struct bytes suite = json_string(json_field(entry, "suite"));
            struct bytes input = json_string(json_field(entry, "input"));
            long index = json_number(json_field(entry, "caseIndex"));
            long time_ms = json_number(json_field(entry, "timeMs"));
            struct expectation expectation = expectation_of((struct json){problem.data, problem.length}, suite, index);
            if (!reference_agrees(reference, input, time_ms, expectation)) {
                exit_code = 3;
            }
            struct ending ending = run_program(arguments[2], input, time_ms);
            add_outcome(&outcomes, suite, index, ending);
            bytes_free(&ending.output);
            bytes_free(&expectation.text);
            bytes_free(&expectation.tolerance);
            bytes_free(&suite);
            bytes_free(&input);
        }
    }
    bytes_text(&outcomes, "]");

    /* ANCHOR: conclude */
    fg_text *result = NULL;
    if (plan != NULL) {
        check(fg_grader_conclude(grader, submission.data, submission.length, outcomes.data, outcomes.length, &result,
                                 &error),
              error);
    } else {
        /* Refused before anything could be run: the result says why. */
        check(fg_grader_grade(grader, submission.data, submission.length, &result, &error), error);
    }
    puts(fg_text_data(result, NULL));
    /* ANCHOR_END: conclude */

    fg_text_free(result);
    fg_text_free(plan);
    fg_grader_free(grader);
    bytes_free(&outcomes);
    bytes_free(&submission);
    bytes_free(&source);
    bytes_free(&problem);
    return exit_code;
}
