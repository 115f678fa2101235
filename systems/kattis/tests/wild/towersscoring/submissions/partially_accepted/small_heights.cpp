// @EXPECTED_SCORE@: 50
#include <iostream>
int main() {
    int n, h;
    std::cin >> n;
    long long seen[101] = {}, pairs = 0;
    for (int i = 0; i < n; i++) {
        std::cin >> h;
        if (h > 100) { std::cout << -1 << "\n"; return 0; }
        pairs += seen[h]++;
    }
    std::cout << pairs << "\n";
}
