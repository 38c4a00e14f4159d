// DisjointPolicy against separate models, one per action, each fed with what its action paid and
// nothing else; actions come, go, come back and are forgotten.
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "phe/lin_phe.hpp"
#include "phe/log_phe.hpp"
#include "policies/disjoint_policy.hpp"
#include "policies/glm_phe_learner.hpp"
#include "policies/lin_eps.hpp"
#include "policies/lin_phe_learner.hpp"
#include "policies/lin_ts.hpp"
#include "policies/lin_ucb.hpp"
#include "policies/twin.hpp"
#include "support/contexts.hpp"

namespace phe::test {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t d = 3;
constexpr ActionId big = 1'000'000'000'007;

template <class Concrete>
DisjointPolicy disjoint(Result<Concrete> fresh, Start start = Start::none) {
  return {std::make_unique<Concrete>(std::move(fresh).value()), start};
}

// Four actions, in another order each round; 99 comes in round 50, 3 is away from 60 to 119.
std::vector<ActionId> offered_in(std::uint64_t round) {
  std::vector<ActionId> ids = {7, 3, big, 42};
  if (round >= 50) ids.push_back(99);
  if (round >= 60 && round < 120) std::erase(ids, ActionId{3});
  std::ranges::rotate(ids, ids.begin() + static_cast<std::ptrdiff_t>(round % ids.size()));
  return ids;
}

// The policy takes what the twin takes, with the same random numbers. A Twin has
// choose(round, ids, x, rng) -> place, learn(id, x, reward) and forget(id).
template <class Twin>
void expect_separate_models(DisjointPolicy& policy, Twin& twin) {
  Rng rng(3);
  Rng twin_rng(3);
  std::map<ActionId, int> taken;
  for (std::uint64_t t = 1; t <= 300; ++t) {
    Rng contexts(StreamKey(23).with(t));
    const Eigen::VectorXd x = normal_row(d, contexts);
    const auto ids = offered_in(t);
    const std::size_t due = twin.choose(t, ids, x, twin_rng);
    const std::size_t place = policy.select(Actions::context(span_of(x), ids), rng).value();
    ASSERT_EQ(place, due) << "round " << t;
    const double reward = coin(static_cast<ArmId>(ids[place] % 10), t);
    ASSERT_TRUE(policy.update(ids[place], span_of(x), reward).ok());
    twin.learn(ids[place], x, reward);
    ++taken[ids[place]];
    if (t != 150) continue;
    policy.forget(42);
    twin.forget(42);
  }
  EXPECT_EQ(taken.size(), 5u) << "an action was never taken, so nothing is known of its model";
}

// Dense models, and scores made of them.
template <class Score>
struct DenseModels {
  double ridge;
  double weight;
  Score score;  // of (id, model, x, rng)
  std::map<ActionId, DenseRidge> models = {};

