#include <iostream>
int main() {
    std::string word;
    std::cin >> word;
    std::cout << word;
}
