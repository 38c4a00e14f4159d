// A model of your own that explores: the mean of the nearest neighbours, in no sense linear.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include <phe/oracle_phe.hpp>

class Nearest final : public phe::Oracle {
 public:
  explicit Nearest(std::size_t k) : k_(k) {}

  phe::Result<void> fit(const phe::PerturbedRows& rows, phe::Rng&) override {
    known_.clear();
    for (std::size_t i = 0; i < rows.size(); ++i)
      known_.push_back({rows[i].features[0], rows[i].weight, rows[i].perturbed_sum});
    return {};
  }
  phe::Result<void> score(const phe::Actions& actions, std::vector<double>& scores) override {
    for (const double x : actions.features) scores.push_back(mean_at(x));
    return {};
  }

 private:
  double mean_at(double x) {
    const std::size_t k = std::min(k_, known_.size());
    std::nth_element(
        known_.begin(), known_.begin() + long(k) - 1, known_.end(),
        [&](const Known& a, const Known& b) { return std::abs(a.x - x) < std::abs(b.x - x); });
    double weight = 0, sum = 0;
    for (std::size_t i = 0; i < k; ++i) weight += known_[i].weight, sum += known_[i].sum;
    return sum / weight;
  }

  struct Known {
    double x, weight, sum;
  };
  std::size_t k_;
  std::vector<Known> known_;
};

int main() {
  phe::OraclePheOptions options;
  options.refit = phe::Refit::when_grown_by(1.1);
  auto policy = phe::OraclePhe::create(
      1, "nearest", [] { return std::make_unique<Nearest>(25); }, options);
  if (!policy) return std::fprintf(stderr, "%s\n", policy.error().message.c_str()), 1;
  phe::Rng rng(1), world(2);
  double regret = 0, last = 0;  // per round; of the last fifth
  for (int round = 1; round <= 5000; ++round) {
    double offered[4], paid[4];  // prices, say: too low and too high pay little
    for (int k = 0; k < 4; ++k)
      offered[k] = phe::to_unit(world()), paid[k] = 4 * offered[k] * (1 - offered[k]);
    const auto chosen = policy->select(phe::Actions::rows(4, offered), rng);
    if (!chosen) return std::fprintf(stderr, "%s\n", chosen.error().message.c_str()), 1;
    const auto k = chosen.value();
    if (!policy->update({&offered[k], 1}, phe::to_unit(world()) < paid[k] ? 1.0 : 0.0)) return 1;
    (round > 4000 ? last : regret) += *std::max_element(paid, paid + 4) - paid[k];
  }
  std::printf("regret per round: %.3f, at last %.3f\n", (regret + last) / 5000, last / 1000);
}
