#include "record/merge.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "phe/draw_revision.hpp"
#include "record/experiment_json.hpp"
#include "record/inputs.hpp"
#include "record/renumber.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace phe {

namespace fs = std::filesystem;

namespace {

struct Part {
  fs::path folder;
  JournalContents journal;
};

Result<Part> read_part(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored))
    return invalid("{}: there is no such folder", folder.string());
  auto journal = read_journal(folder / "runs.log");
  if (!journal) return journal.error();
  Part part{folder, std::move(journal).value()};
  if (part.journal.header.draws != draw_revision)
    return invalid("{} has draws of revision {} (phe {}), this phe's are of revision {}",
                   folder.string(), part.journal.header.draws, part.journal.header.version,
                   draw_revision);
  return part;
}

bool same_result(const RunResult& a, const RunResult& b) {
  return a.regret == b.regret && a.reward == b.reward && a.best_pulls == b.best_pulls;
}

// Adds the part's runs to those of the parts before it.
Result<void> join(const Part& part, Merged& merged) {
  for (auto& [id, run] : renumbered(part.journal.runs, part.journal.header, merged.header)) {
    const auto [there, fresh] = merged.runs.emplace(id, run);
    if (fresh || same_result(there->second, run)) continue;
    return invalid(
        "{}: policy {} on problem {}, instance {}, has other results than in a folder before it, "
        "where the same are due",
        part.folder.string(), merged.header.experiment.policies[id.policy],
        merged.header.experiment.problems[id.problem], id.instance);
  }
  return {};
}

// What one manifest says, or nothing: it is only told, so a damaged one is no reason to fail.
void collect_machine(const fs::path& folder, std::set<std::string>& cpus,
                     std::set<std::string>& simds, std::uint64_t& threads) try {
  const auto text = read_file(folder / "manifest.json");
  if (!text) return;
  const Json json = Json::parse(text.value(), nullptr, false);
  threads = std::max(threads, count(json.at("threads")));
  cpus.insert(json.at("cpu").get<std::string>());
  simds.insert(json.at("simd").get<std::string>());
} catch (const Json::exception&) {
}

Machine machine_of(const std::vector<Part>& parts) {
  std::set<std::string> cpus;
  std::set<std::string> simds;
  std::uint64_t threads = 1;
  for (const Part& part : parts) collect_machine(part.folder, cpus, simds, threads);
  return {fmt::format("{}", fmt::join(cpus, " and ")), fmt::format("{}", fmt::join(simds, " and ")),
          static_cast<unsigned>(std::min<std::uint64_t>(threads, 1024))};
}

}  // namespace

Result<Merged> merge_folders(const std::vector<fs::path>& folders) {
  std::vector<Part> parts;
  for (const fs::path& folder : folders) {
    auto part = read_part(folder);
    if (!part) return part.error();
    parts.push_back(std::move(part).value());
  }
  Merged merged{.header = parts.front().journal.header, .machine = machine_of(parts)};
  for (const Part& part : parts) {
    const auto differs = difference(part.journal.header, merged.header);
    if (!differs.empty())
      return invalid("{} holds another experiment than {}: {}", part.folder.string(),
                     parts.front().folder.string(), differs);
    merged.header = united(merged.header, part.journal.header);
  }
  for (const Part& part : parts)
    if (auto done = join(part, merged); !done) return done.error();
  merged.locate = locator_in(folders, merged.header);
  return merged;
}

Result<Plan> plan_of(const Merged& merged, const Registry& registry) {
  auto plan = Plan::create(merged.header.experiment, registry, merged.locate);
  if (!plan) return plan.error();
  const JournalHeader planned = JournalHeader::of(plan.value());
  auto differs = difference(merged.header, planned);
  if (differs.empty()) differs = left_out(merged.header, planned);
  if (!differs.empty()) return invalid("the runs are not those of their inputs: {}", differs);
  return plan;
}

}  // namespace phe
