#include "serve/model.hpp"

#include "phe/registry.hpp"
#include "policies/learner_policy.hpp"
#include "serve/features.hpp"
#include "support/error.hpp"

namespace phe::serve {

Result<std::unique_ptr<Policy>> make_policy(std::string_view spec, std::size_t dimension) {
  static const Registry registry = Registry::built_in();
  if (dimension < 8 || dimension > largest_dimension)
    return invalid("dimension must be from 8 to {}, got {}", largest_dimension, dimension);
  const auto parsed = registry.policy(spec);
  if (!parsed) return parsed.error();
  const PolicyContext context{
      .arms = Arms::none(dimension), .rounds = std::uint64_t{1} << 40, .rewards = reward_range};
  return parsed->make(context);
}

Result<Model> Model::create(std::string_view spec, std::size_t dimension) {
  auto policy = make_policy(spec, dimension);
  if (!policy) return policy.error();
  return Model(std::string(spec), dimension, std::move(policy).value());
}

Result<void> Model::learn(const Lesson& lesson) {
  lessons_ = lesson.number;
  const auto request = parser_.parse(lesson.request, RequestLimits::none());
  if (!request) return request.error();
  if (lesson.drawn >= request.value()->actions.size())
    return invalid("lesson {}: there is no action {}", lesson.number, lesson.drawn);
  hash_action(request.value()->context, request.value()->actions[lesson.drawn].features, row_);
  ++learnt_;
  return policy_->update(row_, lesson.outcome);
}

Result<void> Model::load(const StoredModel& stored) {
  auto done = policy_->load(stored.state);
  if (!done) return done;
  lessons_ = stored.lessons;
  learnt_ = stored.learnt;
  return {};
}

Result<std::shared_ptr<const PublishedModel>> Model::published(std::uint64_t seed) const {
  const StreamKey key = StreamKey(seed).with(static_cast<std::uint64_t>(lessons_));
  std::unique_ptr<Policy> copy;
  if (const auto* learner = dynamic_cast<const LearnerPolicy*>(policy_.get())) {
    copy = std::make_unique<LearnerPolicy>(*learner);
  } else {
    auto made = make_policy(spec_, dimension_);
    const auto saved = policy_->save();
    if (!saved) return saved.error();
    if (auto loaded = made.value()->load(saved.value()); !loaded) return loaded.error();
    copy = std::move(made).value();
  }
  return publish(std::move(copy), learnt_ == 0 ? 0 : lessons_, dimension_, key);
}

}  // namespace phe::serve
