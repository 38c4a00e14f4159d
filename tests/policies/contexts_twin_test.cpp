// The linear policies in contexts against literal versions: all observations in a list, a dense
// model fitted to it from scratch in every round, every formula as the policy's header has it.
#include <cmath>

#include <gtest/gtest.h>

#include "kernels/binomial.hpp"
#include "kernels/binomial_half.hpp"
#include "policies/lin_ens.hpp"
#include "policies/lin_eps.hpp"
#include "policies/lin_fpl.hpp"
#include "policies/lin_giro.hpp"
#include "policies/lin_ts.hpp"
#include "policies/lin_ucb.hpp"
#include "policies/twin.hpp"
#include "support/contexts.hpp"

namespace phe::test {
namespace {

constexpr std::size_t d = 4;

struct Seen {
  Eigen::VectorXd x;
  double reward;
};

class SeenList {
 public:
  void add(const Eigen::VectorXd& x, double reward) { list_.push_back({x, reward}); }

  // G = ridge I + weight sum x x^T and weight sum x y.
  [[nodiscard]] DenseRidge fitted(double ridge, double weight = 1.0) const {
    DenseRidge model(d, ridge);
    for (const auto& [x, reward] : list_) model.add(x, reward, weight);
    return model;
  }
  [[nodiscard]] double largest_norm() const {
    double norm = 0.0;
    for (const Seen& one : list_) norm = std::max(norm, one.x.norm());
    return norm;
  }
  // Rows in the order in which they were first seen, and how often each was.
  [[nodiscard]] std::vector<std::pair<Eigen::VectorXd, double>> distinct() const {
    std::vector<std::pair<Eigen::VectorXd, double>> rows;
    for (const Seen& one : list_) {
      const auto same =
          std::ranges::find_if(rows, [&](const auto& row) { return row.first == one.x; });
      if (same == rows.end())
        rows.emplace_back(one.x, 1.0);
      else
        ++same->second;
    }
    return rows;
  }

