// LinPHE in contexts: the noise of a round is fresh, and has its law in every round of a history
// that grows, whatever was drawn ahead before an observation came.
#include <cmath>

#include <gtest/gtest.h>

#include "phe/lin_phe.hpp"
#include "support/context_law.hpp"
#include "support/sizes.hpp"
#include "support/statistics.hpp"

namespace phe::test {
namespace {

using ::testing::Bool;
using ::testing::Combine;
using ::testing::Values;

constexpr std::size_t d = 2;
constexpr double ridge = 1.0;

Eigen::VectorXd fitted(LinPhe& policy, Rng& rng) {
  policy.fit(rng);
  return Eigen::Map<const Eigen::VectorXd>(policy.estimate().data(), d);
}

TEST(ContextNoise, IsFreshInEveryRound) {
  auto policy = LinPhe::create(d, {.perturbation_scale = 1, .ridge = ridge}).value();
  known_history(d, 30, false).teach(policy);
  known_history(d, 30, true).teach(policy);
  Rng rng(51);
  constexpr std::size_t n = draws(100'000);
  std::vector<std::vector<double>> theta(d, std::vector<double>(n));
  for (std::size_t t = 0; t < n; ++t) {
    policy.fit(rng);
    for (std::size_t j = 0; j < d; ++j) theta[j][t] = policy.estimate()[j];
  }
  // A correlation of n independent pairs has sd 1 / sqrt(n). Rounds are drawn 64 at a time, so lags
  // beyond that count.
  for (std::size_t lag = 1; lag <= 140; ++lag)
    for (const auto& x : theta)
      for (const auto& y : theta)
        EXPECT_LT(std::abs(correlation(std::span(x).first(n - lag), std::span(y).last(n - lag))),
                  5 / std::sqrt(static_cast<double>(n - lag)))
            << lag;
}

// The noise of rounds 1 to 150 in many runs, each entry in units of its standard deviation by the
// formulas. Between rounds come 0 to 3 observations, of new rows or of old ones.
class Runs {
 public:
  static constexpr std::size_t rounds = 150;

  Runs(const LinPheOptions& options, bool repeated) : options_(options), repeated_(repeated) {}

  void play(std::uint64_t run) {
    auto policy = LinPhe::create(d, options_).value();
    ContextHistory history(d);
    Rng rng(StreamKey(52).with(run));
    Rng rows(StreamKey(53).with(run));
    const double a = options_.perturbation_scale;
    auto& noise = noise_.emplace_back();
    for (std::size_t t = 0; t < rounds; ++t) {
      for (std::uint64_t more = rows.below(4); more > 0; --more) observe(policy, history, rows);
      const Eigen::VectorXd target = history.gram(a, ridge) * fitted(policy, rng);
      noise.push_back(whitened(target, history.target(a, options_.centred, a * ridge / 4)));
    }
  }
  // The products of all pairs z_t[i] z_(t + lag)[j], on average; of lag 0, less one on the
  // diagonal. In standard errors: a product of independent z has variance 1, and z^2 at most 2.
  [[nodiscard]] double covariance_in_errors(std::size_t lag, Eigen::Index i, Eigen::Index j) const {
    double sum = 0;
    double count = 0;
    for (const auto& z : noise_)
      for (std::size_t t = 0; t + lag < rounds; ++t, ++count) sum += z[t][i] * z[t + lag][j];
    const bool variance = lag == 0 && i == j;
    return (sum / count - (variance ? 1 : 0)) * std::sqrt(count / (variance ? 2 : 1));
  }
  [[nodiscard]] double mean_in_errors(Eigen::Index i) const {
    double sum = 0;
    for (const auto& z : noise_)
      for (const auto& one : z) sum += one[i];
    return sum / std::sqrt(static_cast<double>(noise_.size() * rounds));
  }

 private:
  void observe(LinPhe& policy, ContextHistory& history, Rng& rows) const {
    const bool again = repeated_ && history.size() > 0 && rows.below(2) == 0;
    Eigen::VectorXd x = again ? history.rows()[rows.below(history.size())] : normal_row(d, rows);
    x[0] = 1.0;  // a bias: flips that are missing, or too many, show in the mean
    const double reward = to_unit(rows());
    EXPECT_TRUE(policy.update(span_of(x), reward).ok());
    history.add(x, reward);
  }

  LinPheOptions options_;
  bool repeated_;
  std::vector<std::vector<Eigen::VectorXd>> noise_;
};

using Memory = std::optional<std::uint64_t>;
class GrowingContexts : public testing::TestWithParam<std::tuple<double, bool, Memory>> {};
INSTANTIATE_TEST_SUITE_P(Cases, GrowingContexts,
                         Combine(Values(0.5, 2.0), Bool(), Values(Memory{}, Memory{20})));

TEST_P(GrowingContexts, HaveNoiseOfItsLawInEveryRoundAndNoneOfItTwice) {
  const auto& [a, repeated, memory] = GetParam();
  Runs runs({.perturbation_scale = a, .ridge = ridge, .memory = memory}, repeated);
  for (std::uint64_t run = 0; run < draws(300); ++run) runs.play(run);
  for (Eigen::Index i = 0; i < Eigen::Index{d}; ++i) {
    EXPECT_LT(std::abs(runs.mean_in_errors(i)), 5);
    for (Eigen::Index j = 0; j < Eigen::Index{d}; ++j)
      for (std::size_t lag = 0; lag <= 100; ++lag)
        EXPECT_LT(std::abs(runs.covariance_in_errors(lag, i, j)), 5) << lag;
  }
}

}  // namespace
}  // namespace phe::test
