/* Calls every function as intended, then with every kind of invalid argument: NULL, zero length, wrong lengths, bytes
 * that are not UTF-8, buffers that are too small. Compiled as C99 and as C++. */
#include "check.h"

#define TEXT(text) text, strlen(text)
#define BAD_UTF8 "{\"type\":\"numeric\",\"unit\":\"\xff\",\"value\":1}"
#define TOO_LONG ((size_t)-1)

static void expect_at(int line, fg_status status, fg_error **error, int expected, const char *pointer,
                      const char *rule) {
    if ((int)status != expected || strcmp(pointer, fg_error_pointer(*error, NULL)) != 0) {
        fprintf(stderr, "line %d: expected %s, found %s: %s\n", line, fg_status_name(expected), fg_status_name(status),
                fg_error_json(*error, NULL));
    }
    CHECK((int)status == expected);
    CHECK(*error != NULL);
    CHECK((int)fg_error_status(*error) == expected);
    CHECK_TEXT(pointer, fg_error_pointer(*error, NULL));
    CHECK_TEXT(rule, fg_error_rule(*error, NULL));
    CHECK(strlen(fg_error_message(*error, NULL)) > 0);
    CHECK(strlen(fg_error_help(*error, NULL)) > 0);
    CHECK(strstr(fg_error_json(*error, NULL), rule) != NULL);
    fg_error_free(*error);
    *error = NULL;
}

#define expect(...) expect_at(__LINE__, __VA_ARGS__)

static fg_grader *grader_of(const char *spec) {
    fg_grader *grader = NULL;
    fg_error *error = NULL;
    fg_status status = fg_grader_new(TEXT(spec), &grader, &error);
    if (status != FG_OK) {
        fprintf(stderr, "%s\n", fg_error_json(error, NULL));
    }
    CHECK(status == FG_OK && grader != NULL && error == NULL);
    return grader;
}

static void versions(void) {
    char expected[32];
    snprintf(expected, sizeof expected, "%d.%d.%d", FG_VERSION_MAJOR, FG_VERSION_MINOR, FG_VERSION_PATCH);
    CHECK_TEXT(expected, fg_version());
    CHECK(fg_semantics_version() >= 1);
    CHECK_TEXT("FG_OK", fg_status_name(FG_OK));
    CHECK_TEXT("FG_BAD_SPEC", fg_status_name(FG_BAD_SPEC));
    CHECK_TEXT("FG_UNKNOWN", fg_status_name(12345));
    CHECK_TEXT("FG_UNKNOWN", fg_status_name(-1));
}

static void grading(void) {
    fg_text *result = NULL;
    fg_error *error = NULL;
    size_t length = 0;
    CHECK(fg_grade(TEXT(NUMERIC), TEXT(NUMERIC_RIGHT), &result, &error) == FG_OK);
    CHECK(error == NULL);
    CHECK(strstr(fg_text_data(result, &length), "\"verdict\":\"correct\"") != NULL);
    CHECK(length == strlen(fg_text_data(result, NULL)));

    fg_grader *grader = grader_of(NUMERIC);
    fg_grader *second = fg_grader_retain(grader);
    CHECK(second == grader);
    fg_text *again = NULL;
    CHECK(fg_grader_grade(grader, TEXT(NUMERIC_RIGHT), &again, &error) == FG_OK);
    CHECK_TEXT(fg_text_data(result, NULL), fg_text_data(again, NULL));
    fg_text_free(again);
    fg_grader_free(grader);
    /* The second reference keeps the grader alive. */
    CHECK(fg_grader_grade(second, TEXT(NUMERIC_RIGHT), &again, NULL) == FG_OK);
    fg_grader_free(second);
    /* A text outlives its grader. */
    CHECK_TEXT(fg_text_data(result, NULL), fg_text_data(again, NULL));
    fg_text_free(again);
    fg_text_free(result);

    /* A refused submission is not a failed call. */
    CHECK(fg_grade(TEXT(NUMERIC), TEXT("{\"type\":\"ordering\",\"order\":[\"a\",\"b\"]}"), &result, &error) == FG_OK);
    CHECK(strstr(fg_text_data(result, NULL), "\"verdict\":\"error\"") != NULL);
    fg_text_free(result);

    expect(fg_grade(TEXT("{\"type\":\"numeric\"}"), TEXT("{\"type\":\"numeric\"}"), &result, &error), &error,
           FG_BAD_SCHEMA, "/spec", "missing-field");
    CHECK(result == NULL);
    expect(fg_grade(TEXT("{\"type\":\"numeric\",\"answer\":{\"min\":2,\"max\":1}}"), TEXT(NUMERIC_RIGHT), &result, &error),
           &error, FG_BAD_SPEC, "/spec/answer/min", "min-above-max");
    expect(fg_grade(TEXT(NUMERIC), TEXT("{"), &result, &error), &error, FG_BAD_JSON, "/submission", "json-syntax");
    expect(fg_grade(TEXT(NUMERIC), TEXT(""), &result, &error), &error, FG_BAD_JSON, "/submission", "json-syntax");
    expect(fg_grade(TEXT(""), TEXT(NUMERIC_RIGHT), &result, &error), &error, FG_BAD_JSON, "/spec", "json-syntax");
    expect(fg_grade(TEXT(NUMERIC), TEXT(BAD_UTF8), &result, &error), &error, FG_BAD_UTF8, "/submission", "invalid-utf8");
    expect(fg_grade(TEXT(BAD_UTF8), TEXT(NUMERIC_RIGHT), &result, &error), &error, FG_BAD_UTF8, "/spec", "invalid-utf8");
    /* One byte too short, and one byte too long (with the NUL). */
    expect(fg_grade(NUMERIC, strlen(NUMERIC) - 1, TEXT(NUMERIC_RIGHT), &result, &error), &error, FG_BAD_JSON, "/spec/answer",
           "json-syntax");
    expect(fg_grade(NUMERIC, strlen(NUMERIC) + 1, TEXT(NUMERIC_RIGHT), &result, &error), &error, FG_BAD_JSON, "/spec",
           "json-syntax");
    expect(fg_grade(NUMERIC, TOO_LONG, TEXT(NUMERIC_RIGHT), &result, &error), &error, FG_BAD_LENGTH, "/spec",
           "bad-length");
    expect(fg_grade(TEXT(NUMERIC), NUMERIC_RIGHT, TOO_LONG, &result, &error), &error, FG_BAD_LENGTH, "/submission",
           "bad-length");
    expect(fg_grade(NULL, 0, TEXT(NUMERIC_RIGHT), &result, &error), &error, FG_NULL_ARGUMENT, "/spec", "null-argument");
    expect(fg_grade(NULL, 7, TEXT(NUMERIC_RIGHT), &result, &error), &error, FG_NULL_ARGUMENT, "/spec", "null-argument");
    expect(fg_grade(TEXT(NUMERIC), NULL, 0, &result, &error), &error, FG_NULL_ARGUMENT, "/submission", "null-argument");
    expect(fg_grade(TEXT(NUMERIC), TEXT(NUMERIC_RIGHT), NULL, &error), &error, FG_NULL_ARGUMENT, "/result",
           "null-argument");
    CHECK(fg_grade(NULL, 0, NULL, 0, NULL, NULL) == FG_NULL_ARGUMENT);
    CHECK(result == NULL);
}

