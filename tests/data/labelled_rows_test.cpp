#include "data/labelled_rows.hpp"

#include <cmath>

#include <gmock/gmock.h>

#include "support/temporary_folder.hpp"

namespace phe::test {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;

class Labelled : public testing::Test {
 protected:
  Result<LabelledRows> rows(std::string_view text, std::string_view label,
                            Scale scale = Scale::unit) {
    put(file_, text);
    const auto table = TextTable::read(file_.string(), label);
    if (!table) return table.error();
    return LabelledRows::create(table.value(), table->column("label", label).value(), scale);
  }
  std::vector<double> features(std::string_view text, std::size_t row, Scale scale = Scale::unit) {
    const auto data = rows(text, "kind", scale).value();
    const auto x = data.features(row);
    return {x.begin(), x.end()};
  }
  std::string message(std::string_view text) {
    const auto data = rows(text, "kind");
    return data.ok() ? "accepted" : data.error().message;
  }

  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / "t.csv";
};

TEST_F(Labelled, FeaturesAreScaledToTheUnitIntervalAndABiasComesLast) {
  constexpr std::string_view text = "x,y,kind\n-2,7,a\n0,7,b\n+2e0,7,a\n";
  EXPECT_THAT(features(text, 0), ElementsAre(0.0, 0.0, 1.0));
  EXPECT_THAT(features(text, 1), ElementsAre(0.5, 0.0, 1.0));
  EXPECT_THAT(features(text, 2), ElementsAre(1.0, 0.0, 1.0));
}

TEST_F(Labelled, FeaturesHaveMeanZeroAndDeviationOneOrStayAsTheyAre) {
  // Mean 2, variance (4 + 1 + 1 + 4) / 4 = 2.5; the other is constant, and 0.1 is no sum of its
  // own.
  constexpr std::string_view text = "kind,x,y\na,0,0.1\nb,1,0.1\na,3,0.1\nb,4,0.1\n";
  EXPECT_THAT(features(text, 0, Scale::standard),
              ElementsAre(DoubleEq(-2.0 / std::sqrt(2.5)), 0.0, 1.0));
  EXPECT_THAT(features(text, 2, Scale::standard),
              ElementsAre(DoubleEq(1.0 / std::sqrt(2.5)), 0.0, 1.0));
  EXPECT_THAT(features(text, 2, Scale::none), ElementsAre(3.0, 0.1, 1.0));
}

TEST_F(Labelled, TextsBecomeOneFeatureEachInTheOrderOfTheirBytes) {
  constexpr std::string_view text = "colour,kind,x\nred,a,0\nRed,b,1\nblue,a,2\nred,b,2\n";
  EXPECT_THAT(features(text, 0), ElementsAre(0, 0, 1, 0, 1));  // Red, blue, red, x, bias
  EXPECT_THAT(features(text, 1), ElementsAre(1, 0, 0, 0.5, 1));
  EXPECT_THAT(features(text, 2), ElementsAre(0, 1, 0, 1, 1));
}

TEST_F(Labelled, OneCellThatIsNoNumberMakesAColumnOfTexts) {
  EXPECT_EQ(rows("doors,kind\n2,a\n3,b\n5more,a\n", "kind")->dimension(), 4U);
}

TEST_F(Labelled, ClassesAreInTheOrderOfNumbersWhenAllAreNumbersElseOfBytes) {
  const auto numbers = rows("x,kind\n1,10\n2,9\n3,1e1\n4,-1\n", "kind").value();
  EXPECT_THAT(numbers.class_names(), ElementsAre("-1", "9", "10"));
  EXPECT_EQ(numbers.class_of(0), 2U);
  EXPECT_EQ(numbers.class_of(1), 1U);
  EXPECT_EQ(numbers.class_of(2), 2U);
  EXPECT_EQ(numbers.class_of(3), 0U);
  const auto texts = rows("x,kind\n1,10\n2,9\n3,b\n", "kind").value();
  EXPECT_THAT(texts.class_names(), ElementsAre("10", "9", "b"));
}

TEST_F(Labelled, AMissingValueIsRefusedByLineAndColumn) {
  for (const std::string cell : {"", "?", "NA", "nan", "N/A", "null"})
    EXPECT_EQ(message("x,kind\n1,a\n" + cell + ",b\n"),
              file_.string() + ": line 3, column 1 (x): a value is missing (the cell is '" + cell +
                  "'); fill it in or leave out the line");
  EXPECT_EQ(message("x,kind\n1,a\n2,\n"),
            file_.string() +
                ": line 3, column 2 (kind): a value is missing (the cell is ''); fill "
                "it in or leave out the line");
}

TEST_F(Labelled, ANumberThatIsTooLargeIsRefused) {
  EXPECT_EQ(message("x,kind\n1,a\ninf,b\n"),
            file_.string() + ": line 3, column 1 (x): must be between -1e100 and 1e100, got 'inf'");
  EXPECT_EQ(
      message("x,kind\n-1e101,a\n0,b\n"),
      file_.string() + ": line 2, column 1 (x): must be between -1e100 and 1e100, got '-1e101'");
}

TEST_F(Labelled, OneClassOrTooManyClassesOrFeaturesAreRefused) {
  EXPECT_EQ(message("x,kind\n1,a\n2,a\n"),
            file_.string() + ": column 2 (kind) must have at least 2 classes, got only 'a'");
  std::string many = "x,kind\n";
  for (int i = 0; i <= 10'000; ++i)
    many += "v" + std::to_string(i) + "," + std::to_string(i) + "\n";
  EXPECT_EQ(message(many),
            file_.string() + ": column 2 (kind) must have at most 10000 classes, got 10001");
  const auto features = rows(many, "x");
  EXPECT_EQ(features.error().message,
            file_.string() + ": column 1 (x) must have at most 10000 classes, got 10001");
  std::string wide = "x,kind\n";
  for (int i = 0; i < 10'000; ++i)
    wide += "v" + std::to_string(i) + "," + std::to_string(i % 2) + "\n";
  EXPECT_EQ(message(wide), file_.string() +
                               ": there can be at most 10000 features, one per text in a column of "
                               "texts; column 1 (x) has 10000");
}

}  // namespace
}  // namespace phe::test
