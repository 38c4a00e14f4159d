#include "tune/race.hpp"

#include "phe/simulate.hpp"
#include "report/student_t.hpp"

namespace phe::tune {

std::size_t lowest_mean(const std::vector<const std::vector<double>*>& losses) {
  std::size_t best = 0;
  double lowest = mean_and_error(*losses[0]).mean;
  for (std::size_t i = 1; i < losses.size(); ++i)
    if (const double mean = mean_and_error(*losses[i]).mean; mean < lowest) {
      best = i;
      lowest = mean;
    }
  return best;
}

std::vector<std::size_t> significantly_worse(const std::vector<const std::vector<double>*>& losses,
                                             double confidence, Replicates replicates) {
  std::vector<std::size_t> worse;
  const std::size_t instances = losses.empty() ? 0 : losses[0]->size();
  if (losses.size() < 2 || instances < 2) return worse;
  const std::size_t best = lowest_mean(losses);
  const double critical =
      student_t_quantile(1.0 - (1.0 - confidence) / static_cast<double>(losses.size() - 1),
                         static_cast<double>(instances - 1));
  std::vector<double> differences(instances);
  for (std::size_t i = 0; i < losses.size(); ++i) {
    if (i == best) continue;
    for (std::size_t k = 0; k < instances; ++k)
      differences[k] = (*losses[i])[k] - (*losses[best])[k];
    const auto [mean, error] = mean_and_error(differences, replicates);
    if (mean > critical * error) worse.push_back(i);
  }
  return worse;
}

}  // namespace phe::tune