static void graders(void) {
    fg_grader *grader = (fg_grader *)1;
    fg_text *text = NULL;
    fg_error *error = NULL;
    expect(fg_grader_new(TEXT("[]"), &grader, &error), &error, FG_BAD_SCHEMA, "/spec", "wrong-type");
    CHECK(grader == NULL);
    expect(fg_grader_new(TEXT(BAD_UTF8), &grader, &error), &error, FG_BAD_UTF8, "/spec", "invalid-utf8");
    expect(fg_grader_new(NULL, 0, &grader, &error), &error, FG_NULL_ARGUMENT, "/spec", "null-argument");
    expect(fg_grader_new(NUMERIC, TOO_LONG, &grader, &error), &error, FG_BAD_LENGTH, "/spec", "bad-length");
    expect(fg_grader_new(TEXT(NUMERIC), NULL, &error), &error, FG_NULL_ARGUMENT, "/grader", "null-argument");
    expect(fg_grader_new("", 0, &grader, &error), &error, FG_BAD_JSON, "/spec", "json-syntax");
    CHECK(fg_grader_new(NULL, 0, NULL, NULL) == FG_NULL_ARGUMENT);
    CHECK(fg_grader_retain(NULL) == NULL);
    fg_grader_free(NULL);

    grader = grader_of(NUMERIC);
    expect(fg_grader_grade(NULL, TEXT(NUMERIC_RIGHT), &text, &error), &error, FG_NULL_ARGUMENT, "/grader",
           "null-argument");
    expect(fg_grader_grade(grader, NULL, 0, &text, &error), &error, FG_NULL_ARGUMENT, "/submission", "null-argument");
    expect(fg_grader_grade(grader, "", 0, &text, &error), &error, FG_BAD_JSON, "/submission", "json-syntax");
    expect(fg_grader_grade(grader, TEXT(BAD_UTF8), &text, &error), &error, FG_BAD_UTF8, "/submission", "invalid-utf8");
    expect(fg_grader_grade(grader, "x", TOO_LONG, &text, &error), &error, FG_BAD_LENGTH, "/submission", "bad-length");
    expect(fg_grader_grade(grader, TEXT(NUMERIC_RIGHT), NULL, &error), &error, FG_NULL_ARGUMENT, "/result",
           "null-argument");
    CHECK(fg_grader_grade(grader, TEXT("{}"), &text, NULL) == FG_BAD_SCHEMA && text == NULL);

    CHECK(fg_grader_warnings(grader, &text, &error) == FG_OK);
    CHECK_TEXT("[]", fg_text_data(text, NULL));
    fg_text_free(text);
    expect(fg_grader_warnings(NULL, &text, &error), &error, FG_NULL_ARGUMENT, "/grader", "null-argument");
    expect(fg_grader_warnings(grader, NULL, &error), &error, FG_NULL_ARGUMENT, "/findings", "null-argument");
    fg_grader_free(grader);

    grader = grader_of("{\"type\":\"numeric\",\"answer\":{\"value\":0,\"tolerance\":{\"mode\":\"relative\",\"amount\":0.1}}}");
    CHECK(fg_grader_warnings(grader, &text, &error) == FG_OK);
    CHECK(strstr(fg_text_data(text, NULL), "\"rule\":\"relative-to-zero\"") != NULL);
    fg_text_free(text);
    fg_grader_free(grader);
}

