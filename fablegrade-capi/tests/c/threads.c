/* Several threads use the same graders, texts and error at once, with and without references of their own. Also run
 * under helgrind, which detects unordered accesses: `threads ROUNDS [plain]`. */
#include "check.h"

#include <pthread.h>

enum { THREADS = 4, PLAIN = 2, KINDS = 4 };

/* The graders of the first PLAIN specs share only immutable data. The others keep scratch memory in pools that threads
 * share through atomics and futexes. Helgrind does not understand these and reports them as races. */
static const char *const SPECS[KINDS] = {
    "{\"type\":\"numeric\",\"answer\":{\"value\":42}}",
    "{\"type\":\"ordering\",\"items\":[{\"id\":\"a\",\"content\":1},{\"id\":\"b\",\"content\":2}],"
    "\"correctOrder\":[\"a\",\"b\"],\"partialCredit\":\"adjacent_pairs\"}",
    "{\"type\":\"expression\",\"canonical\":\"(x+1)^2\",\"equivalence\":\"symbolic\"}",
    "{\"type\":\"widget\",\"widgetName\":\"w\",\"widgetVersion\":\"1.0.0\",\"validator\":{\"kind\":\"state_schema\","
    "\"stateSchema\":{\"type\":\"object\",\"required\":[\"x\"],\"properties\":{\"x\":{\"type\":\"string\",\"pattern\":\"^a+b*$\"}}}}}",
};
static const char *const SUBMISSIONS[KINDS] = {
    "{\"type\":\"numeric\",\"value\":42}",
    "{\"type\":\"ordering\",\"order\":[\"a\",\"b\"]}",
    "{\"type\":\"expression\",\"latex\":\"x^2+2x+1\"}",
    "{\"type\":\"widget\",\"state\":{\"x\":\"aab\"}}",
};

static int rounds = 500;
static int kinds = KINDS;
static fg_grader *graders[KINDS];
static fg_text *expected[KINDS];
static fg_error *shared_error;

static void *work(void *argument) {
    (void)argument;
    /* Each thread counts its own failures, because CHECK counts in one shared variable. */
    size_t wrong = 0;
    for (int round = 0; round < rounds; round++) {
        for (int kind = 0; kind < kinds; kind++) {
            fg_grader *mine = fg_grader_retain(graders[kind]);
            fg_text *result = NULL;
            fg_error *error = NULL;
            wrong += fg_grader_grade(mine, SUBMISSIONS[kind], strlen(SUBMISSIONS[kind]), &result, &error) != FG_OK;
            wrong += strcmp(fg_text_data(result, NULL), fg_text_data(expected[kind], NULL)) != 0;
            fg_text_free(result);
            wrong += fg_grader_grade(graders[kind], "{", 1, &result, &error) != FG_BAD_JSON;
            wrong += strcmp(fg_error_rule(error, NULL), fg_error_rule(shared_error, NULL)) != 0;
            fg_error_free(error);
            fg_grader_free(mine);
        }
    }
    return (void *)wrong;
}

int main(int count, char **arguments) {
    if (count > 1) {
        rounds = atoi(arguments[1]);
    }
    if (count > 2 && strcmp(arguments[2], "plain") == 0) {
        kinds = PLAIN;
    }
    for (int kind = 0; kind < kinds; kind++) {
        CHECK(fg_grader_new(SPECS[kind], strlen(SPECS[kind]), &graders[kind], NULL) == FG_OK);
        CHECK(fg_grader_grade(graders[kind], SUBMISSIONS[kind], strlen(SUBMISSIONS[kind]), &expected[kind], NULL) ==
              FG_OK);
        CHECK(strstr(fg_text_data(expected[kind], NULL), "\"verdict\":\"correct\"") != NULL);
    }
    CHECK(fg_check(FG_SCHEMA_SUBMISSION, "{", 1, &shared_error) == FG_BAD_JSON);
    pthread_t threads[THREADS];
    for (int thread = 0; thread < THREADS; thread++) {
        CHECK(pthread_create(&threads[thread], NULL, work, NULL) == 0);
    }
    for (int thread = 0; thread < THREADS; thread++) {
        void *wrong = NULL;
        CHECK(pthread_join(threads[thread], &wrong) == 0);
        CHECK(wrong == NULL);
    }
    for (int kind = 0; kind < kinds; kind++) {
        fg_text_free(expected[kind]);
        fg_grader_free(graders[kind]);
    }
    fg_error_free(shared_error);
    return finish("threads");
}
