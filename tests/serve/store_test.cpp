#include <gtest/gtest.h>

#include "serve/sqlite_store.hpp"
#include "support/temporary_folder.hpp"

namespace phe::serve {
namespace {

constexpr RewardRules earliest{Aggregation::earliest, -0.5};
constexpr RewardRules sum{Aggregation::sum, -0.5};

class Store : public testing::Test {
 protected:
  Store() { open(); }
  void open() {
    store_.reset();
    auto opened = open_sqlite_store(file(), Durability::async);
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::move(opened).value();
    reader_ = std::move(open_sqlite_reader(file())).value();
  }
  [[nodiscard]] std::filesystem::path file() const { return folder_ / "app.db"; }

  template <class Write>
  void commit(Write write) {
    ASSERT_TRUE(store_->begin());
    write(*store_);
    ASSERT_TRUE(store_->commit());
  }
  void add(std::string_view id, std::int64_t time, bool active = true,
           LearningMode mode = LearningMode::online, std::size_t drawn = 1, std::size_t shown = 1) {
    const NewEvent event{.id = id,
                         .time = time,
                         .closes = time + 100,
                         .mode = mode,
                         .active = active,
                         .drawn = drawn,
                         .shown = shown,
                         .request = "request",
                         .answer = "answer"};
    std::string answer;
    commit([&](EventStore& s) { ASSERT_TRUE(s.add(event, answer)); });
  }
  Fate reward(std::string_view id, double value, std::int64_t now, const RewardRules& rules,
              std::string_view call = "") {
    Fate fate{};
    commit([&](EventStore& s) { fate = s.reward(id, value, call, now, rules).value(); });
    return fate;
  }
  Fate activate(std::string_view id, std::int64_t now, const RewardRules& rules) {
    Fate fate{};
    commit([&](EventStore& s) { fate = s.activate(id, now, rules).value(); });
    return fate;
  }
  void settle(std::int64_t now, const RewardRules& rules) {
    commit([&](EventStore& s) { ASSERT_TRUE(s.settle(now, rules, 1000)); });
  }
  std::vector<double> outcomes(std::int64_t after = 0) {
    std::vector<double> all;
    EXPECT_TRUE(reader_->lessons_after(after, 1000, [&](const Lesson& lesson) {
      EXPECT_EQ(lesson.number, after + std::int64_t(all.size()) + 1);
      all.push_back(lesson.outcome);
    }));
    return all;
  }

