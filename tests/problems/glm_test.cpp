#include "problems/glm.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"
#include "support/text.hpp"

namespace phe {
namespace {

using ::testing::HasSubstr;

TEST(LogisticProblem, DrawsInstancesAsThePaperDoes) {
  GlmProblemOptions options;
  options.dimension = 6;
  options.arms = 50;
  const auto problem = GlmProblem::create(options).value();
  const auto instance = problem.draw(StreamKey(1)).value();
  ASSERT_EQ(instance->arms().size(), 50u);
  double best = 0.0;
  for (ArmId arm = 0; arm < 50; ++arm) {
    double squares = 0.0;
    for (std::size_t j = 0; j < 5; ++j)
      squares += instance->arms().at(arm, j) * instance->arms().at(arm, j);
    EXPECT_NEAR(squares, 1.0, 1e-12);
    EXPECT_EQ(instance->arms().at(arm, 5), 1.0);
    // |x^T theta| <= 1.5.
    EXPECT_LE(std::abs(std::log(instance->means()[arm] / (1 - instance->means()[arm]))),
              1.5 + 1e-9);
    best = std::max(best, instance->means()[arm]);
  }
  EXPECT_TRUE(instance->binary_rewards());
  for (ArmId arm = 0; arm < 50; ++arm) EXPECT_EQ(instance->gap(arm), best - instance->means()[arm]);
}

TEST(LogisticProblem, ThetaFillsItsSphereEvenly) {
  // x^T theta of random x and theta has mean 0 and variance 1.5^2 / (d - 1).
  GlmProblemOptions options;
  options.dimension = 4;
  const auto problem = GlmProblem::create(options).value();
  double sum = 0.0;
  double squares = 0.0;
  constexpr std::size_t instances = 400;
  for (std::uint64_t i = 0; i < instances; ++i) {
    // One arm an instance: arms of one instance share theta.
    const double mean = problem.draw(StreamKey(2).with(i)).value()->means()[0];
    const double score = std::log(mean / (1 - mean));
    sum += score;
    squares += score * score;
  }
  EXPECT_NEAR(sum / instances, 0.0, 5 * std::sqrt(0.75 / instances));
  // Var(score^2) <= 1.5^4 / 4.
  EXPECT_NEAR(squares / instances, 0.75, 5 * std::sqrt(1.5 * 1.5 * 1.5 * 1.5 / 4 / instances));
}

TEST(LogisticProblem, PaysOneWithTheProbabilityOfTheMean) {
  const auto instance = GlmProblem::create({}).value().draw(StreamKey(3)).value();
  constexpr std::uint64_t rounds = 20'000;
  for (const ArmId arm : {0, 1, 99}) {
    double sum = 0.0;
    for (std::uint64_t t = 0; t < rounds; ++t) {
      const double reward = instance->reward(t, arm);
      ASSERT_TRUE(reward == 0.0 || reward == 1.0);
      sum += reward;
    }
    EXPECT_NEAR(sum / rounds, instance->means()[arm], 5 * std::sqrt(0.25 / rounds));
  }
}

TEST(LogisticProblem, SameKeySameInstance) {
  const auto problem = GlmProblem::create({}).value();
  const auto a = problem.draw(StreamKey(4)).value();
  const auto b = problem.draw(StreamKey(4)).value();
  const auto c = problem.draw(StreamKey(5)).value();
  EXPECT_TRUE(std::ranges::equal(a->means(), b->means()));
  EXPECT_FALSE(std::ranges::equal(a->means(), c->means()));
  EXPECT_EQ(a->reward(7, 3), b->reward(7, 3));
}

class LogisticProblemFiles : public ::testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path write(std::string_view name, std::string_view text) const {
    EXPECT_TRUE(write_file(folder_ / name, text).ok());
    return folder_ / name;
  }

