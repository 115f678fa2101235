#include <iostream>
#include <stdexcept>
#include <thread>
class Solution {
public:
    std::string solve(const std::string &how) {
        volatile bool spins = how == "spin";
        while (spins) {}
        if (how == "sleep") std::this_thread::sleep_for(std::chrono::minutes(10));
        std::vector<std::vector<char>> held;
        while (how == "eat") held.emplace_back(1 << 20, 'x');
        while (how == "flood") std::cout << "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n";
        if (how == "crash") throw std::runtime_error("as asked");
        return how + "!";
    }
};
