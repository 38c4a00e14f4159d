// Numbers at the edge of what is allowed, for every policy of the registry: no NaN, no endless
// loop, arms that exist, and the exact answer where there is one. A theta of NaNs shows: no NaN
// wins an argmax, so such a policy pulls arm 0 for ever, which is never the best one here.
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/perturbation_scale.hpp"
#include "phe/lin_phe.hpp"
#include "phe/log_phe.hpp"
#include "phe/registry.hpp"
#include "support/sizes.hpp"
#include "support/statistics.hpp"

namespace phe::test {
namespace {

using ::testing::HasSubstr;

const Registry& registry() {
  static const Registry built_in = Registry::built_in();
  return built_in;
}

// Every policy as it is, and the variants that compute something else.
std::vector<std::string> all_specs() {
  std::vector<std::string> specs = {
      "linphe:gram=authors", "linphe:centred",         "linucb:radius=theorem",
      "lints:inflated",      "linens:noise=bernoulli", "lingiro:resample=arms",
      "phe:pseudo=gaussian", "logphe:stop=gradient",   "poisphe:stop=gradient"};
  for (const auto& entry : registry().policies()) specs.push_back(entry->name);
  return specs;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name;
  for (const char c : info.param)
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

std::string name_of(const std::string& spec) { return spec.substr(0, spec.find(':')); }
bool has_key(const std::string& spec, const std::string& key) {
  for (const auto& entry : registry().policies())
    if (entry->name == name_of(spec))
      for (const auto& info : entry->parameters)
        if (info.key == key) return true;
  return false;
}
std::string with(const std::string& spec, const std::string& key, double value) {
  if (!has_key(spec, key)) return spec;
  return spec + (spec.find(':') == std::string::npos ? ":" : ",") + key + fmt::format("={}", value);
}
// Those with a log link: means are exp(x^T theta), and the unit of a reward matters.
bool counts(const std::string& spec) { return spec.starts_with("pois"); }
bool has_model(const std::string& spec) { return has_key(spec, "ridge"); }

Result<std::unique_ptr<Policy>> make(const std::string& spec, const Arms& arms,
                                     RewardRange range = {}) {
  return registry().policy(spec).value().make({arms, 5'000, range, true});
}

Arms scaled(const std::vector<std::vector<double>>& rows, double factor) {
  return Arms::generate(rows.size(), rows[0].size(),
                        [&](std::size_t k, std::size_t j) { return factor * rows[k][j]; })
      .value();
}

// Rewards of 0 and 1 that depend on the round and the arm alone.
bool pays(std::uint64_t round, ArmId arm, double mean) {
  return to_unit(StreamKey(3).with(round).with(std::uint64_t{arm}).value()) < mean;
}

// The arms that are pulled when arm k pays the high reward with probability means[k].
std::vector<ArmId> play(Policy& policy, const std::vector<double>& means, std::uint64_t rounds,
                        RewardRange range = {}) {
  Rng rng(5);
  std::vector<ArmId> pulled;
  for (std::uint64_t t = 0; t < rounds; ++t) {
    const ArmId arm = policy.select(rng);
    if (arm >= means.size()) {
      ADD_FAILURE() << "arm " << arm << " of " << means.size();
      return pulled;
    }
    pulled.push_back(arm);
    EXPECT_TRUE(policy.update(arm, pays(t, arm, means[arm]) ? range.high : range.low).ok());
  }
  return pulled;
}

class HardNumbers : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Specs, HardNumbers, testing::ValuesIn(all_specs()), test_name);

struct World {
  std::string name;
  std::vector<std::vector<double>> rows;
  std::vector<double> means;  // of a linear model; the last arm is best
};

const std::vector<World> worlds = {
    {"one arm, one feature", {{0.5}}, {0.5}},
    {"one arm, three features", {{1, 2, 3}}, {0.5}},
    {"one arm, features of sizes far apart", {{0, 9, 324, -1e-150, 1e15}}, {0.5}},
    {"one feature", {{0.1}, {0.3}, {0.3}, {0.9}}, {0.1, 0.3, 0.3, 0.9}},
    {"fewer arms than features", {{1, 0, 1, 0, 1, 0, 1}, {0, 1, 0, 1, 0, 1, 0}}, {0.2, 0.8}},
    {"collinear and equal arms", {{1, 2, -1}, {1, 2, -1}, {2, 4, -2}}, {0.45, 0.45, 0.9}},
    {"nearly collinear arms", {{1, 1}, {1, 1 + 1e-9}, {2, 2}}, {0.45, 0.45, 0.9}},
    {"arms in a plane of four dimensions",
     {{0.3, -0.7, 0.2, 0.9},
      {0.1, 0.4, -0.6, 0.5},
      {0.2, -0.15, -0.2, 0.7},
      {0.4, -0.3, -0.4, 1.4}},
     {0.5, 0.3, 0.4, 0.8}},
    {"an arm of zeros", {{0, 0}, {0, 0}, {1, 1}}, {0, 0, 0.9}},
    {"equal arms that span", {{1, 0}, {1, 0}, {0, 1}, {0, 1}}, {0.2, 0.2, 0.8, 0.8}}};

TEST_P(HardNumbers, DegenerateArmsAreLearned) {
  // Confidence sets of these are so wide that 5,000 rounds show little; uniform never learns.
  // Means below 1 that are linear without a bias are none that a log link could follow.
  const bool learns = GetParam() != "uniform" && GetParam() != "glmucb" && GetParam() != "ucbglm" &&
                      !counts(GetParam());
  // More than the 4,096 pulls after which the models factorise anew.
  const std::uint64_t rounds = 4'500;
  for (const World& world : worlds)
    for (const double ridge : {1.0, 1e-12}) {
      SCOPED_TRACE(world.name + ", ridge " + fmt::format("{}", ridge));
      const auto policy = make(with(GetParam(), "ridge", ridge), scaled(world.rows, 1)).value();
      const auto pulled = play(*policy, world.means, rounds);
      if (!learns) continue;
      const double best = world.means.back();
      std::size_t good = 0;
      for (std::size_t t = rounds - 400; t < rounds; ++t) good += world.means[pulled[t]] == best;
      EXPECT_GT(good, 200U);
    }
}

TEST_P(HardNumbers, ExtremeScalesAndRidgesChooseArmsThatExist) {
  const std::vector<std::vector<double>> rows = {{1, 0.5}, {-0.25, 1}, {0.5, -1}, {1, 1}};
  const std::size_t rounds = draws(40, 10);
  for (const double a : {1e-3, 1.0, 1e6})
    for (const double ridge : {1e-12, 1e12})
      for (const double factor : {1e-150, 1.0, 1e100})
        for (const double mean : {0.0, 0.5, 1.0}) {
          const std::string spec = with(with(GetParam(), "a", a), "ridge", ridge);
          const auto policy = make(spec, scaled(rows, factor)).value();
          EXPECT_EQ(play(*policy, std::vector<double>(4, mean), rounds).size(), rounds) << spec;
        }
}

TEST_P(HardNumbers, FeaturesTooLargeToSquareAreRefusedByName) {
  const auto made = make(GetParam(), scaled({{1, 0.5}, {-0.25, 1}}, 1e150));
  ASSERT_EQ(made.ok(), !has_model(GetParam()));
  if (!made.ok()) {
    EXPECT_THAT(made.error().message, HasSubstr(name_of(GetParam()) + ": "));
  }
}

// Features times c and the ridge times c^2 are the same problem with theta / c. For c a power of
// two no rounding differs either.
TEST_P(HardNumbers, TheUnitOfTheFeaturesDoesNotMatter) {
  // Confidence radii of these contain a bound of |theta|, which has a unit.
  if (GetParam().starts_with("linucb") || GetParam() == "glmucb") return;
  // The scale of a kernel has a unit, and the ridge of trees is not about features.
  if (GetParam() == "rffphe" || GetParam() == "xgbphe") return;
  const std::vector<std::vector<double>> rows = {
      {1, 0.5, 0.25}, {-0.25, 1, 0.5}, {0.5, -1, 1}, {1, 1, -0.5}, {0.75, 0.5, 1}};
  const std::vector<double> means = {0.5, 0.4, 0.3, 0.2, 0.6};
  const auto arms_at = [&](double c) {
    const auto policy = make(with(GetParam(), "ridge", 0.5 * c * c), scaled(rows, c)).value();
    return play(*policy, means, 500);
  };
  const auto expected = arms_at(1);
  std::vector<double> units = {0x1p-80, 0x1p-40, 0x1p40, 0x1p80};  // ridges from 1e-48 to 1e+48
  if (GetParam().starts_with("linphe"))
    units.insert(units.end(), {0x1p-498, 0x1p160});  // from 1e-300 to 1e+96
  for (const double c : units) EXPECT_EQ(arms_at(c), expected) << c;
}

TEST_P(HardNumbers, RewardsAtTheEndsOfAnyRangeAreThoseOfTheUnitInterval) {
  if (counts(GetParam())) return;
  const std::vector<std::vector<double>> rows = {{1, 0.5}, {-0.25, 1}, {0.5, -1}, {1, 1}};
  const std::vector<double> means = {0.3, 0.5, 0.2, 0.7};
  const auto expected = play(*make(GetParam(), scaled(rows, 1)).value(), means, 500);
  for (const RewardRange range : {RewardRange{-2, 3}, RewardRange{0, 1e-300},
                                  RewardRange{-1e300, 1e300}, RewardRange{1e6, 1e6 + 1}})
    EXPECT_EQ(play(*make(GetParam(), scaled(rows, 1), range).value(), means, 500, range), expected)
        << range.low << ' ' << range.high;
}

TEST_P(HardNumbers, TiesBetweenEqualArmsAreBrokenWithoutBias) {
  const auto policy = make(GetParam(), scaled(std::vector<std::vector<double>>(9, {0.5, 1}), 1));
  // Every arm was pulled once and paid the same: nothing tells them apart.
  for (ArmId arm = 0; arm < 9; ++arm) EXPECT_TRUE(policy.value()->update(arm, 1.0).ok());
  Rng rng(7);
  std::vector<double> chosen(9);
  for (std::size_t i = 0; i < draws(20'000); ++i) ++chosen[policy.value()->select(rng)];
  // One test in a million fails by chance; the seed is fixed.
  EXPECT_GT(uniform_p_value(chosen), 1e-6);
}

// One arm x = 1, T pulls of which V paid: theta is known but for U, a whole number in [0, m].
class AnyScale : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Scales, AnyScale,
                         testing::Values(0.001, 0.1, 0.999, 1, 1.1, 1000, 123456.789, 1e6));

TEST_P(AnyScale, LinPheAddsAWholeNumberOfPseudoRewards) {
  const double a = GetParam();
  constexpr double ridge = 0.25;
  const Arms arms = scaled({{1}}, 1);
  for (const double pulls : {1.0, 7.0, 1000.0}) {
    History history(1);
    history.add(0, std::floor(pulls / 2), static_cast<std::uint64_t>(pulls));
    auto policy = LinPhe::create(arms, {.perturbation_scale = a, .ridge = ridge}, history).value();
    const double trials = static_cast<double>(
        PerturbationScale::from(a).value().trials(static_cast<std::uint64_t>(pulls)));
    Rng rng(9);
    for (int i = 0; i < 200; ++i) {
      policy.fit(rng);
      const double u = policy.estimate()[0] * (a + 1) * (pulls + ridge) - std::floor(pulls / 2);
      ASSERT_NEAR(u, std::round(u), 1e-14 * (trials + pulls) + 1e-12);
      ASSERT_GE(std::round(u), 0);
      ASSERT_LE(std::round(u), trials);
    }
  }
}

TEST_P(AnyScale, LogPheFitsAWholeNumberOfPseudoRewards) {
  const double a = GetParam();
  constexpr double ridge = 0.25;
  const Arms arms = scaled({{1}}, 1);
  for (const double pulls : {1.0, 7.0, 1000.0}) {
    History history(1);
    history.add(0, std::floor(pulls / 2), static_cast<std::uint64_t>(pulls));
    auto policy =
        LogPhe::create(
            arms,
            {.perturbation_scale = a, .ridge = ridge, .stop = GlmStop::gradient, .rewards = {}},
            history)
            .value();
    const double trials = static_cast<double>(
        PerturbationScale::from(a).value().trials(static_cast<std::uint64_t>(pulls)));
    Rng rng(10);
    for (int i = 0; i < 200; ++i) {
      policy.fit(rng);
      ASSERT_TRUE(policy.last_fit().converged);
      // The gradient is zero to 1e-8 of the number of observations.
      const double theta = policy.estimate()[0];
      const double total = pulls + trials;
      const double u = total / (1 + std::exp(-theta)) + 2 * ridge * theta - std::floor(pulls / 2);
      ASSERT_GE(u, -1e-8 * total);
      ASSERT_LE(u, trials + 1e-8 * total);
      if (total < 1e7) {
        ASSERT_NEAR(u, std::round(u), 1.1e-8 * total);
      }
    }
  }
}

// Arms at right angles do not touch each other: each has the estimate of its own pulls, though one
// has a thousand million of them and the other four.
constexpr std::uint64_t billion = 1'000'000'000;

History one_arm_a_billion_times() {
  History history(3);
  history.add(0, 4e8, billion);
  history.add(1, 3, 4);
  return history;
}

TEST(ABillionPulls, OfOneArmLeaveLinPhesOtherEstimatesExact) {
  const Arms arms = scaled({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 1);
  auto policy =
      LinPhe::create(arms, {.perturbation_scale = 1, .ridge = 0.5}, one_arm_a_billion_times())
          .value();
  Rng rng(11);
  EXPECT_EQ(policy.select(rng), 2U);  // the arm of the basis that was never pulled
  EXPECT_TRUE(policy.update(2, 1).ok());
  double sum = 0;
  const int fits = 400;
  for (int i = 0; i < fits; ++i) {
    policy.fit(rng);
    const auto theta = policy.estimate();
    sum += theta[0];
    const double few = theta[1] * 2 * 4.5 - 3;
    ASSERT_NEAR(few, std::round(few), 1e-12);
    const double many = theta[0] * 2 * (1e9 + 0.5) - 4e8;
    ASSERT_NEAR(many, std::round(many), 1e-6);
    ASSERT_NEAR(many, 5e8, 7 * std::sqrt(1e9 / 4));
  }
  EXPECT_NEAR(sum / fits, (4e8 + 5e8) / (2 * (1e9 + 0.5)), 5 * std::sqrt(1e9 / 4 / fits) / 2e9);
}

TEST(ABillionPulls, OfOneArmLeaveLogPhesOtherEstimatesExact) {
  const Arms arms = scaled({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 1);
  auto policy =
      LogPhe::create(
          arms, {.perturbation_scale = 1, .ridge = 0.5, .stop = GlmStop::gradient, .rewards = {}},
          one_arm_a_billion_times())
          .value();
  Rng rng(12);
  EXPECT_EQ(policy.select(rng), 2U);
  EXPECT_TRUE(policy.update(2, 1).ok());
  for (int i = 0; i < 400; ++i) {
    policy.fit(rng);
    ASSERT_TRUE(policy.last_fit().converged);
    const auto theta = policy.estimate();
    // sigma(theta) = (V + U) / (T + m) up to the ridge, which is nothing to 2 * 10^9 observations,
    // and the tolerance of a fit: 1e-8 of them.
    const double share = 1 / (1 + std::exp(-theta[0]));
    ASSERT_NEAR(share, 0.45, 7 * std::sqrt(1e9 / 4) / 2e9 + 1e-8);
    ASSERT_TRUE(std::isfinite(theta[1]) && std::isfinite(theta[2]));
  }
}

}  // namespace
}  // namespace phe::test