static void buffers(void) {
    char buffer[512];
    size_t length = 99;
    fg_error *error = NULL;
    fg_text *text = NULL;
    fg_grader *grader = grader_of(NUMERIC);
    CHECK(fg_grader_grade(grader, TEXT(NUMERIC_RIGHT), &text, &error) == FG_OK);
    const char *expected = fg_text_data(text, NULL);

    CHECK(fg_grader_grade_into(grader, TEXT(NUMERIC_RIGHT), buffer, sizeof buffer, &length, &error) == FG_OK);
    CHECK_TEXT(expected, buffer);
    CHECK(length == strlen(expected));
    size_t needed = length + 1;
    memset(buffer, 'x', sizeof buffer);
    expect(fg_grader_grade_into(grader, TEXT(NUMERIC_RIGHT), buffer, needed - 1, &length, &error), &error,
           FG_BUFFER_TOO_SMALL, "/buffer", "buffer-too-small");
    CHECK(length + 1 == needed && buffer[0] == 'x' && buffer[needed - 2] == 'x');
    CHECK(fg_grader_grade_into(grader, TEXT(NUMERIC_RIGHT), buffer, needed, NULL, NULL) == FG_OK);
    CHECK(buffer[needed - 1] == '\0' && buffer[needed] == 'x');
    CHECK(fg_grader_grade_into(grader, TEXT(NUMERIC_RIGHT), NULL, 0, &length, NULL) == FG_BUFFER_TOO_SMALL);
    CHECK(length + 1 == needed);
    expect(fg_grader_grade_into(grader, TEXT(NUMERIC_RIGHT), NULL, 5, &length, &error), &error, FG_NULL_ARGUMENT,
           "/buffer", "null-argument");
    CHECK(length == 0);
    expect(fg_grader_grade_into(NULL, TEXT(NUMERIC_RIGHT), buffer, 5, &length, &error), &error, FG_NULL_ARGUMENT,
           "/grader", "null-argument");
    expect(fg_grader_grade_into(grader, NULL, 0, buffer, 5, &length, &error), &error, FG_NULL_ARGUMENT, "/submission",
           "null-argument");
    expect(fg_grader_grade_into(grader, "x", TOO_LONG, buffer, 5, &length, &error), &error, FG_BAD_LENGTH,
           "/submission", "bad-length");
    expect(fg_grader_grade_into(grader, "", 0, buffer, 5, &length, &error), &error, FG_BAD_JSON, "/submission",
           "json-syntax");
    expect(fg_grader_grade_into(grader, TEXT(BAD_UTF8), buffer, 5, &length, &error), &error, FG_BAD_UTF8, "/submission",
           "invalid-utf8");

    memset(buffer, 'x', sizeof buffer);
    CHECK(fg_text_copy(text, buffer, needed, &length, &error) == FG_OK);
    CHECK_TEXT(expected, buffer);
    buffer[0] = 'x';
    expect(fg_text_copy(text, buffer, needed - 1, &length, &error), &error, FG_BUFFER_TOO_SMALL, "/buffer",
           "buffer-too-small");
    CHECK(buffer[0] == 'x' && length + 1 == needed);
    CHECK(fg_text_copy(text, NULL, 0, &length, NULL) == FG_BUFFER_TOO_SMALL);
    length = 99;
    expect(fg_text_copy(text, NULL, 1, &length, &error), &error, FG_NULL_ARGUMENT, "/buffer", "null-argument");
    CHECK(length == 0);
    expect(fg_text_copy(NULL, buffer, 1, &length, &error), &error, FG_NULL_ARGUMENT, "/text", "null-argument");
    length = 99;
    CHECK_TEXT("", fg_text_data(NULL, &length));
    CHECK(length == 0);
    CHECK_TEXT("", fg_text_data(NULL, NULL));
    fg_text_free(NULL);
    fg_text_free(text);
    fg_grader_free(grader);
}

static void marking(void) {
    fg_grader *grader = grader_of(NUMERIC);
    fg_text *result = NULL, *explanation = NULL;
    fg_error *error = NULL;
    fg_documents documents;
    memset(&documents, 0, sizeof documents);
    expect(fg_grader_explain(grader, &documents, &result, &explanation, &error), &error, FG_BAD_SCHEMA, "",
           "missing-field");
    const char *attempt =
        "{\"problemId\":\"11111111-1111-4111-8111-111111111111\",\"hintsUsed\":[\"h1\"],"
        "\"problemVersionId\":\"22222222-2222-4222-8222-222222222222\",\"submission\":{\"type\":\"numeric\",\"value\":42}}";
    const char *context = "{\"hints\":{\"h1\":0.25},\"gradedAt\":\"2026-03-01T09:30:00Z\"}";
    documents.attempt = attempt;
    documents.attempt_length = strlen(attempt);
    documents.context = context;
    documents.context_length = strlen(context);
    CHECK(fg_grader_explain(grader, &documents, &result, &explanation, &error) == FG_OK);
    CHECK(strstr(fg_text_data(result, NULL), "\"score\":0.75") != NULL);
    CHECK(strstr(fg_text_data(explanation, NULL), "\"applied\":\"1/4\"") != NULL);
    fg_text *alone = NULL;
    CHECK(fg_grader_explain(grader, &documents, &alone, NULL, NULL) == FG_OK);
    CHECK_TEXT(fg_text_data(result, NULL), fg_text_data(alone, NULL));
    fg_text_free(alone);
    fg_text_free(result);
    fg_text_free(explanation);

    documents.submission = NUMERIC_RIGHT;
    documents.submission_length = strlen(NUMERIC_RIGHT);
    expect(fg_grader_explain(grader, &documents, &result, NULL, &error), &error, FG_BAD_SCHEMA, "/attempt", "two-answers");
    documents.attempt = NULL;
    expect(fg_grader_explain(grader, &documents, &result, NULL, &error), &error, FG_BAD_LENGTH, "/attempt", "bad-length");
    documents.attempt_length = 0;
    documents.context = "{\"hints\":{\"h1\":2}}";
    documents.context_length = strlen(documents.context);
    expect(fg_grader_explain(grader, &documents, &result, NULL, &error), &error, FG_BAD_SCHEMA, "/context/hints/h1",
           "out-of-range");
    documents.context_length = TOO_LONG;
    expect(fg_grader_explain(grader, &documents, &result, NULL, &error), &error, FG_BAD_LENGTH, "/context", "bad-length");
    documents.context = BAD_UTF8;
    documents.context_length = strlen(BAD_UTF8);
    expect(fg_grader_explain(grader, &documents, &result, NULL, &error), &error, FG_BAD_UTF8, "/context", "invalid-utf8");
    documents.context = NULL;
    documents.context_length = 0;
    documents.outcomes = "[{\"suite\":\"s\",\"caseIndex\":0,\"end\":\"exited\"}]";
    documents.outcomes_length = strlen(documents.outcomes);
    expect(fg_grader_explain(grader, &documents, &result, NULL, &error), &error, FG_MISMATCH, "/outcomes", "outcomes-unused");
    expect(fg_grader_explain(NULL, &documents, &result, NULL, &error), &error, FG_NULL_ARGUMENT, "/grader",
           "null-argument");
    expect(fg_grader_explain(grader, NULL, &result, NULL, &error), &error, FG_NULL_ARGUMENT, "/documents",
           "null-argument");
    expect(fg_grader_explain(grader, &documents, NULL, NULL, &error), &error, FG_NULL_ARGUMENT, "/result",
           "null-argument");
    fg_grader_free(grader);
}

