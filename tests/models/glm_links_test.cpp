// What GlmModel promises for each link: the fit is that of the slow solver, and an action that is
// called certain is the best one at the minimum.
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "models/ridge.hpp"
#include "support/glm_data.hpp"
#include "support/simd.hpp"

namespace phe::test {
namespace {

template <class Link>
class Links : public ::testing::Test {
 protected:
  using Data = GlmData<Link>;
  using Vector = typename Data::Slow::Vector;

  // Counts up to M for the log link, shares of 1 for the others.
  static constexpr double largest = Link::unit_rewards ? 1.0 : 12.0;

  static void add(Data& data, ArmId arm, double total, Rng& rng) {
    data.add(arm, total, largest * total * (0.05 + 0.9 * to_unit(rng())));
  }
  // Sums scattered around the expected ones, as pseudo-rewards scatter them.
  static std::vector<double> scattered(const Data& data, double size, Rng& rng) {
    auto sums = data.positives();
    for (ArmId arm = 0; arm < data.arms().size(); ++arm)
      sums[arm] += size * largest * std::sqrt(data.totals()[arm]) * kernels::normal(rng);
    return sums;
  }
  static Vector exact(const std::vector<double>& theta) {
    return Eigen::Map<const Eigen::VectorXd>(theta.data(), static_cast<Eigen::Index>(theta.size()))
        .template cast<long double>();
  }
};
using AllLinks = ::testing::Types<LogitLink, LogLink, IdentityLink>;
TYPED_TEST_SUITE(Links, AllLinks);

TYPED_TEST(Links, FitsEqualTheSlowSolversWhateverThePath) {
  for (const std::size_t d : {1, 2, 5, 9})
    for (const std::size_t arms : {1, 8, 30})
      for (const double ridge : {1e-6, 0.5, 20.0}) {
        typename TestFixture::Data data(normal_arms(arms, d, 6), ridge, TestFixture::largest);
        Rng rng(7);
        auto theta = data.zero();
        for (int round = 0; round < 8; ++round) {
          for (int i = 0; i < 3; ++i)
            this->add(data, static_cast<ArmId>(rng.below(arms)),
                      2.0 + static_cast<double>(rng.below(10)), rng);
          const auto sums = this->scattered(data, 0.1, rng);
          const auto slow = data.slow(sums);
          const auto minimum = slow.minimise(d);
          for (const bool newton : {false, true}) {
            if (newton) std::ranges::fill(theta, 0.0);
            const GlmFit fit = newton ? data.model().fit_newton(data.target(sums), theta)
                                      : data.model().fit(data.target(sums), theta);
            ASSERT_TRUE(fit.converged) << d << ' ' << arms << ' ' << ridge << ' ' << newton;
            EXPECT_LE(data.relative_gradient(sums, theta), 1e-8);
            // |theta - minimum| <= |gradient| / smallest eigenvalue, which changes by less than
            // half on so short a way.
            const auto point = this->exact(theta);
            const long double least =
                Eigen::SelfAdjointEigenSolver<typename TestFixture::Data::Slow::Matrix>(
                    slow.hessian(minimum))
                    .eigenvalues()
                    .minCoeff();
            const long double both = slow.gradient(point).norm() + slow.gradient(minimum).norm();
            EXPECT_LE((point - minimum).norm(), 2 * both / least + 1e-13L);
          }
        }
      }
}

TYPED_TEST(Links, ConvergesFromAFarStart) {
  typename TestFixture::Data data(normal_arms(20, 3, 11), 0.5, TestFixture::largest);
  Rng rng(12);
  for (int i = 0; i < 40; ++i) this->add(data, static_cast<ArmId>(rng.below(20)), 5.0, rng);
  for (const double size : {1.0, 30.0, 1e3, 1e6, 1e100})
    for (const double sign : {1.0, -1.0}) {
      std::vector<double> theta(3, sign * size);
      ASSERT_TRUE(data.model().fit_newton(data.target(data.positives()), theta).converged) << size;
      EXPECT_LE(data.relative_gradient(data.positives(), theta), 1e-8);
    }
}

TYPED_TEST(Links, ConvergesForFeaturesOfAnyAllowedSize) {
  for (const double size : {1e-100, 1e-8, 1e3, 1e8, 1e50, 1e99}) {
    const Arms normal = normal_arms(20, 3, 9);
    const Arms arms = Arms::generate(20, 3, [&](std::size_t k, std::size_t j) {
                        return normal.at(static_cast<ArmId>(k), j) * (j == 0 ? size : 1.0);
                      }).value();
    typename TestFixture::Data data(arms, 0.5, TestFixture::largest);
    Rng rng(10);
    auto theta = data.zero();
    for (int round = 0; round < 15; ++round) {
      this->add(data, static_cast<ArmId>(rng.below(20)), 5.0, rng);
      ASSERT_TRUE(data.model().fit(data.target(data.positives()), theta).converged)
          << size << ", round " << round;
      EXPECT_LE(data.relative_gradient(data.positives(), theta), 1e-8);
    }
  }
}

// Ten pairs of arms, the first two features of each apart by little, and those of a pair nearly
// tied, after so many pulls since the centre was set that its inverse has drifted.
template <class Link>
GlmData<Link> nearly_dependent(double apart, double mean, double largest, Rng& rng) {
  std::vector<std::vector<double>> rows;
  for (int pair = 0; pair < 10; ++pair) {
    std::vector<double> x = {kernels::normal(rng), 0.0, kernels::normal(rng), 1.0};
    x[1] = x[0] + apart * kernels::normal(rng);
    rows.push_back(x);
    x[2] += std::pow(10.0, -0.5 - 0.5 * pair) * (pair % 2 == 0 ? 1.0 : -1.0);
    rows.push_back(x);
  }
  GlmData<Link> data(Arms::from_rows(rows).value(), 1e-6, largest);
  for (ArmId arm = 0; arm < 20; ++arm) data.add(arm, 2000.0, 2000.0 * mean);
  auto theta = data.zero();
  data.model().fit(data.target(data.positives()), theta);  // the centre
  for (int pull = 0; pull < 2500; ++pull)
    data.add(static_cast<ArmId>(rng.below(20)), 2.0, 2.0 * mean);
  return data;
}

TYPED_TEST(Links, CertainArmsAreTheSlowSolversForNearTiesNearlyDependentRowsAndATinyRidge) {
  for (const double apart : {1e-3, 1e-5}) {
    Rng rng(41);
    const double mean = 0.5 * TestFixture::largest;
    auto data = nearly_dependent<TypeParam>(apart, mean, TestFixture::largest, rng);
    auto theta = data.zero();
    std::vector<double> scores(data.padded());
    int certain = 0;
    for (int round = 0; round < 100; ++round) {
      const auto sums = this->scattered(data, 0.2 * std::pow(10.0, -3.0 * to_unit(rng())), rng);
      const GlmFit fit =
          data.model().fit_until_certain(data.target(sums), data.offered(), theta, scores);
      if (!fit.arm_certain) continue;
      ++certain;
      const auto minimum = data.slow(sums).minimise(4);
      const auto score = [&](ArmId arm) {
        return row_of(data.arms(), arm).template cast<long double>().dot(minimum);
      };
      const auto chosen = static_cast<ArmId>(std::ranges::max_element(scores) - scores.begin());
      for (ArmId arm = 0; arm < 20; ++arm)
        EXPECT_LE(score(arm), score(chosen)) << apart << ", round " << round << ", arm " << arm;
    }
    EXPECT_GT(certain, 40);  // else the test shows little
  }
}

// The two actions for which an error e of theta does the most harm: 0, and a v for which v^T theta
// is just below 0 at the minimum and far above it at `first`. v is in the plane of H e and H
// minimum, with |v|_M as small as that allows.
template <class Slow>
std::vector<double> most_deceptive(const Slow& slow, const typename Slow::Vector& first,
                                   const typename Slow::Vector& minimum) {
  const typename Slow::Vector e = first - minimum;
  const typename Slow::Matrix hessian = slow.hessian(minimum);
  const typename Slow::Vector u = hessian * e / std::sqrt(e.dot(hessian * e));
  const typename Slow::Vector q = hessian * minimum / std::sqrt(minimum.dot(hessian * minimum));
  Eigen::Matrix<long double, 2, 2> products;
  products << u.dot(e), q.dot(e), u.dot(minimum), q.dot(minimum);
  const Eigen::Matrix<long double, 2, 1> share =
      products.fullPivLu().solve(Eigen::Matrix<long double, 2, 1>(1, -0.02L));
  const typename Slow::Vector v = share[0] * u + share[1] * q;
  std::vector<double> row(static_cast<std::size_t>(2 * v.size()));
  for (Eigen::Index j = 0; j < v.size(); ++j)
    row[static_cast<std::size_t>(j)] = static_cast<double>(v[j] / v.norm());
  return row;
}

// With the identity link the first step misses the minimum by the drift of the inverse alone, with
// the others by curvature more than by that. Features are so near to each other, and perturbations
// not so small, that the drift is well above the rounding of the sums themselves: some ulps of
// 40,000 rewards.
TYPED_TEST(Links, NoPairOfActionsDeceivesTheCertificateOfTheFirstStep) {
  int missed = 0;
  for (const std::uint64_t seed : {43, 44}) {
    Rng rng(seed);
    const double mean = 0.5 * TestFixture::largest;
    auto data = nearly_dependent<TypeParam>(1e-5, mean, TestFixture::largest, rng);
    ASSERT_EQ(data.model().work().centres, 1U);
    std::vector<double> scores(8);
    for (int round = 0; round < 60; ++round) {
      const auto sums = this->scattered(data, std::pow(10.0, -2.0 + round % 2), rng);
      const auto target = data.target(sums);
      // One action is certain after the first step.
      Offered one(Arms::none(4));
      const std::vector<double> any(4, 1.0);
      ASSERT_TRUE(one.offer(Actions::rows(1, any)).ok());
      auto first = data.zero();
      auto model = data.model();
      ASSERT_TRUE(model.fit_until_certain(target, one, first, scores).arm_certain);

      const auto slow = data.slow(sums);
      const auto minimum = slow.minimise(4);
      const auto two = most_deceptive(slow, this->exact(first), minimum);
      Offered offered(Arms::none(4));
      ASSERT_TRUE(offered.offer(Actions::rows(2, two)).ok());
      ASSERT_TRUE(offered.offer(Actions::rows(2, two)).ok());  // another round than that of `one`
      const auto row = this->exact({two.begin(), two.begin() + 4});
      const long double at_first = row.dot(this->exact(first));
      const long double at_minimum = row.dot(minimum);
      if (!(at_first > 0 && at_minimum < 0)) continue;  // an error below that of doubles
      ++missed;
      auto theta = data.zero();
      model = data.model();
      const GlmFit fit = model.fit_until_certain(target, offered, theta, scores);
      if (fit.arm_certain) {
        EXPECT_LT(scores[0], scores[1]) << seed << ", round " << round;
      }
    }
  }
  EXPECT_GT(missed, 60);  // else the test shows little
}

TEST(IdentityLink, IsRidgeRegression) {
  GlmData<IdentityLink> data(normal_arms(20, 6, 3), 0.35);
  RidgeModel ridge(6, 0.7);  // 2 lambda
  Rng rng(4);
  auto theta = data.zero();
  for (int round = 0; round < 200; ++round) {
    const auto arm = static_cast<ArmId>(rng.below(20));
    const double weight = 1.0 + static_cast<double>(rng.below(3));
    data.add(arm, weight, weight * to_unit(rng()));
    const Eigen::VectorXd x = row_of(data.arms(), arm);
    ridge.add({x.data(), 6}, weight);
    auto sums = data.positives();
    for (double& sum : sums) sum += kernels::normal(rng);
    const auto target = data.target(sums);
    ASSERT_TRUE(data.model().fit(target, theta).converged);
    const auto solved = ridge.solve(target);
    // Both solve the same equations; a fit stops at |gradient| <= 1e-8 of the observations.
    for (std::size_t j = 0; j < 6; ++j) EXPECT_NEAR(theta[j], solved[j], 1e-7 * (1 + round));
  }
  EXPECT_LE(data.model().work().newton_steps, data.model().work().centres);
}

TEST(LogLinkModel, ReportsAHistoryOfNothingButZerosInsteadOfRunningAway) {
  const Arms normal = normal_arms(12, 3, 8);
  const Arms arms = Arms::generate(12, 3, [&](std::size_t k, std::size_t j) {
                      return std::abs(normal.at(static_cast<ArmId>(k), j));
                    }).value();  // theta = -(1, 1, 1) lowers every score
  GlmData<LogLink> data(arms, 0.0, 10.0);
  for (ArmId arm = 0; arm < 12; ++arm) data.add(arm, 5.0, 0.0);
  auto theta = data.zero();
  for (const bool newton : {true, false}) {
    const auto target = data.target(data.positives());
    const GlmFit fit =
        newton ? data.model().fit_newton(target, theta) : data.model().fit(target, theta);
    EXPECT_FALSE(fit.converged);
    EXPECT_TRUE(fit.separable);
    for (const double value : theta) EXPECT_TRUE(std::isfinite(value));
    for (ArmId arm = 0; arm < 12; ++arm)
      EXPECT_LT(row_of(arms, arm).dot(Eigen::Map<const Eigen::VectorXd>(theta.data(), 3)), -10.0);
  }
}

TEST(LogLinkModel, HasNoMinimumWhereARowPaidNothingAndSaysSo) {
  GlmData<LogLink> data(Arms::from_rows({{1, 0}, {0, 1}}).value(), 0.0, 10.0);
  data.add(0, 10.0, 40.0);
  data.add(1, 10.0, 0.0);
  auto theta = data.zero();
  const GlmFit fit = data.model().fit(data.target(data.positives()), theta);
  EXPECT_TRUE(fit.separable);
  EXPECT_FALSE(fit.converged);
  EXPECT_NEAR(theta[0], std::log(4.0), 1e-6);
  EXPECT_LT(theta[1], -10.0);
  EXPECT_TRUE(std::isfinite(theta[1]));
}

TEST(LogLinkModel, FindsTheSmallMeanOfZerosUnderATinyRidge) {
  for (const double ridge : {1e-3, 1e-12, 1e-40}) {
    GlmData<LogLink> data(Arms::from_rows({{1}}).value(), ridge, 10.0);
    data.add(0, 1e6, 0.0);
    auto theta = data.zero();
    ASSERT_TRUE(data.model().fit(data.target(data.positives()), theta).converged);
    // Tolerance 1e-8 is met from a mean of 1e-7 on, at whatever the ridge asks for.
    EXPECT_LT(theta[0], std::log(1.1e-7));
    EXPECT_GT(theta[0], -200.0);
  }
}

TEST(LogLinkModel, FitsCountsOfAnySize) {
  for (const double largest : {1e-3, 1.0, 1e4, 1e9}) {
    GlmData<LogLink> data(normal_arms(10, 3, 14), 0.5, largest);
    Rng rng(15);
    auto theta = data.zero();
    for (int round = 0; round < 30; ++round) {
      const auto arm = static_cast<ArmId>(rng.below(10));
      data.add(arm, 3.0, 3.0 * largest * to_unit(rng()));
      ASSERT_TRUE(data.model().fit(data.target(data.positives()), theta).converged) << largest;
      EXPECT_LE(data.relative_gradient(data.positives(), theta), 1e-8) << largest;
    }
  }
}

// The first step from the centre goes where exp overflows.
TEST(LogLinkModel, ComesBackFromAStepIntoScoresThatOverflow) {
  GlmData<LogLink> data(Arms::from_rows({{1.0, 0.0}, {1.0, 40.0}, {0.0, 30.0}}).value(), 1e-4, 1e6);
  for (ArmId arm = 0; arm < 3; ++arm) data.add(arm, 10.0, 10.0);
  auto theta = data.zero();
  ASSERT_TRUE(data.model().fit(data.target(data.positives()), theta).converged);
  for (const double count : {1e3, 1e5, 1e7}) {
    const std::vector<double> sums = {10.0, count, 0.0};
    ASSERT_TRUE(data.model().fit(data.target(sums), theta).converged) << count;
    EXPECT_LE(data.relative_gradient(sums, theta), 1e-8) << count;
  }
}

TEST(LogLinkModel, GivesTheSameBytesOnEveryTarget) {
  std::vector<std::vector<double>> results;
  on_every_target([&] {
    GlmData<LogLink> data(normal_arms(30, 5, 16), 0.5, 12.0);
    Rng rng(17);
    std::vector<double> all;
    auto theta = data.zero();
    std::vector<double> scores(data.padded());
    for (int round = 0; round < 50; ++round) {
      data.add(static_cast<ArmId>(rng.below(30)), 3.0, static_cast<double>(rng.below(30)));
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

}  // namespace
}  // namespace phe::test
