#include <algorithm>
#include <set>

#include "phe/simulate.hpp"
#include "support/error.hpp"

namespace phe {

namespace {

constexpr std::uint64_t most_rounds = 1'000'000'000;
constexpr std::uint64_t most_instances = 1'000'000;
constexpr std::uint64_t checkpoint_count = 100;

Result<void> check_counts(const Experiment& e) {
  if (e.rounds < 1 || e.rounds > most_rounds)
    return invalid("rounds must be between 1 and {}, got {}", most_rounds, e.rounds);
  if (e.instances < 1 || e.instances > most_instances)
    return invalid("instances must be between 1 and {}, got {}", most_instances, e.instances);
  if (e.first_instance > most_instances)
    return invalid("first instance must be between 0 and {}, got {}", most_instances,
                   e.first_instance);
  if (e.problems.empty()) return invalid("no problem given; see: phe problems");
  if (e.policies.empty()) return invalid("no policy given; see: phe policies");
  return {};
}

std::vector<std::uint64_t> spread_checkpoints(std::uint64_t rounds) {
  const std::uint64_t count = std::min(rounds, checkpoint_count);
  std::vector<std::uint64_t> checkpoints;
  for (std::uint64_t i = 1; i <= count; ++i) checkpoints.push_back(rounds * i / count);
  return checkpoints;
}

}  // namespace

Result<Plan> Plan::create(Experiment experiment, const Registry& registry) {
  if (auto counts = check_counts(experiment); !counts) return counts.error();
  Plan plan;
  std::set<std::string> seen;
  for (const auto& text : experiment.problems) {
    auto spec = registry.problem(text);
    if (!spec) return spec.error();
    if (!seen.insert(spec->parameters.canonical()).second)
      return invalid("problem {} is given twice", text);
    if (const auto most = spec->problem->most_rounds(); experiment.rounds > most)
      return invalid("rounds must be at most {} on problem {}, which has no more; got {}", most,
                     text, experiment.rounds);
    plan.problems_.push_back(std::move(spec).value());
  }
  seen.clear();
  for (const auto& text : experiment.policies) {
    auto spec = registry.policy(text);
    if (!spec) return spec.error();
    if (!seen.insert(spec->parameters.canonical()).second)
      return invalid("policy {} is given twice", text);
    plan.policies_.push_back(std::move(spec).value());
  }
  plan.checkpoints_ = spread_checkpoints(experiment.rounds);
  plan.experiment_ = std::move(experiment);
  return plan;
}

std::vector<RunId> Plan::runs() const {
  std::vector<RunId> runs;
  for (std::size_t problem = 0; problem < problems_.size(); ++problem)
    for (std::size_t policy = 0; policy < policies_.size(); ++policy)
      for (std::uint64_t i = 0; i < experiment_.instances; ++i)
        runs.push_back({problem, policy, experiment_.first_instance + i});
  return runs;
}

}  // namespace phe
