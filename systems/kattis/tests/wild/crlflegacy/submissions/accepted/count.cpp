#include <iostream>
#include <string>

#define COUNT(word, n) \
    while (std::cin >> word) n++

int main() {
    std::string word;
    int n = 0;
    COUNT(word, n);
    std::cout << n << std::endl;
}
