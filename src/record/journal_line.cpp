#include "record/journal_line.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "phe/version.hpp"
#include "record/experiment_json.hpp"
#include "support/crc32.hpp"
#include "support/text.hpp"

namespace phe {

namespace {

constexpr std::string_view header_start = "phe-runs 1 ";
constexpr std::string_view run_start = "run ";

std::string sealed(const std::string& text) {
  return fmt::format("{} #{:08x}\n", text, crc32(text));
}

// The text before the checksum, if that is right.
std::optional<std::string_view> unsealed(std::string_view line) {
  const auto mark = line.rfind(" #");
  if (mark == std::string_view::npos) return std::nullopt;
  const auto text = line.substr(0, mark);
  if (line.substr(mark + 2) != fmt::format("{:08x}", crc32(text))) return std::nullopt;
  return text;
}

// Reads the numbers of a line one by one.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  [[nodiscard]] bool empty() const noexcept { return text_.empty(); }

  template <class Number>
  bool next(Number& into) {
    const auto end = text_.find(' ');
    const auto number = parse_number<Number>(text_.substr(0, end));
    text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
    if (number) into = *number;
    return number.has_value();
  }

 private:
  std::string_view text_;
};

}  // namespace

JournalHeader JournalHeader::of(const Plan& plan) {
  return {std::string(phe::version), plan.experiment(), plan.checkpoints()};
}

bool JournalHeader::admits(const RunResult& run) const noexcept {
  return run.id.problem < experiment.problems.size() &&
         run.id.policy < experiment.policies.size() &&
         run.id.instance >= experiment.first_instance &&
         run.id.instance - experiment.first_instance < experiment.instances &&
         run.regret.size() == checkpoints.size();
}

std::string encode(const JournalHeader& header) {
  Json json = {{"version", header.version}};
  json.update(to_json(header.experiment));
  json["checkpoints"] = header.checkpoints;
  return sealed(fmt::format("{}{}", header_start, dumped(json)));
}

std::string encode(const RunResult& run) {
  const auto& [problem, policy, instance] = run.id;
  return sealed(fmt::format("{}{} {} {} {} {}", run_start, problem, policy, instance, run.seconds,
                            fmt::join(run.regret, " ")));
}

std::optional<JournalHeader> decode_header(std::string_view line) {
  const auto text = unsealed(line);
  if (!text || !text->starts_with(header_start)) return std::nullopt;
  const Json json = Json::parse(text->substr(header_start.size()), nullptr, false);
  auto experiment = experiment_from_json(json);
  if (!experiment) return std::nullopt;
  try {
    JournalHeader header{json.at("version").get<std::string>(), std::move(*experiment), {}};
    for (const Json& round : json.at("checkpoints")) header.checkpoints.push_back(count(round));
    return header;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

std::optional<RunResult> decode_run(std::string_view line) {
  const auto text = unsealed(line);
  if (!text || !text->starts_with(run_start)) return std::nullopt;
  Words words(text->substr(run_start.size()));
  RunResult run;
  if (!words.next(run.id.problem) || !words.next(run.id.policy) || !words.next(run.id.instance) ||
      !words.next(run.seconds))
    return std::nullopt;
  while (!words.empty())
    if (!words.next(run.regret.emplace_back())) return std::nullopt;
  return run;
}

std::string difference(const JournalHeader& its, const JournalHeader& ours) {
  const auto count = [](std::string_view name, std::uint64_t a, std::uint64_t b) {
    return a == b ? "" : fmt::format("its {} is {}, this one's {}", name, a, b);
  };
  const auto list = [](std::string_view name, const auto& a, const auto& b) {
    return a == b ? ""
                  : fmt::format("its {} are {}, this one's {}", name, fmt::join(a, " "),
                                fmt::join(b, " "));
  };
  const Experiment& a = its.experiment;
  const Experiment& b = ours.experiment;
  for (const std::string& text :
       {list("problems", a.problems, b.problems), list("policies", a.policies, b.policies),
        count("rounds", a.rounds, b.rounds), count("instances", a.instances, b.instances),
        count("first_instance", a.first_instance, b.first_instance), count("seed", a.seed, b.seed)})
    if (!text.empty()) return text;
  if (its.version != ours.version)
    return fmt::format("it was made by phe {}, this is {}", its.version, ours.version);
  return list("checkpoints", its.checkpoints, ours.checkpoints);
}

}  // namespace phe
