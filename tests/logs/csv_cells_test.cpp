#include "logs/csv_cells.hpp"

#include <gtest/gtest.h>

namespace phe::logs {
namespace {

using Cells = std::vector<std::string>;

Cells found(std::vector<std::size_t> wanted, std::size_t columns, std::string_view line) {
  CellFinder finder(std::move(wanted), columns);
  const auto cells = finder.find(line);
  if (!cells) return {"error: " + cells.error().message};
  return {cells->begin(), cells->end()};
}

TEST(CsvCells, BytesAreCountedAtEveryLength) {
  for (const std::size_t size : {0, 1, 31, 32, 33, 100, 8159, 8160, 8161, 20'000}) {
    std::string text(size, 'x');
    for (std::size_t i = 0; i < size; i += 3) text[i] = ',';
    EXPECT_EQ(count_byte(text, ','), (size + 2) / 3) << size;
    EXPECT_EQ(count_byte(std::string(size, ','), ','), size);
  }
}

TEST(CsvCells, WantedCellsAreFoundAnywhere) {
  EXPECT_EQ(found({0}, 1, "a"), (Cells{"a"}));
  EXPECT_EQ(found({0, 2}, 4, "a,b,c,d"), (Cells{"a", "c"}));
  EXPECT_EQ(found({3}, 4, "a,b,c,"), (Cells{""}));
  EXPECT_EQ(found({0, 1, 2}, 3, ",,"), (Cells{"", "", ""}));
}

TEST(CsvCells, QuotesAreUndone) {
  EXPECT_EQ(found({0, 1, 2}, 3, "\"a,b\",\"say \"\"x\"\"\",c"), (Cells{"a,b", "say \"x\"", "c"}));
  EXPECT_EQ(found({0, 1}, 2, "\"\",\"\""), (Cells{"", ""}));
}

TEST(CsvCells, LinesOfAnotherLengthAreRefused) {
  EXPECT_EQ(found({0}, 3, "a,b"), (Cells{"error: 2 cells, but the header has 3"}));
  EXPECT_EQ(found({0}, 2, "a,b,c"), (Cells{"error: 3 cells, but the header has 2"}));
  EXPECT_EQ(found({0}, 2, "\"a,b\""), (Cells{"error: 1 cells, but the header has 2"}));
}

TEST(CsvCells, BrokenQuotesAreRefused) {
  EXPECT_EQ(found({0}, 2, "\"a,b"), (Cells{"error: a quote is not closed"}));
  EXPECT_EQ(found({0}, 2, "\"a\"x,b"), (Cells{"error: 'x' stands behind a closing quote"}));
  EXPECT_EQ(found({0}, 2, "a\"x,b"), (Cells{"error: a quote stands inside of the cell 'a\"x'"}));
}

}  // namespace
}  // namespace phe::logs
