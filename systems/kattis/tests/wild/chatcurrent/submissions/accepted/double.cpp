#include <iostream>
int main() {
    int n;
    while (std::cin >> n && n) std::cout << 2 * n << std::endl;
}
