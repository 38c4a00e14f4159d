#include "logs/log_rounds.hpp"

#include <algorithm>

#include "policies/choice.hpp"
#include "support/error.hpp"

namespace phe::logs {

namespace {

constexpr std::string_view kinds[] = {"arms", "context", "encoded", "action_features"};

OfferKind kind_of(const Decision& row) {
  if (!row.action_features.empty()) return OfferKind::action_features;
  if (!row.context.empty()) return OfferKind::context;
  return row.features.empty() ? OfferKind::arms : OfferKind::encoded;
}

// The place on the page is no feature of the visitor.
Decision without_slot(const Decision& row) {
  Decision copy = row;
  copy.slot = 0;
  return copy;
}

std::size_t dimension_of(const Decision& row) {
  const OfferKind kind = kind_of(row);
  if (kind == OfferKind::context) return row.context.size();
  return kind == OfferKind::action_features ? row.action_features.size() / row.actions : 0;
}

Result<Arms> arms_of(const LogShape& shape) {
  if (shape.kind != OfferKind::arms) return Arms::none(shape.dimension);
  if (!shape.arms_file.empty()) return Arms::from_csv(shape.arms_file);
  constexpr std::size_t most = 4096;
  if (shape.actions > most)
    return invalid("the log has {} actions and no features of them: give --arms FILE",
                   shape.actions);
  // Each arm has a parameter of its own.
  return Arms::generate(shape.actions, shape.actions,
                        [](std::size_t arm, std::size_t j) { return arm == j ? 1.0 : 0.0; });
}

}  // namespace

void want_offers(Log& log) {
  log.options.want_features = true;
  log.options.want_numbers = true;
}

Json LogShape::json() const {
  Json json = {{"offers", kinds[static_cast<std::size_t>(kind)]},
               {"actions", actions},
               {"features", dimension},
               {"binary", binary},
               {"rewards", {rewards.low, rewards.high}}};
  if (!arms_file.empty()) json["arms"] = arms_file;
  if (kind == OfferKind::encoded) json["encoding"] = encoding.json();
  return json;
}

Result<LogShape> LogShape::from_json(const Json& json) try {
  LogShape shape;
  const auto kind = std::ranges::find(kinds, json.at("offers").get<std::string>());
  if (kind == std::end(kinds)) return invalid("offers: unknown");
  shape.kind = static_cast<OfferKind>(kind - std::begin(kinds));
  shape.actions = json.at("actions").get<std::size_t>();
  shape.dimension = json.at("features").get<std::size_t>();
  shape.binary = json.at("binary").get<bool>();
  shape.rewards = {json.at("rewards").at(0).get<double>(), json.at("rewards").at(1).get<double>()};
  shape.arms_file = json.value("arms", "");
  if (shape.kind != OfferKind::encoded) return shape;
  auto encoding = FeatureEncoding::from_json(json.at("encoding"));
  if (!encoding) return encoding.error();
  shape.encoding = std::move(encoding).value();
  if (shape.encoding.dimension() != shape.dimension) return invalid("encoding: other features");
  return shape;
} catch (const Json::exception& bad) {
  return invalid("{}", bad.what());
}

Result<LogShape> survey(const Log& log, const std::string& arms_file, RewardRange rewards) {
  LogShape shape;
  shape.rewards = rewards;
  shape.arms_file = arms_file;
  shape.actions = log.options.actions;
  bool first = true;
  const auto counts = read_log(log, [&](const Decision& row) -> Result<void> {
    if (!rewards.contains(row.reward))
      return invalid("reward must be between {} and {}, got {}; give --rewards", rewards.low,
                     rewards.high, row.reward);
    const OfferKind kind = kind_of(row);
    if (first) {
      shape.kind = arms_file.empty() ? kind : OfferKind::arms;
      shape.dimension = dimension_of(row);
    } else if (arms_file.empty() && kind != shape.kind) {
      return invalid("it offers {}, the rows before it {}", kinds[static_cast<std::size_t>(kind)],
                     kinds[static_cast<std::size_t>(shape.kind)]);
    } else if (arms_file.empty() && dimension_of(row) != shape.dimension) {
      return invalid("it has {} features, the rows before it {}", dimension_of(row),
                     shape.dimension);
    }
    first = false;
    shape.actions = std::max({shape.actions, row.actions, row.action + 1});
    shape.binary = shape.binary && (row.reward == rewards.low || row.reward == rewards.high);
    if (shape.kind == OfferKind::encoded) shape.encoding.see(without_slot(row));
    return {};
  });
  if (!counts) return counts.error();
  if (shape.kind != OfferKind::encoded) return shape;
  if (auto done = shape.encoding.settle(counts->feature_names); !done) return done.error();
  shape.dimension = shape.encoding.dimension();
  return shape;
}

Result<LogRounds> LogRounds::create(LogShape shape) {
  auto arms = arms_of(shape);
  if (!arms) return arms.error();
  if (!shape.arms_file.empty() && arms->size() < shape.actions)
    return invalid("{}: has {} arms, but the log has action {}", shape.arms_file, arms->size(),
                   shape.actions - 1);
  return LogRounds(std::move(shape), std::move(arms).value());
}

LogRounds::LogRounds(LogShape shape, Arms arms)
    : shape_(std::move(shape)), arms_(std::move(arms)), row_(shape_.dimension) {}

PolicyContext LogRounds::context(std::uint64_t rounds) const {
  const bool one = shape_.kind == OfferKind::context || shape_.kind == OfferKind::encoded;
  return {arms_, rounds, shape_.rewards, shape_.binary, one};
}

std::size_t LogRounds::actions_of(const Decision& row) const {
  if (shape_.kind == OfferKind::arms) return arms_.size();
  return row.actions == 0 ? shape_.actions : row.actions;
}

Result<void> LogRounds::check(const Decision& row) const {
  const std::size_t count = actions_of(row);
  if (row.action >= count) return invalid("unknown action {}: there are {}", row.action, count);
  if (shape_.kind == OfferKind::arms || shape_.kind == OfferKind::encoded) return {};
  if (kind_of(row) != shape_.kind)
    return invalid("it offers {}, the policy knows {}",
                   kinds[static_cast<std::size_t>(kind_of(row))],
                   kinds[static_cast<std::size_t>(shape_.kind)]);
  if (dimension_of(row) != shape_.dimension)
    return invalid("it has {} features, the policy {}", dimension_of(row), shape_.dimension);
  return {};
}

Actions LogRounds::offer(const Decision& row) {
  const std::size_t count = actions_of(row);
  if (shape_.kind == OfferKind::action_features) return Actions::rows(count, row.action_features);
  if (shape_.kind == OfferKind::context) return Actions::context(row.context, count);
  shape_.encoding.encode(without_slot(row), row_);
  return Actions::context(row_, count);
}

Result<std::size_t> LogRounds::select(Policy& policy, const Decision& row, Rng& rng) {
  if (auto done = check(row); !done) return done.error();
  if (shape_.kind == OfferKind::arms) return choose_arm(policy, rng);
  known_ = std::max(known_, actions_of(row));
  return policy.select(offer(row), rng);
}

Result<void> LogRounds::decide(Policy& policy, const Decision& row, Rng& rng,
                               const DecideOptions& options, phe::Decision& decision) {
  if (auto done = check(row); !done) return done;
  if (shape_.kind == OfferKind::arms) return policy.decide(rng, options, decision);
  return policy.decide(offer(row), rng, options, decision);
}

Result<void> LogRounds::update(Policy& policy, const Decision& row) {
  if (auto done = check(row); !done) return done;
  if (shape_.kind == OfferKind::arms)
    return policy.update(static_cast<ArmId>(row.action), row.reward);
  if (actions_of(row) > known_) {
    Rng unused(0);
    if (auto offered = select(policy, row, unused); !offered) return offered.error();
  }
  const Actions offered = offer(row);
  if (shape_.kind == OfferKind::action_features)
    return policy.update(offered.features.subspan(row.action * shape_.dimension, shape_.dimension),
                         row.reward);
  return policy.update(ActionId{row.action}, offered.features, row.reward);
}

}  // namespace phe::logs
