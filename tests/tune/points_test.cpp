#include "tune/points.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace phe::tune {
namespace {

TEST(Places, AreOneInEachPartOfEachRange) {
  SplitMix words(StreamKey(3));
  const auto places = spread_places(2, 12, words);
  ASSERT_EQ(places.size(), 12U);
  for (std::size_t r = 0; r < 2; ++r) {
    std::vector<int> parts;
    for (const Place& place : places) parts.push_back(static_cast<int>(12 * place[r]));
    std::ranges::sort(parts);
    for (int part = 0; part < 12; ++part) EXPECT_EQ(parts[part], part);
  }
}

TEST(Places, AroundOneAreEvenOnBothSides) {
  SplitMix words(StreamKey(3));
  auto places = places_around({0.5}, 0.3, 6, words);
  std::ranges::sort(places);
  ASSERT_EQ(places.size(), 6U);
  const double expected[] = {0.2, 0.3, 0.4, 0.6, 0.7, 0.8};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(places[i][0], expected[i], 1e-12);
}

TEST(Places, AroundOneAtTheEdgeStayInside) {
  SplitMix words(StreamKey(3));
  for (const Place& place : places_around({0.0}, 0.3, 6, words)) {
    EXPECT_GT(place[0], 0.0);
    EXPECT_LE(place[0], 0.3 + 1e-12);
  }
  for (const Place& place : places_around({0.9, 0.1}, 0.2, 20, words)) {
    EXPECT_TRUE(place[0] >= 0.7 && place[0] <= 1.0);
    EXPECT_TRUE(place[1] >= 0.0 && place[1] <= 0.3 + 1e-12);
  }
}

}  // namespace
}  // namespace phe::tune
