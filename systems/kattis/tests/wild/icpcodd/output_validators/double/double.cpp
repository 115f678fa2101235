#include <fstream>
#include <iostream>
#include <string>
int main(int n, char **a) { if (n != 6 || std::string(a[4]) != "lenient" || std::string(a[5]) != "twice") return 1; std::ifstream in(a[1]); long long v, got; std::string more; in >> v; if (!(std::cin >> got) || (std::cin >> more) || got != 2 * v) { std::ofstream(std::string(a[3]) + "judgemessage.txt") << "not double\n"; return 43; } return 42; }
