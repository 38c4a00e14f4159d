#include "serve/chronicle.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "logs/estimators.hpp"
#include "phe/rng.hpp"
#include "serve/metrics_text.hpp"
#include "serve/request_counts.hpp"
#include "serve/sqlite_store.hpp"
#include "support/temporary_folder.hpp"

namespace phe::serve {
namespace {

// The estimators of phe evaluate, on the same rows.
TEST(Snips, IsTheEstimatorOfTheLogsWhateverThePieces) {
  Rng rng(StreamKey(5));
  Snips whole, left, right;
  logs::Moments moments;
  for (int i = 0; i < 500; ++i) {
    const double weight = i % 3 == 0 ? 0.0 : 4.0 * to_unit(rng());
    const double reward = 2.0 * to_unit(rng()) - 1.0;
    whole.add(weight, reward);
    (i < 123 ? left : right).add(weight, reward);
    moments.add(logs::columns_of(weight, reward, 1.0, {}, {}));
  }
  left.add(right);
  const auto all = logs::estimators(false);
  const auto snips = *std::ranges::find(all, "snips", &logs::Estimator::name);
  EXPECT_EQ(whole.rows(), 500U);
  EXPECT_NEAR(whole.value(), snips.value(moments.mean()), 1e-14);
  EXPECT_NEAR(whole.standard_error(), snips.standard_error(moments), 1e-14);
  EXPECT_NEAR(left.value(), whole.value(), 1e-13);
  EXPECT_NEAR(left.standard_error(), whole.standard_error(), 1e-13);
}

TEST(Snips, KnowsNothingWithoutAWeight) {
  Snips none;
  EXPECT_FALSE(none.known());
  none.add(0.0, 1.0);
  EXPECT_FALSE(none.known());
}

TEST(Digest, CountsByHand) {
  const double probabilities[] = {0.2, 0.7, 0.1};
  Digest digest;
  digest.add(Propensities{probabilities, 0, nullptr}, 1.0);
  digest.add(Propensities{probabilities, 1, nullptr}, 0.5);
  EXPECT_EQ(digest.events, 2);
  EXPECT_EQ(digest.explored, 1);
  EXPECT_EQ(digest.unsupported, 0);
  EXPECT_DOUBLE_EQ(digest.probability, 0.9);
  EXPECT_EQ(digest.probabilities[2], 1);
  EXPECT_EQ(digest.probabilities[7], 1);
  EXPECT_DOUBLE_EQ(digest.policy.value(), 0.75);
  EXPECT_DOUBLE_EQ(digest.baseline.value(), 1.0);  // weights 5 and 0
  // Weights 1 / 0.6 and 1 / 2.1.
  EXPECT_DOUBLE_EQ(digest.uniform.value(), (1 / 0.6 + 0.5 / 2.1) / (1 / 0.6 + 1 / 2.1));
  const double sure[] = {1.0, 0.0};
  digest.add(Propensities{sure, 0, nullptr}, 0.0);
  EXPECT_EQ(digest.unsupported, 1);
  EXPECT_EQ(digest.probabilities[9], 1);
}

// A log with events at given times; those with a reward are settled by it, others by their time.
class ChronicleTest : public testing::Test {
 protected:
  ChronicleTest()
      : store_(open_sqlite_store(folder_ / "app.db", Durability::async).value()),
        reader_(open_sqlite_reader(folder_ / "app.db").value()) {}

