#include "models/optimistic_choice.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "core/best_arm.hpp"
#include "kernels/optimism.hpp"
#include "support/arms.hpp"
#include "support/simd.hpp"

namespace phe {
namespace {

// All widths, and then the best.
ArmId plain_best(const FeatureView& x, const RidgeModel& gram, std::span<const double> theta,
                 double radius, Rng& rng) {
  std::vector<double> means(x.padded_arms());
  std::vector<double> squared(x.padded_arms());
  std::vector<double> scores(x.padded_arms());
  kernels::scalar::score_arms(x, theta, means);
  gram.squared_widths(x, squared);
  const auto best = kernels::scalar::best_optimistic(means, squared, radius, scores);
  return best_arm(scores, best, rng);
}

RidgeModel learnt(std::size_t d, std::size_t pulls, Rng& rng) {
  RidgeModel gram(d, 0.3);
  for (std::size_t t = 0; t < pulls; ++t) {
    auto x = test::normal_vector(d, rng);
    for (std::size_t j = 1; j < d; ++j) x[j] += 0.8 * x[j - 1];  // features go together
    x[0] *= 10.0;                                                // and have their own scales
    gram.add(x, 1.0);
  }
  return gram;
}

class OptimisticChoices : public testing::TestWithParam<std::tuple<std::size_t, std::size_t>> {};
INSTANTIATE_TEST_SUITE_P(Tails, OptimisticChoices,
                         testing::Combine(testing::Values(1, 3, 8, 9, 100),
                                          testing::Values(1, 2, 5, 9, 20)));

TEST_P(OptimisticChoices, AreThoseOfAllWidthsOnEveryTarget) {
  const auto [actions, d] = GetParam();
  test::on_every_target([&, actions = actions, d = d] {
    Rng rng(61);
    OptimisticChoice choice;
    for (std::size_t pulls = 0; pulls < 60; pulls += 4) {
      const RidgeModel gram = learnt(d, pulls, rng);
      const Arms x = test::normal_arms(actions, d, 62 + pulls);
      const auto theta = test::normal_vector(d, rng);
      for (const double radius : {0.0, 0.01, 1.0, 30.0}) {
        Rng ours(63);
        Rng theirs(63);
        ASSERT_EQ(choice.best(x.view(), gram, theta, radius, ours),
                  plain_best(x.view(), gram, theta, radius, theirs));
        ASSERT_EQ(ours(), theirs());
      }
    }
  });
}

// Rows come in groups of equal ones: the tie is broken as among all of them.
TEST(OptimisticChoice, TiesAreBrokenAsByAPassOverAll) {
  const Arms few = test::normal_arms(4, 5, 64);
  const Arms x = Arms::generate(40, 5, [&](std::size_t k, std::size_t j) {
                   return few.at(static_cast<ArmId>(k * 7 % 4), j);
                 }).value();
  Rng rng(65);
  const RidgeModel gram = learnt(5, 30, rng);
  OptimisticChoice choice;
  Rng ours(66);
  Rng theirs(66);
  for (int repetition = 0; repetition < 50; ++repetition) {
    const auto theta = test::normal_vector(5, rng);
    ASSERT_EQ(choice.best(x.view(), gram, theta, 0.5, ours),
              plain_best(x.view(), gram, theta, 0.5, theirs));
  }
}

TEST(OptimisticChoice, MostWidthsAreNeverComputedOnceTheyAreSmall) {
  Rng rng(67);
  const RidgeModel gram = learnt(5, 2'000, rng);
  const Arms x = test::normal_arms(100, 5, 68);
  OptimisticChoice choice;
  choice.best(x.view(), gram, test::normal_vector(5, rng), 1.0, rng);
  EXPECT_LE(choice.computed(), 20U);
}

TEST(OptimisticChoice, AnActionThatExistsIsTakenWhenNumbersOverflow) {
  Rng rng(69);
  const RidgeModel gram = learnt(3, 10, rng);
  OptimisticChoice choice;
  for (const double size : {1e160, 1e300, 1e-160, 1e-300}) {
    const Arms x = Arms::generate(9, 3, [&](std::size_t k, std::size_t j) {
                     return size * static_cast<double>((k * 5 + j * 3) % 7) - size;
                   }).value();
    const std::vector<double> theta(3, 0.5);
    Rng ours(70);
    Rng theirs(70);
    EXPECT_EQ(choice.best(x.view(), gram, theta, 1.0, ours),
              plain_best(x.view(), gram, theta, 1.0, theirs));
  }
}

// The bound of RidgeModel, against what it bounds.
TEST(WidthBounds, NoWidthExceedsThemAndThoseAlongAnAxisReachTheDiagonal) {
  for (const std::size_t d : {1, 2, 5, 20}) {
    Rng rng(71 + d);
    for (const std::size_t pulls : {0, 3, 100}) {
      const RidgeModel gram = learnt(d, pulls, rng);
      std::vector<double> bounds(padded(d));
      gram.width_bounds(bounds);
      for (int repetition = 0; repetition < 50; ++repetition) {
        const auto x = test::normal_vector(d, rng);
        double sum = 0.0;
        for (std::size_t j = 0; j < d; ++j) sum += bounds[j] * x[j] * x[j];
        ASSERT_LE(gram.squared_width(x), sum);
      }
      // Without observations features do not go together, and the bound is the width.
      for (std::size_t j = 0; j < d && pulls == 0; ++j)
        EXPECT_NEAR(bounds[j], gram.inverse(j, j), 1e-12 * gram.inverse(j, j));
    }
  }
}

}  // namespace
}  // namespace phe
