#include "record/journal_line.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "record/experiment_json.hpp"
#include "support/crc32.hpp"

namespace phe {
namespace {

JournalHeader header() {
  return {.version = "0.1.0",
          .draws = 3,
          .experiment = {.problems = {"linear:features=arms.csv"},
                         .policies = {"linphe:a=1", "linphe:a=2"},
                         .rounds = 4,
                         .instances = 3,
                         .first_instance = 10,
                         .seed = std::numeric_limits<std::uint64_t>::max()},
          .problem_names = {"linear:features=sha256:cafe"},
          .policy_names = {"linphe:a=1", "linphe:a=2"},
          .inputs = {{"arms.csv", "cafe"}},
          .checkpoints = {2, 4}};
}

std::string_view without_newline(std::string_view line) { return line.substr(0, line.size() - 1); }

TEST(Crc32, IsTheOneEverybodyUses) {
  static_assert(crc32("123456789") == 0xcbf43926U);
  static_assert(crc32("") == 0U);
}

TEST(JournalLine, OfAHeaderReadsBackTheSame) {
  const std::string line = encode(header());
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  const auto read = decode_header(without_newline(line));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(difference(*read, header()), "");
  EXPECT_EQ(encode(*read), line);
}

RC_GTEST_PROP(JournalLine, OfARunReadsBackTheSameBits, (std::vector<double> regret)) {
  const RunResult run{{1, 2, 3}, regret, 0.1};
  const auto read = decode_run(without_newline(encode(run)));
  RC_ASSERT(read.has_value());
  RC_ASSERT(read->id == run.id);
  RC_ASSERT(read->seconds == run.seconds);
  RC_ASSERT(read->regret == run.regret);
}

TEST(JournalLine, OfARunHasItsColumnsAfterTheirNames) {
  RunResult run{{1, 2, 3}, {1.5, 2.5}, 0.1};
  run.best_pulls = {1, 1};
  EXPECT_TRUE(encode(run).starts_with("run 1 2 3 0.1 1.5 2.5 best_pulls 1 1 #"));
  run.reward = {0.25, std::numeric_limits<double>::infinity()};
  const auto read = decode_run(without_newline(encode(run)));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->regret, run.regret);
  EXPECT_EQ(read->reward, run.reward);
  EXPECT_EQ(read->best_pulls, run.best_pulls);
  for (const std::string text : {"run 1 2 3 0.1 1.5 rewards 1", "run 1 2 3 0.1 1.5 reward 1 x",
                                 "run 1 2 3 0.1 reward 1 1.5x", "run 1 2 3 0.1 1 reward 1 reward 1",
                                 "run 1 2 3 0.1 1 best_pulls 1 best_pulls 2"})
    EXPECT_FALSE(decode_run(fmt::format("{} #{:08x}", text, crc32(text))).has_value()) << text;
}

TEST(JournalLine, KeepsExtremeDoubles) {
  const std::vector<double> extremes = {0.0,    0.1 + 0.2, std::numeric_limits<double>::max(),
                                        5e-324, -0.0,      std::numeric_limits<double>::infinity()};
  const auto read = decode_run(without_newline(encode(RunResult{{}, extremes, 0.0})));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->regret, extremes);
  EXPECT_TRUE(std::signbit(read->regret[4]));
}

TEST(JournalLine, IsRefusedWhenAnyBitIsFlipped) {
  const std::string line(without_newline(encode(RunResult{{0, 1, 2}, {1.5, 2.25}, 0.5})));
  for (std::size_t i = 0; i < line.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      std::string flipped = line;
      flipped[i] = static_cast<char>(flipped[i] ^ (1 << bit));
      EXPECT_FALSE(decode_run(flipped).has_value()) << flipped;
    }
}

TEST(JournalLine, IsRefusedWhenItIsSomethingElse) {
  for (const char* const text : {"", "run", "run 1", " #00000000", "hello", "run 1 2 #cafe"}) {
    EXPECT_FALSE(decode_run(text).has_value()) << text;
    EXPECT_FALSE(decode_header(text).has_value()) << text;
  }
  EXPECT_FALSE(decode_run(without_newline(encode(header()))).has_value());
}

TEST(JournalLine, OfAHeaderTellsItsFormatWhenItIsWhole) {
  const auto sealed = [](const std::string& text) {
    return fmt::format("{} #{:08x}", text, crc32(text));
  };
  EXPECT_EQ(format_of_header(without_newline(encode(header()))), 2U);
  JournalHeader with_columns = header();
  with_columns.experiment.columns = {"reward"};
  EXPECT_EQ(format_of_header(without_newline(encode(with_columns))), journal_format);
  EXPECT_EQ(format_of_header(sealed("phe-runs 1 {}")), 1U);
  EXPECT_EQ(format_of_header(sealed("phe-runs 17")), 17U);
  EXPECT_EQ(format_of_header(sealed("phe-runs x {}")), std::nullopt);
  EXPECT_EQ(format_of_header("phe-runs 1 {} #00000000"), std::nullopt);
  EXPECT_FALSE(decode_header(sealed("phe-runs 2")).has_value());
  EXPECT_FALSE(decode_header(sealed("phe-runs 2 {")).has_value());
}

TEST(JournalLine, OfAHeaderIsRefusedWhenAValueIsOfAnotherKind) {
  const std::string_view start = "phe-runs 2 ";
  for (const auto& [key, value] :
       std::vector<std::pair<std::string, Json>>{{"rounds", 1e302},
                                                 {"rounds", 1.5},
                                                 {"seed", -1},
                                                 {"draws", "3"},
                                                 {"inputs", {{{"name", "arms.csv"}}}},
                                                 {"problem_names", 1},
                                                 {"problem_names", {"a", "b", "c", "d"}},
                                                 {"policy_names", Json::array()},
                                                 {"columns", "reward"},
                                                 {"checkpoints", {2, -4}}}) {
    const std::string good = encode(header());
    Json json = Json::parse(good.substr(start.size(), good.rfind(" #") - start.size()));
    json[key] = value;
    const std::string text = std::string(start) + dumped(json);
    EXPECT_FALSE(decode_header(fmt::format("{} #{:08x}", text, crc32(text))).has_value()) << text;
  }
}

}  // namespace
}  // namespace phe
