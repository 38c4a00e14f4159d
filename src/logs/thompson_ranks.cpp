#include "logs/thompson_ranks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "support/error.hpp"
#include "support/incomplete_beta.hpp"

namespace phe::logs {

namespace {

constexpr int panels = 600;
constexpr std::size_t nodes = 16;

struct Node {
  double x = 0.0;
  double weight = 0.0;
};

// Of Gauss and Legendre on [-1, 1]: roots of P_16 by Newton's method, weights 2 / ((1 - x^2) P'^2).
std::array<Node, nodes> gauss_legendre() {
  std::array<Node, nodes> rule;
  constexpr double n = nodes;
  for (std::size_t i = 0; i < nodes; ++i) {
    double x = std::cos(std::numbers::pi * (static_cast<double>(i) + 0.75) / (n + 0.5));
    double slope = 1.0;
    for (int step = 0; step < 20; ++step) {
      double before = 0.0;
      double value = 1.0;  // P_j(x) by the three-term recurrence
      for (std::size_t j = 0; j < nodes; ++j) {
        const auto degree = static_cast<double>(j);
        const double next = ((2 * degree + 1) * x * value - degree * before) / (degree + 1);
        before = value;
        value = next;
      }
      slope = n * (x * value - before) / (x * x - 1.0);
      x -= value / slope;
    }
    rule[i] = {x, 2.0 / ((1.0 - x * x) * slope * slope)};
  }
  return rule;
}

double log_density(const BetaParameters& arm, double log_beta, double x) {
  return (arm.alpha - 1.0) * std::log(x) + (arm.beta - 1.0) * std::log1p(-x) - log_beta;
}

// Polynomials in s, cut after s^(ranks - 1).
using Polynomial = std::vector<double>;

// p * (below + s above).
void multiply(const Polynomial& p, double below, double above, Polynomial& product) {
  for (std::size_t k = p.size(); k-- > 0;)
    product[k] = p[k] * below + (k > 0 ? p[k - 1] * above : 0.0);
}

// Sums the integrand over one node after the other.
class RankIntegral {
 public:
  RankIntegral(const std::vector<BetaParameters>& arms, std::size_t ranks)
      : arms_(arms),
        below_(arms.size()),
        prefix_(arms.size() + 1, Polynomial(ranks)),
        suffix_(arms.size() + 1, Polynomial(ranks)),
        sums_(ranks, std::vector<double>(arms.size())) {
    for (const auto& [alpha, beta] : arms)
      log_beta_.push_back(std::lgamma(alpha) + std::lgamma(beta) - std::lgamma(alpha + beta));
    prefix_.front()[0] = 1.0;
    suffix_.back()[0] = 1.0;
  }

  void add(double x, double weight) {
    for (std::size_t a = 0; a < arms_.size(); ++a)
      below_[a] = incomplete_beta(arms_[a].alpha, arms_[a].beta, x);
    // Products over the arms before a, and over those from a on.
    for (std::size_t a = 0; a < arms_.size(); ++a)
      multiply(prefix_[a], below_[a], 1.0 - below_[a], prefix_[a + 1]);
    for (std::size_t a = arms_.size(); a-- > 0;)
      multiply(suffix_[a + 1], below_[a], 1.0 - below_[a], suffix_[a]);
    for (std::size_t a = 0; a < arms_.size(); ++a) {
      const double density = weight * std::exp(log_density(arms_[a], log_beta_[a], x));
      for (std::size_t k = 0; k < sums_.size(); ++k) sums_[k][a] += density * others_above(a, k);
    }
  }

  [[nodiscard]] std::vector<std::vector<double>> take() { return std::move(sums_); }

 private:
  // P(exactly k of the other arms are above x).
  [[nodiscard]] double others_above(std::size_t arm, std::size_t k) const {
    double sum = 0.0;
    for (std::size_t i = 0; i <= k; ++i) sum += prefix_[arm][i] * suffix_[arm + 1][k - i];
    return sum;
  }

  const std::vector<BetaParameters>& arms_;
  std::vector<double> log_beta_;
  std::vector<double> below_;  // F_a(x)
  std::vector<Polynomial> prefix_;
  std::vector<Polynomial> suffix_;
  std::vector<std::vector<double>> sums_;
};

}  // namespace

Result<std::vector<std::vector<double>>> thompson_ranks(const std::vector<BetaParameters>& arms,
                                                        std::size_t ranks) {
  if (ranks < 1 || ranks > arms.size())
    return invalid("ranks must be from 1 to {}, the number of arms, got {}", arms.size(), ranks);
  for (std::size_t a = 0; a < arms.size(); ++a)
    for (const double parameter : {arms[a].alpha, arms[a].beta})
      if (!(parameter > 0.0 && parameter <= 1e9))
        return invalid("alpha and beta of arm {} must be above 0 and at most 1e9, got {}", a,
                       parameter);
  const auto rule = gauss_legendre();
  RankIntegral integral(arms, ranks);
  for (int panel = 0; panel < panels; ++panel)
    for (const Node& node : rule) {
      // x = u^2 with u in the panel, so dx = 2 u du.
      const double u = (panel + 0.5 * (node.x + 1.0)) / panels;
      integral.add(u * u, node.weight * u / panels);
    }
  return integral.take();
}

}  // namespace phe::logs
