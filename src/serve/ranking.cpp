#include "serve/ranking.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include <fmt/format.h>

#include "serve/json_text.hpp"

namespace phe::serve {

void Ranker::hash_rows(const RankInputs& inputs) {
  eligible_.clear();
  const auto& actions = inputs.request.actions;
  for (std::size_t k = 0; k < actions.size(); ++k)
    if (!actions[k].excluded) eligible_.push_back(k);
  const std::size_t d = inputs.dimension;
  rows_.resize(eligible_.size() * d);
  for (std::size_t i = 0; i < eligible_.size(); ++i)
    hash_action(inputs.request.context, actions[eligible_[i]].features,
                std::span(rows_).subspan(i * d, d));
}

// The place, among the eligible, of an action drawn by the probabilities.
std::size_t Ranker::draw(StreamKey key) const {
  double u = to_unit(SplitMix(key)());
  const auto& p = preferences_.probabilities;
  std::size_t last = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p[i] <= 0.0) continue;
    last = i;
    if (u < p[i]) return i;
    u -= p[i];
  }
  return last;  // rounding
}

// Best first, then what was drawn changes places with the first; excluded actions stay where the
// request has them. A baseline keeps the request's order.
void Ranker::order(const RankInputs& inputs, std::size_t drawn) {
  order_.resize(inputs.request.actions.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  if (inputs.mode != LearningMode::online) return;
  sorted_.resize(eligible_.size());
  std::iota(sorted_.begin(), sorted_.end(), std::size_t{0});
  std::ranges::stable_sort(sorted_, std::greater<>(),
                           [&](std::size_t i) { return preferences_.scores[i]; });
  std::swap(sorted_[0], *std::ranges::find(sorted_, drawn));
  for (std::size_t i = 0; i < eligible_.size(); ++i) order_[eligible_[i]] = eligible_[sorted_[i]];
}

std::string Ranker::write(const RankInputs& inputs, std::size_t shown) const {
  const auto& actions = inputs.request.actions;
  std::string answer = "{\"ranking\":[";
  for (const std::size_t k : order_) {
    answer += answer.back() == '[' ? "{\"id\":" : ",{\"id\":";
    append_json(actions[k].id, answer);
    fmt::format_to(std::back_inserter(answer), ",\"probability\":{}}}", probabilities_[k]);
  }
  answer += "],\"eventId\":";
  append_json(inputs.event_id, answer);
  answer += ",\"rewardActionId\":";
  append_json(actions[shown].id, answer);
  answer += '}';
  return answer;
}

Result<Ranking> Ranker::rank(const RankInputs& inputs) {
  hash_rows(inputs);
  const StreamKey key = inputs.application.with(inputs.event_id);
  if (auto done = inputs.model.decide(rows_, eligible_.size(), inputs.floor, key, preferences_);
      !done)
    return done.error();
  if (inputs.mode == LearningMode::logging_only) {  // nothing but the baseline is ever shown
    std::ranges::fill(preferences_.probabilities, 0.0);
    preferences_.probabilities[0] = 1.0;
  }
  const std::size_t drawn = draw(key.with(Stream::context));
  order(inputs, drawn);
  probabilities_.assign(inputs.request.actions.size(), 0.0);
  for (std::size_t i = 0; i < eligible_.size(); ++i)
    probabilities_[eligible_[i]] = preferences_.probabilities[i];
  Ranking ranking;
  ranking.drawn = eligible_[drawn];
  ranking.shown = inputs.mode == LearningMode::online ? ranking.drawn : eligible_[0];
  ranking.answer = write(inputs, ranking.shown);
  return ranking;
}

}  // namespace phe::serve
