/*
 * Fablegrade: grades answers of learners.
 *
 * JSON documents in, results out. C++ users: fablegrade.hpp wraps all of this.
 *
 *   fg_text *result;
 *   fg_error *error;
 *   if (fg_grade(spec, strlen(spec), submission, strlen(submission), &result, &error) != FG_OK) {
 *       fprintf(stderr, "%s: %s\n", fg_error_pointer(error, NULL), fg_error_message(error, NULL));
 *       fg_error_free(error);
 *   } else {
 *       puts(fg_text_data(result, NULL));
 *       fg_text_free(result);
 *   }
 *
 * For every function:
 * - Strings are bytes and a length; they need no NUL at the end and may hold one. All of them are UTF-8 except what
 *   fg_match compares and the seeds.
 * - What you pass is only read during the call; nothing of yours is kept.
 * - Output parameters are set first (NULL, 0, false, or "undecided"), so they are defined whatever happens; on failure
 *   they stay that way, except that FG_BUFFER_TOO_SMALL gives the length that is required. Nothing is ever half written.
 * - No error and no bug of the library ends your process: a panic becomes the status FG_PANIC, and all handles remain
 *   usable. (Two things cannot be caught: lack of memory, and an invalid pointer.)
 * - The only global state is what fg_register_validator keeps; there is no clock, no randomness, no locale; the same call
 *   gives the same bytes.
 *
 * Made by cbindgen from fablegrade-capi/src; change the comments there.
 */


#ifndef FABLEGRADE_H
#define FABLEGRADE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * The major version of this header; a test compares it with the library's.
 */
#define FG_VERSION_MAJOR 0

/**
 * The minor version of this header. Before 1.0 a new minor version may change the interface, and the soname with it.
 */
#define FG_VERSION_MINOR 1

/**
 * The patch version of this header.
 */
#define FG_VERSION_PATCH 0

/**
 * The status of a call. Families have gaps so that each can grow: 1 to 99 are about the arguments of the call, 100 to
 * 199 about the documents in them, 200 to 299 about expressions, 900 to 999 about the library itself. A number never
 * changes its meaning; treat one that you do not know as its family.
 */
enum fg_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Success.
     */
    FG_OK = 0,
    /**
     * A required argument is NULL.
     */
    FG_NULL_ARGUMENT = 1,
    /**
     * A length is greater than any object can be (PTRDIFF_MAX), or there is a length and no pointer.
     */
    FG_BAD_LENGTH = 2,
    /**
     * A string is not UTF-8.
     */
    FG_BAD_UTF8 = 3,
    /**
     * A number or word is not one of the allowed values.
     */
    FG_UNKNOWN_VALUE = 4,
    /**
     * The buffer is too small for the result; only the length that it needs was written.
     */
    FG_BUFFER_TOO_SMALL = 5,
    /**
     * A handle was freed before, or is of another type. It is found by a tag in front of each handle, as far as the memory
     * can still be read: do not rely on it.
     */
    FG_BAD_HANDLE = 6,
    /**
     * A string is not JSON, has a key twice, or is too long or too deep.
     */
    FG_BAD_JSON = 100,
    /**
     * A document is JSON but violates its schema.
     */
    FG_BAD_SCHEMA = 110,
    /**
     * A question conforms to its schema, but no answer could be correct.
     */
    FG_BAD_SPEC = 120,
    /**
     * Two documents do not belong together.
     */
    FG_MISMATCH = 130,
    /**
     * An expression cannot be read.
     */
    FG_BAD_EXPRESSION = 200,
    /**
     * Internal error; please report it. All handles stay usable.
     */
    FG_PANIC = 900,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fg_status fg_status;
#else
typedef int32_t fg_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The kinds of documents that fg_check knows.
 */
enum fg_schema
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * A question with its key.
     */
    FG_SCHEMA_ANSWER_SPEC = 1,
    /**
     * A submission.
     */
    FG_SCHEMA_SUBMISSION = 2,
    /**
     * A submission with its metadata.
     */
    FG_SCHEMA_ATTEMPT = 3,
    /**
     * A result.
     */
    FG_SCHEMA_ATTEMPT_RESULT = 4,
    /**
     * A delivery view.
     */
    FG_SCHEMA_DELIVERY_VIEW = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fg_schema fg_schema;
#else
typedef int32_t fg_schema;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The method of comparing an output with the expected output.
 */
