// Where a family is tried: places in the unit cube of its ranges.
#pragma once

#include <cstddef>
#include <vector>

#include "phe/rng.hpp"
#include "tune/family.hpp"

namespace phe::tune {

// `count` places, uniform in each range and one in each of its `count` parts (a Latin hypercube).
std::vector<Place> spread_places(std::size_t ranges, std::size_t count, SplitMix& words);

// `count` places no further than `reach` from `centre` in any range: evenly to both sides for one
// range, at random for more. None is the centre; what would leave the cube is at its edge.
std::vector<Place> places_around(const Place& centre, double reach, std::size_t count,
                                 SplitMix& words);

}  // namespace phe::tune