static void code(void) {
    fg_grader *grader = grader_of(CODE);
    fg_text *text = NULL;
    fg_error *error = NULL;
    CHECK(fg_grader_plan(grader, TEXT(CODE_SUBMISSION), &text, &error) == FG_OK);
    CHECK(strstr(fg_text_data(text, NULL), "\"input\":\"1 2\\n\"") != NULL);
    CHECK(strstr(fg_text_data(text, NULL), "\"expected\"") == NULL);
    fg_text_free(text);
    /* Nothing to run: a language that is not offered. */
    CHECK(fg_grader_plan(grader, TEXT("{\"type\":\"code\",\"language\":\"java\",\"source\":\"x\"}"), &text, &error) == FG_OK);
    CHECK(text == NULL);
    expect(fg_grader_plan(grader, TEXT(BAD_UTF8), &text, &error), &error, FG_BAD_UTF8, "/submission", "invalid-utf8");
    expect(fg_grader_plan(grader, NULL, 0, &text, &error), &error, FG_NULL_ARGUMENT, "/submission", "null-argument");
    expect(fg_grader_plan(grader, "", 0, &text, &error), &error, FG_BAD_JSON, "/submission", "json-syntax");
    expect(fg_grader_plan(grader, "x", TOO_LONG, &text, &error), &error, FG_BAD_LENGTH, "/submission", "bad-length");
    expect(fg_grader_plan(NULL, TEXT(CODE_SUBMISSION), &text, &error), &error, FG_NULL_ARGUMENT, "/grader",
           "null-argument");
    expect(fg_grader_plan(grader, TEXT(CODE_SUBMISSION), NULL, &error), &error, FG_NULL_ARGUMENT, "/plan",
           "null-argument");

    const char *half = "[{\"suite\":\"sums\",\"caseIndex\":0,\"end\":\"exited\",\"stdout\":\"3\\n\"},"
                       "{\"suite\":\"sums\",\"caseIndex\":1,\"end\":\"exited\",\"stdout\":\"11\\n\"}]";
    CHECK(fg_grader_conclude(grader, TEXT(CODE_SUBMISSION), TEXT(half), &text, &error) == FG_OK);
    CHECK(strstr(fg_text_data(text, NULL), "\"score\":0.5") != NULL);
    fg_text_free(text);
    expect(fg_grader_conclude(grader, TEXT(CODE_SUBMISSION), TEXT("[]"), &text, &error), &error, FG_MISMATCH,
           "/outcomes", "case-missing");
    expect(fg_grader_conclude(grader, TEXT(CODE_SUBMISSION), TEXT("{}"), &text, &error), &error, FG_BAD_SCHEMA,
           "/outcomes", "wrong-type");
    expect(fg_grader_conclude(grader, TEXT(CODE_SUBMISSION), TEXT("[\"\xc3\"]"), &text, &error), &error, FG_BAD_UTF8,
           "/outcomes", "invalid-utf8");
    expect(fg_grader_conclude(grader, TEXT(CODE_SUBMISSION), "", 0, &text, &error), &error, FG_BAD_JSON, "/outcomes",
           "json-syntax");
    expect(fg_grader_conclude(grader, TEXT(CODE_SUBMISSION), NULL, 0, &text, &error), &error, FG_NULL_ARGUMENT,
           "/outcomes", "null-argument");
    expect(fg_grader_conclude(grader, TEXT(CODE_SUBMISSION), half, TOO_LONG, &text, &error), &error, FG_BAD_LENGTH,
           "/outcomes", "bad-length");
    expect(fg_grader_conclude(grader, NULL, 0, TEXT(half), &text, &error), &error, FG_NULL_ARGUMENT, "/submission",
           "null-argument");
    expect(fg_grader_conclude(NULL, TEXT(CODE_SUBMISSION), TEXT(half), &text, &error), &error, FG_NULL_ARGUMENT,
           "/grader", "null-argument");
    expect(fg_grader_conclude(grader, TEXT(CODE_SUBMISSION), TEXT(half), NULL, &error), &error, FG_NULL_ARGUMENT,
           "/result", "null-argument");
    fg_grader_free(grader);
}

static void delivering(void) {
    const char *spec = "{\"type\":\"ordering\",\"items\":[{\"id\":\"a\",\"content\":\"one\"},{\"id\":\"b\",\"content\":"
                       "\"two\"},{\"id\":\"c\",\"content\":\"three\"}],\"correctOrder\":[\"b\",\"a\",\"c\"]}";
    fg_grader *grader = grader_of(spec);
    fg_text *one = NULL, *other = NULL;
    fg_error *error = NULL;
    CHECK(fg_deliver(TEXT(spec), TEXT("learner 7"), &one, &error) == FG_OK);
    CHECK(strstr(fg_text_data(one, NULL), "correctOrder") == NULL);
    CHECK(fg_grader_deliver(grader, TEXT("learner 7"), &other, &error) == FG_OK);
    CHECK_TEXT(fg_text_data(one, NULL), fg_text_data(other, NULL));
    fg_text_free(one);
    fg_text_free(other);
    /* A seed can be any bytes; an absent seed is the empty seed. */
    CHECK(fg_deliver(TEXT(spec), "\xff\x00\xfe", 3, &one, &error) == FG_OK);
    fg_text_free(one);
    CHECK(fg_deliver(TEXT(spec), NULL, 0, &one, &error) == FG_OK);
    CHECK(fg_grader_deliver(grader, "", 0, &other, &error) == FG_OK);
    CHECK_TEXT(fg_text_data(one, NULL), fg_text_data(other, NULL));
    fg_text_free(one);
    fg_text_free(other);
    expect(fg_deliver(TEXT(spec), NULL, 3, &one, &error), &error, FG_BAD_LENGTH, "/seed", "bad-length");
    expect(fg_deliver(TEXT(spec), "x", TOO_LONG, &one, &error), &error, FG_BAD_LENGTH, "/seed", "bad-length");
    expect(fg_deliver(TEXT("{}"), TEXT("x"), &one, &error), &error, FG_BAD_SCHEMA, "/spec", "missing-field");
    expect(fg_deliver(TEXT(BAD_UTF8), TEXT("x"), &one, &error), &error, FG_BAD_UTF8, "/spec", "invalid-utf8");
    expect(fg_deliver("", 0, TEXT("x"), &one, &error), &error, FG_BAD_JSON, "/spec", "json-syntax");
    expect(fg_deliver(NULL, 0, TEXT("x"), &one, &error), &error, FG_NULL_ARGUMENT, "/spec", "null-argument");
    expect(fg_deliver(TEXT(spec), TEXT("x"), NULL, &error), &error, FG_NULL_ARGUMENT, "/view", "null-argument");
    expect(fg_grader_deliver(NULL, TEXT("x"), &one, &error), &error, FG_NULL_ARGUMENT, "/grader", "null-argument");
    expect(fg_grader_deliver(grader, TEXT("x"), NULL, &error), &error, FG_NULL_ARGUMENT, "/view", "null-argument");
    expect(fg_grader_deliver(grader, NULL, 3, &one, &error), &error, FG_BAD_LENGTH, "/seed", "bad-length");
    CHECK(one == NULL);
    fg_grader_free(grader);
}

