// PublishedModel: what ranks. A picture of the learner that never changes, so that any number of
// threads rank with it while the learner goes on.
//
// The law is that of Policy::decide: of M models drawn one is taken at random, and an action that
// is the favourite of c of them has probability (1 - floor) c / M + floor / K. The models are not
// drawn anew for each rank but when the picture is made: a pool of groups of M, of which a rank
// takes one (docs/decisions/050-ranking-from-a-pool.md).
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "phe/policy.hpp"
#include "phe/result.hpp"

namespace phe::serve {

// Used again it does not allocate.
struct Preferences {
  std::vector<double> probabilities;  // of each row
  std::vector<double> scores;         // what the rows are sorted by: the mean of the draws' scores
};

class PublishedModel {
 public:
  static constexpr std::size_t draws = 16;  // M: the models that one rank takes
  static constexpr std::size_t groups = 4;  // of M models each, drawn when it is made

  virtual ~PublishedModel() = default;
  PublishedModel(const PublishedModel&) = delete;
  PublishedModel& operator=(const PublishedModel&) = delete;

  // `rows`: K vectors of D numbers, one behind the other. `key` names the event.
  virtual Result<void> decide(std::span<const double> rows, std::size_t count, double floor,
                              StreamKey key, Preferences& into) const = 0;

  // The weight of each of the D entries, and how far the drawn models differ in it (one standard
  // deviation). False where it has no such models, or knows nothing yet.
  virtual bool weights(std::span<double> /*mean*/, std::span<double> /*spread*/) const {
    return false;
  }

  // Lessons that it has learnt. Without any it knows no reason to prefer an action.
  [[nodiscard]] std::int64_t lessons() const noexcept { return lessons_; }

 protected:
  explicit PublishedModel(std::int64_t lessons) noexcept : lessons_(lessons) {}

 private:
  std::int64_t lessons_;
};

// Of a policy that draws a model and takes its favourite, a pool of models; of any other a copy
// that decides, one rank at a time. `copy` is a copy of the learner's policy.
std::shared_ptr<const PublishedModel> publish(std::unique_ptr<Policy> copy, std::int64_t lessons,
                                              std::size_t dimension, StreamKey key);

}  // namespace phe::serve
