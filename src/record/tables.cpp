#include "record/tables.hpp"

#include <iterator>

#include <fmt/format.h>

#include "support/text.hpp"

namespace phe {

namespace {

// "linear,10,100,linphe:a=1", the first four columns of both files.
std::string leading_fields(const Plan& plan, std::size_t problem, std::size_t policy) {
  const ProblemSpec& spec = plan.problems()[problem];
  return fmt::format("{},{},{},{}", csv_field(problem_label(spec)), spec.problem->dimension(),
                     spec.problem->arms(), csv_field(plan.policies()[policy].text));
}

}  // namespace

std::string csv_field(std::string_view text) {
  const bool plain = text.find_first_of(",\"\r\n") == std::string_view::npos;
  return plain ? std::string(text) : in_quotes(text);
}

std::string regret_csv(const Plan& plan, const std::vector<Curve>& curves) {
  std::string text(regret_csv_header);
  if (plan.has_column("reward")) text += ",mean_reward,reward_std_err";
  if (plan.has_column("best_pulls")) text += ",mean_best_pulls,best_pulls_std_err";
  text += '\n';
  const auto out = std::back_inserter(text);
  const auto add = [&](const MeanAndError& value) {
    fmt::format_to(out, ",{},{}", value.mean, value.standard_error);
  };
  for (const Curve& curve : curves) {
    const std::string leading = leading_fields(plan, curve.problem, curve.policy);
    for (std::size_t c = 0; c < curve.regret.size(); ++c) {
      fmt::format_to(out, "{},{},{}", leading, plan.checkpoints()[c], plan.experiment().instances);
      add(curve.regret[c]);
      if (!curve.reward.empty()) add(curve.reward[c]);
      if (!curve.best_pulls.empty()) add(curve.best_pulls[c]);
      text += '\n';
    }
  }
  return text;
}

std::string runs_csv(const Plan& plan, const Runs& runs) {
  std::string text(runs_csv_header);
  if (plan.has_column("reward")) text += ",reward";
  if (plan.has_column("best_pulls")) text += ",best_pulls";
  text += '\n';
  const auto out = std::back_inserter(text);
  for (const auto& [id, run] : runs) {
    const std::string leading = leading_fields(plan, id.problem, id.policy);
    for (std::size_t c = 0; c < run.regret.size(); ++c) {
      fmt::format_to(out, "{},{},{},{}", leading, id.instance, plan.checkpoints()[c],
                     run.regret[c]);
      if (!run.reward.empty()) fmt::format_to(out, ",{}", run.reward[c]);
      if (!run.best_pulls.empty()) fmt::format_to(out, ",{}", run.best_pulls[c]);
      text += '\n';
    }
  }
  return text;
}

}  // namespace phe
