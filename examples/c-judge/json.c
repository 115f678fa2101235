#include "json.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bytes_add(struct bytes *bytes, const char *data, size_t length) {
    if (bytes->length + length + 1 > bytes->capacity) {
        bytes->capacity = 2 * (bytes->length + length + 1);
        bytes->data = realloc(bytes->data, bytes->capacity);
        if (bytes->data == NULL) {
            abort();
        }
    }
    if (length > 0) {
        memcpy(bytes->data + bytes->length, data, length);
    }
    bytes->length += length;
    bytes->data[bytes->length] = '\0';
}

void bytes_text(struct bytes *bytes, const char *text) { bytes_add(bytes, text, strlen(text)); }

void bytes_format(struct bytes *bytes, const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof text) {
        abort();
    }
    bytes_add(bytes, text, (size_t)length);
}

void bytes_free(struct bytes *bytes) {
    free(bytes->data);
    *bytes = (struct bytes){NULL, 0, 0};
}

static const char *skip_blanks(const char *at) {
    while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r') {
        at++;
    }
    return at;
}

static const char *skip_string(const char *at) {
    for (at++; *at != '"'; at++) {
        at += *at == '\\';
    }
    return at + 1;
}

/* The end of a value; depth is counted, so nothing recurses. The text is valid JSON: the library has read it. */
static const char *skip_value(const char *at) {
    long depth = 0;
    do {
        at = skip_blanks(at);
        if (*at == '"') {
            at = skip_string(at);
        } else if (*at == '[' || *at == '{') {
            depth++;
            at++;
        } else if (*at == ']' || *at == '}') {
            depth--;
            at++;
        } else if (*at == ',' || *at == ':') {
            at++;
        } else {
            at += strcspn(at, ",:]} \t\r\n");
        }
    } while (depth > 0);
    return at;
}

struct json json_field(struct json object, const char *name) {
    struct json none = {NULL, 0};
    if (object.text == NULL) {
        return none;
    }
    const char *at = skip_blanks(object.text);
    if (*at != '{') {
        return none;
    }
    at = skip_blanks(at + 1);
    while (*at == '"') {
        const char *end = skip_string(at);
        struct bytes key = json_string((struct json){at, (size_t)(end - at)});
        int found = strcmp(key.data, name) == 0;
        bytes_free(&key);
        at = skip_blanks(skip_blanks(end) + 1); /* the colon */
        end = skip_value(at);
        if (found) {
            return (struct json){at, (size_t)(end - at)};
        }
        at = skip_blanks(end);
        if (*at == ',') {
            at = skip_blanks(at + 1);
        }
    }
    return none;
}

/* Item `wanted`, or their number in *count. */
static struct json walk(struct json array, size_t wanted, size_t *count) {
    *count = 0;
    const char *at = array.text == NULL ? "" : skip_blanks(array.text);
    if (*at != '[') {
        return (struct json){NULL, 0};
    }
    at = skip_blanks(at + 1);
    while (*at != ']' && *at != '\0') {
        const char *end = skip_value(at);
        if ((*count)++ == wanted) {
            return (struct json){at, (size_t)(end - at)};
        }
        at = skip_blanks(end);
        if (*at == ',') {
            at = skip_blanks(at + 1);
        }
    }
    return (struct json){NULL, 0};
}

size_t json_count(struct json array) {
    size_t count;
    walk(array, (size_t)-1, &count);
    return count;
}

struct json json_item(struct json array, size_t at) {
    size_t count;
    return walk(array, at, &count);
}

static unsigned long hex4(const char *at) {
    char digits[5] = {at[0], at[1], at[2], at[3], 0};
    return strtoul(digits, NULL, 16);
}

static void add_code_point(struct bytes *out, unsigned long code) {
    char utf8[4];
    size_t length;
    if (code < 0x80) {
        utf8[0] = (char)code;
        length = 1;
    } else if (code < 0x800) {
        utf8[0] = (char)(0xc0 | code >> 6);
        utf8[1] = (char)(0x80 | (code & 0x3f));
        length = 2;
    } else if (code < 0x10000) {
        utf8[0] = (char)(0xe0 | code >> 12);
        utf8[1] = (char)(0x80 | (code >> 6 & 0x3f));
        utf8[2] = (char)(0x80 | (code & 0x3f));
        length = 3;
    } else {
        utf8[0] = (char)(0xf0 | code >> 18);
        utf8[1] = (char)(0x80 | (code >> 12 & 0x3f));
        utf8[2] = (char)(0x80 | (code >> 6 & 0x3f));
        utf8[3] = (char)(0x80 | (code & 0x3f));
        length = 4;
    }
    bytes_add(out, utf8, length);
}

struct bytes json_string(struct json string) {
    struct bytes out = {NULL, 0, 0};
    bytes_add(&out, "", 0); /* never NULL */
    if (string.text == NULL || *string.text != '"') {
        return out;
    }
    for (const char *at = string.text + 1; *at != '"'; at++) {
        if (*at != '\\') {
            bytes_add(&out, at, 1);
            continue;
        }
        at++;
        const char *from = "bfnrt", *to = "\b\f\n\r\t";
        const char *known = strchr(from, *at);
        if (*at == 'u') {
            unsigned long code = hex4(at + 1);
            at += 4;
            if (code >= 0xd800 && code < 0xdc00) { /* valid JSON of the library: its other half follows */
                code = 0x10000 + ((code - 0xd800) << 10) + (hex4(at + 3) - 0xdc00);
                at += 6;
            }
            add_code_point(&out, code);
        } else if (known != NULL) {
            bytes_add(&out, to + (known - from), 1);
        } else {
            bytes_add(&out, at, 1);
        }
    }
    return out;
}

long json_number(struct json number) { return number.text == NULL ? 0 : strtol(number.text, NULL, 10); }

void json_quote(struct bytes *out, struct bytes text) {
    bytes_add(out, "\"", 1);
    for (size_t at = 0; at < text.length; at++) {
        unsigned char byte = (unsigned char)text.data[at];
        if (byte == '"' || byte == '\\') {
            bytes_add(out, "\\", 1);
            bytes_add(out, text.data + at, 1);
        } else if (byte < 0x20) {
            bytes_format(out, "\\u%04x", byte);
        } else {
            bytes_add(out, text.data + at, 1);
        }
    }
    bytes_add(out, "\"", 1);
}

void json_base64(struct bytes *out, struct bytes data) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t at = 0; at < data.length; at += 3) {
        size_t left = data.length - at;
        unsigned long group = (unsigned long)(unsigned char)data.data[at] << 16;
        group |= left > 1 ? (unsigned long)(unsigned char)data.data[at + 1] << 8 : 0;
        group |= left > 2 ? (unsigned long)(unsigned char)data.data[at + 2] : 0;
        char four[4] = {digits[group >> 18], digits[group >> 12 & 63], digits[group >> 6 & 63], digits[group & 63]};
        if (left < 3) {
            four[3] = '=';
        }
        if (left < 2) {
            four[2] = '=';
        }
        bytes_add(out, four, 4);
    }
}
