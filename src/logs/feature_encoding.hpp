// FeatureEncoding: texts of a log as numbers of a regression. Learnt in one pass over the log.
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "logs/decision.hpp"
#include "phe/result.hpp"
#include "record/experiment_json.hpp"

namespace phe::logs {

class FeatureEncoding {
 public:
  static constexpr std::size_t most_categories = 1000;

  // First pass: all decisions, in order.
  void see(const Decision& decision);
  // After it: which columns there are, by the features' names. An error names the feature with too
  // many categories.
  Result<void> settle(const std::vector<std::string>& names);

  // bias, slots but the first, and for each feature its number, or its categories but the first.
  // Where rows have a context of numbers: these, as they are, in place of bias and features.
  [[nodiscard]] std::size_t dimension() const noexcept { return dimension_; }
  // Fills the first dimension() entries of `row`. The decision must have been seen.
  void encode(const Decision& decision, std::span<double> row) const;

  // To encode another log in the same way: what was not seen in this one counts as the first
  // category.
  [[nodiscard]] Json json() const;
  static Result<FeatureEncoding> from_json(const Json& json);

 private:
  struct Feature {
    std::string name;
    std::set<std::string, std::less<>> values;  // at most most_categories + 1
    bool numbers = true;                        // as long as every value is one
    std::size_t first_column = 0;
  };

  static void see(Feature& feature, std::string_view value);

  std::size_t context_ = 0;  // numbers of a context
  std::set<std::size_t> slots_;
  std::vector<Feature> features_;
  bool any_seen_ = false;
  std::size_t dimension_ = 0;
};

}  // namespace phe::logs
