#include "record/curves.hpp"

#include <cassert>

namespace phe {

namespace {

// The part of `text` before `mark`, which is cut off with it.
std::string cut(std::string& text, char mark) {
  const auto end = text.find(mark);
  std::string head = text.substr(0, end);
  text.erase(0, end == std::string::npos ? end : end + 1);
  return head;
}

}  // namespace

std::vector<Curve> curves_of(const Plan& plan, const Runs& runs) {
  const std::uint64_t instances = plan.experiment().instances;
  std::vector<Curve> curves;
  auto run = runs.begin();
  for (std::size_t problem = 0; problem < plan.problems().size(); ++problem)
    for (std::size_t policy = 0; policy < plan.policies().size(); ++policy) {
      Curve& curve = curves.emplace_back(Curve{.problem = problem, .policy = policy});
      std::vector<std::vector<double>> values(plan.checkpoints().size());
      for (std::uint64_t i = 0; i < instances; ++i, ++run) {
        assert(run != runs.end() && run->first.problem == problem && run->first.policy == policy);
        curve.seconds += run->second.seconds;
        for (std::size_t c = 0; c < values.size(); ++c) values[c].push_back(run->second.regret[c]);
      }
      for (const auto& at_checkpoint : values)
        curve.regret.push_back(mean_and_error(at_checkpoint));
      const auto rounds = static_cast<double>(plan.experiment().rounds * instances);
      curve.ns_per_round = 1e9 * curve.seconds / rounds;
    }
  return curves;
}

std::string problem_label(const ProblemSpec& problem) {
  std::string left = problem.parameters.canonical();
  std::string label = cut(left, ':');
  char mark = ':';
  while (!left.empty()) {
    const std::string item = cut(left, ',');
    if (item.starts_with("d=") || item.starts_with("arms=")) continue;
    label += mark + item;
    mark = ',';
  }
  return label;
}

}  // namespace phe
