#include "models/best_beta.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "kernels/gamma.hpp"
#include "logs/thompson_ranks.hpp"
#include "phe/rng.hpp"

namespace phe::test {
namespace {

std::vector<double> best(const std::vector<BetaShape>& shapes) {
  std::vector<double> probabilities(shapes.size());
  BestBeta().probabilities(shapes, probabilities);
  return probabilities;
}

const std::vector<std::vector<BetaShape>>& cases() {
  static const std::vector<std::vector<BetaShape>> all = {
      {{1, 1}, {1, 1}},
      {{1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}},
      {{2, 1}, {1, 2}},
      {{30, 70}, {33, 67}, {1, 1}},
      {{1, 400}, {2, 399}, {3.5, 500.25}},
      {{900, 2}, {5, 1}, {300, 1}},
      {{5000, 5000}, {5050, 4950}, {20, 30}, {1, 1}},
      {{1000, 99000}, {3, 200}, {1100, 98900}},
  };
  return all;
}

// Two quadratures that have nothing in common: equal panels in sqrt(x) with incomplete beta
// functions, and panels where the densities are with integrals of their own.
TEST(BestBeta, AgreesWithTheExactRanksOfThompsonSampling) {
  for (const auto& shapes : cases()) {
    std::vector<logs::BetaParameters> same;
    for (const auto& [alpha, beta] : shapes) same.push_back({alpha, beta});
    const auto exact = logs::thompson_ranks(same, 1).value()[0];
    const auto probabilities = best(shapes);
    for (std::size_t a = 0; a < shapes.size(); ++a)
      EXPECT_NEAR(probabilities[a], exact[a], 1e-8) << a << " of " << shapes.size();
  }
}

TEST(BestBeta, OfTwoIsTheClosedForm) {
  // P(Beta(2, 1) > Beta(1, 2)) = int 2x (1 - (1-x)^2) dx = 5/6.
  EXPECT_NEAR(best({{2, 1}, {1, 2}})[0], 5.0 / 6.0, 1e-13);
  EXPECT_EQ(best({{7, 3}}), std::vector<double>{1.0});
}

TEST(BestBeta, SumsToOneAndIsHalfForEqualsHoweverNarrow) {
  for (const double n : {1.0, 1e3, 1e6, 1e9, 1e12}) {
    const auto probabilities = best({{n, 2 * n}, {n, 2 * n}, {1, n}});
    EXPECT_NEAR(probabilities[0], probabilities[1], 1e-9) << n;
    EXPECT_NEAR(probabilities[0] + probabilities[1] + probabilities[2], 1.0, 1e-12) << n;
  }
}

TEST(BestBeta, IsTheShareOfDrawsThatAreBest) {
  const std::vector<BetaShape> shapes = {{3, 5}, {4, 4}, {1, 1}, {20, 30}};
  const auto probabilities = best(shapes);
  constexpr int draws = 100'000;
  std::vector<double> won(shapes.size());
  Rng rng(1);
  for (int i = 0; i < draws; ++i) {
    std::size_t first = 0;
    double highest = -1;
    for (std::size_t a = 0; a < shapes.size(); ++a)
      if (const double x = kernels::beta(shapes[a].alpha, shapes[a].beta, rng); x > highest) {
        highest = x;
        first = a;
      }
    ++won[first];
  }
  for (std::size_t a = 0; a < shapes.size(); ++a) {
    const double p = probabilities[a];
    EXPECT_NEAR(won[a] / draws, p, 4.5 * std::sqrt(p * (1 - p) / draws));
  }
}

}  // namespace
}  // namespace phe::test
