#include "policies/phe.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "kernels/binomial_half.hpp"
#include "policies/twin.hpp"
#include "support/arm_flips.hpp"
#include "support/learning.hpp"

namespace phe::test {
namespace {

class PheTwin : public testing::TestWithParam<PseudoLaw> {};
INSTANTIATE_TEST_SUITE_P(Laws, PheTwin, testing::Values(PseudoLaw::bernoulli, PseudoLaw::gaussian));

TEST_P(PheTwin, PullsTheArmWithTheHighestMeanOfAnExplicitPerturbedHistory) {
  constexpr std::size_t arms = 11;
  PheOptions options;
  options.perturbation_scale = 1.5;
  options.pseudo_rewards = GetParam();
  Learning<Phe> policy(unit_arms(arms), Phe::create(unit_arms(arms), options));
  std::vector<double> pulls(arms);
  std::vector<double> sums(arms);
  Rng rng(3);
  Rng twin_rng(3);
  for (std::uint64_t t = 1; t <= 500; ++t) {
    std::vector<std::uint64_t> trials(16);
    std::vector<double> pseudo(16);
    for (std::size_t k = 0; k < arms; ++k)
      trials[k] = static_cast<std::uint64_t>(std::ceil(1.5 * pulls[k]));
    if (GetParam() == PseudoLaw::bernoulli)
      kernels::scalar::binomial_half(trials, twin_rng, pseudo);
    std::vector<double> means(arms, std::numeric_limits<double>::infinity());
    for (std::size_t k = 0; k < arms; ++k) {
      if (pulls[k] == 0) continue;
      const auto m = static_cast<double>(trials[k]);
      if (GetParam() == PseudoLaw::gaussian)
        pseudo[k] = m / 2 + std::sqrt(m / 4) * kernels::normal(twin_rng);
      means[k] = (sums[k] + pseudo[k]) * (1 / (pulls[k] + m));
    }
    const ArmId arm = policy.select(rng);
    ASSERT_EQ(arm, dense_best(means, twin_rng)) << "round " << t;
    policy.update(arm, fraction(arm, t));
    ++pulls[arm];
    sums[arm] += fraction(arm, t);
  }
}

TEST(Phe, PullsEveryArmOnceBeforeAnyOneTwice) {
  Learning<Phe> policy(unit_arms(20), Phe::create(unit_arms(20)));
  Rng rng(1);
  std::vector<int> pulls(20);
  for (int t = 0; t < 20; ++t) {
    const ArmId arm = policy.select(rng);
    ++pulls[arm];
    policy.update(arm, 1.0);
  }
  EXPECT_EQ(pulls, std::vector<int>(20, 1));
}

TEST(Phe, RefusesNumbersThatCannotWork) {
  PheOptions options;
  options.perturbation_scale = 0;
  EXPECT_EQ(Phe::create(unit_arms(3), options).error().message,
            "phe: perturbation scale a must be between 1e-06 and 1e+06, got 0");
}

}  // namespace
}  // namespace phe::test
