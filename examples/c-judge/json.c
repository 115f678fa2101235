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

void json_quote(struct bytes *out, const char *text, size_t length) {
    bytes_add(out, "\"", 1);
    for (size_t at = 0; at < length; at++) {
        unsigned char byte = (unsigned char)text[at];
        if (byte == '"' || byte == '\\') {
            bytes_add(out, "\\", 1);
            bytes_add(out, text + at, 1);
        } else if (byte < 0x20) {
            bytes_format(out, "\\u%04x", byte);
        } else {
            bytes_add(out, text + at, 1);
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
