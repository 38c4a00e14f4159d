// Benchmarks "<policy>/<implementation>/d:<d>" of whole runs, phe's beside the Eigen ones.
#pragma once

#include <string>
#include <vector>

#include "comparators/comparators.hpp"
#include "support/rounds.hpp"

namespace phe::bench {

struct Contender {
  std::string name;  // of the benchmark
  std::string spec;  // of the policy in phe
};

void compare_policies(const std::string& problem, const std::vector<Contender>& contenders,
                      const std::vector<PolicyComparator>& comparators);

}  // namespace phe::bench
