// Harmless: fifty threads with stacks of the usual size.
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>
int main() {
    std::atomic<int> count{0};
    std::vector<std::thread> all;
    for (int i = 0; i < 50; i++) all.emplace_back([&] { ++count; while (count < 50) std::this_thread::yield(); });
    for (auto &one : all) one.join();
    puts("ok");
}
