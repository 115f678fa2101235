#include <cstdio>
#include <cstdlib>

static long number(long least, long most, int end) {
    char digits[12] = {};
    int count = 0, c;
    while ((c = std::getchar()) >= '0' && c <= '9' && count < 10) digits[count++] = char(c);
    long value = std::atol(digits);
    if (c != end || !count || (count > 1 && digits[0] == '0') || value < least || value > most) std::exit(43);
    return value;
}

int main() {
    long n = number(1, {{max_n}}, '\n');
    while (n--) {
        number(0, {{max_c}}, ' ');
        number(0, {{max_c}}, '\n');
    }
    return std::getchar() == EOF ? 42 : 43;
}
