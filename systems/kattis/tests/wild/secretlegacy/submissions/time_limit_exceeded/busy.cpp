#include <iostream>
int main() {
    std::cout << 500 << std::endl;
    volatile unsigned long n = 1;
    while (n) n = n + 2;
}
