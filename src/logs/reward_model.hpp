// RewardModel: predicts the reward of every action, for the estimators that use a model.
//
// With two folds a row is predicted by the model that was fitted to the rows of the other parity,
// so that no row's own reward is in its prediction.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "logs/decision.hpp"
#include "logs/estimators.hpp"
#include "logs/read_log.hpp"
#include "phe/result.hpp"

namespace phe::logs {

// Reads the log once: every decision that is not refused, with its number from 0.
using TakeRow = std::function<Result<void>(const Decision&, std::uint64_t row)>;
using ReadRows = std::function<Result<ReadCounts>(const TakeRow&)>;

class RewardModel {
 public:
  virtual ~RewardModel() = default;

  virtual Result<void> fit(const ReadRows& read) = 0;
  // `target` holds P(each action). After fit; actions that were never seen have reward 0.
  [[nodiscard]] virtual Modelled predict(const Decision& decision, std::uint64_t row,
                                         std::span<const double> target) = 0;
};

// folds: 1 or 2.
struct Folds {
  std::size_t count = 2;

  [[nodiscard]] std::size_t learning(std::uint64_t row) const noexcept { return row % count; }
  [[nodiscard]] std::size_t predicting(std::uint64_t row) const noexcept {
    return (row + count - 1) % count;
  }
};

// q(a, k) = sum of rewards / (count + 1), for every action and slot. One pass.
std::unique_ptr<RewardModel> make_table_model(Folds folds);
// One ridge regression an action, the same ridge on every coefficient: bias, a dummy for each slot
// and each category but the first (in byte order), numbers as they are. A feature whose values are
// all numbers is a number. Two passes, and memory for a Gram matrix an action and fold.
std::unique_ptr<RewardModel> make_ridge_model(Folds folds, double ridge);

}  // namespace phe::logs
