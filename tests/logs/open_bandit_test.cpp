// The men's campaign of the Open Bandit Dataset, evaluated in both directions: every figure of an
// independent computation in NumPy, to its last printed digit. Values, errors and intervals in
// thousandths of a click; clip, switch and shrinkage are 5.
#include <cmath>

#include <gtest/gtest.h>

#include "logs/evaluate.hpp"
#include "logs/shared_data.hpp"
#include "logs/thompson_ranks.hpp"

namespace phe::logs {
namespace {

struct Expected {
  const char* estimator;
  double value;
  double se;
  double se_digit;  // of its last place
  std::vector<std::pair<const char*, Interval>> intervals = {};
};

class OpenBandit : public testing::Test {
 protected:
  void SetUp() override { PHE_SKIP_WITHOUT(file("random_men.csv.gz")); }

  static std::filesystem::path file(const std::string& name) {
    return test::shared_data() / "obd" / name;
  }
  static Log log(const std::string& name) {
    Log log{{file(name).string()}, {}};
    log.options.actions = 34;
    log.options.columns =
        parse_columns(
            "action=item_id,reward=click,propensity=propensity_score,position=position,"
            "features=user_feature_*")
            .value();
    return log;
  }
  static Evaluation evaluated(const std::string& name, const std::string& target_text,
                              ModelKind model, std::size_t folds, std::uint64_t resamples = 0) {
    Log logged = log(name);
    auto target = make_target(target_text, logged);
    EXPECT_TRUE(target.ok()) << (target ? "" : target.error().message);
    logged.options.want_features = model == ModelKind::ridge;
    EvaluateOptions options;
    options.limits = {5.0, 5.0, 5.0};
    options.model = model;
    options.folds = {folds};
    options.resamples = resamples;
    auto evaluation = evaluate(logged, *target.value(), options);
    EXPECT_TRUE(evaluation.ok()) << (evaluation ? "" : evaluation.error().message);
    return std::move(evaluation).value();
  }
  static std::string prior() {
    return "beta-prior=" + file("bts_prior.csv").string() + ",campaign=men";
  }

