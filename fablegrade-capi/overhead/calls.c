/* Loops for overhead.rs that call the library from C. */
#include "fablegrade.h"

size_t grade_from_c(const fg_grader *grader, const char *submission, size_t length, size_t calls);
size_t grade_into_from_c(const fg_grader *grader, const char *submission, size_t length, size_t calls);

size_t grade_from_c(const fg_grader *grader, const char *submission, size_t length, size_t calls) {
    size_t sum = 0;
    for (size_t call = 0; call < calls; call++) {
        fg_text *result;
        size_t size = 0;
        if (fg_grader_grade(grader, submission, length, &result, NULL) == FG_OK) {
            fg_text_data(result, &size);
        }
        fg_text_free(result);
        sum += size;
    }
    return sum;
}

size_t grade_into_from_c(const fg_grader *grader, const char *submission, size_t length, size_t calls) {
    size_t sum = 0;
    char buffer[1024];
    for (size_t call = 0; call < calls; call++) {
        size_t size = 0;
        if (fg_grader_grade_into(grader, submission, length, buffer, sizeof buffer, &size, NULL) == FG_OK) {
            sum += size;
        }
    }
    return sum;
}
