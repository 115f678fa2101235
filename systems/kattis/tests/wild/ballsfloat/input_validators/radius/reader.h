#ifndef READER_H
#define READER_H
#include <cstdio>
#include <cstdlib>
#include <string>

struct Reader {
    void number(long long least, long long most) {
        std::string text;
        int c;
        while ((c = std::getchar()) != EOF && c >= '0' && c <= '9' && text.size() < 18) text += char(c);
        if (c != '\n' || text.empty() || (text.size() > 1 && text[0] == '0')) std::exit(43);
        long long value = std::atoll(text.c_str());
        if (value < least || value > most) std::exit(43);
    }
    void end() {
        if (std::getchar() != EOF) std::exit(43);
    }
};
#endif
