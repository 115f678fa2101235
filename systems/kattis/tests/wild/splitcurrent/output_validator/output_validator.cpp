#include "validation.h"

int main(int argc, char **argv) {
    if (argc < 4) return 1;
    std::ifstream input(argv[1]);
    Verdict verdict(argv[3]);
    long long n, a, b;
    input >> n;
    std::string rest;
    if (!(std::cin >> a >> b)) verdict.wrong("expected two numbers");
    if (std::cin >> rest) verdict.wrong("more than two numbers");
    if (a < 1 || b < 1 || a > n || b > n || a + b != n) verdict.wrong("not a split");
    if (a - b > 1 || b - a > 1) verdict.wrong("not fair");
    verdict.accept();
}
