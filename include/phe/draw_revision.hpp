// The revision of everything that is random.
#pragma once

#include <cstdint>

namespace phe {

// Raise it by one, in the same commit, whenever the same seed and the same specs come to give other
// regrets in any bit: other draws or another order of them, another order of arithmetic, another
// default, another canonical name. Results of two revisions are never mixed: a results folder
// remembers the one it was made with. What is only added (a policy, a key with a default that
// changes nothing) leaves it as it is. tests/sim/draw_revision_test.cpp knows the regrets of this
// revision and fails when they change without it.
inline constexpr std::uint64_t draw_revision = 2;

}  // namespace phe
