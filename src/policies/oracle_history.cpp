#include "policies/oracle_history.hpp"

#include "kernels/binomial_half.hpp"

namespace phe {

void replicate(const PerturbedRows& rows, std::vector<Example>& examples) {
  examples.clear();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const PerturbedRow row = rows[i];
    examples.insert(examples.end(), row.copies, {row.features, row.mean()});
  }
}

void OracleHistory::add(RowId row, std::uint64_t pulls, double reward_sum) {
  if (row >= now_.pulls.size()) {
    now_.pulls.resize(row + 1);
    now_.reward_sums.resize(row + 1);
  }
  now_.pulls[row] += pulls;
  now_.reward_sums[row] += reward_sum;
  now_.total += pulls;
}

PerturbedRows OracleHistory::perturb(const Rows& rows, Rng& rng) {
  const std::size_t count = then_.pulls.size();
  flips_.assign(padded(count), 0);
  for (std::size_t i = 0; i < count; ++i) flips_[i] = law_.flips(then_.pulls[i]);
  heads_.resize(flips_.size());
  kernels::binomial_half(flips_, rng, heads_);
  copies_.resize(count);
  weights_.resize(count);
  perturbed_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto flips = static_cast<double>(flips_[i]);
    const double mean = 0.5 * law_.mean_factor() * flips;
    const double pseudo_rewards = law_.scaled(heads_[i], flips) - (centred_ ? mean : 0.0);
    perturbed_[i] = then_.reward_sums[i] + pseudo_rewards;
    weights_[i] = static_cast<double>(then_.pulls[i]) + 2.0 * mean;
    copies_[i] = then_.pulls[i] + (law_.contexts() ? 0 : flips_[i]);
  }
  return PerturbedRows({.features = rows.data(),
                        .dimension = rows.dimension(),
                        .stride = rows.stride(),
                        .counts = then_.pulls,
                        .reward_sums = then_.reward_sums,
                        .weights = weights_,
                        .perturbed_sums = perturbed_,
                        .copies = copies_});
}

void OracleHistory::Sums::persist(Archive& archive, const FlipLaw& law) {
  archive(pulls);
  archive(reward_sums);
  archive.require(reward_sums.size() == pulls.size(), "rows without rewards");
  if (!archive.ok()) return;
  total = 0;
  for (std::size_t i = 0; i < pulls.size(); ++i) {
    // A sum of rewards may step over the edge by its rounding.
    const double most = static_cast<double>(pulls[i]) * (1.0 + 1e-9);
    archive.require(pulls[i] > 0 && law.allows(pulls[i]), "a row that was not observed");
    archive.require(reward_sums[i] >= -1e-9 * most && reward_sums[i] <= most,
                    "rewards that cannot be");
    total += pulls[i];
  }
}

void OracleHistory::persist(Archive& archive, std::size_t rows) {
  now_.persist(archive, law_);
  then_.persist(archive, law_);
  archive.require(now_.pulls.size() == rows && then_.pulls.size() <= rows, "rows without pulls");
}

}  // namespace phe
