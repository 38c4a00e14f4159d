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
  return fmt::format("its {} are {}, this one's {}", name, fmt::join(its, " "),
                     fmt::join(ours, " "));
}

// Names in which the digests of files are left out.
std::vector<std::string> without_contents(std::vector<std::string> names) {
  constexpr std::string_view mark = "sha256:";
  constexpr std::size_t digits = 64;
  for (std::string& name : names)
    for (auto at = name.find(mark); at != std::string::npos; at = name.find(mark, at + 1))
      name.erase(at + mark.size(), digits);
  return names;
}

std::string input_difference(const InputDigest& its, const InputDigest& ours) {
  if (its.sha256 == ours.sha256) return "";
  return fmt::format("the content of {} differs (SHA-256 {:.16}.., here {:.16}..)", ours.name,
                     its.sha256, ours.sha256);
}

// Problems count by their canonical names: neither the spelling of a number nor where a file lies.
std::string problem_difference(const JournalHeader& its, const JournalHeader& ours) {
  if (without_contents(its.problem_names) != without_contents(ours.problem_names))
    return list_difference("problems", its.experiment.problems, ours.experiment.problems);
  for (std::size_t i = 0; i < std::min(its.inputs.size(), ours.inputs.size()); ++i)
    if (auto text = input_difference(its.inputs[i], ours.inputs[i]); !text.empty()) return text;
  return list_difference("problems", its.problem_names, ours.problem_names);
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
  for (const InputFile& file : plan.files()) header.inputs.push_back({file.name, file.sha256});
  header.checkpoints = plan.checkpoints();
  return header;
}

bool JournalHeader::admits(const RunResult& run) const noexcept {
  return run.id.problem < experiment.problems.size() &&
         run.id.policy < experiment.policies.size() &&
         run.id.instance >= experiment.first_instance &&
         run.id.instance - experiment.first_instance < experiment.instances &&
         run.regret.size() == checkpoints.size();
}

Json to_json(const JournalHeader& header) {
  Json json = {{"version", header.version}, {"draws", header.draws}};
  json.update(to_json(header.experiment));
  json["problem_names"] = header.problem_names;
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
  for (const std::string& text :
       {problem_difference(its, ours), list_difference("policies", a.policies, b.policies),
        count_difference("rounds", a.rounds, b.rounds),
        count_difference("instances", a.instances, b.instances),
        count_difference("first_instance", a.first_instance, b.first_instance),
        count_difference("seed", a.seed, b.seed), draws_difference(its, ours),
        list_difference("checkpoints", its.checkpoints, ours.checkpoints)})
    if (!text.empty()) return text;
  return "";
}

}  // namespace phe