enum fg_matcher
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Equal bytes.
     */
    FG_MATCHER_EXACT = 1,
    /**
     * Equal lines; blanks at line ends and empty lines at the end are ignored.
     */
    FG_MATCHER_TRIMMED_LINES = 2,
    /**
     * Equal tokens; any run of the six ASCII blanks separates.
     */
    FG_MATCHER_TOKENS = 3,
    /**
     * Equal JSON values: key order free, array order fixed, numbers exact or within the tolerance.
     */
    FG_MATCHER_JSON = 4,
    /**
     * Equal tokens, numbers within the tolerance.
     */
    FG_MATCHER_FLOAT_TOLERANCE = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fg_matcher fg_matcher;
#else
typedef int32_t fg_matcher;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The decision of fg_equivalent.
 */
enum fg_equality
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * It could not be decided; treat it as neither.
     */
    FG_EQUALITY_UNDECIDED = -1,
    /**
     * They differ.
     */
    FG_EQUALITY_DIFFERENT = 0,
    /**
     * They are the same.
     */
    FG_EQUALITY_EQUAL = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fg_equality fg_equality;
#else
typedef int32_t fg_equality;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The verdict of a result.
 */
enum fg_verdict
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * There is no result.
     */
    FG_VERDICT_NONE = 0,
    /**
     * Full marks before hint penalties.
     */
    FG_VERDICT_CORRECT = 1,
    /**
     * Between nothing and full marks.
     */
    FG_VERDICT_PARTIAL = 2,
    /**
     * No marks, of a well-formed answer.
     */
    FG_VERDICT_INCORRECT = 3,
    /**
     * Nobody has graded it yet.
     */
    FG_VERDICT_PENDING = 4,
    /**
     * It could not be graded.
     */
    FG_VERDICT_ERROR = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fg_verdict fg_verdict;
#else
typedef int32_t fg_verdict;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The kind of a message for the learner.
 */
enum fg_feedback
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * A remark.
     */
    FG_FEEDBACK_INFO = 1,
    /**
     * Advice for the next try.
     */
    FG_FEEDBACK_HINT = 2,
    /**
     * The reason why the submission was refused.
     */
    FG_FEEDBACK_ERROR = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fg_feedback fg_feedback;
#else
typedef int32_t fg_feedback;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The severity of a finding.
 */
enum fg_severity
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * A remark.
     */
    FG_SEVERITY_INFO = 1,
    /**
     * Probably wrong.
     */
    FG_SEVERITY_WARNING = 2,
    /**
     * Wrong.
     */
    FG_SEVERITY_ERROR = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum fg_severity fg_severity;
#else
typedef int32_t fg_severity;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Takes the answer of a validator; see fg_validator.
 *
 * Ownership: the library's; it lives as long as the call that you got it in.
 * Threads: only the one that was called.
 */
typedef struct fg_answer fg_answer;

/**
 * The reason for a failed call: status, pointer, rule, message and help of the first error, and all findings as JSON.
 *
 * Every function that can fail takes a `fg_error **error` as its last argument: NULL if you do not want to know, else
 * the address of a pointer, which is set to NULL on success and to an error of yours on failure. (What it held before
 * is overwritten, not freed.)
 *
 * Ownership: you own it alone; free it once with fg_error_free.
 * Threads: it never changes, so any number of threads may read it at once; freeing it must come after all of that.
 */
typedef struct fg_error fg_error;

/**
 * A question that was checked and compiled once, for any number of answers.
 *
 * Ownership: references are counted. fg_grader_new gives you the first one, fg_grader_retain another; give back each of them
 * with fg_grader_free. It keeps nothing of what you passed.
 * Threads: it never changes, so any number of threads may use one grader at once, each with or without a reference of
 * its own, as long as one reference is held.
 */
typedef struct fg_grader fg_grader;

/**
 * The cases to run for a submission of a code question, hidden inputs included: for you, never for a learner.
 *
 * Ownership: you own it alone; free it once with fg_plan_free. It depends on nothing else.
 * Threads: it never changes, so any number of threads may read it at once; freeing it must come after all of that.
 */
typedef struct fg_plan fg_plan;

/**
 * A result (an AttemptResult) that can be read field by field.
 *
 * Ownership: you own it alone; free it once with fg_result_free. It depends on nothing else.
 * Threads: it never changes, so any number of threads may read it at once; freeing it must come after all of that.
 */
typedef struct fg_result fg_result;

