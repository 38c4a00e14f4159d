#include "coordinator.hpp"

#include <algorithm>
#include <optional>

#include "interrupt.hpp"
#include "run_pool.hpp"
#include "shared_plan.hpp"
#include "support/error.hpp"
#include "wire.hpp"

namespace phe::mpi {

namespace {

constexpr std::chrono::microseconds pause{100};

bool workers_left = false;

// Tells all workers the plan. An error when one of them cannot follow it.
Result<void> share(const Plan& plan, unsigned threads) {
  const std::string text = to_text(plan, threads);
  for (int worker = 1; worker < ranks(); ++worker) send(worker, Tag::plan, text);
  std::string refused;
  for (int worker = 1; worker < ranks(); ++worker)
    if (const std::string answer = await_text(worker, Tag::ready);
        !answer.empty() && refused.empty())
      refused = answer;
  if (!refused.empty()) return invalid("{}", refused);
  return {};
}

class Coordinator {
 public:
  Coordinator(const Plan& plan, const std::vector<RunId>& runs, const SimulateOptions& options)
      : runs_(runs),
        options_(options),
        pool_(plan, options.threads),
        held_(static_cast<std::size_t>(ranks())) {}

  Result<void> run();

 private:
  [[nodiscard]] bool stopped() const { return failure_ || (options_.stop && options_.stop()); }
  [[nodiscard]] std::size_t share_of(std::size_t rank) const;
  void hand_out();
  void take_messages();
  void take_own();
  void done(std::size_t rank, const RunResult& run);
  void failed(std::size_t rank, std::string message);

  const std::vector<RunId>& runs_;
  const SimulateOptions& options_;
  RunPool pool_;
  std::vector<std::size_t> held_;  // runs that each rank has and has not answered
  std::size_t outstanding_ = 0;
  std::size_t next_ = 0;
  std::size_t finished_ = 0;
  double seconds_ = 0.0;  // of the finished ones
  std::optional<Error> failure_;
};

// How many more runs a rank may have now: one per thread, and as many ahead as take 20 ms, so that
// it never waits for a message; fewer towards the end, so that all ranks end together.
std::size_t Coordinator::share_of(std::size_t rank) const {
  constexpr double ahead_seconds = 0.02;
  constexpr double most_ahead = 256.0;
  const double each = finished_ > 0 ? seconds_ / static_cast<double>(finished_) : 1.0;
  const auto ahead =
      static_cast<std::size_t>(std::min(most_ahead, ahead_seconds / std::max(each, 1e-9)));
  const std::size_t most = options_.threads * (1 + ahead);
  const std::size_t free = most - std::min(most, held_[rank]);
  const std::size_t left = runs_.size() - next_;
  const std::size_t fair = std::max<std::size_t>(1, left / (2 * held_.size()));
  // Small answers are gathered: a rank that has half of its runs left is not free yet.
  if (held_[rank] > 0 && 2 * free < most) return 0;
  return std::min({free, left, fair});
}

void Coordinator::hand_out() {
  for (std::size_t rank = 0; rank < held_.size(); ++rank) {
    const std::size_t count = share_of(rank);
    if (count == 0) continue;
    const auto begin = runs_.begin() + static_cast<std::ptrdiff_t>(next_);
    const std::vector<RunId> ids(begin, begin + static_cast<std::ptrdiff_t>(count));
    if (rank == 0)
      pool_.add(ids);
    else
      send(static_cast<int>(rank), Tag::work, words_of(ids));
    next_ += count;
    held_[rank] += count;
    outstanding_ += count;
  }
}

void Coordinator::done(std::size_t rank, const RunResult& run) {
  --held_[rank];
  --outstanding_;
  ++finished_;
  seconds_ += run.seconds;
  if (options_.on_run) options_.on_run(run);
}

void Coordinator::failed(std::size_t rank, std::string message) {
  --held_[rank];
  --outstanding_;
  if (!failure_) failure_ = Error{std::move(message)};
}

void Coordinator::take_messages() {
  while (const auto message = probe()) {
    const auto rank = static_cast<std::size_t>(message->from);
    if (message->tag == Tag::results)
      for (const RunResult& run : results_from(receive_words(*message))) done(rank, run);
    else
      failed(rank, receive_text(*message));
  }
}

void Coordinator::take_own() {
  for (const auto& result : pool_.take(pause)) {
    if (result)
      done(0, result.value());
    else
      failed(0, result.error().message);
  }
}

Result<void> Coordinator::run() {
  while (outstanding_ > 0 || (next_ < runs_.size() && !stopped())) {
    if (app::interrupted()) {
      workers_left = true;
      return {};
    }
    if (!stopped()) hand_out();
    take_own();
    take_messages();
  }
  if (failure_) return *failure_;
  return {};
}

}  // namespace

Result<void> simulate_on_ranks(const Plan& plan, const std::vector<RunId>& runs,
                               const SimulateOptions& options) {
  if (auto done = share(plan, options.threads); !done) return done;
  return Coordinator(plan, runs, options).run();
}

bool left_behind() noexcept { return workers_left; }

}  // namespace phe::mpi
