#include <algorithm>
#include <map>

#include "phe/simulate.hpp"
#include "spec/numbers.hpp"
#include "support/error.hpp"

namespace phe {

namespace {

constexpr std::uint64_t checkpoint_count = 100;

Result<void> check(const Experiment& e) {
  for (auto& checked : {check_count("rounds", rounds_range, e.rounds),
                        check_count("instances", instances_range, e.instances),
                        check_count("first instance", first_instance_range, e.first_instance)})
    if (!checked) return checked;
  if (e.problems.empty()) return invalid("no problem given; see: phe problems");
  if (e.policies.empty()) return invalid("no policy given; see: phe policies");
  return {};
}

// Looks up every text of a list; refuses two that ask for the same.
template <class Spec, class LookUp>
Result<std::vector<Spec>> looked_up(std::string_view kind, const std::vector<std::string>& texts,
                                    LookUp look_up) {
  std::vector<Spec> specs;
  std::map<std::string, std::string> seen;
  for (const auto& text : texts) {
    Result<Spec> spec = look_up(text);
    if (!spec) return spec.error();
    const auto [before, fresh] = seen.emplace(spec->parameters.canonical(), text);
    if (!fresh && before->second == text) return invalid("{} {} is given twice", kind, text);
    if (!fresh) return invalid("{} {} is given twice: {} is the same", kind, text, before->second);
    specs.push_back(std::move(spec).value());
  }
  return specs;
}

std::vector<std::uint64_t> spread_checkpoints(std::uint64_t rounds) {
  const std::uint64_t count = std::min(rounds, checkpoint_count);
  std::vector<std::uint64_t> checkpoints;
  for (std::uint64_t i = 1; i <= count; ++i) checkpoints.push_back(rounds * i / count);
  return checkpoints;
}

}  // namespace

Result<Plan> Plan::create(Experiment experiment, const Registry& registry,
                          const FileLocator& locate) {
  if (auto checked = check(experiment); !checked) return checked.error();
  auto problems = looked_up<ProblemSpec>("problem", experiment.problems, [&](const auto& text) {
    return registry.problem(text, locate);
  });
  if (!problems) return problems.error();
  auto policies = looked_up<PolicySpec>("policy", experiment.policies, [&](const auto& text) {
    return registry.policy(text, locate);
  });
  if (!policies) return policies.error();
  Plan plan;
  for (const ProblemSpec& spec : problems.value())
    if (const auto most = spec.problem->most_rounds(); experiment.rounds > most)
      return invalid("rounds must be at most {} on problem {}, which has no more; got {}", most,
                     spec.text, experiment.rounds);
  plan.problems_ = std::move(problems).value();
  plan.policies_ = std::move(policies).value();
  plan.checkpoints_ = spread_checkpoints(experiment.rounds);
  plan.experiment_ = std::move(experiment);
  return plan;
}

std::vector<InputFile> Plan::files() const {
  std::vector<InputFile> files;
  const auto append = [&](const auto& specs) {
    for (const auto& spec : specs)
      for (auto& file : spec.parameters.files()) files.push_back(std::move(file));
  };
  append(problems_);
  append(policies_);
  return files;
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