  void add(std::int64_t time, std::int64_t wait, bool rewarded) {
    const std::string id = fmt::format("e{}", count_++);
    ASSERT_TRUE(store_->begin());
    std::string answer;
    ASSERT_TRUE(store_->add({.id = id,
                             .time = time,
                             .closes = time + wait,
                             .drawn = 0,
                             .shown = 0,
                             .request = R"({"actions":[{"id":"a","features":[{"x":1}]},
                                            {"id":"b","features":[{"x":2}]}]})",
                             .answer = R"({"ranking":[{"id":"b","probability":0.75},
                                           {"id":"a","probability":0.25}]})"},
                            answer));
    if (rewarded) {
      ASSERT_TRUE(store_->reward(id, 1.0, "", time + 1, {}));
    }
    ASSERT_TRUE(store_->commit());
  }
  void settle(std::int64_t now) {
    ASSERT_TRUE(store_->begin());
    ASSERT_TRUE(store_->settle(now, {}, 100'000));
    ASSERT_TRUE(store_->commit());
  }
  Chronicle::Sum read(std::int64_t now, std::int64_t budget = 10'000) {
    const auto done = chronicle_.read(*reader_, now, begin, budget);
    EXPECT_TRUE(done) << done.error().message;
    return chronicle_.between(step_of(begin), step_of(now) + 1);
  }

  static constexpr std::int64_t begin = 1'000'000 * step_length;
  test::TemporaryFolder folder_;
  std::unique_ptr<EventStore> store_;
  std::unique_ptr<EventReader> reader_;
  Chronicle chronicle_{32};
  int count_ = 0;
};

TEST_F(ChronicleTest, WaitsUntilEveryEventOfAStepIsSettled) {
  add(begin + 1, 30 * second, true);
  add(begin + 2, 30 * second, false);
  add(begin + step_length, 5 * second, false);
  EXPECT_EQ(read(begin + 2 * step_length).digest.events, 0);  // the second event is open
  EXPECT_EQ(chronicle_.unread(), 2);
  settle(begin + 2 * step_length);
  auto sum = read(begin + 2 * step_length);
  EXPECT_EQ(sum.digest.events, 1);  // of the second step
  settle(begin + 31 * second);
  sum = read(begin + 31 * second);
  EXPECT_EQ(sum.digest.events, 3);
  EXPECT_EQ(sum.steps, 3);
  EXPECT_EQ(chronicle_.unread(), 0);
  EXPECT_NEAR(sum.digest.policy.value(), 1.0 / 3, 1e-15);
  EXPECT_EQ(sum.digest.explored, 3);  // b was more probable
}

TEST_F(ChronicleTest, ReadsTheNewestStepsFirstAndNoLongerThanAsked) {
  for (int step = 0; step < 5; ++step) add(begin + step * step_length, second, true);
  const std::int64_t now = begin + 5 * step_length;
  EXPECT_EQ(read(now, 0).digest.events, 0);
  EXPECT_EQ(chronicle_.unread(), 5);
  EXPECT_EQ(read(now).digest.events, 5);
  EXPECT_EQ(read(now).digest.events, 5);  // none twice
}

TEST_F(ChronicleTest, ReadsAPartOfABusyStepAndSaysSo) {
  for (int i = 0; i < Chronicle::most_events + 5; ++i) add(begin + i / 300, second, true);
  const auto sum = read(begin + step_length);
  EXPECT_EQ(sum.digest.events, Chronicle::most_events);
  EXPECT_FALSE(sum.digest.whole);
}

TEST_F(ChronicleTest, ForgetsWhatIsOlderThanADay) {
  add(begin, second, true);
  EXPECT_EQ(read(begin + step_length).digest.events, 1);
  const std::int64_t next_day = begin + day;
  add(next_day, second, true);
  ASSERT_TRUE(chronicle_.read(*reader_, next_day + step_length, begin, 10'000));
  EXPECT_EQ(chronicle_.between(step_of(begin), step_of(begin) + 1).digest.events, 0);
  EXPECT_EQ(chronicle_.between(step_of(next_day), step_of(next_day) + 1).digest.events, 1);
}

// The bisection finds what a look at every event finds, also where some overtook others.
TEST_F(ChronicleTest, EventsOfAnyTimeAreFound) {
  std::vector<std::int64_t> times;
  Rng rng(StreamKey(9));
  for (int i = 0; i < 300; ++i)
    times.push_back(begin + 200 * i + static_cast<std::int64_t>(3000 * to_unit(rng())));
  for (const std::int64_t time : times) add(time, second, false);
  for (int i = 0; i < 100; ++i) {
    const auto from = begin - 5000 + static_cast<std::int64_t>(70'000 * to_unit(rng()));
    const auto to = from + static_cast<std::int64_t>(9'000 * to_unit(rng()));
    const auto wanted =
        std::ranges::count_if(times, [&](std::int64_t t) { return t >= from && t < to; });
    std::int64_t found = 0;
    ASSERT_TRUE(reader_->events(from, to, [&](const LoggedEvent&) { return ++found, true; }));
    EXPECT_EQ(found, wanted) << from << " to " << to;
  }
}

TEST(MetricsText, EscapesLabels) {
  MetricsText text;
  text.family("a_total", "counter", "What it is.");
  text.sample({{"x", "q\"b\\s\n"}, {"y", "z"}}, 2.5);
  text.sample({}, 3.0, "_sum");
  EXPECT_EQ(text.take(),
            "# HELP a_total What it is.\n# TYPE a_total counter\n"
            "a_total{x=\"q\\\"b\\\\s\\n\",y=\"z\"} 2.5\na_total_sum 3\n");
}

TEST(RequestCounts, PutDurationsIntoTheBucketsThatEndAtThem) {
  RequestCounts counts;
  for (const std::int64_t microseconds : {0, 250, 251, 1'000'000, 1'000'001})
    counts.observe(Operation::rank, 201, microseconds);
  const auto durations = counts.durations(Operation::rank);
  EXPECT_EQ(durations.buckets[0], 2U);
  EXPECT_EQ(durations.buckets[1], 1U);
  EXPECT_EQ(durations.buckets[11], 1U);
  EXPECT_EQ(durations.buckets[12], 1U);
  EXPECT_EQ(durations.microseconds, 2'000'502U);
  EXPECT_EQ(counts.answered(Operation::rank, 201), 5U);
  EXPECT_EQ(counts.answered(Operation::reward, 201), 0U);
}

TEST(Activity, CountsByStepsAndForgetsAfterADay) {
  Activity activity;
  const std::int64_t now = 7 * day;
  activity.decided(now);
  activity.decided(now + step_length);
  activity.rewarded(Fate::late, now + step_length);
  const auto first = step_of(now);
  EXPECT_EQ(activity.between(first, first + 1).decisions, 1U);
  EXPECT_EQ(activity.between(first, first + 2).decisions, 2U);
  EXPECT_EQ(activity.between(first, first + 2).rewards, 1U);
  activity.decided(now + day);  // in the place of the first
  EXPECT_EQ(activity.between(first, first + 2).decisions, 1U);
  EXPECT_EQ(activity.totals().decisions, 3U);
  EXPECT_EQ(activity.totals().rewards_by_fate[static_cast<std::size_t>(Fate::late)], 1U);
}

TEST(Activity, RefusesUntilSomethingIsStoredOrTimePasses) {
  Activity activity;
  EXPECT_FALSE(activity.refusing(5));
  activity.refused(5);
  EXPECT_TRUE(activity.refusing(6));
  activity.decided(7);
  EXPECT_FALSE(activity.refusing(7));
  activity.refused(8);
  EXPECT_FALSE(activity.refusing(8 + minute));
}

}  // namespace
}  // namespace phe::serve
