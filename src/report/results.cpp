#include "report/results.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "support/error.hpp"

namespace phe {

namespace fs = std::filesystem;

Result<Results> read_results(const fs::path& folder, const Registry& registry) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored))
    return invalid("{}: there is no such folder", folder.string());
  if (!fs::exists(folder / "runs.log", ignored))
    return invalid("{} is no results folder: it has no runs.log", folder.string());
  auto journal = read_journal(folder / "runs.log");
  if (!journal) return journal.error();
  auto plan = Plan::create(journal->header.experiment, registry);
  if (!plan) return invalid("{}: {}", folder.string(), plan.error().message);
  const auto& runs = journal->runs;
  const auto ids = plan->runs();
  const auto done = std::ranges::count_if(ids, [&](const RunId& id) { return runs.contains(id); });
  if (done != std::ssize(ids))
    return invalid("{} has {} of {} runs; finish it first, with the command that began it",
                   folder.string(), done, ids.size());
  return Results{folder, std::move(plan).value(), std::move(journal->runs)};
}

Result<std::size_t> position_of(const std::string& spec, const std::vector<PolicySpec>& policies,
                                const Registry& registry) {
  const auto asked = registry.policy(spec);
  if (!asked) return asked.error();
  const std::string canonical = asked->parameters.canonical();
  std::vector<std::string> names;
  for (std::size_t i = 0; i < policies.size(); ++i) {
    if (policies[i].parameters.canonical() == canonical) return i;
    names.push_back(policies[i].text);
  }
  return invalid("policy {} is not among the results (policies: {})", spec, fmt::join(names, ", "));
}

}  // namespace phe
