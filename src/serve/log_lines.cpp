#include "serve/log_lines.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <simdjson.h>

#include "serve/json_text.hpp"
#include "serve/rank_request.hpp"
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
    const auto parsed = requests_.parse(event.request, RequestLimits::none());
    if (!parsed) return parsed.error();
    const RankRequest& request = *parsed.value();
    if (auto done = read_probabilities(event, request); !done) return done.error();
    const auto out = std::back_inserter(line_);
    fmt::format_to(out, "{{\"action\":{},\"reward\":{},\"actions\":{},\"probabilities\":[{}]",
                   action_, event.reward.value_or(0.0), probabilities_.size(),
                   fmt::join(probabilities_, ","));
    for (Contender& contender : contenders_)
      if (auto done = add(contender, request, event.reward.value_or(0.0)); !done)
        return done.error();
    line_ += ",\"event\":";
    append_json(event.id, line_);
    fmt::format_to(out, ",\"time\":{},\"features\":{{", event.time);
    add_features(event.request);
    line_ += "}}\n";
    return std::string_view(line_);
  }

 private:
  // Of the eligible actions, and the place of the one shown among them.
  Result<void> read_probabilities(const LoggedEvent& event, const RankRequest& request) {
    element answer;
    if (documents_.parse(event.answer.data(), event.answer.size()).get(answer))
      return invalid("event {}: its answer is not JSON", event.id);
    probabilities_.clear();
    for (std::size_t k = 0; k < request.actions.size(); ++k) {
      if (request.actions[k].excluded) continue;
      if (k == event.shown) action_ = probabilities_.size();
      double probability = k == event.shown ? 1.0 : 0.0;  // of a baseline
      if (event.mode == LearningMode::online) {
        const auto found = probability_of(answer, request.actions[k].id);
        if (!found) return found.error();
        probability = found.value();
      }
      probabilities_.push_back(probability);
    }
    if (action_ >= probabilities_.size()) return invalid("event {}: nothing was shown", event.id);
    return {};
  }

  static Result<double> probability_of(element answer, std::string_view id) {
    simdjson::dom::array ranking;
    if (answer["ranking"].get(ranking) == simdjson::SUCCESS)
      for (const element entry : ranking) {
        std::string_view name;
        double probability = 0.0;
        if (entry["id"].get(name) == simdjson::SUCCESS && name == id &&
            entry["probability"].get(probability) == simdjson::SUCCESS)
          return probability;
      }
    return invalid("the answer has no action '{}'", id);
  }

  Result<void> add(Contender& contender, const RankRequest& request, double reward) {
    const std::size_t d = contender.dimension;
    rows_.resize(probabilities_.size() * d);
    std::size_t place = 0;
    for (const auto& action : request.actions)
      if (!action.excluded)
        hash_action(request.context, action.features, std::span(rows_).subspan(place++ * d, d));
    const DecideOptions options{.floor = contender.floor};
    if (auto done = contender.policy->decide(Actions::rows(probabilities_.size(), rows_),
                                             contender.rng, options, decision_);
        !done)
      return done;
    line_ += ',';
    append_json(contender.key, line_);
    fmt::format_to(std::back_inserter(line_), ":[{}]", fmt::join(decision_.probabilities, ","));
    return contender.policy->update(std::span(rows_).subspan(action_ * d, d),
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
  RankRequestParser requests_;
  simdjson::dom::parser documents_;
  std::size_t action_ = 0;
  std::vector<double> probabilities_, rows_;
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
