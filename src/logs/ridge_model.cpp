#include <algorithm>
#include <cmath>
#include <vector>

#include "core/aligned_vector.hpp"
#include "kernels/cholesky.hpp"
#include "kernels/matrix.hpp"
#include "kernels/padded.hpp"
#include "logs/feature_encoding.hpp"
#include "logs/reward_model.hpp"
#include "phe/arms.hpp"
#include "support/error.hpp"
#include "support/memory.hpp"

namespace phe::logs {

namespace {

// theta = G^-1 b with G = ridge I + sum c x x^T and b = sum c r x.
struct Regression {
  AlignedVector gram;
  AlignedVector moment;  // b; theta once it is solved

  void learn(std::span<const double> x, double reward, double multiplicity, AlignedVector& scaled) {
    const std::size_t stride = x.size();
    kernels::copy_scaled(x.data(), std::sqrt(multiplicity), stride, scaled.data());
    kernels::add_outer({gram.data(), gram.size() / stride, stride}, scaled.data());
    kernels::add_scaled(x.data(), multiplicity * reward, stride, moment.data());
  }
};

class RidgeModel final : public RewardModel {
 public:
  RidgeModel(Folds folds, double ridge) : folds_(folds), ridge_(ridge), arms_(folds.count) {}

  Result<void> fit(const ReadRows& read) override {
    if (auto done = survey(read); !done) return done;
    const auto done = read([this](const Decision& d, std::uint64_t row) -> Result<void> {
      encoding_.encode(d, row_);
      regression(folds_.learning(row), d.action).learn(row_, d.reward, d.multiplicity, scaled_);
      return {};
    });
    if (!done) return done.error();
    return solve();
  }

  Modelled predict(const Decision& d, std::uint64_t row, std::span<const double> target) override {
    encoding_.encode(d, row_);
    const auto& arms = arms_[folds_.predicting(row)];
    const auto reward = [&](std::size_t a) {
      return a < arms.size() && !arms[a].moment.empty()
                 ? kernels::dot(arms[a].moment.data(), row_.data(), row_.size())
                 : 0.0;
    };
    Modelled modelled;
    for (std::size_t a = 0; a < std::min(target.size(), arms.size()); ++a)
      if (target[a] > 0.0) modelled.direct += target[a] * reward(a);
    modelled.logged = reward(d.action);
    return modelled;
  }

 private:
  Result<void> survey(const ReadRows& read) {
    std::size_t actions = 0;
    const auto counts = read([&](const Decision& d, std::uint64_t) -> Result<void> {
      encoding_.see(d);
      actions = std::max(actions, d.action + 1);
      return {};
    });
    if (!counts) return counts.error();
    if (auto done = encoding_.settle(counts->feature_names); !done) return done;
    row_.assign(padded(encoding_.dimension()), 0.0);
    scaled_.assign(row_.size(), 0.0);
    return check_memory(
        fmt::format("reward models: {} actions, {} features", actions, encoding_.dimension()),
        8.0 * static_cast<double>(actions * folds_.count) *
            static_cast<double>((encoding_.dimension() + 1) * row_.size()));
  }

  Regression& regression(std::size_t fold, std::size_t action) {
    auto& arms = arms_[fold];
    if (arms.size() <= action) arms.resize(action + 1);
    Regression& arm = arms[action];
    if (!arm.moment.empty()) return arm;
    const std::size_t d = encoding_.dimension();
    arm.moment.assign(row_.size(), 0.0);
    arm.gram.assign(d * row_.size(), 0.0);
    for (std::size_t j = 0; j < d; ++j) arm.gram[j * row_.size() + j] = ridge_;
    return arm;
  }

  Result<void> solve() {
    const std::size_t d = encoding_.dimension();
    AlignedVector factor(d * row_.size());
    for (auto& arms : arms_)
      for (Regression& arm : arms) {
        if (arm.moment.empty()) continue;
        const kernels::MatrixView gram{arm.gram.data(), d, row_.size()};
        const kernels::MatrixView l{factor.data(), d, row_.size()};
        if (!kernels::cholesky_of_gram(gram, l))
          return invalid("the ridge model cannot be fitted: its features are too large");
        kernels::cholesky_solve(l, arm.moment.data(), arm.moment.data());
        arm.gram = {};
      }
    return {};
  }

  Folds folds_;
  double ridge_;
  FeatureEncoding encoding_;
  std::vector<std::vector<Regression>> arms_;  // by fold, action
  AlignedVector row_, scaled_;
};

}  // namespace

std::unique_ptr<RewardModel> make_ridge_model(Folds folds, double ridge) {
  return std::make_unique<RidgeModel>(folds, ridge);
}

}  // namespace phe::logs
