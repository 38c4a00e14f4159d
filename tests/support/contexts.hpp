// Rounds with actions of their own, and a learner in contexts as the tests of one policy drive it.
#pragma once

#include <span>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "policies/learner_policy.hpp"
#include "support/arms.hpp"

namespace phe::test {

inline std::span<const double> span_of(const Eigen::VectorXd& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}

inline Eigen::VectorXd normal_row(std::size_t dimension, Rng& rng) {
  const auto x = normal_vector(dimension, rng);
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(dimension));
}

// What one round offers.
struct Menu {
  std::vector<Eigen::VectorXd> rows;
  std::vector<double> flat;

  [[nodiscard]] Actions actions() const { return Actions::rows(rows.size(), flat); }
};

// From 1 to 40 actions, another number in each round. A third of them are among ten that come
// again and again, so that rows repeat, within a round too; the others are never seen twice.
inline Menu menu_of_round(std::uint64_t round, std::size_t dimension) {
  Rng rng(StreamKey(21).with(round));
  Menu menu;
  for (std::uint64_t left = 1 + rng.below(40); left > 0; --left) {
    Rng regular(StreamKey(22).with(rng.below(10)));
    const bool is_regular = rng.below(3) == 0;
    menu.rows.push_back(normal_row(dimension, is_regular ? regular : rng));
    menu.flat.insert(menu.flat.end(), menu.rows.back().begin(), menu.rows.back().end());
  }
  return menu;
}

template <class Concrete>
class ContextLearning {
 public:
  ContextLearning(std::size_t dimension, Result<Concrete> learner, Start start = Start::none)
      : policy_(Arms::none(dimension), std::make_unique<Concrete>(std::move(learner).value()),
                start) {}

  std::size_t select(const Menu& menu, Rng& rng) {
    return policy_.select(menu.actions(), rng).value();
  }
  void update(const Eigen::VectorXd& x, double reward) {
    EXPECT_TRUE(policy_.update(span_of(x), reward).ok());
  }
  Concrete& learner() { return static_cast<Concrete&>(policy_.learner()); }

 private:
  LearnerPolicy policy_;
};

// `policy` takes what `expected(t, menu, rng)` says, with the same random numbers, for 300 rounds;
// then both learn the same reward, the twin by learn(x, reward).
template <class Concrete, class Expected, class Learn, class Reward>
void expect_equal_choices(ContextLearning<Concrete>& policy, std::size_t dimension,
                          Expected expected, Learn learn, Reward reward) {
  Rng rng(3);
  Rng twin_rng(3);
  for (std::uint64_t t = 1; t <= 300; ++t) {
    const Menu menu = menu_of_round(t, dimension);
    const std::size_t due = expected(t, menu, twin_rng);
    const std::size_t place = policy.select(menu, rng);
    ASSERT_EQ(place, due) << "round " << t << " of " << menu.rows.size() << " actions";
    const double paid = reward(static_cast<ArmId>(place), t);
    policy.update(menu.rows[place], paid);
    learn(menu.rows[place], paid);
  }
  ASSERT_EQ(rng(), twin_rng()) << "one has drawn more than the other";
}

}  // namespace phe::test