/**
 * A string that the library made: UTF-8, with a NUL behind its last byte.
 *
 * Ownership: you own it alone; free it once with fg_text_free. It depends on nothing else: it outlives the grader that made
 * it.
 * Threads: it never changes, so any number of threads may read it at once; freeing it must come after all of that.
 */
typedef struct fg_text fg_text;

/**
 * A string inside of a handle.
 *
 * Ownership: it belongs to the library and lives as long as the handle that it was read from.
 * Threads: as the handle.
 */
typedef struct fg_string {
    /**
     * UTF-8 with a NUL behind its last byte; NULL where there is no such string.
     */
    const char *data;
    /**
     * Its length in bytes, without the NUL.
     */
    size_t length;
} fg_string;

/**
 * A finding of an error. Start from `fg_finding finding = {0};`.
 *
 * Ownership: its strings belong to the library and live as long as the error.
 * Threads: as the error.
 */
typedef struct fg_finding {
    /**
     * A JSON pointer that starts at the arguments.
     */
    struct fg_string pointer;
    /**
     * A stable name, such as "missing-field".
     */
    struct fg_string rule;
    /**
     * The defect.
     */
    struct fg_string message;
    /**
     * The way out.
     */
    struct fg_string help;
    /**
     * One of fg_severity; 0 where there is no such finding.
     */
    int32_t severity;
} fg_finding;

/**
 * The documents of one answer, each a JSON document of its own. What is absent is NULL with length 0; exactly one of
 * submission and attempt must be there. Start from `fg_documents documents = {0};`.
 *
 * Ownership: the strings are yours and are only read during the call.
 * Threads: nothing is kept.
 */
typedef struct fg_documents {
    /**
     * A submission: what a learner sends.
     */
    const char *submission;
    /**
     * Its length in bytes.
     */
    size_t submission_length;
    /**
     * An attempt: a submission with its metadata.
     */
    const char *attempt;
    /**
     * Its length in bytes.
     */
    size_t attempt_length;
    /**
     * For code: an array of outcomes of the programs that you ran; see fg_grader_conclude.
     */
    const char *outcomes;
    /**
     * Its length in bytes.
     */
    size_t outcomes_length;
    /**
     * The known context: `{gradedAt?, hints?: {id: penalty}, locale?, attemptId?, problemVersionId?}`; locale is the
     * language of messages to the learner, such as "de".
     */
    const char *context;
    /**
     * Its length in bytes.
     */
    size_t context_length;
} fg_documents;

/**
 * A case of a plan. Start from `fg_case run = {0};`.
 *
 * Ownership: its strings belong to the library and live as long as the plan.
 * Threads: as the plan.
 */
typedef struct fg_case {
    /**
     * Name of the suite; the outcome names it too.
     */
    struct fg_string suite;
    /**
     * Index within the suite, from 0; the outcome names it too.
     */
    uint32_t case_index;
    /**
     * Whether learners may not see the case.
     */
    bool hidden;
    /**
     * Standard input, or the JSON array of arguments in function mode.
     */
    struct fg_string input;
    /**
     * Processor time that the case may take, in milliseconds.
     */
    uint32_t time_ms;
} fg_case;

/**
 * A test case of a result. Start from `fg_case_result found = {0};`.
 *
 * Ownership: its strings belong to the library and live as long as the result.
 * Threads: as the result.
 */
typedef struct fg_case_result {
    /**
     * Name of the suite.
     */
    struct fg_string suite;
    /**
     * Index within the suite, from 0.
     */
    uint32_t case_index;
    /**
     * "passed", "failed", "timeout", "memory_exceeded", "output_limit", "runtime_error", "compile_error" or
     * "sandbox_error".
     */
    struct fg_string verdict;
} fg_case_result;

/**
 * A validator: answers a request with fg_answer_set. Both are JSON.
 *
 * Asked to check a configuration, once per question: `{"config": ...}`; answer `{}` or
 * `{"findings": [{"code": "...", "pointer"?: "/x", "severity"?: "warning"}]}`. Asked to judge a state: `{"config": ...,
 * "state": ...}`; answer `{"score": 0.5, "messages"?: ["code", {"configured": "/x/message"}], "steps"?: [...]}`, where a
 * score is in 0..1 and may be a fraction as a string, or `{"unreadable": "code"}`, or `{"failed": "reason for the author"}`.
 * Every other answer, and none, gives verdict `error`.
 *
 * Called from every thread that grades, at the same time; it must be a pure function of the request, and must not leave
 * by longjmp or a C++ exception.
 *
 * NULL: the library passes none but your own `user_data`; as the validator itself it is refused.
 * Ownership: the library owns request and answer; neither may be used after the call. `user_data` stays yours.
 * Threads: any number at once.
 */
