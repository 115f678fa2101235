/* Growing byte buffers, and functions that write JSON. Reading JSON is left to the library. */
#ifndef JUDGE_JSON_H
#define JUDGE_JSON_H

#include <stddef.h>

/* A growing byte buffer. */
struct bytes {
    char *data;
    size_t length;
    size_t capacity;
};

void bytes_add(struct bytes *bytes, const char *data, size_t length);
void bytes_text(struct bytes *bytes, const char *text);
void bytes_format(struct bytes *bytes, const char *format, ...);
void bytes_free(struct bytes *bytes);

void json_quote(struct bytes *out, const char *text, size_t length);
void json_base64(struct bytes *out, struct bytes data);

#endif
