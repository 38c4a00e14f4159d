// Command lines that are shown, to be typed again.
#pragma once

#include <string>

#include <phe/simulate.hpp>

namespace phe::app {

// phe simulate for this experiment, into that folder; an empty one is left out.
std::string simulate_command(const Experiment& experiment, const std::string& out);

}  // namespace phe::app
