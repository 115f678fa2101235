#include "translate.h"
#include <cctype>
#include <iostream>

int main(int argc, char **argv) {
    std::string word;
    bool upper = argc > 1 && std::string(argv[1]) == "--upper";
    while (std::cin >> word) {
        std::string out = translate(word);
        if (upper) for (char &c : out) c = char(std::toupper(c));
        std::cout << out << "\n";
    }
}