  // Within half a unit of the last digit.
  static void expect_digits(double value, double expected, double digit) {
    EXPECT_NEAR(value, expected, 0.5 * digit * (1.0 + 1e-9));
  }
  // Some errors were rounded twice, by way of one digit more: 0.80746, 0.8075, 0.808.
  static void expect_error(double value, double expected, double digit) {
    EXPECT_NEAR(value, expected, 0.55 * digit);
  }
  static void expect_all(const Evaluation& evaluation, const std::vector<Expected>& list,
                         double interval_digit = 0.01) {
    for (const Expected& expected : list) {
      SCOPED_TRACE(expected.estimator);
      const Estimate* found = nullptr;
      for (const Estimate& estimate : evaluation.whole.estimates)
        if (estimate.estimator == expected.estimator) found = &estimate;
      ASSERT_NE(found, nullptr);
      expect_digits(1e3 * found->value, expected.value, 1e-4);
      expect_error(1e3 * found->standard_error, expected.se, expected.se_digit);
      for (const auto& [name, interval] : expected.intervals) {
        SCOPED_TRACE(name);
        bool known = false;
        for (const auto& [own, measured] : found->intervals)
          if (own == name) {
            known = true;
            expect_digits(1e3 * measured.low, interval.low, interval_digit);
            expect_digits(1e3 * measured.high, interval.high, interval_digit);
          }
        EXPECT_TRUE(known);
      }
    }
  }
  static void expect_weights(const Diagnostics& d, double mean, double largest,
                             double largest_digit, double effective, std::uint64_t over_clip) {
    EXPECT_EQ(d.rows, 10'000U);
    expect_digits(d.mean_weight, mean, 1e-4);
    expect_digits(d.largest_weight, largest, largest_digit);
    expect_digits(d.effective_rows, effective, 1.0);
    EXPECT_EQ(d.over_clip, over_clip);
  }
};

TEST_F(OpenBandit, RanksOfThePriorAreTheKnownOnes) {
  const auto table = beta_prior_table(file("bts_prior.csv").string() + ",campaign=men", "item_id");
  ASSERT_TRUE(table.ok()) << table.error().message;
  ASSERT_EQ(table.value()[1].size(), 34U);
  expect_digits(table.value()[1][13], 0.286604571, 1e-9);
  expect_digits(table.value()[2][13], 0.313707946, 1e-9);
  expect_digits(table.value()[3][13], 0.208708621, 1e-9);
  for (std::size_t slot = 1; slot <= 3; ++slot) {
    double sum = 0.0;
    for (const double p : table.value()[slot]) sum += p;
    EXPECT_NEAR(sum, 1.0, 4e-11);
  }
}

TEST_F(OpenBandit, LogsEarnTheirClicks) {
  const Evaluation random =
      evaluated("random_men.csv.gz", "column=propensity_score", ModelKind::none, 1);
  EXPECT_NEAR(random.whole.logged.value, 0.0046, 1e-15);
  expect_digits(random.whole.logged.standard_error, 0.000677, 1e-6);
  const std::uint64_t clicks[] = {10, 22, 14};
  ASSERT_EQ(random.slots.size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) {
    const auto n = static_cast<double>(random.slots[k].diagnostics.rows);
    EXPECT_NEAR(random.slots[k].logged.value * n, static_cast<double>(clicks[k]), 1e-9);
  }
}

TEST_F(OpenBandit, RandomLogOfThePrior) {
  const Evaluation table = evaluated("random_men.csv.gz", prior(), ModelKind::table, 1);
  expect_weights(table.whole.diagnostics, 0.9848, 10.666, 1e-3, 2474, 569);
  EXPECT_TRUE(table.largest_weight_is_known);
  expect_all(
      table,
      {{"ips",
        4.5401,
        1.1821,
        1e-4,
        {{"normal", {2.22, 6.86}}, {"bernstein", {-9.87, 18.95}}, {"betting", {1.55, 12.85}}}},
       {"clipped",
        4.2820,
        1.0461,
        1e-4,
        {{"normal", {2.23, 6.33}}, {"bernstein", {-3.93, 12.49}}, {"betting", {1.93, 8.78}}}},
       {"snips", 4.6102, 1.1993, 1e-4, {{"normal", {2.26, 6.96}}}},
       {"dm", 4.5941, 0.015, 1e-3},
       {"dr", 4.6409, 1.176, 1e-3},
       {"sndr", 4.6416, 1.194, 1e-3},
       {"switch", 4.6219, 0.584, 1e-3},
       {"dros", 4.6177, 0.433, 1e-3}});
  const Evaluation ridge = evaluated("random_men.csv.gz", prior(), ModelKind::ridge, 2);
  expect_all(ridge, {{"dm", 5.0803, 0.058, 1e-3},
                     {"dr", 4.6198, 1.240, 1e-3, {{"normal", {2.19, 7.05}}}},
                     {"sndr", 4.6127, 1.259, 1e-3, {{"normal", {2.14, 7.08}}}},
                     {"switch", 4.9101, 0.624, 1e-3, {{"normal", {3.69, 6.13}}}},
                     {"dros", 4.9023, 0.464, 1e-3, {{"normal", {3.99, 5.81}}}}});
}

TEST_F(OpenBandit, RandomLogOfTheFrequencies) {
  const Evaluation ridge = evaluated(
      "random_men.csv.gz", "frequencies=" + file("bts_men.csv.gz").string(), ModelKind::ridge, 2);
  expect_digits(ridge.whole.diagnostics.effective_rows, 2869, 1.0);
  expect_all(
      ridge,
      {{"ips",
        5.6563,
        1.398,
        1e-3,
        {{"normal", {2.92, 8.40}}, {"bernstein", {-6.13, 17.45}}, {"betting", {2.52, 12.04}}}},
       {"snips", 5.7399, 1.415, 1e-3},
       {"dm", 6.0903, 0.058, 1e-3},
       {"dr", 5.6452, 1.455, 1e-3, {{"normal", {2.79, 8.50}}}}});
}

TEST_F(OpenBandit, ThompsonLogOfTheUniformPolicy) {
  const Evaluation table = evaluated("bts_men.csv.gz", "uniform", ModelKind::table, 1);
  expect_weights(table.whole.diagnostics, 0.9433, 178.3, 0.1, 656, 353);
  EXPECT_FALSE(table.largest_weight_is_known);
  expect_all(table, {{"ips", 3.0086, 0.7739, 1e-4, {{"normal", {1.49, 4.53}}}},
                     {"clipped", 3.0086, 0.7739, 1e-4},
                     {"snips", 3.1894, 0.8279, 1e-4, {{"normal", {1.57, 4.81}}}},
                     {"dm", 3.6946, 0.014, 1e-3},
                     {"dr", 2.4587, 0.922, 1e-3},
                     {"switch", 4.1016, 0.760, 1e-3}});
  expect_all(table,
             {{"ips", 3.0086, 0.7739, 1e-4, {{"bernstein", {-182, 188}}, {"betting", {0, 135}}}}},
             1.0);
  const Evaluation ridge = evaluated("bts_men.csv.gz", "uniform", ModelKind::ridge, 2);
  expect_all(ridge, {{"dm", 3.7356, 0.032, 1e-3},
                     {"dr", 2.2525, 0.950, 1e-3, {{"normal", {0.39, 4.11}}}},
                     {"switch", 3.8326, 0.808, 1e-3, {{"normal", {2.25, 5.42}}}}});
}

TEST_F(OpenBandit, BootstrapsAgreeWithinTheNoiseOfTwoThousandResamples) {
  const Evaluation random = evaluated("random_men.csv.gz", prior(), ModelKind::ridge, 2, 2000);
  const std::vector<std::tuple<const char*, double, double>> expected = {
      {"ips", 2.49, 7.06},  {"clipped", 2.42, 6.51}, {"snips", 2.52, 7.19}, {"dr", 2.47, 7.27},
      {"sndr", 2.42, 7.27}, {"switch", 3.73, 6.12},  {"dros", 4.02, 5.83}};
  for (const auto& [name, low, high] : expected)
    for (const Estimate& estimate : random.whole.estimates) {
      if (estimate.estimator != name) continue;
      SCOPED_TRACE(name);
      // A quantile at 2.5% of B draws has the error sqrt(p (1 - p) / B) / density = 0.06 SE; both
      // sides are drawn, and the upper tail is longer than a normal one.
      const double tolerance = 4 * std::sqrt(2.0) * 0.08 * 1e3 * estimate.standard_error;
      const Interval& bootstrap = estimate.intervals.back().interval;
      EXPECT_EQ(estimate.intervals.back().name, "bootstrap");
      EXPECT_NEAR(1e3 * bootstrap.low, low, tolerance);
      EXPECT_NEAR(1e3 * bootstrap.high, high, tolerance);
    }
}

TEST_F(OpenBandit, OneRowOfTheWomensLogDecidesAndIsNamed) {
  Log logged = log("bts_women.csv.gz");
  logged.options.actions = 46;
  auto target = make_target("uniform", logged);
  const auto evaluation = evaluate(logged, *target.value(), {});
  ASSERT_TRUE(evaluation.ok()) << evaluation.error().message;
  expect_digits(evaluation->whole.diagnostics.effective_rows, 2.1, 0.1);
  expect_digits(evaluation->whole.diagnostics.largest_weight, 21739, 1.0);
  ASSERT_GE(evaluation->warnings.size(), 2U);
  EXPECT_NE(evaluation->warnings[0].find("the effective sample is 2.1 rows"), std::string::npos);
}

class Dsjson : public testing::Test {
 protected:
  void SetUp() override { PHE_SKIP_WITHOUT(folder() / "uniform_1000_a.dsjson"); }

