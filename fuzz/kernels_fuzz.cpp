// Every kernel on every SIMD target against its scalar twin, to the bit. One family of kernels an
// input, chosen by its last byte.
#include <cmath>
#include <limits>

#include "core/aligned_vector.hpp"
#include "every_target.hpp"
#include "kernels/binomial.hpp"
#include "kernels/binomial_half.hpp"
#include "kernels/cholesky.hpp"
#include "kernels/elementary.hpp"
#include "kernels/exponential.hpp"
#include "kernels/flip_sums.hpp"
#include "kernels/logistic.hpp"
#include "kernels/matrix.hpp"
#include "kernels/optimism.hpp"
#include "kernels/root.hpp"
#include "kernels/score_arms.hpp"
#include "kernels/screened_argmax.hpp"
#include "kernels/weighted_sum.hpp"
#include "numbers.hpp"
#include "support/aligned.hpp"

// A kernel's name, the kernel, and its scalar twin.
#define PHE_TWINS(kernel) \
#kernel, [](auto&&... a) { return kernels::kernel(a...); }, \
      [](auto&&... a) { return kernels::scalar::kernel(a...); }

namespace phe::fuzz {

namespace {

using Values = std::vector<double>;
using kernels::MatrixView;

// `run` calls the kernel that it is given and returns what came out.
template <class Kernel, class Twin, class Run>
void demand_twins(const char* name, Kernel kernel, Twin twin, Run run) {
  demand_on_every_target(run(twin), name, [&] { return run(kernel); });
}

std::size_t padded(std::size_t n) { return (n + 7) / 8 * 8; }

// Products stay finite for features that policies accept.
constexpr double largest_feature = 1e100;

void binomial_half(Numbers& in) {
  std::vector<std::uint64_t> trials(padded(in.size(1, 40)));
  const auto bits = static_cast<unsigned>(in.size(1, 51));
  for (auto& count : trials) count = in.count(bits);
  const std::uint64_t seed = in.word();
  const auto draw = [&](std::size_t repetitions) {
    return [&, repetitions](auto kernel) {
      Rng rng(seed);
      Values draws(trials.size() * repetitions);
      kernel(trials, rng, draws);
      draws.push_back(to_unit(rng()));  // the generator ends in the same state
      return draws;
    };
  };
  demand_twins(PHE_TWINS(binomial_half), draw(1));
  demand_twins(PHE_TWINS(binomial_half_rows), draw(kernels::repetitions));
}

void binomial(Numbers& in) {
  const std::uint64_t trials = in.count(53);
  const double p = in.size_of(1.0);
  Rng rng(in.word());
  for (int i = 0; i < 4; ++i)
    demand(kernels::binomial(trials, p, rng) <= trials, "no more successes than trials");
}

void score_arms(Numbers& in) {
  const bool pages = in.flag() && in.flag();  // more than the second-level cache, rarely
  const Arms x = pages ? in.arms(in.size(2048, 2100), 16) : in.arms();
  const Values theta = in.reals(x.dimension());
  Values scores(x.view().padded_arms());
  demand_twins(PHE_TWINS(score_arms), [&](auto kernel) {
    kernel(x.view(), theta, scores);
    return scores;
  });
  const auto as_values = [](const kernels::BestArms& best) {
    return Values{best.score, static_cast<double>(best.count), static_cast<double>(best.first)};
  };
  demand_twins(PHE_TWINS(best_scored),
               [&](auto kernel) { return as_values(kernel(x.view(), theta, scores)); });
  // Few values, so that there are ties.
  if (in.flag())
    for (std::size_t k = 0; k < x.size(); ++k) scores[k] = static_cast<double>(in.count(2));
  demand_twins(PHE_TWINS(best_arms), [&](auto kernel) { return as_values(kernel(scores)); });
}

void screened(Numbers& in) {
  const Arms x = in.arms(in.size(1, 100), in.size(1, 24));
  const Values theta = in.reals(x.dimension());
  const kernels::ScreenedArms screened(x.view());
  Values scores(x.view().padded_arms());
  kernels::score_arms(x.view(), theta, scores);
  const auto best = kernels::scalar::best_arms(scores);
  demand_equal_targets("ScreenedArms", [&] {
    std::array<ArmId, kernels::ScreenedArms::most_candidates> found;
    const std::size_t count = screened.candidates(theta, found);
    std::size_t reach_best = 0;
    for (std::size_t i = 0; i < count; ++i) reach_best += scores[found[i]] == best.score ? 1 : 0;
    demand(count == 0 || reach_best == best.count, "every best arm is a candidate");
    return Values(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count));
  });
}

void screen_arms(Numbers& in) {
  const std::size_t arms = in.size(1, 100);
  const std::size_t pairs = in.size(1, 12);
  // Sums of 2 * pairs products stay within 32 bits.
  const auto largest = static_cast<std::int64_t>(in.size(0, 8000));
  const auto draw = [&] {
    const auto span = static_cast<std::uint64_t>(2 * largest + 1);
    return static_cast<std::int16_t>(static_cast<std::int64_t>(in.count(63) % span) - largest);
  };
  const std::size_t size =
      kernels::Screen::blocks_for(arms) * kernels::ScreenedArms::block * 2 * pairs;
  const auto copy = zeroed_array<std::int16_t>(size);
  for (std::size_t i = 0; i < size; ++i) copy.get()[i] = draw();
  std::vector<std::int32_t> weights(pairs);
  for (auto& pair : weights) {
    const std::array<std::int16_t, 2> halves{draw(), draw()};
    pair = std::bit_cast<std::int32_t>(halves);
  }
  const auto margin = static_cast<std::int32_t>(in.count(31));
  const kernels::Screen screen{copy.get(), weights.data(), pairs, arms, margin};
  demand_twins(PHE_TWINS(screen_arms), [&](auto kernel) {
    std::array<ArmId, kernels::ScreenedArms::most_candidates> found;
    const std::size_t count = kernel(screen, found);
    return Values(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count));
  });
}

