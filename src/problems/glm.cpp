#include "problems/glm.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/elementary.hpp"
#include "problems/read_theta.hpp"
#include "problems/rewards.hpp"
#include "support/error.hpp"

namespace phe {

namespace {

constexpr double largest_mean = 500.0;    // drawn by inversion, in so many steps
constexpr double share_cut_auto = 0.001;  // of the largest mean
constexpr double share_cut_most = 0.01;

std::string_view name_of(SphereMean mean) {
  return mean == SphereMean::poisson ? "poisson" : "logistic";
}

// The longest of the vectors without their last entry, and the last entry's largest size.
struct Lengths {
  double without_last = 0.0;
  double last = 0.0;

  void see(double squared_length, double last_entry) {
    without_last = std::max(without_last, std::sqrt(squared_length));
    last = std::max(last, std::abs(last_entry));
  }
};

Lengths of_arms(const GlmProblemOptions& options) {
  if (!options.given_arms) return {1.0, 1.0};
  Lengths lengths;
  for (ArmId arm = 0; arm < options.given_arms->size(); ++arm) {
    double squared = 0.0;
    for (std::size_t j = 0; j + 1 < options.dimension; ++j)
      squared += options.given_arms->at(arm, j) * options.given_arms->at(arm, j);
    lengths.see(squared, options.given_arms->at(arm, options.dimension - 1));
  }
  return lengths;
}

Lengths of_theta(const GlmProblemOptions& options) {
  if (options.given_theta.empty()) return {options.radius, 0.0};
  Lengths lengths;
  double squared = 0.0;
  for (std::size_t j = 0; j + 1 < options.dimension; ++j)
    squared += options.given_theta[j] * options.given_theta[j];
  lengths.see(squared, options.given_theta.back());
  return lengths;
}

// M of the counts, once no mean can be too large for it.
Result<double> count_range(const GlmProblemOptions& options) {
  const Lengths x = of_arms(options);
  const Lengths theta = of_theta(options);
  const double score = x.without_last * theta.without_last + x.last * theta.last;
  const double mean = kernels::exp(score);
  if (!(mean <= largest_mean))
    return invalid(
        "problem poisson: means must be at most {}, but |x'theta| may reach {}, and exp of it {}; "
        "make radius or theta smaller",
        largest_mean, score, mean);
  if (!options.cap) return static_cast<double>(smallest_cap(mean, share_cut_auto));
  const std::uint64_t least = smallest_cap(mean, share_cut_most);
  if (*options.cap < least || *options.cap > 1'000'000)
    return invalid(
        "problem poisson: cap must be between {}, which takes 1% of the largest mean, {:.3}, and "
        "1000000, got {}",
        least, mean, *options.cap);
  return static_cast<double>(*options.cap);
}

}  // namespace

// E (N - M)^+ falls by P(N > M) when M rises by 1.
std::uint64_t smallest_cap(double mean, double share) {
  double cut = mean;
  double probability = kernels::exp(-mean);  // of N = M
  double above = 1.0 - probability;          // of N > M
  std::uint64_t cap = 0;
  while (cut > share * mean) {
    cut -= above;
    ++cap;
    probability *= mean / static_cast<double>(cap);
    above -= probability;
  }
  return cap;
}

Result<GlmProblem> GlmProblem::create(const GlmProblemOptions& options) {
  const std::string_view name = name_of(options.mean);
  GlmProblemOptions checked = options;
  if (options.given_arms) {
    checked.dimension = options.given_arms->dimension();
    checked.arms = options.given_arms->size();
  }
  if (checked.dimension < 2 || checked.dimension > 10'000)
    return invalid("problem {}: d must be between 2 and 10000, got {}", name, checked.dimension);
  if (checked.arms < 1 || checked.arms > 10'000'000)
    return invalid("problem {}: arms must be between 1 and 10000000, got {}", name, checked.arms);
  if (!(options.radius > 0 && options.radius <= 1e6))
    return invalid("problem {}: radius must be > 0 and at most 1e+06, got {}", name,
                   options.radius);
  if (!options.given_theta.empty() && options.given_theta.size() != checked.dimension)
    return invalid("problem {}: theta must have {} numbers, got {}", name, checked.dimension,
                   options.given_theta.size());
  for (const double value : options.given_theta)
    if (!std::isfinite(value))
      return invalid("problem {}: theta must be finite, got {}", name, value);
  if (options.mean == SphereMean::logistic)
    return GlmProblem(std::move(checked), RewardLaw::bernoulli, 0.0);
  const auto range = count_range(checked);
  if (!range) return range.error();
  return GlmProblem(std::move(checked), RewardLaw::poisson, range.value());
}

Result<std::unique_ptr<const Instance>> GlmProblem::draw(StreamKey key) const {
  Rng rng(key.with(Stream::instance));
  const std::size_t d = options_.dimension;
  const RewardNoise noise(law_, largest_count_, key);
  const std::vector<double> theta = options_.given_theta.empty()
                                        ? draw_theta(d, options_.radius, 0.0, rng)
                                        : options_.given_theta;
  if (options_.contexts)
    return std::make_unique<const SphereContexts>(
        d, options_.arms, std::vector<std::vector<double>>{theta}, options_.mean, noise, key);
  auto arms = options_.given_arms ? Result<Arms>(*options_.given_arms)
                                  : draw_sphere_arms(options_.arms, d, rng);
  if (!arms) return arms.error();
  std::vector<double> means(arms->size());
  for (ArmId arm = 0; arm < arms->size(); ++arm) {
    double score = 0.0;
    for (std::size_t j = 0; j < d; ++j) score += arms->at(arm, j) * theta[j];
    if (std::isnan(score))
      return invalid("problem {}: x'theta overflows in row {} of the arms", name_of(options_.mean),
                     arm + 1);
    means[arm] = mean_at(options_.mean, score);
  }
  return std::make_unique<const NoisyInstance>(std::move(arms).value(), std::move(means), noise);
}

namespace {

std::vector<ParameterInfo> common_keys() {
  return {{"d", "10", "number of features, the last of which is the bias; at least 2"},
          {"arms", "100", "number of arms K"},
          {"contexts", "false", "draw all arms anew in each round, and theta once"},
          {"radius", "1.5", "length of theta, which has no bias; larger is easier"},
          {"features", "", "CSV file of the arms, a row each; else d and arms are drawn", true},
          {"theta", "", "CSV file of theta, as many numbers as features; else drawn", true}};
}

Result<std::unique_ptr<const Problem>> read_problem(Parameters& p, GlmProblemOptions options) {
  const std::string_view name = name_of(options.mean);
  options.dimension = p.count("d");
  options.arms = p.count("arms");
  options.contexts = p.flag("contexts");
  options.radius = p.real("radius");
  if (!p.error()) return p.error().error();
  if (options.contexts && p.given("features"))
    return invalid("problem {}: contexts are drawn, and cannot come from a file", name);
  if (p.given("features")) {
    if (p.given("d") || p.given("arms"))
      return invalid("problem {}: d and arms come from the file {}", name, p.text("features"));
    auto arms = Arms::from_csv(p.text("features"));
    if (!arms) return arms.error();
    options.dimension = arms->dimension();
    options.given_arms = std::move(arms).value();
  }
  if (p.given("theta")) {
    auto theta = read_theta(p.text("theta"), options.dimension);
    if (!theta) return theta.error();
    options.given_theta = std::move(theta).value();
  }
  auto problem = GlmProblem::create(options);
  if (!problem) return problem.error();
  return std::make_unique<const GlmProblem>(std::move(problem).value());
}

}  // namespace

ProblemEntry logistic_entry() {
  return {"logistic",
          "logistic bandit of the paper: arms on the unit sphere plus a bias, mean sigma(x'theta)",
          common_keys(), [](Parameters& p) { return read_problem(p, {}); }};
}

ProblemEntry poisson_entry() {
  auto keys = common_keys();
  keys.push_back({"cap", "auto",
                  "largest count M, to which larger ones are cut; auto: takes 0.1% of the largest "
                  "mean"});
  return {"poisson",
          "Poisson counts in [0, M]: arms on the unit sphere plus a bias, mean exp(x'theta)",
          std::move(keys), [](Parameters& p) {
            GlmProblemOptions options{.mean = SphereMean::poisson};
            if (p.text("cap") != "auto") options.cap = p.count("cap");
            return read_problem(p, std::move(options));
          }};
}

}  // namespace phe