typedef void (*fg_validator)(void *user_data, const char *request, size_t request_length, struct fg_answer *answer);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The number of a matcher from its word in problem files: "exact", "trimmed_lines", "tokens", "json" or
 * "float_tolerance". *matcher is 0 on failure.
 *
 * Ownership: an error is yours: free it with fg_error_free.
 * NULL: word and matcher must not be NULL; error may be NULL.
 * Threads: any, at any time.
 */
fg_status fg_matcher_from_word(const char *word, size_t word_length, int32_t *matcher, struct fg_error **error);

/**
 * Compares an actual with an expected output. matcher is one of fg_matcher; the bytes need not be UTF-8.
 *
 * tolerance is a decimal number as a string, such as "1e-6", for FG_MATCHER_FLOAT_TOLERANCE (where it is 1e-6 if absent) and FG_MATCHER_JSON
 * (where numbers are compared exactly if absent): |e - a| <= tolerance or |e - a| <= tolerance * |e|, computed exactly.
 * *report is `{accept, difference?, largestError?}` as JSON; it holds no part of either string.
 *
 * Ownership: *report is yours: free it with fg_text_free.
 * NULL: expected, actual and accepted must not be NULL (nothing written is "" with length 0); tolerance may be NULL with
 * length 0; report and error may be NULL.
 * Threads: any, at any time.
 */
fg_status fg_match(int32_t matcher,
                   const char *expected,
                   size_t expected_length,
                   const char *actual,
                   size_t actual_length,
                   const char *tolerance,
                   size_t tolerance_length,
                   bool *accepted,
                   struct fg_text **report,
                   struct fg_error **error);

/**
 * Decides whether two LaTeX expressions are equal. *evidence says by which evidence, and how both were read, as JSON:
 * `{equal, how, evidence, note?, a: {understood, notes}, b: {understood, notes}, ...}`.
 *
 * options is JSON, `{variables?: [name], domains?: {name: {min?, max?, integer?, exclude?: [number]}}, complexVariables?:
 * [name], functions?: [name], logBase?: "10" | "e"}`; a variable without a domain is any real number.
 *
 * Ownership: *evidence is yours: free it with fg_text_free.
 * NULL: a, b and equality must not be NULL; options may be NULL with length 0; evidence and error may be NULL.
 * Threads: any, at any time.
 */
fg_status fg_equivalent(const char *a,
                        size_t a_length,
                        const char *b,
                        size_t b_length,
                        const char *options,
                        size_t options_length,
                        int32_t *equality,
                        struct fg_text **evidence,
                        struct fg_error **error);

/**
 * The status that the failed call returned; FG_OK for NULL.
 *
 * Ownership: none.
 * NULL: error may be NULL.
 * Threads: any number may read an error at once.
 */
fg_status fg_error_status(const struct fg_error *error);

/**
 * The pointer of the first error: a JSON pointer (RFC 6901) that starts at the arguments, such as "/spec/answer" for the
 * field `answer` of the argument `spec`. It can hold a NUL if a key does; *length tells its whole length.
 *
 * Ownership: what is returned belongs to the library and lives as long as the error.
 * NULL: error may be NULL, which reads as the empty string; length may be NULL.
 * Threads: any number may read an error at once.
 */
const char *fg_error_pointer(const struct fg_error *error,
                             size_t *length);

/**
 * The violated rule: a stable name such as "missing-field", listed in docs/lint.md.
 *
 * Ownership: what is returned belongs to the library and lives as long as the error.
 * NULL: error may be NULL, which reads as the empty string; length may be NULL.
 * Threads: any number may read an error at once.
 */
const char *fg_error_rule(const struct fg_error *error, size_t *length);

/**
 * The defect, in one sentence. It never quotes a value of a document, so no key is in it.
 *
 * Ownership: what is returned belongs to the library and lives as long as the error.
 * NULL: error may be NULL, which reads as the empty string; length may be NULL.
 * Threads: any number may read an error at once.
 */
const char *fg_error_message(const struct fg_error *error, size_t *length);

/**
 * The way out, in one sentence.
 *
 * Ownership: what is returned belongs to the library and lives as long as the error.
 * NULL: error may be NULL, which reads as the empty string; length may be NULL.
 * Threads: any number may read an error at once.
 */
const char *fg_error_help(const struct fg_error *error, size_t *length);

