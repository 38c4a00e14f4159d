// Rank bodies as a shop might send them: categories and numbers, a context of five features.
#pragma once

#include <string>
#include <string_view>

#include "phe/rng.hpp"

namespace phe::serve::load {

std::string rank_body(std::size_t actions, std::size_t features, std::string_view event,
                      SplitMix& words);

}  // namespace phe::serve::load
