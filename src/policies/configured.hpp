// Configured: what a learner has by its kind alone: a name, options that are known by their keys,
// copies. And the registry's entry of such a learner.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "policies/keys.hpp"
#include "policies/learner.hpp"

namespace phe {

// `Self` has a static keys() and a constructor of arms and options.
template <class Self, class OptionsOfSelf, class Base = ThetaLearner>
class Configured : public Base {
 public:
  using Options = OptionsOfSelf;

  static Result<Self> create(const Arms& arms, const Options& options = {}) {
    if (auto checked = first_error({Self::keys().check(options), Self::check(arms, options)});
        !checked)
      return checked.error();
    return Self(arms, options);
  }

  [[nodiscard]] std::unique_ptr<Learner> clone() const override {
    return std::make_unique<Self>(static_cast<const Self&>(*this));
  }
  [[nodiscard]] std::string_view name() const noexcept override { return Self::keys().policy(); }
  void identify(Archive& archive) override { Self::keys().identify(archive, options_); }

 protected:
  template <class... OfBase>
  explicit Configured(const Options& options, OfBase&&... of_base)
      : Base(std::forward<OfBase>(of_base)...), options_(options) {}

  // Whether a model of these arms can be made.
  static Result<void> check(const Arms& arms, const Options& options) {
    if constexpr (requires { Base::check("", arms, options.ridge, options.rewards); })
      return Base::check(Self::keys().policy(), arms, options.ridge, options.rewards);
    else if constexpr (requires { Base::check("", arms, options.ridge); })
      return Base::check(Self::keys().policy(), arms, options.ridge);
    else
      return check_arms(Self::keys().policy(), arms);
  }

  Options options_;
};

// How `options` and what is offered settle the first rounds.
template <class Options>
using ShapeOf = std::function<Shape(const Options&, const PolicyContext&)>;

// The policy around a learner that `options` make, once all keys have been read.
template <class Self>
Result<std::unique_ptr<Policy>> configured_policy(Parameters& p, const PolicyContext& context,
                                                  typename Self::Options options,
                                                  const Shape& shape) {
  if constexpr (requires { options.rounds; }) options.rounds = context.rounds;
  if constexpr (requires { options.rewards; }) options.rewards = context.rewards;
  return policy_around(p, context, shape, [&](Start start) -> BoxedLearner {
    if constexpr (requires { options.perturb_prior; })
      options.perturb_prior = start == Start::prior;
    if constexpr (requires { options.start; }) options.start = start;
    auto learner = Self::create(context.arms, options);
    if (!learner) return learner.error();
    return std::make_unique<Self>(std::move(learner).value());
  });
}

template <class Self>
PolicyEntry entry_of(std::string summary, ShapeOf<typename Self::Options> shape) {
  return {std::string(Self::keys().policy()), std::move(summary),
          with_common_keys(Self::keys().infos()),
          [shape = std::move(shape)](Parameters& p, const PolicyContext& context) {
            const auto options = Self::keys().read(p);
            return configured_policy<Self>(p, context, options, shape(options, context));
          }};
}

template <class Self>
PolicyEntry entry_of(std::string summary, Shape shape = {}) {
  return entry_of<Self>(std::move(summary),
                        [shape](const auto&, const PolicyContext&) { return shape; });
}

}  // namespace phe
