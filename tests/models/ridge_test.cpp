#include "models/ridge.hpp"

#include <cmath>
#include <iostream>

#include <Eigen/Dense>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/arms.hpp"
#include "support/sizes.hpp"

namespace phe {
namespace {

using ::testing::Combine;
using ::testing::ElementsAreArray;
using ::testing::Values;

Eigen::VectorXd solve(const RidgeModel& model, const Eigen::VectorXd& b) {
  const auto theta = model.solve({b.data(), static_cast<std::size_t>(b.size())});
  return Eigen::Map<const Eigen::VectorXd>(theta.data(), b.size());
}

Eigen::VectorXd normal_point(std::size_t dimension, Rng& rng) {
  const auto values = test::normal_vector(dimension, rng);
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(dimension));
}

// |G theta - b| / (|G| |theta| + |b|): a few times 1e-16 for the best solver.
double backward_error(const Eigen::MatrixXd& gram, const Eigen::VectorXd& theta,
                      const Eigen::VectorXd& b) {
  return (gram * theta - b).norm() / (gram.norm() * theta.norm() + b.norm());
}

class Ridge : public ::testing::TestWithParam<std::tuple<std::size_t, double>> {};

INSTANTIATE_TEST_SUITE_P(Sizes, Ridge,
                         Combine(Values(1, 2, 5, 8, 9, 20), Values(1e-3, 1.0, 100.0)));

TEST_P(Ridge, FollowsADenseSolverOverARandomStream) {
  const auto [dimension, ridge] = GetParam();
  const auto d = static_cast<Eigen::Index>(dimension);
  RidgeModel model(dimension, ridge);
  Eigen::MatrixXd gram = ridge * Eigen::MatrixXd::Identity(d, d);
  Rng rng(StreamKey(111).with(dimension));
  for (int t = 1; t <= 1000; ++t) {
    const Eigen::VectorXd x = normal_point(dimension, rng);
    const double weight = 0.5 + 3 * to_unit(rng());
    model.add({x.data(), dimension}, weight);
    gram += weight * x * x.transpose();
    if (t > 25 && t % 50 != 0) continue;
    const Eigen::LDLT<Eigen::MatrixXd> truth(gram);
    const Eigen::VectorXd b = normal_point(dimension, rng);
    const Eigen::VectorXd expected = truth.solve(b);
    // A solution is known to its rounding times the condition number.
    const double condition = gram.norm() * truth.solve(Eigen::MatrixXd::Identity(d, d)).norm();
    const double tolerance = 1e-14 * condition;
    ASSERT_LE((solve(model, b) - expected).norm(), tolerance * expected.norm()) << t;
    const double width = b.dot(expected);
    ASSERT_NEAR(model.squared_width({b.data(), dimension}), width, tolerance * width) << t;
    for (Eigen::Index i = 0; i < d; ++i)
      for (Eigen::Index j = 0; j < d; ++j) {
        const auto row = static_cast<std::size_t>(i);
        const auto column = static_cast<std::size_t>(j);
        ASSERT_NEAR(model.gram(row, column), gram(i, j), 1e-14 * gram.norm());
        ASSERT_EQ(model.inverse(row, column), model.inverse(column, row));
      }
  }
}

TEST(RidgeModel, StartsAsTheRidgeAlone) {
  const RidgeModel model(3, 4.0);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_EQ(model.gram(i, j), i == j ? 4.0 : 0.0);
      EXPECT_EQ(model.inverse(i, j), i == j ? 0.25 : 0.0);
    }
  EXPECT_EQ(model.dimension(), 3U);
  EXPECT_EQ(model.squared_width(std::vector{2.0, 0.0, 0.0}), 1.0);
}

TEST(RidgeModel, RefactorisingChangesNothingButRounding) {
  RidgeModel model(5, 1.0);
  Rng rng(112);
  for (int t = 0; t < 500; ++t) model.add(test::normal_vector(5, rng), 1.5);
  const Eigen::VectorXd b = normal_point(5, rng);
  const Eigen::VectorXd before = solve(model, b);
  model.refactorise();
  EXPECT_LE((solve(model, b) - before).norm(), 1e-13 * before.norm());
  EXPECT_EQ(model.refactorisations(), 0U);
}

class TinyRidge : public ::testing::TestWithParam<double> {};

