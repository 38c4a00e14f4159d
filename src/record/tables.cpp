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
  std::string text = fmt::format("{}\n", regret_csv_header);
  for (const Curve& curve : curves) {
    const std::string leading = leading_fields(plan, curve.problem, curve.policy);
    for (std::size_t c = 0; c < curve.regret.size(); ++c)
      fmt::format_to(std::back_inserter(text), "{},{},{},{},{}\n", leading, plan.checkpoints()[c],
                     plan.experiment().instances, curve.regret[c].mean,
                     curve.regret[c].standard_error);
  }
  return text;
}

std::string runs_csv(const Plan& plan, const Runs& runs) {
  std::string text = fmt::format("{}\n", runs_csv_header);
  for (const auto& [id, run] : runs) {
    const std::string leading = leading_fields(plan, id.problem, id.policy);
    for (std::size_t c = 0; c < run.regret.size(); ++c)
      fmt::format_to(std::back_inserter(text), "{},{},{},{}\n", leading, id.instance,
                     plan.checkpoints()[c], run.regret[c]);
  }
  return text;
}

}  // namespace phe