void weighted_sum(Numbers& in) {
  const Arms x = in.arms();
  const Values start = in.reals(padded(x.dimension()) * kernels::sets);
  const Values weights = in.reals(x.view().padded_arms());
  demand_twins(PHE_TWINS(add_weighted_sum), [&](auto kernel) {
    Values sums = start;
    kernel(x.view(), weights, std::span(sums).first(x.dimension()));
    return sums;
  });
  const Values all_weights = in.reals(x.size() * kernels::sets);
  const std::size_t stride = padded(x.dimension());
  Values rows(x.size() * stride);
  for (ArmId k = 0; k < x.size(); ++k) x.copy_row(k, std::span(rows).subspan(k * stride, stride));
  demand_twins(PHE_TWINS(add_weighted_sums), [&](auto kernel) {
    Values sums = start;
    kernel(rows.data(), x.size(), x.dimension(), all_weights,
           MatrixView{sums.data(), kernels::sets, stride});
    return sums;
  });
}

void flip_sums(Numbers& in) {
  const std::size_t count = in.size(0, 100);
  const std::size_t dimension = in.size(1, 60);
  const std::uint64_t flips = in.size(0, 4);
  const std::uint64_t seed = in.word();
  const std::size_t stride = padded(dimension);
  AlignedVector x(count * stride);
  for (std::size_t l = 0; l < count; ++l)
    for (std::size_t j = 0; j < dimension; ++j) x[l * stride + j] = in.real(largest_feature);
  demand_twins(PHE_TWINS(add_flip_sums), [&](auto kernel) {
    Rng rng(seed);
    AlignedVector ahead(kernels::flip_rounds * stride);
    kernel(x.data(), count, dimension, stride, flips, rng, ahead.data());
    ahead.push_back(to_unit(rng()));  // the generator ends in the same state
    return Values(ahead.begin(), ahead.end());
  });
}

// A vector of d numbers, padded with zeros.
Values padded_vector(Numbers& in, std::size_t d, double limit) {
  Values values = in.reals(d, limit);
  values.resize(padded(d));
  return values;
}

// ridge * I, plus what `updates` vectors add to it. Padded, positive definite but for rounding.
Values gram(Numbers& in, std::size_t d, std::size_t updates) {
  Values matrix(d * padded(d));
  const MatrixView view{matrix.data(), d, padded(d)};
  const double ridge = std::max(in.size_of(largest_feature), 1e-100);
  for (std::size_t j = 0; j < d; ++j) view.column(j)[j] = ridge;
  for (std::size_t i = 0; i < updates; ++i)
    kernels::scalar::add_outer(view, padded_vector(in, d, largest_feature).data());
  return matrix;
}

