// phe instances: the gaps of a problem's instances, which tell how hard each of them is.
#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <string>

#include <fmt/format.h>

#include "commands.hpp"
#include "common_flags.hpp"
#include "output.hpp"
#include "record/experiment_json.hpp"
#include "support/error.hpp"
#include <phe/registry.hpp>

namespace phe::app {

namespace {

constexpr const char* about_instances =
    "List a problem's instances and the gaps between their arms";

constexpr const char* examples_of_instances =
    R"(The gap of an arm is the best mean minus its own: the regret of one pull. The instances are those
that phe simulate has under the same problem and seed.

Example:
  phe instances --problem linear:d=5 --instances 3
  phe instances --problem linear:d=20 --instances 100 --csv > gaps.csv)";

struct InstancesFlags {
  std::string problem = "linear";
  Typed instances;
  Typed first_instance;
  Typed seed;
  bool csv = false;
  bool json = false;
};

// Which instances of which problem.
struct Selection {
  ProblemSpec problem;
  std::uint64_t count = 10;
  std::uint64_t first = 0;
  std::uint64_t seed = 1;
};

struct Gaps {
  ArmId best_arm;
  double best_mean;
  double smallest;
  double mean;
  double largest;
};

Gaps gaps_of(const Instance& instance) {
  const auto means = instance.means();
  const auto [worst, best] = std::ranges::minmax_element(means);
  const auto arms = static_cast<double>(means.size());
  return {.best_arm = static_cast<ArmId>(best - means.begin()),
          .best_mean = *best,
          .smallest = instance.smallest_gap(),
          .mean = *best - std::accumulate(means.begin(), means.end(), 0.0) / arms,
          .largest = *best - *worst};
}

constexpr std::array<const char*, 6> columns = {"instance",     "best_arm", "best_mean",
                                                "smallest_gap", "mean_gap", "largest_gap"};

void print_header(const Selection& chosen) {
  const Problem& problem = *chosen.problem.problem;
  fmt::print("{}, {}, {}, seed {}\n\n", chosen.problem.text, counted(problem.arms(), "arm"),
             counted(problem.dimension(), "feature"), chosen.seed);
  fmt::print("{:>8}  {:>8}  {:>9}  {:>12}  {:>8}  {:>11}\n", "instance", "best arm", "best mean",
             "smallest gap", "mean gap", "largest gap");
}

void print_row(std::uint64_t number, const Gaps& gaps) {
  fmt::print("{:>8}  {:>8}  {:>9.4f}  {:>12.6f}  {:>8.4f}  {:>11.4f}\n", number, gaps.best_arm,
             gaps.best_mean, gaps.smallest, gaps.mean, gaps.largest);
}

void print_csv_row(std::uint64_t number, const Gaps& gaps) {
  fmt::print("{},{},{},{},{},{}\n", number, gaps.best_arm, gaps.best_mean, gaps.smallest, gaps.mean,
             gaps.largest);
}

Json row_json(std::uint64_t number, const Gaps& gaps) {
  return {{columns[0], number},        {columns[1], gaps.best_arm}, {columns[2], gaps.best_mean},
          {columns[3], gaps.smallest}, {columns[4], gaps.mean},     {columns[5], gaps.largest}};
}

Json selection_json(const Selection& chosen) {
  return {{"problem", chosen.problem.text},
          {"d", chosen.problem.problem->dimension()},
          {"arms", chosen.problem.problem->arms()},
          {"seed", chosen.seed},
          {"instances", Json::array()}};
}

// Calls `each` with the number and the gaps of every chosen instance.
template <class Each>
Result<void> for_each_instance(const Selection& chosen, Each each) {
  for (std::uint64_t i = chosen.first; i < chosen.first + chosen.count; ++i) {
    const auto drawn = chosen.problem.instance(chosen.seed, i);
    if (!drawn) return drawn.error();
    each(i, gaps_of(*drawn.value()));
  }
  return {};
}

Result<Selection> selected(const InstancesFlags& flags, const Registry& registry) {
  auto problem = registry.problem(flags.problem);
  if (!problem) return problem.error();
  Selection chosen{.problem = std::move(problem).value()};
  for (auto& done :
       {read_count("--instances", instances_range, flags.instances, chosen.count),
        read_count("--first-instance", first_instance_range, flags.first_instance, chosen.first),
        read_count("--seed", seed_range, flags.seed, chosen.seed)})
    if (!done) return done.error();
  const auto first = chosen.problem.instance(chosen.seed, chosen.first);
  if (!first) return first.error();
  if (first.value()->arms().empty())
    return invalid("problem {} has contexts: its gaps change in each round", flags.problem);
  return chosen;
}

Result<void> print(const Selection& chosen, const InstancesFlags& flags) {
  if (flags.json) {
    Json json = selection_json(chosen);
    auto done = for_each_instance(chosen, [&](std::uint64_t number, const Gaps& gaps) {
      json["instances"].push_back(row_json(number, gaps));
    });
    if (done) fmt::print("{}\n", dumped(json, 2));
    return done;
  }
  if (flags.csv)
    fmt::print("{}\n", fmt::join(columns, ","));
  else
    print_header(chosen);
  return for_each_instance(chosen, flags.csv ? print_csv_row : print_row);
}

int print_instances(const InstancesFlags& flags) {
  if (flags.csv && flags.json) return bad_input("give either --csv or --json, not both");
  const Registry registry = Registry::built_in();
  const auto chosen = selected(flags, registry);
  if (!chosen) return bad_input(chosen.error().message);
  const auto printed = print(chosen.value(), flags);
  return printed ? exit_done : bad_input(printed.error().message);
}

}  // namespace

void add_instances_command(CLI::App& app, Command& chosen) {
  CLI::App* const command = app.add_subcommand("instances", about_instances);
  const auto flags = std::make_shared<InstancesFlags>();
  command->add_option("--problem", flags->problem, "problem (linear); phe problems lists them")
      ->type_name("SPEC");
  command->add_option("--instances", flags->instances, "how many (10)")->type_name("N");
  command->add_option("--first-instance", flags->first_instance, "number of the first (0)")
      ->type_name("N");
  add_seed(*command, flags->seed);
  command->add_flag("--csv", flags->csv, "print CSV, with all digits");
  command->add_flag("--json", flags->json, "print JSON, with all digits");
  command->footer(examples_of_instances);
  command->callback([&chosen, flags] { chosen = [flags] { return print_instances(*flags); }; });
}

}  // namespace phe::app
