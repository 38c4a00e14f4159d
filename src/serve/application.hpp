// Application: everything behind one key. Its own log, its own model, two threads of its own: one
// that writes the log (GroupCommit), one that learns from it. Where nodes share a store, calls are
// written there, and the log is what comes back from it (SharedLog).
//
// Thread-safe. Ranking looks at the published model and the configuration, both of which are
// replaced as a whole, and never waits for learning.
#pragma once

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "phe/result.hpp"
#include "serve/activity.hpp"
#include "serve/clock.hpp"
#include "serve/configuration.hpp"
#include "serve/group_commit.hpp"
#include "serve/model.hpp"
#include "serve/shared_log.hpp"
#include "serve/sqlite_store.hpp"

namespace phe::serve {

struct ApplicationOptions {
  Durability durability = Durability::commit;
  std::size_t dimension = 128;
  std::string policy = Configuration().policy;  // of applications that are new
  std::size_t most_waiting = 10'000;
  std::int64_t tick_every = 100 * millisecond;
  std::int64_t save_every = 30 * second;  // at most so much is learnt again after a crash
  RequestLimits limits = {};
  std::optional<RedisOptions> redis = {};  // a store that other nodes share
};

class Application {
 public:
  // Opens the log, or begins one; when it returns the model has learnt all of it.
  static Result<std::unique_ptr<Application>> open(std::string name,
                                                   const std::filesystem::path& file,
                                                   const ApplicationOptions& options, Clock& clock);
  // Writes what was accepted, learns it, saves the model.
  ~Application();

  using Answered = std::function<void(const Result<std::string>&)>;
  using Done = std::function<void(const Result<void>&)>;

  // These three are answered from the thread that writes, when what they did is durable. False when
  // too many calls wait: nothing was done and nobody will be called.
  enum class Accepted { yes, overloaded, invalid };
  struct Submission {
    Accepted accepted = Accepted::yes;
    std::string reason = {};  // where it is invalid
  };
  Submission rank(std::string body, Answered answered);
  bool reward(std::string event, double value, std::string call, Done done);
  bool activate(std::string event, Done done);

  // All below may take a while.
  [[nodiscard]] std::shared_ptr<const Configuration> configuration() const {
    return configuration_.load();
  }
  Result<void> configure(const Configuration& configuration);
  // A new policy learns what the log has of the last days.
  Result<void> set_policy(const std::string& name, const std::string& spec);
  Result<void> reset_model();
  // As bytes that put_model takes back; signed by this application.
  Result<std::string> export_model();
  enum class Import { done, bad_format, bad_signature };
  struct Imported {
    Import what = Import::done;
    std::string message = {};
  };
  Imported import_model(std::string_view bytes);
  Result<void> forget_log();

  struct Properties {
    std::int64_t created = 0, modified = 0;
    std::int64_t learnt = 0, lessons = 0;
    StoreCounts counts;
  };
  Result<Properties> properties();
  Result<std::unique_ptr<EventReader>> reader() const { return open_sqlite_reader(file_); }
  // A document of the application's own, durable when it returns.
  Result<void> put(std::string_view key, std::string_view value);
  Result<void> remove(std::string_view key);
  [[nodiscard]] const std::filesystem::path& file() const noexcept { return file_; }

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] std::size_t dimension() const noexcept { return options_.dimension; }
  [[nodiscard]] const ApplicationOptions& options() const noexcept { return options_; }
  [[nodiscard]] Clock& clock() const noexcept { return clock_; }
  // Whether the log cannot be written.
  [[nodiscard]] bool failing() const {
    return commit_->failing() || activity_.refusing(clock_.now());
  }
  // What ranks now, and since when.
  [[nodiscard]] std::shared_ptr<const PublishedModel> published() const {
    return published_.load();
  }
  [[nodiscard]] std::int64_t published_at() const noexcept { return published_at_; }
  [[nodiscard]] const Activity& activity() const noexcept { return activity_; }
  [[nodiscard]] StoreState store_state() const { return shared_ ? shared_->state() : StoreState(); }

  // For tests: waits until all that was committed is learnt and published.
  void wait_for_learning();

 private:
  Application(std::string name, std::filesystem::path file, ApplicationOptions options,
              Clock& clock);
  Result<void> begin();
  Result<void> check_sharing();
  Result<void> join_others();
  Result<void> load();
  Result<void> catch_up(Model& model, std::int64_t most = std::numeric_limits<std::int64_t>::max());
  Result<void> publish();
  [[nodiscard]] Result<StoredModel> stored(const Model& model) const;
  Result<void> save_model();
  Result<void> tick(EventStore& store);
  void learn_loop();
  // Runs in the thread that learns, between two lessons.
  Result<void> in_learner(std::function<Result<void>()> work);
  // For this node, or for all; with `configuration`, if it is given, in the same transaction.
  Result<void> replace_model(const Model& model, const Configuration* configuration = nullptr);
  // Goes on with the model that the log holds.
  Result<void> adopt();
  // In the shared store, where there is one, and durable when it returns.
  Result<void> write_now(std::function<Result<void>(EventStore&)> write);
  Result<void> read_configuration_again();

  [[nodiscard]] RewardRules rules() const;
  [[nodiscard]] Configuration first_configuration() const;
  [[nodiscard]] GroupCommit& calls() const noexcept {
    return shared_ ? shared_->commit() : *commit_;
  }

  const std::string name_;
  const std::filesystem::path file_;
  const ApplicationOptions options_;
  Clock& clock_;
  Activity activity_;
  std::uint64_t seed_ = 0;
  std::string secret_;

  std::atomic<std::shared_ptr<const Configuration>> configuration_;
  std::atomic<std::shared_ptr<const PublishedModel>> published_;

  std::unique_ptr<Replica> store_;
  std::unique_ptr<EventReader> reader_;    // of the thread that learns
  std::unique_ptr<Model> model_;           // likewise
  std::atomic<std::int64_t> adopted_ = 0;  // of the models that took the place of what was learnt
  std::int64_t created_ = 0, modified_ = 0;
  std::atomic<std::int64_t> published_at_ = 0;
  std::int64_t saved_at_ = 0, saved_lessons_ = -1, tidied_at_ = 0;
  std::int64_t retired_at_ = 0;  // of the thread that writes

  std::mutex mutex_;
  std::condition_variable wake_, idle_;
  std::vector<std::function<void()>> work_;
  bool committed_ = false;
  bool stopping_ = false;
  bool caught_up_ = true;

  std::unique_ptr<GroupCommit> commit_;
  std::unique_ptr<SharedLog> shared_;  // null: the node is alone
  std::thread learner_;
};

}  // namespace phe::serve