  std::size_t choose(std::uint64_t, const std::vector<ActionId>& ids, const Eigen::VectorXd& x,
                     Rng& rng) {
    std::vector<double> scores;
    for (const ActionId id : ids)
      scores.push_back(score(id, models.try_emplace(id, d, ridge).first->second, x, rng));
    return dense_best(scores, rng);
  }
  void learn(ActionId id, const Eigen::VectorXd& x, double reward) {
    models.at(id).add(x, reward, weight);
  }
  void forget(ActionId id) { models.erase(id); }
};
template <class Score>
DenseModels(double, double, Score) -> DenseModels<Score>;

TEST(DisjointLinTs, DrawsAThetaOfEachActionsOwnPosterior) {
  auto policy = disjoint(LinTs::create(Arms::none(d)));
  DenseModels twin{1.0, 4.0, [&](ActionId id, const DenseRidge& model, const auto& x, Rng& rng) {
                     Eigen::MatrixXd root = Eigen::MatrixXd::Identity(d, d);  // of the prior
                     if (auto* of = static_cast<LinTs*>(policy.learner(id)))
                       for (std::size_t i = 0; i < d * d; ++i)
                         root(static_cast<Eigen::Index>(i / d), static_cast<Eigen::Index>(i % d)) =
                             of->posterior().root(i / d, i % d);
                     const Eigen::VectorXd z = normal_row(d, rng);
                     return x.dot(model.estimate() + root * z);
                   }};
  expect_separate_models(policy, twin);
}

TEST(DisjointLinUcb, HasBoundsOfEachActionsOwnModelAndNorms) {
  LinUcbOptions options;
  options.rounds = 300;
  auto policy = disjoint(LinUcb::create(Arms::none(d), options));
  std::map<ActionId, double> longest;
  DenseModels twin{1.0, 4.0, [&](ActionId id, const DenseRidge& model, const auto& x, Rng&) {
                     const double growth = 1 + 300 * std::pow(longest[id], 2);
                     const double radius =
                         std::sqrt(3.0) + 0.5 * std::sqrt(3 * std::log(growth * 300));
                     return x.dot(model.estimate()) + radius * std::sqrt(model.squared_width(x));
                   }};
  struct WithNorms {
    decltype(twin)& models;
    std::map<ActionId, double>& norms;
    std::size_t choose(std::uint64_t t, const std::vector<ActionId>& ids, const Eigen::VectorXd& x,
                       Rng& rng) {
      return models.choose(t, ids, x, rng);
    }
    void learn(ActionId id, const Eigen::VectorXd& x, double reward) {
      models.learn(id, x, reward);
      norms[id] = std::max(norms[id], x.norm());
    }
    void forget(ActionId id) {
      models.forget(id);
      norms.erase(id);
    }
  } with_norms{twin, longest};
  expect_separate_models(policy, with_norms);
}

TEST(DisjointLinEps, ExploresByTheRoundsOfAllActionsTogether) {
  LinEpsOptions options;
  options.epsilon = 0.2;
  options.rounds = 300;
  auto policy = disjoint(LinEps::create(Arms::none(d), options));
  DenseModels greedy{1.0, 1.0, [](ActionId, const DenseRidge& model, const auto& x, Rng&) {
                       return x.dot(model.estimate());
                     }};
  using Greedy = decltype(greedy);
  struct Exploring : Greedy {
    std::size_t choose(std::uint64_t t, const std::vector<ActionId>& ids, const Eigen::VectorXd& x,
                       Rng& rng) {
      const bool explore = to_unit(rng()) < 0.1 * std::sqrt(300 / static_cast<double>(t));
      Rng unused = rng;  // an action gets its model even in a round that explores
      const std::size_t best = Greedy::choose(t, ids, x, explore ? unused : rng);
      return explore ? static_cast<std::size_t>(rng.below(ids.size())) : best;
    }
  } twin{greedy};
  expect_separate_models(policy, twin);
}

// A whole policy in contexts for each action; its score is x^T theta-tilde of its own history.
template <class Phe, class Options>
struct SeparatePolicies {
  Options options;
  std::map<ActionId, Phe> policies = {};

  std::size_t choose(std::uint64_t, const std::vector<ActionId>& ids, const Eigen::VectorXd& x,
                     Rng& rng) {
    std::vector<double> scores;
    for (const ActionId id : ids) {
      auto found = policies.find(id);
      if (found == policies.end())
        found = policies.emplace(id, Phe::create(d, options).value()).first;
      EXPECT_TRUE(found->second.select(Actions::rows(1, span_of(x)), rng).ok());
      scores.push_back(0.0);
      for (std::size_t j = 0; j < d; ++j)
        scores.back() += found->second.estimate()[j] * x[static_cast<Eigen::Index>(j)];
    }
    return dense_best(scores, rng);
  }
  void learn(ActionId id, const Eigen::VectorXd& x, double reward) {
    EXPECT_TRUE(policies.at(id).update(span_of(x), reward).ok());
  }
  void forget(ActionId id) { policies.erase(id); }
};

TEST(DisjointLinPhe, PerturbsTheHistoryOfEachActionOnItsOwn) {
  for (const double a : {0.5, 1.0}) {
    const LinPheOptions options{.perturbation_scale = a, .ridge = 0.7, .start = Start::prior};
    auto policy = disjoint(LinPheLearner::create(Arms::none(d), options), Start::prior);
    SeparatePolicies<LinPhe, LinPheOptions> twin{options};
    expect_separate_models(policy, twin);
  }
}

TEST(DisjointLogPhe, PerturbsTheHistoryOfEachActionOnItsOwn) {
  const LogPheOptions options{.stop = GlmStop::gradient, .start = Start::prior};
  auto policy = disjoint(LogPheLearner::create(Arms::none(d), options), Start::prior);
  SeparatePolicies<LogPhe, LogPheOptions> twin{options};
  expect_separate_models(policy, twin);
}

const std::vector<double> context = {1.0, -0.5, 2.0};

TEST(DisjointStart, EachTakesEveryActionOnceInOrderThoughRewardsAreLate) {
  auto policy = disjoint(LinTs::create(Arms::none(d)), Start::each);
  Rng rng(1);
  const std::vector<ActionId> ids = {8, 5, big};
  for (std::size_t due = 0; due < 3; ++due)
    EXPECT_EQ(policy.select(Actions::context(context, ids), rng).value(), due);
  // Whoever is new comes first, wherever it stands; whoever was forgotten is new.
  policy.forget(5);
  const std::vector<ActionId> more = {big, 5, 8, 77};
  EXPECT_EQ(policy.select(Actions::context(context, more), rng).value(), 1u);
  EXPECT_EQ(policy.select(Actions::context(context, more), rng).value(), 3u);
  // All rewards come at last, and in another order.
  for (const ActionId id : {77, 8, 5}) EXPECT_TRUE(policy.update(id, context, 1.0).ok());
  EXPECT_TRUE(policy.update(big, context, 0.0).ok());
}

TEST(DisjointStart, ActionsWithoutNamesAreThoseFromZeroOn) {
  auto policy = disjoint(LinTs::create(Arms::none(d)), Start::each);
  Rng rng(1);
  for (std::size_t due = 0; due < 4; ++due)
    EXPECT_EQ(policy.select(Actions::context(context, 4), rng).value(), due);
  EXPECT_NE(policy.learner(3), nullptr);
  EXPECT_EQ(policy.learner(4), nullptr);
}

// What an error says, when nothing has changed.
class DisjointRefuses : public testing::Test {
 protected:
  DisjointRefuses() {
    Rng rng(1);
    EXPECT_TRUE(policy.select(Actions::context(context, ids), rng).ok());
    EXPECT_TRUE(policy.update(4, context, 1.0).ok());
  }
  template <class Call>
  void expect_error(Call call, const std::string& text) {
    const std::string before = policy.save().value();
    const auto result = call();
    ASSERT_FALSE(result.ok());
    EXPECT_THAT(result.error().message, HasSubstr(text));
    EXPECT_EQ(policy.save().value(), before);
  }

