#include "serve/fold.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "policies/learner_policy.hpp"
#include "serve/features.hpp"
#include "serve/model.hpp"
#include "serve/sqlite_store.hpp"
#include "support/error.hpp"
#include "support/temporary_folder.hpp"

namespace phe::serve {
namespace {

constexpr std::int64_t start = 1'763'440'000'000;
constexpr std::int64_t wait = 10 * second;

// A node's own log, and what is folded into it.
struct Node {
  test::TemporaryFolder folder;
  std::unique_ptr<Replica> store;
  std::unique_ptr<EventReader> reader;
  Fold fold;

  Node() { open(); }
  void open() {
    store.reset();
    store = std::move(open_sqlite_store(folder / "app.db", Durability::async)).value();
    reader = std::move(open_sqlite_reader(folder / "app.db", Database::Access::write)).value();
    fold = Fold::after(*reader).value();
  }
  Result<void> apply(std::span<const Entry> entries) {
    Fold next = fold;
    if (auto done = store->begin(); !done) return done;
    for (const Entry& entry : entries)
      if (auto done = next.apply(entry, *store); !done) return store->rollback(), done;
    if (auto done = next.finish(*store); !done) return done;
    if (auto done = store->commit(); !done) return done;
    fold = next;
    return {};
  }
  void take(std::vector<Entry> entries) {
    const auto done = apply(entries);
    ASSERT_TRUE(done) << done.error().message;
  }

  // Lessons in their order, as text: number, action, outcome to the last bit, request.
  std::vector<std::string> lessons(std::int64_t after = 0) {
    std::vector<std::string> all;
    EXPECT_TRUE(reader->lessons_after(after, 1'000'000, [&](const Lesson& l) {
      all.push_back(fmt::format("{} {} {:a} {}", l.number, l.drawn, l.outcome, l.request));
    }));
    return all;
  }
  std::map<std::string, double> outcomes() {
    std::map<std::string, double> all;
    EXPECT_TRUE(reader->lessons_after(
        0, 1'000'000, [&](const Lesson& l) { all[std::string(l.request)] = l.outcome; }));
    return all;
  }
  std::string model_bytes(std::string_view spec) {
    Model model = std::move(Model::create(spec, 16)).value();
    EXPECT_TRUE(
        reader->lessons_after(0, 1'000'000, [&](const Lesson& l) { EXPECT_TRUE(model.learn(l)); }));
    return model.state().value();
  }
  // The estimate of ridge regression from all lessons, in their order.
  std::vector<double> theta() {
    auto policy = std::move(make_policy("lineps", 16)).value();
    RankRequestParser parser;
    std::vector<double> row(16);
    EXPECT_TRUE(reader->lessons_after(0, 1'000'000, [&](const Lesson& l) {
      const RankRequest& request = *parser.parse(l.request, {}).value();
      hash_action(request.context, request.actions[l.drawn].features, row);
      EXPECT_TRUE(policy->update(row, l.outcome));
    }));
    Rng rng(1);
    EXPECT_TRUE(policy->select(Actions::rows(1, row), rng));
    const auto theta = dynamic_cast<LearnerPolicy&>(*policy).learner().theta();
    return {theta.begin(), theta.end()};
  }
};

std::string body(std::string_view event) {
  const int n = event.back() % 3;
  return fmt::format(R"({{"contextFeatures":[{{"c":"{}"}}],"actions":[{{"id":"a","features":[)"
                     R"({{"x":"{}"}}]}},{{"id":"b","features":[{{"y":1}}]}}],"eventId":"{}"}})",
                     n, event.size() % 5, event);
}

Message rank_of(const std::string& event, bool active = true,
                LearningMode mode = LearningMode::online) {
  const std::string request = body(event);
  return rank_message({.id = event,
                       .time = 0,
                       .closes = wait,
                       .mode = mode,
                       .active = active,
                       .drawn = event.size() % 2,
                       .shown = event.size() % 2,
                       .request = request,
                       .answer = "answer"});
}

// The stream: gives ids, and says of reactions whether their event was there, as Redis does.
struct Stream {
  std::vector<Entry> entries;
  std::set<std::string> known;
  StreamId last{start, 0};

