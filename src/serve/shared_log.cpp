#include "serve/shared_log.hpp"

namespace phe::serve {

Result<std::unique_ptr<SharedLog>> SharedLog::open(const RedisOptions& options,
                                                   const std::string& application,
                                                   const std::filesystem::path& file,
                                                   Durability durability, OwnLog own, Clock& clock,
                                                   const RedisLog::Documents& first) {
  std::unique_ptr<SharedLog> shared(new SharedLog(options, clock));
  auto spool_file = file;
  auto spool = Spool::open(spool_file.replace_extension(".spool"), durability);
  if (!spool) return spool.error();
  auto reader = open_sqlite_reader(file);
  if (!reader) return reader.error();
  shared->store_ = std::make_unique<RedisStore>(options, application, std::move(spool).value(),
                                                std::move(reader).value(), shared->health_, clock);
  shared->follower_ =
      std::make_unique<Follower>(options, application, std::move(own), shared->health_, clock);
  if (auto done = shared->follower_->catch_up(first); !done) return done.error();
  return shared;
}

void SharedLog::start(std::size_t most_waiting, std::int64_t tick_every,
                      Follower::Changed changed) {
  follower_->start(std::move(changed));
  commit_ = std::make_unique<GroupCommit>(
      *store_, most_waiting, tick_every,
      [this](EventStore& store) -> Result<void> {
        const auto done = store.settle(clock_.now(), {}, 0);
        return done ? Result<void>() : Result<void>(done.error());
      },
      [] {});
}

void SharedLog::stop() {
  commit_.reset();
  follower_->stop();
}

Result<void> SharedLog::write_now(std::function<Result<void>(EventStore&)> write) {
  if (auto done = commit_->write_now(std::move(write)); !done) return done;
  static_cast<void>(follower_->wait_for(store_->written(), 2 * second));
  return {};
}

bool SharedLog::refuses_reward() noexcept {
  if (options_.buffer_rewards || health_.connected()) return false;
  health_.refused += 1;
  return true;
}

}  // namespace phe::serve
