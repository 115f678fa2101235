/* Custom validators: registered, called for configurations and states. A failure to judge gives the verdict `error`. */
#include "check.h"

static int asked = 0;

static void above(void *user_data, const char *request, size_t request_length, fg_answer *answer) {
    const char *said;
    asked += *(int *)user_data;
    CHECK(request_length == strlen(request));
    if (strstr(request, "\"state\"") == NULL)
        said = strstr(request, "\"limit\":0") ? "{\"findings\":[{\"code\":\"below\",\"pointer\":\"/limit\"}]}" : "{}";
    else if (strstr(request, "\"y\":1"))
        said = "{\"score\":\"1/4\",\"messages\":[\"below\"]}";
    else if (strstr(request, "\"y\":2"))
        said = "{\"score\":1}";
    else if (strstr(request, "\"y\":3"))
        said = "{\"unreadable\":\"no-point\"}";
    else if (strstr(request, "\"y\":4"))
        said = "{\"failed\":\"the key is 42\"}";
    else if (strstr(request, "\"y\":5"))
        said = "{\"score\":7}";
    else if (strstr(request, "\"y\":6"))
        said = "no JSON";
    else
        return; /* no answer at all */
    fg_answer_set(answer, "{\"score\":0}", 11);
    fg_answer_set(answer, said, strlen(said)); /* the last one counts */
    fg_answer_set(NULL, said, strlen(said));
}

static const char *const SENTENCES =
    "[{\"code\":\"below\",\"text\":\"Look at the axis.\"},{\"code\":\"no-point\",\"text\":\"Place the point.\"}]";
static const char *const SPEC =
    "{\"type\":\"widget\",\"widgetName\":\"plane\",\"widgetVersion\":\"1.0.0\",\"validator\":{\"kind\":\"builtin\",\"name\":\"above\","
    "\"config\":{\"limit\":1}}}";

static void judged(int y, int32_t verdict, const char *score, const char *message) {
    char submission[80];
    fg_text *text;
    fg_error *error;
    fg_result *result;
    snprintf(submission, sizeof submission, "{\"type\":\"widget\",\"state\":{\"y\":%d}}", y);
    CHECK(fg_grade(SPEC, strlen(SPEC), submission, strlen(submission), &text, &error) == FG_OK);
    CHECK(strstr(fg_text_data(text, NULL), "the key is") == NULL);
    CHECK(fg_result_read(fg_text_data(text, NULL), strlen(fg_text_data(text, NULL)), &result, &error) == FG_OK);
    CHECK(fg_result_verdict(result) == verdict);
    if (score != NULL)
        CHECK_TEXT(score, fg_result_score(result, NULL).data);
    else
        CHECK(fg_result_score(result, NULL).data == NULL);
    if (message != NULL)
        CHECK_TEXT(message, fg_result_feedback(result, 0, NULL).data);
    fg_result_free(result);
    fg_text_free(text);
}

int main(void) {
    int step = 1;
    fg_error *error;
    fg_text *text;
    char *config;
    const char *not_checked = "The answer could not be checked. This is not your fault; please try again later.";

    CHECK(fg_register_validator("above", 5, SENTENCES, strlen(SENTENCES), above, &step, &error) == FG_OK);
    judged(1, FG_VERDICT_PARTIAL, "0.25", "Look at the axis.");
    judged(2, FG_VERDICT_CORRECT, "1", NULL);
    judged(3, FG_VERDICT_ERROR, NULL, "Place the point.");
    judged(4, FG_VERDICT_ERROR, NULL, not_checked);
    judged(5, FG_VERDICT_ERROR, NULL, not_checked);
    judged(6, FG_VERDICT_ERROR, NULL, not_checked);
    judged(7, FG_VERDICT_ERROR, NULL, not_checked);
    CHECK(asked == 14); /* once per question and once per state */

    /* A configuration that the validator rejects is an error of the spec, with a pointer to its location. */
    config = (char *)malloc(strlen(SPEC) + 1);
    strcpy(config, SPEC);
    *strchr(strstr(config, "\"limit\":") + 8, '1') = '0';
    CHECK(fg_grade(config, strlen(config), "{\"type\":\"widget\",\"state\":{}}", 28, &text, &error) == FG_BAD_SPEC);
    CHECK(text == NULL);
    CHECK_TEXT("/spec/validator/config/limit", fg_error_pointer(error, NULL));
    fg_error_free(error);
    free(config);

    /* Registrations that fail. */
    CHECK(fg_register_validator("No Name", 7, SENTENCES, strlen(SENTENCES), above, &step, &error) != FG_OK);
    fg_error_free(error);
    CHECK(fg_register_validator("above", 5, "[{\"code\":1}]", 12, above, &step, &error) != FG_OK);
    fg_error_free(error);
    CHECK(fg_register_validator("above", 5, SENTENCES, strlen(SENTENCES), NULL, &step, &error) == FG_NULL_ARGUMENT);
    fg_error_free(error);
    CHECK(fg_register_validator(NULL, 0, SENTENCES, strlen(SENTENCES), above, &step, NULL) == FG_NULL_ARGUMENT);
    judged(1, FG_VERDICT_PARTIAL, "0.25", "Look at the axis.");
    return finish("validators");
}
