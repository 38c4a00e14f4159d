// LinPHE learns which of 20 arms pays best.
#include <cstdio>
#include <random>

#include <phe/lin_phe.hpp>

int main() {
  // Twenty arms with two features and a bias. Any finite numbers will do.
  std::mt19937 numbers(1);
  std::uniform_real_distribution<double> feature(-0.5, 0.5);
  const auto arms = phe::Arms::generate(
      20, 3, [&](std::size_t, std::size_t j) { return j == 2 ? 1.0 : feature(numbers); });
  if (!arms) return std::fprintf(stderr, "%s\n", arms.error().message.c_str()), 1;

  // The world's secret: a reward of 1 with probability 0.5 + 0.6 x1 - 0.3 x2.
  const auto pays = [&](phe::ArmId arm) {
    const double p = 0.5 + 0.6 * arms->at(arm, 0) - 0.3 * arms->at(arm, 1);
    return std::bernoulli_distribution(p)(numbers) ? 1.0 : 0.0;
  };

  auto policy = phe::LinPhe::create(arms.value(), {.perturbation_scale = 0.5, .ridge = 1.0});
  if (!policy) return std::fprintf(stderr, "%s\n", policy.error().message.c_str()), 1;

  phe::Rng rng(42);
  double sum = 0.0;
  for (int round = 1; round <= 5000; ++round) {
    const phe::ArmId arm = policy->select(rng);
    const double reward = pays(arm);
    if (const auto learnt = policy->update(arm, reward); !learnt)
      return std::fprintf(stderr, "%s\n", learnt.error().message.c_str()), 1;
    sum += reward;
    if (round % 1000 == 0) std::printf("round %d: mean reward %.3f\n", round, sum / round);
  }
}
