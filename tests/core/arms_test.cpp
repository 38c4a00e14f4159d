#include "phe/arms.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/arms.hpp"
#include "support/temporary_folder.hpp"

namespace phe {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string error_of(const Result<Arms>& result) {
  return result ? "no error" : result.error().message;
}

std::vector<double> row(const Arms& arms, ArmId arm) {
  std::vector<double> values(arms.dimension());
  arms.copy_row(arm, values);
  return values;
}

TEST(Arms, RowsAreKeptAndStoredByFeatureOnACacheLine) {
  const auto arms = Arms::from_rows({{1, 2}, {3, 4}, {5, 6}}).value();
  EXPECT_EQ(arms.size(), 3U);
  EXPECT_EQ(arms.dimension(), 2U);
  EXPECT_THAT(row(arms, 1), ElementsAre(3, 4));
  EXPECT_EQ(arms.at(2, 1), 6);

  const FeatureView view = arms.view();
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(view.data) % 64, 0U);
  EXPECT_EQ(view.stride % 8, 0U);
  EXPECT_EQ(view.padded_arms(), 8U);
  EXPECT_GE(view.stride, view.padded_arms());
  EXPECT_THAT(std::vector<double>(view.feature(1), view.feature(1) + 8),
              ElementsAre(2, 4, 6, 0, 0, 0, 0, 0));
}

TEST(Arms, PaddingIsZeroWhateverTheNumberOfArms) {
  for (const std::size_t k : {1, 3, 7, 8, 9, 31, 32, 33, 100}) {
    const Arms arms = test::normal_arms(k, 3, k);
    EXPECT_EQ(arms.view().padded_arms(), (k + 7) / 8 * 8);
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t i = k; i < arms.view().padded_arms(); ++i)
        EXPECT_EQ(arms.view().feature(j)[i], 0.0);
  }
}

TEST(Arms, CopiesShareTheirValues) {
  const auto arms = Arms::from_rows({{1, 2}}).value();
  const Arms copy = arms;  // NOLINT(performance-unnecessary-copy-initialization)
  EXPECT_EQ(copy.view().data, arms.view().data);
}

TEST(Arms, CopyRowLeavesEntriesBeyondTheDimension) {
  const auto arms = Arms::from_rows({{1, 2}}).value();
  std::vector<double> target = {9, 9, 9};
  arms.copy_row(0, target);
  EXPECT_THAT(target, ElementsAre(1, 2, 9));
}

TEST(Arms, GenerateAsksForEachValueOnceRowByRow) {
  std::vector<std::pair<std::size_t, std::size_t>> asked;
  const auto arms = Arms::generate(2, 2, [&](std::size_t k, std::size_t j) {
    asked.emplace_back(k, j);
    return static_cast<double>(10 * k + j);
  });
  EXPECT_THAT(asked,
              ElementsAre(std::pair{0, 0}, std::pair{0, 1}, std::pair{1, 0}, std::pair{1, 1}));
  EXPECT_EQ(arms.value().at(1, 1), 11);
}

TEST(Arms, WithBiasAppendsAFeatureOfOnes) {
  const auto arms = Arms::from_rows({{1, 2}, {3, 4}}).value().with_bias().value();
  EXPECT_THAT(row(arms, 0), ElementsAre(1, 2, 1));
  EXPECT_THAT(row(arms, 1), ElementsAre(3, 4, 1));
}

TEST(Arms, NoArmsOrNoFeaturesAreRefused) {
  const auto zero = [](std::size_t, std::size_t) { return 0.0; };
  EXPECT_THAT(error_of(Arms::from_rows({})), HasSubstr("at least 1 arm, got 0"));
  EXPECT_THAT(error_of(Arms::from_rows({{}})), HasSubstr("at least 1 feature, got 0"));
  EXPECT_THAT(error_of(Arms::generate(0, 1, zero)), HasSubstr("at least 1 arm, got 0"));
  EXPECT_THAT(error_of(Arms::generate(1, 0, zero)), HasSubstr("at least 1 feature, got 0"));
}

TEST(Arms, RowsOfDifferentLengthAreRefusedByName) {
  EXPECT_THAT(error_of(Arms::from_rows({{1, 2}, {3, 4}, {5}})),
              HasSubstr("row 3 has 1 columns, row 1 has 2"));
}

