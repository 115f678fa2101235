#include <algorithm>
#include <iostream>

int main() {
    int cases;
    std::cin >> cases;
    for (int at = 1; at <= cases; at++) {
        int length;
        long best = -2000000, value;
        std::cin >> length;
        while (length-- > 0 && std::cin >> value) best = std::max(best, value);
        std::cout << "Case #" << at << ": " << best << "\n";
    }
}
