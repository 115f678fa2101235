#pragma once
#include <vector>
std::vector<int> steps(int n);
