// theta-tilde drawn many times in one state of LinPHE, and its deviations from theta-bar.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "theory/verify.hpp"
#include "theory/watch.hpp"

namespace phe::theory {

// What is the same in all states.
struct Frame {
  const Instance* instance = nullptr;
  VerifyOptions options{};
  MakeSampler make_sampler{};
  Geometry geometry{};
  LinPheOptions policy{};
  double shift = 0;             // a/2, or 0 when pseudo-rewards are centred
  std::vector<double> theta{};  // theta* of the analysis: x_i^T theta = mu_i + shift
  Constants constants{};
  double ridge_ratio = 0;  // lambda / lambda_min(G_{d+1})
  double p3 = 0;           // Lemma 7 at c = c1
  ArmId best = 0;

  // (c1 + c2) (1 + 2 / (p3 - p2)), the factor of Lemma 2.
  [[nodiscard]] double regret_factor() const noexcept;
};

Result<Frame> frame_of(const Instance& instance, const VerifyOptions& options,
                       const MakeSampler& make_sampler);

struct Direction {
  std::string name;
  Eigen::VectorXd x;
  double width = 0;                // |x|_{G^-1}
  std::vector<double> deviations;  // x^T (theta-tilde - theta-bar) / |x|_{G^-1}, one per draw
};

struct Moments {
  double sum = 0;
  double squares = 0;
  std::uint64_t count = 0;

  void add(double value) {
    sum += value;
    squares += value * value;
    ++count;
  }
  [[nodiscard]] double mean() const { return sum / static_cast<double>(count); }
  [[nodiscard]] double variance() const {
    const auto m = static_cast<double>(count);
    return std::max(0.0, (squares - sum * sum / m) / (m - 1));
  }
  [[nodiscard]] double standard_error() const {
    return std::sqrt(variance() / static_cast<double>(count));
  }
};

// Many theta-tilde drawn in one state.
struct SampledState {
  std::uint64_t round = 0;
  AnalysisState analysis;
  std::vector<Direction> directions{};
  std::uint64_t not_close = 0;  // draws outside E_2
  Moments gap{};                // of the pulled arm
  Moments width{};              // of the pulled arm, at most 1

  [[nodiscard]] std::string at(const std::string& direction) const {
    return fmt::format("t = {}, {}", round, direction);
  }
};

Result<SampledState> sample_state(const Frame& frame, std::uint64_t round, const History& history,
                                  Rng& rng);

}  // namespace phe::theory
