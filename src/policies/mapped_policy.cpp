#include "policies/mapped_policy.hpp"

#include "policies/door.hpp"

namespace phe {

Result<std::span<const double>> MappedPolicy::mapped(std::span<const double> x) {
  if (auto checked = check_features(name(), map_->inputs(), x); !checked) return checked.error();
  if (mapped_.size() < map_->outputs()) mapped_.resize(map_->outputs());
  const auto phi = std::span(mapped_).first(map_->outputs());
  map_->map(x, phi);
  return std::span<const double>(phi);
}

Result<Actions> MappedPolicy::mapped(const Actions& actions) {
  const std::size_t d = map_->inputs();
  const std::size_t rows = one_context_ ? 1 : actions.count;
  if (actions.features.size() != rows * d)
    return invalid("{}: {} of {} features {} {} numbers, got {}", name(),
                   one_context_ ? "a context" : fmt::format("{} actions", rows), d,
                   one_context_ ? "needs" : "need", rows * d, actions.features.size());
  const std::size_t width = map_->outputs();
  if (mapped_.size() < rows * width) mapped_.resize(rows * width);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto x = actions.features.subspan(row * d, d);
    for (std::size_t j = 0; j < d; ++j)
      if (!std::isfinite(x[j]))
        return invalid("{}: action {}, feature {}: must be finite, got {}", name(), row, j, x[j]);
    map_->map(x, std::span(mapped_).subspan(row * width, width));
  }
  return Actions{actions.count, std::span(mapped_).first(rows * width), actions.ids};
}

Result<std::size_t> MappedPolicy::select(const Actions& actions, Rng& rng) {
  const auto seen = mapped(actions);
  if (!seen) return seen.error();
  return within_->select(seen.value(), rng);
}

Result<void> MappedPolicy::update(std::span<const double> features, double reward) {
  const auto phi = mapped(features);
  if (!phi) return phi.error();
  return within_->update(phi.value(), reward);
}

Result<void> MappedPolicy::update(ActionId action, std::span<const double> context, double reward) {
  const auto phi = mapped(context);
  if (!phi) return phi.error();
  return within_->update(action, phi.value(), reward);
}

Result<void> MappedPolicy::decide(const Actions& actions, Rng& rng, const DecideOptions& options,
                                  Decision& decision) {
  const auto seen = mapped(actions);
  if (!seen) return seen.error();
  return within_->decide(seen.value(), rng, options, decision);
}

Result<void> MappedPolicy::merge(const Policy& other) {
  const auto* same = dynamic_cast<const MappedPolicy*>(&other);
  return within_->merge(same != nullptr ? *same->within_ : other);
}

}  // namespace phe
