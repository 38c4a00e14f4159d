#include "worker.hpp"

#include <memory>
#include <thread>

#include "run_pool.hpp"
#include "shared_plan.hpp"
#include "support/error.hpp"
#include "wire.hpp"

namespace phe::mpi {

namespace {

// How long a rank without anything to do sleeps: little against a run, much against a poll.
constexpr std::chrono::microseconds pause{200};

class Worker {
 public:
  // False when there is no more to do.
  bool take(const Waiting& message);
  void report();

 private:
  void begin(const std::string& text);

  Registry registry_ = Registry::built_in();
  std::unique_ptr<const SharedPlan> plan_;
  std::unique_ptr<RunPool> pool_;
};

void Worker::begin(const std::string& text) {
  pool_.reset();
  auto plan = plan_from(text, registry_);
  if (!plan) return send(0, Tag::ready, fmt::format("{}: {}", this_rank(), plan.error().message));
  plan_ = std::make_unique<const SharedPlan>(std::move(plan).value());
  pool_ = std::make_unique<RunPool>(plan_->plan, plan_->threads);
  send(0, Tag::ready, std::string());
}

bool Worker::take(const Waiting& message) {
  if (message.tag == Tag::quit) return false;
  if (message.tag == Tag::plan)
    begin(receive_text(message));
  else
    pool_->add(ids_from(receive_words(message)));
  return true;
}

// Sends what is done, all of it in one message.
void Worker::report() {
  if (!pool_) return std::this_thread::sleep_for(pause);
  std::vector<std::uint64_t> words;
  for (const auto& result : pool_->take(pause)) {
    if (result)
      append(result.value(), words);
    else
      send(0, Tag::failure, fmt::format("{}: {}", this_rank(), result.error().message));
  }
  if (!words.empty()) send(0, Tag::results, words);
}

}  // namespace

void serve() {
  Worker worker;
  for (;;) {
    while (const auto message = probe(0))
      if (!worker.take(*message)) {
        receive_text(*message);
        return;
      }
    worker.report();
  }
}

}  // namespace phe::mpi
