/* Reads JSON arguments from standard input and writes the value to descriptor 3. */
#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *fablegrade_tag, *fablegrade_at;
static int fablegrade_argument;

static void fablegrade_wrong(const char *wanted) {
    fprintf(stderr, "argument %d: %s expected, found `%.40s`\n", fablegrade_argument, wanted, fablegrade_at);
    exit(3);
}

static void fablegrade_open(void) {
    size_t size = 0, room = 1 << 16;
    char *all = malloc(room + 1);
    for (;;) {
        ssize_t got = read(0, all + size, room - size);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        size += (size_t)got;
        if (size == room) all = realloc(all, (room *= 2) + 1);
    }
    all[size] = 0;
    fablegrade_tag = all;
    fablegrade_at = strchr(all, '\n');
    if (!fablegrade_at) exit(3);
    *fablegrade_at++ = 0;
}

static void fablegrade_blanks(void) {
    while (*fablegrade_at == ' ' || *fablegrade_at == '\t' || *fablegrade_at == '\n' || *fablegrade_at == '\r')
        fablegrade_at++;
}

static int fablegrade_take(char wanted) {
    fablegrade_blanks();
    if (*fablegrade_at != wanted) return 0;
    fablegrade_at++;
    return 1;
}

static void fablegrade_next(void) {
    if (fablegrade_argument++ ? !fablegrade_take(',') : !fablegrade_take('[')) {
        fprintf(stderr, "the function takes more arguments than the case has\n");
        exit(3);
    }
}

static void fablegrade_last(void) {
    if (fablegrade_argument ? !fablegrade_take(']') : !(fablegrade_take('[') && fablegrade_take(']'))) {
        fprintf(stderr, "the function takes fewer arguments than the case has\n");
        exit(3);
    }
}

static long long fablegrade_integer(long long least, long long most) {
    char *end;
    fablegrade_blanks();
    errno = 0;
    long long value = strtoll(fablegrade_at, &end, 10);
    if (end == fablegrade_at || errno || *end == '.' || *end == 'e' || *end == 'E' || value < least || value > most)
        fablegrade_wrong("an integer within the range of the type");
    fablegrade_at = end;
    return value;
}

static unsigned long long fablegrade_natural(unsigned long long most) {
    char *end;
    fablegrade_blanks();
    errno = 0;
    unsigned long long value = *fablegrade_at == '-' ? 0 : strtoull(fablegrade_at, &end, 10);
    if (*fablegrade_at == '-' || end == fablegrade_at || errno || *end == '.' || *end == 'e' || *end == 'E' ||
        value > most)
        fablegrade_wrong("a natural number within the range of the type");
    fablegrade_at = end;
    return value;
}

/* Reads a number for a floating type of this size; a number for a float is rounded only once. */
static double fablegrade_number(size_t size) {
    char *end;
    fablegrade_blanks();
    if (!strchr("-0123456789", *fablegrade_at)) fablegrade_wrong("a number");
    double value = size == sizeof(float) ? strtof(fablegrade_at, &end) : strtod(fablegrade_at, &end);
    if (!isfinite(value)) fablegrade_wrong("a number within the range of the type");
    fablegrade_at = end;
    return value;
}

static bool fablegrade_truth(void) {
    fablegrade_blanks();
    if (!strncmp(fablegrade_at, "true", 4)) return fablegrade_at += 4, true;
    if (!strncmp(fablegrade_at, "false", 5)) return fablegrade_at += 5, false;
    fablegrade_wrong("true or false");
    return false;
}

static unsigned fablegrade_hex(void) {
    unsigned value = 0;
    for (int i = 0; i < 4; i++) {
        char c = *fablegrade_at;
        unsigned digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
        if (digit > 15) fablegrade_wrong("four hexadecimal digits");
        value = value * 16 + digit;
        fablegrade_at++;
    }
    return value;
}

