#include "serve/published_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/aligned_vector.hpp"
#include "kernels/matrix.hpp"
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
    thetas_.resize(groups * dimension * draws);
    for (std::size_t m = 0; m < groups * draws; ++m) {
      const auto theta = learner.draw(rng).first(dimension);
      const kernels::MatrixView models = group(m / draws);
      for (std::size_t j = 0; j < dimension; ++j) models.column(j)[m % draws] = theta[j];
    }
  }

  Result<void> decide(std::span<const double> rows, std::size_t count, double floor, StreamKey key,
                      Preferences& into) const override {
    uniform(count, into);
    if (lessons() == 0) return {};
    std::ranges::fill(into.probabilities, 0.0);
    const kernels::MatrixView models = group(SplitMix(key.with(Stream::policy))() % groups);
    std::array<std::size_t, draws> favourite{};
    alignas(64) Scores scores;
    Scores best;
    best.fill(-std::numeric_limits<double>::infinity());
    for (std::size_t k = 0; k < count; ++k) {
      kernels::multiply(models, rows.data() + k * dimension_, scores.data());
      for (std::size_t m = 0; m < draws; ++m) {
        into.scores[k] += scores[m] / draws;
        if (!(scores[m] > best[m])) continue;
        best[m] = scores[m];
        favourite[m] = k;
      }
    }
    for (const std::size_t k : favourite) into.probabilities[k] += 1.0 / draws;
    add_floor(floor, into.probabilities);
    return {};
  }

  bool weights(std::span<double> mean, std::span<double> spread) const override {
    if (lessons() == 0) return false;
    constexpr double count = groups * draws;
    for (std::size_t j = 0; j < dimension_; ++j) {
      const auto sum = [&](auto&& term) {
        double total = 0.0;
        for (std::size_t g = 0; g < groups; ++g)
          for (std::size_t m = 0; m < draws; ++m) total += term(group(g).column(j)[m]);
        return total;
      };
      mean[j] = sum([](double theta) { return theta; }) / count;
      const double squares =
          sum([&](double theta) { return (theta - mean[j]) * (theta - mean[j]); });
      spread[j] = std::sqrt(squares / (count - 1));
    }
    return true;
  }

 private:
  using Scores = std::array<double, draws>;

  // A matrix of a column of M entries, one of each model, per feature. Kernels read it alone.
  [[nodiscard]] kernels::MatrixView group(std::size_t g) const noexcept {
    return {const_cast<double*>(thetas_.data()) + g * dimension_ * draws, dimension_, draws};
  }

  std::size_t dimension_;
  AlignedVector thetas_;  // group by group
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
  const bool explores = name.ends_with("eps");
  if (learner != nullptr && !explores)
    return std::make_shared<Pool>(*learner, lessons, dimension, key);
  return std::make_shared<Copy>(std::move(copy), lessons);
}

}  // namespace phe::serve
