#include "array_log.hpp"

#include "logs/fields.hpp"

namespace phe::python {

namespace {

// Row `row` of an array with one or two dimensions.
std::span<const double> entries(const Numbers& column, std::size_t row) {
  const std::size_t width = column.dimensions() == 2 ? column.shape(1) : 1;
  return column.values().subspan(row * width, width);
}

std::vector<std::string> texts_of(py::handle values, const char* name) {
  std::vector<std::string> texts;
  for (const py::handle value : py::reinterpret_borrow<py::list>(values))
    texts.push_back(text(value, name));
  return texts;
}

}  // namespace

ArrayLog::ArrayLog(const py::dict& columns, const py::list& features, std::size_t actions)
    : actions_(actions) {
  action_ = std::make_unique<Numbers>(columns["action"], "action");
  action_->require(1, "(n,)");
  rows_ = action_->shape(0);
  reward_ = column(columns, "reward", 1);
  propensity_ = column(columns, "propensity", 1);
  position_ = column(columns, "position", 1);
  actions_of_row_ = column(columns, "actions", 1);
  probabilities_ = column(columns, "probabilities", 2);
  target_ = column(columns, "target", 0);
  if (!reward_) refuse_type("a log must have reward");
  if (!propensity_ && !probabilities_)
    refuse_type("a log must have propensity, or probabilities of all actions");
  for (const py::handle item : features) {
    const auto pair = py::reinterpret_borrow<py::tuple>(item);
    feature_names_.push_back(text(pair[0], "the name of a feature"));
    if (py::isinstance<py::list>(pair[1]))
      features_.emplace_back(texts_of(pair[1], "a feature"));
    else
      features_.emplace_back(Numbers(pair[1], "a feature"));
  }
}

// Null when it is not there. 0 dimensions stand for: 1 or 2.
std::unique_ptr<Numbers> ArrayLog::column(const py::dict& columns, const char* name,
                                          std::size_t dimensions) const {
  if (!columns.contains(name) || columns[name].is_none()) return nullptr;
  auto numbers = std::make_unique<Numbers>(columns[name], name);
  if (dimensions == 0 && numbers->dimensions() != 1) dimensions = 2;
  if (dimensions != 0) numbers->require(dimensions, dimensions == 1 ? "(n,)" : "(n, K)");
  if (numbers->shape(0) != rows_)
    refuse("{} must have {} rows, as action has, got {}", name, rows_, numbers->shape(0));
  return numbers;
}

Result<void> ArrayLog::read_row(std::size_t row, logs::Decision& d) const {
  const auto at = [&](const auto& column) { return column->values()[row]; };
  d.actions = actions_;
  if (actions_of_row_)
    if (auto done = logs::set_actions(at(actions_of_row_), d); !done) return done;
  if (auto done = logs::set_action(at(action_), 0, d); !done) return done;
  if (auto done = logs::set_reward(at(reward_), d); !done) return done;
  if (position_)
    if (auto done = logs::set_slot(at(position_), d); !done) return done;
  const auto all = probabilities_ ? entries(*probabilities_, row) : std::span<const double>();
  if (!propensity_ && d.action >= all.size())
    return invalid("unknown action {}: probabilities has {} entries", d.action, all.size());
  if (auto done = logs::set_propensity(propensity_ ? at(propensity_) : all[d.action], d); !done)
    return done;
  if (auto done = logs::set_probabilities(all, d); !done) return done;
  return logs::set_target(target_ ? entries(*target_, row) : std::span<const double>(), d);
}

void ArrayLog::read_features(std::size_t row, std::vector<std::string>& texts,
                             std::vector<std::string_view>& views) const {
  texts.resize(features_.size());
  views.resize(features_.size());
  for (std::size_t f = 0; f < features_.size(); ++f) {
    if (const auto* numbers = std::get_if<Numbers>(&features_[f])) {
      texts[f] = fmt::format("{}", numbers->values()[row]);
      views[f] = texts[f];
    } else {
      views[f] = std::get<1>(features_[f])[row];
    }
  }
}

Result<logs::ReadCounts> ArrayLog::read(const Take& take) const {
  logs::ReadCounts counts;
  counts.feature_names = feature_names_;
  std::vector<std::string> texts;
  std::vector<std::string_view> views;
  for (std::size_t row = 0; row < rows_; ++row) {
    logs::Decision decision;
    decision.file = "the log, rows from 0";
    decision.line = row;
    auto done = read_row(row, decision);
    if (done && !features_.empty()) {
      read_features(row, texts, views);
      decision.features = views;
    }
    if (done) done = take(decision);
    if (!done) return invalid("row {}: {}", row, done.error().message);
    ++counts.decisions;
  }
  if (rows_ == 0) return invalid("the log holds no decision");
  return counts;
}

}  // namespace phe::python
