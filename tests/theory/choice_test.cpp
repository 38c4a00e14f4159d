#include "theory/choice.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "problems/linear.hpp"

namespace phe::theory {
namespace {

Arms paper_arms() {
  auto problem = LinearProblem::create({.dimension = 5, .arms = 100});
  return problem->draw(StreamKey(1).with(std::uint64_t{0})).value()->arms();
}

TEST(Choice, WithoutANormUsesTheOneThatFollowsFromMeansInTheUnitInterval) {
  const auto c = choose_constants(paper_arms(), 10'000, {});
  ASSERT_TRUE(c.ok());
  // sqrt(lambda) L* = sqrt(lambda d / (3 lambda)) = sqrt(d / 3), whatever the basis.
  EXPECT_NEAR(std::sqrt(c->lambda) * c->L_star, std::sqrt(5.0 / 3), 1e-12);
  EXPECT_EQ(c->a, std::ceil(16 * c->c1 * c->c1));
  const auto known = choose_constants(paper_arms(), 10'000, {.norm = std::sqrt(0.5)});
  EXPECT_LT(known->a, c->a);
}

TEST(Choice, RefusesTheShiftWhenNoScaleExistsAndSaysWhichRidgeHelps) {
  const auto none = choose_constants(paper_arms(), 10'000, {.reading = Reading::as_written});
  ASSERT_FALSE(none.ok());
  EXPECT_NE(none.error().message.find("no a has a = ceil(16 c1^2)"), std::string::npos);
  const auto at = none.error().message.find("give ridge=");
  ASSERT_NE(at, std::string::npos);
  const double ridge = std::stod(none.error().message.substr(at + 11));
  EXPECT_TRUE(
      choose_constants(paper_arms(), 10'000, {.reading = Reading::as_written, .ridge = ridge})
          .ok());
}

TEST(Choice, RefusesARidgeAboveTable1) {
  const auto refused = choose_constants(paper_arms(), 100, {.ridge = 1.0});
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("ridge must be > 0 and at most Table 1's"),
            std::string::npos);
  EXPECT_FALSE(choose_constants(paper_arms(), 100, {.norm = -1.0}).ok());
}

TEST(Choice, RefusesArmsThatDoNotSpan) {
  EXPECT_FALSE(choose_constants(Arms::from_rows({{1, 1}, {1, 1}}).value(), 100, {}).ok());
}

}  // namespace
}  // namespace phe::theory
