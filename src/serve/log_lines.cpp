#include "serve/log_lines.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <simdjson.h>

#include "serve/json_text.hpp"
#include "serve/propensities.hpp"
#include "support/error.hpp"

namespace phe::serve {

namespace {

using simdjson::dom::element;

class LineWriter {
 public:
  explicit LineWriter(std::vector<Contender> contenders) : contenders_(std::move(contenders)) {}

  // Nothing for an event that is no line. Valid until the next one.
  Result<std::string_view> line_of(const LoggedEvent& event) {
    line_.clear();
    if (!event.settled || !event.active) return std::string_view();
    const auto read = propensities_.read(event);
    if (!read) return read.error();
    const Propensities& drawn = read.value();
    const auto out = std::back_inserter(line_);
    fmt::format_to(out, "{{\"action\":{},\"reward\":{},\"actions\":{},\"probabilities\":[{}]",
                   drawn.action, event.reward.value_or(0.0), drawn.probabilities.size(),
                   fmt::join(drawn.probabilities, ","));
    for (Contender& contender : contenders_)
      if (auto done = add(contender, drawn, event.reward.value_or(0.0)); !done) return done.error();
    line_ += ",\"event\":";
    append_json(event.id, line_);
    fmt::format_to(out, ",\"time\":{},\"features\":{{", event.time);
    add_features(event.request);
    line_ += "}}\n";
    return std::string_view(line_);
  }

 private:
  Result<void> add(Contender& contender, const Propensities& drawn, double reward) {
    const std::size_t d = contender.dimension;
    const std::size_t count = drawn.probabilities.size();
    rows_.resize(count * d);
    std::size_t place = 0;
    for (const auto& action : drawn.request->actions)
      if (!action.excluded)
        hash_action(drawn.request->context, action.features,
                    std::span(rows_).subspan(place++ * d, d));
    const DecideOptions options{.floor = contender.floor};
    if (auto done = contender.policy->decide(Actions::rows(count, rows_), contender.rng, options,
                                             decision_);
        !done)
      return done;
    line_ += ',';
    append_json(contender.key, line_);
    fmt::format_to(std::back_inserter(line_), ":[{}]", fmt::join(decision_.probabilities, ","));
    return contender.policy->update(std::span(rows_).subspan(drawn.action * d, d),
                                    std::clamp(reward, -1.0, 1.0));
  }

  // The objects of contextFeatures as one.
  void add_features(std::string_view request) {
    element document;
    simdjson::dom::array objects;
    if (documents_.parse(request.data(), request.size()).get(document) ||
        document["contextFeatures"].get(objects))
      return;
    for (const element entry : objects) {
      const std::string text = simdjson::minify(entry);
      if (text.size() <= 2) continue;
      if (line_.back() != '{') line_ += ',';
      line_.append(text, 1, text.size() - 2);
    }
  }

  std::vector<Contender> contenders_;
  PropensityReader propensities_;
  simdjson::dom::parser documents_;
  std::vector<double> rows_;
  Decision decision_;
  std::string line_;
};

}  // namespace

Result<LogSummary> write_log_lines(EventReader& reader, std::int64_t from, std::int64_t to,
                                   std::vector<Contender> contenders,
                                   const std::function<bool(std::string_view)>& write) {
  LineWriter writer(std::move(contenders));
  LogSummary summary;
  Result<void> failed;
  const auto done = reader.events(from, to, [&](const LoggedEvent& event) {
    const auto line = writer.line_of(event);
    if (!line) return failed = line.error(), false;
    if (line->empty()) return true;
    ++summary.lines;
    return write(line.value());
  });
  if (!done) return done.error();
  if (!failed) return failed.error();
  return summary;
}

}  // namespace phe::serve
