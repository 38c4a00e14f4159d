#include "models/best_beta.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/elementary.hpp"

namespace phe {

namespace {

constexpr std::size_t nodes = 8;

// Gauss and Legendre's rule on [-1, 1], and the integrals from -1 to each node of the polynomials
// that are 1 at one node and 0 at the others.
struct Rule {
  std::array<double, nodes> x = {-0.9602898564975363, -0.7966664774136267, -0.5255324099163290,
                                 -0.1834346424956498, 0.1834346424956498,  0.5255324099163290,
                                 0.7966664774136267,  0.9602898564975363};
  std::array<double, nodes> weight = {0.1012285362903763, 0.2223810344533745, 0.3137066458778873,
                                      0.3626837833783620, 0.3626837833783620, 0.3137066458778873,
                                      0.2223810344533745, 0.1012285362903763};
  std::array<std::array<double, nodes>, nodes> until = {};

  // l_j = w_j sum_n (2n + 1)/2 P_n(x_j) P_n, and (2n + 1) int_-1^x P_n = P_(n+1)(x) - P_(n-1)(x).
  Rule() {
    for (std::size_t i = 0; i < nodes; ++i) {
      const auto at_i = legendre(x[i]);
      for (std::size_t j = 0; j < nodes; ++j) {
        const auto at_j = legendre(x[j]);
        double sum = x[i] + 1.0;
        for (std::size_t n = 1; n < nodes; ++n) sum += at_j[n] * (at_i[n + 1] - at_i[n - 1]);
        until[i][j] = 0.5 * weight[j] * sum;
      }
    }
  }
  // P_0 .. P_8.
  static std::array<double, nodes + 1> legendre(double x) {
    std::array<double, nodes + 1> p = {1.0, x};
    for (std::size_t n = 1; n < nodes; ++n) {
      const auto degree = static_cast<double>(n);
      p[n + 1] = ((2 * degree + 1) * x * p[n] - degree * p[n - 1]) / (degree + 1);
    }
    return p;
  }
};

const Rule& rule() {
  static const Rule rule;
  return rule;
}

double log_density(const BetaShape& shape, double log_x, double log_rest) {
  return (shape.alpha - 1.0) * log_x + (shape.beta - 1.0) * log_rest;
}

// The largest log-density, at the mode.
double peak(const BetaShape& shape) {
  const double a = shape.alpha - 1.0;
  const double b = shape.beta - 1.0;
  if (!(a + b > 0)) return 0.0;
  return (a > 0 ? a * kernels::log(a / (a + b)) : 0.0) +
         (b > 0 ? b * kernels::log(b / (a + b)) : 0.0);
}

}  // namespace

// Panels end where the densities change: some deviations from each mean, and far out, because the
// tail of Beta(1, b) is as long as that of an exponential law.
void BestBeta::choose_panels(std::span<const BetaShape> shapes) {
  constexpr double steps[] = {0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 16.0, 40.0};
  edges_ = {0.0, 1.0};
  for (const auto& [alpha, beta] : shapes) {
    const double sum = alpha + beta;
    const double mean = alpha / sum;
    const double deviation = std::sqrt(mean * (beta / sum) / (sum + 1.0));
    for (const double step : steps)
      for (const double edge : {mean - step * deviation, mean + step * deviation})
        if (edge > 0 && edge < 1) edges_.push_back(edge);
  }
  std::ranges::sort(edges_);
  // Panels that hold no double but their ends are none.
  const auto equal = [](double x, double y) { return y - x < 1e-14; };
  edges_.erase(std::unique(edges_.begin(), edges_.end(), equal), edges_.end());
  edges_.back() = 1.0;
}

void BestBeta::evaluate_densities(std::span<const BetaShape> shapes) {
  const std::size_t panels = edges_.size() - 1;
  densities_.resize(shapes.size() * panels * nodes);
  masses_.assign(shapes.size(), 0.0);
  for (std::size_t panel = 0; panel < panels; ++panel) {
    const double half = 0.5 * (edges_[panel + 1] - edges_[panel]);
    for (std::size_t i = 0; i < nodes; ++i) {
      const double x = edges_[panel] + half * (rule().x[i] + 1.0);
      const double log_x = kernels::log(x);
      const double log_rest = kernels::log(1.0 - x);
      for (std::size_t a = 0; a < shapes.size(); ++a) {
        const double density =
            kernels::exp(log_density(shapes[a], log_x, log_rest) - peak(shapes[a]));
        densities_[(panel * shapes.size() + a) * nodes + i] = density;
        masses_[a] += half * rule().weight[i] * density;
      }
    }
  }
}

void BestBeta::integrate_panel(std::size_t panel, std::span<double> of_each) {
  const std::size_t count = of_each.size();
  const double half = 0.5 * (edges_[panel + 1] - edges_[panel]);
  const auto density = [&](std::size_t a) {
    return std::span(densities_).subspan((panel * count + a) * nodes, nodes);
  };
  // F_a at a node.
  const auto share_below = [&](std::size_t a, std::size_t node) {
    double inside = 0.0;
    for (std::size_t j = 0; j < nodes; ++j) inside += rule().until[node][j] * density(a)[j];
    return std::clamp((below_[a] + half * inside) / masses_[a], 0.0, 1.0);
  };
  for (std::size_t i = 0; i < nodes; ++i) {
    before_[0] = 1.0;
    after_[count] = 1.0;
    for (std::size_t a = 0; a < count; ++a) after_[a] = share_below(a, i);
    for (std::size_t a = 0; a < count; ++a) before_[a + 1] = before_[a] * after_[a];
    for (std::size_t a = count; a-- > 0;) {
      of_each[a] +=
          half * rule().weight[i] * density(a)[i] / masses_[a] * before_[a] * after_[a + 1];
      after_[a] *= after_[a + 1];
    }
  }
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t i = 0; i < nodes; ++i) below_[a] += half * rule().weight[i] * density(a)[i];
}

void BestBeta::probabilities(std::span<const BetaShape> shapes, std::span<double> of_each) {
  choose_panels(shapes);
  evaluate_densities(shapes);
  below_.assign(shapes.size(), 0.0);
  before_.resize(shapes.size() + 1);
  after_.resize(shapes.size() + 1);
  std::ranges::fill(of_each, 0.0);
  for (std::size_t panel = 0; panel + 1 < edges_.size(); ++panel) integrate_panel(panel, of_each);
  double sum = 0.0;
  for (double& p : of_each) sum += p = std::max(p, 0.0);
  for (double& p : of_each) p /= sum;
}

}  // namespace phe
