#include "record/journal_header.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "phe/draw_revision.hpp"
#include "phe/version.hpp"

namespace phe {

namespace {

std::string count_difference(std::string_view name, std::uint64_t its, std::uint64_t ours) {
  return its == ours ? "" : fmt::format("its {} is {}, this one's {}", name, its, ours);
}

template <class Items>
std::string list_difference(std::string_view name, const Items& its, const Items& ours) {
  if (its == ours) return "";
  const auto shown = [](const Items& items) {
    return items.empty() ? "none" : fmt::format("{}", fmt::join(items, " "));
  };
  return fmt::format("its {} are {}, this one's {}", name, shown(its), shown(ours));
}

std::string rule_difference(const JournalHeader& its, const JournalHeader& ours) {
  if (its.checkpoints == ours.checkpoints) return "";
  return fmt::format("its checkpoints are {} ({} rounds), this one's {} ({} rounds)",
                     its.experiment.checkpoints, its.checkpoints.size(),
                     ours.experiment.checkpoints, ours.checkpoints.size());
}

std::string content_difference(const JournalHeader& its, const JournalHeader& ours) {
  for (const auto& [name, sha256] : its.inputs)
    for (const InputDigest& other : ours.inputs)
      if (other.name == name && other.sha256 != sha256)
        return fmt::format("the content of {} differs (SHA-256 {:.16}.., here {:.16}..)", name,
                           sha256, other.sha256);
  return "";
}

std::string draws_difference(const JournalHeader& its, const JournalHeader& ours) {
  if (its.draws == ours.draws) return "";
  return fmt::format("its draws are of revision {} (phe {}), this one's of revision {} (phe {})",
                     its.draws, its.version, ours.draws, ours.version);
}

}  // namespace

JournalHeader JournalHeader::of(const Plan& plan) {
  JournalHeader header;
  header.version = phe::version;
  header.draws = draw_revision;
  header.experiment = plan.experiment();
  for (const ProblemSpec& problem : plan.problems())
    header.problem_names.push_back(problem.parameters.canonical());
  for (const PolicySpec& policy : plan.policies())
    header.policy_names.push_back(policy.parameters.canonical());
  for (const InputFile& file : plan.files()) header.inputs.push_back({file.name, file.sha256});
  header.checkpoints = plan.checkpoints();
  return header;
}

bool JournalHeader::admits(const RunResult& run) const noexcept {
  const auto fits = [&](const auto& column, std::string_view name) {
    return column.size() == (std::ranges::count(experiment.columns, name) * checkpoints.size());
  };
  return fits(run.reward, "reward") && fits(run.best_pulls, "best_pulls") &&
         run.id.problem < experiment.problems.size() &&
         run.id.policy < experiment.policies.size() &&
         run.id.instance >= experiment.first_instance &&
         run.id.instance - experiment.first_instance < experiment.instances &&
         run.regret.size() == checkpoints.size();
}

Json to_json(const JournalHeader& header) {
  Json json = {{"version", header.version}, {"draws", header.draws}};
  json.update(to_json(header.experiment));
  json["problem_names"] = header.problem_names;
  json["policy_names"] = header.policy_names;
  json["inputs"] = Json::array();
  for (const auto& [name, sha256] : header.inputs)
    json["inputs"].push_back({{"name", name}, {"sha256", sha256}});
  json["checkpoints"] = header.checkpoints;
  return json;
}

std::optional<JournalHeader> header_from_json(const Json& json) try {
  auto experiment = experiment_from_json(json);
  if (!experiment) return std::nullopt;
  JournalHeader header;
  json.at("version").get_to(header.version);
  header.draws = count(json.at("draws"));
  header.experiment = std::move(*experiment);
  json.at("problem_names").get_to(header.problem_names);
  header.policy_names = json.value("policy_names", header.experiment.policies);
  if (header.problem_names.size() != header.experiment.problems.size() ||
      header.policy_names.size() != header.experiment.policies.size())
    return std::nullopt;
  for (const Json& input : json.at("inputs"))
    header.inputs.push_back(
        {input.at("name").get<std::string>(), input.at("sha256").get<std::string>()});
  for (const Json& round : json.at("checkpoints")) header.checkpoints.push_back(count(round));
  return header;
} catch (const Json::exception&) {
  return std::nullopt;
}

std::string difference(const JournalHeader& its, const JournalHeader& ours) {
  const Experiment& a = its.experiment;
  const Experiment& b = ours.experiment;
  std::vector<std::string> its_columns = a.columns;
  std::vector<std::string> our_columns = b.columns;
  std::ranges::sort(its_columns);
  std::ranges::sort(our_columns);
  for (const std::string& text :
       {count_difference("rounds", a.rounds, b.rounds), count_difference("seed", a.seed, b.seed),
        draws_difference(its, ours), rule_difference(its, ours),
        list_difference("columns", its_columns, our_columns), content_difference(its, ours)})
    if (!text.empty()) return text;
  return "";
}

}  // namespace phe
