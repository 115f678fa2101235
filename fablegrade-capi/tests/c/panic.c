/* A deliberate panic in the library. It is built with the feature `test-panic`, which is never installed. */
#include "check.h"

fg_status fg_test_panic(const fg_grader *grader, fg_text **result, fg_error **error);

int main(void) {
    fg_grader *grader = NULL;
    CHECK(fg_grader_new(NUMERIC, strlen(NUMERIC), &grader, NULL) == FG_OK);
    for (int turn = 0; turn < 20; turn++) {
        fg_text *result = NULL;
        fg_error *error = NULL;
        CHECK(fg_test_panic(grader, &result, &error) == FG_PANIC);
        CHECK(result == NULL && fg_error_status(error) == FG_PANIC);
        CHECK_TEXT("panic", fg_error_rule(error, NULL));
        /* The panic's message is not reported, because it could quote a key. */
        CHECK(strstr(fg_error_json(error, NULL), "secret") == NULL);
        fg_error_free(error);
        CHECK(fg_test_panic(grader, &result, NULL) == FG_PANIC);
        /* The handle stays usable. */
        CHECK(fg_grader_grade(grader, NUMERIC_RIGHT, strlen(NUMERIC_RIGHT), &result, &error) == FG_OK);
        CHECK(error == NULL && strstr(fg_text_data(result, NULL), "correct") != NULL);
        fg_text_free(result);
    }
    fg_grader_free(grader);
    return finish("panic");
}
