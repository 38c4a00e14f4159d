// Targets from what a person types.
#include <algorithm>

#include "logs/target.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace phe::logs {

namespace {

Result<std::unique_ptr<Target>> always(std::string_view text, const Log& log) {
  const auto first = log.first_action();
  if (!first) return first.error();
  const auto id = parse_number<std::size_t>(text);
  if (!id || *id < first.value())
    return invalid("--target always= needs an action, a whole number from {}, got '{}'",
                   first.value(), text);
  const std::size_t action = *id - first.value();
  if (log.options.actions > 0 && action >= log.options.actions)
    return invalid("--target always={}: there are {} actions, from {}", *id, log.options.actions,
                   first.value());
  return make_always_target(action);
}

Result<std::unique_ptr<Target>> from_table(Result<SlotTable> table) {
  if (!table) return table.error();
  return make_table_target(std::move(table).value());
}

}  // namespace

Result<SlotTable> action_frequencies(const Log& log) {
  SlotTable table;
  std::size_t actions = log.options.actions;
  const auto counts = read_log(log, [&](const Decision& d) -> Result<void> {
    actions = std::max({actions, d.actions, d.action + 1});
    if (table.size() <= d.slot) table.resize(d.slot + 1);
    if (table[d.slot].size() < actions) table[d.slot].resize(actions);
    table[d.slot][d.action] += d.multiplicity;
    return {};
  });
  if (!counts) return counts.error();
  for (auto& row : table) {
    double sum = 0.0;
    for (const double count : row) sum += count;
    for (double& count : row) count /= sum;
    if (!row.empty()) row.resize(actions);
  }
  return table;
}

Result<std::unique_ptr<Target>> make_target(std::string_view text, Log& log) {
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string_view kind = text.substr(0, equals);
  const std::string value(text.substr(std::min(equals + 1, text.size())));
  if (text == "uniform") return make_uniform_target(log.options.actions);
  if (value.empty() ||
      !(kind == "column" || kind == "always" || kind == "frequencies" || kind == "beta-prior"))
    return invalid(
        "--target must be uniform, column=NAME, always=ACTION, frequencies=LOG or "
        "beta-prior=FILE, got '{}'",
        text);
  if (kind == "always") return always(value, log);
  if (kind == "frequencies") return from_table(action_frequencies({{value}, log.options}));
  if (kind == "beta-prior") return from_table(beta_prior_table(value, log.options.columns.action));
  log.options.target_column = value;
  return make_column_target();
}

}  // namespace phe::logs
