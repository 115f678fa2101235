#pragma once
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

inline std::string feedback_folder;

inline void wrong_answer(const char *format, ...) {
    FILE *out = std::fopen((feedback_folder + "judgemessage.txt").c_str(), "a");
    if (!out) std::abort();
    va_list arguments;
    va_start(arguments, format);
    std::vfprintf(out, format, arguments);
    std::fputc('\n', out);
    std::fclose(out);
    std::exit(43);
}

inline void accept() { std::exit(42); }