/**
 * All findings, as canonical JSON: `{dropped?, findings: [{help, message, pointer, rule, severity}],
 * kind}`, where kind is "argument", "json", "schema", "spec", "mismatch" or "internal" and dropped counts findings that
 * did not fit.
 *
 * Ownership: what is returned belongs to the library and lives as long as the error.
 * NULL: error may be NULL, which reads as the empty string; length may be NULL.
 * Threads: any number may read an error at once.
 */
const char *fg_error_json(const struct fg_error *error, size_t *length);

/**
 * The number of findings of an error; 0 for NULL.
 *
 * Ownership: none.
 * NULL: error may be NULL.
 * Threads: any number may read an error at once.
 */
size_t fg_error_count(const struct fg_error *error);

/**
 * A finding of an error by its index, from 0; false, with an empty *finding, when there is no such index.
 *
 * Ownership: the strings belong to the library and live as long as the error.
 * NULL: error and finding may be NULL.
 * Threads: any number may read an error at once.
 */
bool fg_error_finding(const struct fg_error *error, size_t index, struct fg_finding *finding);

/**
 * Frees an error.
 *
 * Ownership: takes the error; neither it nor its strings may be used again.
 * NULL: error may be NULL: nothing happens.
 * Threads: no other thread may use the error any more.
 */
void fg_error_free(struct fg_error *error);

/**
 * Checks and compiles a question with its key (an AnswerSpec).
 *
 * Pointers of errors start with "/spec". On failure *grader is NULL.
 *
 * Ownership: *grader is yours: give it back with fg_grader_free. The spec is only read during the call.
 * NULL: spec and grader must not be NULL; error may be NULL.
 * Threads: any, at any time.
 */
fg_status fg_grader_new(const char *spec, size_t spec_length, struct fg_grader **grader, struct fg_error **error);

/**
 * Another reference to a grader, for an owner of its own; returns the same pointer.
 *
 * Ownership: what is returned must be given back with fg_grader_free as well.
 * NULL: grader may be NULL: NULL is returned.
 * Threads: any, while a reference is held.
 */
struct fg_grader *fg_grader_retain(const struct fg_grader *grader);

/**
 * Gives a reference back; the last one frees the grader.
 *
 * Ownership: takes one reference, which may not be used again.
 * NULL: grader may be NULL: nothing happens.
 * Threads: any; other threads may go on with references of their own.
 */
void fg_grader_free(struct fg_grader *grader);

/**
 * Warnings about the question of a grader: a JSON array of `{help, message, pointer, rule,
 * severity}`; pointers start at the spec. fg_lint says more.
 *
 * Ownership: *findings is yours: free it with fg_text_free.
 * NULL: grader and findings must not be NULL; error may be NULL.
 * Threads: any number may use one grader at once.
 */
fg_status fg_grader_warnings(const struct fg_grader *grader, struct fg_text **findings, struct fg_error **error);

/**
 * Grades a submission: *result is an AttemptResult as canonical JSON.
 *
 * A submission that the user interface cannot produce is not a failure of this call: its result has the verdict "error".
 *
 * Ownership: *result is yours: free it with fg_text_free. The submission is only read during the call.
 * NULL: grader, submission and result must not be NULL; error may be NULL.
 * Threads: any number may use one grader at once.
 */
fg_status fg_grader_grade(const struct fg_grader *grader,
                          const char *submission,
                          size_t submission_length,
                          struct fg_text **result,
                          struct fg_error **error);

/**
 * Works like fg_grader_grade, but writes into a buffer of yours of `capacity` bytes, with a NUL at the end.
 *
 * FG_BUFFER_TOO_SMALL leaves the buffer as it is. In both cases *length is the length of the result without the NUL, so
 * a capacity of *length + 1 is enough.
 *
 * Ownership: the buffer is yours.
 * NULL: grader and submission must not be NULL; buffer may be NULL if capacity is 0; length and error may be NULL.
 * Threads: any number may use one grader at once.
 */
fg_status fg_grader_grade_into(const struct fg_grader *grader,
                               const char *submission,
                               size_t submission_length,
                               char *buffer,
                               size_t capacity,
                               size_t *length,
                               struct fg_error **error);

/**
 * Grades an answer with its context, and explains the score.
 *
 * *result is the AttemptResult for the learner. *explanation holds the steps behind the score, as JSON: it is
 * for the author, can hold the key, and must never reach a learner.
 *
 * Ownership: *result and *explanation are yours: free them with fg_text_free. The documents are only read during the call.
 * NULL: grader, documents and result must not be NULL; explanation and error may be NULL.
 * Threads: any number may use one grader at once.
 */
