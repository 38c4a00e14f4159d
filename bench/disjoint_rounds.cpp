// A round with a model per action, K = 10, d = 64: a pass over images of digits.
#include "support/contexts.hpp"

namespace phe::bench {

namespace {

void play_images(ContextPlayer& player, const Contexts& contexts) {
  for (std::uint64_t round = 0; round < images; ++round) {
    const auto context = contexts.offered(round);
    const std::size_t action = player.select_in(context);
    player.update_in(action, context, contexts.reward(round, action));
  }
}

void add(const std::string& name, const PolicySpec& policy,
         std::shared_ptr<const Contexts> contexts) {
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    for (auto _ : state) {
      state.PauseTiming();
      ContextPlayer player = make_player(policy, *contexts, images);
      state.ResumeTiming();
      play_images(player, *contexts);
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(images));
  })->Unit(benchmark::kMillisecond);
}

}  // namespace

void register_benchmarks() {
  const auto contexts = std::make_shared<const Contexts>(draw_images());
  for (const auto& [name, spec] : {std::pair{"linphe", "linphe:a=1,disjoint"},
                                   {"lints", "lints:disjoint"},
                                   {"linucb", "linucb:width=1,disjoint"}})
    if (const auto policy = find_context_policy(spec))
      add("disjoint/" + std::string(name) + "/phe", *policy, contexts);
}

}  // namespace phe::bench