 private:
  std::vector<Seen> list_;
};

std::size_t best_of(const Menu& menu, const Eigen::VectorXd& theta, Rng& rng) {
  std::vector<double> scores;
  for (const auto& x : menu.rows) scores.push_back(x.dot(theta));
  return dense_best(scores, rng);
}

template <class Concrete, class Expected>
void expect_twin(ContextLearning<Concrete>& policy, SeenList& list, Expected expected) {
  expect_equal_choices(
      policy, d, expected, [&](const auto& x, double reward) { list.add(x, reward); }, fraction);
}

class LinTsInContexts : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(PlainAndInflated, LinTsInContexts, testing::Bool());

TEST_P(LinTsInContexts, TakesTheBestUnderTheDenseMeanPlusARootOfTheCovarianceTimesTheSameNormals) {
  const bool inflated = GetParam();
  LinTsOptions options;
  options.ridge = 0.7;
  options.inflated = inflated;
  options.rounds = 300;
  ContextLearning<LinTs> policy(d, LinTs::create(Arms::none(d), options));
  SeenList list;
  expect_twin(policy, list, [&](std::uint64_t t, const Menu& menu, Rng& rng) {
    const double v =
        inflated ? 0.5 * std::sqrt(9 * d * std::log(static_cast<double>(t) * 300)) : 1.0;
    const DenseRidge posterior = list.fitted(0.7, inflated ? 1.0 : 4.0);  // 1 / sigma^2
    // Any root of G^-1 would do; to compare choices it must be the policy's.
    Eigen::MatrixXd root(d, d);
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j < d; ++j)
        root(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
            policy.learner().posterior().root(i, j);
    EXPECT_LT((root * root.transpose() * posterior.gram - Eigen::MatrixXd::Identity(d, d)).norm(),
              1e-10);
    Eigen::VectorXd z(d);
    for (double& entry : z) entry = v * kernels::normal(rng);
    return best_of(menu, posterior.estimate() + root * z, rng);
  });
}

class LinUcbInContexts : public testing::TestWithParam<Radius> {};
INSTANTIATE_TEST_SUITE_P(Radii, LinUcbInContexts,
                         testing::Values(Radius::authors, Radius::theorem, Radius::constant));

// beta_t for n = 300, delta = 1 / n, ridge 0.7, R = 1/2, S = 2; L is the largest norm seen so far.
double ucb_radius(Radius radius, const SeenList& list) {
  if (radius == Radius::constant) return 0.8;
  const double bias = std::sqrt(0.7) * 2;
  if (radius == Radius::authors) {
    const double growth = 1 + 300 * std::pow(list.largest_norm(), 2) / 0.7;
    return bias + 0.5 * std::sqrt(d * std::log(growth * 300));
  }
  const double ratio = list.fitted(0.7).gram.determinant() / std::pow(0.7, d);
  return bias + 0.5 * std::sqrt(2 * std::log(std::sqrt(ratio) * 300));
}

TEST_P(LinUcbInContexts, TakesTheHighestUpperBoundWithTheLargestNormSeenSoFarInItsRadius) {
  LinUcbOptions options;
  options.radius = GetParam();
  options.width = 0.8;
  options.ridge = 0.7;
  options.rounds = 300;
  ContextLearning<LinUcb> policy(d, LinUcb::create(Arms::none(d), options));
  SeenList list;
  expect_twin(policy, list, [&](std::uint64_t, const Menu& menu, Rng& rng) {
    const double radius = ucb_radius(GetParam(), list);
    EXPECT_NEAR(policy.learner().radius(), radius, 1e-12 * radius);
    const DenseRidge model = list.fitted(0.7, GetParam() == Radius::authors ? 4.0 : 1.0);
    std::vector<double> bounds;
    for (const auto& x : menu.rows)
      bounds.push_back(x.dot(model.estimate()) + radius * std::sqrt(model.squared_width(x)));
    return dense_best(bounds, rng);
  });
}

class LinEpsInContexts : public testing::TestWithParam<EpsilonSchedule> {};
INSTANTIATE_TEST_SUITE_P(Schedules, LinEpsInContexts,
                         testing::Values(EpsilonSchedule::authors, EpsilonSchedule::paper,
                                         EpsilonSchedule::constant));

TEST_P(LinEpsInContexts, ExploresAsTheScheduleSaysAndElseTakesTheBestOfTheDenseModel) {
  LinEpsOptions options;
  options.epsilon = 0.3;
  options.schedule = GetParam();
  options.rounds = 300;
  options.ridge = 0.7;
  ContextLearning<LinEps> policy(d, LinEps::create(Arms::none(d), options));
  SeenList list;
  expect_twin(policy, list, [&](std::uint64_t t, const Menu& menu, Rng& rng) -> std::size_t {
    const auto round = static_cast<double>(t);
    const double epsilon = GetParam() == EpsilonSchedule::authors ? 0.15 * std::sqrt(300 / round)
                           : GetParam() == EpsilonSchedule::paper ? 0.15 / std::sqrt(round)
                                                                  : 0.3;
    if (to_unit(rng()) < epsilon) return rng.below(menu.rows.size());
    return best_of(menu, list.fitted(0.7).estimate(), rng);
  });
}

TEST(GreedyInContexts, TakesTheBestOfTheDenseModel) {
  GreedyOptions options;
  options.ridge = 0.4;
  ContextLearning<Greedy> policy(d, Greedy::create(Arms::none(d), options));
  SeenList list;
  expect_twin(policy, list, [&](std::uint64_t, const Menu& menu, Rng& rng) {
    return best_of(menu, list.fitted(0.4).estimate(), rng);
  });
}

TEST(LinFplInContexts, TakesTheBestOfADenseFitToRewardsAndPriorWithTheSameNoise) {
  LinFplOptions options;
  options.noise_scale = 0.6;
  options.ridge = 0.4;
  options.perturb_prior = true;
  ContextLearning<LinFpl> policy(d, LinFpl::create(Arms::none(d), options), Start::prior);
  SeenList list;
  expect_twin(policy, list, [&](std::uint64_t, const Menu& menu, Rng& rng) {
    DenseRidge perturbed = list.fitted(0.4);
    for (double& entry : perturbed.target) entry += 0.6 * std::sqrt(0.4) * kernels::normal(rng);
    for (const auto& [x, times] : list.distinct())
      perturbed.target += 0.6 * std::sqrt(times) * kernels::normal(rng) * x;
    return best_of(menu, perturbed.estimate(), rng);
  });
}

TEST(LinEnsInContexts, GaussianModelsAreThoseOfSeparateListsWithTheSameNoise) {
  constexpr std::size_t models = 5;
  LinEnsOptions options;
  options.models = models;
  options.ridge = 0.6;
  options.sigma = 0.4;
  ContextLearning<LinEns> policy(d, LinEns::create(Arms::none(d), options));
  std::vector<Eigen::VectorXd> priors;  // b = ridge theta, theta ~ N(0, I / ridge)
  std::vector<SeenList> lists(models);
  std::vector<Seen> last;  // its noise is drawn in the next round
  expect_equal_choices(
      policy, d,
      [&](std::uint64_t, const Menu& menu, Rng& rng) {
        while (priors.size() < models) priors.emplace_back(std::sqrt(0.6) * normal_row(d, rng));
        for (const auto& [x, reward] : last)
          for (SeenList& list : lists) list.add(x, reward + 0.4 * kernels::normal(rng));
        const auto m = static_cast<std::size_t>(rng.below(models));
        DenseRidge model = lists[m].fitted(0.6, 1 / (0.4 * 0.4));
        model.target += priors[m];
        return best_of(menu, model.estimate(), rng);
      },
      [&](const auto& x, double reward) {
        last = {{x, reward}};
      },
      fraction);
}

TEST(LinEnsInContexts, BernoulliModelsAreThoseOfListsWithTheSameScaledFlips) {
  constexpr std::size_t models = 5;
  constexpr double a = 1.5;  // 2 flips for each observation
  LinEnsOptions options;
  options.models = models;
  options.noise = EnsembleNoise::bernoulli;
  options.ridge = 0.6;
  options.perturbation_scale = a;
  options.perturb_prior = true;
  ContextLearning<LinEns> policy(d, LinEns::create(Arms::none(d), options), Start::prior);
  std::vector<Eigen::VectorXd> noise;  // of each model: its prior and sum x U
  SeenList list;
  std::vector<Eigen::VectorXd> last;  // whose flips are drawn in the next round
  expect_equal_choices(
      policy, d,
      [&](std::uint64_t, const Menu& menu, Rng& rng) {
        while (noise.size() < models)
          noise.emplace_back(std::sqrt(a * 0.6) / 2 * normal_row(d, rng));
        for (const auto& x : last) {
          const std::vector<std::uint64_t> flips(padded(models), 2);
          std::vector<double> heads(flips.size());
          kernels::binomial_half(flips, rng, heads);
          for (std::size_t m = 0; m < models; ++m)
            noise[m] += (a / 2 + std::sqrt(a / 2) * (heads[m] - 1)) * x;
        }
        const auto m = static_cast<std::size_t>(rng.below(models));
        DenseRidge model = list.fitted(0.6);
        model.target += noise[m];
        return best_of(menu, model.estimate(), rng);
      },
      [&](const auto& x, double reward) {
        list.add(x, reward);
        last = {x};
      },
      fraction);
}

// The history of a row seen T times has T rewards and, with a = 1.5, ceil(1.5 T) pseudo-rewards
// each of 0 and of 1.
struct GiroRow {
  Eigen::VectorXd x;
  std::uint64_t times = 0;
  double paid = 0.0;

