// phe compare: paired differences between the policies of a finished experiment.
#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "commands.hpp"
#include "compare_report.hpp"
#include "output.hpp"
#include "report/results.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace phe::app {

namespace {

constexpr const char* about_compare =
    "Test which policies of a results folder differ in regret, by paired differences";

constexpr const char* examples_of_compare =
    R"(All policies face the same instances, so the difference of two is taken instance by instance. Intervals
are corrected for their number (Bonferroni): all of them hold together with the given confidence.

Examples:
  phe compare out/demo
  phe compare out/linear --against lints --confidence 0.99
  phe compare out/linear --policy linphe:a=1 --policy linphe:a=0.5 --json)";

struct CompareFlags {
  std::string folder;
  std::vector<std::string> policies;
  std::optional<std::string> against;
  std::string confidence = "0.95";
  bool json = false;
};

Result<double> confidence_from(const std::string& text) {
  const auto value = parse_number<double>(text);
  if (value && *value >= 0.5 && *value <= 0.9999) return *value;
  return invalid("--confidence must be a number from 0.5 to 0.9999, got '{}'", text);
}

// Those that were asked for, in the order of the plan; all when none was.
Result<std::vector<std::size_t>> chosen_policies(const CompareFlags& flags, const Results& results,
                                                 const Registry& registry) {
  std::vector<std::size_t> chosen;
  for (const std::string& spec : flags.policies) {
    const auto at = position_of(spec, results.plan.policies(), registry);
    if (!at) return at.error();
    chosen.push_back(at.value());
  }
  if (chosen.empty()) {
    chosen.resize(results.plan.policies().size());
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  }
  std::ranges::sort(chosen);
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

Result<std::vector<PolicyPair>> pairs_of(const CompareFlags& flags, const Results& results,
                                         const Registry& registry) {
  const auto chosen = chosen_policies(flags, results, registry);
  if (!chosen) return chosen.error();
  std::vector<PolicyPair> pairs = all_pairs(chosen.value());
  if (flags.against) {
    const auto other = position_of(*flags.against, results.plan.policies(), registry);
    if (!other) return other.error();
    pairs = pairs_with(chosen.value(), other.value());
  }
  if (pairs.empty()) return invalid("there must be two policies to compare, got one");
  return pairs;
}

int run_compare(const CompareFlags& flags) {
  if (flags.folder.empty())
    return bad_input("compare needs a results folder (see phe compare --help)");
  const auto confidence = confidence_from(flags.confidence);
  if (!confidence) return bad_input(confidence.error().message);
  const Registry registry = Registry::built_in();
  const auto results = read_results(flags.folder, registry);
  if (!results) return bad_input(results.error().message);
  if (results->plan.experiment().instances < 2)
    return bad_input(fmt::format("{} has 1 instance; differences need at least 2", flags.folder));
  const auto pairs = pairs_of(flags, results.value(), registry);
  if (!pairs) return bad_input(pairs.error().message);
  const auto differences =
      paired_differences(results->plan, results->runs, pairs.value(), confidence.value());
  fmt::print("{}", (flags.json ? compare_json : compare_text)(results->plan, differences,
                                                              confidence.value()));
  return exit_done;
}

}  // namespace

void add_compare_command(CLI::App& app, Command& chosen) {
  CLI::App* const command = app.add_subcommand("compare", about_compare);
  const auto flags = std::make_shared<CompareFlags>();
  command->add_option("folder", flags->folder, "results folder, finished")->type_name("DIR");
  command->add_option("--policy", flags->policies, "policy to compare; may be repeated (all)")
      ->type_name("SPEC")
      ->allow_extra_args(false);
  command->add_option("--against", flags->against, "compare with this policy alone (every two)")
      ->type_name("SPEC")
      ->take_last();
  command
      ->add_option("--confidence", flags->confidence,
                   "confidence with which all intervals hold together (0.95)")
      ->type_name("P")
      ->take_last();
  command->add_flag("--json", flags->json, "print JSON instead of the table");
  command->footer(examples_of_compare);
  command->callback([&chosen, flags] { chosen = [flags] { return run_compare(*flags); }; });
}

}  // namespace phe::app
