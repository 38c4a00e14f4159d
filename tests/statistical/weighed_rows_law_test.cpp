// Rows with weights, as a log that is weighed by 1/p has them: the law of theta-tilde, exactly.
//
//   theta = G^-1 sum_l w_l x_l (y_l + U_l) + prior noise,   G = (a + 1) (sum w x x^T + ridge I),
//
// U_l of mean a/2 and variance a/4: a row of weight w has noise of variance w^2 a/4. The sums over
// the list are literal; 100,000 draws, and 5 standard errors of each entry of mean and covariance.
#include <cmath>

#include <gtest/gtest.h>

#include "phe/lin_phe.hpp"
#include "policies/lin_ens.hpp"
#include "policies/lin_fpl.hpp"
#include "policies/lin_phe_learner.hpp"
#include "policies/lin_ts.hpp"
#include "support/algorithm1.hpp"
#include "support/context_law.hpp"
#include "support/contexts.hpp"
#include "support/learning.hpp"
#include "support/sizes.hpp"
#include "support/statistics.hpp"

namespace phe::test {
namespace {

using ::testing::Bool;
using ::testing::Combine;
using ::testing::Values;

constexpr std::size_t d = 3;
constexpr double ridge = 2.0;

struct WeighedRow {
  ArmId arm;
  Eigen::VectorXd x;
  double reward;
  double weight;
};

// Every third row weighs 1, some weights come again.
std::vector<WeighedRow> known_rows(const Arms& arms, std::size_t count) {
  Rng rng(51);
  std::vector<WeighedRow> rows;
  for (std::size_t l = 0; l < count; ++l) {
    const auto arm = static_cast<ArmId>(rng.below(arms.size()));
    const double weight = l % 3 == 0 ? 1.0 : l % 3 == 1 ? 4.0 : 0.2 + 5.0 * to_unit(rng());
    rows.push_back({arm, row_of(arms, arm), rng.below(3) == 0 ? 1.0 : 0.0, weight});
  }
  return rows;
}

struct Sums {
  Eigen::MatrixXd squares = Eigen::MatrixXd::Zero(d, d);     // sum w x x^T
  Eigen::MatrixXd covariance = Eigen::MatrixXd::Zero(d, d);  // sum w^power x x^T
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(d);            // sum w x
  Eigen::VectorXd paid = Eigen::VectorXd::Zero(d);           // sum w x y

  explicit Sums(const std::vector<WeighedRow>& rows, double power = 2.0) {
    for (const auto& [arm, x, reward, weight] : rows) {
      squares += weight * x * x.transpose();
      covariance += std::pow(weight, power) * x * x.transpose();
      sum += weight * x;
      paid += weight * reward * x;
    }
  }
};

TargetLaw lin_phe_law(const Sums& sums, double a, bool centred, double prior_variance) {
  const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(d, d);
  return solved((a + 1) * (sums.squares + ridge * identity),
                {sums.paid + (centred ? 0.0 : a / 2) * sums.sum,
                 a / 4 * sums.covariance + prior_variance * identity});
}

Eigen::VectorXd copied(std::span<const double> theta) {
  return Eigen::Map<const Eigen::VectorXd>(theta.data(), static_cast<Eigen::Index>(theta.size()));
}

// Teaches a policy of contexts or of arms, with draws between, so that flips drawn ahead are there.
void teach(LearnerPolicy& policy, const std::vector<WeighedRow>& rows, bool contexts, Rng& rng) {
  for (const auto& [arm, x, reward, weight] : rows) {
    if (rng.below(4) == 0) policy.fit(rng);
    ASSERT_TRUE(policy.weigh(weight).ok());
    ASSERT_TRUE((contexts ? policy.update(span_of(x), reward) : policy.update(arm, reward)).ok());
  }
  ASSERT_TRUE(policy.weigh(1.0).ok());
}

template <class Concrete>
LearnerPolicy around(const Arms& arms, const typename Concrete::Options& options) {
  return {arms, std::make_unique<Concrete>(Concrete::create(arms, options).value())};
}

class WeighedRowsLaw : public testing::TestWithParam<std::tuple<double, bool, bool>> {
 protected:
  double a = std::get<0>(GetParam());
  bool centred = std::get<1>(GetParam());
  bool contexts = std::get<2>(GetParam());
  Arms arms = normal_arms(6, d, 52);
  std::vector<WeighedRow> rows = known_rows(arms, 60);
  double prior = contexts ? a * ridge / 4 : 0.0;

