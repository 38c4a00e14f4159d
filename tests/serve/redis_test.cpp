// The protocol layer against a scripted server: what is sent, and what becomes of each answer. The
// tests of the running service have a real Redis (cluster_test.py).
#include "serve/redis.hpp"

#include <functional>
#include <thread>

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include "serve/redis_store.hpp"
#include "support/temporary_folder.hpp"
#include "support/text.hpp"
#include "support/unique_fd.hpp"

namespace phe::serve {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using Command = std::vector<std::string>;

// Answers each command of its one connection by `answer`; an empty answer closes it.
class FakeRedis {
 public:
  explicit FakeRedis(std::function<std::string(const Command&)> answer) : answer_(answer) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    listener_ = UniqueFd(::socket(AF_INET, SOCK_STREAM, 0));
    EXPECT_EQ(::bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::listen(listener_.get(), 4), 0);
    socklen_t size = sizeof address;
    ::getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&address), &size);
    address_.port = ntohs(address.sin_port);
    thread_ = std::thread([this] { run(); });
  }
  ~FakeRedis() {
    ::shutdown(listener_.get(), SHUT_RDWR);
    thread_.join();
  }
  [[nodiscard]] const RedisAddress& address() const { return address_; }
  [[nodiscard]] const std::vector<Command>& seen() const { return seen_; }

 private:
  void run() {
    UniqueFd client(::accept(listener_.get(), nullptr, nullptr));
    if (!client) return;
    client_ = client.get();
    for (;;) {
      Command command(std::stoul("0" + line('*')));
      if (command.empty()) return;
      for (std::string& word : command) {
        word = exactly(std::stoul("0" + line('$')));
        exactly(2);
      }
      seen_.push_back(command);
      const std::string answer = command[0] == "SELECT" ? "+OK\r\n" : answer_(command);
      if (answer.empty()) return;
      ::send(client_, answer.data(), answer.size(), MSG_NOSIGNAL);
      if (answer.ends_with("<cut>")) return;
    }
  }
  std::string line(char first) {
    std::string text;
    while (!text.ends_with("\r\n")) {
      const std::string next = exactly(1);
      if (next.empty()) return "";
      text += next;
    }
    EXPECT_EQ(text[0], first);
    return text.substr(1, text.size() - 3);
  }
  std::string exactly(std::size_t count) {
    std::string bytes(count, '\0');
    if (count == 0) return bytes;
    return ::recv(client_, bytes.data(), count, MSG_WAITALL) == static_cast<ssize_t>(count) ? bytes
                                                                                            : "";
  }

  std::function<std::string(const Command&)> answer_;
  RedisAddress address_;
  UniqueFd listener_;
  int client_ = -1;
  std::vector<Command> seen_;
  std::thread thread_;
};

std::string bulk(std::string_view text) {
  return "$" + std::to_string(text.size()) + "\r\n" + std::string(text) + "\r\n";
}

TEST(RedisConnection, LogsInSelectsAndSendsBytesAsTheyAre) {
  const std::string odd("a\0\r\n\xff", 5);
  FakeRedis server([&](const Command& c) { return c[0] == "ECHO" ? bulk(c[1]) : "+OK\r\n"; });
  RedisAddress address = server.address();
  address.user = "phe";
  address.password = "hush";
  address.database = 3;
  auto redis = Redis::connect(address, second);
  ASSERT_TRUE(redis) << redis.error().message;
  EXPECT_EQ(redis->call({"ECHO", odd})->text(), odd);
  EXPECT_EQ(redis->call({"ECHO", std::string_view()})->text(), "");
  EXPECT_THAT(server.seen(), ElementsAre(Command{"AUTH", "phe", "hush"}, Command{"SELECT", "3"},
                                         Command{"ECHO", odd}, Command{"ECHO", ""}));
}

TEST(RedisConnection, APipelineIsAnsweredInItsOrder) {
  FakeRedis server([](const Command& c) { return ":" + c[1] + "\r\n"; });
  auto redis = Redis::connect(server.address(), second);
  for (const char* n : {"1", "2", "3"}) redis->append({"N", n});
  for (int n = 1; n <= 3; ++n) EXPECT_EQ(redis->read()->integer(), n);
}

TEST(RedisConnection, ErrorsAreToldWithoutPasswords) {
  FakeRedis server([](const Command& c) {
    return c[0] == "AUTH" ? std::string("-WRONGPASS invalid\r\n") : "+OK\r\n";
  });
  RedisAddress address = server.address();
  address.password = "hush";
  const auto redis = Redis::connect(address, second);
  ASSERT_FALSE(redis);
  EXPECT_THAT(redis.error().message, HasSubstr("WRONGPASS"));
  EXPECT_THAT(redis.error().message, Not(HasSubstr("hush")));
}

