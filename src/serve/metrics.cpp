#include "serve/metrics.hpp"

#include <filesystem>
#include <functional>

#include <fmt/format.h>
#include <sys/resource.h>

#include "phe/version.hpp"
#include "serve/metrics_text.hpp"

namespace phe::serve {

namespace {

constexpr std::array<std::string_view, Activity::fates> fate_names{"counted", "unknown_event",
                                                                   "late", "repeated"};

void add_process(MetricsText& text) {
  text.family("phe_build_info", "gauge", "Always 1; the version is a label.");
  text.sample({{"version", version}}, 1);
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  text.family("process_cpu_seconds_total", "counter", "Processor time of this process.");
  text.sample({}, seconds(used.ru_utime) + seconds(used.ru_stime));
  text.family("phe_peak_memory_bytes", "gauge", "The most memory that this process has used.");
  text.sample({}, 1024.0 * static_cast<double>(used.ru_maxrss));
}

void add_requests(const RequestCounts& requests, std::size_t connections, MetricsText& text) {
  text.family("phe_http_connections", "gauge", "Connections that are open.");
  text.sample({}, static_cast<double>(connections));
  text.family("phe_http_requests_total", "counter", "Requests that were answered.");
  for (std::size_t i = 0; i < operation_names.size(); ++i)
    for (int status = 100; status < static_cast<int>(RequestCounts::statuses); ++status)
      if (const auto n = requests.answered(static_cast<Operation>(i), status); n > 0)
        text.sample({{"operation", operation_names[i]}, {"status", std::to_string(status)}},
                    static_cast<double>(n));
  text.family("phe_http_request_duration_seconds", "histogram",
              "From a whole request to its answer.");
  for (std::size_t i = 0; i < operation_names.size(); ++i) {
    const auto durations = requests.durations(static_cast<Operation>(i));
    const std::string_view name = operation_names[i];
    std::uint64_t below = 0;
    for (std::size_t b = 0; b < durations.buckets.size(); ++b) {
      below += durations.buckets[b];
      const std::string end =
          b < RequestCounts::bounds.size()
              ? fmt::format("{}", 1e-6 * static_cast<double>(RequestCounts::bounds[b]))
              : "+Inf";
      text.sample({{"operation", name}, {"le", end}}, static_cast<double>(below), "_bucket");
    }
    text.sample({{"operation", name}}, 1e-6 * static_cast<double>(durations.microseconds), "_sum");
    text.sample({{"operation", name}}, static_cast<double>(below), "_count");
  }
}

// A row each: what it is called, its type, what it is, and its value for an application.
struct Row {
  std::string_view name, type, help;
  std::function<double(Application&, const StoreCounts&)> value;
};

const std::vector<Row>& rows() {
  static const std::vector<Row> all = {
      {"phe_decisions_total", "counter", "Ranks that were answered, repeated ones too.",
       [](Application& app, const StoreCounts&) {
         return static_cast<double>(app.activity().totals().decisions);
       }},
      {"phe_log_events", "gauge", "Events in the log.",
       [](Application&, const StoreCounts& n) { return static_cast<double>(n.events); }},
      {"phe_log_waiting_events", "gauge", "Events that are open for rewards.",
       [](Application&, const StoreCounts& n) { return static_cast<double>(n.waiting); }},
      {"phe_log_expired_events", "gauge", "Events in the log that were closed without a reward.",
       [](Application&, const StoreCounts& n) { return static_cast<double>(n.expired); }},
      {"phe_log_rewards", "gauge", "Rewards in the log.",
       [](Application&, const StoreCounts& n) { return static_cast<double>(n.rewards); }},
      {"phe_log_late_rewards", "gauge", "Rewards in the log that came too late to be learnt.",
       [](Application&, const StoreCounts& n) { return static_cast<double>(n.late_rewards); }},
      {"phe_log_lessons", "gauge", "The number of the last lesson in the log.",
       [](Application&, const StoreCounts& n) { return static_cast<double>(n.lessons); }},
      {"phe_log_bytes", "gauge", "Bytes of the log's file.",
       [](Application& app, const StoreCounts&) {
         std::error_code failed;
         const auto size = std::filesystem::file_size(app.file(), failed);
         return failed ? 0.0 : static_cast<double>(size);
       }},
      {"phe_log_failing", "gauge", "1 while the log cannot be written.",
       [](Application& app, const StoreCounts&) { return app.failing() ? 1.0 : 0.0; }},
      {"phe_model_lessons", "gauge", "The number of the last lesson that the ranking model knows.",
       [](Application& app, const StoreCounts&) {
         return static_cast<double>(app.published()->lessons());
       }},
      {"phe_model_age_seconds", "gauge", "How long the ranking model has been in use.",
       [](Application& app, const StoreCounts&) {
         return 1e-3 * static_cast<double>(app.clock().now() - app.published_at());
       }},
      {"phe_exploration_ratio", "gauge", "The uniform floor under all probabilities.",
       [](Application& app, const StoreCounts&) { return app.configuration()->exploration; }},
      {"phe_store_connected", "gauge", "0 while the store that nodes share is away.",
       [](Application& app, const StoreCounts&) {
         return app.store_state().connected ? 1.0 : 0.0;
       }},
      {"phe_store_lag_seconds", "gauge", "How far this node's log is behind the shared one.",
       [](Application& app, const StoreCounts&) {
         return 1e-3 * static_cast<double>(app.store_state().lag);
       }},
      {"phe_store_buffered_calls", "gauge", "Calls that wait on this node for the shared store.",
       [](Application& app, const StoreCounts&) {
         return static_cast<double>(app.store_state().buffered);
       }},
      {"phe_store_refused_total", "counter", "Calls refused because the shared store was away.",
       [](Application& app, const StoreCounts&) {
         return static_cast<double>(app.store_state().refused);
       }},
      {"phe_store_entries_total", "counter", "Entries of the shared store that were followed.",
       [](Application& app, const StoreCounts&) {
         return static_cast<double>(app.store_state().folded);
       }},
  };
  return all;
}

void add_applications(const std::map<std::string, Observer*>& observers, MetricsText& text) {
  std::map<std::string, StoreCounts> counts;
  for (const auto& [name, observer] : observers)
    if (const auto census = observer->census()) counts[name] = census->counts;
  for (const Row& row : rows()) {
    text.family(row.name, row.type, row.help);
    for (const auto& [name, n] : counts)
      text.sample({{"application", name}}, row.value(observers.at(name)->application(), n));
  }
  text.family("phe_rewards_total", "counter", "Reward calls that were answered, by their fate.");
  for (const auto& [name, observer] : observers) {
    const auto totals = observer->application().activity().totals();
    for (std::size_t i = 0; i < fate_names.size(); ++i)
      text.sample({{"application", name}, {"fate", fate_names[i]}},
                  static_cast<double>(totals.rewards_by_fate[i]));
  }
}

}  // namespace

std::string metrics_text(const RequestCounts& requests, std::size_t connections,
                         const std::map<std::string, Observer*>& observers) {
  MetricsText text;
  add_process(text);
  add_requests(requests, connections, text);
  add_applications(observers, text);
  return text.take();
}

}  // namespace phe::serve