static void linting(void) {
    fg_text *findings = NULL;
    fg_error *error = NULL;
    size_t errors = 99;
    CHECK(fg_lint(TEXT(NUMERIC), &findings, &errors, &error) == FG_OK && errors == 0);
    fg_text_free(findings);
    CHECK(fg_lint(TEXT("{\"type\":\"numeric\"}"), &findings, &errors, &error) == FG_OK && errors == 1);
    CHECK(strstr(fg_text_data(findings, NULL), "missing-field") != NULL);
    fg_text_free(findings);
    CHECK(fg_lint(TEXT(BAD_UTF8), &findings, NULL, NULL) == FG_OK);
    CHECK(strstr(fg_text_data(findings, NULL), "invalid-utf8") != NULL);
    fg_text_free(findings);
    CHECK(fg_lint("", 0, &findings, &errors, NULL) == FG_OK && errors == 1);
    fg_text_free(findings);
    expect(fg_lint(NULL, 0, &findings, &errors, &error), &error, FG_NULL_ARGUMENT, "/spec", "null-argument");
    expect(fg_lint(NUMERIC, TOO_LONG, &findings, &errors, &error), &error, FG_BAD_LENGTH, "/spec", "bad-length");
    expect(fg_lint(TEXT(NUMERIC), NULL, &errors, &error), &error, FG_NULL_ARGUMENT, "/findings", "null-argument");

    CHECK(fg_check(FG_SCHEMA_ANSWER_SPEC, TEXT(NUMERIC), &error) == FG_OK && error == NULL);
    CHECK(fg_check(FG_SCHEMA_SUBMISSION, TEXT(NUMERIC_RIGHT), &error) == FG_OK);
    expect(fg_check(FG_SCHEMA_SUBMISSION, TEXT(NUMERIC), &error), &error, FG_BAD_SCHEMA, "/document", "missing-field");
    expect(fg_check(FG_SCHEMA_ATTEMPT, TEXT("{}"), &error), &error, FG_BAD_SCHEMA, "/document", "missing-field");
    expect(fg_check(FG_SCHEMA_ATTEMPT_RESULT, TEXT("{}"), &error), &error, FG_BAD_SCHEMA, "/document", "missing-field");
    expect(fg_check(FG_SCHEMA_DELIVERY_VIEW, TEXT(NUMERIC), &error), &error, FG_BAD_SCHEMA, "/document/answer", "key-in-view");
    expect(fg_check(0, TEXT(NUMERIC), &error), &error, FG_UNKNOWN_VALUE, "/schema", "unknown-value");
    expect(fg_check(FG_SCHEMA_ANSWER_SPEC, TEXT(BAD_UTF8), &error), &error, FG_BAD_UTF8, "/document", "invalid-utf8");
    expect(fg_check(FG_SCHEMA_ANSWER_SPEC, NULL, 0, &error), &error, FG_NULL_ARGUMENT, "/document", "null-argument");
    expect(fg_check(FG_SCHEMA_ANSWER_SPEC, "", 0, &error), &error, FG_BAD_JSON, "/document", "json-syntax");
    expect(fg_check(FG_SCHEMA_ANSWER_SPEC, "x", TOO_LONG, &error), &error, FG_BAD_LENGTH, "/document", "bad-length");
    CHECK(fg_check(99, NULL, 0, NULL) != FG_OK);
}

