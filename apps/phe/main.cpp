// phe: the command line.
#include "main_program.hpp"

int main(int argc, char** argv) { return phe::app::run_program(argc, argv); }
