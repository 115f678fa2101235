/* Calls the library on request: tests/tests/c_vectors.rs sends it the conformance vectors and compares the results.
 *
 * In:  "OPERATION LENGTH...\n" and then that many bytes per length; a length of -1 is an absent argument.
 * Out: "STATUS LENGTH LENGTH\n" and then that many bytes: the result and its explanation, or the error as JSON. */
#include "check.h"

enum { MOST = 6 };

static char *arguments[MOST];
static long lengths[MOST];

static size_t length_of(int at) { return lengths[at] < 0 ? 0 : (size_t)lengths[at]; }

static void answer(fg_status status, const char *one, size_t one_length, const char *two, size_t two_length) {
    printf("%s %zu %zu\n", fg_status_name(status), one_length, two_length);
    fwrite(one, 1, one_length, stdout);
    fwrite(two, 1, two_length, stdout);
    fflush(stdout);
}

static void answer_texts(fg_status status, fg_text *one, fg_text *two, fg_error *error) {
    size_t one_length = 0, two_length = 0;
    if (status == FG_OK) {
        CHECK(error == NULL);
        const char *first = fg_text_data(one, &one_length);
        const char *second = fg_text_data(two, &two_length);
        answer(status, first, one_length, second, two_length);
    } else {
        CHECK(one == NULL && two == NULL);
        const char *json = fg_error_json(error, &one_length);
        answer(status, json, one_length, "", 0);
    }
    fg_text_free(one);
    fg_text_free(two);
    fg_error_free(error);
}

/* Checks that every function gives the same result for a submission without further documents. */
static void check_ways(const fg_grader *grader, const char *spec, size_t spec_length, const char *submission,
                       size_t submission_length, const fg_text *expected) {
    fg_text *other = NULL;
    CHECK(fg_grader_grade(grader, submission, submission_length, &other, NULL) == FG_OK);
    CHECK_TEXT(fg_text_data(expected, NULL), fg_text_data(other, NULL));
    fg_text_free(other);
    CHECK(fg_grade(spec, spec_length, submission, submission_length, &other, NULL) == FG_OK);
    CHECK_TEXT(fg_text_data(expected, NULL), fg_text_data(other, NULL));
    fg_text_free(other);
    size_t length = 0;
    CHECK(fg_grader_grade_into(grader, submission, submission_length, NULL, 0, &length, NULL) == FG_BUFFER_TOO_SMALL);
    char *buffer = (char *)malloc(length + 1);
    CHECK(buffer != NULL);
    CHECK(fg_grader_grade_into(grader, submission, submission_length, buffer, length + 1, NULL, NULL) == FG_OK);
    CHECK_TEXT(fg_text_data(expected, NULL), buffer);
    free(buffer);
}

/* spec submission attempt outcomes context */
static void mark(void) {
    fg_grader *grader = NULL;
    fg_text *result = NULL, *explanation = NULL;
    fg_error *error = NULL;
    fg_status status = fg_grader_new(arguments[0], length_of(0), &grader, &error);
    if (status == FG_OK) {
        fg_documents documents = {0};
        documents.submission = arguments[1];
        documents.submission_length = length_of(1);
        documents.attempt = arguments[2];
        documents.attempt_length = length_of(2);
        documents.outcomes = arguments[3];
        documents.outcomes_length = length_of(3);
        documents.context = arguments[4];
        documents.context_length = length_of(4);
        status = fg_grader_explain(grader, &documents, &result, &explanation, &error);
        if (status == FG_OK && arguments[1] && !arguments[2] && !arguments[3] && !arguments[4]) {
            check_ways(grader, arguments[0], length_of(0), arguments[1], length_of(1), result);
        }
        if (status == FG_OK && arguments[1] && arguments[3] && !arguments[4]) {
            fg_text *other = NULL;
            CHECK(fg_grader_conclude(grader, arguments[1], length_of(1), arguments[3], length_of(3), &other, NULL) ==
                  FG_OK);
            CHECK_TEXT(fg_text_data(result, NULL), fg_text_data(other, NULL));
            fg_text_free(other);
        }
    }
    answer_texts(status, result, explanation, error);
    fg_grader_free(grader);
}