static void comparing(void) {
    bool accepted = true;
    int32_t matcher = 99;
    fg_text *report = NULL;
    fg_error *error = NULL;
    CHECK(fg_matcher_from_word(TEXT("tokens"), &matcher, &error) == FG_OK && matcher == FG_MATCHER_TOKENS);
    expect(fg_matcher_from_word(TEXT("Tokens"), &matcher, &error), &error, FG_UNKNOWN_VALUE, "/matcher",
           "unknown-value");
    CHECK(matcher == 0);
    expect(fg_matcher_from_word("", 0, &matcher, &error), &error, FG_UNKNOWN_VALUE, "/matcher", "unknown-value");
    expect(fg_matcher_from_word(TEXT("\xff"), &matcher, &error), &error, FG_BAD_UTF8, "/word", "invalid-utf8");
    expect(fg_matcher_from_word(NULL, 0, &matcher, &error), &error, FG_NULL_ARGUMENT, "/word", "null-argument");
    expect(fg_matcher_from_word("x", TOO_LONG, &matcher, &error), &error, FG_BAD_LENGTH, "/word", "bad-length");
    expect(fg_matcher_from_word(TEXT("json"), NULL, &error), &error, FG_NULL_ARGUMENT, "/matcher", "null-argument");

    CHECK(fg_match(FG_MATCHER_TRIMMED_LINES, TEXT("1 2\n"), TEXT("1 2  \n\n"), NULL, 0, &accepted, NULL, &error) == FG_OK);
    CHECK(accepted);
    CHECK(fg_match(FG_MATCHER_EXACT, TEXT("\xff\xfe"), TEXT("\xff\xfd"), NULL, 0, &accepted, &report, &error) == FG_OK);
    CHECK(!accepted);
    CHECK_TEXT("{\"accept\":false,\"difference\":\"from byte 1 on\"}", fg_text_data(report, NULL));
    fg_text_free(report);
    CHECK(fg_match(FG_MATCHER_FLOAT_TOLERANCE, TEXT("0.3"), TEXT("0.4"), TEXT("0.1"), &accepted, &report, &error) == FG_OK);
    CHECK(accepted);
    CHECK(strstr(fg_text_data(report, NULL), "\"largestError\":\"0.1\"") != NULL);
    fg_text_free(report);
    CHECK(fg_match(FG_MATCHER_EXACT, "", 0, "", 0, NULL, 0, &accepted, NULL, NULL) == FG_OK && accepted);
    CHECK(fg_match(FG_MATCHER_JSON, TEXT("[1]"), TEXT("\xff"), NULL, 0, &accepted, NULL, NULL) == FG_OK && !accepted);
    expect(fg_match(0, TEXT("a"), TEXT("a"), NULL, 0, &accepted, NULL, &error), &error, FG_UNKNOWN_VALUE, "/matcher",
           "unknown-value");
    CHECK(!accepted);
    expect(fg_match(FG_MATCHER_EXACT, NULL, 0, TEXT("a"), NULL, 0, &accepted, NULL, &error), &error, FG_NULL_ARGUMENT,
           "/expected", "null-argument");
    expect(fg_match(FG_MATCHER_EXACT, TEXT("a"), NULL, 0, NULL, 0, &accepted, NULL, &error), &error, FG_NULL_ARGUMENT, "/actual",
           "null-argument");
    expect(fg_match(FG_MATCHER_EXACT, "a", TOO_LONG, TEXT("a"), NULL, 0, &accepted, NULL, &error), &error, FG_BAD_LENGTH,
           "/expected", "bad-length");
    expect(fg_match(FG_MATCHER_EXACT, TEXT("a"), "a", TOO_LONG, NULL, 0, &accepted, NULL, &error), &error, FG_BAD_LENGTH,
           "/actual", "bad-length");
    expect(fg_match(FG_MATCHER_EXACT, TEXT("a"), TEXT("a"), NULL, 1, &accepted, NULL, &error), &error, FG_BAD_LENGTH,
           "/tolerance", "bad-length");
    expect(fg_match(FG_MATCHER_EXACT, TEXT("a"), TEXT("a"), TEXT("-1"), &accepted, NULL, &error), &error, FG_UNKNOWN_VALUE,
           "/tolerance", "unknown-value");
    expect(fg_match(FG_MATCHER_EXACT, TEXT("a"), TEXT("a"), "", 0, &accepted, NULL, &error), &error, FG_UNKNOWN_VALUE,
           "/tolerance", "unknown-value");
    expect(fg_match(FG_MATCHER_EXACT, TEXT("a"), TEXT("a"), TEXT("\xff"), &accepted, NULL, &error), &error, FG_BAD_UTF8,
           "/tolerance", "invalid-utf8");
    expect(fg_match(FG_MATCHER_EXACT, TEXT("a"), TEXT("a"), NULL, 0, NULL, NULL, &error), &error, FG_NULL_ARGUMENT, "/accepted",
           "null-argument");
}

static void expressions(void) {
    int32_t equality = 99;
    fg_text *decision = NULL;
    fg_error *error = NULL;
    CHECK(fg_equivalent(TEXT("\\sin^2 x+\\cos^2 x"), TEXT("1"), NULL, 0, &equality, &decision, &error) == FG_OK);
    CHECK(equality == FG_EQUALITY_EQUAL);
    CHECK(strstr(fg_text_data(decision, NULL), "\"evidence\"") != NULL);
    fg_text_free(decision);
    CHECK(fg_equivalent(TEXT("x^2"), TEXT("2x"), NULL, 0, &equality, NULL, NULL) == FG_OK);
    CHECK(equality == FG_EQUALITY_DIFFERENT);
    CHECK(fg_equivalent(TEXT("\\sqrt{x^2}"), TEXT("x"), TEXT("{\"domains\":{\"x\":{\"min\":0}}}"), &equality, NULL, &error) ==
          FG_OK);
    CHECK(equality == FG_EQUALITY_EQUAL);
    expect(fg_equivalent(TEXT("x"), TEXT("\\frac{1"), NULL, 0, &equality, &decision, &error), &error,
           FG_BAD_EXPRESSION, "/b", "unreadable-expression");
    CHECK(equality == FG_EQUALITY_UNDECIDED && decision == NULL);
    expect(fg_equivalent("", 0, TEXT("x"), NULL, 0, &equality, NULL, &error), &error, FG_BAD_EXPRESSION, "/a",
           "unreadable-expression");
    expect(fg_equivalent(TEXT("x"), TEXT("\times 2"), NULL, 0, &equality, NULL, &error), &error, FG_BAD_EXPRESSION, "/b",
           "lost-backslash");
    expect(fg_equivalent(TEXT("\xff"), TEXT("x"), NULL, 0, &equality, NULL, &error), &error, FG_BAD_UTF8, "/a",
           "invalid-utf8");
    expect(fg_equivalent(TEXT("x"), TEXT("\xff"), NULL, 0, &equality, NULL, &error), &error, FG_BAD_UTF8, "/b",
           "invalid-utf8");
    expect(fg_equivalent(TEXT("x"), TEXT("x"), TEXT("{\"variable\":[]}"), &equality, NULL, &error), &error, FG_BAD_SCHEMA,
           "/options/variable", "unknown-field");
    expect(fg_equivalent(TEXT("x"), TEXT("x"), TEXT("\xff"), &equality, NULL, &error), &error, FG_BAD_UTF8, "/options",
           "invalid-utf8");
    expect(fg_equivalent(TEXT("x"), TEXT("x"), "", 0, &equality, NULL, &error), &error, FG_BAD_JSON, "/options",
           "json-syntax");
    expect(fg_equivalent(TEXT("x"), TEXT("x"), NULL, 3, &equality, NULL, &error), &error, FG_BAD_LENGTH, "/options",
           "bad-length");
    expect(fg_equivalent("x", TOO_LONG, TEXT("x"), NULL, 0, &equality, NULL, &error), &error, FG_BAD_LENGTH, "/a",
           "bad-length");
    expect(fg_equivalent(NULL, 0, TEXT("x"), NULL, 0, &equality, NULL, &error), &error, FG_NULL_ARGUMENT, "/a",
           "null-argument");
    expect(fg_equivalent(TEXT("x"), NULL, 0, NULL, 0, &equality, NULL, &error), &error, FG_NULL_ARGUMENT, "/b",
           "null-argument");
    expect(fg_equivalent(TEXT("x"), TEXT("x"), NULL, 0, NULL, NULL, &error), &error, FG_NULL_ARGUMENT, "/equality",
           "null-argument");
}

