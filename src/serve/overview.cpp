#include "serve/overview.hpp"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "phe/version.hpp"
#include "serve/store_json.hpp"

namespace phe::serve {

using nlohmann::json;

namespace {

constexpr std::int64_t points = 60;         // of a chart
constexpr std::int64_t reading_time = 300;  // milliseconds that a look may spend on the log
constexpr std::size_t most_weights = 40;
constexpr double normal_95 = 1.959963984540054;

json or_null(bool known, double value) { return known ? json(value) : json(nullptr); }

// [low, value, high]; null where there is no estimate.
json interval_of(const Snips& estimate) {
  if (!estimate.known()) return nullptr;
  const double half = normal_95 * estimate.standard_error();
  return {estimate.value() - half, estimate.value(), estimate.value() + half};
}

// A choice that the log could never show is not estimated from it.
json supported(const Digest& digest, const Snips& estimate) {
  return digest.unsupported > 0 ? json(nullptr) : interval_of(estimate);
}

json log_of(const StoreCounts& n, std::int64_t time) {
  return {{"events", n.events},
          {"waitingEvents", n.waiting},
          {"expiredEvents", n.expired},
          {"rewards", n.rewards},
          {"lateRewards", n.late_rewards},
          {"lessons", n.lessons},
          {"from", n.events == 0 ? json(nullptr) : json(time_text(n.first_time))},
          {"to", n.events == 0 ? json(nullptr) : json(time_text(n.last_time))},
          {"countedAt", time_text(time)}};
}

json model_of(const Application& app, const StoreCounts& counts) {
  const auto model = app.published();
  return {{"lessons", model->lessons()},
          {"behind", std::max<std::int64_t>(0, counts.lessons - model->lessons())},
          {"ageSeconds", 1e-3 * static_cast<double>(app.clock().now() - app.published_at())},
          {"publishedAt", time_text(app.published_at())}};
}

json activity_of(const Application& app) {
  const auto totals = app.activity().totals();
  const auto fate = [&](Fate f) { return totals.rewards_by_fate[static_cast<std::size_t>(f)]; };
  return {{"decisions", totals.decisions},           {"rewards", totals.rewards},
          {"countedRewards", fate(Fate::done)},      {"lateRewards", fate(Fate::late)},
          {"repeatedRewards", fate(Fate::repeated)}, {"unknownRewards", fate(Fate::unknown_event)}};
}

json estimates_of(const Digest& digest) {
  return {{"events", digest.events},
          {"policy", interval_of(digest.policy)},
          {"baseline", supported(digest, digest.baseline)},
          {"uniform", supported(digest, digest.uniform)},
          {"unsupportedEvents", digest.unsupported},
          {"everyEventRead", digest.whole}};
}

json exploration_of(const Digest& digest, double floor) {
  const bool any = digest.events > 0;
  const auto share = [&](double part) {
    return or_null(any, part / static_cast<double>(digest.events));
  };
  return {{"floor", floor},
          {"explored", share(static_cast<double>(digest.explored))},
          {"meanProbability", share(digest.probability)},
          {"probabilities", digest.probabilities}};
}

// Of the application's own time: the steps of the chart, and what was in each.
struct Range {
  std::int64_t from, to, length;  // in steps of the log; of a point of the chart
};

Range range_of(std::int64_t now, std::int64_t minutes) {
  const std::int64_t length = minutes * minute / step_length / points;
  const std::int64_t to = (step_of(now) / length + 1) * length;
  return {to - points * length, to, length};
}

json rates_of(const Activity& activity, const Range& range, std::int64_t began) {
  json series = json::array();
  const double per_minute =
      static_cast<double>(minute) / static_cast<double>(range.length * step_length);
  for (std::int64_t from = range.from; from < range.to; from += range.length) {
    if ((from + range.length) * step_length <= began) continue;  // nobody counted
    const auto counts = activity.between(from, from + range.length);
    series.push_back({from * step_length, per_minute * static_cast<double>(counts.decisions),
                      per_minute * static_cast<double>(counts.rewards)});
  }
  return series;
}

json history_of(const Chronicle& chronicle, const Range& range) {
  json series = json::array();
  for (std::int64_t from = range.from; from < range.to; from += range.length) {
    const auto sum = chronicle.between(from, from + range.length);
    if (sum.digest.events == 0) continue;
    const Digest& d = sum.digest;
    const auto events = static_cast<double>(d.events);
    series.push_back({from * step_length, interval_of(d.policy), supported(d, d.baseline),
                      supported(d, d.uniform), static_cast<double>(d.explored) / events,
                      d.probability / events, d.events});
  }
  return series;
}

bool logistic(const std::string& policy) { return policy.starts_with("log"); }

json row_of(std::size_t index, const Dictionary::Place& place, double weight, double spread) {
  json also = json::array();
  for (std::size_t i = 1; i < place.names.size(); ++i)
    also.push_back({{"words", place.names[i].words}, {"weight", place.names[i].sign * weight}});
  return {{"place", index},
          {"words", place.names[0].words},
          {"weight", place.names[0].sign * weight},
          {"spread", spread},
          {"also", also},
          {"others", place.others > 0}};
}

// The largest weights of places whose names were seen. The constant 1 lies at place 0.
json weights_of(const Application& app, const Dictionary& names) {
  // Policies learn rewards mapped from [-1, 1] to [0, 1].
  const double unit = logistic(app.configuration()->policy) ? 1.0 : 2.0;
  std::vector<double> mean(app.dimension()), spread(app.dimension());
  json result{{"unit", unit == 1.0 ? "log-odds" : "reward"}, {"rows", json::array()}};
  if (!app.published()->weights(mean, spread)) return result;
  std::vector<std::size_t> order;
  for (std::size_t j = 0; j < mean.size(); ++j)
    if (!names.places()[j].names.empty()) order.push_back(j);
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](std::size_t j) { return std::abs(mean[j]); });
  if (order.size() > most_weights) order.resize(most_weights);
  for (const std::size_t j : order)
    result["rows"].push_back(row_of(j, names.places()[j], unit * mean[j], unit * spread[j]));
  return result;
}