  static std::filesystem::path folder() { return test::shared_data() / "dsjson"; }
  static Result<Evaluation> evaluated(const std::string& name, const std::string& target_text,
                                      bool skip = false) {
    Log log{{(folder() / name).string()}, {}};
    log.options.skip_bad_lines = skip;
    auto target = make_target(target_text, log);
    if (!target) return target.error();
    return evaluate(log, *target.value(), {});
  }
};

TEST_F(Dsjson, AlwaysOneActionHasItsKnownValue) {
  const std::vector<std::tuple<const char*, double, double>> expected = {
      {"always=1", 0.616, 0.592308}, {"always=2", 0.272, 0.269841}};
  for (const auto& [target, ips, snips] : expected) {
    const auto evaluation = evaluated("uniform_1000_a.dsjson", target);
    ASSERT_TRUE(evaluation.ok()) << evaluation.error().message;
    EXPECT_NEAR(evaluation->whole.logged.value, 0.473, 1e-12);
    EXPECT_NEAR(evaluation->whole.estimates[0].value, ips, 1e-9);
    EXPECT_NEAR(evaluation->whole.estimates[2].value, snips, 5e-7);
  }
  EXPECT_NEAR(evaluated("uniform_1000_a.dsjson", "always=1")->whole.estimates[0].standard_error,
              0.04568, 5e-6);
}

TEST_F(Dsjson, OddLogsAreReadOrRefusedAsTheyDeserve) {
  EXPECT_EQ(evaluated("bad_line_21.dsjson", "uniform", true)->lines.bad, 1U);
  EXPECT_EQ(evaluated("bad_line_21.dsjson", "uniform", true)->lines.decisions, 20U);
  EXPECT_NE(evaluated("bad_line_21.dsjson", "uniform").error().message.find("line 11: not JSON"),
            std::string::npos);
  EXPECT_EQ(evaluated("coffee_23.dsjson", "uniform")->lines.decisions, 23U);
  EXPECT_EQ(evaluated("deferred_7.dsjson", "uniform")->lines.decisions, 7U);
  EXPECT_EQ(evaluated("average_reward_100.dsjson", "uniform")->lines.decisions, 100U);
  EXPECT_NE(evaluated("igl_200.dsjson", "uniform").error().message.find("a[0] is 0"),
            std::string::npos);
  EXPECT_NE(evaluated("ccb_59.dsjson", "uniform").error().message.find("several slots"),
            std::string::npos);
}

}  // namespace
}  // namespace phe::logs
