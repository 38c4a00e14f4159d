#include "serve/named_features.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "support/error.hpp"

namespace phe::serve {

using nlohmann::json;

namespace {

void put(const std::string& name, double value, std::vector<NamedFeature>& into) {
  if (value != 0.0) into.push_back({name, value});
}

void walk(const std::string& name, const json& value, std::vector<NamedFeature>& into) {
  if (value.is_string()) put(name + "=" + value.get<std::string>(), 1.0, into);
  if (value.is_number()) put(name, value.get<double>(), into);
  if (value.is_boolean()) put(name, value.get<bool>() ? 1.0 : 0.0, into);
  if (value.is_array())
    for (std::size_t i = 0; i < value.size(); ++i)
      put(fmt::format("{}[{}]", name, i), value[i].get<double>(), into);
  if (value.is_object())
    for (const auto& [key, inner] : value.items()) walk(name + "." + key, inner, into);
}

void walk_list(const json& objects, std::vector<NamedFeature>& into) {
  for (const json& object : objects)
    for (const auto& [key, value] : object.items()) walk(key, value, into);
}

}  // namespace

Result<NamedRequest> named_features(std::string_view request) try {
  const json body = json::parse(request);
  NamedRequest named;
  if (body.contains("contextFeatures")) walk_list(body["contextFeatures"], named.context);
  for (const json& action : body.at("actions")) {
    auto& features = named.actions.emplace_back();
    features.push_back({"id=" + action.at("id").get<std::string>(), 1.0});
    walk_list(action.at("features"), features);
  }
  return named;
} catch (const json::exception& error) {
  return invalid("a logged request: {}", error.what());
}

}  // namespace phe::serve
