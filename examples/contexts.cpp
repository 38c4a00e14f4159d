// Choices that change from round to round, each with its features.
#include <cstdio>
#include <random>

#include <phe/lin_phe.hpp>

int main() {
  auto policy = phe::LinPhe::create(4, {.perturbation_scale = 0.5}).value();  // 4 features
  phe::Rng rng(42);
  std::mt19937 numbers(1);
  std::uniform_real_distribution<double> feature(-0.5, 0.5);
  for (int visit = 1, clicks = 0; visit <= 5000; ++visit) {
    std::vector<double> page(20 * 4);  // twenty candidates, row by row
    for (double& x : page) x = feature(numbers);
    const auto shown = policy.select(phe::Actions::rows(20, page), rng).value();
    const auto x = std::span(page).subspan(shown * 4, 4);
    const bool click = 0.8 * x[0] - 0.2 * x[3] > feature(numbers);
    if (!policy.update(x, click)) return 1;
    if (clicks += click; visit % 1000 == 0) std::printf("%d: %d clicks\n", visit, clicks);
  }
}