static void results(void) {
    fg_error *error = NULL;
    fg_result *result = NULL;
    double score = 9;
    int32_t kind = 9;
    const char *text = "{\"attemptId\":\"123e4567-e89b-42d3-a456-426614174000\",\"codeResults\":[{\"caseIndex\":1,"
                       "\"suite\":\"sums\",\"verdict\":\"passed\"}],\"feedback\":[{\"message\":\"Nearly.\","
                       "\"severity\":\"hint\"}],\"gradedBy\":\"auto\",\"score\":0.1,\"scorePenaltyApplied\":0.25,"
                       "\"verdict\":\"partial\"}";
    CHECK(fg_result_read(TEXT(text), &result, &error) == FG_OK);
    CHECK(fg_result_verdict(result) == FG_VERDICT_PARTIAL && !fg_result_is_pending(result));
    CHECK_TEXT("0.1", fg_result_score(result, &score).data);
    CHECK(score == 0.1);
    CHECK_TEXT("0.25", fg_result_penalty(result, &score).data);
    CHECK(score == 0.25);
    CHECK(fg_result_feedback_count(result) == 1);
    fg_string message = fg_result_feedback(result, 0, &kind);
    CHECK_TEXT("Nearly.", message.data);
    CHECK(message.length == 7 && kind == FG_FEEDBACK_HINT);
    CHECK(fg_result_feedback(result, 1, &kind).data == NULL && kind == 0);
    fg_case_result found;
    CHECK(fg_result_case_count(result) == 1 && fg_result_case(result, 0, &found));
    CHECK_TEXT("sums", found.suite.data);
    CHECK_TEXT("passed", found.verdict.data);
    CHECK(found.case_index == 1);
    CHECK(!fg_result_case(result, 1, &found) && found.suite.data == NULL);
    fg_result_free(result);

    CHECK(fg_result_read(TEXT("{\"attemptId\":\"123e4567-e89b-42d3-a456-426614174000\",\"gradedBy\":\"auto\","
                              "\"verdict\":\"pending\"}"),
                         &result, &error) == FG_OK);
    CHECK(fg_result_is_pending(result) && fg_result_score(result, &score).data == NULL && score == 0);
    CHECK(fg_result_penalty(result, NULL).length == 0);
    fg_result_free(result);
    expect(fg_result_read(TEXT("{}"), &result, &error), &error, FG_BAD_SCHEMA, "/result", "missing-field");
    expect(fg_result_read(NULL, 0, &result, &error), &error, FG_NULL_ARGUMENT, "/result", "null-argument");
    expect(fg_result_read(TEXT("{}"), NULL, &error), &error, FG_NULL_ARGUMENT, "/read", "null-argument");
    CHECK(fg_result_verdict(NULL) == FG_VERDICT_NONE && !fg_result_is_pending(NULL));
    CHECK(fg_result_score(NULL, NULL).data == NULL && fg_result_feedback_count(NULL) == 0);
    CHECK(!fg_result_case(NULL, 0, NULL) && fg_result_case_count(NULL) == 0);
    fg_result_free(NULL);
}

static const char *const FUNCTION =
    "{\"type\":\"code\",\"languages\":[\"python\"],\"harness\":{\"mode\":\"function\",\"functionName\":\"add\"},"
    "\"limits\":{},\"testSuites\":[{\"name\":\"sums\",\"visibility\":\"public\",\"cases\":["
    "{\"input\":\"[1,2]\",\"expected\":\"3\"}]}]}";

static const char *const UNUSED_NAME =
    "{\"type\":\"code\",\"languages\":[\"python\"],\"harness\":{\"mode\":\"stdin_stdout\",\"functionName\":\"add\"},"
    "\"limits\":{},\"testSuites\":[{\"name\":\"sums\",\"visibility\":\"public\",\"cases\":["
    "{\"input\":\"1 2\",\"expected\":\"3\"}]}]}";