TEST(RedisConnection, ALostOrSenselessAnswerBreaksItAndSilenceTimesOut) {
  for (const char* answer : {"", "$10\r\nhalf<cut>", "!nonsense\r\n"}) {
    FakeRedis server([&](const Command&) { return std::string(answer); });
    auto redis = Redis::connect(server.address(), second);
    EXPECT_FALSE(redis->call({"PING"})) << answer;
    EXPECT_TRUE(redis->broken());
    EXPECT_FALSE(redis->call({"PING"}));
  }
  FakeRedis silent([](const Command&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    return std::string("+late\r\n");
  });
  auto redis = Redis::connect(silent.address(), 50);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(redis->call({"PING"}));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(250));
  EXPECT_TRUE(redis->broken());
  EXPECT_FALSE(Redis::connect({.port = 1}, 50));
}

// What RedisLog sends before anything else: scripts, which get digests s0, s1, ..
std::string scripts_first(const Command& c, int& scripts) {
  return c[0] == "SCRIPT" ? bulk("s" + std::to_string(scripts++)) : "";
}

TEST(RedisLogTest, TellsWhichRanksWereThereAndReadsBehindARefusal) {
  int scripts = 0;
  FakeRedis server([&](const Command& c) -> std::string {
    if (auto digest = scripts_first(c, scripts); !digest.empty()) return digest;
    const std::string& subject = c[0] == "XADD" ? c[6] : c[c[2] == "3" ? 7 : 6];
    if (subject == "new") return "$-1\r\n";
    if (subject == "old") return bulk("its answer");
    if (subject == "bad") return "-OOM no memory\r\n";
    return bulk("17-" + std::to_string(subject.size()));
  });
  auto log = RedisLog::connect({.address = server.address()}, "shop");
  ASSERT_TRUE(log) << log.error().message;
  const Message fresh = rank_message({.id = "new"});
  const Message old = rank_message({.id = "old"});
  const Message bad = reward_message("bad", 1.0, "c");
  const Message fine = reward_message("fine", 1.0, "c");
  const Message put = put_message("key", "value");
  std::vector<std::string> answers;
  const auto answered = [&](std::size_t i, std::string_view a) {
    answers.push_back(std::to_string(i) + std::string(a));
  };
  const std::vector<const Message*> good{&fresh, &old, &fine, &put};
  EXPECT_EQ(log->append(good, answered).value(), (StreamId{17, 3}));
  EXPECT_THAT(answers, ElementsAre("1its answer"));
  const std::vector<const Message*> mixed{&bad, &old, &fine};
  const auto refused = log->append(mixed, answered);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("OOM"));
  EXPECT_EQ(answers.size(), 2U);  // what stood behind the refusal was read
  EXPECT_EQ(log->append(good, answered).value(), (StreamId{17, 3}));
}

TEST(RedisLogTest, ReadsEntriesAndRefusesThoseOfOthers) {
  int scripts = 0;
  int reads = 0;
  const auto entry = [](std::string_view id, int fields) {
    std::string text = "*2\r\n" + bulk(id) + "*" + std::to_string(2 * fields) + "\r\n";
    for (int i = 0; i < fields; ++i)
      text += bulk("f") + bulk(std::string(1, static_cast<char>('a' + i)));
    return text;
  };
  FakeRedis server([&](const Command& c) -> std::string {
    if (auto digest = scripts_first(c, scripts); !digest.empty()) return digest;
    if (reads++ == 0) return "*-1\r\n";
    const std::string rows =
        reads == 2 ? "*2\r\n" + entry("5-1", 5) + entry("6-0", 5) : "*1\r\n" + entry("7-0", 2);
    return "*1\r\n*2\r\n" + bulk("phe:{shop}:stream") + rows;
  });
  auto log = RedisLog::connect({.address = server.address()}, "shop");
  EXPECT_TRUE(log->read_after({}, 10, 1)->empty());
  const auto entries = log->read_after({}, 10, 1);
  ASSERT_EQ(entries->size(), 2U);
  EXPECT_EQ(entries.value()[1].id, (StreamId{6, 0}));
  EXPECT_EQ(entries.value()[1].message, (Message{"a", "b", "c", "d", "e"}));
  EXPECT_FALSE(log->read_after({}, 10, 1));
}

TEST(RedisAddresses, AreReadWithAllTheirPartsAndShownWithoutPassword) {
  const auto full = RedisAddress::parse("redis://phe:p%40ss:w@example:7000/2");
  ASSERT_TRUE(full);
  EXPECT_EQ(full->user, "phe");
  EXPECT_EQ(full->password, "p@ss:w");
  EXPECT_EQ(full->text(), "redis://example:7000/2");
  EXPECT_EQ(RedisAddress::parse("redis://:x@h")->password, "x");
  EXPECT_EQ(RedisAddress::parse("redis://h")->text(), "redis://h:6379/0");
  EXPECT_EQ(RedisAddress::parse("redis://[::1]:70/")->text(), "redis://[::1]:70/0");
  EXPECT_EQ(RedisAddress::parse("redis://[::1]")->port, 6379);
  for (const char* bad :
       {"", "h", "http://h", "redis://", "redis://h:0", "redis://h:x", "redis://h/x",
        "redis://h/-1", "redis://secret@h", "redis://a:%zz@h", "rediss://h"}) {
    const auto parsed = RedisAddress::parse(bad);
    ASSERT_FALSE(parsed) << bad;
    EXPECT_THAT(parsed.error().message, Not(HasSubstr("secret")));
  }
}

