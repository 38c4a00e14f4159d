#include "logs/kept_log.hpp"

#include "support/error.hpp"

namespace phe::logs {

Result<KeptLog> KeptLog::read(const Log& log) {
  KeptLog kept;
  auto lines = read_log(log, [&](const Decision& decision) -> Result<void> {
    kept.keep(decision);
    return {};
  });
  if (!lines) return lines.error();
  kept.lines_ = std::move(lines).value();
  return kept;
}

std::string_view KeptLog::interned(std::string_view text) { return *words_.emplace(text).first; }

void KeptLog::keep(const Decision& decision) {
  const auto append = [this](std::span<const double> numbers) {
    numbers_.insert(numbers_.end(), numbers.begin(), numbers.end());
    return numbers_.size() - numbers.size();
  };
  Row row{.plain = decision};
  row.plain.file = interned(decision.file);
  row.probabilities = append(decision.probabilities);
  row.target = append(decision.target);
  row.context = append(decision.context);
  row.action_features = append(decision.action_features);
  row.features = features_.size();
  for (const std::string_view text : decision.features) features_.push_back(interned(text));
  rows_.push_back(row);
}

Decision KeptLog::decision(std::size_t number) const {
  const Row& row = rows_[number];
  Decision decision = row.plain;
  const std::span<const double> numbers(numbers_);
  decision.probabilities = numbers.subspan(row.probabilities, decision.probabilities.size());
  decision.target = numbers.subspan(row.target, decision.target.size());
  decision.context = numbers.subspan(row.context, decision.context.size());
  decision.action_features = numbers.subspan(row.action_features, decision.action_features.size());
  decision.features = std::span(features_).subspan(row.features, decision.features.size());
  return decision;
}

ReadDecisions KeptLog::rows(std::function<bool(std::size_t row)> wanted) const {
  return [this, wanted = std::move(wanted)](const TakeDecision& take) -> Result<ReadCounts> {
    ReadCounts counts;
    counts.feature_names = lines_.feature_names;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      if (!wanted(row)) continue;
      const Decision at = decision(row);
      if (auto done = take(at); !done)
        return invalid("{}, line {}: {}", at.file, at.line, done.error().message);
      ++counts.decisions;
    }
    return counts;
  };
}

}  // namespace phe::logs
