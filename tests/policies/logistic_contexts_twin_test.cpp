// The logistic policies in contexts against literal versions: all observations in a list, the loss
// minimised from zero in long doubles in every round, every formula as the policy's header has it.
#include <cmath>

#include <gtest/gtest.h>

#include "policies/glm_eps.hpp"
#include "policies/glm_ts.hpp"
#include "policies/glm_ucb.hpp"
#include "policies/log_fpl.hpp"
#include "policies/twin.hpp"
#include "policies/ucb_glm.hpp"
#include "support/contexts.hpp"
#include "support/slow_glm.hpp"

namespace phe::test {
namespace {

constexpr std::size_t d = 4;
constexpr std::uint64_t n = 300;

template <class Slow>
class RewardList {
 public:
  void add(const Eigen::VectorXd& x, double reward) {
    list_.push_back({{x.begin(), x.end()}, reward});
    gram_.add(x, 0.0);
    largest_norm_ = std::max(largest_norm_, x.norm());
  }
  [[nodiscard]] Slow model(double ridge) const { return {list_, ridge}; }
  [[nodiscard]] Eigen::VectorXd estimate(double ridge) const {
    return model(ridge).minimise(d).template cast<double>();
  }
  // |x|_{G^-1}, G = ridge I + sum x x^T, for ridge = 1.
  [[nodiscard]] double width(const Eigen::VectorXd& x) const {
    return std::sqrt(gram_.squared_width(x));
  }
  [[nodiscard]] double largest_norm() const { return largest_norm_; }

