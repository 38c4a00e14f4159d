#include "problems/logistic.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"
#include "support/text.hpp"

namespace phe {
namespace {

using ::testing::HasSubstr;

TEST(LogisticProblem, DrawsInstancesAsThePaperDoes) {
  LogisticOptions options;
  options.dimension = 6;
  options.arms = 50;
  const auto problem = LogisticProblem::create(options).value();
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
  LogisticOptions options;
  options.dimension = 4;
  const auto problem = LogisticProblem::create(options).value();
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
  const auto instance = LogisticProblem::create({}).value().draw(StreamKey(3)).value();
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
  const auto problem = LogisticProblem::create({}).value();
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

}  // namespace
}  // namespace phe
