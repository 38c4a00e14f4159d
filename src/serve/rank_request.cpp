#include "serve/rank_request.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <simdjson.h>

#include "support/error.hpp"

namespace phe::serve {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::element_type;
using simdjson::dom::object;

std::size_t RankRequest::eligible() const noexcept {
  return static_cast<std::size_t>(
      std::ranges::count_if(actions, [](const Action& action) { return !action.excluded; }));
}

struct RankRequestParser::Parts {
  simdjson::dom::parser parser;
  std::string padded;
  std::vector<Feature> features;      // the context's, then those of each action
  std::vector<std::size_t> bounds;    // where they begin
  std::vector<std::string_view> ids;  // sorted, to find one given twice
  RankRequest request;
  const RequestLimits* limits = nullptr;
  std::size_t seen = 0;  // features that are not null, those of value 0 too

  Result<object> open(std::string_view body);
  Result<void> read(object document);
  Result<void> read_actions(element value);
  Result<void> read_action(element value, std::size_t place);
  Result<void> read_features(element value, std::string_view where);
  Result<void> read_object(object features, NameHash path, std::size_t depth,
                           std::string_view where);
  Result<void> read_feature(NameHash name, element value, std::size_t depth,
                            std::string_view where);
  Result<void> read_numbers(NameHash name, array values, std::string_view where);
  Result<void> put(NameHash name, double value, std::string_view where);
  Result<void> exclude(element value);
  Result<void> check_ids();
  Result<void> check_pairs() const;
  void connect();
};

namespace {

std::string shown(element value) {
  std::string text = simdjson::minify(value);
  if (text.size() > 60) text = text.substr(0, 57) + "..";
  return text;
}

Error wrong(std::string_view where, std::string_view allowed, element value) {
  return invalid("{} must be {}, got {}", where, allowed, shown(value));
}

Result<std::string_view> read_id(element value, std::string_view where, std::size_t longest) {
  std::string_view text;
  if (value.get(text) != simdjson::SUCCESS) return wrong(where, "a string", value);
  if (text.empty()) return invalid("{} must not be empty", where);
  if (text.size() > longest)
    return invalid("{} must have at most {} bytes, got {}", where, longest, text.size());
  return text;
}

}  // namespace

Result<object> RankRequestParser::Parts::open(std::string_view body) {
  padded.reserve(body.size() + simdjson::SIMDJSON_PADDING);
  padded.assign(body);
  element document;
  if (const auto error = parser.parse(padded.data(), padded.size(), false).get(document))
    return invalid("the body is not JSON: {}", simdjson::error_message(error));
  object result;
  if (document.get(result) != simdjson::SUCCESS) return wrong("the body", "an object", document);
  return result;
}

Result<void> RankRequestParser::Parts::put(NameHash name, double value, std::string_view where) {
  if (!std::isfinite(value)) return invalid("{}: a feature must be finite", where);
  if (features.size() >= limits->features)
    return invalid("there can be at most {} features", limits->features);
  if (value != 0.0) features.push_back({name.value(), value});
  return {};
}

Result<void> RankRequestParser::Parts::read_numbers(NameHash name, array values,
                                                    std::string_view where) {
  std::size_t place = 0;
  for (const element value : values) {
    double number = 0.0;
    if (value.get(number) != simdjson::SUCCESS)
      return wrong(where, "arrays of numbers alone where it has arrays", value);
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, place++).ptr;
    const NameHash entry = name.with("[").with({digits, end}).with("]");
    if (auto done = put(entry, number, where); !done) return done;
  }
  return {};
}

Result<void> RankRequestParser::Parts::read_feature(NameHash name, element value, std::size_t depth,
                                                    std::string_view where) {
  seen += !value.is_null();
  switch (value.type()) {
    case element_type::STRING:
      return put(name.with("=").with(std::string_view(value)), 1.0, where);
    case element_type::INT64:
    case element_type::UINT64:
    case element_type::DOUBLE:
      return put(name, double(value), where);
    case element_type::BOOL:
      return bool(value) ? put(name, 1.0, where) : Result<void>();
    case element_type::NULL_VALUE:
      return {};
    case element_type::ARRAY:
      return read_numbers(name, array(value), where);
    case element_type::OBJECT:
      return read_object(object(value), name.with("."), depth + 1, where);
  }
  return {};
}

Result<void> RankRequestParser::Parts::read_object(object given, NameHash path, std::size_t depth,
                                                   std::string_view where) {
  if (depth > limits->depth)
    return invalid("{}: features can be nested {} deep at most", where, limits->depth);
  for (const auto field : given) {
    if (field.key.empty()) return invalid("{}: a feature must have a name, got \"\"", where);
    if (auto done = read_feature(path.with(field.key), field.value, depth, where); !done)
      return done;
  }
  return {};
}

Result<void> RankRequestParser::Parts::read_features(element value, std::string_view where) {
  array list;
  if (value.get(list) != simdjson::SUCCESS) return wrong(where, "an array of objects", value);
  for (const element entry : list) {
    object given;
    if (entry.get(given) != simdjson::SUCCESS) return wrong(where, "an array of objects", entry);
    if (auto done = read_object(given, {}, 1, where); !done) return done;
  }
  return {};
}

