#include "phe/history.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/temporary_folder.hpp"

namespace phe {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string error_of(std::string_view text) {
  const auto result = History::from_text(text);
  return result ? "no error" : result.error().message;
}

TEST(History, PullsAndRewardsAddUp) {
  History history(3);
  history.add(1, 0.5);
  history.add(1, 0.25);
  history.add(2, 7.5, 10);
  EXPECT_EQ(history.rows(), 3U);
  EXPECT_EQ(history.pulls(0), 0U);
  EXPECT_EQ(history.pulls(1), 2U);
  EXPECT_EQ(history.reward_sum(1), 0.75);
  EXPECT_EQ(history.pulls(2), 10U);
  EXPECT_EQ(history.total_pulls(), 12U);
}

TEST(History, MergedHistoriesAddUpRowByRow) {
  History a(2);
  a.add(0, 1.5, 2);
  History b(2);
  b.add(0, 0.5);
  b.add(1, 3, 4);
  ASSERT_TRUE(a.merge(b).ok());
  EXPECT_EQ(a.pulls(0), 3U);
  EXPECT_EQ(a.reward_sum(0), 2.0);
  EXPECT_EQ(a.pulls(1), 4U);
  EXPECT_EQ(a.total_pulls(), 7U);
}

TEST(History, MergingOtherRowsFailsAndChangesNothing) {
  History a(2);
  a.add(0, 1.0);
  const History before = a;
  const auto merged = a.merge(History(3));
  ASSERT_FALSE(merged.ok());
  EXPECT_THAT(merged.error().message, AllOf(HasSubstr("3 rows"), HasSubstr("into 2")));
  EXPECT_EQ(a, before);
}

TEST(History, TextIsTheDocumentedFormat) {
  History history(100);
  history.add(3, 9.25, 17);
  EXPECT_EQ(history.to_text(), "phe-history 1\nrows 100\n3 17 9.25\nend 1\n");
  EXPECT_EQ(History(0).to_text(), "phe-history 1\nrows 0\nend 0\n");
}

TEST(History, AwkwardSumsReadBackToTheBit) {
  const double sums[] = {0.1 + 0.2,  1e-300,
                         5e-324,     std::numeric_limits<double>::max(),
                         -1.0 / 3.0, 0.0,
                         -0.0,       123456789012345680.0,
                         1e23,       std::nextafter(1.0, 2.0)};
  History history(std::size(sums));
  for (ArmId row = 0; row < std::size(sums); ++row)
    history.add(row, sums[row], row == 4 ? std::uint64_t{1} << 62 : row + 1);
  const auto read = History::from_text(history.to_text());
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read.value(), history);
  for (ArmId row = 0; row < std::size(sums); ++row)
    EXPECT_EQ(read->reward_sum(row), sums[row]) << row;
}

RC_GTEST_PROP(HistoryProperty, AnyHistoryReadsBackAsItself, ()) {
  const auto rows = *rc::gen::inRange<std::size_t>(1, 40);
  History history(rows);
  const auto records = *rc::gen::inRange(0, 60);
  for (int i = 0; i < records; ++i) {
    const auto row = *rc::gen::inRange<ArmId>(0, static_cast<ArmId>(rows));
    const auto pulls = *rc::gen::inRange<std::uint64_t>(1, std::uint64_t{1} << 50);
    // Any bits that are a finite number, including subnormal ones.
    const auto bits = *rc::gen::arbitrary<std::uint64_t>();
    const double value = std::bit_cast<double>(bits);
    history.add(row, std::isfinite(value) ? value / 1e3 : 0.5, pulls);
  }
  const auto read = History::from_text(history.to_text());
  RC_ASSERT(read.ok());
  RC_ASSERT(read.value() == history);
  RC_ASSERT(read->to_text() == history.to_text());
}

RC_GTEST_PROP(HistoryProperty, ATextCutShortIsRefused, ()) {
  History history(20);
  const auto records = *rc::gen::inRange<ArmId>(0, 20);
  for (ArmId row = 0; row < records; ++row) history.add(row, 0.1 * row, row + 1);
  const std::string text = history.to_text();
  // Without its last newline the text still says all; with less it does not.
  const auto length = *rc::gen::inRange<std::size_t>(0, text.size() - 1);
  RC_ASSERT(!History::from_text(text.substr(0, length)).ok());
}

