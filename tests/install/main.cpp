// A program outside the project: it sees the installed headers and library, and nothing else.
#include <iostream>
#include <phe/version.hpp>

int main() { std::cout << "phe " << phe::version << '\n'; }