INSTANTIATE_TEST_SUITE_P(Sizes, TinyRidge,
                         Values(1e-3, 1e-6, 1e-12, 1e-16, 1e-30, 1e-100, 1e-300, 5e-324));

TEST_P(TinyRidge, SolutionsAreAccurateOnceTheRowsSpan) {
  // Rank-one updates of an inverse as large as 1/ridge lose its digits; a factorisation does not.
  RidgeModel model(5, GetParam());
  Eigen::MatrixXd gram = GetParam() * Eigen::MatrixXd::Identity(5, 5);
  Rng rng(118);
  for (int t = 1; t <= 500; ++t) {
    const Eigen::VectorXd x = normal_point(5, rng);
    model.add({x.data(), 5}, 1.0);
    gram += x * x.transpose();
    if (t < 5) continue;
    const Eigen::VectorXd b = gram * Eigen::VectorXd::Ones(5);
    ASSERT_LE((solve(model, b) - Eigen::VectorXd::Ones(5)).norm(), 1e-10) << t;
  }
}

TEST_P(TinyRidge, RowsThatNeverSpanStillGiveFiniteSolutions) {
  RidgeModel model(4, GetParam());
  Rng rng(119);
  for (int t = 1; t <= 500; ++t) {
    auto x = test::normal_vector(4, rng);
    x[2] = x[0] + x[1];
    x[3] = x[0] - x[1];
    model.add(x, 1.0);
    ASSERT_TRUE(solve(model, normal_point(4, rng)).allFinite()) << t;
  }
}

// x^T G^-1 x comes out as -1 here, so that Sherman-Morrison would divide by zero.
TEST(RidgeModel, AnInverseThatRoundingDestroyedIsMadeAnew) {
  RidgeModel model(2, 1.0);
  const std::vector x{1.0, 3e8};
  for (int t = 1; t <= 10; ++t) {
    model.add(x, 1.0);
    EXPECT_GE(model.squared_width(x), 0.0) << t;
    EXPECT_TRUE(solve(model, Eigen::Vector2d(1.0, 3e8)).allFinite()) << t;
  }
}

TEST(RidgeModel, APaddedRowIsTheRow) {
  RidgeModel model(5, 1.0);
  RidgeModel padded(5, 1.0);
  Rng rng(121);
  for (int t = 0; t < 200; ++t) {
    auto x = test::normal_vector(5, rng);
    model.add(x, 1.5);
    x.resize(8);
    padded.add_padded(x, 1.5);
    for (std::size_t i = 0; i < 5; ++i)
      for (std::size_t j = 0; j < 5; ++j) {
        ASSERT_EQ(padded.gram(i, j), model.gram(i, j));
        ASSERT_EQ(padded.inverse(i, j), model.inverse(i, j));
      }
  }
}

TEST(RidgeModel, TheGainIsTheSolutionBeforeTheRowIsAdded) {
  RidgeModel model(5, 1.0);
  Rng rng(122);
  for (int t = 0; t < 200; ++t) {  // over residual checks and factorisations
    const auto x = test::normal_vector(5, rng);
    const auto solution = model.solve(x);
    const std::vector<double> before(solution.begin(), solution.end());
    model.add(x, 1.5);
    ASSERT_THAT(model.gain(), ElementsAreArray(before)) << t;
  }
}

TEST(RidgeModel, NoiseIsAddedToTheRightSide) {
  RidgeModel model(5, 1.0);
  Rng rng(123);
  for (int t = 0; t < 20; ++t) model.add(test::normal_vector(5, rng), 1.0);
  const auto b = test::normal_vector(5, rng);
  const auto noise = test::normal_vector(5, rng);
  std::vector<double> sum(5);
  for (std::size_t j = 0; j < 5; ++j) sum[j] = b[j] + noise[j];
  const auto solution = model.solve(sum);
  const std::vector<double> expected(solution.begin(), solution.end());
  EXPECT_THAT(model.solve(b, noise), ElementsAreArray(expected));
  EXPECT_THAT(model.solution(), ElementsAreArray(expected));
}

TEST(RidgeModel, ACopyLearnsOnItsOwn) {
  RidgeModel model(2, 1.0);
  RidgeModel copy = model;
  copy.add(std::vector{1.0, 0.0}, 1.0);
  EXPECT_EQ(model.gram(0, 0), 1.0);
  EXPECT_EQ(copy.gram(0, 0), 2.0);
}

