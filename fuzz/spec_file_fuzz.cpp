// Experiment files: any bytes give an experiment or a message. What can be read is planned, written
// to JSON and back, and its policies are made.
#include <algorithm>

#include "phe/simulate.hpp"
#include "record/experiment_json.hpp"
#include "small.hpp"
#include "spec/check_policies.hpp"
#include "spec/spec_file.hpp"
#include "target.hpp"

namespace phe::fuzz {

namespace {

bool small_plan(const Plan& plan) {
  return plan.problems().size() * plan.policies().size() <= 16 &&
         std::ranges::all_of(plan.problems(), [](const auto& p) { return small(*p.problem); }) &&
         std::ranges::all_of(plan.policies(), [](const auto& p) { return small(p); });
}

}  // namespace

void check(std::string_view input) {
  static const Registry registry = Registry::built_in();
  if (input.find('/') != std::string_view::npos) return;  // names no file outside
  const auto file = parse_spec_file(input, "fuzz.toml");
  if (!file) {
    demand_one_line(file.error().message);
    return demand(file.error().message.starts_with("fuzz.toml"), "an error names the file");
  }
  const Json json = to_json(file->experiment);
  const auto again = experiment_from_json(Json::parse(dumped(json)));
  demand(again && to_json(*again) == json, "an experiment survives JSON");

  const auto plan = Plan::create(file->experiment, registry);
  if (!plan) return demand_one_line(plan.error().message);
  demand(plan->checkpoints().back() == file->experiment.rounds, "the last round is a checkpoint");
  if (!small_plan(plan.value())) return;
  if (const auto checked = check_policies(plan.value()); !checked)
    demand_one_line(checked.error().message);
}

}  // namespace phe::fuzz
