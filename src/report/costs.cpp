#include "report/costs.hpp"

#include <memory>

#include <sys/resource.h>

namespace phe {

namespace {

// Pulls the arms in turn.
class IdlePolicy final : public Policy {
 public:
  explicit IdlePolicy(std::size_t arms) : arms_(static_cast<ArmId>(arms)) {}

  ArmId select(Rng&) override { return next_ = next_ + 1 < arms_ ? next_ + 1 : 0; }
  Result<void> update(ArmId, double) override { return {}; }
  [[nodiscard]] std::string_view name() const noexcept override { return "idle"; }

 private:
  ArmId arms_;
  ArmId next_ = 0;
};

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

double cpu_seconds() noexcept {
  double seconds = 0.0;
  for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    ::getrusage(who, &usage);
    seconds += seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  }
  return seconds;
}

Result<double> round_overhead_seconds(const Plan& plan) {
  constexpr std::uint64_t runs_a_problem = 5;
  Registry registry = Registry::built_in();
  registry.add(
      PolicyEntry{"idle",
                  "does nothing",
                  {},
                  [](Parameters&, const PolicyContext& context) -> Result<std::unique_ptr<Policy>> {
                    return std::make_unique<IdlePolicy>(context.arms.size());
                  }});
  Experiment experiment = plan.experiment();
  experiment.policies = {"idle"};
  experiment.instances = runs_a_problem;
  const auto idle = Plan::create(experiment, registry);
  if (!idle) return idle.error();
  double seconds = 0.0;
  double rounds = 0.0;
  for (const RunId& id : idle->runs()) {
    const auto run = idle->run(id);
    if (!run) return run.error();
    seconds += run->seconds;
    rounds += static_cast<double>(experiment.rounds);
  }
  return seconds / rounds;
}

}  // namespace phe
