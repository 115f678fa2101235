#include <algorithm>
#include <iomanip>
#include <iostream>
int main() {
    int n;
    std::cin >> n;
    double l = 1e9, r = -1, b = 1e9, t = -1, x, y;
    while (n--) {
        std::cin >> x >> y;
        l = std::min(l, x); r = std::max(r, x); b = std::min(b, y); t = std::max(t, y);
    }
    std::cout << std::scientific << std::setprecision(9) << 2 * (r - l + t - b) << std::endl;
}
