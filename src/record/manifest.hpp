// manifest.json: where the numbers of a results folder come from.
#pragma once

#include <string>
#include <vector>

#include "phe/simulate.hpp"
#include "record/curves.hpp"
#include "record/experiment_json.hpp"

namespace phe {

// How the runs were done; the results do not depend on it.
struct Machine {
  std::string cpu;
  std::string simd;
  unsigned threads = 1;
};

// The model name of the processor as the system tells it, or "unknown".
std::string cpu_model();

// Experiment, program, machine, and the time each policy took.
Json manifest(const Plan& plan, const std::vector<Curve>& curves, const Machine& machine);

}  // namespace phe
