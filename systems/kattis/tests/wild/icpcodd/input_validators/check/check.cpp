#include <iostream>
#include <string>
int main() { std::string line, more; if (!std::getline(std::cin, line) || std::getline(std::cin, more)) return 43; if (line.empty() || line.size() > 6 || (line.size() > 1 && line[0] == '0')) return 43; for (char c : line) if (c < '0' || c > '9') return 43; return 42; }
