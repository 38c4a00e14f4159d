#include "logs/evaluate.hpp"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "logs/slow_models.hpp"
#include "support/paths.hpp"
#include "support/temporary_folder.hpp"

namespace phe::logs {
namespace {

std::string data(const std::string& name) {
  return test::in_source_tree("/tests/logs/data/" + std::string(name));
}

// small.csv read without the readers: columns by place.
test::SlowLog small_log() {
  std::ifstream in(data("small.csv"));
  std::string line;
  std::getline(in, line);
  test::SlowLog log;
  while (std::getline(in, line)) {
    std::vector<std::string> cells;
    std::stringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
    test::SlowDecision d;
    d.action = std::stoul(cells[1]);
    d.reward = std::stod(cells[2]);
    d.propensity = std::stod(cells[3]);
    d.slot = std::stoul(cells[4]);
    // bias, positions 2 and 3, colours but "blue", age.
    d.x = {1.0,
           d.slot == 2 ? 1.0 : 0.0,
           d.slot == 3 ? 1.0 : 0.0,
           cells[5] == "green" ? 1.0 : 0.0,
           cells[5] == "red" ? 1.0 : 0.0,
           std::stod(cells[6])};
    for (std::size_t a = 0; a < 5; ++a) d.target.push_back(std::stod(cells[8 + a]));
    log.push_back(d);
  }
  EXPECT_EQ(log.size(), 200U);
  return log;
}

Log log_of(const std::string& name) {
  Log log{{data(name)}, {}};
  log.options.columns.features = {"colour", "age"};
  return log;
}

Evaluation evaluated(Log log, const std::string& target_text, EvaluateOptions options) {
  auto target = make_target(target_text, log);
  EXPECT_TRUE(target.ok()) << (target ? "" : target.error().message);
  log.options.want_features = options.model == ModelKind::ridge;
  auto evaluation = evaluate(log, *target.value(), options);
  EXPECT_TRUE(evaluation.ok()) << (evaluation ? "" : evaluation.error().message);
  return std::move(evaluation).value();
}

EvaluateOptions narrow_options() {
  EvaluateOptions options;
  options.limits = {.clip = 2.0, .switch_at = 4.0, .shrinkage = 3.0};
  return options;
}

const Estimate& find(const Part& part, std::string_view name) {
  for (const Estimate& estimate : part.estimates)
    if (estimate.estimator == name) return estimate;
  ADD_FAILURE() << "no estimate is called " << name;
  return part.logged;
}

const Interval* interval_of(const Estimate& estimate, std::string_view name) {
  for (const auto& [own, interval] : estimate.intervals)
    if (own == name) return &interval;
  return nullptr;
}

void expect_equal(const Part& part, const test::Rows& rows, const WeightLimits& limits) {
  const auto slow = test::slow_estimates(rows, limits.clip, limits.switch_at, limits.shrinkage);
  EXPECT_EQ(part.diagnostics.rows, rows.size());
  EXPECT_NEAR(part.diagnostics.effective_rows, test::slow_effective_rows(rows), 1e-9);
  EXPECT_NEAR(part.logged.value, slow.at("logged").value, 1e-12);
  for (const Estimate& estimate : part.estimates) {
    SCOPED_TRACE(std::string(estimate.estimator));
    const auto& expected = slow.at(std::string(estimate.estimator));
    EXPECT_NEAR(estimate.value, expected.value, 1e-11);
    EXPECT_NEAR(estimate.standard_error, expected.se, 1e-11);
  }
}

class EvaluateModels : public testing::TestWithParam<std::tuple<ModelKind, std::size_t>> {};

TEST_P(EvaluateModels, EveryEstimateEqualsItsFormulaOnAReadLog) {
  const auto [kind, folds] = GetParam();
  EvaluateOptions options = narrow_options();
  options.model = kind;
  options.folds = {folds};
  const auto rows = test::slow_rows(
      small_log(), kind == ModelKind::table ? test::table_reward : test::ridge_reward, folds == 2);
  const Evaluation csv = evaluated(log_of("small.csv"), "column=wanted_*", options);
  EXPECT_EQ(csv.whole.estimates.size(), 8U);
  expect_equal(csv.whole, rows, options.limits);
  expect_equal(evaluated(log_of("small.jsonl"), "column=wanted", options).whole, rows,
               options.limits);
}

INSTANTIATE_TEST_SUITE_P(Evaluate, EvaluateModels,
                         testing::Combine(testing::Values(ModelKind::table, ModelKind::ridge),
                                          testing::Values(1, 2)));

TEST(Evaluate, PositionsAreTheRowsOfEach) {
  EvaluateOptions options = narrow_options();
  options.model = ModelKind::none;
  const test::SlowLog log = small_log();
  const auto rows = test::slow_rows(log, test::table_reward, true);
  const Evaluation all = evaluated(log_of("small.csv"), "column=wanted", options);
  ASSERT_EQ(all.slots.size(), 3U);
  for (std::size_t slot = 1; slot <= 3; ++slot) {
    test::Rows own;
    for (std::size_t t = 0; t < log.size(); ++t)
      if (log[t].slot == slot) own.push_back(rows[t]);
    EXPECT_EQ(all.slots[slot - 1].slot, slot);
    expect_equal(all.slots[slot - 1], own, options.limits);
  }
}

TEST(Evaluate, DsjsonGivesWhatCsvGives) {
  EvaluateOptions options = narrow_options();
  const Evaluation events = evaluated(log_of("small.dsjson"), "column=wanted", options);
  const Evaluation table = evaluated(log_of("small.csv"), "column=wanted", options);
  for (const char* const name : {"ips", "clipped", "snips"})
    EXPECT_NEAR(find(events.whole, name).value, find(table.whole, name).value, 1e-12);
  EXPECT_EQ(events.slots.size(), 0U);
}

TEST(Evaluate, TheLogsOwnPolicyEarnsTheMeanReward) {
  EvaluateOptions options;
  const Evaluation own = evaluated(log_of("small.csv"), "column=propensity", options);
  EXPECT_NEAR(find(own.whole, "ips").value, own.whole.logged.value, 1e-14);
  EXPECT_NEAR(own.whole.diagnostics.effective_rows, 200.0, 1e-9);
  EXPECT_EQ(own.whole.diagnostics.largest_weight, 1.0);
}

TEST(Evaluate, FrequenciesAreCountedForEachPosition) {
  const auto table = action_frequencies(log_of("small.csv"));
  ASSERT_TRUE(table.ok());
  const test::SlowLog log = small_log();
  for (std::size_t slot = 1; slot <= 3; ++slot)
    for (std::size_t a = 0; a < 5; ++a) {
      double count = 0.0;
      double all = 0.0;
      for (const auto& d : log) {
        all += d.slot == slot;
        count += d.slot == slot && d.action == a;
      }
      EXPECT_NEAR(table.value()[slot][a], count / all, 1e-15);
    }
}

TEST(Evaluate, AlwaysOneActionIsItsMeanRewardWhenSelfNormalisedOnEqualPropensities) {
  test::TemporaryFolder folder;
  test::put(folder / "x.jsonl",
            R"({"action":0,"reward":1,"propensity":0.5,"actions":2}
{"action":1,"reward":1,"propensity":0.5,"actions":2}
{"action":0,"reward":0,"propensity":0.5,"actions":2}
{"action":0,"reward":1,"propensity":0.5,"actions":2}
)");
  const Evaluation always = evaluated({{(folder / "x.jsonl").string()}, {}}, "always=0", {});
  EXPECT_NEAR(find(always.whole, "snips").value, 2.0 / 3, 1e-15);
  EXPECT_NEAR(find(always.whole, "ips").value, 1.0, 1e-15);
  EXPECT_TRUE(always.largest_weight_is_known);
  EXPECT_EQ(always.largest_possible_weight, 2.0);
}

TEST(Evaluate, IntervalsAreThoseOfTheTerms) {
  EvaluateOptions options = narrow_options();
  options.largest_weight = 12.0;
  const auto rows = test::slow_rows(small_log(), test::table_reward, true);
  const Evaluation evaluation = evaluated(log_of("small.csv"), "column=wanted_*", options);
  std::vector<double> terms;
  for (const auto& row : rows) terms.push_back(row.w * row.r);
  const Estimate& ips = find(evaluation.whole, "ips");
  const Interval betting = betting_interval(terms, {0.0, 12.0}, 0.95);
  ASSERT_NE(interval_of(ips, "betting"), nullptr);
  EXPECT_NEAR(interval_of(ips, "betting")->low, betting.low, 1e-12);
  EXPECT_NEAR(interval_of(ips, "betting")->high, betting.high, 1e-12);
  const double l = std::log(4.0 / 0.05);
  const double half = ips.standard_error * std::sqrt(2.0 * l) + 7.0 * 12.0 * l / (3.0 * 199.0);
  ASSERT_NE(interval_of(ips, "bernstein"), nullptr);
  EXPECT_NEAR(interval_of(ips, "bernstein")->high, ips.value + half, 1e-12);
  // Clipped weights are at most the clip.
  const Estimate& clipped = find(evaluation.whole, "clipped");
  const double clipped_half =
      clipped.standard_error * std::sqrt(2.0 * l) + 7.0 * 2.0 * l / (3.0 * 199.0);
  EXPECT_NEAR(interval_of(clipped, "bernstein")->high, clipped.value + clipped_half, 1e-12);
  EXPECT_TRUE(find(evaluation.whole, "dm").intervals.empty());
  EXPECT_EQ(interval_of(find(evaluation.whole, "dr"), "betting"), nullptr);
}

TEST(Evaluate, AWeightOnTheClipIsNotAboveIt) {
  test::TemporaryFolder folder;
  test::put(folder / "x.csv", "action,reward,propensity,q\n0,1,0.25,0.5\n0,1,0.2,0.5\n");
  EvaluateOptions options;
  options.limits.clip = 2.0;
  const Evaluation two = evaluated({{(folder / "x.csv").string()}, {}}, "column=q", options);
  EXPECT_EQ(two.whole.diagnostics.over_clip, 1U);
  EXPECT_EQ(find(two.whole, "clipped").value, 2.0);
}

TEST(Evaluate, EventsStandForThoseThatWereDropped) {
  const std::string choice = R"({"_label_probability":0.5,"a":[1,2],"p":[0.5,0.5],)"
                             R"("_label_Action":1,"c":{},"_label_cost":)";
  test::TemporaryFolder folder;
  test::put(folder / "x.dsjson", choice + "-1}\n" + choice + "0,\"pdrop\":0.75}\n");
  const Evaluation thinned =
      evaluated({{(folder / "x.dsjson").string()}, {}}, "uniform", EvaluateOptions{});
  EXPECT_NEAR(thinned.whole.logged.value, 0.2, 1e-15);  // 1 of 1 + 4 events
  EXPECT_NEAR(find(thinned.whole, "ips").value, 0.2, 1e-15);
  EXPECT_EQ(interval_of(find(thinned.whole, "ips"), "betting"), nullptr);
  EXPECT_THAT(thinned.warnings, testing::Contains(testing::HasSubstr("pdrop varies")));
}

TEST(Evaluate, OneDropRateForAllChangesNoInterval) {
  const std::string text = test::bytes_of(data("small.dsjson"));
  test::TemporaryFolder folder;
  std::string thinned;
  for (std::size_t at = 0; at < text.size(); ++at) {
    thinned += text[at];
    if (text[at] == '{' && (at == 0 || text[at - 1] == '\n')) thinned += "\"pdrop\": 0.5, ";
  }
  test::put(folder / "x.dsjson", thinned);
  const Evaluation plain = evaluated(log_of("small.dsjson"), "column=wanted", {});
  const Evaluation half = evaluated({{(folder / "x.dsjson").string()}, {}}, "column=wanted", {});
  for (const char* const name : {"normal", "bernstein", "betting"}) {
    const Interval* const one = interval_of(find(plain.whole, "ips"), name);
    const Interval* const other = interval_of(find(half.whole, "ips"), name);
    ASSERT_TRUE(one != nullptr && other != nullptr) << name;
    EXPECT_NEAR(one->low, other->low, 1e-12);
    EXPECT_NEAR(one->high, other->high, 1e-12);
  }
}

TEST(Evaluate, RowsThatTheTargetCannotJudgeAreBadInEveryPass) {
  test::TemporaryFolder folder;
  test::put(folder / "x.csv",
            "action,reward,propensity,position\n0,1,0.5,1\n1,0,0.5,2\n0,1,0.5,1\n1,1,0.5,1\n");
  test::put(folder / "other.csv", "action,reward,propensity,position\n0,1,0.5,1\n1,0,0.5,1\n");
  Log log{{(folder / "x.csv").string()}, {}};
  const std::string frequencies = "frequencies=" + (folder / "other.csv").string();
  auto target = make_target(frequencies, log);
  EXPECT_THAT(evaluate(log, *target.value(), {}).error().message,
              testing::HasSubstr("line 3: the target knows nothing of position 2"));
  log.options.skip_bad_lines = true;
  const Evaluation skipped = evaluated(log, frequencies, {});
  EXPECT_EQ(skipped.lines.bad, 1U);
  EXPECT_EQ(skipped.whole.diagnostics.rows, 3U);
}

}  // namespace
}  // namespace phe::logs
