#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "limits.hpp"

int main(int count, char **arguments) {
    if (count != 3) return 1;
    std::ifstream input(arguments[1]), output(arguments[2]);
    int total;
    input >> total;
    std::vector<long> best(total, -2000000);
    for (auto &one : best) {
        int length;
        input >> length;
        for (long value; length-- > 0 && input >> value;) one = std::max(one, value);
    }
    std::map<int, std::string> found;
    for (std::string line; std::getline(output, line);) {
        int number, end = 0;
        char answer[32];
        if (line.size() < 100 && sscanf(line.c_str(), "Case #%d: %31s%n", &number, answer, &end) == 2 && end == int(line.size()))
            found.emplace(number, answer);
    }
    auto correct = [&](int at) { return found.count(at + 1) && found[at + 1] == std::to_string(best[at]); };
    bool first = true, second = true;
    for (int at = 0; at < total; at++) (at < easy ? first : second) &= correct(at);
    int points = 30 * first + 70 * second;
    std::cout << "{\"score\": " << points / 100.0 << ", \"validation\": {\"cases\": [";
    for (int at = 0; at < total; at++)
        std::cout << (at ? ", " : "") << "{\"status\": \"" << (found.count(at + 1) ? "parsed" : "missing") << "\"}";
    std::cout << "], \"alerts\": []}, \"feedback\": {\"cases\": [";
    for (int at = 0; at < total; at++)
        std::cout << (at ? ", " : "") << "{\"correct\": " << (correct(at) ? "true" : "false") << "}";
    std::cout << "], \"alerts\": []}, \"subtasks\": [{\"score\": " << 30 * first
              << ", \"max_score\": 30, \"testcases\": [0, 1], \"labels\": [\"short\"]}, {\"score\": " << 70 * second
              << ", \"max_score\": 70, \"testcases\": [2, 3, 4, 5]}]}" << std::endl;
}
