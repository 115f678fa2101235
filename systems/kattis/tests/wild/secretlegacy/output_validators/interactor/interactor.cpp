#include <fstream>
#include <iostream>
#include <string>

int main(int argc, char **argv) {
    if (argc < 4) return 1;
    std::ifstream input(argv[1]);
    int secret, guess;
    input >> secret;
    std::ofstream message(std::string(argv[3]) + "judgemessage.txt");
    for (int count = 1; count <= 10; count++) {
        if (!(std::cin >> guess) || guess < 1 || guess > 1000) {
            message << "guess " << count << " is no number\n";
            return 43;
        }
        if (guess == secret) {
            std::cout << "correct" << std::endl;
            return 42;
        }
        std::cout << (guess < secret ? "higher" : "lower") << std::endl;
    }
    message << "too many guesses\n";
    return 43;
}