fg_status fg_grader_mark(const struct fg_grader *grader,
                         const struct fg_documents *documents,
                         struct fg_text **result,
                         struct fg_text **explanation,
                         struct fg_error **error);

/**
 * The cases to run for a submission of a code question: *plan is `{language, source, harness, limits, cases:
 * [{suite, caseIndex, visibility, input, timeMs}]}` as JSON, hidden inputs included: for you, never for a learner.
 *
 * *plan is NULL with FG_OK when nothing has to be run: another type of question, or a submission that is refused anyway.
 *
 * Ownership: *plan is yours: free it with fg_text_free.
 * NULL: grader, submission and plan must not be NULL; error may be NULL.
 * Threads: any number may use one grader at once.
 */
fg_status fg_grader_plan(const struct fg_grader *grader,
                         const char *submission,
                         size_t submission_length,
                         struct fg_text **plan,
                         struct fg_error **error);

/**
 * Grades a code submission from the outcomes of its programs: *result is an AttemptResult as canonical JSON.
 *
 * outcomes is a JSON array with exactly one entry for each case of the plan: `{suite, caseIndex, end, exitCode?,
 * signal?, stdout?, stderr?, returned?, timeMs?, memoryKb?, message?, isolation?}`, where end is "exited",
 * "signalled", "timeout", "memory_exceeded", "output_limit", "compile_error", "sandbox_error" or "skipped";
 * stdoutBase64 and stderrBase64 stand for bytes that are not UTF-8.
 *
 * Ownership: *result is yours: free it with fg_text_free.
 * NULL: grader, submission, outcomes and result must not be NULL; error may be NULL.
 * Threads: any number may use one grader at once.
 */
fg_status fg_grader_conclude(const struct fg_grader *grader,
                             const char *submission,
                             size_t submission_length,
                             const char *outcomes,
                             size_t outcomes_length,
                             struct fg_text **result,
                             struct fg_error **error);

/**
 * The view of a question for a learner (a DeliveryView), shuffled by a seed. The same seed gives the same view, so
 * derive it from the attempt or the learner.
 *
 * Ownership: *view is yours: free it with fg_text_free.
 * NULL: grader and view must not be NULL; seed may be NULL with length 0 (the empty seed); error may be NULL.
 * Threads: any number may use one grader at once.
 */
fg_status fg_grader_deliver(const struct fg_grader *grader,
                            const char *seed,
                            size_t seed_length,
                            struct fg_text **view,
                            struct fg_error **error);

/**
 * Compiles a question and grades one submission with it; make a grader for several. Tells everything that is wrong with
 * both documents at once.
 *
 * Ownership: *result is yours: free it with fg_text_free.
 * NULL: spec, submission and result must not be NULL; error may be NULL.
 * Threads: any, at any time.
 */
fg_status fg_grade(const char *spec,
                   size_t spec_length,
                   const char *submission,
                   size_t submission_length,
                   struct fg_text **result,
                   struct fg_error **error);

/**
 * The question as a learner may see it (a DeliveryView), shuffled under a seed, without making a grader. Only the form
 * of the spec is checked.
 *
 * Ownership: *view is yours: free it with fg_text_free.
 * NULL: spec and view must not be NULL; seed may be NULL with length 0 (the empty seed); error may be NULL.
 * Threads: any, at any time.
 */
fg_status fg_deliver(const char *spec,
                     size_t spec_length,
                     const char *seed,
                     size_t seed_length,
                     struct fg_text **view,
                     struct fg_error **error);

/**
 * Everything there is to say about a question: *findings is a JSON array of `{help, message, pointer, rule, severity}`,
 * the most severe first; *errors is how many of them are errors. If the string is not a valid spec, the call succeeds and its
 * errors are the findings. Pointers start at the spec.
 *
 * Ownership: *findings is yours: free it with fg_text_free.
 * NULL: spec and findings must not be NULL; errors and error may be NULL.
 * Threads: any, at any time.
 */
fg_status fg_lint(const char *spec,
                  size_t spec_length,
                  struct fg_text **findings,
                  size_t *errors,
                  struct fg_error **error);

/**
 * Checks a document against its schema: FG_OK, or an error with everything that is wrong with it; pointers start
 * with "/document". schema is one of fg_schema.
 *
 * Ownership: an error is yours: free it with fg_error_free.
 * NULL: document must not be NULL; error may be NULL.
 * Threads: any, at any time.
 */