RC_GTEST_PROP(HistoryProperty, MergingIsTheSameInEitherOrder, ()) {
  History a(8);
  History b(8);
  for (int i = 0; i < 20; ++i) {
    auto& history = *rc::gen::arbitrary<bool>() ? a : b;
    history.add(*rc::gen::inRange<ArmId>(0, 8), *rc::gen::inRange(0, 1000) / 64.0);
  }
  History ab = a;
  History ba = b;
  RC_ASSERT(ab.merge(b).ok());
  RC_ASSERT(ba.merge(a).ok());
  RC_ASSERT(ab == ba);
}

TEST(HistoryText, EachBrokenLineIsNamed) {
  EXPECT_THAT(error_of(""), HasSubstr("line 1: expected 'phe-history 1'"));
  EXPECT_THAT(error_of("phe-history 2\nrows 1\nend 0\n"), HasSubstr("line 1"));
  EXPECT_THAT(error_of("phe-history 1\n"), HasSubstr("line 2: expected 'rows'"));
  EXPECT_THAT(error_of("phe-history 1\nrows -1\nend 0\n"), HasSubstr("line 2"));
  EXPECT_THAT(error_of("phe-history 1\nrows 2.5\nend 0\n"), HasSubstr("line 2"));
  EXPECT_THAT(error_of("phe-history 1\nlines 2\nend 0\n"), HasSubstr("line 2"));
  const std::string start = "phe-history 1\nrows 4\n";
  EXPECT_THAT(error_of(start), HasSubstr("ends before its 'end' line"));
  EXPECT_THAT(error_of(start + "0 1 0.5\n"), HasSubstr("ends before its 'end' line"));
  for (const char* record :
       {"4 1 0.5", "-1 1 0.5", "0 0 0.5", "0 -1 0.5", "0 1 nan", "0 1 inf", "0 1 1e999", "0 1",
        "0 1 0.5 7", "0  1 0.5", "0 1 0.5x", "zero 1 0.5", "", "0 1.5 0.5", "0,1,0.5"})
    EXPECT_THAT(error_of(start + "1 1 0.5\n" + record + "\nend 2\n"),
                AllOf(HasSubstr("line 4"), HasSubstr("row below 4")))
        << record;
  EXPECT_THAT(error_of(start + "1 1 0.5\n1 1 0.5\nend 2\n"),
              HasSubstr("line 4: row 1 stands twice"));
  EXPECT_THAT(error_of(start + "1 1 0.5\nend 2\n"), HasSubstr("line 4: expected 'end 1'"));
  EXPECT_THAT(error_of(start + "end 0\n1 1 0.5\n"), HasSubstr("line 3: expected 'end 0'"));
  EXPECT_THAT(error_of(start + "end\n"), HasSubstr("line 3: expected 'end 0'"));
  EXPECT_THAT(error_of(start + "0 9223372036854775807 1\n1 1 1\nend 2\n"),
              AllOf(HasSubstr("line 4"), HasSubstr("too many pulls")));
}

TEST(HistoryText, AHugeNumberOfRowsIsRefusedBeforeAllocation) {
  EXPECT_THAT(error_of("phe-history 1\nrows 4294967295\nend 0\n"), HasSubstr("line 2"));
  EXPECT_THAT(error_of("phe-history 1\nrows 18446744073709551615\nend 0\n"), HasSubstr("line 2"));
}

class HistoryFile : public ::testing::Test {
 protected:
  test::TemporaryFolder folder;
};

TEST_F(HistoryFile, SavedHistoriesLoadAgain) {
  History history(5);
  history.add(4, 0.1 + 0.2, 3);
  const auto file = folder / "history.txt";
  ASSERT_TRUE(history.save(file).ok());
  EXPECT_EQ(History::load(file).value(), history);
  history.add(0, 1.0);
  ASSERT_TRUE(history.save(file).ok());
  EXPECT_EQ(History::load(file).value(), history);
  EXPECT_EQ(test::contents_of(folder.path()).size(), 1U);
}

TEST_F(HistoryFile, ErrorsNameTheFile) {
  EXPECT_THAT(History::load(folder / "missing").error().message, HasSubstr("missing"));
  test::put(folder / "broken", "phe-history 1\nrows x\n");
  const auto broken = History::load(folder / "broken");
  EXPECT_THAT(broken.error().message, AllOf(HasSubstr("broken"), HasSubstr("line 2")));
  EXPECT_FALSE(History(1).save(folder / "no" / "such" / "folder").ok());
}

}  // namespace
}  // namespace phe