/* spec seed */
static void deliver(void) {
    fg_grader *grader = NULL;
    fg_text *view = NULL, *other = NULL;
    fg_error *error = NULL;
    fg_status status = fg_deliver(arguments[0], length_of(0), arguments[1], length_of(1), &view, &error);
    if (status == FG_OK && fg_grader_new(arguments[0], length_of(0), &grader, NULL) == FG_OK) {
        CHECK(fg_grader_deliver(grader, arguments[1], length_of(1), &other, NULL) == FG_OK);
        CHECK_TEXT(fg_text_data(view, NULL), fg_text_data(other, NULL));
        fg_text_free(other);
        fg_grader_free(grader);
    }
    answer_texts(status, view, NULL, error);
}

/* spec */
static void lint(void) {
    fg_text *findings = NULL;
    fg_error *error = NULL;
    size_t errors = 0;
    fg_status status = fg_lint(arguments[0], length_of(0), &findings, &errors, &error);
    /* A spec without errors compiles, unless it names a validator of another host. Lint finds further errors. */
    fg_grader *grader = NULL;
    int known = strstr(fg_text_data(findings, NULL), "unknown-validator") == NULL;
    CHECK(fg_grader_new(arguments[0], length_of(0), &grader, NULL) == FG_OK || errors > 0 || !known);
    fg_grader_free(grader);
    answer_texts(status, findings, NULL, error);
}

/* word expected actual tolerance */
static void match(void) {
    int32_t matcher = 0;
    bool accepted = false;
    fg_text *report = NULL;
    fg_error *error = NULL;
    fg_status status = fg_matcher_from_word(arguments[0], length_of(0), &matcher, &error);
    if (status == FG_OK) {
        status = fg_match(matcher, arguments[1], length_of(1), arguments[2], length_of(2), arguments[3], length_of(3),
                          &accepted, &report, &error);
        CHECK((strstr(fg_text_data(report, NULL), "\"accept\":true") != NULL) == accepted);
    }
    answer_texts(status, report, NULL, error);
}

/* schema document; the schema is a digit */
static void check(void) {
    fg_error *error = NULL;
    fg_status status = fg_check(arguments[0][0] - '0', arguments[1], length_of(1), &error);
    answer_texts(status, NULL, NULL, error);
}

int main(void) {
    char operation[16];
    while (scanf("%15s", operation) == 1) {
        int count = 0;
        int end = ' ';
        while (count < MOST && end == ' ') {
            CHECK(scanf("%ld", &lengths[count++]) == 1);
            end = getchar();
        }
        CHECK(end == '\n');
        for (int at = 0; at < MOST; at++) {
            arguments[at] = NULL;
            if (at < count && lengths[at] >= 0) {
                /* Allocated at the exact length, so valgrind detects reads beyond the end. */
                arguments[at] = (char *)malloc(length_of(at) > 0 ? length_of(at) : 1);
                CHECK(arguments[at] != NULL);
                CHECK(fread(arguments[at], 1, length_of(at), stdin) == length_of(at));
            } else {
                lengths[at] = -1;
            }
        }
        if (strcmp(operation, "mark") == 0) {
            mark();
        } else if (strcmp(operation, "deliver") == 0) {
            deliver();
        } else if (strcmp(operation, "lint") == 0) {
            lint();
        } else if (strcmp(operation, "match") == 0) {
            match();
        } else if (strcmp(operation, "check") == 0) {
            check();
        } else {
            fprintf(stderr, "unknown operation %s\n", operation);
            return 1;
        }
        for (int at = 0; at < MOST; at++) {
            free(arguments[at]);
        }
    }
    return 0;
}