  test::TemporaryFolder folder_;
  std::unique_ptr<Replica> store_;
  std::unique_ptr<EventReader> reader_;
};

using Outcomes = std::vector<double>;

TEST_F(Store, TheEarliestRewardIsLearntAtOnceAndOnce) {
  add("e", 0);
  EXPECT_EQ(outcomes(), Outcomes());
  EXPECT_EQ(reward("e", 0.25, 10, earliest), Fate::done);
  EXPECT_EQ(reward("e", 1.0, 20, earliest), Fate::done);
  settle(1000, earliest);
  EXPECT_EQ(outcomes(), Outcomes{0.25});
}

TEST_F(Store, ASumIsLearntWhenItsTimeIsOverAndClipped) {
  add("e", 0);
  add("f", 0);
  EXPECT_EQ(reward("e", 0.25, 10, sum), Fate::done);
  EXPECT_EQ(reward("f", 0.75, 15, sum), Fate::done);
  EXPECT_EQ(reward("e", 0.5, 20, sum), Fate::done);
  EXPECT_EQ(reward("f", 0.75, 25, sum), Fate::done);
  settle(99, sum);
  EXPECT_EQ(outcomes(), Outcomes());
  settle(100, sum);
  EXPECT_EQ(outcomes(), (Outcomes{0.75, 1.0}));
}

TEST_F(Store, ARepeatedCallCountsOnce) {
  add("e", 0);
  EXPECT_EQ(reward("e", 0.25, 10, sum, "call-1"), Fate::done);
  EXPECT_EQ(reward("e", 0.25, 11, sum, "call-1"), Fate::repeated);
  EXPECT_EQ(reward("e", 0.25, 12, sum, "call-2"), Fate::done);
  settle(100, sum);
  EXPECT_EQ(outcomes(), Outcomes{0.5});
}

TEST_F(Store, WithoutARewardTheDefaultIsLearnt) {
  add("e", 0);
  settle(100, earliest);
  EXPECT_EQ(outcomes(), Outcomes{-0.5});
  EXPECT_EQ(reward("e", 1.0, 101, earliest), Fate::late);
  EXPECT_EQ(outcomes(), Outcomes{-0.5});
}

TEST_F(Store, AnUnknownEventIsNoError) {
  EXPECT_EQ(reward("nobody", 1.0, 1, earliest), Fate::unknown_event);
  EXPECT_EQ(activate("nobody", 1, earliest), Fate::unknown_event);
}

TEST_F(Store, ADeferredEventIsLearntOnlyWhenActivatedInTime) {
  add("never", 0, false);
  add("late", 0, false);
  add("reward-first", 0, false);
  add("activate-first", 0, false);
  add("no-reward", 0, false);
  EXPECT_EQ(reward("never", 1.0, 10, earliest), Fate::done);
  EXPECT_EQ(reward("reward-first", 0.5, 10, earliest), Fate::done);
  EXPECT_EQ(outcomes(), Outcomes());
  EXPECT_EQ(activate("reward-first", 20, earliest), Fate::done);
  EXPECT_EQ(outcomes(), Outcomes{0.5});
  EXPECT_EQ(activate("activate-first", 20, earliest), Fate::done);
  EXPECT_EQ(reward("activate-first", 0.75, 30, earliest), Fate::done);
  EXPECT_EQ(activate("no-reward", 20, earliest), Fate::done);
  EXPECT_EQ(activate("late", 100, earliest), Fate::late);
  settle(100, earliest);
  EXPECT_EQ(outcomes(), (Outcomes{0.5, 0.75, -0.5}));
}

TEST_F(Store, AnApprenticeLearnsWhetherItAgreed) {
  add("same", 0, true, LearningMode::apprentice, 2, 2);
  add("other", 0, true, LearningMode::apprentice, 1, 0);
  add("deferred", 0, false, LearningMode::apprentice, 0, 0);
  EXPECT_EQ(outcomes(), (Outcomes{1.0, 0.0}));
  EXPECT_EQ(reward("same", -1.0, 10, earliest), Fate::done);
  EXPECT_EQ(activate("deferred", 10, earliest), Fate::done);
  settle(100, earliest);
  EXPECT_EQ(outcomes(), (Outcomes{1.0, 0.0, 1.0}));
  const auto counts = reader_->counts();
  EXPECT_EQ(counts->apprentice_events, 3);
  EXPECT_EQ(counts->apprentice_matches, 2);
}

TEST_F(Store, LoggingOnlyTeachesNothing) {
  add("e", 0, true, LearningMode::logging_only, 0, 0);
  EXPECT_EQ(reward("e", 1.0, 10, earliest), Fate::done);
  settle(100, earliest);
  EXPECT_EQ(outcomes(), Outcomes());
  EXPECT_EQ(reader_->counts()->waiting, 0);
}

TEST_F(Store, TheSameIdTwiceIsTheFirstEvent) {
  add("e", 0);
  const NewEvent again{.id = "e",
                       .time = 5,
                       .closes = 105,
                       .drawn = 0,
                       .shown = 0,
                       .request = "other",
                       .answer = "other"};
  std::string answer;
  commit([&](EventStore& s) { EXPECT_EQ(s.add(again, answer).value(), Fate::repeated); });
  EXPECT_EQ(answer, "answer");
  EXPECT_EQ(reader_->counts()->events, 1);
}

TEST_F(Store, LessonsGoOnWhereTheyWereAfterItIsOpenedAgain) {
  add("e", 0);
  reward("e", 0.5, 1, earliest);
  open();
  EXPECT_EQ(store_->lessons(), 1);
  add("f", 0);
  reward("f", 0.25, 1, earliest);
  EXPECT_EQ(outcomes(), (Outcomes{0.5, 0.25}));
  EXPECT_EQ(outcomes(1), Outcomes{0.25});
}

TEST_F(Store, WhatIsRolledBackNeverHappened) {
  add("e", 0);
  ASSERT_TRUE(store_->begin());
  ASSERT_TRUE(store_->reward("e", 1.0, "", 1, earliest));
  EXPECT_EQ(store_->lessons(), 1);
  store_->rollback();
  EXPECT_EQ(store_->lessons(), 0);
  reward("e", 0.5, 2, earliest);
  EXPECT_EQ(outcomes(), Outcomes{0.5});
}

TEST_F(Store, RetiresOldEventsThatTheModelHasLearnt) {
  add("old", 0);
  add("old-unlearnt", 0);
  add("open", 50);
  add("new", 500);
  reward("old", 0.5, 1, earliest);
  reward("old-unlearnt", 0.5, 2, earliest);
  commit([](EventStore& s) {
    const StoredModel model{.lessons = 1, .policy = "p", .dimension = 8, .state = "s"};
    ASSERT_TRUE(s.put_model(model));
    EXPECT_EQ(s.retire(400, 1000).value(), 1);
    EXPECT_EQ(s.retire(400, 1000).value(), 0);
  });
  EXPECT_EQ(reader_->counts()->events, 3);
  EXPECT_EQ(reader_->counts()->rewards, 1);
  EXPECT_EQ(outcomes(1), Outcomes{0.5});
  // A lesson's number is not given twice, though its event has gone.
  open();
  EXPECT_EQ(store_->lessons(), 2);
}

TEST_F(Store, AFormatOfTomorrowIsRefused) {
  commit([](EventStore& s) { ASSERT_TRUE(s.put("format", "2")); });
  store_.reset();
  const auto opened = open_sqlite_store(file(), Durability::async);
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().message.find("format 2"), std::string::npos) << opened.error().message;
}

TEST_F(Store, AFileOfSomebodyElseIsAnError) {
  {
    auto other = Database::open(folder_ / "other.db", Database::Access::write);
    ASSERT_TRUE(other->run("CREATE TABLE meta(unlike TEXT)"));
  }
  auto reader = open_sqlite_reader(folder_ / "other.db");
  ASSERT_TRUE(reader);
  EXPECT_FALSE(reader.value()->counts());
  EXPECT_FALSE(reader.value()->get("format"));
  EXPECT_FALSE(open_sqlite_store(folder_ / "other.db", Durability::async));
}

TEST_F(Store, ATornFileIsAnErrorAndNotACrash) {
  for (int i = 0; i < 50; ++i) add("event-" + std::to_string(i), i);
  store_.reset();
  reader_.reset();
  const std::string bytes = test::bytes_of(file());
  for (const std::size_t size : {std::size_t{1}, std::size_t{100}, bytes.size() / 2}) {
    test::put(folder_ / "torn.db", std::string(bytes.size(), '?').replace(0, size, bytes, 0, size));
    auto opened = open_sqlite_store(folder_ / "torn.db", Durability::async);
    if (!opened) continue;
    // What SQLite opens it may still refuse to read: a value that is an error will do.
    auto reader = open_sqlite_reader(folder_ / "torn.db");
    if (reader) static_cast<void>(reader.value()->counts());
  }
}

}  // namespace
}  // namespace phe::serve
