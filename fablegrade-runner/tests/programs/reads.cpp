#include <iostream>
#include <string>
#include <thread>
#include <vector>
int main() {
    std::string word;
    for (bool first = true; std::cin >> word; first = false) {
        volatile bool spins = word == "spin";
        while (spins) {}
        if (word == "sleep") std::this_thread::sleep_for(std::chrono::minutes(10));
        std::vector<std::vector<char>> held;
        while (word == "eat") held.emplace_back(1 << 20, 'x');
        while (word == "flood") std::cout << "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n";
        if (word == "crash") return 3;
        std::cout << (first ? "" : " ") << 2 * std::stoi(word);
    }
    std::cout << '\n';
}
