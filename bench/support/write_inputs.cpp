// Writes what the NumPy programs need to be timed on the same inputs: write_inputs <folder>
//
//   linear-5-0.csv, logistic-20-3.csv, ..   an arm a line: features, then the mean reward
//   contexts-linear-5.csv, ..               an action of a round a line, the same
//   contexts-images.csv                     a context a line: features, then the mean of each
//   action trials.csv                              the m of B(m, 1/2) log.csv a log of 10^6
//   decisions
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "support/contexts.hpp"
#include "support/log_file.hpp"
#include "support/rounds.hpp"
#include "support/trials.hpp"

namespace {

void write_instance(const phe::Instance& bandit, const std::filesystem::path& file) {
  std::ofstream out(file);
  out.precision(17);
  for (phe::ArmId arm = 0; arm < bandit.arms().size(); ++arm) {
    for (std::size_t j = 0; j < bandit.arms().dimension(); ++j)
      out << bandit.arms().at(arm, j) << ',';
    out << bandit.means()[arm] << '\n';
  }
}

// A line of features and of means for each line of features.
void write_contexts(const phe::bench::Contexts& contexts, const std::filesystem::path& file) {
  std::ofstream out(file);
  out.precision(17);
  const std::size_t lines = contexts.features.size() / contexts.dimension;
  const std::size_t means = contexts.means.size() / lines;
  for (std::size_t line = 0; line < lines; ++line) {
    for (std::size_t j = 0; j < contexts.dimension; ++j)
      out << contexts.features[line * contexts.dimension + j] << ',';
    for (std::size_t k = 0; k < means; ++k)
      out << contexts.means[line * means + k] << (k + 1 < means ? ',' : '\n');
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: write_inputs <folder>\n");
    return 1;
  }
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  const auto registry = phe::Registry::built_in();
  for (const auto& problem : registry.problems()) {
    if (problem->name != "linear" && problem->name != "logistic") continue;
    for (const auto* d : {"5", "10", "20"})
      for (std::uint64_t i = 0; i < phe::bench::instances; ++i)
        write_instance(*phe::bench::draw_instance(problem->name + ":d=" + d, i),
                       folder / (problem->name + "-" + d + "-" + std::to_string(i) + ".csv"));
  }
  for (const std::string d : {"5", "10", "20"})
    write_contexts(phe::bench::draw_contexts("linear:contexts,arms=100,d=" + d),
                   folder / ("contexts-linear-" + d + ".csv"));
  write_contexts(phe::bench::draw_contexts("logistic:contexts,arms=20,d=10"),
                 folder / "contexts-logistic-10.csv");
  write_contexts(phe::bench::draw_images(), folder / "contexts-images.csv");
  std::ofstream trials(folder / "trials.csv");
  for (const auto m : phe::bench::log_uniform_trials()) trials << m << '\n';
  phe::bench::write_log(folder / "log.csv", 1'000'000);
}