  ThetaSample sampled(Rng& rng) {
    LinPheOptions options{.perturbation_scale = a, .ridge = ridge, .centred = centred};
    options.start = contexts ? Start::prior : Start::none;
    auto policy = around<LinPheLearner>(contexts ? Arms::none(d) : arms, options);
    teach(policy, rows, contexts, rng);
    auto& learner = static_cast<LinPheLearner&>(policy.learner());
    return {draws(100'000), d, [&] { return copied(learner.draw(rng)); }};
  }
};
INSTANTIATE_TEST_SUITE_P(Cases, WeighedRowsLaw,
                         Combine(Values(0.5, 1.0, 1.5, 2.0), Bool(), Bool()));

// With fixed arms, the rows of weight 1 have the ceil(a T) flips of their arm, as in the paper.
TEST_P(WeighedRowsLaw, LinPheMultipliesRewardAndPseudoRewardByTheWeight) {
  Rng rng(53);
  const auto sample = sampled(rng);
  Sums sums(rows);
  if (!contexts)
    for (ArmId arm = 0; arm < arms.size(); ++arm) {
      double pulls = 0.0;
      for (const auto& row : rows) pulls += row.arm == arm && row.weight == 1.0 ? 1.0 : 0.0;
      const double more = std::ceil(a * pulls) / a - pulls;
      const Eigen::VectorXd x = row_of(arms, arm);
      sums.covariance += more * x * x.transpose();
      sums.sum += more * x;
    }
  const auto law = lin_phe_law(sums, a, centred, prior);
  EXPECT_LT(sample.deviation(law.mean, law.covariance), 5);
}

TEST_P(WeighedRowsLaw, TheTestWouldNoticeOtherLaws) {
  if (sanitized) GTEST_SKIP() << "too few draws to notice much";
  Rng rng(54);
  const auto sample = sampled(rng);
  // As if a row of weight w were w observations.
  const auto counted = lin_phe_law(Sums(rows, 1.0), a, centred, prior);
  EXPECT_GT(sample.deviation(counted.mean, counted.covariance), 8);
  // As if weights were left out of the noise.
  const auto unweighed = lin_phe_law(Sums(rows, 0.0), a, centred, prior);
  EXPECT_GT(sample.deviation(unweighed.mean, unweighed.covariance), 8);
}

class WeighedNoiseLaw : public testing::TestWithParam<bool> {
 protected:
  bool contexts = GetParam();
  Arms arms = normal_arms(6, d, 55);
  Arms offered = contexts ? Arms::none(d) : arms;
  std::vector<WeighedRow> rows = known_rows(arms, 60);
  Sums sums{rows};
  Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(d, d);
  Rng rng{56};

  template <class Concrete>
  ThetaSample sampled(LearnerPolicy policy) {
    teach(policy, rows, contexts, rng);
    auto& learner = static_cast<Concrete&>(policy.learner());
    return {draws(100'000), d, [&] { return copied(learner.draw(rng)); }};
  }
};
INSTANTIATE_TEST_SUITE_P(ArmsAndContexts, WeighedNoiseLaw, Bool());

TEST_P(WeighedNoiseLaw, LinFplHasNoiseOfTheSquareOfTheWeight) {
  LinFplOptions options;
  options.noise_scale = 0.7;
  options.ridge = ridge;
  const auto sample = sampled<LinFpl>(around<LinFpl>(offered, options));
  const auto law = solved(sums.squares + ridge * identity, {sums.paid, 0.49 * sums.covariance});
  EXPECT_LT(sample.deviation(law.mean, law.covariance), 5);
}

// A posterior knows no other weights than numbers of observations.
TEST_P(WeighedNoiseLaw, LinTsTakesTheWeightForANumberOfObservations) {
  LinTsOptions options;
  options.ridge = ridge;
  options.sigma = 0.5;
  const auto sample = sampled<LinTs>(around<LinTs>(offered, options));
  const Eigen::MatrixXd covariance = (4.0 * sums.squares + ridge * identity).inverse();
  EXPECT_LT(sample.deviation(covariance * (4.0 * sums.paid), covariance), 5);
}

// Each of its models is one draw; 100,000 are taken with repetition, so errors are sqrt(2) times as
// large.
TEST_P(WeighedNoiseLaw, TheModelsOfAnEnsembleHaveNoiseOfTheSquareOfTheWeight) {
  LinEnsOptions options;
  options.ridge = ridge;
  options.sigma = 0.5;
  options.models = draws(100'000);
  auto policy = around<LinEns>(offered, options);
  const auto sample = sampled<LinEns>(std::move(policy));
  const auto law = solved(4.0 * sums.squares + ridge * identity,
                          {4.0 * sums.paid, 4.0 * sums.covariance + ridge * identity});
  EXPECT_LT(sample.deviation(law.mean, law.covariance), 7);
}

TEST(WeighedRows, AWeightOf1ChangesNothing) {
  const Arms arms = normal_arms(6, d, 57);
  auto plain = LinPhe::create(arms, {}).value();
  auto weighed = LinPhe::create(arms, {}).value();
  Rng rng(58);
  Rng same(58);
  for (std::uint64_t t = 0; t < 100; ++t) {
    const ArmId arm = plain.select(rng);
    ASSERT_EQ(weighed.select(same), arm);
    EXPECT_TRUE(plain.update(arm, 0.5).ok());
    EXPECT_TRUE(weighed.weigh(1.0).ok());
    EXPECT_TRUE(weighed.update(arm, 0.5).ok());
  }
  EXPECT_EQ(plain.save().value(), weighed.save().value());
}

TEST(WeighedRows, AStateWithWeightsGoesOnAsItWasAndFixedArmsRefuseToMergeIt) {
  for (const double a : {0.5, 2.0}) {
    const Arms arms = normal_arms(6, d, 59);
    LinPheOptions options{.perturbation_scale = a};
    auto policy = around<LinPheLearner>(arms, options);
    Rng rng(60);
    teach(policy, known_rows(arms, 80), false, rng);
    auto restored = around<LinPheLearner>(arms, options);
    const auto loaded = restored.load(policy.save().value());
    ASSERT_TRUE(loaded.ok()) << loaded.error().message;
    Rng same = rng;
    for (std::uint64_t t = 0; t < 50; ++t) {
      const ArmId arm = policy.select(rng);
      ASSERT_EQ(restored.select(same), arm);
      EXPECT_TRUE(policy.update(arm, 1.0).ok());
      EXPECT_TRUE(restored.update(arm, 1.0).ok());
    }
    auto fresh = around<LinPheLearner>(arms, options);
    EXPECT_EQ(fresh.merge(policy).error().message,
              "linphe: arms that learnt rewards with weights cannot be merged");
  }
}

}  // namespace
}  // namespace phe::test
