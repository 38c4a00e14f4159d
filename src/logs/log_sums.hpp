// LogSums: all that one pass over a log adds up, slot by slot.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "logs/decision.hpp"
#include "logs/estimators.hpp"

namespace phe::logs {

// The smallest and the largest of some numbers.
struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value) noexcept;
  [[nodiscard]] bool is_one_value() const noexcept { return low == high; }
};

// Of one slot, or of the whole log.
struct SlotSums {
  Moments moments;
  double largest_weight = 0.0;
  std::uint64_t over_clip = 0;
  std::uint64_t support_violations = 0;

  void add(const SlotSums& other) noexcept;
};

// The row that counts most, and its share of all.
struct Heaviest {
  double value = 0.0;
  double sum = 0.0;
  std::string file;
  std::uint64_t line = 0;

  void add(double amount, const Decision& decision);
  [[nodiscard]] double share() const noexcept { return sum > 0.0 ? value / sum : 0.0; }
};

class LogSums {
 public:
  // `target`: P(each action) under the target; empty where it is not known.
  void add(const Decision& decision, double w, std::span<const double> target, const Row& row,
           const WeightLimits& limits, bool with_model);

  [[nodiscard]] const std::vector<SlotSums>& slots() const noexcept { return slots_; }  // by slot
  [[nodiscard]] SlotSums whole() const noexcept;

  [[nodiscard]] const Extent& rewards() const noexcept { return rewards_; }
  [[nodiscard]] const Extent& propensities() const noexcept { return propensities_; }
  [[nodiscard]] const Extent& multiplicities() const noexcept { return multiplicities_; }
  [[nodiscard]] const Heaviest& heaviest_weight() const noexcept { return heaviest_weight_; }
  [[nodiscard]] const Heaviest& heaviest_term() const noexcept { return heaviest_term_; }
  // Rows whose propensity was found by resampling that stopped at its cap.
  [[nodiscard]] std::uint64_t capped() const noexcept { return capped_; }
  // Whether every row had the probabilities of all actions, under the log's policy and the target.
  [[nodiscard]] bool support_is_known() const noexcept { return support_is_known_; }
  // By how much the propensity of one action in one slot varies: the largest ratio.
  [[nodiscard]] double propensity_spread() const noexcept;

 private:
  std::vector<SlotSums> slots_;
  std::vector<std::vector<Extent>> propensity_of_;  // by slot, action
  std::uint64_t capped_ = 0;
  Extent rewards_, propensities_, multiplicities_;
  Heaviest heaviest_weight_, heaviest_term_;
  bool support_is_known_ = true;
};

}  // namespace phe::logs