  std::vector<ActionId> ids = {4, 9};
  DisjointPolicy policy = disjoint(LogPheLearner::create(Arms::none(d), {}), Start::none);
};

TEST_F(DisjointRefuses, RewardsOfUnknownActionsAndUnnamedOnes) {
  expect_error([&] { return policy.update(ActionId{5}, context, 1.0); },
               "logphe: action 5 was never offered");
  expect_error([&] { return policy.update(std::span<const double>(context), 1.0); },
               "say which action paid");
  expect_error([&] { return policy.update(ArmId{0}, 1.0); }, "not for fixed arms");
}

TEST_F(DisjointRefuses, ContextsOfTheWrongLengthOrWithoutNumbers) {
  const std::vector<double> longer = {1, 2, 3, 4};
  const std::vector<double> empty = {0, std::numeric_limits<double>::quiet_NaN(), 0};
  const std::vector<ActionId> unseen = {4, 1234};
  Rng rng(2);
  expect_error([&] { return policy.update(ActionId{4}, longer, 1.0); },
               "there must be 3 features, got 4");
  expect_error([&] { return policy.select(Actions::context(longer, unseen), rng); },
               "there must be 3 features, got 4");
  expect_error([&] { return policy.update(ActionId{4}, empty, 1.0); }, "feature 1");
  expect_error([&] { return policy.select(Actions::context(empty, unseen), rng); }, "feature 1");
  EXPECT_EQ(policy.learner(1234), nullptr);
}

TEST_F(DisjointRefuses, RewardsOutsideTheirRangeAndRoundsWithoutActions) {
  Rng rng(2);
  expect_error([&] { return policy.update(ActionId{4}, context, 1.5); },
               "between 0 and 1, got 1.5");
  expect_error([&] { return policy.select(Actions::context(context, std::size_t{0}), rng); },
               "at least 1 action");
}

TEST(Disjoint, AnActionOfferedTwiceInOneRoundIsRefusedByItsNameAndNothingChanges) {
  auto policy = disjoint(LinTs::create(Arms::none(d)));
  Rng rng(1);
  const std::vector<double> x = {1, 2, 3};
  const std::vector<ActionId> known = {7, 3};
  ASSERT_TRUE(policy.select(Actions::context(x, known), rng).ok());
  const std::string before = policy.save().value();
  Rng same = rng;
  for (const auto& ids : {std::vector<ActionId>{3, 5, 7, 3}, {big, 3, big}}) {
    const auto refused = policy.select(Actions::context(x, ids), rng);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().message,
              fmt::format("lints: action {} is offered twice in one round", ids.back()));
    Decision decision;
    EXPECT_FALSE(policy.decide(Actions::context(x, ids), rng, {}, decision).ok());
  }
  EXPECT_EQ(policy.save().value(), before);
  EXPECT_FALSE(policy.update(5, x, 1.0).ok()) << "5 was in a refused offer alone";
  EXPECT_EQ(rng(), same());
}

}  // namespace
}  // namespace phe::test
