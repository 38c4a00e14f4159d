// Oracle: a model of your own for perturbed-history exploration, which needs of it only that it can
// be fitted to a history and that it can score actions (OraclePhe, phe/oracle_phe.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "phe/actions.hpp"
#include "phe/result.hpp"
#include "phe/rng.hpp"

namespace phe {

// All that was observed of one feature vector, mixed with its pseudo-rewards. Rewards have been
// mapped to [0, 1].
struct PerturbedRow {
  std::span<const double> features;
  std::uint64_t count;   // T: how often it was observed
  double reward_sum;     // V: what that paid
  double weight;         // T and the number of pseudo-rewards, a T
  double perturbed_sum;  // V + U, U the sum of the pseudo-rewards
  std::uint64_t copies;  // how many equal examples stand for it, where weights are not known

  // What a model should predict here, with that weight. With fractional a in contexts it may step
  // outside [0, 1].
  [[nodiscard]] double mean() const noexcept { return perturbed_sum / weight; }
};

// A perturbed history. A view, valid during the call that it is given to.
class PerturbedRows {
 public:
  // Of each row: `stride` numbers, of which the first `dimension` are its features, and one entry
  // in each of the spans.
  struct Columns {
    const double* features = nullptr;
    std::size_t dimension = 0;
    std::size_t stride = 0;
    std::span<const std::uint64_t> counts;
    std::span<const double> reward_sums;
    std::span<const double> weights;
    std::span<const double> perturbed_sums;
    std::span<const std::uint64_t> copies;
  };
  explicit PerturbedRows(const Columns& columns) noexcept : columns_(columns) {}

  [[nodiscard]] std::size_t size() const noexcept { return columns_.counts.size(); }
  [[nodiscard]] std::size_t dimension() const noexcept { return columns_.dimension; }
  [[nodiscard]] PerturbedRow operator[](std::size_t row) const noexcept {
    return {{columns_.features + row * columns_.stride, columns_.dimension},
            columns_.counts[row],
            columns_.reward_sums[row],
            columns_.weights[row],
            columns_.perturbed_sums[row],
            columns_.copies[row]};
  }

 private:
  Columns columns_;
};

// One example for models that know no weights.
struct Example {
  std::span<const double> features;
  double value;
};
// Each row as often as it counts: with fixed arms T rewards and ceil(a T) pseudo-rewards, in
// contexts, where every observation has its share of them, T. All copies of a row have its mean,
// so that a squared or logarithmic loss has the same minimum as with weights. `examples` is
// overwritten, and valid as long as `rows`.
void replicate(const PerturbedRows& rows, std::vector<Example>& examples);

// A model. Both functions may fail, by an Error or by an exception: the round then has no choice,
// its error names the oracle, and no reward is lost. Equal rows and equal randomness must give an
// equal model, or a policy that is restored goes on differently.
class Oracle {
 public:
  virtual ~Oracle() = default;

  // Forgets what it was fitted to before. There is at least one row. Randomness, where it needs
  // some, is that of `rng`.
  virtual Result<void> fit(const PerturbedRows& rows, Rng& rng) = 0;
  // What each action would pay, one finite number per action in their order: the largest is
  // chosen. `scores` comes empty.
  virtual Result<void> score(const Actions& actions, std::vector<double>& scores) = 0;

 protected:
  Oracle() = default;
  Oracle(const Oracle&) = default;
  Oracle(Oracle&&) = default;
  Oracle& operator=(const Oracle&) = default;
  Oracle& operator=(Oracle&&) = default;
};

// Makes a model that was not fitted yet. Several are kept at a time.
using MakeOracle = std::function<std::unique_ptr<Oracle>()>;

}  // namespace phe