fg_status fg_check(int32_t schema, const char *document, size_t document_length, struct fg_error **error);

/**
 * The plan of a submission, as fg_grader_plan gives it as JSON. *plan is NULL with FG_OK when nothing has to be run:
 * another type of question, or a submission that is refused anyway.
 *
 * Ownership: *plan is yours: free it with fg_plan_free.
 * NULL: grader, submission and plan must not be NULL; error may be NULL.
 * Threads: any number may use one grader at once.
 */
fg_status fg_plan_new(const struct fg_grader *grader,
                      const char *submission,
                      size_t submission_length,
                      struct fg_plan **plan,
                      struct fg_error **error);

/**
 * The language of the program, such as "python".
 *
 * Ownership: what is returned belongs to the library and lives as long as the plan.
 * NULL: plan may be NULL, which gives no string.
 * Threads: any number may read a plan at once.
 */
struct fg_string fg_plan_language(const struct fg_plan *plan);

/**
 * The program.
 *
 * Ownership: what is returned belongs to the library and lives as long as the plan.
 * NULL: plan may be NULL, which gives no string.
 * Threads: any number may read a plan at once.
 */
struct fg_string fg_plan_source(const struct fg_plan *plan);

/**
 * The memory that the program may use, in MiB.
 *
 * Ownership: none.
 * NULL: plan may be NULL, which gives 0.
 * Threads: any number may read a plan at once.
 */
uint32_t fg_plan_memory_mb(const struct fg_plan *plan);

/**
 * The number of cases.
 *
 * Ownership: none.
 * NULL: plan may be NULL, which has none.
 * Threads: any number may read a plan at once.
 */
size_t fg_plan_case_count(const struct fg_plan *plan);

/**
 * A case by its index in the plan, from 0; false, with an empty *run, when there is no such index.
 *
 * Ownership: the strings belong to the library and live as long as the plan.
 * NULL: plan and run may be NULL.
 * Threads: any number may read a plan at once.
 */
bool fg_plan_case(const struct fg_plan *plan, size_t index, struct fg_case *run);

/**
 * Frees a plan.
 *
 * Ownership: takes the plan; neither it nor its strings may be used again.
 * NULL: plan may be NULL: nothing happens.
 * Threads: no other thread may use the plan any more.
 */
void fg_plan_free(struct fg_plan *plan);

/**
 * Reads a result, such as fg_grader_grade gave it. Pointers of errors start with "/result".
 *
 * Ownership: *read is yours: free it with fg_result_free. The string is only read during the call.
 * NULL: result and read must not be NULL; error may be NULL.
 * Threads: any, at any time.
 */
fg_status fg_result_read(const char *result, size_t result_length, struct fg_result **read, struct fg_error **error);

/**
 * The verdict, one of fg_verdict; FG_VERDICT_NONE for NULL.
 *
 * Ownership: none.
 * NULL: result may be NULL.
 * Threads: any number may read a result at once.
 */
int32_t fg_result_verdict(const struct fg_result *result);

/**
 * Returns whether nobody has graded it yet: free text, or code that was not run.
 *
 * Ownership: none.
 * NULL: result may be NULL, which is not pending.
 * Threads: any number may read a result at once.
 */
bool fg_result_is_pending(const struct fg_result *result);

/**
 * The score from 0 to 1, as the string that stands in the result, and as a double in *score. No string, and 0, where there is
 * none: a result with the verdict pending or error.
 *
 * Ownership: what is returned belongs to the library and lives as long as the result.
 * NULL: result and score may be NULL.
 * Threads: any number may read a result at once.
 */
struct fg_string fg_result_score(const struct fg_result *result,
                                 double *score);

/**
 * What hints took from the score, as fg_result_score; no string, and 0, where no hints counted.
 *
 * Ownership: what is returned belongs to the library and lives as long as the result.
 * NULL: result and penalty may be NULL.
 * Threads: any number may read a result at once.
 */
struct fg_string fg_result_penalty(const struct fg_result *result, double *penalty);

/**
 * The number of messages for the learner.
 *
 * Ownership: none.
 * NULL: result may be NULL, which has none.
 * Threads: any number may read a result at once.
 */
size_t fg_result_feedback_count(const struct fg_result *result);

