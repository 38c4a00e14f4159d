// evaluate: what a policy would have earned on a log, of files or of arrays.
#include "logs/evaluate.hpp"

#include <pybind11/stl.h>

#include "array_log.hpp"
#include "bindings.hpp"

namespace phe::python {

namespace {

// The library speaks of flags; here they are arguments.
std::string without_dashes(std::string message) {
  for (std::size_t at = message.find("--"); at != std::string::npos; at = message.find("--", at))
    message.erase(at, 2);
  return message;
}

template <class T>
T unwrap_told(Result<T> result) {
  if (!result) throw py::value_error(without_dashes(result.error().message));
  return std::move(result).value();
}

std::optional<py::object> given(const py::dict& options, const char* name) {
  if (!options.contains(name) || options[name].is_none()) return {};
  return options[name];
}

double positive(py::handle value, const char* name, double below = 1e300) {
  const double number = real(value, name);
  if (number > 0 && number < below) return number;
  if (below < 1e300) refuse("{} must be above 0 and below {}, got {}", name, below, number);
  refuse("{} must be a number above 0, got {}", name, number);
}

logs::ModelKind model_kind(const std::string& name) {
  if (name == "none") return logs::ModelKind::none;
  if (name == "table") return logs::ModelKind::table;
  if (name == "ridge") return logs::ModelKind::ridge;
  refuse("model must be none, table or ridge, got '{}'", name);
}

logs::EvaluateOptions options_from(const py::dict& from) {
  logs::EvaluateOptions options;
  auto& limits = options.limits;
  if (const auto clip = given(from, "clip"))
    limits.clip = limits.switch_at = limits.shrinkage = positive(*clip, "clip");
  if (const auto at = given(from, "switch")) limits.switch_at = positive(*at, "switch");
  if (const auto by = given(from, "shrinkage")) limits.shrinkage = positive(*by, "shrinkage");
  if (const auto level = given(from, "confidence"))
    options.confidence = positive(*level, "confidence", 1.0);
  if (const auto model = given(from, "model")) options.model = model_kind(text(*model, "model"));
  if (const auto folds = given(from, "folds")) options.folds.count = count(*folds, "folds", 1, 2);
  if (const auto ridge = given(from, "ridge")) options.ridge = positive(*ridge, "ridge");
  if (const auto rewards = given(from, "rewards")) {
    const RewardRange range = reward_range(*rewards, "rewards");
    options.rewards = {range.low, range.high};
  }
  if (const auto most = given(from, "largest_weight"))
    options.largest_weight = positive(*most, "largest_weight");
  if (const auto betting = given(from, "betting")) options.betting = flag(*betting, "betting");
  if (const auto n = given(from, "resamples"))
    options.resamples = count(*n, "resamples", 0, 1'000'000);
  if (const auto seed = given(from, "seed")) options.seed = count(*seed, "seed");
  return options;
}

logs::Log log_from(const py::dict& from) {
  logs::Log log;
  if (const auto files = given(from, "files"))
    log.files = py::cast<std::vector<std::string>>(*files);
  if (const auto format = given(from, "format"))
    log.options.format = unwrap_told(logs::parse_format(text(*format, "format")));
  if (const auto columns = given(from, "columns"))
    log.options.columns = unwrap_told(logs::parse_columns(text(*columns, "columns")));
  if (const auto actions = given(from, "actions"))
    log.options.actions = count(*actions, "actions", 1, 1'000'000);
  if (const auto skip = given(from, "skip_bad_lines"))
    log.options.skip_bad_lines = flag(*skip, "skip_bad_lines");
  return log;
}

py::dict described(const logs::Estimate& estimate) {
  py::dict intervals;
  for (const auto& [name, interval] : estimate.intervals)
    intervals[py::str(std::string(name))] = py::make_tuple(interval.low, interval.high);
  py::dict all;
  all["value"] = estimate.value;
  all["std_err"] = estimate.standard_error;
  all["intervals"] = intervals;
  return all;
}

py::dict described(const logs::Part& part) {
  py::dict estimates;
  for (const logs::Estimate& estimate : part.estimates)
    estimates[py::str(std::string(estimate.estimator))] = described(estimate);
  const logs::Diagnostics& d = part.diagnostics;
  py::dict diagnostics;
  diagnostics["rows"] = d.rows;
  diagnostics["mean_weight"] = d.mean_weight;
  diagnostics["mean_weight_std_err"] = d.mean_weight_error;
  diagnostics["largest_weight"] = d.largest_weight;
  diagnostics["effective_rows"] = d.effective_rows;
  diagnostics["over_clip"] = d.over_clip;
  diagnostics["support_violations"] = py::cast(d.support_violations);
  py::dict all;
  all["position"] = part.slot;
  all["logged"] = described(part.logged);
  all["estimates"] = estimates;
  all["diagnostics"] = diagnostics;
  return all;
}

py::dict described(const logs::Evaluation& evaluation) {
  py::dict all = described(evaluation.whole);
  py::list positions;
  for (const logs::Part& part : evaluation.slots) positions.append(described(part));
  all["positions"] = positions;
  all["warnings"] = py::cast(evaluation.warnings);
  all["bad_lines"] = evaluation.lines.bad;
  return all;
}

// `target` is a text, or None where the columns have it.
py::dict evaluate(const py::dict& log_options, const py::object& columns, const py::list& features,
                  py::handle target, const py::dict& options) {
  logs::Log log = log_from(log_options);
  const logs::EvaluateOptions how = options_from(options);
  auto of = target.is_none() ? logs::make_column_target()
                             : unwrap_told(logs::make_target(text(target, "target"), log));
  log.options.want_features = how.model == logs::ModelKind::ridge;
  std::optional<ArrayLog> arrays;
  if (!columns.is_none())
    arrays.emplace(columns.cast<py::dict>(), log.options.want_features ? features : py::list(),
                   log.options.actions);
  const auto evaluation = [&] {
    const py::gil_scoped_release free;
    if (!arrays) return logs::evaluate(log, *of, how);
    return logs::evaluate([&](const auto& take) { return arrays->read(take); }, *of, how);
  }();
  return described(unwrap_told(evaluation));
}

}  // namespace

void bind_evaluate(py::module_& m) {
  using namespace py::literals;
  m.def("evaluate", &evaluate, "log"_a, "columns"_a, "features"_a, "target"_a, "options"_a);
}

}  // namespace phe::python
