// Giro and LinGiro against a bootstrap to the letter: a list of every reward and pseudo-reward,
// resampled with replacement item by item. The two share no random numbers, so they are compared by
// how often each arm is chosen from one and the same history.
#include "policies/giro.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "policies/lin_giro.hpp"
#include "policies/twin.hpp"
#include "support/arm_flips.hpp"
#include "support/learning.hpp"
#include "support/sizes.hpp"

namespace phe::test {
namespace {

struct Observation {
  ArmId arm;
  double reward;
};

std::vector<Observation> pulls_of(const std::vector<int>& pulls,
                                  double (*reward)(ArmId, std::uint64_t)) {
  std::vector<Observation> history;
  for (ArmId arm = 0; arm < pulls.size(); ++arm)
    for (int i = 0; i < pulls[arm]; ++i)
      history.push_back({arm, reward(arm, static_cast<std::uint64_t>(i))});
  return history;
}

// The history with `a` pseudo-rewards of 0 and of 1 for each pull.
std::vector<Observation> with_garbage(const std::vector<Observation>& history, int a) {
  std::vector<Observation> all = history;
  for (const Observation& pull : history)
    for (int i = 0; i < a; ++i) {
      all.push_back({pull.arm, 0.0});
      all.push_back({pull.arm, 1.0});
    }
  return all;
}

// One item, its reward rounded to 0 or 1 by a coin.
Observation draw_from(const std::vector<Observation>& items, Rng& rng) {
  Observation item = items[rng.below(items.size())];
  item.reward = to_unit(rng()) < item.reward ? 1.0 : 0.0;
  return item;
}

std::vector<Observation> of_arm(const std::vector<Observation>& items, ArmId arm) {
  std::vector<Observation> own;
  for (const Observation& item : items)
    if (item.arm == arm) own.push_back(item);
  return own;
}

ArmId bootstrap_means(const std::vector<Observation>& items, std::size_t arms, Rng& rng) {
  std::vector<double> means(arms);
  for (ArmId arm = 0; arm < arms; ++arm) {
    const auto own = of_arm(items, arm);
    for (std::size_t i = 0; i < own.size(); ++i) means[arm] += draw_from(own, rng).reward;
    means[arm] /= static_cast<double>(own.size());
  }
  return dense_best(means, rng);
}

ArmId bootstrap_regression(const std::vector<Observation>& items, const Arms& arms, double ridge,
                           Resample resample, Rng& rng) {
  DenseRidge model(arms.dimension(), ridge);
  const auto learn = [&](const std::vector<Observation>& from) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      const Observation item = draw_from(from, rng);
      model.add(row_of(arms, item.arm), item.reward);
    }
  };
  if (resample == Resample::history) {
    learn(items);
  } else {
    for (ArmId arm = 0; arm < arms.size(); ++arm) learn(of_arm(items, arm));
  }
  return dense_best(dense_scores(arms, model.estimate()), rng);
}

// Both choose `count` times; the frequencies of each arm differ by less than 5 standard errors.
template <class Select, class Twin>
void expect_same_choices(std::size_t arms, std::size_t count, Select select, Twin twin) {
  std::vector<double> chosen(arms);
  std::vector<double> twin_chosen(arms);
  for (std::size_t i = 0; i < count; ++i) {
    ++chosen[select()];
    ++twin_chosen[twin()];
  }
  const auto n = static_cast<double>(count);
  int contested = 0;
  for (std::size_t k = 0; k < arms; ++k) {
    const double p = (chosen[k] + twin_chosen[k]) / (2 * n);
    EXPECT_NEAR(chosen[k], twin_chosen[k], 5 * std::sqrt(2 * n * p * (1 - p)) + 1) << "arm " << k;
    contested += p > 0.05 ? 1 : 0;
  }
  EXPECT_GE(contested, 2) << "the case says little: one arm wins always";
}

TEST(Giro, ChoosesAsOftenAsABootstrapItemByItem) {
  for (const auto reward : {coin, fraction}) {
    const auto history = pulls_of({4, 9, 15}, reward);
    Learning<Giro> policy(unit_arms(3), Giro::create(unit_arms(3), {.pseudo_rewards = 1.0}));
    for (const auto& [arm, y] : history) policy.update(arm, y);
    const auto items = with_garbage(history, 1);
    Rng rng(3);
    Rng twin_rng(4);
    expect_same_choices(
        3, draws(40'000, 4'000), [&] { return policy.select(rng); },
        [&] { return bootstrap_means(items, 3, twin_rng); });
  }
}

TEST(Giro, PullsEveryArmOnceBeforeAnyOneTwice) {
  Learning<Giro> policy(unit_arms(20), Giro::create(unit_arms(20)));
  Rng rng(1);
  std::vector<int> pulls(20);
  for (int t = 0; t < 20; ++t) {
    const ArmId arm = policy.select(rng);
    ++pulls[arm];
    policy.update(arm, 1.0);
  }
  EXPECT_EQ(pulls, std::vector<int>(20, 1));
}

class LinGiroTwin : public testing::TestWithParam<Resample> {};
INSTANTIATE_TEST_SUITE_P(What, LinGiroTwin, testing::Values(Resample::history, Resample::arms));

TEST_P(LinGiroTwin, ChoosesAsOftenAsABootstrapItemByItem) {
  const Arms arms =
      Arms::from_rows({{1.0, 0.2}, {0.9, 0.5}, {0.3, 1.1}, {-0.4, 1.2}, {0.7, 0.9}}).value();
  for (const auto reward : {coin, fraction}) {
    const auto history = pulls_of({4, 9, 7, 3, 5}, reward);
    LinGiroOptions options;
    options.pseudo_rewards = 2.0;
    options.ridge = 0.3;
    options.resample = GetParam();
    Learning<LinGiro> policy(arms, LinGiro::create(arms, options), Start::basis);
    for (const auto& [arm, y] : history) policy.update(arm, y);
    const auto items = with_garbage(history, 2);
    Rng rng(3);
    Rng twin_rng(4);
    expect_same_choices(
        5, draws(20'000, 2'000), [&] { return policy.select(rng); },
        [&] { return bootstrap_regression(items, arms, 5 * 0.3, GetParam(), twin_rng); });
  }
}

// With one row, x = 1, a fit is S / (N + (2a + 1) lambda) for some whole number S of ones among N =
// (2a + 1) T.
TEST_P(LinGiroTwin, HasARidgeForEachPseudoRewardToo) {
  const Arms arms = Arms::from_rows({{1.0}}).value();
  constexpr double a = 2.0;
  constexpr double ridge = 0.37;
  constexpr double size = (2 * a + 1) * 7;
  auto learner =
      LinGiro::create(arms, {.pseudo_rewards = a, .ridge = ridge, .resample = GetParam()});
  learner->observe(
      {.row = learner->rows().append(std::vector{1.0}), .reward_sum = 3.0, .pulls = 7});
  Rng rng(5);
  for (int draw = 0; draw < 100; ++draw) {
    const double ones = learner->draw(rng)[0] * (size + (2 * a + 1) * ridge);
    EXPECT_NEAR(ones, std::round(ones), 1e-9);
    EXPECT_LE(ones, size);
  }
}

TEST(LinGiro, RefusesNumbersThatCannotWork) {
  const Arms arms = normal_arms(3, 2, 1);
  LinGiroOptions options;
  options.ridge = 0;
  EXPECT_EQ(LinGiro::create(arms, options).error().message,
            "lingiro: ridge must be > 0 and finite, got 0");
}

}  // namespace
}  // namespace phe::test