TEST(Arms, ValuesThatAreNotFiniteAreRefusedByRowAndColumn) {
  EXPECT_THAT(error_of(Arms::from_rows({{1, 2}, {3, nan}})),
              AllOf(HasSubstr("row 2, column 2"), HasSubstr("finite"), HasSubstr("nan")));
  EXPECT_THAT(error_of(Arms::from_rows({{infinity, 2}})),
              AllOf(HasSubstr("row 1, column 1"), HasSubstr("inf")));
  EXPECT_THAT(error_of(Arms::from_rows({{1}, {2}, {-infinity}})), HasSubstr("row 3, column 1"));
}

TEST(Arms, SizesBeyondMemoryAreRefusedBeforeAnyValueIsAskedFor) {
  const auto never = [](std::size_t, std::size_t) -> double {
    ADD_FAILURE() << "asked for a value";
    return 0.0;
  };
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  for (const auto& [arms, dimension] : std::vector<std::pair<std::size_t, std::size_t>>{
           {1, most}, {1 << 20, 1 << 24}, {std::numeric_limits<ArmId>::max(), most}})
    EXPECT_THAT(error_of(Arms::generate(arms, dimension, never)),
                AllOf(HasSubstr(std::to_string(arms)), HasSubstr(std::to_string(dimension)),
                      HasSubstr("iB of memory, and there are ")));
  for (const std::size_t arms : {most, std::size_t{1} << 32})
    EXPECT_THAT(error_of(Arms::generate(arms, 1, never)),
                AllOf(HasSubstr("at most 4294967295 arms"), HasSubstr(std::to_string(arms))));
}

class ArmsCsv : public ::testing::Test {
 protected:
  [[nodiscard]] Result<Arms> read(std::string_view text) const {
    test::put(folder / "arms.csv", text);
    return Arms::from_csv(folder / "arms.csv");
  }
  test::TemporaryFolder folder;
};

TEST_F(ArmsCsv, NumbersAreReadExactly) {
  const auto arms = read("0.1,-2e-3\n1e300,0\n").value();
  EXPECT_EQ(arms.size(), 2U);
  EXPECT_THAT(row(arms, 0), ElementsAre(0.1, -2e-3));
  EXPECT_THAT(row(arms, 1), ElementsAre(1e300, 0));
}

TEST_F(ArmsCsv, HeaderCommentsBlankLinesSpacesAndCarriageReturnsAreSkipped) {
  const auto arms =
      read("# made by hand\r\n\r\nage,income\r\n 1 ,\t2\r\n\r\n# more\r\n3,4").value();
  EXPECT_EQ(arms.size(), 2U);
  EXPECT_THAT(row(arms, 0), ElementsAre(1, 2));
  EXPECT_THAT(row(arms, 1), ElementsAre(3, 4));
}

TEST_F(ArmsCsv, OnlyTheFirstLineCanBeAHeader) {
  EXPECT_THAT(error_of(read("1,2\nage,income\n")),
              AllOf(HasSubstr("line 2, column 1"), HasSubstr("'age'")));
}

TEST_F(ArmsCsv, AFirstLineThatBeginsLikeNumbersIsNoHeader) {
  EXPECT_THAT(error_of(read("+0.5,+0.3\n1,2\n")),
              AllOf(HasSubstr("line 1, column 1"), HasSubstr("'+0.5'")));
  EXPECT_THAT(error_of(read("x,1.2.3\n1,2\n")), HasSubstr("line 1, column 1"));
}

TEST_F(ArmsCsv, BadCellsAreRefusedByFileLineAndColumn) {
  EXPECT_THAT(error_of(read("1,2\n3,x\n")),
              AllOf(HasSubstr("arms.csv"), HasSubstr("line 2, column 2"), HasSubstr("'x'")));
  EXPECT_THAT(error_of(read("1,2\n\n3,\n")), AllOf(HasSubstr("line 3, column 2"), HasSubstr("''")));
  EXPECT_THAT(error_of(read("1,nan\n")), AllOf(HasSubstr("line 1, column 2"), HasSubstr("'nan'")));
  EXPECT_THAT(error_of(read("inf,1\n")), HasSubstr("line 1, column 1"));
  EXPECT_THAT(error_of(read("1,1e999\n")), HasSubstr("line 1, column 2"));
}

