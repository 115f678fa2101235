/* `volume CALLS` makes that many calls and checks that memory use does not grow. Natively, it compares the resident
 * memory after the first hundredth of the calls and at the end. Under valgrind, the caller compares the memory in use
 * at the end of a short and of a long run. */
#include "check.h"

#include <unistd.h>

static long resident(void) {
    long total = 0, pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file != NULL && fscanf(file, "%ld %ld", &total, &pages) == 2);
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static fg_grader *grader;
static char buffer[512];

static void small_call(long at) {
    fg_text *result = NULL;
    switch (at % 4) {
    case 0:
        CHECK(fg_grader_grade_into(grader, NUMERIC_RIGHT, strlen(NUMERIC_RIGHT), buffer, sizeof buffer, NULL, NULL) ==
              FG_OK);
        break;
    case 1: {
        bool accepted = false;
        CHECK(fg_match(FG_MATCHER_TOKENS, "1 2 3", 5, "1 2  3", 6, NULL, 0, &accepted, NULL, NULL) == FG_OK && accepted);
        break;
    }
    default:
        CHECK(fg_grader_grade(grader, NUMERIC_RIGHT, strlen(NUMERIC_RIGHT), &result, NULL) == FG_OK);
        fg_text_free(result);
    }
}

/* Calls all other functions that allocate, also with arguments that make them fail. */
static void other_calls(void) {
    fg_grader *other = NULL;
    fg_text *text = NULL, *explanation = NULL;
    fg_error *error = NULL;
    int32_t equality = 0;
    size_t errors = 0;
    fg_documents documents;
    memset(&documents, 0, sizeof documents);
    documents.submission = CODE_SUBMISSION;
    documents.submission_length = strlen(CODE_SUBMISSION);
    CHECK(fg_grader_new(CODE, strlen(CODE), &other, &error) == FG_OK);
    fg_grader_free(fg_grader_retain(other));
    CHECK(fg_grader_plan(other, CODE_SUBMISSION, strlen(CODE_SUBMISSION), &text, &error) == FG_OK);
    fg_text_free(text);
    CHECK(fg_grader_explain(other, &documents, &text, &explanation, &error) == FG_OK);
    fg_text_free(text);
    fg_text_free(explanation);
    CHECK(fg_grader_conclude(other, CODE_SUBMISSION, strlen(CODE_SUBMISSION), "[]", 2, &text, &error) == FG_MISMATCH);
    fg_error_free(error);
    CHECK(fg_grader_deliver(other, "seed", 4, &text, &error) == FG_OK);
    fg_text_free(text);
    CHECK(fg_grader_warnings(other, &text, &error) == FG_OK);
    fg_text_free(text);
    fg_grader_free(other);
    CHECK(fg_grader_new("{}", 2, &other, &error) == FG_BAD_SCHEMA);
    fg_error_free(error);
    CHECK(fg_grade(NUMERIC, strlen(NUMERIC), NUMERIC_RIGHT, strlen(NUMERIC_RIGHT), &text, &error) == FG_OK);
    fg_text_free(text);
    CHECK(fg_deliver(NUMERIC, strlen(NUMERIC), NULL, 0, &text, &error) == FG_OK);
    fg_text_free(text);
    CHECK(fg_lint("{}", 2, &text, &errors, &error) == FG_OK && errors == 1);
    fg_text_free(text);
    CHECK(fg_check(FG_SCHEMA_SUBMISSION, "{", 1, &error) == FG_BAD_JSON);
    fg_error_free(error);
    CHECK(fg_match(FG_MATCHER_FLOAT_TOLERANCE, "1", 1, "2", 1, "0.5", 3, &(bool){false}, &text, &error) == FG_OK);
    fg_text_free(text);
    CHECK(fg_equivalent("x+x", 3, "2x", 2, NULL, 0, &equality, &text, &error) == FG_OK && equality == FG_EQUALITY_EQUAL);
    fg_text_free(text);
}

int main(int count, char **arguments) {
    long calls = count > 1 ? atol(arguments[1]) : 10000000;
    CHECK(fg_grader_new(NUMERIC, strlen(NUMERIC), &grader, NULL) == FG_OK);
    /* The other calls count as 17; they are made once in every 1000 turns. */
    long before = 0, done = 0;
    for (long turn = 0; done < calls; turn++) {
        if (turn % 1000 == 0) {
            other_calls();
            done += 17;
        }
        small_call(turn);
        done++;
        if (before == 0 && done * 100 >= calls) {
            before = resident();
        }
    }
    long after = resident();
    fg_grader_free(grader);
    printf("%ld calls; resident %ld KiB after the first hundredth, %ld KiB at the end\n", done, before, after);
    if (calls >= 1000000) {
        CHECK(after - before <= 1024);
    }
    return finish("volume");
}
