// Reading a finished results folder back, to draw and compare what is in it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "phe/registry.hpp"
#include "phe/result.hpp"
#include "phe/simulate.hpp"
#include "record/journal_reader.hpp"

namespace phe {

struct Results {
  std::filesystem::path folder;
  Plan plan;
  Runs runs;  // all of the plan
};

// Refuses a folder without a journal, or whose runs are not all done. The registry must outlive it.
Result<Results> read_results(const std::filesystem::path& folder, const Registry& registry);

// Where the policy that `spec` asks for is among `policies`, however its keys are written. The
// error lists what there is.
Result<std::size_t> position_of(const std::string& spec, const std::vector<PolicySpec>& policies,
                                const Registry& registry);

}  // namespace phe
