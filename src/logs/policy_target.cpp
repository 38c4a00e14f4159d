#include "logs/policy_target.hpp"

namespace phe::logs {

namespace {

class PolicyTarget final : public Target {
 public:
  PolicyTarget(LearntPolicy learnt, std::size_t draws, std::uint64_t seed)
      : learnt_(std::move(learnt)), options_{.draws = draws}, seed_(seed) {}

  [[nodiscard]] Result<double> probability(const Decision& row) const override {
    if (auto done = ask(row); !done) return done.error();
    return decision_.probabilities[row.action];
  }
  [[nodiscard]] Result<std::span<const double>> probabilities(const Decision& row) override {
    if (auto done = ask(row); !done) return done.error();
    return std::span<const double>(decision_.probabilities);
  }
  [[nodiscard]] std::optional<double> largest_probability() const override { return 1.0; }

 private:
  // Once per row, whoever asks first.
  Result<void> ask(const Decision& row) const {
    if (row.line == line_ && row.file == file_) return {};
    line_ = 0;
    Rng rng(StreamKey(seed_).with(Stream::policy).with(row.line));
    if (auto done = learnt_.log_rounds.decide(*learnt_.policy, row, rng, options_, decision_);
        !done)
      return done;
    line_ = row.line;
    file_ = row.file;
    return {};
  }

  mutable LearntPolicy learnt_;
  DecideOptions options_;
  std::uint64_t seed_;
  mutable phe::Decision decision_;
  mutable std::uint64_t line_ = 0;  // of what decision_ is for; 0: of none
  mutable std::string file_;
};

}  // namespace

std::unique_ptr<Target> make_policy_target(LearntPolicy learnt, std::size_t draws,
                                           std::uint64_t seed) {
  return std::make_unique<PolicyTarget>(std::move(learnt), draws, seed);
}

}  // namespace phe::logs