TEST_F(ArmsCsv, LinesOfDifferentLengthAreRefused) {
  EXPECT_THAT(error_of(read("1,2\n3,4,5\n")),
              AllOf(HasSubstr("line 2 has 3 columns"), HasSubstr("the first row has 2")));
}

TEST_F(ArmsCsv, FilesWithoutNumbersAndMissingFilesAreRefusedByName) {
  EXPECT_THAT(error_of(read("")), AllOf(HasSubstr("arms.csv"), HasSubstr("no row of numbers")));
  EXPECT_THAT(error_of(read("age,income\n")), HasSubstr("no row of numbers"));
  EXPECT_THAT(error_of(Arms::from_csv(folder / "missing.csv")), HasSubstr("missing.csv"));
  EXPECT_THAT(error_of(Arms::from_csv(folder.path())), HasSubstr("is a folder"));
}

TEST(ArmsBasis, LastArmsInThePapersOrderWhenTheyAreABasis) {
  const auto arms = Arms::from_rows({{9, 9}, {9, 8}, {1, 0}, {0, 1}}).value();
  EXPECT_THAT(arms.basis().value(), ElementsAre(3, 2));
  EXPECT_THAT(test::normal_arms(10, 4, 1).basis().value(), ElementsAre(9, 8, 7, 6));
}

TEST(ArmsBasis, OtherArmsWhenTheLastOnesAreDependent) {
  const auto arms =
      Arms::from_rows({{0, 1, 0}, {0, 0, 2}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}).value();
  EXPECT_THAT(arms.basis().value(), UnorderedElementsAre(4, 1, 0));
}

TEST(ArmsBasis, NearlyDependentArmsAreNotTakenForABasis) {
  // The last two differ by less than their rounding.
  const auto arms = Arms::from_rows({{1, -1}, {1, 1}, {1, 1 + 1e-16}, {1, 1}}).value();
  const auto basis = arms.basis().value();
  ASSERT_EQ(basis.size(), 2U);
  EXPECT_TRUE(basis[0] == 0 || basis[1] == 0);
}

TEST(ArmsBasis, RowsThatDoNotSpanAreRefusedAndTheirRankIsNamed) {
  const auto arms = Arms::from_rows({{1, 0, 1}, {0, 1, 1}, {1, 1, 2}, {2, 1, 3}}).value();
  const auto basis = arms.basis();
  ASSERT_FALSE(basis.ok());
  EXPECT_THAT(basis.error().message, HasSubstr("span only 2 of 3 dimensions"));
  EXPECT_EQ(arms.independent_arms().size(), 2U);
}

TEST(ArmsBasis, FewerArmsThanFeaturesAndZeroArmsHaveTheirRank) {
  EXPECT_THAT(Arms::from_rows({{1, 0, 0}, {0, 1, 0}}).value().basis().error().message,
              HasSubstr("the 2 feature rows span only 2 of 3"));
  EXPECT_THAT(Arms::from_rows({{0, 0}, {0, 0}, {0, 0}}).value().basis().error().message,
              HasSubstr("span only 0 of 2"));
}

TEST(ArmsBasis, ScaleOfTheFeaturesDoesNotMatter) {
  for (const double scale : {1e-150, 1e-8, 1.0, 1e8, 1e150}) {
    const auto scaled = [&](std::vector<std::vector<double>> rows) {
      for (auto& values : rows)
        for (double& x : values) x *= scale;
      return Arms::from_rows(rows).value();
    };
    EXPECT_THAT(scaled({{1, 1}, {1, 0}, {0, 1}}).basis().value(), ElementsAre(2, 1)) << scale;
    EXPECT_THAT(scaled({{1, 3}, {1, 2}, {2, 4}}).basis().value(), UnorderedElementsAre(0, 2))
        << scale;
    EXPECT_FALSE(scaled({{1, 2}, {2, 4}}).basis().ok()) << scale;
  }
}

}  // namespace
}  // namespace phe
