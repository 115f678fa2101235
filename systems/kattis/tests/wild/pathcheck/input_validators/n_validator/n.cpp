#include <cstdio>
#include <cstdlib>
#include <cstring>

int main() {
    char line[64] = {};
    size_t length = std::fread(line, 1, sizeof line - 1, stdin);
    long n = std::atol(line);
    char again[64];
    std::snprintf(again, sizeof again, "%ld\n", n);
    return n >= 1 && n <= 1000 && length == std::strlen(again) && !std::memcmp(line, again, length) ? 42 : 43;
}
