#include "report/claims.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "report/embedded.hpp"
#include "spec/spec_file.hpp"

namespace phe {
namespace {

Plan paper_plan(std::string_view toml, std::uint64_t instances, const Registry& registry) {
  Experiment experiment = parse_spec_file(toml, "toml").value().experiment;
  experiment.instances = instances;
  return Plan::create(experiment, registry).value();
}

// Runs whose final regrets and times are what `value` gives them, up to a little noise.
template <class Value>
Runs invented_runs(const Plan& plan, Value value) {
  Runs runs;
  for (const RunId& id : plan.runs()) {
    const std::string& policy = plan.policies()[id.policy].text;
    const std::size_t d = plan.problems()[id.problem].problem->dimension();
    const double noise = 0.01 * static_cast<double>(id.instance % 3 + id.policy % 2);
    const double regret = value(policy, d) + noise;
    runs[id] = {id, std::vector<double>(plan.checkpoints().size(), regret), 1e-3 * (1 + noise)};
  }
  return runs;
}

class Claims : public testing::Test {
 protected:
  // The verdicts on the linear claims by number and dimension.
  template <class Value>
  std::map<std::pair<std::string, std::size_t>, Verdict> linear_verdicts(Value value) const {
    const Plan plan = paper_plan(embedded::linear_toml, 9, registry_);
    std::map<std::pair<std::string, std::size_t>, Verdict> verdicts;
    for (const auto& outcome :
         judge_claims(paper_claims(), "linear", plan, invented_runs(plan, value)))
      verdicts[{outcome.claim.number, outcome.claim.dimension}] = outcome.verdict;
    return verdicts;
  }

  Registry registry_ = Registry::built_in();
};

double as_in_the_paper(const std::string& policy, std::size_t d) {
  if (policy == "linphe:a=2") return d == 20 ? 30 : 20;
  if (policy == "linphe:a=1") return 11;
  if (policy == "linphe:a=0.5") return 8;
  if (policy == "lints") return 10;
  if (policy == "linucb") return 100;
  return 25;  // lineps
}

TEST_F(Claims, EachIsMadeForEveryDimension) {
  std::map<std::string, std::set<std::size_t>> dimensions;
  for (const Claim& claim : paper_claims()) dimensions[claim.number].insert(claim.dimension);
  EXPECT_EQ(dimensions.size(), 7U);
  for (const auto& [number, ds] : dimensions)
    EXPECT_EQ(ds, (std::set<std::size_t>{5, 10, 20})) << number;
}

TEST_F(Claims, AreAllJudgedByThePapersExperiments) {
  const auto claims = paper_claims();
  for (const auto& [name, toml] : {std::pair("linear", embedded::linear_toml),
                                   std::pair("logistic", embedded::logistic_toml)}) {
    const Plan plan = paper_plan(toml, 2, registry_);
    const Runs runs = invented_runs(plan, [](const auto&, auto) { return 1.0; });
    const auto about = std::ranges::count(claims, name, &Claim::experiment);
    EXPECT_EQ(std::ssize(judge_claims(claims, name, plan, runs)), about) << name;
  }
}

TEST_F(Claims, AboutRegretHoldOnThePapersOrdering) {
  for (const auto& [claim, verdict] : linear_verdicts(as_in_the_paper))
    EXPECT_EQ(verdict, claim.first == "4" ? Verdict::does_not_hold : Verdict::holds)
        << claim.first << " at d = " << claim.second;
}

TEST_F(Claims, OneScaleThatFailsIsEnough) {
  const auto verdicts = linear_verdicts([](const std::string& policy, std::size_t d) {
    return policy == "linphe:a=2" && d == 10 ? 200.0 : as_in_the_paper(policy, d);
  });
  EXPECT_EQ(verdicts.at({"1", 10}), Verdict::does_not_hold);
  EXPECT_EQ(verdicts.at({"1", 5}), Verdict::holds);
}

TEST_F(Claims, OnlyAtSmallScalesFailsWhenALargeOneWinsToo) {
  const auto verdicts = linear_verdicts([](const std::string& policy, std::size_t d) {
    return policy == "linphe:a=2" ? 20.0 : as_in_the_paper(policy, d);
  });
  EXPECT_EQ(verdicts.at({"2", 20}), Verdict::does_not_hold);
  EXPECT_EQ(verdicts.at({"2", 10}), Verdict::holds);
}

TEST_F(Claims, OfPoliciesThatWereNotRunAreLeftOut) {
  Experiment experiment{.problems = {"linear:d=5"}, .policies = {"linphe:a=1"}, .instances = 2};
  const Plan plan = Plan::create(experiment, registry_).value();
  const Runs runs = invented_runs(plan, [](const auto&, auto) { return 1.0; });
  EXPECT_TRUE(judge_claims(paper_claims(), "linear", plan, runs).empty());
}

}  // namespace
}  // namespace phe
