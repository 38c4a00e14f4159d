// From a checked request to the answer of a rank call.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "serve/configuration.hpp"
#include "serve/published_model.hpp"
#include "serve/rank_request.hpp"

namespace phe::serve {

// All that decides an answer: the same of these, the same bytes.
struct RankInputs {
  const RankRequest& request;
  std::string_view event_id;
  const PublishedModel& model;
  std::size_t dimension;
  double floor;
  LearningMode mode;
  StreamKey application;  // what the application draws from
};

struct Ranking {
  std::string answer;     // the body
  std::size_t drawn = 0;  // the model's choice among the request's actions
  std::size_t shown = 0;  // what the caller is to show: the same, but for baselines
};

// One per thread: used again it does not allocate.
class Ranker {
 public:
  Result<Ranking> rank(const RankInputs& inputs);

 private:
  void hash_rows(const RankInputs& inputs);
  std::size_t draw(StreamKey key) const;
  void order(const RankInputs& inputs, std::size_t drawn);
  std::string write(const RankInputs& inputs, std::size_t shown) const;

  std::vector<double> rows_;
  std::vector<std::size_t> eligible_;  // their places in the request
  std::vector<std::size_t> sorted_;    // places among the eligible, best first, the drawn one first
  std::vector<std::size_t> order_;     // places in the request, as answered
  std::vector<double> probabilities_;  // of the request's actions
  Preferences preferences_;
};

}  // namespace phe::serve