Result<void> RankRequestParser::Parts::read_action(element value, std::size_t place) {
  object given;
  if (value.get(given) != simdjson::SUCCESS) return wrong("actions", "an array of objects", value);
  element id;
  if (given.at_key("id").get(id) != simdjson::SUCCESS)
    return invalid("actions[{}] has no id", place);
  const auto text = read_id(id, "an action's id", limits->id_length);
  if (!text) return text.error();
  request.actions.push_back({text.value(), false, {}});
  bounds.push_back(features.size());
  if (auto done = put(NameHash().with("id=").with(text.value()), 1.0, "actions"); !done)
    return done;
  const std::size_t before = seen;
  element list;
  if (given.at_key("features").get(list) != simdjson::SUCCESS)
    return invalid("action '{}' has no features", text.value());
  if (auto done = read_features(list, "features"); !done) return done;
  if (seen == before) return invalid("action '{}' must have at least one feature", text.value());
  return {};
}

Result<void> RankRequestParser::Parts::read_actions(element value) {
  array list;
  if (value.get(list) != simdjson::SUCCESS) return wrong("actions", "an array of objects", value);
  const std::size_t count = list.size();
  if (count < 1 || count > limits->actions)
    return invalid("there must be 1 to {} actions, got {}", limits->actions, count);
  std::size_t place = 0;
  for (const element action : list)
    if (auto done = read_action(action, place++); !done) return done;
  return check_ids();
}

Result<void> RankRequestParser::Parts::check_ids() {
  ids.clear();
  for (const auto& action : request.actions) ids.push_back(action.id);
  std::ranges::sort(ids);
  const auto twice = std::ranges::adjacent_find(ids);
  if (twice != ids.end()) return invalid("action '{}' is given twice", *twice);
  return {};
}

Result<void> RankRequestParser::Parts::exclude(element value) {
  if (value.is_null()) return {};
  array list;
  if (value.get(list) != simdjson::SUCCESS)
    return wrong("excludedActions", "an array of strings", value);
  for (const element entry : list) {
    std::string_view id;
    if (entry.get(id) != simdjson::SUCCESS)
      return wrong("excludedActions", "an array of strings", entry);
    for (auto& action : request.actions) action.excluded |= action.id == id;
  }
  if (request.eligible() == 0) return invalid("every action is excluded");
  return {};
}

Result<void> RankRequestParser::Parts::check_pairs() const {
  const std::size_t context = bounds[0];
  if ((features.size() - context) * (context + 1) <= limits->pairs) return {};
  return invalid("{} features of the context and {} of the actions make over {} pairs", context,
                 features.size() - context, limits->pairs);
}

// Only now do features lie where they will stay.
void RankRequestParser::Parts::connect() {
  for (std::size_t i = 0; i < bounds[0]; ++i) features[i].name = context_part(features[i].name);
  const std::span<const Feature> all = features;
  bounds.push_back(all.size());
  request.context = all.first(bounds[0]);
  for (std::size_t k = 0; k < request.actions.size(); ++k)
    request.actions[k].features = all.subspan(bounds[k], bounds[k + 1] - bounds[k]);
}

Result<void> RankRequestParser::Parts::read(object document) {
  element value;
  if (document.at_key("contextFeatures").get(value) == simdjson::SUCCESS && !value.is_null())
    if (auto done = read_features(value, "contextFeatures"); !done) return done;
  if (document.at_key("actions").get(value) != simdjson::SUCCESS)
    return invalid("actions is missing");
  if (auto done = read_actions(value); !done) return done;
  if (document.at_key("excludedActions").get(value) == simdjson::SUCCESS)
    if (auto done = exclude(value); !done) return done;
  if (document.at_key("eventId").get(value) == simdjson::SUCCESS && !value.is_null()) {
    const auto id = read_id(value, "eventId", limits->id_length);
    if (!id) return id.error();
    request.event_id = id.value();
  }
  if (document.at_key("deferActivation").get(value) == simdjson::SUCCESS && !value.is_null() &&
      value.get(request.deferred) != simdjson::SUCCESS)
    return wrong("deferActivation", "true or false", value);
  return check_pairs();
}

RankRequestParser::RankRequestParser() : parts_(std::make_unique<Parts>()) {}
RankRequestParser::RankRequestParser(RankRequestParser&&) noexcept = default;
RankRequestParser::~RankRequestParser() = default;

Result<const RankRequest*> RankRequestParser::parse(std::string_view body,
                                                    const RequestLimits& limits) {
  Parts& parts = *parts_;
  parts.limits = &limits;
  parts.features.clear();
  parts.seen = 0;
  parts.bounds.clear();
  parts.request.actions.clear();
  parts.request.event_id.reset();
  parts.request.deferred = false;
  const auto document = parts.open(body);
  if (!document) return document.error();
  if (auto done = parts.read(document.value()); !done) return done.error();
  parts.connect();
  return &parts.request;
}

Result<double> parse_reward(std::string_view body) {
  thread_local simdjson::dom::parser parser;
  element document;
  if (const auto error = parser.parse(body.data(), body.size()).get(document))
    return invalid("the body is not JSON: {}", simdjson::error_message(error));
  element value;
  double number = 0.0;
  if (document.at_key("value").get(value) != simdjson::SUCCESS) return invalid("value is missing");
  if (value.get(number) != simdjson::SUCCESS) return wrong("value", "a number", value);
  if (!(number >= -1.0 && number <= 1.0)) return wrong("value", "from -1 to 1", value);
  return number;
}

}  // namespace phe::serve
