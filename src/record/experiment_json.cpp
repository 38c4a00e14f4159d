#include "record/experiment_json.hpp"

namespace phe {

Json to_json(const Experiment& experiment) {
  return {{"problems", experiment.problems},
          {"policies", experiment.policies},
          {"rounds", experiment.rounds},
          {"instances", experiment.instances},
          {"first_instance", experiment.first_instance},
          {"seed", experiment.seed},
          {"recorded_at", experiment.checkpoints},
          {"columns", experiment.columns}};
}

std::uint64_t count(const Json& json) { return json.get_ref<const Json::number_unsigned_t&>(); }

std::optional<Experiment> experiment_from_json(const Json& json) try {
  Experiment experiment;
  json.at("problems").get_to(experiment.problems);
  json.at("policies").get_to(experiment.policies);
  experiment.rounds = count(json.at("rounds"));
  experiment.instances = count(json.at("instances"));
  experiment.first_instance = count(json.at("first_instance"));
  experiment.seed = count(json.at("seed"));
  // Older ones do not say these.
  experiment.checkpoints = json.value("recorded_at", experiment.checkpoints);
  experiment.columns = json.value("columns", experiment.columns);
  return experiment;
} catch (const Json::exception&) {
  return std::nullopt;
}

std::string dumped(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace phe