void matrix(Numbers& in) {
  const std::size_t d = in.size(1, 40);
  const std::size_t stride = padded(d);
  const Values start = in.reals(d * stride);
  const Values v = padded_vector(in, d, std::numeric_limits<double>::max());
  const auto changed = [&](auto kernel) {
    Values a = start;
    kernel(MatrixView{a.data(), d, stride}, v.data());
    return a;
  };
  demand_twins(PHE_TWINS(add_outer), changed);
  demand_twins(PHE_TWINS(subtract_outer), changed);
  demand_twins(PHE_TWINS(add_outers), [&](auto kernel) {
    Values a = start;
    Values rows = v;
    rows.insert(rows.end(), v.rbegin() + static_cast<std::ptrdiff_t>(stride - d), v.rend());
    rows.resize(2 * stride);
    kernel(MatrixView{a.data(), d, stride}, rows.data(), 2);
    return a;
  });
  demand_twins(PHE_TWINS(multiply), [&](auto kernel) {
    Values a = start;
    Values y(stride);
    kernel(MatrixView{a.data(), d, stride}, v.data(), y.data());
    return y;
  });
  demand_twins(PHE_TWINS(multiply_sum), [&](auto kernel) {
    Values a = start;
    Values y(stride);
    kernel(MatrixView{a.data(), d, stride}, v.data(), start.data(), y.data());
    return y;
  });
  demand_twins(PHE_TWINS(dot),
               [&](auto kernel) { return Values{kernel(v.data(), start.data(), stride)}; });
}

void inverse_updates(Numbers& in) {
  const std::size_t d = in.size(1, 24);
  const double ridge = std::max(in.size_of(largest_feature), 1e-100);
  const std::vector<Values> rows(4, padded_vector(in, d, largest_feature));
  const double weight = std::max(in.size_of(1e6), 1e-6);
  demand_twins(PHE_TWINS(update_inverse), [&](auto kernel) {
    const std::size_t stride = padded(d);
    Values inverse(d * stride), gain(stride), result;
    for (std::size_t j = 0; j < d; ++j) inverse[j * stride + j] = 1.0 / ridge;
    for (const Values& x : rows)
      result.push_back(
          kernel(MatrixView{inverse.data(), d, stride}, x.data(), weight, gain.data()));
    for (const Values& part : {inverse, gain})
      result.insert(result.end(), part.begin(), part.end());
    return result;
  });
}

void root(Numbers& in) {
  const std::size_t d = in.size(1, 24);
  const std::size_t stride = padded(d);
  const Values start = in.reals(d * stride, largest_feature);
  const Values r = padded_vector(in, d, 1e40);
  demand_twins(PHE_TWINS(multiply_transposed), [&](auto kernel) {
    Values a = start;
    Values y(stride);
    kernel(MatrixView{a.data(), d, stride}, r.data(), y.data());
    return y;
  });
  demand_twins(PHE_TWINS(add_outer), [&](auto kernel) {
    Values a = start;
    kernel(MatrixView{a.data(), d, stride}, r.data(), start.data());
    return a;
  });
  demand_twins(PHE_TWINS(shrink_root), [&](auto kernel) {
    Values a = start, image(stride), gain(stride);
    a.push_back(kernel(MatrixView{a.data(), d, stride}, r.data(), image.data(), gain.data()));
    a.insert(a.end(), image.begin(), image.end());
    return a;
  });
}

void optimism(Numbers& in) {
  const std::size_t size = padded(in.size(1, 80));
  const Values correlations = in.reals(size);
  const Values means = in.reals(size);
  Values widths = in.reals(size);
  for (double& width : widths) width = std::abs(width);
  const double step = in.real();
  const double shrink = in.size_of();
  demand_twins(PHE_TWINS(follow_pull), [&](auto kernel) {
    Values both[] = {means, widths};
    kernel(correlations, step, shrink, both[0], both[1]);
    both[0].insert(both[0].end(), both[1].begin(), both[1].end());
    return both[0];
  });
  demand_twins(PHE_TWINS(best_optimistic), [&](auto kernel) {
    Values scores(size);
    const kernels::BestArms best = kernel(means, widths, step, scores);
    scores.insert(scores.end(),
                  {best.score, static_cast<double>(best.count), static_cast<double>(best.first)});
    return scores;
  });
}

