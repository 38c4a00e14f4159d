// Grids: one text that stands for several specs.
//
//   linphe:a=0.1|0.5|1,ridge=1|4      six policies, in this order: the last key changes fastest
//
// A bar within double quotes is part of the value: features="a|b.csv".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "phe/result.hpp"

namespace phe {

// The specs that `spec` stands for; a spec without a bar stands for itself, as it is written.
// `kind` is "policy" or "problem", for messages.
Result<std::vector<std::string>> expand_grid(std::string_view kind, std::string_view spec);
// Those of each of the texts, one after the other.
Result<std::vector<std::string>> expand_grids(std::string_view kind,
                                              const std::vector<std::string>& specs);

}  // namespace phe
