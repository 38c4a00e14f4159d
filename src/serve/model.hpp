// Model: the learner of one application. A function of its lessons in their order, so that the
// same log gives the same model, to the byte. Not thread-safe; it is never asked to choose, copies
// of it are.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "phe/policy.hpp"
#include "phe/result.hpp"
#include "serve/event_store.hpp"
#include "serve/published_model.hpp"
#include "serve/rank_request.hpp"

namespace phe::serve {

inline constexpr RewardRange reward_range{-1.0, 1.0};
inline constexpr std::size_t largest_dimension = 4096;

// The policy of a spec, for vectors of `dimension` numbers. Errors say what the spec may be.
Result<std::unique_ptr<Policy>> make_policy(std::string_view spec, std::size_t dimension);

class Model {
 public:
  static Result<Model> create(std::string_view spec, std::size_t dimension);

  // A lesson that cannot be learnt (its request broke a rule of today) counts and changes nothing.
  Result<void> learn(const Lesson& lesson);
  // Goes on from a saved state.
  Result<void> load(const StoredModel& stored);
  [[nodiscard]] Result<std::string> state() const { return policy_->save(); }

  [[nodiscard]] Result<std::shared_ptr<const PublishedModel>> published(std::uint64_t seed) const;
  [[nodiscard]] std::int64_t lessons() const noexcept { return lessons_; }
  [[nodiscard]] std::size_t dimension() const noexcept { return dimension_; }
  [[nodiscard]] const std::string& spec() const noexcept { return spec_; }
  // How many of the lessons it has learnt.
  [[nodiscard]] std::int64_t learnt() const noexcept { return learnt_; }
  // The lessons up to this number are none of its own.
  void begin_after(std::int64_t lessons) noexcept { lessons_ = lessons; }

 private:
  Model(std::string spec, std::size_t dimension, std::unique_ptr<Policy> policy)
      : spec_(std::move(spec)),
        dimension_(dimension),
        policy_(std::move(policy)),
        row_(dimension) {}

  std::string spec_;
  std::size_t dimension_;
  std::unique_ptr<Policy> policy_;
  std::int64_t lessons_ = 0;
  std::int64_t learnt_ = 0;  // of them, by this policy
  RankRequestParser parser_;
  std::vector<double> row_;
};

}  // namespace phe::serve
