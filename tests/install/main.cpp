// A program outside the project: it sees the installed headers and library, and nothing else.
#include <iostream>

#include <phe/lin_phe.hpp>
#include <phe/simulate.hpp>
#include <phe/version.hpp>

int main() {
  const auto registry = phe::Registry::built_in();
  phe::Experiment experiment;
  experiment.problems = {"linear:d=3,arms=10"};
  experiment.policies = {"linphe:a=1"};
  experiment.rounds = 200;
  experiment.instances = 2;
  const auto plan = phe::Plan::create(experiment, registry);
  if (!plan) return 1;
  double regret = 0.0;
  phe::SimulateOptions options;
  options.on_run = [&](const phe::RunResult& run) { regret += run.regret.back(); };
  if (!phe::simulate(plan.value(), plan->runs(), options)) return 1;
  std::cout << "phe " << phe::version << ", regret " << regret << '\n';
  return regret > 0.0 ? 0 : 1;
}