static void plans(void) {
    fg_error *error = NULL;
    fg_plan *plan = NULL;
    fg_case run;
    fg_grader *grader = grader_of(CODE);
    CHECK(fg_plan_new(grader, TEXT(CODE_SUBMISSION), &plan, &error) == FG_OK);
    fg_grader_free(grader);
    /* A plan outlives its grader. */
    CHECK_TEXT("python", fg_plan_language(plan).data);
    CHECK(strstr(fg_plan_source(plan).data, "print") != NULL);
    CHECK_TEXT("stdin_stdout", fg_plan_harness_mode(plan).data);
    CHECK(fg_plan_function_name(plan).data == NULL);
    CHECK(fg_plan_memory_mb(plan) == 64 && fg_plan_output_kb(plan) == 16 && fg_plan_case_count(plan) == 2);
    CHECK(fg_plan_case(plan, 1, &run));
    CHECK_TEXT("sums", run.suite.data);
    CHECK_TEXT("5 5\n", run.input.data);
    CHECK(run.case_index == 1 && run.hidden && run.time_ms == 1000 && run.input.length == 4);
    CHECK(!fg_plan_case(plan, 2, &run) && run.input.data == NULL && run.time_ms == 0);
    fg_plan_free(plan);
    grader = grader_of(FUNCTION);
    CHECK(fg_plan_new(grader, TEXT(CODE_SUBMISSION), &plan, &error) == FG_OK);
    CHECK_TEXT("function", fg_plan_harness_mode(plan).data);
    CHECK_TEXT("add", fg_plan_function_name(plan).data);
    CHECK(fg_plan_output_kb(plan) == 64 && fg_plan_case(plan, 0, &run));
    CHECK_TEXT("[1,2]", run.input.data);
    fg_plan_free(plan);
    fg_grader_free(grader);
    /* A name that nothing calls is not the name of a function to call. */
    grader = grader_of(UNUSED_NAME);
    CHECK(fg_plan_new(grader, TEXT(CODE_SUBMISSION), &plan, &error) == FG_OK);
    CHECK_TEXT("stdin_stdout", fg_plan_harness_mode(plan).data);
    CHECK(fg_plan_function_name(plan).data == NULL);
    fg_plan_free(plan);
    fg_grader_free(grader);
    grader = grader_of(NUMERIC);
    CHECK(fg_plan_new(grader, TEXT(NUMERIC_RIGHT), &plan, &error) == FG_OK && plan == NULL);
    expect(fg_plan_new(grader, NULL, 0, &plan, &error), &error, FG_NULL_ARGUMENT, "/submission", "null-argument");
    expect(fg_plan_new(NULL, TEXT(NUMERIC_RIGHT), &plan, &error), &error, FG_NULL_ARGUMENT, "/grader", "null-argument");
    fg_grader_free(grader);
    CHECK(fg_plan_harness_mode(NULL).data == NULL && fg_plan_function_name(NULL).data == NULL);
    CHECK(fg_plan_memory_mb(NULL) == 0 && fg_plan_output_kb(NULL) == 0);
    CHECK(fg_plan_language(NULL).data == NULL && fg_plan_case_count(NULL) == 0 && !fg_plan_case(NULL, 0, NULL));
    fg_plan_free(NULL);
}

/* Handles of another type, and memory that never was a handle. (The tag also detects freed handles, but a test would
 * have to read freed memory.) */
static void handles(void) {
    fg_error *error = NULL;
    fg_text *text = NULL;
    fg_grader *grader = grader_of(NUMERIC);
    CHECK(fg_lint(TEXT(NUMERIC), &text, NULL, NULL) == FG_OK);
    fg_text *result = NULL;
    expect(fg_grader_grade((const fg_grader *)(const void *)text, TEXT(NUMERIC_RIGHT), &result, &error), &error,
           FG_BAD_HANDLE, "/grader", "bad-handle");
    uint64_t foreign[8] = {0};
    expect(fg_grader_grade((const fg_grader *)(const void *)foreign, TEXT(NUMERIC_RIGHT), NULL, &error), &error,
           FG_NULL_ARGUMENT, "/result", "null-argument");
    expect(fg_grader_grade((const fg_grader *)(const void *)foreign, TEXT(NUMERIC_RIGHT), &result, &error), &error,
           FG_BAD_HANDLE, "/grader", "bad-handle");
    CHECK(fg_grader_retain((const fg_grader *)(const void *)text) == NULL);
    CHECK_TEXT("", fg_text_data((const fg_text *)(const void *)grader, NULL));
    fg_text_free((fg_text *)(void *)foreign);
    fg_text_free((fg_text *)(void *)grader);
    CHECK(fg_grader_grade(grader, TEXT(NUMERIC_RIGHT), &result, NULL) == FG_OK);
    fg_text_free(result);
    fg_text_free(text);
    fg_grader_free(grader);
}

static void errors(void) {
    fg_finding finding;
    fg_error *found = NULL;
    CHECK(fg_check(FG_SCHEMA_ANSWER_SPEC, TEXT("{\"type\":\"numeric\",\"x\":1}"), &found) == FG_BAD_SCHEMA);
    CHECK(fg_error_count(found) == 2);
    CHECK(fg_error_finding(found, 0, &finding) && fg_error_finding(found, 1, &finding));
    CHECK(finding.severity == FG_SEVERITY_ERROR && finding.pointer.length == strlen(finding.pointer.data));
    CHECK(finding.rule.length > 0 && finding.message.length > 0 && finding.help.length > 0);
    CHECK(!fg_error_finding(found, 2, &finding) && finding.rule.data == NULL && finding.severity == 0);
    CHECK(fg_error_count(NULL) == 0 && !fg_error_finding(NULL, 0, NULL));
    fg_error_free(found);
    size_t length = 99;
    CHECK(fg_error_status(NULL) == FG_OK);
    CHECK_TEXT("", fg_error_pointer(NULL, &length));
    CHECK(length == 0);
    CHECK_TEXT("", fg_error_rule(NULL, NULL));
    CHECK_TEXT("", fg_error_message(NULL, NULL));
    CHECK_TEXT("", fg_error_help(NULL, NULL));
    CHECK_TEXT("", fg_error_json(NULL, NULL));
    fg_error_free(NULL);
    /* A key with a NUL in it: the length covers the whole pointer. */
    fg_error *error = NULL;
    const char *spec = "{\"type\":\"numeric\",\"answer\":{\"value\":1},\"a\\u0000b\":1}";
    CHECK(fg_check(FG_SCHEMA_ANSWER_SPEC, TEXT(spec), &error) == FG_BAD_SCHEMA);
    const char *pointer = fg_error_pointer(error, &length);
    CHECK(length == strlen("/document/a") + 2 && memcmp(pointer, "/document/a\0b", length) == 0);
    fg_error_free(error);
    /* Every finding at once. */
    fg_text *result = NULL;
    CHECK(fg_grade(TEXT("{\"type\":\"numeric\"}"), TEXT("{\"type\":\"numeric\"}"), &result, &error) == FG_BAD_SCHEMA);
    CHECK(strstr(fg_error_json(error, NULL), "\"pointer\":\"/spec\"") != NULL);
    CHECK(strstr(fg_error_json(error, NULL), "\"pointer\":\"/submission\"") != NULL);
    fg_error_free(error);
}

int main(void) {
    versions();
    grading();
    graders();
    buffers();
    marking();
    code();
    delivering();
    linting();
    comparing();
    expressions();
    results();
    plans();
    handles();
    errors();
    return finish("interface");
}
