#include "serve/propensities.hpp"

#include <simdjson.h>

#include "support/error.hpp"

namespace phe::serve {

using simdjson::dom::element;

struct PropensityReader::Parts {
  RankRequestParser requests;
  simdjson::dom::parser answers;
  std::vector<double> probabilities;
};

namespace {

Result<double> probability_of(element answer, std::string_view id) {
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

}  // namespace

PropensityReader::PropensityReader() : parts_(std::make_unique<Parts>()) {}
PropensityReader::PropensityReader(PropensityReader&&) noexcept = default;
PropensityReader::~PropensityReader() = default;

Result<Propensities> PropensityReader::read(const LoggedEvent& event) {
  auto& [requests, answers, probabilities] = *parts_;
  const auto parsed = requests.parse(event.request, RequestLimits::none());
  if (!parsed) return parsed.error();
  const RankRequest& request = *parsed.value();
  element answer;
  if (answers.parse(event.answer.data(), event.answer.size()).get(answer))
    return invalid("event {}: its answer is not JSON", event.id);
  probabilities.clear();
  std::size_t action = request.actions.size();
  for (std::size_t k = 0; k < request.actions.size(); ++k) {
    if (request.actions[k].excluded) continue;
    if (k == event.shown) action = probabilities.size();
    double probability = k == event.shown ? 1.0 : 0.0;  // of a baseline
    if (event.mode == LearningMode::online) {
      const auto found = probability_of(answer, request.actions[k].id);
      if (!found) return found.error();
      probability = found.value();
    }
    probabilities.push_back(probability);
  }
  if (action >= probabilities.size()) return invalid("event {}: nothing was shown", event.id);
  return Propensities{probabilities, action, &request};
}

}  // namespace phe::serve
