// BestBeta: the probability that each of several independent Beta draws is the largest,
//
//   P(a) = int f_a(x) prod_{b != a} F_b(x) dx,
//
// by quadrature, to about 1e-9: what Thompson sampling does, in closed form. It uses +, *, /, our
// own exp and log, and no more, so that its bits are the same everywhere. Densities are normalised
// by their own integrals.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace phe {

struct BetaShape {
  double alpha = 1.0;
  double beta = 1.0;
};

class BestBeta {
 public:
  // Precondition: as many probabilities as shapes, at least one; alpha and beta from 1 to 1e15.
  void probabilities(std::span<const BetaShape> shapes, std::span<double> of_each);

 private:
  void choose_panels(std::span<const BetaShape> shapes);
  void evaluate_densities(std::span<const BetaShape> shapes);
  void integrate_panel(std::size_t panel, std::span<double> of_each);

  std::vector<double> edges_;           // of the panels, from 0 to 1
  std::vector<double> densities_;       // by shape, panel and node; up to a factor per shape
  std::vector<double> masses_;          // of each shape, in the same unit
  std::vector<double> below_;           // of each shape, the mass before the present panel
  std::vector<double> before_, after_;  // products over the shapes before one, and behind it
};

}  // namespace phe
