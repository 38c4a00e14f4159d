#include "data/table.hpp"

#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"

namespace phe::test {
namespace {

class Tables : public testing::Test {
 protected:
  Result<TextTable> read(std::string_view text, std::string_view name = {}) {
    put(file_, text);
    return TextTable::read(file_.string(), name);
  }
  std::string message(std::string_view text, std::string_view name = {}) {
    const auto table = read(text, name);
    return table.ok() ? "accepted" : table.error().message;
  }
  std::string column_message(std::string_view text, std::string_view name) {
    const auto column = read(text, name).value().column("label", name);
    return column.ok() ? "accepted" : column.error().message;
  }

  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / "t.csv";
};

TEST_F(Tables, HaveAHeaderWhenNoCellOfTheFirstLineBeginsLikeANumber) {
  const auto named = read("x,kind\n1,a\n2,b\n").value();
  EXPECT_EQ(named.rows(), 2U);
  EXPECT_EQ(named.cell(0, 1), "a");
  EXPECT_EQ(named.column("label", "kind").value(), 1U);
  const auto bare = read("T,2\nI,5\n").value();
  EXPECT_EQ(bare.rows(), 2U);
  EXPECT_EQ(bare.cell(0, 0), "T");
}

TEST_F(Tables, HaveAHeaderWhenTheNameAskedForIsInTheFirstLine) {
  EXPECT_EQ(read("1st,2nd,kind\n1,2,a\n", "kind")->rows(), 1U);
  EXPECT_EQ(read("1st,2nd,kind\n1,2,a\n", "other")->rows(), 2U);
}

TEST_F(Tables, DoNotTakeACellForAHeaderBecauseAColumnHasThatNumber) {
  const auto table = read("T,2,1\nI,5,7\n", "1").value();
  EXPECT_EQ(table.rows(), 2U);
  EXPECT_EQ(table.column("label", "1").value(), 0U);
}

TEST_F(Tables, ReadQuotesBlanksLineEndsAndAByteOrderMark) {
  const auto table = read("\xef\xbb\xbfname,kind\r\n\r\n\"a, \"\"b\"\"\", 1 \r\n  \n,\n").value();
  EXPECT_EQ(table.rows(), 2U);
  EXPECT_EQ(table.column("label", "name").value(), 0U);
  EXPECT_EQ(table.cell(0, 0), "a, \"b\"");
  EXPECT_EQ(table.cell(0, 1), "1");
  EXPECT_EQ(table.cell(1, 1), "");
  EXPECT_EQ(table.place(1, 1), file_.string() + ": line 5, column 2 (kind)");
}

TEST_F(Tables, AreRefusedByLine) {
  EXPECT_EQ(message("x,y\n1,2\n\n3\n"),
            file_.string() + ": line 4 has 1 columns, the first line has 2");
  EXPECT_EQ(message("1,2\n1,2,3\n"),
            file_.string() + ": line 2 has 3 columns, the first line has 2");
  EXPECT_EQ(message("x\n\"1\n"), file_.string() + ": line 2: a quote is not closed");
  EXPECT_EQ(message("x,y\n"), file_.string() + ": no row of data");
  EXPECT_EQ(message(""), file_.string() + ": no row of data");
}

TEST_F(Tables, SayWhichColumnsThereAre) {
  EXPECT_EQ(column_message("x,kind\n1,2\n", "knd"),
            "label must be a column of " + file_.string() +
                " by name or number; none is called 'knd'; did you mean 'kind'?");
  EXPECT_EQ(column_message("1,2\n", "kind"),
            "label must be a column of " + file_.string() +
                " by number, from 1 to 2, as it has no header; got 'kind'");
  EXPECT_EQ(column_message("1,2\n", "3"),
            "label must be a column of " + file_.string() + ", from 1 to 2, got 3");
  EXPECT_EQ(column_message("1,2\n", "0"),
            "label must be a column of " + file_.string() + ", from 1 to 2, got 0");
}

TEST(TableFiles, ThatCannotBeOpenedAreNamed) {
  EXPECT_EQ(TextTable::read("no-such-file.csv").error().message,
            "no-such-file.csv: No such file or directory");
  const std::string long_name(300, 'x');
  EXPECT_EQ(TextTable::read(long_name).error().message, long_name + ": File name too long");
  const TemporaryFolder folder;
  EXPECT_EQ(TextTable::read(folder.path().string()).error().message,
            folder.path().string() + ": is a folder");
}

}  // namespace
}  // namespace phe::test
