#include <iostream>
#include <string>
int main() {
    int low = 1, high = 1000;
    std::string word;
    while (word != "correct") {
        int middle = (low + high) / 2;
        std::cout << middle << std::endl;
        std::cin >> word;
        if (word == "higher") low = middle + 1; else high = middle - 1;
    }
}
