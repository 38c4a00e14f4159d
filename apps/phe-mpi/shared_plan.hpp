// A plan as text that goes from rank to rank, and the check that both have the same.
#pragma once

#include <string>

#include <phe/registry.hpp>
#include <phe/result.hpp>
#include <phe/simulate.hpp>

namespace phe::mpi {

struct SharedPlan {
  Plan plan;
  unsigned threads = 1;  // of each rank
};

std::string to_text(const Plan& plan, unsigned threads);
// Reads the plan's files where rank 0 has them. Refuses when one has another content here.
Result<SharedPlan> plan_from(const std::string& text, const Registry& registry);

}  // namespace phe::mpi
