// Disjoint linear contexts: each round has one context x, drawn as an arm of the paper's linear
// bandit, and K arms with a theta of their own, each drawn as the paper's theta. The mean of arm k
// is x^T theta_k.
#pragma once

#include "phe/registry.hpp"

namespace phe {

ProblemEntry disjoint_entry();

}  // namespace phe
