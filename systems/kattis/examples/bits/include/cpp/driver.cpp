#include <iostream>

int bits(int n);

int main() {
    int n;
    std::cin >> n;
    std::cout << bits(n) << '\n';
}
