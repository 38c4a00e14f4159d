#include "serve/published_model.hpp"

#include <algorithm>

#include "kernels/score_rows.hpp"
#include "policies/learner_policy.hpp"

namespace phe::serve {

namespace {

void uniform(std::size_t count, Preferences& into) {
  into.probabilities.assign(count, 1.0 / static_cast<double>(count));
  into.scores.assign(count, 0.0);
}

void add_floor(double floor, std::vector<double>& probabilities) {
  const double share = floor / static_cast<double>(probabilities.size());
  for (double& p : probabilities) p = (1.0 - floor) * p + share;
}

class Pool final : public PublishedModel {
 public:
  Pool(ThetaLearner& learner, std::int64_t lessons, std::size_t dimension, StreamKey key)
      : PublishedModel(lessons), dimension_(dimension) {
    if (lessons == 0) return;
    Rng rng(key);
    thetas_.reserve(pool * dimension);
    for (std::size_t m = 0; m < pool; ++m) {
      const auto theta = learner.draw(rng).first(dimension);
      thetas_.insert(thetas_.end(), theta.begin(), theta.end());
    }
  }

  Result<void> decide(std::span<const double> rows, std::size_t count, double floor, StreamKey key,
                      Preferences& into) const override {
    uniform(count, into);
    if (lessons() == 0) return {};
    std::ranges::fill(into.probabilities, 0.0);
    into.work.resize((count + 7) / 8 * 8);
    const std::size_t first = SplitMix(key.with(Stream::policy))() % pool;
    for (std::size_t m = 0; m < draws; ++m) {
      kernels::score_rows(rows.first(count * dimension_), theta((first + m) % pool), into.work);
      const auto best = std::max_element(into.work.begin(), into.work.begin() + count);
      into.probabilities[static_cast<std::size_t>(best - into.work.begin())] += 1.0 / draws;
      for (std::size_t k = 0; k < count; ++k) into.scores[k] += into.work[k] / draws;
    }
    add_floor(floor, into.probabilities);
    return {};
  }

 private:
  [[nodiscard]] std::span<const double> theta(std::size_t m) const noexcept {
    return std::span(thetas_).subspan(m * dimension_, dimension_);
  }

  std::size_t dimension_;
  AlignedVector thetas_;  // one behind the other
};

class Copy final : public PublishedModel {
 public:
  Copy(std::unique_ptr<Policy> policy, std::int64_t lessons)
      : PublishedModel(lessons), policy_(std::move(policy)) {}

  Result<void> decide(std::span<const double> rows, std::size_t count, double floor, StreamKey key,
                      Preferences& into) const override {
    uniform(count, into);
    if (lessons() == 0) return {};
    Rng rng(key);
    const DecideOptions options{.draws = draws, .floor = floor};
    const std::lock_guard lock(mutex_);
    if (auto done = policy_->decide(Actions::rows(count, rows), rng, options, decision_); !done)
      return done;
    into.probabilities.assign(decision_.probabilities.begin(), decision_.probabilities.end());
    into.scores = into.probabilities;
    return {};
  }

 private:
  mutable std::mutex mutex_;
  std::unique_ptr<Policy> policy_;
  mutable Decision decision_;
};

}  // namespace

std::shared_ptr<const PublishedModel> publish(std::unique_ptr<Policy> copy, std::int64_t lessons,
                                              std::size_t dimension, StreamKey key) {
  auto* policy = dynamic_cast<LearnerPolicy*>(copy.get());
  auto* learner = policy == nullptr ? nullptr : dynamic_cast<ThetaLearner*>(&policy->learner());
  const std::string_view name = copy->name();
  // Those that also take any action now and then know their probabilities themselves.
  const bool explores = name == "lineps" || name == "logeps";
  if (learner != nullptr && !explores)
    return std::make_shared<Pool>(*learner, lessons, dimension, key);
  return std::make_shared<Copy>(std::move(copy), lessons);
}

}  // namespace phe::serve
