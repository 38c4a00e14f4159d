// phe instances: the gaps of a problem's instances, which tell how hard each of them is.
#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "commands.hpp"
#include "output.hpp"
#include "spec/numbers.hpp"
#include <phe/registry.hpp>

namespace phe::app {

namespace {

constexpr const char* about = "List a problem's instances and the gaps between their arms";

constexpr const char* examples =
    R"(The gap of an arm is the best mean minus its own: the regret of one pull. The instances are those
that phe simulate has under the same problem and seed.

Example:
  phe instances --problem linear:d=5 --instances 3
  phe instances --problem linear:d=20 --instances 100 --csv > gaps.csv)";

// As typed. Numbers are text, so that a bad one is told in our own words.
struct InstancesFlags {
  std::string problem = "linear";
  std::string instances = "10";
  std::string first_instance = "0";
  std::string seed = "1";
  bool csv = false;
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

void print_header(const InstancesFlags& flags, const Problem& problem) {
  if (flags.csv) {
    fmt::print("instance,best_arm,best_mean,smallest_gap,mean_gap,largest_gap\n");
    return;
  }
  fmt::print("{}, {} arms, {} features, seed {}\n\n", flags.problem, problem.arms(),
             problem.dimension(), flags.seed);
  fmt::print("{:>8}  {:>8}  {:>9}  {:>12}  {:>8}  {:>11}\n", "instance", "best arm", "best mean",
             "smallest gap", "mean gap", "largest gap");
}

void print_row(std::uint64_t number, const Gaps& gaps, bool csv) {
  if (csv)
    fmt::print("{},{},{},{},{},{}\n", number, gaps.best_arm, gaps.best_mean, gaps.smallest,
               gaps.mean, gaps.largest);
  else
    fmt::print("{:>8}  {:>8}  {:>9.4f}  {:>12.6f}  {:>8.4f}  {:>11.4f}\n", number, gaps.best_arm,
               gaps.best_mean, gaps.smallest, gaps.mean, gaps.largest);
}

int print_instances(const InstancesFlags& flags) {
  const auto count = count_in("--instances", instances_range, flags.instances);
  if (!count) return bad_input(count.error().message);
  const auto first = count_in("--first-instance", first_instance_range, flags.first_instance);
  if (!first) return bad_input(first.error().message);
  const auto seed = count_in("--seed", seed_range, flags.seed);
  if (!seed) return bad_input(seed.error().message);
  const Registry registry = Registry::built_in();
  const auto spec = registry.problem(flags.problem);
  if (!spec) return bad_input(spec.error().message);

  for (std::uint64_t number = first.value(); number < first.value() + count.value(); ++number) {
    const auto instance = spec->problem->draw(spec->instance_key(seed.value(), number));
    if (!instance) return bad_input(instance.error().message);
    if (instance.value()->arms().empty())
      return bad_input("problem " + flags.problem + " has contexts: its gaps change in each round");
    if (number == first.value()) print_header(flags, *spec->problem);
    print_row(number, gaps_of(*instance.value()), flags.csv);
  }
  return exit_done;
}

}  // namespace

void add_instances_command(CLI::App& app, Command& chosen) {
  CLI::App* const command = app.add_subcommand("instances", about);
  const auto flags = std::make_shared<InstancesFlags>();
  command->add_option("--problem", flags->problem, "problem (linear); phe problems lists them")
      ->type_name("SPEC");
  command->add_option("--instances", flags->instances, "how many (10)")->type_name("N");
  command->add_option("--first-instance", flags->first_instance, "number of the first (0)")
      ->type_name("N");
  command->add_option("--seed", flags->seed, "seed of all randomness (1)")->type_name("N");
  command->add_flag("--csv", flags->csv, "print CSV, with all digits");
  command->footer(examples);
  command->callback([&chosen, flags] { chosen = [flags] { return print_instances(*flags); }; });
}

}  // namespace phe::app