  [[nodiscard]] std::uint64_t pseudo() const { return (3 * times + 1) / 2; }
  [[nodiscard]] std::uint64_t size() const { return times + 2 * pseudo(); }
  [[nodiscard]] double mean() const {
    return (paid + static_cast<double>(pseudo())) / static_cast<double>(size());
  }
};

class LinGiroInContexts : public testing::TestWithParam<Resample> {};
INSTANTIATE_TEST_SUITE_P(Both, LinGiroInContexts,
                         testing::Values(Resample::history, Resample::arms));

TEST_P(LinGiroInContexts, TakesTheBestOfADenseFitToTheSameResampledRows) {
  LinGiroOptions options;
  options.pseudo_rewards = 1.5;
  options.ridge = 0.3;
  options.resample = GetParam();
  ContextLearning<LinGiro> policy(d, LinGiro::create(Arms::none(d), options));
  std::vector<GiroRow> rows;  // in the order in which they were first seen
  expect_equal_choices(
      policy, d,
      [&](std::uint64_t, const Menu& menu, Rng& rng) {
        std::uint64_t left = 0;  // rows of the history not yet dealt with, and draws for them
        for (const GiroRow& row : rows) left += row.size();
        std::uint64_t draws = left;
        std::vector<std::uint64_t> counts;
        for (const GiroRow& row : rows) {
          counts.push_back(
              GetParam() == Resample::arms
                  ? row.size()
                  : kernels::binomial(
                        draws, static_cast<double>(row.size()) / static_cast<double>(left), rng));
          draws -= counts.back();
          left -= row.size();
        }
        DenseRidge model(d, (2 * 1.5 + 1) * 0.3);
        for (std::size_t i = 0; i < rows.size(); ++i) {
          const double sum = static_cast<double>(kernels::binomial(counts[i], rows[i].mean(), rng));
          model.gram += static_cast<double>(counts[i]) * rows[i].x * rows[i].x.transpose();
          model.target += sum * rows[i].x;
        }
        return best_of(menu, model.estimate(), rng);
      },
      [&](const auto& x, double reward) {
        auto row = std::ranges::find_if(rows, [&](const GiroRow& one) { return one.x == x; });
        if (row == rows.end()) row = rows.insert(row, GiroRow{x});
        ++row->times;
        row->paid += reward;
      },
      fraction);
}

}  // namespace
}  // namespace phe::test
