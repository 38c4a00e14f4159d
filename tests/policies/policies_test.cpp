// What every policy of the registry promises, whatever its method.
#include <cctype>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "phe/simulate.hpp"
#include "support/allocations.hpp"
#include "support/simd.hpp"

namespace phe::test {
namespace {

// Every name, and every choice that changes what a policy does.
const std::vector<std::string> specs = {"linphe",
                                        "linphe:a=2",
                                        "linphe:gram=authors",
                                        "linphe:centred",
                                        "linphe:schedule=linear",
                                        "linucb",
                                        "linucb:radius=theorem",
                                        "linucb:width=1",
                                        "lints",
                                        "lints:inflated",
                                        "lineps",
                                        "lineps:schedule=paper",
                                        "lineps:schedule=constant",
                                        "lineps:basis",
                                        "linfpl",
                                        "linens",
                                        "linens:noise=bernoulli",
                                        "lingiro",
                                        "lingiro:resample=arms",
                                        "greedy",
                                        "greedy:basis=false",
                                        "uniform",
                                        "phe",
                                        "phe:pseudo=gaussian",
                                        "giro",
                                        "ucb1",
                                        "klucb",
                                        "betats",
                                        "rffphe:features=40",
                                        "rffphe:features=40,linear"};

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name;
  for (const char c : info.param)
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

const Registry& registry() {
  static const Registry built_in = Registry::built_in();
  return built_in;
}

struct Bandit {
  std::unique_ptr<const Instance> instance;
  std::unique_ptr<Policy> policy;
};

Bandit make(const std::string& spec, const std::string& problem, std::uint64_t rounds,
            std::uint64_t seed = 1) {
  Bandit bandit;
  bandit.instance = registry().problem(problem).value().problem->draw(StreamKey(seed)).value();
  const PolicyContext context{bandit.instance->arms(), rounds, bandit.instance->reward_range()};
  bandit.policy = registry().policy(spec).value().make(context).value();
  return bandit;
}

std::vector<ArmId> play(const std::string& spec, std::uint64_t rounds, std::uint64_t seed = 1) {
  const Bandit bandit = make(spec, "linear:d=5,arms=30", rounds);
  Rng rng(seed);
  std::vector<ArmId> pulled;
  for (std::uint64_t t = 0; t < rounds; ++t) {
    pulled.push_back(bandit.policy->select(rng));
    EXPECT_TRUE(
        bandit.policy->update(pulled.back(), bandit.instance->reward(t, pulled.back())).ok());
  }
  return pulled;
}

class EveryPolicy : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Specs, EveryPolicy, testing::ValuesIn(specs), test_name);

TEST_P(EveryPolicy, PullsTheSameArmsForTheSameSeed) {
  EXPECT_EQ(play(GetParam(), 500), play(GetParam(), 500));
}

TEST_P(EveryPolicy, PullsTheSameArmsOnEverySimdTarget) {
  const auto expected = play(GetParam(), 500);
  on_every_target([&] { EXPECT_EQ(play(GetParam(), 500), expected); });
}

TEST_P(EveryPolicy, DoesNotAllocateInARound) {
  const Bandit bandit = make(GetParam(), "linear:d=5,arms=30", 6'000);
  Rng rng(1);
  // 6,000 rounds pass every periodic clean-up that a model has.
  static_cast<void>(bandit.policy->select(rng));
  const std::size_t before = allocations();
  for (std::uint64_t t = 0; t < 6'000; ++t) {
    const ArmId arm = bandit.policy->select(rng);
    EXPECT_TRUE(bandit.policy->update(arm, bandit.instance->reward(t, arm)).ok());
  }
  EXPECT_EQ(allocations(), before);
}

TEST_P(EveryPolicy, SaysItsNameAndExplainsEachOfItsKeys) {
  const std::string name = GetParam().substr(0, GetParam().find(':'));
  EXPECT_EQ(make(GetParam(), "linear:d=3,arms=5", 10).policy->name(), name);
  for (const auto& entry : registry().policies()) {
    if (entry->name != name) continue;
    EXPECT_FALSE(entry->summary.empty());
    for (const auto& key : entry->parameters) EXPECT_FALSE(key.meaning.empty()) << key.key;
  }
}

// Regret after the first and the second half of 4,000 rounds, the mean over 10 instances.
struct Halves {
  double first = 0;
  double second = 0;
};

Halves regret_of(const std::string& spec, const std::string& problem) {
  Experiment experiment;
  experiment.problems = {problem};
  experiment.policies = {spec};
  experiment.rounds = 4'000;
  experiment.instances = 10;
  const Plan plan = Plan::create(experiment, registry()).value();
  Halves mean;
  for (const RunId& id : plan.runs()) {
    const RunResult run = plan.run(id).value();
    mean.first += run.regret[run.regret.size() / 2 - 1] / 10;
    mean.second += (run.regret.back() - run.regret[run.regret.size() / 2 - 1]) / 10;
  }
  return mean;
}

TEST_P(EveryPolicy, LearnsSoThatRegretGrowsEverSlower) {
  // Not learning is the point of uniform; greedy stays with what it met first.
  if (GetParam() == "uniform" || GetParam().starts_with("greedy")) return;
  const std::string problem = "linear:d=3,arms=12";
  const Halves uniform = regret_of("uniform", problem);
  const Halves own = regret_of(GetParam(), problem);
  // A constant share of random pulls costs the same in every round.
  if (GetParam() != "lineps:schedule=constant") {
    EXPECT_LT(own.second, 0.8 * own.first);
  }
  // The most cautious (inflated) ones reach half of what not learning costs, the others far less.
  EXPECT_LT(own.second, 0.5 * uniform.second);
}

TEST(Policies, TheListOfTestedSpecsNamesEveryPolicyOfTheLinearFamily) {
  std::map<std::string, int> tested;
  for (const auto& spec : specs) ++tested[spec.substr(0, spec.find(':'))];
  for (const auto& entry : registry().policies())
    // xgbphe need not have been built: tests/xgboost.
    if (!entry->name.starts_with("log") && !entry->name.starts_with("pois") &&
        entry->name.find("glm") == std::string::npos && entry->name != "xgbphe") {
      EXPECT_GT(tested[entry->name], 0) << entry->name;
    }
}

class EveryKey : public testing::TestWithParam<std::pair<std::string, std::string>> {};
INSTANTIATE_TEST_SUITE_P(
    Pairs, EveryKey,
    testing::Values(
        std::pair{"linphe:a=1", "linphe:a=2"}, std::pair{"linphe", "linphe:ridge=0.1"},
        std::pair{"linphe", "linphe:schedule=linear"}, std::pair{"linucb", "linucb:radius=theorem"},
        std::pair{"linucb", "linucb:S=1"}, std::pair{"linucb", "linucb:R=0.1"},
        std::pair{"linucb", "linucb:delta=0.1"}, std::pair{"linucb", "linucb:ridge=0.1"},
        std::pair{"linucb", "linucb:sigma=1"}, std::pair{"linucb", "linucb:width=1"},
        std::pair{"lints", "lints:sigma=1"}, std::pair{"lints", "lints:ridge=0.1"},
        std::pair{"lints", "lints:inflated"}, std::pair{"lints:inflated", "lints:inflated,R=0.1"},
        std::pair{"lints:inflated", "lints:inflated,delta=0.5"},
        std::pair{"lineps", "lineps:epsilon=0.5"}, std::pair{"lineps", "lineps:schedule=paper"},
        std::pair{"lineps", "lineps:schedule=constant"}, std::pair{"lineps", "lineps:ridge=0.1"},
        std::pair{"lineps", "lineps:basis"}, std::pair{"linfpl", "linfpl:a=1"},
        std::pair{"linfpl", "linfpl:ridge=0.1"}, std::pair{"linens", "linens:M=5"},
        std::pair{"linens", "linens:sigma=1"}, std::pair{"linens", "linens:ridge=0.1"},
        std::pair{"linens", "linens:noise=bernoulli"},
        std::pair{"linens:noise=bernoulli", "linens:noise=bernoulli,a=2"},
        std::pair{"lingiro", "lingiro:a=2"}, std::pair{"lingiro", "lingiro:ridge=0.1"},
        std::pair{"lingiro", "lingiro:resample=arms"}, std::pair{"greedy", "greedy:basis=false"},
        std::pair{"greedy", "greedy:ridge=0.01"}, std::pair{"phe", "phe:a=2"},
        std::pair{"phe", "phe:pseudo=gaussian"}, std::pair{"giro", "giro:a=0.5"},
        std::pair{"ucb1", "ucb1:width=0.5"}, std::pair{"klucb", "klucb:c=3"},
        std::pair{"betats", "betats:alpha=5"}, std::pair{"betats", "betats:beta=5"},
        std::pair{"rffphe:features=40", "rffphe:features=41"},
        std::pair{"rffphe:features=40", "rffphe:features=40,scale=0.5"},
        std::pair{"rffphe:features=40", "rffphe:features=40,linear"},
        std::pair{"rffphe:features=40", "rffphe:features=40,draw=2"},
        std::pair{"rffphe:features=40", "rffphe:features=40,a=2"},
        std::pair{"rffphe:features=40", "rffphe:features=40,ridge=0.05"}));

TEST_P(EveryKey, ChangesWhichArmsArePulled) {
  const auto& [one, other] = GetParam();
  EXPECT_NE(play(one, 2'000), play(other, 2'000)) << one << " and " << other;
}

}  // namespace
}  // namespace phe::test