  test::TemporaryFolder folder_;
  Registry registry_ = Registry::built_in();
};

TEST_F(LogisticProblemFiles, TakesArmsAndThetaFromFiles) {
  const auto features = write("arms.csv", "x,y\n1,0\n0,1\n-1,2\n");
  const auto theta = write("theta.csv", "0.5\n-1\n");
  const auto spec =
      registry_.problem("logistic:features=" + features.string() + ",theta=" + theta.string());
  ASSERT_TRUE(spec.ok()) << spec.error().message;
  EXPECT_EQ(spec.value().problem->arms(), 3u);
  EXPECT_EQ(spec.value().problem->dimension(), 2u);
  const auto instance = spec.value().problem->draw(StreamKey(1)).value();
  const double scores[] = {0.5, -1.0, -2.5};
  for (ArmId arm = 0; arm < 3; ++arm)
    EXPECT_NEAR(instance->means()[arm], 1 / (1 + std::exp(-scores[arm])), 1e-15);
}

TEST_F(LogisticProblemFiles, SaysWhatIsWrongWithAFile) {
  const auto features = write("arms.csv", "1,0\n0,1\n");
  const auto theta = write("theta.csv", "1,2,3\n");
  const auto message = [&](const std::string& spec) {
    const auto made = registry_.problem(spec);
    return made ? std::string("none") : made.error().message;
  };
  EXPECT_THAT(message("logistic:features=" + features.string() + ",theta=" + theta.string()),
              HasSubstr("theta must have 2 numbers, one a feature, got 3"));
  EXPECT_THAT(message("logistic:features=/nowhere.csv"), HasSubstr("/nowhere.csv"));
  EXPECT_THAT(message("logistic:d=3,features=" + features.string()), HasSubstr("d and arms"));
}

TEST(LogisticProblem, RefusesBadNumbers) {
  const Registry registry = Registry::built_in();
  for (const char* spec : {"logistic:d=1", "logistic:arms=0", "logistic:radius=0",
                           "logistic:radius=nan", "logistic:radius=-1", "logistic:d=1e9"})
    EXPECT_FALSE(registry.problem(spec).ok()) << spec;
}

GlmProblemOptions poisson(double radius = 1.5) {
  GlmProblemOptions options;
  options.mean = SphereMean::poisson;
  options.radius = radius;
  return options;
}

TEST(PoissonProblem, HasTheArmsOfTheLogisticOneAndMeansThatAreExpOfTheirScores) {
  const auto counts = GlmProblem::create(poisson()).value().draw(StreamKey(4)).value();
  const auto coins = GlmProblem::create({}).value().draw(StreamKey(4)).value();
  EXPECT_FALSE(counts->binary_rewards());
  for (ArmId arm = 0; arm < 100; ++arm) {
    EXPECT_EQ(counts->arms().at(arm, 0), coins->arms().at(arm, 0));
    const double odds = coins->means()[arm] / (1 - coins->means()[arm]);
    EXPECT_NEAR(counts->means()[arm], odds, 1e-12 * odds);
  }
}

TEST(PoissonProblem, PaysPoissonCountsOfTheMeanCutAtTheEndOfTheRange) {
  GlmProblemOptions options = poisson();
  options.dimension = 3;
  options.arms = 4;
  const auto instance = GlmProblem::create(options).value().draw(StreamKey(5)).value();
  const double largest = instance->reward_range().high;
  EXPECT_EQ(instance->reward_range().low, 0.0);
  constexpr int pulls = 40'000;
  for (ArmId arm = 0; arm < 4; ++arm) {
    std::vector<double> seen(static_cast<std::size_t>(largest) + 1);
    for (std::uint64_t t = 0; t < pulls; ++t)
      seen.at(static_cast<std::size_t>(instance->reward(t, arm))) += 1;
    const double mean = instance->means()[arm];
    double below = 0.0;
    for (std::size_t n = 0; n < seen.size(); ++n) {
      const auto count = static_cast<double>(n);
      const double p = n + 1 == seen.size()
                           ? 1 - below
                           : std::exp(count * std::log(mean) - mean - std::lgamma(count + 1));
      below += p;
      EXPECT_NEAR(seen[n] / pulls, p, 5 * std::sqrt(p / pulls) + 1e-12) << arm << ", " << n;
    }
  }
}

TEST(PoissonProblem, CutsAsLittleOfTheLargestMeanAsItsCapPromises) {
  for (const double mean : {0.1, 1.0, std::exp(1.5), 50.0, 500.0})
    for (const double share : {0.001, 0.01}) {
      const auto cut = [&](std::uint64_t cap) {  // E (N - cap)^+
        long double sum = 0;
        for (std::uint64_t n = cap + 1; n < cap + 1000; ++n)
          sum += static_cast<long double>(n - cap) *
                 std::exp(static_cast<long double>(n) * std::log(static_cast<long double>(mean)) -
                          mean - std::lgamma(static_cast<long double>(n) + 1));
        return static_cast<double>(sum);
      };
      const std::uint64_t cap = smallest_cap(mean, share);
      EXPECT_LE(cut(cap), share * mean * (1 + 1e-9)) << mean;
      EXPECT_GT(cut(cap - 1), share * mean * (1 - 1e-9)) << mean;
    }
  EXPECT_EQ(GlmProblem::create(poisson()).value().draw(StreamKey(6)).value()->reward_range().high,
            static_cast<double>(smallest_cap(std::exp(1.5), 0.001)));
}

TEST(PoissonProblem, OffersContextsWithTheSameRange) {
  GlmProblemOptions options = poisson();
  options.contexts = true;
  const auto instance = GlmProblem::create(options).value().draw(StreamKey(7)).value();
  const auto& contexts = dynamic_cast<const ContextInstance&>(*instance);
  ContextRound round;
  double most = 0.0;
  for (std::uint64_t t = 0; t < 200; ++t) {
    contexts.offer(t, round);
    for (ArmId k = 0; k < 100; ++k) {
      EXPECT_LE(std::abs(std::log(round.means[k])), 1.5 + 1e-9);
      most = std::max(most, contexts.reward(t, k, round.means[k]));
    }
  }
  EXPECT_LE(most, contexts.reward_range().high);
  EXPECT_GE(most, 6.0);
}

TEST(PoissonProblem, RefusesMeansAndCapsThatDoNotGoTogether) {
  EXPECT_THAT(GlmProblem::create(poisson(7.0)).error().message,
              HasSubstr("problem poisson: means must be at most 500"));
  GlmProblemOptions options = poisson();
  options.cap = 3;
  EXPECT_THAT(GlmProblem::create(options).error().message,
              HasSubstr("problem poisson: cap must be between 9"));
  options.cap = 20;
  EXPECT_EQ(GlmProblem::create(options).value().draw(StreamKey(1)).value()->reward_range().high,
            20.0);
  options.given_arms = Arms::from_rows({{3, 4, 1}, {1, 0, 0}}).value();  // 1.5 * 5 > log 500
  EXPECT_FALSE(GlmProblem::create(options).ok());
  options.given_theta = {0.1, 0.2, -1.0};  // 5 * 0.22 + 1
  EXPECT_TRUE(GlmProblem::create(options).ok());
}

}  // namespace
}  // namespace phe
