// A learner with fixed arms, as the tests of one policy drive it.
#pragma once

#include <gtest/gtest.h>

#include "policies/learner_policy.hpp"

namespace phe::test {

template <class Concrete>
class Learning {
 public:
  Learning(const Arms& arms, Result<Concrete> learner, Start start = Start::none)
      : policy_(arms, std::make_unique<Concrete>(std::move(learner).value()), start),
        offered_(arms) {}

  ArmId select(Rng& rng) { return policy_.select(rng); }
  void update(ArmId arm, double reward) { EXPECT_TRUE(policy_.update(arm, reward).ok()); }
  [[nodiscard]] std::string_view name() const { return policy_.name(); }
  Concrete& learner() { return static_cast<Concrete&>(policy_.learner()); }
  const Offered& offered() { return offered_; }

 private:
  LearnerPolicy policy_;
  Offered offered_;
};

}  // namespace phe::test
