#include "translate.h"
#include <fstream>

std::string translate(const std::string &word) {
    std::ifstream words("words.txt");
    std::string from, to;
    while (words >> from >> to) if (from == word) return to;
    return "";
}
