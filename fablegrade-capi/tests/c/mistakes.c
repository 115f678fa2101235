/* Each mistake that a newcomer makes, and what the library says; mistakes.txt has the words. */
#include "check.h"

static const char *const BACKSLASH = "{\"type\":\"expression\",\"canonical\":\"\\rho+1\",\"equivalence\":\"symbolic\"}";

static fg_error *error;
static fg_text *text;

static void said(const char *mistake, fg_status status) {
    printf("%s\n", mistake);
    if (error == NULL) {
        printf("  %s\n", fg_status_name(status));
    } else {
        printf("  %s at \"%s\" (%s): %s\n  way out: %s\n", fg_status_name(status), fg_error_pointer(error, NULL),
               fg_error_rule(error, NULL), fg_error_message(error, NULL), fg_error_help(error, NULL));
    }
    fg_error_free(error);
    error = NULL;
    if (text != NULL) printf("  %s\n", fg_text_data(text, NULL));
    fg_text_free(text);
    text = NULL;
}

static fg_status grade(const char *spec, const char *submission) {
    return fg_grade(spec, strlen(spec), submission, strlen(submission), &text, &error);
}

static void mark(const char *mistake, const char *spec, const char *submission, const char *attempt, const char *context) {
    fg_grader *grader;
    fg_documents documents = {0};
    fg_status status = fg_grader_new(spec, strlen(spec), &grader, &error);
    if (status == FG_OK) {
        documents.submission = submission;
        documents.submission_length = submission ? strlen(submission) : 0;
        documents.attempt = attempt;
        documents.attempt_length = attempt ? strlen(attempt) : 0;
        documents.context = context;
        documents.context_length = context ? strlen(context) : 0;
        status = fg_grader_mark(grader, &documents, &text, NULL, &error);
    }
    said(mistake, status);
    fg_grader_free(grader);
}

int main(void) {
    fg_grader *grader;
    fg_grader *freed;
    char buffer[8];
    size_t length;
    int32_t matcher;
    bool accepted;

    said("a spec that is NULL", fg_grade(NULL, 0, NUMERIC_RIGHT, strlen(NUMERIC_RIGHT), &text, &error));
    said("a length that cannot be", fg_grade(NUMERIC, (size_t)-1, NUMERIC_RIGHT, strlen(NUMERIC_RIGHT), &text, &error));
    said("no place for the result", fg_grade(NUMERIC, strlen(NUMERIC), NUMERIC_RIGHT, strlen(NUMERIC_RIGHT), NULL, &error));
    said("bytes of another encoding", grade(NUMERIC, "{\"type\":\"numeric\",\"value\":1,\"unit\":\"\xb5m\"}"));
    said("a length without the last brace", fg_grade(NUMERIC, strlen(NUMERIC) - 1, NUMERIC_RIGHT, strlen(NUMERIC_RIGHT), &text, &error));
    said("a type that is misspelt", grade("{\"type\":\"numerik\",\"answer\":{\"value\":42}}", NUMERIC_RIGHT));
    said("a field that is misspelt", grade("{\"type\":\"numeric\",\"answer\":{\"vlaue\":42}}", NUMERIC_RIGHT));
    said("a spec without its key", grade("{\"type\":\"numeric\"}", NUMERIC_RIGHT));
    said("a lost backslash: no failure, lint says it", fg_lint(BACKSLASH, strlen(BACKSLASH), &text, NULL, &error));
    said("a number as a text", grade(NUMERIC, "{\"type\":\"numeric\",\"value\":\"3,5\"}"));
    said("a choice twice", grade("{\"type\":\"multiple_choice\",\"choices\":[{\"id\":\"a\",\"content\":\"1\",\"correct\":true},{\"id\":\"b\",\"content\":\"2\",\"correct\":false}]}",
                                 "{\"type\":\"multiple_choice\",\"selectedChoiceIds\":[\"a\",\"a\"]}"));
    said("an answer to another type of question: a result, not a failure", grade(NUMERIC, "{\"type\":\"expression\",\"latex\":\"x\"}"));
    mark("neither submission nor attempt", NUMERIC, NULL, NULL, NULL);
    mark("both of them", NUMERIC, NUMERIC_RIGHT, "{}", NULL);
    mark("a context with a field that is misspelt", NUMERIC, NUMERIC_RIGHT, NULL, "{\"gradedat\":\"2026-03-01T09:30:00Z\"}");
    mark("a language that has no messages", NUMERIC, NUMERIC_RIGHT, NULL, "{\"locale\":\"fr\"}");
    mark("no mistake: feedback in German", "{\"type\":\"numeric\",\"answer\":{\"value\":42},\"integerOnly\":true}", "{\"type\":\"numeric\",\"value\":1.5}", NULL,
         "{\"locale\":\"de\"}");
    said("a matcher that is misspelt", fg_matcher_from_word("trimmed-lines", 13, &matcher, &error));
    said("a tolerance that is no number", fg_match(FG_MATCHER_FLOAT_TOLERANCE, "1", 1, "1", 1, "a tenth", 7, &accepted, &text, &error));
    CHECK(fg_grader_new(NUMERIC, strlen(NUMERIC), &grader, &error) == FG_OK);
    said("a buffer that is too small", fg_grader_grade_into(grader, NUMERIC_RIGHT, strlen(NUMERIC_RIGHT), buffer, sizeof buffer, &length, &error));
    freed = fg_grader_retain(grader);
    fg_grader_free(freed);
    fg_grader_free(grader);
    printf("freeing NULL is no mistake\n");
    fg_text_free(NULL);
    fg_error_free(NULL);
    return 0;
}
