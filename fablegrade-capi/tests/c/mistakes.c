/* Typical mistakes of newcomers, and the library's answers, which mistakes.txt records. */
#include "check.h"

static const char *const BACKSLASH = "{\"type\":\"expression\",\"canonical\":\"\\rho+1\",\"equivalence\":\"symbolic\"}";

static const char *const DOMAINS = "{\"domains\":{\"x\":{\"min\":2,\"max\":1}}}";

static fg_error *error;
static fg_text *text;

static void said(const char *mistake, fg_status status) {
    printf("%s\n", mistake);
    size_t at = 0;
    fg_finding finding;
    if (error == NULL) printf("  %s\n", fg_status_name(status));
    while (fg_error_finding(error, at++, &finding))
        printf("  %s at \"%s\" (%s): %s\n  way out: %s\n", fg_status_name(status), finding.pointer.data, finding.rule.data,
               finding.message.data, finding.help.data);
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
        status = fg_grader_explain(grader, &documents, &text, NULL, &error);
    }
    said(mistake, status);
    fg_grader_free(grader);
}

static void validator(void *user_data, const char *request, size_t request_length, fg_answer *answer) {
    (void)user_data, (void)request, (void)request_length;
    fg_answer_set(answer, "{\"score\":7}", 11);
}

static fg_status registers(const char *name, const char *messages, fg_validator function) {
    return fg_register_validator(name, strlen(name), messages, strlen(messages), function, NULL, &error);
}

/* Reads parts that a plan or a result does not have. */
static void accessors(void) {
    fg_grader *grader;
    fg_plan *plan = NULL;
    fg_result *result = NULL;
    fg_case run;
    fg_case_result judged;
    CHECK(fg_grader_new(NUMERIC, strlen(NUMERIC), &grader, &error) == FG_OK);
    said("a plan of a question that runs nothing: no plan, not a failure", fg_plan_new(grader, NUMERIC_RIGHT, strlen(NUMERIC_RIGHT), &plan, &error));
    printf("  plan %s, cases %zu, first case %s\n", plan == NULL ? "NULL" : "there", fg_plan_case_count(plan), fg_plan_case(plan, 0, &run) ? "there" : "none");
    fg_plan_free(plan);
    said("outcomes that are not an array", fg_grader_conclude(grader, NUMERIC_RIGHT, strlen(NUMERIC_RIGHT), "{}", 2, &text, &error));
    said("a buffer without a place", fg_grader_grade_into(grader, NUMERIC_RIGHT, strlen(NUMERIC_RIGHT), NULL, 5, NULL, &error));
    fg_grader_free(grader);
    said("a spec where a result is read", fg_result_read(NUMERIC, strlen(NUMERIC), &result, &error));
    CHECK(grade(NUMERIC, NUMERIC_RIGHT) == FG_OK);
    CHECK(fg_result_read(fg_text_data(text, NULL), strlen(fg_text_data(text, NULL)), &result, &error) == FG_OK);
    said("no mistake: a result is read", FG_OK);
    printf("  feedback 0 %s, case 0 %s\n", fg_result_feedback(result, 0, NULL).data == NULL ? "none" : "there", fg_result_case(result, 0, &judged) ? "there" : "none");
    fg_result_free(result);
}

/* A handle of another type, and memory that never was a handle. The tag also detects freed handles, but a test would
 * have to read freed memory. */
static void handles(void) {
    uint64_t foreign[4] = {0};
    fg_grader *grader;
    CHECK(fg_lint(NUMERIC, strlen(NUMERIC), &text, NULL, &error) == FG_OK);
    fg_text *kept = text;
    text = NULL;
    said("a text in the place of a grader", fg_grader_grade((const fg_grader *)(const void *)kept, NUMERIC_RIGHT, strlen(NUMERIC_RIGHT), &text, &error));
    fg_text_free(kept);
    said("memory that is not a handle", fg_grader_grade((const fg_grader *)(const void *)foreign, NUMERIC_RIGHT, strlen(NUMERIC_RIGHT), &text, &error));
    said("a grader that is NULL", fg_grader_grade(NULL, NUMERIC_RIGHT, strlen(NUMERIC_RIGHT), &text, &error));
    CHECK(fg_grader_new(NUMERIC, strlen(NUMERIC), &grader, &error) == FG_OK);
    said("a submission that is NULL", fg_grader_grade(grader, NULL, 0, &text, &error));
    fg_grader_free(grader);
    printf("what is not a grader is not freed\n");
    fg_grader_free((fg_grader *)(void *)foreign);
}

int main(void) {
    fg_grader *grader;
    fg_grader *freed;
    char buffer[8];
    size_t length;
    int32_t matcher;
    int32_t equality;
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
    said("a tolerance that is not a number", fg_match(FG_MATCHER_FLOAT_TOLERANCE, "1", 1, "1", 1, "a tenth", 7, &accepted, &text, &error));
    said("a number that is not a matcher", fg_match(99, "1", 1, "1", 1, NULL, 0, &accepted, &text, &error));
    said("a number that is not a schema", fg_check(99, NUMERIC, strlen(NUMERIC), &error));
    said("a spec checked as a view", fg_check(FG_SCHEMA_DELIVERY_VIEW, NUMERIC, strlen(NUMERIC), &error));
    said("a backslash that C has taken", fg_equivalent("\rho", 3, "x", 1, NULL, 0, &equality, &text, &error));
    said("a formula that ends early", fg_equivalent("x+", 2, "x", 1, NULL, 0, &equality, &text, &error));
    said("a domain from 2 to 1", fg_equivalent("x", 1, "x", 1, DOMAINS, strlen(DOMAINS), &equality, &text, &error));
    said("a validator's name with a capital letter", registers("Above", "[]", validator));
    said("messages that are none", registers("above", "[{\"code\":1}]", validator));
    said("no function", registers("above", "[]", NULL));
    CHECK(registers("above", "[]", validator) == FG_OK);
    said("a validator that judges where it is asked about its configuration", grade("{\"type\":\"widget\",\"widgetName\":\"w\",\"widgetVersion\":\"1.0.0\",\"validator\":{\"kind\":\"builtin\",\"name\":\"above\"}}",
                                                           "{\"type\":\"widget\",\"state\":{}}"));
    accessors();
    handles();
    CHECK(fg_grader_new(NUMERIC, strlen(NUMERIC), &grader, &error) == FG_OK);
    said("a buffer that is too small", fg_grader_grade_into(grader, NUMERIC_RIGHT, strlen(NUMERIC_RIGHT), buffer, sizeof buffer, &length, &error));
    freed = fg_grader_retain(grader);
    fg_grader_free(freed);
    fg_grader_free(grader);
    printf("freeing NULL is not a mistake\n");
    fg_text_free(NULL);
    fg_error_free(NULL);
    return 0;
}
