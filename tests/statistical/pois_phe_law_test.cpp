// PoisPHE in contexts: the law of what theta-tilde is fitted to. At the minimum the loss has no
// slope, so from a converged theta its target can be had back:
//
//   sum_l x_l (y_l + M U_l) + prior noise = sum_l (1 + a) x_l exp(x_l^T theta) + 2 ridge theta,
//
// with weights 1 in place of 1 + a when centred. U_l has mean a/2 and variance a/4. In the middle
// of the range, where the mean is M/2, an observation adds (1 + a) M/2 x x^T to the Hessian and a
// M^2/4 x x^T to the covariance of the left side; the prior's noise is in the same proportion to
// its 2 ridge I.
#include <cmath>

#include <gtest/gtest.h>

#include "phe/glm_phe.hpp"
#include "support/algorithm1.hpp"
#include "support/context_law.hpp"
#include "support/sizes.hpp"
#include "support/statistics.hpp"

namespace phe::test {
namespace {

using ::testing::Bool;
using ::testing::Combine;
using ::testing::Values;

constexpr std::size_t d = 3;
constexpr double ridge = 0.4;
constexpr double largest = 6.0;  // M

class PoisPheContextLaw : public testing::TestWithParam<std::tuple<double, bool, Start>> {};
INSTANTIATE_TEST_SUITE_P(Cases, PoisPheContextLaw,
                         Combine(Values(0.1, 0.5, 2.0), Bool(), Values(Start::prior, Start::none)));

TEST_P(PoisPheContextLaw, MeanAndCovarianceOfTheTargetAreThoseOfTheFormulas) {
  const auto& [a, centred, start] = GetParam();
  auto policy = PoisPhe::create(d, {.perturbation_scale = a,
                                    .ridge = ridge,
                                    .stop = GlmStop::gradient,
                                    .rewards = {0.0, largest},
                                    .centred = centred,
                                    .start = start})
                    .value();
  const ContextHistory known = known_history(d, 12, false);  // few: the prior shows
  ContextHistory history(d);
  for (std::size_t l = 0; l < known.size(); ++l)
    history.add(known.rows()[l], static_cast<double>(l % 7));
  history.teach(policy);
  const double weight = centred ? 1 : 1 + a;
  const double prior = start == Start::prior ? 2 * ridge * a / weight * largest / 2 : 0.0;
  // Pseudo-rewards of the unit interval, times M.
  auto law = history.target(a * largest * largest, true, prior);
  if (!centred)
    for (const auto& x : history.rows()) law.mean += a * largest / 2 * x;
  Rng rng(61);
  const std::vector<double> action(d, 1.0);
  const ThetaSample sample(draws(20'000, 4'000), d, [&] {
    EXPECT_TRUE(policy.select(Actions::rows(1, action), rng).ok());
    EXPECT_TRUE(policy.last_fit().converged);
    const Eigen::VectorXd theta = Eigen::Map<const Eigen::VectorXd>(policy.estimate().data(), d);
    Eigen::VectorXd target = 2 * ridge * theta;
    for (const auto& x : history.rows()) target += weight * std::exp(x.dot(theta)) * x;
    return target;
  });
  EXPECT_LT(sample.deviation(law.mean, law.covariance), 5);
}

}  // namespace
}  // namespace phe::test
