#include "steps.hpp"
#include <algorithm>

std::vector<int> steps(int n) {
    std::vector<int> all;
    for (int at = n; at > 1; at -= 3) all.push_back(at);
    all.push_back(1);
    std::reverse(all.begin(), all.end());
    return all;
}