// Sherman-Morrison as it stands in the paper, never factorised anew.
class PlainShermanMorrison {
 public:
  PlainShermanMorrison(Eigen::Index dimension, double ridge)
      : inverse_(Eigen::MatrixXd::Identity(dimension, dimension) / ridge) {}
  void add(const Eigen::VectorXd& x, double weight) {
    gain_.noalias() = inverse_ * x;
    inverse_.noalias() -= (weight / (1 + weight * x.dot(gain_))) * gain_ * gain_.transpose();
  }
  [[nodiscard]] Eigen::VectorXd solve(const Eigen::VectorXd& b) const { return inverse_ * b; }

 private:
  Eigen::MatrixXd inverse_;
  Eigen::VectorXd gain_;
};

struct Drift {
  double maintained = 0;
  double plain = 0;
  std::uint64_t factorisations = 0;  // that a residual called for
};

// The worst backward error of both over 20 right-hand sides after `pulls` pulls of arms that
// `choose` picks. G is computed anew from the counts, in extended precision.
template <class Choose>
Drift drift_after(std::size_t pulls, double ridge, const Arms& arms, Choose choose) {
  constexpr double weight = 1.5;
  const auto d = static_cast<Eigen::Index>(arms.dimension());
  std::vector<Eigen::VectorXd> rows;
  for (ArmId arm = 0; arm < arms.size(); ++arm) rows.push_back(test::row_of(arms, arm));
  std::vector<std::uint64_t> counts(arms.size());
  RidgeModel model(arms.dimension(), ridge);
  PlainShermanMorrison plain(d, ridge);
  for (std::size_t t = 0; t < pulls; ++t) {
    const std::size_t arm = choose(t);
    ++counts[arm];
    model.add({rows[arm].data(), arms.dimension()}, weight);
    plain.add(rows[arm], weight);
  }
  using Extended = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  Extended gram = ridge * Extended::Identity(d, d);
  for (std::size_t arm = 0; arm < arms.size(); ++arm) {
    const auto x = rows[arm].cast<long double>().eval();
    gram += weight * static_cast<long double>(counts[arm]) * x * x.transpose();
  }
  const Eigen::MatrixXd rounded = gram.cast<double>();
  Drift worst;
  Rng rng(113);
  for (int i = 0; i < 20; ++i) {
    const Eigen::VectorXd b = normal_point(arms.dimension(), rng);
    worst.maintained = std::max(worst.maintained, backward_error(rounded, solve(model, b), b));
    worst.plain = std::max(worst.plain, backward_error(rounded, plain.solve(b), b));
  }
  std::cout << "[ measured ] backward error after " << pulls << " pulls at ridge " << ridge << ": "
            << worst.maintained << ", Sherman-Morrison alone " << worst.plain << ", "
            << model.refactorisations() << " factorisations\n";
  worst.factorisations = model.refactorisations();
  ::testing::Test::RecordProperty("maintained", std::to_string(worst.maintained));
  ::testing::Test::RecordProperty("plain", std::to_string(worst.plain));
  return worst;
}

TEST(RidgeModel, StaysAtRoundingLevelOverTenMillionPulls) {
  const Arms arms = test::normal_arms(50, 5, 114);
  Rng rng(115);
  const Drift drift =
      drift_after(test::draws(10'000'000), 1e-6, arms, [&](std::size_t) { return rng.below(50); });
  EXPECT_LT(drift.maintained, 1e-14);
  EXPECT_GT(drift.plain, 10 * drift.maintained);
}

TEST(RidgeModel, StaysAtRoundingLevelWhenOneArmIsPulledAlmostAlways) {
  // What a bandit does: the residual must be seen in the directions that are pulled rarely, too.
  const Arms arms = test::normal_arms(50, 5, 116);
  Rng rng(117);
  const Drift drift = drift_after(test::draws(2'000'000), 1e-6, arms, [&](std::size_t t) {
    return t % 1000 == 0 ? rng.below(50) : std::uint64_t{7};
  });
  // The explicit inverse of a matrix of condition c is known to c * 1e-16; c is about 1e5 here.
  EXPECT_LT(drift.maintained, 1e-12);
  // Between scheduled factorisations the residual calls for others.
  EXPECT_GT(drift.factorisations, 0U);
}

}  // namespace
}  // namespace phe
