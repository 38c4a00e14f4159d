#include "policies/round_law.hpp"

#include <algorithm>

#include "support/error.hpp"

namespace phe {

namespace {

constexpr std::size_t most_draws = 1'000'000;

// One of the actions, with these probabilities; rounding of their sum falls to the last of them.
std::size_t draw_from(std::span<const double> probabilities, Rng& rng) {
  double left = to_unit(rng());
  std::size_t last = 0;
  for (std::size_t k = 0; k < probabilities.size(); ++k) {
    if (!(probabilities[k] > 0)) continue;
    last = k;
    if ((left -= probabilities[k]) < 0) break;
  }
  return last;
}

// Geometric resampling: the draws until `action` is the choice again, at most `cap`.
Result<std::uint64_t> draws_until(std::size_t action, std::uint64_t cap, RoundLaw& law, Rng& rng,
                                  bool& capped) {
  ArmId favourite = 0;
  for (std::uint64_t draws = 1; draws <= cap; ++draws) {
    if (auto drawn = law.favourites(rng, {&favourite, 1}); !drawn) return drawn.error();
    if (favourite == action) return draws;
  }
  capped = true;
  return cap;
}

}  // namespace

Result<void> check_options(std::string_view who, const DecideOptions& options) {
  if (options.draws < 1 || options.draws > most_draws)
    return invalid("{}: draws must be between 1 and {}, got {}", who, most_draws, options.draws);
  if (!(options.floor >= 0 && options.floor <= 1))
    return invalid("{}: floor must be between 0 and 1, got {}", who, options.floor);
  if (options.floor > 0 && options.resample > 0)
    return invalid("{}: resample needs no floor: give one of floor={} and resample={}", who,
                   options.floor, options.resample);
  return {};
}

Result<void> make_decision(RoundLaw& law, std::size_t count, Rng& rng, const DecideOptions& options,
                           std::vector<ArmId>& favourites, Decision& decision) {
  auto& probabilities = decision.probabilities;
  probabilities.assign(count, 0.0);
  decision.capped = false;
  double uniform = options.floor;  // the share of a choice among all
  bool drawn = false;
  if (const auto due = law.due()) {
    if (*due == any_action)
      uniform = 1.0;
    else
      probabilities[*due] = 1.0;
  } else {
    uniform += (1.0 - options.floor) * law.exploration();
    drawn = uniform < 1.0 && !law.probabilities(probabilities);
  }
  if (drawn) {
    favourites.resize(options.draws);
    if (auto made = law.favourites(rng, favourites); !made) return made;
    for (const ArmId favourite : favourites) ++probabilities[favourite];
    for (double& p : probabilities) p /= static_cast<double>(options.draws);
  }
  if (uniform > 0 && to_unit(rng()) < uniform)
    decision.action = static_cast<std::size_t>(rng.below(count));
  else
    decision.action = drawn ? favourites[rng.below(options.draws)] : draw_from(probabilities, rng);
  if (uniform > 0)
    for (double& p : probabilities) p = (1.0 - uniform) * p + uniform / static_cast<double>(count);
  decision.inverse_propensity = 1.0 / probabilities[decision.action];
  if (drawn && options.resample > 0) {
    const auto draws = draws_until(decision.action, options.resample, law, rng, decision.capped);
    if (!draws) return draws.error();
    decision.inverse_propensity = static_cast<double>(draws.value());
  }
  return {};
}

}  // namespace phe
