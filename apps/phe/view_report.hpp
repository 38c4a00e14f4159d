// What phe view shows of a results folder, as JSON.
#pragma once

#include <filesystem>
#include <string>

#include "phe/registry.hpp"
#include "phe/result.hpp"

namespace phe::app {

// {"against": .., "parts": [{"folder", "state", "done", "of", "policies", "problems": [..]}]}: a
// part for each results folder in `folder`, or for itself; differences are to the policy at
// position `against`, or to the last where there are fewer.
Result<std::string> view_json(const std::filesystem::path& folder, std::size_t against,
                              const Registry& registry);

}  // namespace phe::app
