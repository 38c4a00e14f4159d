#include "models/glm.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/allocations.hpp"
#include "support/arms.hpp"
#include "support/glm_data.hpp"
#include "support/simd.hpp"
#include "support/slow_glm.hpp"

namespace phe {
namespace {

using ::testing::Combine;
using ::testing::HasSubstr;
using ::testing::Values;

using Data = test::GlmData<LogitLink>;

// Counts whose positive share is never 0 or 1, so that a minimum exists for any ridge.
void add_mixed(Data& data, std::size_t pulls, Rng& rng) {
  for (std::size_t i = 0; i < pulls; ++i) {
    const double total = 2.0 + static_cast<double>(rng.below(10));
    data.add(static_cast<ArmId>(rng.below(data.arms().size())), total,
             1.0 + static_cast<double>(rng.below(static_cast<std::uint64_t>(total) - 1)));
  }
}

class LogisticModelFit
    : public ::testing::TestWithParam<std::tuple<std::size_t, std::size_t, double>> {};

TEST_P(LogisticModelFit, EqualsTheSlowSolverWhateverThePath) {
  const auto [dimension, arms, ridge] = GetParam();
  if (ridge == 0 && arms < dimension) return;  // no minimum
  Data data(test::normal_arms(arms, dimension, 6), ridge);
  Rng rng(7);
  for (ArmId arm = 0; arm < arms; ++arm) data.add(arm, 4.0, 1.0 + static_cast<double>(arm % 3));
  auto theta = data.zero();
  for (int round = 0; round < 20; ++round) {
    add_mixed(data, 3, rng);
    // Positives scattered around the expected ones, as pseudo-rewards scatter them.
    auto positives = data.positives();
    for (ArmId arm = 0; arm < arms; ++arm)
      positives[arm] = std::clamp(positives[arm] + std::round(0.5 * kernels::normal(rng)), 1.0,
                                  data.totals()[arm] - 1.0);

    const auto exact = data.slow(positives).minimise(dimension);
    for (const bool newton : {false, true}) {
      if (newton) std::ranges::fill(theta, 0.0);
      const GlmFit fit = newton ? data.model().fit_newton(data.target(positives), theta)
                                : data.model().fit(data.target(positives), theta);
      ASSERT_TRUE(fit.converged) << "round " << round << ", newton " << newton;
      EXPECT_FALSE(fit.separable);
      EXPECT_LE(data.relative_gradient(positives, theta), 1e-8);
      // |theta - minimum| <= |gradient| / smallest eigenvalue of the Hessian, which changes by less
      // than half on so short a way.
      const test::SlowLogistic::Vector point =
          Eigen::Map<const Eigen::VectorXd>(theta.data(), static_cast<Eigen::Index>(dimension))
              .cast<long double>();
      const auto slow = data.slow(positives);
      const long double least =
          Eigen::SelfAdjointEigenSolver<test::SlowLogistic::Matrix>(slow.hessian(exact))
              .eigenvalues()
              .minCoeff();
      const long double both = slow.gradient(point).norm() + slow.gradient(exact).norm();
      EXPECT_LE((point - exact).norm(), 2 * both / least + 1e-14L);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, LogisticModelFit,
                         Combine(Values(1, 2, 5, 9), Values(1, 7, 8, 30),
                                 Values(0.0, 1e-6, 0.5, 20.0)));

TEST(LogisticModel, ExpectedFitIsTheFitToTheExpectedPositives) {
  Data data(test::normal_arms(20, 4, 1), 0.5);
  Rng rng(2);
  auto theta = data.zero();
  for (int round = 0; round < 50; ++round) {
    add_mixed(data, 1, rng);
    ASSERT_TRUE(data.model().fit(data.model().expected_target(), theta).converged);
    EXPECT_LE(data.relative_gradient(data.positives(), theta), 1e-8);
  }
}

TEST(LogisticModel, ArmIsTheSlowSolversWhenTheFitSaysItIsCertain) {
  const std::size_t dimension = 5;
  Data data(test::normal_arms(40, dimension, 3), 0.5);
  Rng rng(4);
  auto theta = data.zero();
  std::vector<double> scores(data.padded());
  int certain = 0;
  for (int round = 0; round < 200; ++round) {
    add_mixed(data, 5, rng);
    auto positives = data.positives();
    for (ArmId arm = 0; arm < data.arms().size(); ++arm) {
      const double total = data.totals()[arm];
      positives[arm] = std::clamp(
          positives[arm] + std::round(0.4 * std::sqrt(total) * kernels::normal(rng)), 0.0, total);
    }
    const GlmFit fit =
        data.model().fit_until_certain(data.target(positives), data.offered(), theta, scores);
    ASSERT_TRUE(fit.arm_certain || fit.converged);
    certain += fit.arm_certain ? 1 : 0;
    const auto exact = data.slow(positives).minimise(dimension);
    ArmId best = 0;
    long double top = -std::numeric_limits<long double>::infinity();
    for (ArmId arm = 0; arm < data.arms().size(); ++arm) {
      const long double score = test::row_of(data.arms(), arm).cast<long double>().dot(exact);
      if (score > top) {
        top = score;
        best = arm;
      }
    }
    EXPECT_EQ(std::ranges::max_element(scores) - scores.begin(), best) << "round " << round;
  }
  EXPECT_GT(certain, 100);  // else the test shows little
}

// Features that nearly agree and many pulls between two centres: the inverse drifts, and pairs of
// arms that are nearly tied would tell. The slow solver says which of them is best.
TEST(LogisticModel, CertainArmsAreRightThoughTheInverseHasDrifted) {
  for (const double apart : {1e-3, 1e-5}) {
    Rng rng(41);
    std::vector<std::vector<double>> rows;
    for (int pair = 0; pair < 10; ++pair) {
      std::vector<double> x = {kernels::normal(rng), 0.0, kernels::normal(rng), 1.0};
      x[1] = x[0] + apart * kernels::normal(rng);
      rows.push_back(x);
      // The other of the pair is better or worse by 0.3 to 1e-5.
      x[2] += std::pow(10.0, -0.5 - 0.5 * pair) * (pair % 2 == 0 ? 1.0 : -1.0);
      rows.push_back(x);
    }
    Data data(Arms::from_rows(rows).value(), 1e-6);
    for (ArmId arm = 0; arm < 20; ++arm) data.add(arm, 2000.0, 1000.0);
    auto theta = data.zero();
    std::vector<double> scores(data.padded());
    int certain = 0;
    for (int round = 0; round < 400; ++round) {
      for (int pull = 0; pull < 10; ++pull)
        data.add(static_cast<ArmId>(rng.below(20)), 2.0, 2.0 * to_unit(rng()));
      auto positives = data.positives();
      const double size = std::pow(10.0, -3.0 * to_unit(rng()));
      for (double& positive : positives) positive += size * 10.0 * kernels::normal(rng);
      const GlmFit fit =
          data.model().fit_until_certain(data.target(positives), data.offered(), theta, scores);
      if (!fit.arm_certain) continue;
      ++certain;
      const auto exact = data.slow(positives).minimise(4);
      const auto chosen = static_cast<ArmId>(std::ranges::max_element(scores) - scores.begin());
      const auto exact_score = [&](ArmId arm) {
        return test::row_of(data.arms(), arm).cast<long double>().dot(exact);
      };
      for (ArmId arm = 0; arm < 20; ++arm)
        EXPECT_LE(exact_score(arm), exact_score(chosen))
            << "features apart by " << apart << ", round " << round << ", arm " << arm;
    }
    EXPECT_GT(certain, 100);  // else the test shows little
  }
}

TEST(LogisticModel, ReportsSeparableDataInsteadOfRunningAway) {
  Data data(test::normal_arms(12, 3, 8), 0.0);
  for (ArmId arm = 0; arm < 12; ++arm)
    data.add(arm, 5.0, data.arms().at(arm, 1) > 0 ? 5.0 : 0.0);  // e_2 separates
  auto theta = data.zero();
  for (int repeat = 0; repeat < 3; ++repeat) {
    const GlmFit fit = repeat == 0 ? data.model().fit_newton(data.target(data.positives()), theta)
                                   : data.model().fit(data.target(data.positives()), theta);
    EXPECT_FALSE(fit.converged);
    EXPECT_TRUE(fit.separable);
    for (const double value : theta) EXPECT_TRUE(std::isfinite(value));
    // The direction in which the likelihood grows classifies every row.
    for (ArmId arm = 0; arm < 12; ++arm) {
      double score = 0.0;
      for (std::size_t j = 0; j < 3; ++j) score += data.arms().at(arm, j) * theta[j];
      EXPECT_EQ(score > 0, data.arms().at(arm, 1) > 0) << "arm " << arm;
    }
  }
}

TEST(LogisticModel, ReportsDataThatOneDirectionExplainsEverBetter) {
  // Quasi-separable: both outcomes at x = (1, 0), only successes at (0, 1).
  Data data(Arms::from_rows({{1, 0}, {0, 1}}).value(), 0.0);
  data.add(0, 10.0, 4.0);
  data.add(1, 10.0, 10.0);
  auto theta = data.zero();
  const GlmFit fit = data.model().fit(data.target(data.positives()), theta);
  EXPECT_TRUE(fit.separable);
  EXPECT_FALSE(fit.converged);
  EXPECT_NEAR(theta[0], std::log(0.4 / 0.6), 1e-6);
  EXPECT_GT(theta[1], 10.0);
  EXPECT_TRUE(std::isfinite(theta[1]));
}

TEST(LogisticModel, SeesTheMinimumThatOneObservationAmongABillionMakes) {
  // Without the single failure at (0, 1) these data are separable.
  Data data(Arms::from_rows({{1, 0}, {0, 1}}).value(), 0.0);
  data.add(0, 1e9, 4e8);
  data.add(1, 1e6, 1e6 - 1);
  auto theta = data.zero();
  const GlmFit fit = data.model().fit(data.target(data.positives()), theta);
  EXPECT_TRUE(fit.converged);
  EXPECT_FALSE(fit.separable);
  EXPECT_NEAR(theta[1], std::log(1e6 - 1), 1.0);  // one failure more or less is one in log-odds
}

TEST(LogisticModel, StaysExactWhenScoresAreInTheHundreds) {
  // x = 1 and 400: the first row alone decides theta, the second then has a score of about 400.
  Data data(Arms::from_rows({{1.0}, {400.0}}).value(), 1e-3);
  data.add(0, 100.0, 73.0);
  data.add(1, 50.0, 50.0);
  auto theta = data.zero();
  ASSERT_TRUE(data.model().fit(data.target(data.positives()), theta).converged);
  const auto exact = static_cast<double>(data.slow(data.positives()).minimise(1)[0]);
  EXPECT_NEAR(theta[0], exact, 1e-9);
  EXPECT_GT(400 * theta[0], 300.0);
}

class LogisticModelScale : public ::testing::TestWithParam<double> {};

TEST_P(LogisticModelScale, ConvergesForFeaturesOfAnyAllowedSize) {
  const double size = GetParam();
  const Arms normal = test::normal_arms(20, 3, 9);
  const Arms arms = Arms::generate(20, 3, [&](std::size_t k, std::size_t j) {
                      return normal.at(static_cast<ArmId>(k), j) * (j == 0 ? size : 1.0);
                    }).value();
  Data data(arms, 0.5);
  Rng rng(10);
  auto theta = data.zero();
  for (int round = 0; round < 30; ++round) {
    add_mixed(data, 2, rng);
    const GlmFit fit = data.model().fit(data.target(data.positives()), theta);
    ASSERT_TRUE(fit.converged) << "round " << round;
    EXPECT_LE(data.relative_gradient(data.positives(), theta), 1e-8);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, LogisticModelScale,
                         Values(1e-100, 1e-8, 1.0, 1e3, 1e8, 1e50, 1e99));

// A Newton step here is 10^90 times too long, and the slope beyond the minimum is next to nothing.
TEST(LogisticModel, ComesToAnEndForRowsOfSizesFarApart) {
  Data data(Arms::from_rows({{1e100, -1e10}, {1e57, 10.0}}).value(), 0.5);
  auto theta = data.zero();
  for (int round = 0; round < 8; ++round) {
    data.add(static_cast<ArmId>(round / 4), 1.0, round % 2);
    data.model().fit(data.target(data.positives()), theta);
    EXPECT_TRUE(std::isfinite(theta[0]) && std::isfinite(theta[1])) << round;
  }
}

TEST(LogisticModel, ConvergesFromAFarStart) {
  Data data(test::normal_arms(20, 3, 11), 0.5);
  Rng rng(12);
  add_mixed(data, 40, rng);
  for (const double size : {1.0, 30.0, 1e3, 1e6}) {
    std::vector<double> theta(3, size);
    ASSERT_TRUE(data.model().fit_newton(data.target(data.positives()), theta).converged) << size;
    EXPECT_LE(data.relative_gradient(data.positives(), theta), 1e-8);
  }
}

TEST(LogisticModel, CountsItsSteps) {
  Data data(test::normal_arms(20, 3, 13), 0.5);
  Rng rng(14);
  add_mixed(data, 200, rng);
  auto theta = data.zero();
  data.model().fit(data.target(data.positives()), theta);
  const GlmWork first = data.model().work();
  EXPECT_EQ(first.fits, 1u);
  EXPECT_EQ(first.centres, 1u);
  EXPECT_GT(first.newton_steps, 0u);  // the first centre
  data.add(0, 2.0, 1.0);
  data.model().fit(data.target(data.positives()), theta);
  EXPECT_EQ(data.model().work().fits, 2u);
  EXPECT_EQ(data.model().work().centres, 1u);
  EXPECT_EQ(data.model().work().newton_steps, first.newton_steps);
  EXPECT_GT(data.model().work().steps, first.steps);
  EXPECT_LE(data.model().work().steps, first.steps + 3);
}

TEST(LogisticModel, NeverAllocatesInARound) {
  Data data(test::normal_arms(30, 6, 15), 0.0);
  for (ArmId arm = 0; arm < 30; ++arm) data.add(arm, 2.0, 1.0);
  auto theta = data.zero();
  std::vector<double> scores(data.padded());
  std::vector<double> normals(6, 0.5);
  std::vector<double> pure(30);
  for (ArmId arm = 0; arm < 30; ++arm) pure[arm] = data.arms().at(arm, 0) > 0 ? 2.0 : 0.0;
  const auto mixed_target = data.target(data.positives());
  const auto pure_target = data.target(pure);
  const std::size_t before = test::allocations();
  data.model().add(data.row(0), 2.0, 1.0);
  data.model().fit(mixed_target, theta);
  data.model().fit(pure_target, theta);  // separable
  data.model().fit_until_certain(mixed_target, data.offered(), theta, scores);
  data.model().perturb(normals, theta);
  EXPECT_EQ(test::allocations(), before);
}

TEST(LogisticModel, GivesTheSameBytesOnEveryTarget) {
  std::vector<std::vector<double>> results;
  test::on_every_target([&] {
    Data data(test::normal_arms(30, 5, 16), 0.5);
    Rng rng(17);
    std::vector<double> all;
    auto theta = data.zero();
    std::vector<double> scores(data.padded());
    for (int round = 0; round < 50; ++round) {
      add_mixed(data, 3, rng);
      data.model().fit(data.target(data.positives()), theta);
      all.insert(all.end(), theta.begin(), theta.end());
      data.model().fit_until_certain(data.target(data.positives()), data.offered(), theta, scores);
      all.insert(all.end(), scores.begin(), scores.begin() + 30);
      data.model().perturb(theta, theta);
      all.insert(all.end(), theta.begin(), theta.end());
    }
    results.push_back(all);
  });
  for (const auto& result : results) EXPECT_EQ(result, results.front());
}

TEST(LogisticModel, RefusesWhatItCannotFit) {
  const Arms arms = test::normal_arms(5, 2, 18);
  EXPECT_TRUE(LogisticModel::check("logphe", arms, 0.0).ok());
  EXPECT_THAT(LogisticModel::check("logphe", arms, -1.0).error().message,
              HasSubstr("logphe: ridge must be >= 0 and finite, got -1"));
  EXPECT_FALSE(LogisticModel::check("logphe", arms, std::nan("")).ok());
  EXPECT_FALSE(LogisticModel::check("logphe", arms, std::numeric_limits<double>::infinity()).ok());
  const Arms huge = Arms::from_rows({{1, 2}, {3, 1e101}}).value();
  EXPECT_THAT(LogisticModel::check("logphe", huge, 0.5).error().message,
              HasSubstr("features must be at most 1e+100 in size, got 1e+101 in row 2, column 2"));
  const Arms flat = Arms::from_rows({{1, 1}, {2, 2}}).value();
  EXPECT_TRUE(LogisticModel::check("logphe", flat, 0.5).ok());
  EXPECT_THAT(LogisticModel::check("logphe", flat, 0.0).error().message,
              HasSubstr("ridge must be > 0 for these arms"));
}

TEST(LogisticModel, PerturbsWithTheHessianAtThetaThoughTheCentreLagsBehind) {
  Data data(test::normal_arms(6, 3, 31), 0.5);
  for (ArmId arm = 0; arm < 6; ++arm) data.add(arm, 3, 1);
  std::vector<double> theta = data.zero();
  data.model().fit(data.target(data.positives()), theta);
  data.add(0, 2, 2);  // 20 observations after 18: too few more to move the centre
  data.model().fit(data.target(data.positives()), theta);
  ASSERT_EQ(data.model().work().centres, 1U);

  // The steps that unit vectors make are the columns of a root of the covariance.
  test::SlowLogistic::Matrix covariance = test::SlowLogistic::Matrix::Zero(3, 3);
  for (std::size_t j = 0; j < 3; ++j) {
    std::vector<double> normals = data.zero();
    normals[j] = 1;
    std::vector<double> moved = theta;
    data.model().perturb(normals, moved);
    test::SlowLogistic::Vector step(3);
    for (std::size_t i = 0; i < 3; ++i) step[static_cast<Eigen::Index>(i)] = moved[i] - theta[i];
    covariance += step * step.transpose();
  }
  const test::SlowLogistic::Vector point =
      Eigen::Map<const Eigen::VectorXd>(theta.data(), 3).cast<long double>();
  const test::SlowLogistic::Matrix expected = data.slow(data.positives()).hessian(point).inverse();
  EXPECT_LT((covariance - expected).norm(), 1e-12L * expected.norm());
}

}  // namespace
}  // namespace phe