json application_of(Observer& observer) {
  const Application& app = observer.application();
  const auto census = observer.census();
  const auto totals = app.activity().totals();
  const StoreState store = app.store_state();
  return {{"name", app.name()},
          {"decisions", totals.decisions},
          {"events", census ? json(census->counts.events) : json(nullptr)},
          {"waitingEvents", census ? json(census->counts.waiting) : json(nullptr)},
          {"policy", app.configuration()->policy},
          {"logWritable", !app.failing()},
          {"storeConnected", store.shared ? json(store.connected) : json(nullptr)}};
}

}  // namespace

Result<std::string> overview_json(const OverviewInputs& inputs) {
  Application& app = inputs.observer.application();
  const auto census = inputs.observer.census();
  if (!census) return census.error();
  const auto read = inputs.observer.chronicle(reading_time);
  if (!read) return read.error();
  const Chronicle& chronicle = *read.value();
  const auto configuration = app.configuration();
  const std::int64_t now = app.clock().now();
  const Range range = range_of(now, inputs.minutes);
  const auto sum = chronicle.between(range.from, range.to);
  const StoreState store = app.store_state();
  json applications = json::array();
  for (const auto& [name, observer] : inputs.visible)
    applications.push_back(application_of(*observer));
  const json document{
      {"version", version},
      {"time", time_text(now)},
      {"since", time_text(inputs.began)},
      {"application", app.name()},
      {"applications", applications},
      {"configuration", json::parse(to_json(*configuration, DurationForm::iso))},
      {"policy", {{"name", configuration->policy_name}, {"arguments", configuration->policy}}},
      {"dimension", app.dimension()},
      {"logWritable", !app.failing()},
      {"store", store.shared ? store_json(store) : json(nullptr)},
      {"log", log_of(census->counts, census->time)},
      {"model", model_of(app, census->counts)},
      {"activity", activity_of(app)},
      {"range",
       {{"minutes", inputs.minutes},
        {"pointSeconds", range.length * step_length / second},
        {"from", range.from * step_length},
        {"to", range.to * step_length}}},
      {"rates", rates_of(app.activity(), range, inputs.began)},
      {"estimates", estimates_of(sum.digest)},
      {"exploration", exploration_of(sum.digest, configuration->exploration)},
      {"history", history_of(chronicle, range)},
      {"unreadSeconds", chronicle.unread() * step_length / second},
      {"weights", weights_of(app, chronicle.names())}};
  return document.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace phe::serve
