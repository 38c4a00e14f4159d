#include "record/experiment_json.hpp"

namespace phe {

Json to_json(const Experiment& experiment) {
  return {{"problems", experiment.problems},
          {"policies", experiment.policies},
          {"rounds", experiment.rounds},
          {"instances", experiment.instances},
          {"first_instance", experiment.first_instance},
          {"seed", experiment.seed}};
}

std::optional<Experiment> experiment_from_json(const Json& json) try {
  Experiment experiment;
  json.at("problems").get_to(experiment.problems);
  json.at("policies").get_to(experiment.policies);
  json.at("rounds").get_to(experiment.rounds);
  json.at("instances").get_to(experiment.instances);
  json.at("first_instance").get_to(experiment.first_instance);
  json.at("seed").get_to(experiment.seed);
  return experiment;
} catch (const Json::exception&) {
  return std::nullopt;
}

std::string dumped(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace phe
