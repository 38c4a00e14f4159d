// A saved policy as a target: its probabilities in every row, while it learns nothing.
#pragma once

#include "logs/learnt_policy.hpp"
#include "logs/target.hpp"

namespace phe::logs {

// `draws`: models for each row, where the policy has no closed form. Their shares are unbiased, and
// so is every estimate that is linear in them.
std::unique_ptr<Target> make_policy_target(LearntPolicy learnt, std::size_t draws,
                                           std::uint64_t seed);

}  // namespace phe::logs
