#include "logs/feature_encoding.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "support/error.hpp"
#include "support/text.hpp"

namespace phe::logs {

namespace {

std::optional<double> finite_number(std::string_view text) {
  const auto number = parse_number<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

}  // namespace

void FeatureEncoding::see(Feature& feature, std::string_view value) {
  if (feature.values.size() <= most_categories && !feature.values.contains(value))
    feature.values.emplace(value);
  if (feature.numbers) feature.numbers = finite_number(value).has_value();
}

void FeatureEncoding::see(const Decision& decision) {
  slots_.insert(decision.slot);
  context_ = std::max(context_, decision.context.size());
  if (context_ > 0) return;
  while (features_.size() < decision.features.size()) {
    features_.emplace_back();
    if (any_seen_) see(features_.back(), "");  // the rows before this one did not have it
  }
  for (std::size_t i = 0; i < features_.size(); ++i)
    see(features_[i], i < decision.features.size() ? decision.features[i] : std::string_view());
  any_seen_ = true;
}

Result<void> FeatureEncoding::settle(const std::vector<std::string>& names) {
  dimension_ = slots_.size();  // the bias, and every slot but the first
  if (context_ > 0) {
    dimension_ += context_ - 1;
    features_.clear();
    return {};
  }
  for (std::size_t i = 0; i < features_.size(); ++i) {
    Feature& feature = features_[i];
    feature.first_column = dimension_;
    if (i < names.size()) feature.name = names[i];
    if (!feature.numbers && feature.values.size() > most_categories)
      return invalid("feature {} has more than {} different values that are no numbers", names[i],
                     most_categories);
    dimension_ += feature.numbers ? 1 : feature.values.size() - 1;
  }
  return {};
}

void FeatureEncoding::encode(const Decision& decision, std::span<double> row) const {
  std::fill_n(row.begin(), dimension_, 0.0);
  if (context_ > 0)
    std::ranges::copy(decision.context.first(std::min(context_, decision.context.size())),
                      row.subspan(slots_.size() - 1).begin());
  else
    row[0] = 1.0;
  // The first slot and the first category have no column; the others stand one to the left.
  const auto known = slots_.find(decision.slot);
  const auto slot = known == slots_.end() ? 0 : std::distance(slots_.begin(), known);
  if (slot > 0) row[static_cast<std::size_t>(slot) - (context_ > 0 ? 1 : 0)] = 1.0;
  for (std::size_t i = 0; i < features_.size(); ++i) {
    const Feature& feature = features_[i];
    const std::string_view value =
        i < decision.features.size() ? decision.features[i] : std::string_view();
    if (feature.numbers) {
      row[feature.first_column] = finite_number(value).value_or(0.0);
      continue;
    }
    const auto found = feature.values.find(value);
    if (found == feature.values.end()) continue;  // of another log: like the first
    const auto category = std::distance(feature.values.begin(), found);
    if (category > 0) row[feature.first_column + static_cast<std::size_t>(category) - 1] = 1.0;
  }
}

Json FeatureEncoding::json() const {
  Json features = Json::array();
  for (const Feature& feature : features_) {
    Json entry = {{"name", feature.name}};
    if (!feature.numbers) entry["categories"] = feature.values;
    features.push_back(entry);
  }
  return {{"positions", slots_}, {"features", features}};
}

Result<FeatureEncoding> FeatureEncoding::from_json(const Json& json) {
  FeatureEncoding encoding;
  encoding.slots_ = json.at("positions").get<std::set<std::size_t>>();
  std::vector<std::string> names;
  for (const Json& entry : json.at("features")) {
    Feature& feature = encoding.features_.emplace_back();
    feature.numbers = !entry.contains("categories");
    if (!feature.numbers)
      for (const Json& value : entry["categories"]) feature.values.insert(value.get<std::string>());
    names.push_back(entry.at("name").get<std::string>());
  }
  encoding.any_seen_ = true;
  if (auto done = encoding.settle(names); !done) return done.error();
  return encoding;
}

}  // namespace phe::logs