TEST(BackOffTest, WaitsTwiceAsLongEachTimeUpToALimit) {
  using std::chrono::milliseconds;
  BackOff again(50, 150);
  const BackOff::Time now = std::chrono::steady_clock::now();
  EXPECT_TRUE(again.due(now));
  for (const int expected : {50, 100, 150, 150}) {
    again.failed(now);
    EXPECT_FALSE(again.due(now + milliseconds(expected - 1)));
    EXPECT_TRUE(again.due(now + milliseconds(expected)));
  }
  again.succeeded();
  EXPECT_TRUE(again.due(now));
}

// A store whose Redis is away: nobody follows.
struct Away {
  explicit Away(bool buffer, std::int64_t most = 100) {
    auto own = open_sqlite_store(folder / "app.db", Durability::async);
    EXPECT_TRUE(own);
    replica = std::move(own).value();
    options.buffer_rewards = buffer;
    options.most_buffered = most;
    open();
  }
  void open() {
    store.reset();
    store = std::make_unique<RedisStore>(
        options, "app", std::move(Spool::open(folder / "app.spool", Durability::async)).value(),
        std::move(open_sqlite_reader(folder / "app.db")).value(), health, clock);
  }
  Result<std::string> rank(std::string_view id, std::string_view answer) {
    std::string told;
    EXPECT_TRUE(store->add({.id = id, .closes = 10, .answer = answer}, told));
    auto done = store->commit();
    if (!done) return store->rollback(), done.error();
    return told;
  }
  Result<void> reward(std::string_view id) {
    EXPECT_TRUE(store->reward(id, 1.0, "call", 0, {}));
    auto done = store->commit();
    if (!done) store->rollback();
    return done;
  }

  test::TemporaryFolder folder;
  RedisOptions options;
  StoreHealth health;
  Clock clock;
  std::unique_ptr<Replica> replica;
  std::unique_ptr<RedisStore> store;
};

TEST(RedisIsAway, RanksAreKeptAndRewardsRefusedOrKeptAsConfigured) {
  for (const bool buffer : {false, true}) {
    Away away(buffer);
    EXPECT_EQ(away.rank("e", "first").value(), "first");
    EXPECT_EQ(away.rank("e", "second").value(), "first");
    EXPECT_EQ(away.reward("e").ok(), buffer);
    EXPECT_EQ(away.health.refused, buffer ? 0 : 1);
    EXPECT_EQ(away.health.buffered, buffer ? 2 : 1);
    ASSERT_TRUE(away.store->put("key", "value"));
    EXPECT_FALSE(away.store->commit());  // a document is for all nodes or for none
    away.store->rollback();
    away.open();  // as after a crash
    EXPECT_EQ(away.health.buffered, buffer ? 2 : 1);
    EXPECT_EQ(away.rank("e", "third").value(), "first");
  }
}

TEST(RedisIsAway, WhatTheOwnLogKnowsIsAnsweredFromIt) {
  Away away(false);
  std::string ignored;
  ASSERT_TRUE(away.replica->begin());
  ASSERT_TRUE(
      away.replica->add({.id = "e", .closes = 10, .request = "r", .answer = "long ago"}, ignored));
  ASSERT_TRUE(away.replica->commit());
  EXPECT_EQ(away.rank("e", "now").value(), "long ago");
  EXPECT_EQ(away.health.buffered, 0);
}

TEST(RedisIsAway, NoMoreIsKeptThanMayBe) {
  Away away(true, 2);
  EXPECT_TRUE(away.rank("a", "x"));
  EXPECT_TRUE(away.reward("a"));
  const auto full = away.rank("b", "x");
  ASSERT_FALSE(full);
  EXPECT_THAT(full.error().message, HasSubstr("2 calls wait"));
  EXPECT_EQ(away.health.buffered, 2);
}

TEST(SpoolTest, GivesBackInOrderWhatWasPutInAndLosesNothing) {
  test::TemporaryFolder folder;
  const Message a = rank_message({.id = "a", .request = "r", .answer = "x"});
  const Message b = reward_message("a", 0.5, "call");
  {
    auto spool = std::move(Spool::open(folder / "s", Durability::commit)).value();
    const std::vector<const Message*> both{&a, &b};
    ASSERT_TRUE(spool->add(both));
    ASSERT_TRUE(spool->add(both));
  }
  auto spool = std::move(Spool::open(folder / "s", Durability::commit)).value();
  EXPECT_EQ(spool->size(), 4);
  const auto oldest = spool->oldest(3).value();
  ASSERT_EQ(oldest.size(), 3U);
  EXPECT_EQ(oldest[0].message, a);
  EXPECT_EQ(oldest[1].message, b);
  EXPECT_EQ(oldest[2].message, a);
  ASSERT_TRUE(spool->remove_up_to(oldest[2].number));
  EXPECT_EQ(spool->size(), 1);
  EXPECT_EQ(spool->oldest(9).value()[0].message, b);
  EXPECT_FALSE(spool->answer("a").value());
}

}  // namespace
}  // namespace phe::serve
