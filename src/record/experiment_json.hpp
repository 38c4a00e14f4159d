// An Experiment as JSON, the same text for the same experiment.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "phe/simulate.hpp"

namespace phe {

using Json = nlohmann::ordered_json;

Json to_json(const Experiment& experiment);
// Nothing when a key is missing or of another type.
std::optional<Experiment> experiment_from_json(const Json& json);

// The number, if it is a whole one, 0 or more; else throws a Json::exception, where get() would
// convert -1 or 1e300 to something.
std::uint64_t count(const Json& json);

// One line, or indented by `indent`; bytes that are not UTF-8 become a replacement character.
std::string dumped(const Json& json, int indent = -1);

}  // namespace phe
