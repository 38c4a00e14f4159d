// A round in contexts, K = 100: features handed over row by row, select and update.
#include "comparators/comparators.hpp"
#include "support/contexts.hpp"

namespace phe::bench {

namespace {

struct Contender {
  std::string name;  // of the benchmark
  std::string spec;  // of the policy in phe
};

// `make` gives a new player; rounds first .. last - 1 of it are timed, over and over.
template <class Make>
void add(const std::string& name, std::shared_ptr<const Contexts> contexts, std::uint64_t first,
         std::uint64_t last, Make make) {
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    for (auto _ : state) {
      state.PauseTiming();
      auto player = make();
      play_rows(*player, *contexts, 0, first);
      state.ResumeTiming();
      play_rows(*player, *contexts, first, last);
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(last - first));
  })->Unit(benchmark::kMillisecond);
}

void add_phe(const std::string& name, const std::string& spec,
             std::shared_ptr<const Contexts> contexts, std::uint64_t first, std::uint64_t last) {
  const auto policy = find_context_policy(spec);
  if (!policy) return;
  add(name, contexts, first, last, [=] {
    return std::make_unique<ContextPlayer>(make_player(*policy, *contexts, rounds_of_a_run()));
  });
}

void compare(const std::string& d) {
  const auto contexts =
      std::make_shared<const Contexts>(draw_contexts("linear:contexts,arms=100,d=" + d));
  const std::uint64_t rounds = rounds_of_a_run();
  for (const auto& [name, spec] :
       {Contender{"linphe", "linphe:a=1,memory=1024"}, Contender{"lints", "lints"},
        Contender{"linucb", "linucb:width=1"}, Contender{"lineps", "lineps"}})
    add_phe("contexts/" + name + "/phe/d:" + d, spec, contexts, 0, rounds);
  for (const ContextComparator& other : context_comparators())
    add("contexts/" + std::string(other.name) + "/eigen/d:" + d, contexts, 0, rounds,
        [=] { return other.make(contexts->dimension, rounds); });
}

}  // namespace

void register_benchmarks() {
  for (const auto* d : {"5", "10", "20"}) compare(d);
  // What the memory is bounded for: rounds that do not grow slower.
  const auto contexts =
      std::make_shared<const Contexts>(draw_contexts("linear:contexts,arms=100,d=10"));
  for (const std::uint64_t first : {5'000, 90'000})
    add_phe("contexts/linphe/t:" + std::to_string(first), "linphe:a=1,memory=1024", contexts, first,
            first + rounds_of_a_run());
  const auto few =
      std::make_shared<const Contexts>(draw_contexts("logistic:contexts,arms=20,d=10"));
  add_phe("contexts/logphe/phe/d:10", "logphe:a=1", few, 0, rounds_of_a_run() / 5);
}

}  // namespace phe::bench
