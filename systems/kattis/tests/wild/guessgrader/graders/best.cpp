#include <algorithm>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

// The sum of the best results; the first argument is "best", the second how many.
int main(int argc, char **argv) {
    std::string verdict;
    double score;
    std::vector<double> scores;
    bool any = false;
    while (std::cin >> verdict >> score) {
        any |= verdict == "AC";
        scores.push_back(verdict == "AC" ? score : 0);
    }
    std::sort(scores.begin(), scores.end(), std::greater<double>());
    size_t most = argc > 2 ? std::stoul(argv[2]) : scores.size();
    double sum = 0;
    for (size_t i = 0; i < most && i < scores.size(); i++) sum += scores[i];
    std::cout << (any ? "AC " : "WA ") << sum << "\n";
}