/**
 * A message for the learner by its index, from 0, and its kind (one of fg_feedback) in *kind. No string, and 0, where
 * there is no such message.
 *
 * Ownership: what is returned belongs to the library and lives as long as the result.
 * NULL: result and kind may be NULL.
 * Threads: any number may read a result at once.
 */
struct fg_string fg_result_feedback(const struct fg_result *result, size_t index, int32_t *kind);

/**
 * The number of test cases of a result; 0 where no code was graded.
 *
 * Ownership: none.
 * NULL: result may be NULL, which has none.
 * Threads: any number may read a result at once.
 */
size_t fg_result_case_count(const struct fg_result *result);

/**
 * A test case by its index, from 0; false, with an empty *found, when there is no such index.
 *
 * Ownership: the strings belong to the library and live as long as the result.
 * NULL: result and found may be NULL.
 * Threads: any number may read a result at once.
 */
bool fg_result_case(const struct fg_result *result, size_t index, struct fg_case_result *found);

/**
 * Frees a result.
 *
 * Ownership: takes the result; neither it nor its strings may be used again.
 * NULL: result may be NULL: nothing happens.
 * Threads: no other thread may use the result any more.
 */
void fg_result_free(struct fg_result *result);

/**
 * The name of a status, such as "FG_BAD_SPEC"; "FG_UNKNOWN" for any other number.
 *
 * Ownership: the string is static.
 * NULL: never returned.
 * Threads: any, at any time.
 */
const char *fg_status_name(int32_t status);

/**
 * The bytes of a string, and their number (without the NUL at the end) in *length.
 *
 * Ownership: what is returned belongs to the library and lives as long as the string.
 * NULL: text may be NULL, which reads as the empty string; length may be NULL.
 * Threads: any number may read a string at once.
 */
const char *fg_text_data(const struct fg_text *text, size_t *length);

/**
 * Copies a string, with a NUL at its end, into a buffer of `capacity` bytes.
 *
 * FG_BUFFER_TOO_SMALL leaves the buffer as it is. In both cases *length is the length of the string without the NUL, so
 * a capacity of *length + 1 is enough.
 *
 * Ownership: the buffer is yours.
 * NULL: text must not be NULL; buffer may be NULL if capacity is 0; length and error may be NULL.
 * Threads: any number may read a string at once.
 */
fg_status fg_text_copy(const struct fg_text *text,
                       char *buffer,
                       size_t capacity,
                       size_t *length,
                       struct fg_error **error);

/**
 * Frees a string.
 *
 * Ownership: takes the string; neither it nor what fg_text_data returned may be used again.
 * NULL: text may be NULL: nothing happens.
 * Threads: no other thread may use the string any more.
 */
void fg_text_free(struct fg_text *text);

/**
 * Gives the answer of a validator; the last one counts. The string is copied.
 *
 * Ownership: the string is yours and is only read during the call.
 * NULL: answer may be NULL: nothing happens. If text is NULL, there is no answer.
 * Threads: that in which the validator was called, during its call.
 */
void fg_answer_set(struct fg_answer *answer, const char *text, size_t text_length);

/**
 * Registers a validator for widgets in this process; one of the same name is replaced. The standard validators are
 * there from the start. Questions that were compiled before keep what they were compiled with.
 *
 * sentences is JSON, `[{"code": "...", "text": "...", "severity"?: "hint"}]`: all that the validator can tell learners.
 *
 * Ownership: the strings are yours and are only read during the call. The function and user_data must stay valid as long as the
 * process lives.
 * NULL: name, sentences and validator must not be NULL; user_data and error may be NULL.
 * Threads: any, at any time.
 */
fg_status fg_register_validator(const char *name,
                                size_t name_length,
                                const char *sentences,
                                size_t sentences_length,
                                fg_validator validator,
                                void *user_data,
                                struct fg_error **error);

/**
 * The version of the library that is loaded, such as "0.1.0".
 *
 * Ownership: the string is static.
 * NULL: never returned.
 * Threads: any, at any time.
 */
const char *fg_version(void);

/**
 * The version of the grading semantics: it is raised whenever a verdict or a score can change. Store it beside results.
 *
 * Ownership: none.
 * NULL: no pointers.
 * Threads: any, at any time.
 */
uint32_t fg_semantics_version(void);

/**
 * The build that is loaded, as JSON: `{version, gradingSemantics, locales, validators}`, the languages of messages to
 * learners and the standard validators of widgets.
 *
 * Ownership: the string is static.
 * NULL: never returned.
 * Threads: any, at any time.
 */
const char *fg_about(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* FABLEGRADE_H */
