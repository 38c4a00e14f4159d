#include "policies/oracle_learner.hpp"

#include <cmath>
#include <exception>
#include <limits>

#include "core/best_arm.hpp"
#include "policies/checks.hpp"
#include "support/text.hpp"

namespace phe {

namespace {

constexpr std::uint64_t most_fits = 10'000;
constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<double> row_by_row(const Arms& arms) {
  std::vector<double> rows(arms.size() * arms.dimension());
  for (ArmId arm = 0; arm < arms.size(); ++arm)
    arms.copy_row(arm, std::span(rows).subspan(arm * arms.dimension()));
  return rows;
}

// What a user's function says, or throws.
template <class Call>
Result<void> guarded(std::string_view oracle, std::string_view function, const Call& call) {
  try {
    if (auto done = call(); !done)
      return invalid("oracle {}: {}: {}", oracle, function, done.error().message);
    return {};
  } catch (const std::exception& thrown) {
    return invalid("oracle {}: {} threw: {}", oracle, function, thrown.what());
  } catch (...) {
    return invalid("oracle {}: {} threw what is no std::exception", oracle, function);
  }
}

Result<void> check_scores(std::string_view oracle, std::size_t actions,
                          std::span<const double> scores) {
  if (scores.size() != actions)
    return invalid("oracle {}: score gave {} numbers for {} actions", oracle, scores.size(),
                   actions);
  for (std::size_t k = 0; k < actions; ++k)
    if (!std::isfinite(scores[k]))
      return invalid("oracle {}: score of action {} must be finite, got {}", oracle, k, scores[k]);
  return {};
}

}  // namespace

Result<Refit> parse_refit(std::string_view policy, std::string_view text) {
  if (text.starts_with('x')) {
    if (const auto factor = parse_number<double>(text.substr(1)))
      return Refit::when_grown_by(*factor);
  } else if (const auto rewards = parse_number<std::uint64_t>(text); rewards && *rewards > 0) {
    return Refit::every(*rewards);
  }
  return invalid(
      "{}: refit must be a number of rewards from 1 on, or x and a factor as in x1.2, "
      "got '{}'",
      policy, text);
}

Result<void> OracleLearner::check(std::string_view policy, const OraclePheOptions& options) {
  if (options.fits < 1 || options.fits > most_fits)
    return invalid("{}: fits must be between 1 and {}, got {}", policy, most_fits, options.fits);
  const double growth = options.refit.growth;
  if (options.refit.rewards == 0 && !(growth > 1 && growth <= 1e6))
    return invalid("{}: refit: the factor of growth must be above 1 and at most 1e+06, got {}",
                   policy, growth);
  return first_error(
      {check_scale(policy, "a", options.perturbation_scale), check_range(policy, options.rewards)});
}

OracleLearner::OracleLearner(const Arms& arms, std::string oracle, MakeOracle make,
                             const OraclePheOptions& options)
    : oracle_(std::move(oracle)),
      make_(std::move(make)),
      options_(options),
      rows_(arms.dimension()),
      history_(arms.empty(), options.perturbation_scale, options.centred),
      arms_(row_by_row(arms)),
      models_(options.refit.always() ? 1 : options.fits),
      fitted_(models_.size()) {}

// The models of a copy are fitted anew, to the same rows with the same pseudo-rewards.
OracleLearner::OracleLearner(const OracleLearner& other)
    : Learner(other),
      oracle_(other.oracle_),
      make_(other.make_),
      options_(other.options_),
      rows_(other.rows_),
      history_(other.history_),
      arms_(other.arms_),
      seed_(other.seed_),
      models_(other.models_.size()),
      fitted_(models_.size()),
      fault_(other.fault_) {}

void OracleLearner::observe(const Observation& observation) {
  history_.add(observation.row, observation.pulls, observation.reward_sum);
}

bool OracleLearner::due() const noexcept {
  const std::uint64_t now = history_.total();
  const std::uint64_t then = history_.total_then();
  if (then == 0 || options_.refit.always()) return true;
  if (options_.refit.rewards > 0) return now - then >= options_.refit.rewards;
  return now > then &&
         static_cast<double>(now) >= options_.refit.growth * static_cast<double>(then);
}

Oracle* OracleLearner::draw(Rng& rng) {
  if (due()) {
    history_.take_picture();
    seed_ = rng();
    fitted_.assign(fitted_.size(), false);
  }
  const std::size_t number = models_.size() == 1 ? 0 : rng.below(models_.size());
  if (!fitted_[number]) {
    fault_ = fit(number);
    fitted_[number] = fault_.ok();
  }
  return fitted_[number] ? models_[number].get() : nullptr;
}

Result<void> OracleLearner::fit(std::size_t number) {
  return guarded(oracle_, "fit", [&]() -> Result<void> {
    auto& model = models_[number];
    if (!model) model = make_();
    if (!model) return invalid("no model was made");
    // Lines 6 to 8 of Algorithm 1: fresh pseudo-rewards, and the model of the mixture.
    Rng randomness(StreamKey(seed_).with(number));
    return model->fit(history_.perturb(rows_, randomness), randomness);
  });
}

bool OracleLearner::score_all(const Actions& actions, Rng& rng) {
  fault_ = {};
  Oracle* const model = draw(rng);
  if (model == nullptr) return false;
  scores_.clear();
  fault_ = guarded(oracle_, "score", [&] { return model->score(actions, scores_); });
  if (fault_) fault_ = check_scores(oracle_, actions.count, scores_);
  if (!fault_) return false;
  scores_.resize(padded(actions.count), -infinity);
  return true;
}

ArmId OracleLearner::choose(Offered& offered, Rng& rng) {
  if (history_.total() == 0) return static_cast<ArmId>(rng.below(offered.size()));
  const auto features = arms_.empty() ? offered.rows() : std::span<const double>(arms_);
  if (!score_all(Actions::rows(offered.size(), features), rng)) return no_arm;
  return best_arm(scores_, rng);  // line 9
}

// An action that was never taken comes first.
double OracleLearner::score(std::span<const double> x, Rng& rng) {
  if (history_.total() == 0) return infinity;
  if (!score_all(Actions::rows(1, x.first(rows_.dimension())), rng))
    return std::numeric_limits<double>::quiet_NaN();
  return scores_[0];
}

void OracleLearner::persist(Archive& archive) {
  history_.persist(archive, rows_.size());
  archive(seed_);
  if (archive.reading()) fitted_.assign(fitted_.size(), false);
}

void OracleLearner::merge(const Learner& other) {
  const auto& same = dynamic_cast<const OracleLearner&>(other);
  for (RowId row = 0; row < same.rows_.size(); ++row)
    history_.add(rows_.intern(same.rows_, row), same.history_.pulls(row),
                 same.history_.reward_sum(row));
}

}  // namespace phe