  Entry at(std::int64_t time, Message message) {
    last = time > last.time ? StreamId{time, 0} : StreamId{last.time, last.number + 1};
    if (message.kind == "rank") known.insert(message.subject);
    if (message.kind == "reward" || message.kind == "activate")
      message.facts += known.contains(message.subject) ? " 1" : " 0";
    entries.push_back({last, std::move(message)});
    return entries.back();
  }
};

Message configured(Aggregation aggregation, double default_reward = -0.5) {
  Configuration c;
  c.aggregation = aggregation;
  c.default_reward = default_reward;
  return put_message("configuration", to_text(c));
}

// A bit of everything, over half a minute.
Stream a_long_day(std::uint64_t seed, int events) {
  Stream stream;
  std::mt19937_64 random(seed);
  std::int64_t time = start;
  stream.at(time, configured(Aggregation::sum));
  for (int i = 0; i < events; ++i) {
    time += static_cast<std::int64_t>(random() % 60);
    const std::string event = fmt::format("e{}", i);
    const auto mode = random() % 5 == 0 ? LearningMode::apprentice : LearningMode::online;
    if (random() % 10 == 0) stream.at(time, reward_message(event, 0.25, "early"));
    stream.at(time, rank_of(event, random() % 4 != 0, mode));
    for (int j = 0; j < 3; ++j) {
      const std::string other = fmt::format("e{}", static_cast<int>(random()) % (i + 1));
      const std::string call = fmt::format("call-{}", random() % 3);
      stream.at(time, random() % 3 == 0
                          ? activate_message(other)
                          : reward_message(other, 0.125 * static_cast<double>(random() % 9), call));
    }
    if (i % 100 == 50)
      stream.at(time, configured(i % 200 == 50 ? Aggregation::earliest : Aggregation::sum,
                                 0.01 * (i % 7)));
  }
  stream.at(time + wait, {.kind = "tick"});
  return stream;
}

TEST(Folding, PiecesOfAnySizeAndRestartsGiveTheSameBytes) {
  const Stream stream = a_long_day(1, 300);
  Node whole;
  whole.take(stream.entries);
  const auto lessons = whole.lessons();
  EXPECT_GT(lessons.size(), 200U);
  std::mt19937_64 random(2);
  for (const std::size_t most : {1U, 7U, 200U}) {
    Node node;
    std::span<const Entry> rest = stream.entries;
    while (!rest.empty()) {
      const std::size_t size = std::min(rest.size(), 1 + random() % most);
      ASSERT_TRUE(node.apply(rest.first(size)));
      rest = rest.subspan(size);
      if (random() % 16 == 0) node.open();
    }
    EXPECT_TRUE(node.lessons() == lessons) << most;
    EXPECT_EQ(node.model_bytes("linphe:a=0.5,memory=64"),
              whole.model_bytes("linphe:a=0.5,memory=64"));
  }
}

TEST(Folding, WhatIsReadAgainChangesNothing) {
  const Stream stream = a_long_day(3, 40);
  Node node;
  node.take(stream.entries);
  const auto lessons = node.lessons();
  node.take(stream.entries);
  EXPECT_EQ(node.lessons(), lessons);
  EXPECT_EQ(node.fold.position(), stream.last);
}

// Ranks, rewards, activations and repetitions of 200 events in any order, rewards before their
// ranks among them. Each event comes to the same outcome, to the bit: rewards are multiples of 1/8,
// which add up without rounding. What order changes is the order of lessons, so sums of their rows
// are rounded otherwise: the estimate is the same to 1e-12.
TEST(Folding, AnyOrderGivesTheSameOutcomesAndTheSameEstimate) {
  std::vector<Message> messages;
  std::mt19937_64 random(4);
  for (int i = 0; i < 200; ++i) {
    const std::string event = fmt::format("e{}", i);
    const bool active = random() % 3 != 0;
    messages.push_back(rank_of(event, active));
    if (!active && random() % 4 != 0) messages.push_back(activate_message(event));
    for (std::size_t j = 0; j < random() % 4; ++j) {
      const auto reward = reward_message(event, 0.125 * static_cast<double>(random() % 9) - 0.5,
                                         fmt::format("call-{}", j));
      messages.push_back(reward);
      if (random() % 2 == 0) messages.push_back(reward);  // sent twice
    }
  }
  std::map<std::string, double> expected;
  std::vector<double> theta;
  for (int order = 0; order < 8; ++order) {
    Stream stream;
    stream.at(start, configured(Aggregation::sum, -0.25));
    for (std::size_t i = 0; i < messages.size(); ++i)
      stream.at(start + static_cast<std::int64_t>(i), messages[i]);
    stream.at(start + 2 * wait, {.kind = "tick"});
    Node node;
    node.take(stream.entries);
    const auto outcomes = node.outcomes();
    const auto estimate = node.theta();
    if (order == 0) {
      expected = outcomes;
      theta = estimate;
      EXPECT_GT(outcomes.size(), 150U);
      EXPECT_LT(outcomes.size(), 200U);
    }
    EXPECT_EQ(outcomes, expected) << order;
    for (std::size_t j = 0; j < theta.size(); ++j) EXPECT_NEAR(estimate[j], theta[j], 1e-12);
    std::ranges::shuffle(messages, random);
  }
}

TEST(Folding, TimeIsThatOfTheStreamAndOfNothingElse) {
  Stream stream;
  Node node;
  node.take({stream.at(start, configured(Aggregation::sum, -0.5)), stream.at(start, rank_of("e")),
             stream.at(start + 1, rank_of("other")),
             stream.at(start + 9, reward_message("e", 0.25, "1"))});
  node.take({stream.at(start + wait - 1, {.kind = "tick"})});
  EXPECT_TRUE(node.outcomes().empty());
  // Due at the very millisecond: settled before what comes in it, which is too late.
  node.take({stream.at(start + wait, reward_message("e", 0.5, "2"))});
  EXPECT_EQ(node.outcomes(), (std::map<std::string, double>{{body("e"), 0.25}}));
  EXPECT_EQ(node.reader->counts()->late_rewards, 1);
  EXPECT_EQ(node.reader->next_close().value(), start + 1 + wait);
  node.take({stream.at(start + wait + 1, {.kind = "tick"})});
  EXPECT_EQ(node.outcomes()[body("other")], -0.5);
  EXPECT_FALSE(node.reader->next_close().value());
}

TEST(Folding, TheRulesAreThoseOfTheConfigurationAtThatPlace) {
  Stream stream;
  Node node;
  node.take({stream.at(start, configured(Aggregation::sum, -0.5)), stream.at(start, rank_of("e")),
             stream.at(start, reward_message("e", 0.25, "1")),
             stream.at(start, configured(Aggregation::earliest, 0.75)),
             stream.at(start, rank_of("f")), stream.at(start, reward_message("f", 0.5, "1"))});
  EXPECT_EQ(node.outcomes(), (std::map<std::string, double>{{body("f"), 0.5}}));
  node.open();  // the rules are in the log
  node.take({stream.at(start + 1, rank_of("g")), stream.at(start + 1 + wait, {.kind = "tick"})});
  EXPECT_EQ(node.outcomes()[body("e")], 0.25);
  EXPECT_EQ(node.outcomes()[body("g")], 0.75);
  EXPECT_EQ(node.fold.configurations(), 0);  // since it was opened
}

TEST(Folding, AnEarlyRewardWaitsForItsRankForADay) {
  Stream stream;
  Node node;
  node.take({stream.at(start, reward_message("a/b", 1.0, "other event")),
             stream.at(start, reward_message("a", 0.5, "call 1")),
             stream.at(start, reward_message("a", 0.5, "call 1")),
             stream.at(start, reward_message("old", 0.5, "x")), stream.at(start, rank_of("a"))});
  EXPECT_EQ(node.outcomes(), (std::map<std::string, double>{{body("a"), 0.5}}));
  node.open();
  node.take({stream.at(start + day, rank_of("a/b")), stream.at(start + day + 1, rank_of("old"))});
  EXPECT_EQ(node.outcomes()[body("a/b")], 1.0);
  EXPECT_FALSE(node.outcomes().contains(body("old")));
  // What nobody asked for is gone after two days.
  node.take({stream.at(start + day + 2, reward_message("never", 1.0, "x"))});
  EXPECT_EQ(node.reader->all("early/")->size(), 1U);
  node.take({stream.at(start + 4 * day, {.kind = "tick"})});
  EXPECT_TRUE(node.reader->all("early/")->empty());
}

// Whether a node still has the settled event of an id, or has retired it, must not matter when the
// store gives the id out anew.
TEST(Folding, AnIdGivenOutAnewIsANewEventOnEveryNode) {
  Stream stream;
  Node keeps, retires;
  const std::vector<Entry> first{
      stream.at(start, configured(Aggregation::earliest)), stream.at(start, rank_of("e")),
      stream.at(start, reward_message("e", 1.0, "1")), stream.at(start, rank_of("open"))};
  const std::vector<Entry> second{stream.at(start + 5, rank_of("e")),
                                  stream.at(start + 5, reward_message("e", 0.5, "1")),
                                  stream.at(start + 5, rank_of("open")),
                                  stream.at(start + 5, reward_message("open", 0.25, "1"))};
  keeps.take(first);
  retires.take(first);
  ASSERT_TRUE(retires.store->begin());
  ASSERT_TRUE(retires.store->put_model({.lessons = 1, .policy = "p", .state = "s"}));
  EXPECT_EQ(retires.store->retire(start + 1, 100).value(), 1);
  ASSERT_TRUE(retires.store->commit());
  keeps.take(second);
  retires.take(second);
  EXPECT_EQ(keeps.lessons().size(), 3U);  // the open one was one event, whoever ranked it again
  const auto all = keeps.lessons();
  EXPECT_EQ(retires.lessons(), std::vector<std::string>(all.begin() + 1, all.end()));
}

TEST(Folding, AModelTakesThePlaceOfWhatWasLearntBeforeIt) {
  Stream stream;
  Node node;
  node.take(
      {stream.at(start, configured(Aggregation::earliest)), stream.at(start, rank_of("e")),
       stream.at(start, reward_message("e", 1.0, "1")),
       stream.at(start, model_message(
                            {.learnt = 7, .policy = "lints", .dimension = 16, .state = "state"}))});
  const StoredModel model = *node.reader->model().value();
  EXPECT_EQ(model.lessons, 1);
  EXPECT_EQ(model.learnt, 7);
  EXPECT_EQ(model.policy, "lints");
  EXPECT_EQ(model.state, "state");
  EXPECT_EQ(node.fold.models(), 1);
}

TEST(Folding, AForgottenLogKeepsWhatIsYetToBeLearnt) {
  Stream stream;
  Node node;
  node.take({stream.at(start, configured(Aggregation::earliest)), stream.at(start, rank_of("open")),
             stream.at(start, rank_of("e")), stream.at(start, reward_message("e", 1.0, "1")),
             stream.at(start, reward_message("early", 1.0, "1"))});
  node.take({stream.at(start, {.kind = "forget"})});
  EXPECT_EQ(node.lessons().size(), 1U);
  EXPECT_EQ(node.reader->counts()->events, 1);
  EXPECT_EQ(node.reader->counts()->waiting, 0);
  EXPECT_TRUE(node.reader->all("early/")->empty());
  EXPECT_EQ(node.reader->get("forgotten").value(), to_text(stream.last));
}

TEST(Folding, ASnapshotHoldsAllThatTheFutureNeeds) {
  Stream stream = a_long_day(5, 200);
  const std::span<const Entry> all = stream.entries;
  for (const std::size_t cut : {std::size_t{1}, all.size() / 3, all.size() - 1}) {
    Node old, fresh;
    ASSERT_TRUE(old.apply(all.first(cut)));
    // The model has learnt half of the lessons: the others must be in the snapshot.
    const auto learnt = static_cast<std::int64_t>(old.lessons().size() / 2);
    ASSERT_TRUE(old.store->begin());
    ASSERT_TRUE(old.store->put_model({.lessons = learnt, .policy = "p", .state = "s"}));
    ASSERT_TRUE(old.store->commit());
    const auto snapshot = old.reader->snapshot();
    ASSERT_TRUE(snapshot) << snapshot.error().message;
    ASSERT_TRUE(fresh.apply(a_long_day(6, 10).entries));  // all of which must go
    ASSERT_TRUE(fresh.store->begin());
    const auto restored = fresh.store->restore(snapshot.value());
    ASSERT_TRUE(restored) << restored.error().message;
    ASSERT_TRUE(fresh.store->commit());
    fresh.open();
    EXPECT_EQ(fresh.fold.position(), old.fold.position());
    ASSERT_TRUE(old.apply(all.subspan(cut)));
    ASSERT_TRUE(fresh.apply(all.subspan(cut)));
    EXPECT_GT(old.lessons(learnt).size(), 50U);
    EXPECT_TRUE(fresh.lessons(learnt) == old.lessons(learnt)) << cut;
  }
}

TEST(Folding, NonsenseIsNamedAndLeavesTheLogAsItWas) {
  Stream stream;
  Node node;
  node.take({stream.at(start, configured(Aggregation::earliest)), stream.at(start, rank_of("e"))});
  const StreamId before = node.fold.position();
  for (const Message& message :
       {Message{.kind = "dance"}, Message{.kind = "rank", .subject = "x", .facts = "1 2 3"},
        Message{.kind = "rank", .subject = "x", .facts = "-1 0 1 0 0"},
        Message{.kind = "rank", .subject = "x", .facts = "1 9 1 0 0"},
        Message{.kind = "reward", .subject = "e", .facts = "much"},
        Message{.kind = "model", .subject = "p", .facts = ""},
        Message{.kind = "put", .subject = "configuration", .body = "{"}}) {
    const std::vector<Entry> entries{{{start + 1, 0}, rank_of("f")}, {{start + 1, 1}, message}};
    const auto done = node.apply(entries);
    ASSERT_FALSE(done) << message.kind << message.facts;
    EXPECT_NE(done.error().message, "");
    EXPECT_EQ(node.fold.position(), before);
    EXPECT_EQ(node.reader->counts()->events, 1);
  }
}

TEST(StreamIds, AreOrderedByTimeAndThenByNumber) {
  EXPECT_LT((StreamId{1, 9}), (StreamId{2, 0}));
  EXPECT_LT((StreamId{2, 9}), (StreamId{2, 10}));
  EXPECT_EQ(to_text(StreamId{5, 7}), "5-7");
  EXPECT_EQ(parse_stream_id("1763440000000-18446744073709551615").value(),
            (StreamId{1'763'440'000'000, ~std::uint64_t{0}}));
  for (const char* bad : {"", "-", "5-", "-5-1", "5-x", "x-5", "5-6-7"})
    EXPECT_FALSE(parse_stream_id(bad)) << bad;
}

}  // namespace
}  // namespace phe::serve
