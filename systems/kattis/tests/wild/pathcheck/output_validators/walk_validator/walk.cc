#include "validate.h"

int main(int argc, char **argv) {
    if (argc < 4) return 1;
    feedback_folder = argv[3];
    long long n, jury, longest = 1;
    std::ifstream input(argv[1]), answer(argv[2]);
    input >> n;
    answer >> jury;
    for (int i = 4; i + 1 < argc; i += 2)
        if (std::string(argv[i]) == "steps") longest = std::stoll(argv[i + 1]);
    long long count, at, before = 0;
    if (!(std::cin >> count) || count < 1 || count > n) wrong_answer("no length");
    if (count > jury) wrong_answer("%lld places, the jury needs %lld", count, jury);
    for (long long i = 0; i < count; i++) {
        if (!(std::cin >> at)) wrong_answer("only %lld places", i);
        if (i == 0 ? at != 1 : at <= before || at - before > longest) wrong_answer("%lld after %lld", at, before);
        before = at;
    }
    if (before != n) wrong_answer("ends at %lld", before);
    std::string rest;
    if (std::cin >> rest) wrong_answer("more than the way");
    accept();
}
