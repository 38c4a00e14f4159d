// Logs: any bytes give decisions that keep every rule, or messages. The first byte chooses the
// format; what can be read can be evaluated.
#include <cmath>

#include "logs/evaluate.hpp"
#include "memory_file.hpp"
#include "target.hpp"

namespace phe::fuzz {

namespace {

void demand_rules(const logs::Decision& d) {
  demand(d.propensity > 0.0 && d.propensity <= 1.0, "a propensity is in (0, 1]");
  demand(std::isfinite(d.reward), "a reward is finite");
  demand(d.actions == 0 || d.action < d.actions, "an action is one of those there are");
  demand(d.multiplicity >= 1.0, "a decision stands for itself at least");
  demand(d.probabilities.empty() || d.probabilities.size() == d.actions,
         "every action has a probability");
}

}  // namespace

void check(std::string_view input) {
  if (input.empty()) return;
  constexpr logs::LogFormat formats[] = {logs::LogFormat::csv, logs::LogFormat::json_lines,
                                         logs::LogFormat::dsjson};
  const MemoryFile file(input.substr(1));
  logs::Log log{{file.path().string()}, {}};
  log.options.format = formats[static_cast<unsigned char>(input[0]) % 3];
  log.options.skip_bad_lines = true;
  log.options.want_features = true;
  const auto counts = logs::read_log(log, [](const logs::Decision& d) -> Result<void> {
    demand_rules(d);
    return {};
  });
  if (!counts) return demand_one_line(counts.error().message);
  for (const std::string& line : counts->bad_lines) demand_one_line(line);
  auto target = logs::make_target("uniform", log);
  logs::EvaluateOptions options;
  options.model = logs::ModelKind::table;
  const auto evaluation = logs::evaluate(log, *target.value(), options);
  if (!evaluation) return demand_one_line(evaluation.error().message);
  for (const std::string& warning : evaluation->warnings) demand_one_line(warning);
}

}  // namespace phe::fuzz