void logistic(Numbers& in) {
  const std::size_t size = padded(in.size(1, 80));
  Values scores = in.reals(size);
  // Both tails, and the edges of exp.
  const double stretch = in.flag() ? 400.0 : 1.0;
  for (double& score : scores) score = std::clamp(score, -1e300, 1e300) * stretch;
  const Values totals = in.reals(size);
  demand_twins(PHE_TWINS(logistic), [&](auto kernel) {
    Values means(size), slopes(size);
    kernel(scores, means, slopes);
    means.insert(means.end(), slopes.begin(), slopes.end());
    return means;
  });
  demand_twins(PHE_TWINS(scaled_sigmoid), [&](auto kernel) {
    Values result(size);
    kernel(scores, totals, result);
    return result;
  });
  demand_twins(PHE_TWINS(exponential), [&](auto kernel) {
    Values means(size), slopes(size);
    kernel(scores, means, slopes);
    means.insert(means.end(), slopes.begin(), slopes.end());
    return means;
  });
  demand_twins(PHE_TWINS(scaled_exponential), [&](auto kernel) {
    Values result(size);
    kernel(scores, totals, result);
    return result;
  });
  demand_twins(PHE_TWINS(largest_difference),
               [&](auto kernel) { return Values{kernel(scores, totals)}; });
  demand_twins(PHE_TWINS(weighted_quartic), [&](auto kernel) {
    const auto quartic = kernel(scores, totals, scores);
    return Values{quartic.sum, quartic.largest};
  });
  const double slack = in.real();
  const double bar = in.real();
  demand_twins(PHE_TWINS(count_reaching), [&](auto kernel) {
    return Values{static_cast<double>(kernel(scores, totals, slack, bar))};
  });
}

void weighted_outer(Numbers& in) {
  const Arms x = in.arms();
  const std::size_t d = x.dimension();
  const Values weights = in.reals(x.view().padded_arms());
  Values expected(d * padded(d));
  kernels::scalar::add_weighted_outer(x.view(), weights, {expected.data(), d, padded(d)});
  demand_on_every_target(expected, "add_weighted_outer", [&] {
    Values h(d * padded(d)), scratch(weights.size());
    kernels::add_weighted_outer(x.view(), weights, scratch, {h.data(), d, padded(d)});
    return h;
  });
}

void cholesky(Numbers& in) {
  const std::size_t d = in.size(1, 20);
  const std::size_t stride = padded(d);
  const Values start = gram(in, d, in.size(0, 20));
  const Values b = padded_vector(in, d, largest_feature);
  demand_equal_targets("cholesky", [&] {
    Values a = start;
    const MatrixView l{a.data(), d, stride};
    if (!kernels::cholesky(l)) return Values{};
    Values x(stride), y(stride), inverse(d * stride);
    kernels::cholesky_solve(l, b.data(), x.data());
    kernels::solve_transposed(l, b.data(), y.data());
    kernels::cholesky_invert(l, {inverse.data(), d, stride});
    for (const Values& part : {x, y, inverse}) a.insert(a.end(), part.begin(), part.end());
    return a;
  });
}

// Both promise a relative error below 2^-51; the C library's long double is right to 2^-63.
void elementary(Numbers& in) {
  const auto close = [](double ours, long double exact) {
    return std::abs(static_cast<long double>(ours) - exact) <= 0x1p-51L * std::abs(exact);
  };
  for (int i = 0; i < 16; ++i) {
    const double x = in.real();
    if (x >= kernels::exp_lowest && x <= kernels::exp_highest)
      demand(close(kernels::exp(x), std::exp(static_cast<long double>(x))),
             "exp is right to 2^-51");
    if (std::isnormal(x) && x > 0)
      demand(close(kernels::log(x), std::log(static_cast<long double>(x))),
             "log is right to 2^-51");
  }
}

void normal(Numbers& in) {
  Rng a(in.word());
  Rng b = a;
  for (int i = 0; i < 16; ++i) {
    const double x = kernels::normal(a);
    demand(std::abs(x) < 14, "a normal draw has the size that 53 bits allow");
    demand(x == kernels::normal(b), "equal generators give equal normal draws");
  }
}

}  // namespace

void check(std::string_view input) {
  static constexpr void (*families[])(Numbers&) = {
      binomial_half, binomial,        score_arms, screened, screen_arms,    weighted_sum,
      matrix,        inverse_updates, root,       optimism, weighted_outer, logistic,
      cholesky,      elementary,      normal,     flip_sums};
  if (input.empty()) return;
  const auto last = static_cast<unsigned char>(input.back());
  input.remove_suffix(1);
  Numbers in(input);
  families[last % std::size(families)](in);
}

}  // namespace phe::fuzz
