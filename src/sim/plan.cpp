#include <algorithm>
#include <map>

#include "phe/simulate.hpp"
#include "sim/checkpoints.hpp"
#include "spec/grid.hpp"
#include "spec/nearest.hpp"
#include "spec/numbers.hpp"
#include "support/error.hpp"

namespace phe {

namespace {

const std::vector<std::string> known_columns = {"reward", "best_pulls"};

Result<void> check_columns(const std::vector<std::string>& columns) {
  for (auto column = columns.begin(); column != columns.end(); ++column) {
    if (std::ranges::find(known_columns, *column) == known_columns.end())
      return invalid("no column is called '{}'{} (columns: {})", *column,
                     suggestion(*column, known_columns), fmt::join(known_columns, ", "));
    if (std::find(columns.begin(), column, *column) != column)
      return invalid("column {} is given twice", *column);
  }
  return {};
}

Result<void> check(const Experiment& e) {
  for (auto& checked : {check_count("rounds", rounds_range, e.rounds),
                        check_count("instances", instances_range, e.instances),
                        check_count("first instance", first_instance_range, e.first_instance)})
    if (!checked) return checked;
  if (e.problems.empty()) return invalid("no problem given; see: phe problems");
  if (e.policies.empty()) return invalid("no policy given; see: phe policies");
  return check_columns(e.columns);
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

// Writes out the grids.
Result<void> expand(Experiment& experiment) {
  auto problems = expand_grids("problem", experiment.problems);
  if (!problems) return problems.error();
  auto policies = expand_grids("policy", experiment.policies);
  if (!policies) return policies.error();
  experiment.problems = std::move(problems).value();
  experiment.policies = std::move(policies).value();
  return {};
}

}  // namespace

Result<Plan> Plan::create(Experiment experiment, const Registry& registry,
                          const FileLocator& locate) {
  if (auto checked = check(experiment); !checked) return checked.error();
  if (auto expanded = expand(experiment); !expanded) return expanded.error();
  auto checkpoints = checkpoints_of(experiment.checkpoints, experiment.rounds);
  if (!checkpoints) return checkpoints.error();
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
  plan.checkpoints_ = std::move(checkpoints).value();
  plan.experiment_ = std::move(experiment);
  return plan;
}

bool Plan::has_column(std::string_view name) const noexcept {
  return std::ranges::find(experiment_.columns, name) != experiment_.columns.end();
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
