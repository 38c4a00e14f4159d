#include "tune/points.hpp"

#include <algorithm>
#include <numeric>

namespace phe::tune {

namespace {

// 0 .. count - 1 in random order.
std::vector<std::size_t> shuffled(std::size_t count, SplitMix& words) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = count; i > 1; --i)
    std::swap(order[i - 1], order[static_cast<std::size_t>(words() % i)]);
  return order;
}

}  // namespace

std::vector<Place> spread_places(std::size_t ranges, std::size_t count, SplitMix& words) {
  std::vector<Place> places(count, Place(ranges));
  for (std::size_t r = 0; r < ranges; ++r) {
    const auto parts = shuffled(count, words);
    for (std::size_t i = 0; i < count; ++i)
      places[i][r] =
          (static_cast<double>(parts[i]) + to_unit(words())) / static_cast<double>(count);
  }
  if (ranges == 1) std::ranges::sort(places);
  return places;
}

std::vector<Place> places_around(const Place& centre, double reach, std::size_t count,
                                 SplitMix& words) {
  std::vector<Place> places;
  const auto sides = static_cast<double>((count + 1) / 2);
  for (std::size_t i = 0; i < count; ++i) {
    Place place = centre;
    // For six: -1/3, 1/3, -2/3, 2/3, -1, 1 of the reach.
    const double step = (i % 2 == 0 ? -1.0 : 1.0) * (static_cast<double>(i / 2) + 1.0) / sides;
    for (double& coordinate : place) {
      const double move = centre.size() == 1 ? step : 2.0 * to_unit(words()) - 1.0;
      coordinate = std::clamp(coordinate + reach * move, 0.0, 1.0);
    }
    if (place != centre) places.push_back(std::move(place));
  }
  return places;
}

}  // namespace phe::tune
