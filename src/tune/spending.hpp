// Spending: what of a budget is used, and what the next runs would cost.
#pragma once

#include <chrono>
#include <cstdint>

#include "tune/budget.hpp"

namespace phe::tune {

// Costs are runs where the budget is in runs, else seconds of wall time times workers.
class Spending {
 public:
  Spending(const Budget& budget, unsigned workers);

  [[nodiscard]] double total() const noexcept { return total_; }
  [[nodiscard]] double spent() const noexcept { return spent_; }
  [[nodiscard]] double left() const noexcept { return total_ - spent_; }

  // Between these two runs are done. Afterwards cost_of() says what each of them cost: its share of
  // the time that passed.
  void begin();
  void end(std::uint64_t runs, double processor_seconds);
  [[nodiscard]] double cost_of(double processor_seconds) const noexcept;

 private:
  using Clock = std::chrono::steady_clock;

  bool in_runs_;
  double workers_;
  double total_;
  double spent_ = 0.0;
  double cost_per_second_ = 0.0;
  Clock::time_point begun_;
};

}  // namespace phe::tune
