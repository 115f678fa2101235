#include "steps.hpp"
#include <iostream>

int main() {
    int n;
    std::cin >> n;
    auto all = steps(n);
    std::cout << all.size() << "\n";
    for (int at : all) std::cout << at << " ";
}
