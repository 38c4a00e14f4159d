#include "serve/chronicle.hpp"

#include <algorithm>
#include <chrono>

namespace phe::serve {

void Digest::add(const Digest& other) noexcept {
  events += other.events;
  explored += other.explored;
  unsupported += other.unsupported;
  probability += other.probability;
  for (std::size_t i = 0; i < bins; ++i) probabilities[i] += other.probabilities[i];
  whole &= other.whole;
  policy.add(other.policy);
  baseline.add(other.baseline);
  uniform.add(other.uniform);
}

void Digest::add(const Propensities& drawn, double reward) noexcept {
  const double p = drawn.probabilities[drawn.action];
  ++events;
  explored += p < std::ranges::max(drawn.probabilities);
  unsupported += std::ranges::min(drawn.probabilities) <= 0.0;
  probability += p;
  const auto bin = static_cast<std::size_t>(p * static_cast<double>(bins));
  ++probabilities[std::min(bin, bins - 1)];
  policy.add(1.0, reward);
  baseline.add(drawn.action == 0 ? 1.0 / p : 0.0, reward);
  uniform.add(1.0 / (static_cast<double>(drawn.probabilities.size()) * p), reward);
}

Chronicle::Chronicle(std::size_t dimension)
    : steps_(static_cast<std::size_t>(steps_kept)), names_(dimension) {}

Result<std::optional<Digest>> Chronicle::read_step(EventReader& reader, std::int64_t step) {
  Digest digest;
  bool settled = true;
  int named = 0;
  Result<void> failed;
  const auto done =
      reader.events(step * step_length, (step + 1) * step_length, [&](const LoggedEvent& event) {
        if (!event.settled) return settled = false;
        if (!event.active) return true;
        if (digest.events == most_events) return digest.whole = false;
        const auto drawn = propensities_.read(event);
        if (!drawn) return failed = drawn.error(), false;
        digest.add(drawn.value(), event.reward.value_or(0.0));
        if (named++ < named_events) names_.note(event.request, event.drawn);
        return true;
      });
  if (!done) return done.error();
  if (!failed) return failed.error();
  return settled ? std::optional(digest) : std::nullopt;
}

Result<void> Chronicle::read(EventReader& reader, std::int64_t now, std::int64_t first,
                             std::int64_t budget) {
  using Steady = std::chrono::steady_clock;
  const auto end = Steady::now() + std::chrono::milliseconds(budget);
  const std::int64_t newest = step_of(now) - 1;
  const std::int64_t oldest =
      first == 0 ? newest + 1 : std::max(step_of(first), newest + 2 - steps_kept);
  unread_ = 0;
  for (std::int64_t number = newest; number >= oldest; --number) {
    Step& step = steps_[static_cast<std::size_t>(number % steps_kept)];
    if (step.number == number) continue;
    ++unread_;
    if (Steady::now() >= end) continue;
    const auto digest = read_step(reader, number);
    if (!digest) return digest.error();
    if (!digest.value()) continue;
    step = {number, *digest.value()};
    --unread_;
  }
  return {};
}

Chronicle::Sum Chronicle::between(std::int64_t from, std::int64_t to) const {
  Sum sum;
  for (std::int64_t number = from; number < to; ++number) {
    const Step& step = steps_[static_cast<std::size_t>(number % steps_kept)];
    if (step.number != number) continue;
    sum.digest.add(step.digest);
    ++sum.steps;
  }
  return sum;
}

}  // namespace phe::serve
