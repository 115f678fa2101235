#include <iostream>

int main() {
    long long a, b;
    while (std::cin >> a >> b) {
        volatile long long steps = 0;
        for (long long at = a < b ? a : b; at < (a < b ? b : a); at++) steps = steps + 1;
        std::cout << steps << "\n";
    }
}
