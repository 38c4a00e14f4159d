#include "policies/lin_fpl.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "policies/twin.hpp"
#include "support/learning.hpp"

namespace phe::test {
namespace {

TEST(LinFpl, PullsTheBestArmOfADenseFitToTheSumsWithTheSameNoise) {
  const Arms arms = normal_arms(13, 4, 1);
  LinFplOptions options;
  options.noise_scale = 0.7;
  options.ridge = 0.4;
  Learning<LinFpl> policy(arms, LinFpl::create(arms, options), Start::basis);
  DenseRidge twin(4, 0.4);
  std::vector<ArmId> rows;  // pulled arms, in the order of their first pull
  std::vector<double> pulls(13);
  Rng rng(3);
  Rng twin_rng(3);
  for (std::uint64_t t = 1; t <= 300; ++t) {
    ArmId expected = static_cast<ArmId>(13 - t);  // the paper's basis: the last d arms
    if (t > 4) {
      DenseRidge perturbed = twin;
      for (const ArmId row : rows)
        perturbed.target +=
            0.7 * std::sqrt(pulls[row]) * kernels::normal(twin_rng) * row_of(arms, row);
      expected = dense_best(dense_scores(arms, perturbed.estimate()), twin_rng);
    }
    const ArmId arm = policy.select(rng);
    ASSERT_EQ(arm, expected) << "round " << t;
    policy.update(arm, fraction(arm, t));
    twin.add(row_of(arms, arm), fraction(arm, t));
    if (pulls[arm]++ == 0) rows.push_back(arm);
  }
}

TEST(LinFpl, RefusesNumbersThatCannotWork) {
  const Arms arms = normal_arms(3, 2, 1);
  LinFplOptions options;
  options.noise_scale = -1;
  EXPECT_EQ(LinFpl::create(arms, options).error().message,
            "linfpl: a must be > 0 and finite, got -1");
}

}  // namespace
}  // namespace phe::test
