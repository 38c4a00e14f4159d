#include "logs/target.hpp"

#include <algorithm>

#include "support/error.hpp"

namespace phe::logs {

namespace {

Error unknown_actions() {
  return invalid("the log does not say how many actions there are: give --actions");
}

class UniformTarget final : public Target {
 public:
  explicit UniformTarget(std::size_t actions) : actions_(actions) {}

  [[nodiscard]] Result<double> probability(const Decision& d) const override {
    if (d.actions == 0) return unknown_actions();
    return 1.0 / static_cast<double>(d.actions);
  }
  [[nodiscard]] Result<std::span<const double>> probabilities(const Decision& d) override {
    if (d.actions == 0) return unknown_actions();
    if (shares_.size() != d.actions)
      shares_.assign(d.actions, 1.0 / static_cast<double>(d.actions));
    return std::span<const double>(shares_);
  }
  [[nodiscard]] std::optional<double> largest_probability() const override {
    if (actions_ == 0) return {};
    return 1.0 / static_cast<double>(actions_);
  }

 private:
  std::size_t actions_;
  std::vector<double> shares_;
};

class ColumnTarget final : public Target {
 public:
  [[nodiscard]] Result<double> probability(const Decision& d) const override {
    return d.target.size() == 1 ? d.target[0] : d.target[d.action];
  }
  [[nodiscard]] Result<std::span<const double>> probabilities(const Decision& d) override {
    return d.target.size() == 1 ? std::span<const double>() : d.target;
  }
  [[nodiscard]] std::optional<double> largest_probability() const override { return {}; }
};

class AlwaysTarget final : public Target {
 public:
  explicit AlwaysTarget(std::size_t action) : action_(action) {}

  [[nodiscard]] Result<double> probability(const Decision& d) const override {
    return d.action == action_ ? 1.0 : 0.0;
  }
  [[nodiscard]] Result<std::span<const double>> probabilities(const Decision& d) override {
    if (d.actions == 0) return unknown_actions();
    if (d.actions <= action_)
      return invalid("the target's action is not among these {}", d.actions);
    shares_.assign(d.actions, 0.0);
    shares_[action_] = 1.0;
    return std::span<const double>(shares_);
  }
  [[nodiscard]] std::optional<double> largest_probability() const override { return 1.0; }

 private:
  std::size_t action_;
  std::vector<double> shares_;
};

class TableTarget final : public Target {
 public:
  explicit TableTarget(SlotTable table) : table_(std::move(table)) {}

  [[nodiscard]] Result<double> probability(const Decision& d) const override {
    const auto row = row_of(d);
    if (!row) return row.error();
    return row.value()[d.action];
  }
  [[nodiscard]] Result<std::span<const double>> probabilities(const Decision& d) override {
    return row_of(d);
  }
  [[nodiscard]] std::optional<double> largest_probability() const override {
    double largest = 0.0;
    for (const auto& row : table_)
      for (const double p : row) largest = std::max(largest, p);
    return largest;
  }

 private:
  [[nodiscard]] Result<std::span<const double>> row_of(const Decision& d) const {
    if (d.slot >= table_.size() || table_[d.slot].empty())
      return invalid("the target knows nothing of position {}", d.slot);
    const std::vector<double>& row = table_[d.slot];
    if (d.action >= row.size())
      return invalid("unknown action {}: the target knows {}", d.action, row.size());
    if (d.actions != 0 && d.actions != row.size())
      return invalid("there are {} actions, but the target knows {}", d.actions, row.size());
    return std::span<const double>(row);
  }

  SlotTable table_;
};

}  // namespace

std::unique_ptr<Target> make_uniform_target(std::size_t actions) {
  return std::make_unique<UniformTarget>(actions);
}
std::unique_ptr<Target> make_column_target() { return std::make_unique<ColumnTarget>(); }
std::unique_ptr<Target> make_always_target(std::size_t action) {
  return std::make_unique<AlwaysTarget>(action);
}
std::unique_ptr<Target> make_table_target(SlotTable table) {
  return std::make_unique<TableTarget>(std::move(table));
}

}  // namespace phe::logs
