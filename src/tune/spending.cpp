#include "tune/spending.hpp"

namespace phe::tune {

Spending::Spending(const Budget& budget, unsigned workers)
    : in_runs_(budget.runs.has_value()),
      workers_(workers),
      total_(in_runs_ ? static_cast<double>(*budget.runs) : budget.seconds * workers) {}

void Spending::begin() { begun_ = Clock::now(); }

void Spending::end(std::uint64_t runs, double processor_seconds) {
  if (in_runs_) {
    spent_ += static_cast<double>(runs);
    return;
  }
  const double passed = std::chrono::duration<double>(Clock::now() - begun_).count() * workers_;
  spent_ += passed;
  cost_per_second_ = processor_seconds > 0.0 ? passed / processor_seconds : 0.0;
}

double Spending::cost_of(double processor_seconds) const noexcept {
  return in_runs_ ? 1.0 : cost_per_second_ * processor_seconds;
}

}  // namespace phe::tune