static char *fablegrade_text(void) {
    if (!fablegrade_take('"')) fablegrade_wrong("a string");
    char *text = malloc(strlen(fablegrade_at) + 1), *to = text;
    while (*fablegrade_at && *fablegrade_at != '"') {
        if (*fablegrade_at != '\\') {
            *to++ = *fablegrade_at++;
            continue;
        }
        fablegrade_at++;
        char c = *fablegrade_at++;
        const char *from = "\"\\/bfnrt", *into = "\"\\/\b\f\n\r\t", *found = c ? strchr(from, c) : NULL;
        if (found) {
            *to++ = into[found - from];
        } else {
            unsigned code = fablegrade_hex();
            if (!code) fablegrade_wrong("a string without the character NUL");
            if (code >= 0xd800 && code < 0xdc00 && fablegrade_at[0] == '\\' && fablegrade_at[1] == 'u') {
                fablegrade_at += 2;
                code = 0x10000 + ((code - 0xd800) << 10) + (fablegrade_hex() - 0xdc00);
            }
            if (code < 0x80) *to++ = (char)code;
            else if (code < 0x800) *to++ = (char)(0xc0 | code >> 6), *to++ = (char)(0x80 | (code & 63));
            else if (code < 0x10000) *to++ = (char)(0xe0 | code >> 12), *to++ = (char)(0x80 | (code >> 6 & 63)), *to++ = (char)(0x80 | (code & 63));
            else *to++ = (char)(0xf0 | code >> 18), *to++ = (char)(0x80 | (code >> 12 & 63)), *to++ = (char)(0x80 | (code >> 6 & 63)), *to++ = (char)(0x80 | (code & 63));
        }
    }
    if (!fablegrade_take('"')) fablegrade_wrong("the end of a string");
    *to = 0;
    return text;
}

static char fablegrade_letter(void) {
    char *text = fablegrade_text();
    if (strlen(text) != 1) {
        fprintf(stderr, "argument %d: a string of one ASCII character expected\n", fablegrade_argument);
        exit(3);
    }
    return *text;
}

static int fablegrade_started(int count) {
    if (fablegrade_take(']')) return 0;
    if (count && !fablegrade_take(',')) fablegrade_wrong("a comma or the end of the array");
    return 1;
}

static void fablegrade_begin(void) {
    if (!fablegrade_take('[')) fablegrade_wrong("an array");
}

#define FABLEGRADE_ARRAY(name, type, element)                                            \
    static type *name(size_t *count) {                                                   \
        size_t size = 0, room = 16;                                                      \
        type *all = malloc(room * sizeof *all);                                          \
        fablegrade_begin();                                                              \
        while (fablegrade_started(size != 0)) {                                          \
            if (size == room) all = realloc(all, (room *= 2) * sizeof *all);             \
            all[size++] = (type)(element);                                               \
        }                                                                                \
        *count = size;                                                                   \
        return all;                                                                      \
    }

static FILE *fablegrade_out;

static void fablegrade_answer(void) {
    fablegrade_out = fdopen(3, "w");
    if (!fablegrade_out) exit(3);
    fprintf(fablegrade_out, "%s ", fablegrade_tag);
}

static void fablegrade_done(void) {
    fputc('\n', fablegrade_out);
    if (fclose(fablegrade_out)) exit(3);
}

static void fablegrade_put_integer(long long value) { fprintf(fablegrade_out, "%lld", value); }
static void fablegrade_put_natural(unsigned long long value) { fprintf(fablegrade_out, "%llu", value); }
static void fablegrade_put_truth(bool value) { fputs(value ? "true" : "false", fablegrade_out); }

/* Writes the shortest text that is this number in a floating type of this size: 0.1f is 0.1. */
static void fablegrade_put_floating(double value, size_t size) {
    char text[40];
    if (!isfinite(value)) {
        fprintf(stderr, "the function returned %g, which has no JSON form\n", value);
        exit(3);
    }
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if ((size == sizeof(float) ? strtof(text, NULL) : strtod(text, NULL)) == value) break;
    }
    fputs(text, fablegrade_out);
    if (!strpbrk(text, ".e")) fputs(".0", fablegrade_out);
}

static void fablegrade_put_number(double value) { fablegrade_put_floating(value, sizeof(double)); }
static void fablegrade_put_float(float value) { fablegrade_put_floating(value, sizeof(float)); }

static void fablegrade_put_text(const char *text) {
    if (!text) {
        fputs("null", fablegrade_out);
        return;
    }
    fputc('"', fablegrade_out);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') fputc('\\', fablegrade_out);
        if (c < 32) fprintf(fablegrade_out, "\\u%04x", c);
        else fputc(c, fablegrade_out);
    }
    fputc('"', fablegrade_out);
}

static void fablegrade_put_letter(char value) {
    char text[2] = {value, 0};
    fablegrade_put_text(text);
}

#define FABLEGRADE_PUT_ARRAY(values, count, put)                      \
    do {                                                              \
        fputc('[', fablegrade_out);                                   \
        for (size_t fablegrade_i = 0; fablegrade_i < (count); fablegrade_i++) { \
            if (fablegrade_i) fputc(',', fablegrade_out);             \
            put((values)[fablegrade_i]);                              \
        }                                                             \
        fputc(']', fablegrade_out);                                   \
    } while (0)
