#include "logs/learnt_policy.hpp"

#include <algorithm>

#include "support/error.hpp"
#include "support/text.hpp"

namespace phe::logs {

namespace {

const Registry& registry() {
  static const Registry built_in = Registry::built_in();
  return built_in;
}

std::string description_of(const std::string& file) { return file + ".json"; }

}  // namespace

Result<LearntPolicy> LearntPolicy::make(const std::string& spec, std::uint64_t rounds,
                                        LogShape shape) {
  auto log_rounds = LogRounds::create(std::move(shape));
  if (!log_rounds) return log_rounds.error();
  const auto asked = registry().policy(spec);
  if (!asked) return asked.error();
  auto policy = asked->make(log_rounds->context(rounds));
  if (!policy) return policy.error();
  return LearntPolicy{spec, rounds, std::move(log_rounds).value(), std::move(policy).value()};
}

Result<LearntPolicy> LearntPolicy::load(const std::string& file) {
  const std::string description = description_of(file);
  const auto text = read_file(description);
  if (!text) return invalid("{}, which phe learn writes beside its state", text.error().message);
  const Json json = Json::parse(text.value(), nullptr, false);
  if (!json.is_object()) return invalid("{}: is not a JSON object", description);
  if (!json.contains("policy") || !json["policy"].is_string() || !json.contains("rounds") ||
      !json["rounds"].is_number_unsigned() || !json.contains("log"))
    return invalid("{}: policy, rounds or log is missing", description);
  auto shape = LogShape::from_json(json["log"]);
  if (!shape) return invalid("{}: {}", description, shape.error().message);
  auto learnt = make(json["policy"].get<std::string>(), json["rounds"].get<std::uint64_t>(),
                     std::move(shape).value());
  if (!learnt) return invalid("{}: {}", description, learnt.error().message);
  if (auto loaded = phe::load(*learnt->policy, file); !loaded) return loaded.error();
  return learnt;
}

Result<void> LearntPolicy::save(const std::string& file) const {
  const Json json = {{"policy", spec}, {"rounds", rounds}, {"log", log_rounds.shape().json()}};
  if (auto done = phe::save(*policy, std::filesystem::path(file)); !done) return done;
  return write_file(description_of(file), json.dump(2) + '\n');
}

Result<Learnt> learn(const ReadDecisions& read, LearntPolicy& learner,
                     const LearnOptions& options) {
  Learnt learnt;
  auto lines = read([&](const Decision& row) -> Result<void> {
    double weight = row.multiplicity;
    if (options.largest_weight) {
      const double inverse = 1.0 / row.propensity;
      learnt.cut += inverse > *options.largest_weight ? 1 : 0;
      weight *= std::min(inverse, *options.largest_weight);
    }
    if (auto done = learner.policy->weigh(weight); !done) return done;
    if (auto done = learner.log_rounds.update(*learner.policy, row); !done) return done;
    learnt.weight += weight;
    return {};
  });
  if (!lines) return lines.error();
  learnt.lines = std::move(lines).value();
  if (auto done = learner.policy->weigh(1.0); !done) return done.error();
  return learnt;
}

Result<Learnt> learn(const Log& log, LearntPolicy& learner, const LearnOptions& options) {
  return learn(decisions_of(log), learner, options);
}

}  // namespace phe::logs
