#include <random>

#include "comparators/comparators.hpp"

#ifdef PHE_HAVE_BOOST_RANDOM
#include <boost/random/binomial_distribution.hpp>
#include <boost/random/mersenne_twister.hpp>
#endif
#ifdef PHE_HAVE_GSL
#include <gsl/gsl_randist.h>
#endif

namespace phe::bench {

namespace {

void draw_std(std::span<const std::uint64_t> trials, std::span<double> draws) {
  static std::mt19937_64 engine(1);
  for (std::size_t i = 0; i < trials.size(); ++i) {
    std::binomial_distribution<int> binomial(static_cast<int>(trials[i]), 0.5);
    draws[i] = binomial(engine);
  }
}

#ifdef PHE_HAVE_BOOST_RANDOM
void draw_boost(std::span<const std::uint64_t> trials, std::span<double> draws) {
  static boost::random::mt19937_64 engine(1);
  for (std::size_t i = 0; i < trials.size(); ++i) {
    boost::random::binomial_distribution<int> binomial(static_cast<int>(trials[i]), 0.5);
    draws[i] = binomial(engine);
  }
}
#endif

#ifdef PHE_HAVE_GSL
void draw_gsl(std::span<const std::uint64_t> trials, std::span<double> draws) {
  static gsl_rng* const engine = gsl_rng_alloc(gsl_rng_mt19937);
  for (std::size_t i = 0; i < trials.size(); ++i)
    draws[i] = gsl_ran_binomial(engine, 0.5, static_cast<unsigned>(trials[i]));
}
#endif

}  // namespace

std::vector<BinomialComparator> binomial_comparators() {
  return {
      {"std", draw_std},
#ifdef PHE_HAVE_BOOST_RANDOM
      {"boost", draw_boost},
#endif
#ifdef PHE_HAVE_GSL
      {"gsl", draw_gsl},
#endif
  };
}

}  // namespace phe::bench
