// The log as a problem of a plan: what a policy may know before its first round.
#pragma once

#include <string>

#include "logs/log_rounds.hpp"
#include "phe/registry.hpp"

namespace phe::tune {

// Asked for as log:identity=.., with the given identity alone. Its instances cannot be played: only
// the log's own choices have rewards.
ProblemEntry log_problem_entry(const std::string& identity, const logs::LogShape& shape);

}  // namespace phe::tune