 private:
  std::vector<Observation> list_;
  DenseRidge gram_{d, 1.0};
  double largest_norm_ = 0.0;
};
using RewardsInContexts = RewardList<SlowLogistic>;
using CountsInContexts = RewardList<SlowPoisson>;

// The action with the highest score(x).
template <class Score>
std::size_t best_of(const Menu& menu, Rng& rng, Score score) {
  std::vector<double> scores;
  for (const auto& x : menu.rows) scores.push_back(score(x));
  return dense_best(scores, rng);
}

template <class Concrete, class Slow, class Expected>
void expect_twin(ContextLearning<Concrete>& policy, RewardList<Slow>& list, Expected expected,
                 double largest = 1.0) {
  expect_equal_choices(
      policy, d, expected, [&](const auto& x, double reward) { list.add(x, largest * reward); },
      coin);
}

TEST(LogEpsInContexts, ExploresAsTheScheduleSaysAndElseTakesTheBestAtTheMinimum) {
  GlmEpsOptions options;
  options.epsilon = 0.2;
  options.ridge = 0.3;
  options.rounds = n;
  ContextLearning<LogEps> policy(d, LogEps::create(Arms::none(d), options));
  RewardsInContexts list;
  expect_twin(policy, list, [&](std::uint64_t t, const Menu& menu, Rng& rng) -> std::size_t {
    if (to_unit(rng()) < 0.1 * std::sqrt(300 / static_cast<double>(t)))
      return rng.below(menu.rows.size());
    const Eigen::VectorXd theta = list.estimate(0.3);
    return best_of(menu, rng, [&](const auto& x) { return x.dot(theta); });
  });
}

TEST(UcbGlmInContexts, TakesTheHighestUpperBoundOfAScore) {
  UcbGlmOptions options;
  options.rounds = n;
  ContextLearning<UcbGlm> policy(d, UcbGlm::create(Arms::none(d), options));
  RewardsInContexts list;
  // (sigma / kappa) sqrt((d / 2) log(1 + 2 n / d) + log(1 / delta)), delta = 1 / n.
  const double alpha = 0.5 / 0.25 * std::sqrt(2 * std::log(1 + 600.0 / 4) + std::log(300.0));
  expect_twin(policy, list, [&](std::uint64_t, const Menu& menu, Rng& rng) {
    EXPECT_NEAR(policy.learner().radius(), alpha, 1e-12 * alpha);
    const Eigen::VectorXd theta = list.estimate(1.0);
    return best_of(menu, rng, [&](const auto& x) { return x.dot(theta) + alpha * list.width(x); });
  });
}

TEST(GlmUcbInContexts, TakesTheHighestUpperBoundOfAMeanWithTheLargestNormSeenSoFarInItsRadius) {
  GlmUcbOptions options;
  options.rounds = n;
  options.least_slope = 5;  // or widths would drown the estimate
  ContextLearning<GlmUcb> policy(d, GlmUcb::create(Arms::none(d), options));
  RewardsInContexts list;
  expect_twin(policy, list, [&](std::uint64_t, const Menu& menu, Rng& rng) {
    // (2 k kappa R / c) sqrt(2 d log n log(2 d n / delta)), delta = 1 / n.
    const double kappa = std::sqrt(3 + 2 * std::log(1 + 2 * std::pow(list.largest_norm(), 2)));
    const double rho =
        2 * 0.25 * kappa / 5 * std::sqrt(8 * std::log(300.0) * std::log(8 * 300.0 * 300.0));
    EXPECT_NEAR(policy.learner().radius(), rho, 1e-12 * rho);
    const Eigen::VectorXd theta = list.estimate(1.0);
    return best_of(menu, rng, [&](const auto& x) {
      return 1 / (1 + std::exp(-x.dot(theta))) + rho * list.width(x);
    });
  });
}

TEST(LogTsInContexts, TakesTheBestUnderTheModePlusARootOfLaplacesCovarianceTimesTheSameNormals) {
  GlmTsOptions options;
  options.ridge = 0.3;
  ContextLearning<LogTs> policy(d, LogTs::create(Arms::none(d), options));
  RewardsInContexts list;
  expect_twin(policy, list, [&](std::uint64_t, const Menu& menu, Rng& rng) {
    const Eigen::VectorXd z = normal_row(d, rng);
    const SlowLogistic::Vector mode = list.model(0.3).minimise(d);
    // H = L L^T; the covariance of L^-T z is H^-1.
    const Eigen::LLT<Eigen::MatrixXd> hessian(list.model(0.3).hessian(mode).cast<double>());
    const Eigen::VectorXd theta = mode.cast<double>() + hessian.matrixU().solve(z);
    return best_of(menu, rng, [&](const auto& x) { return x.dot(theta); });
  });
}

// Counts of 0 or 6.
TEST(PoisEpsInContexts, ExploresAsTheScheduleSaysAndElseTakesTheBestAtTheMinimum) {
  GlmEpsOptions options;
  options.epsilon = 0.2;
  options.ridge = 0.3;
  options.rounds = n;
  options.rewards = {0.0, 6.0};
  ContextLearning<PoisEps> policy(d, PoisEps::create(Arms::none(d), options));
  CountsInContexts list;
  expect_twin(
      policy, list,
      [&](std::uint64_t t, const Menu& menu, Rng& rng) -> std::size_t {
        if (to_unit(rng()) < 0.1 * std::sqrt(300 / static_cast<double>(t)))
          return rng.below(menu.rows.size());
        const Eigen::VectorXd theta = list.estimate(0.3);
        return best_of(menu, rng, [&](const auto& x) { return x.dot(theta); });
      },
      6.0);
}

TEST(PoisTsInContexts, TakesTheBestUnderTheModePlusARootOfLaplacesCovarianceTimesTheSameNormals) {
  GlmTsOptions options;
  options.ridge = 0.3;
  options.rewards = {0.0, 6.0};
  ContextLearning<PoisTs> policy(d, PoisTs::create(Arms::none(d), options));
  CountsInContexts list;
  expect_twin(
      policy, list,
      [&](std::uint64_t, const Menu& menu, Rng& rng) {
        const Eigen::VectorXd z = normal_row(d, rng);
        const SlowPoisson::Vector mode = list.model(0.3).minimise(d);
        const Eigen::LLT<Eigen::MatrixXd> hessian(
            list.model(0.3).hessian(mode).template cast<double>());
        const Eigen::VectorXd theta = mode.cast<double>() + hessian.matrixU().solve(z);
        return best_of(menu, rng, [&](const auto& x) { return x.dot(theta); });
      },
      6.0);
}

TEST(LogFplInContexts, TakesTheBestAtTheMinimumForRewardsAndPriorWithTheSameNoise) {
  LogFplOptions options;
  options.noise_scale = 0.6;
  options.ridge = 0.3;
  options.perturb_prior = true;
  ContextLearning<LogFpl> policy(d, LogFpl::create(Arms::none(d), options), Start::prior);
  std::vector<Observation> list;
  expect_equal_choices(
      policy, d,
      [&](std::uint64_t, const Menu& menu, Rng& rng) {
        std::vector<Observation> perturbed = list;
        // A term -noise theta_j of the loss: hardly an observation, with a reward out of all
        // bounds.
        constexpr double hardly = 1e-13;
        for (std::size_t j = 0; j < d; ++j) {
          std::vector<double> unit(d, 0.0);
          unit[j] = 1.0;
          perturbed.push_back(
              {unit, 0.6 * std::sqrt(8 * 0.3) * kernels::normal(rng) / hardly, hardly});
        }
        // Rows in the order in which they were first seen, each with noise for all its rewards.
        for (std::size_t i = 0; i < list.size(); ++i) {
          const auto same = [&](const Observation& one) { return one.x == list[i].x; };
          if (std::any_of(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(i), same))
            continue;
          const auto times = static_cast<double>(std::ranges::count_if(list, same));
          perturbed[i].y += 0.6 * std::sqrt(times) * kernels::normal(rng);
        }
        const Eigen::VectorXd theta = SlowLogistic(perturbed, 0.3).minimise(d).cast<double>();
        return best_of(menu, rng, [&](const auto& x) { return x.dot(theta); });
      },
      [&](const auto& x, double reward) {
        list.push_back({{x.begin(), x.end()}, reward});
      },
      coin);
}

}  // namespace
}  // namespace phe::test
