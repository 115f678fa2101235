/* Just enough JSON for a judge: reading fields of texts that the library has checked, and writing strings. */
#ifndef JUDGE_JSON_H
#define JUDGE_JSON_H

#include <stddef.h>

/* Bytes that grow. */
struct bytes {
    char *data;
    size_t length;
    size_t capacity;
};

void bytes_add(struct bytes *bytes, const char *data, size_t length);
void bytes_text(struct bytes *bytes, const char *text);
void bytes_format(struct bytes *bytes, const char *format, ...);
void bytes_free(struct bytes *bytes);

/* A value inside a valid JSON text; `text` is NULL for no value. */
struct json {
    const char *text;
    size_t length;
};

struct json json_field(struct json object, const char *name);
size_t json_count(struct json array);
struct json json_item(struct json array, size_t at);
struct bytes json_string(struct json string);
long json_number(struct json number);

void json_quote(struct bytes *out, struct bytes text);
void json_base64(struct bytes *out, struct bytes data);

#endif
