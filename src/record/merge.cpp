#include "record/merge.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "phe/draw_revision.hpp"
#include "record/experiment_json.hpp"
#include "record/inputs.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace phe {

namespace fs = std::filesystem;

namespace {

struct Part {
  fs::path folder;
  JournalContents journal;

  [[nodiscard]] const Experiment& experiment() const { return journal.header.experiment; }
  [[nodiscard]] std::uint64_t first() const { return experiment().first_instance; }
  [[nodiscard]] std::uint64_t end() const { return first() + experiment().instances; }
};

Result<Part> read_part(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored))
    return invalid("{}: there is no such folder", folder.string());
  auto journal = read_journal(folder / "runs.log");
  if (!journal) return journal.error();
  Part part{folder, std::move(journal).value()};
  const Experiment& e = part.experiment();
  const std::uint64_t total = e.problems.size() * e.policies.size() * e.instances;
  if (part.journal.runs.size() != total)
    return invalid("{} has {} of {} runs; finish it first", folder.string(),
                   part.journal.runs.size(), total);
  if (part.journal.header.draws != draw_revision)
    return invalid("{} has draws of revision {} (phe {}), this phe's are of revision {}",
                   folder.string(), part.journal.header.draws, part.journal.header.version,
                   draw_revision);
  return part;
}

// That they are parts of one experiment, whose instances follow on each other.
Result<void> check_neighbours(const Part& before, const Part& after) {
  JournalHeader aligned = after.journal.header;
  aligned.experiment.first_instance = before.first();
  aligned.experiment.instances = before.experiment().instances;
  if (const auto differs = difference(aligned, before.journal.header); !differs.empty())
    return invalid("{} holds another experiment than {}: {}", after.folder.string(),
                   before.folder.string(), differs);
  if (after.first() < before.end())
    return invalid("{} and {} both have instance {}", before.folder.string(), after.folder.string(),
                   after.first());
  if (after.first() > before.end())
    return invalid("instances {} to {} are in none of the folders", before.end(),
                   after.first() - 1);
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
  std::ranges::stable_sort(parts, {}, &Part::first);
  for (std::size_t i = 1; i < parts.size(); ++i)
    if (auto done = check_neighbours(parts[i - 1], parts[i]); !done) return done.error();
  Merged merged{.header = parts.front().journal.header, .machine = machine_of(parts)};
  merged.header.experiment.instances = parts.back().end() - parts.front().first();
  merged.locate = locator_in(folders, merged.header);
  for (Part& part : parts) merged.runs.merge(part.journal.runs);
  return merged;
}

Result<Plan> plan_of(const Merged& merged, const Registry& registry) {
  auto plan = Plan::create(merged.header.experiment, registry, merged.locate);
  if (!plan) return plan.error();
  const auto differs = difference(merged.header, JournalHeader::of(plan.value()));
  if (!differs.empty()) return invalid("the runs are not those of their inputs: {}", differs);
  return plan;
}

}  // namespace phe
