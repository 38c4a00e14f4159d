// How Policy::decide makes a Decision of what a policy knows about the round.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "phe/arms.hpp"
#include "phe/decision.hpp"
#include "phe/result.hpp"
#include "phe/rng.hpp"
#include "policies/start.hpp"

namespace phe {

// What a policy would do in this round; `select` does the same.
class RoundLaw {
 public:
  // What the first rounds take: a place, or any_action. Nothing when the model decides.
  [[nodiscard]] virtual std::optional<std::size_t> due() const = 0;
  // When the model decides: the probability of taking any action instead.
  [[nodiscard]] virtual double exploration() const = 0;
  // The probability of each action in closed form, if there is one; else false.
  virtual bool probabilities(std::span<double> of_each) = 0;
  // The best actions under as many models, drawn independently of each other; or why there is none.
  virtual Result<void> favourites(Rng& rng, std::span<ArmId> choices) = 0;

 protected:
  ~RoundLaw() = default;
};

Result<void> check_options(std::string_view who, const DecideOptions& options);

// Decides a round of `count` actions. `favourites` is work space. Fails where favourites do.
// Precondition: the options are ok.
Result<void> make_decision(RoundLaw& law, std::size_t count, Rng& rng, const DecideOptions& options,
                           std::vector<ArmId>& favourites, Decision& decision);

}  // namespace phe
