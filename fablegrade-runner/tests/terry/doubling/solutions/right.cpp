#include <iostream>

int main() {
    int count;
    std::cin >> count;
    for (int at = 1, number; at <= count && std::cin >> number; at++) std::cout << "Case #" << at << ": " << 2 * number << "\n";
}
