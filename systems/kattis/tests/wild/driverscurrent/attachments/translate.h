#pragma once
#include <string>
std::string translate(const std::string &word);
