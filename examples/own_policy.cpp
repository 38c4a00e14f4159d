// A policy of your own in the simulator, next to the built-in ones.
#include <cstdio>

#include <phe/simulate.hpp>

// Pulls arms in turn for the first rounds, then for ever the one that paid best.
class ExploreThenCommit final : public phe::Policy {
 public:
  ExploreThenCommit(std::size_t arms, std::uint64_t turns) : sums_(arms), left_(turns * arms) {}

  // Must be an arm that exists.
  phe::ArmId select(phe::Rng&) override {
    return left_ > 0 ? phe::ArmId(left_ % sums_.size()) : best_;
  }
  phe::Result<void> update(phe::ArmId arm, double reward) override {
    sums_[arm] += reward;
    if (left_ > 0 && --left_ == 0)
      for (phe::ArmId k = 0; k < sums_.size(); ++k) best_ = sums_[k] > sums_[best_] ? k : best_;
    return {};
  }
  std::string_view name() const noexcept override { return "commit"; }

 private:
  std::vector<double> sums_;
  std::uint64_t left_;
  phe::ArmId best_ = 0;
};

int main(int argc, char** argv) {
  phe::Registry registry = phe::Registry::built_in();
  registry.add({"commit",
                "explore, then commit",
                {{"turns", "10", "pulls of each arm first"}},
                [](phe::Parameters& p,
                   const phe::PolicyContext& context) -> phe::Result<std::unique_ptr<phe::Policy>> {
                  const std::uint64_t turns = p.count("turns");
                  if (!p.error()) return p.error().error();  // what was given is no count
                  if (context.arms.empty()) return phe::Error{"commit: it needs fixed arms"};
                  return std::make_unique<ExploreThenCommit>(context.arms.size(), turns);
                }});
  const std::string commit = argc > 1 ? argv[1] : "commit:turns=50";
  const phe::Experiment experiment{{"mab:arms=10"}, {commit, "phe", "uniform"}, 5000, 20};
  const auto plan = phe::Plan::create(experiment, registry);
  if (!plan) return std::fprintf(stderr, "%s\n", plan.error().message.c_str()), 1;
  std::vector<double> regret(experiment.policies.size());
  for (const auto& id : plan->runs()) {
    const auto run = plan->run(id);  // none when a policy cannot be made, with turns=abc say
    if (!run) return std::fprintf(stderr, "%s\n", run.error().message.c_str()), 1;
    regret[id.policy] += run->regret.back() / 20;
  }
  for (std::size_t i = 0; i < regret.size(); ++i)
    std::printf("%-16s mean pseudo-regret %.1f\n", experiment.policies[i].c_str(), regret[i]);
}
