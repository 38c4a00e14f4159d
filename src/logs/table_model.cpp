#include <vector>

#include "logs/reward_model.hpp"

namespace phe::logs {

namespace {

struct Sum {
  double rewards = 0.0;
  double count = 0.0;

  [[nodiscard]] double prediction() const noexcept { return rewards / (count + 1.0); }
};

class TableModel final : public RewardModel {
 public:
  explicit TableModel(Folds folds) : folds_(folds), sums_(folds.count) {}

  Result<void> fit(const ReadRows& read) override {
    const auto done = read([this](const Decision& d, std::uint64_t row) -> Result<void> {
      auto& slots = sums_[folds_.learning(row)];
      if (slots.size() <= d.slot) slots.resize(d.slot + 1);
      auto& actions = slots[d.slot];
      if (actions.size() <= d.action) actions.resize(d.action + 1);
      actions[d.action].rewards += d.multiplicity * d.reward;
      actions[d.action].count += d.multiplicity;
      return {};
    });
    if (!done) return done.error();
    return {};
  }

  Modelled predict(const Decision& d, std::uint64_t row, std::span<const double> target) override {
    const auto& slots = sums_[folds_.predicting(row)];
    if (slots.size() <= d.slot) return {};
    const auto& actions = slots[d.slot];
    Modelled modelled;
    for (std::size_t a = 0; a < std::min(target.size(), actions.size()); ++a)
      modelled.direct += target[a] * actions[a].prediction();
    if (d.action < actions.size()) modelled.logged = actions[d.action].prediction();
    return modelled;
  }

 private:
  Folds folds_;
  std::vector<std::vector<std::vector<Sum>>> sums_;  // by fold, slot, action
};

}  // namespace

std::unique_ptr<RewardModel> make_table_model(Folds folds) {
  return std::make_unique<TableModel>(folds);
}

}  // namespace phe::logs
