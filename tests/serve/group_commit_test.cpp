#include "serve/group_commit.hpp"

#include <future>

#include <gtest/gtest.h>

#include "serve/sqlite_store.hpp"
#include "support/temporary_folder.hpp"

namespace phe::serve {
namespace {

class Commits : public testing::Test {
 protected:
  Commits() {
    commit_.emplace(
        *store_, 100, day, [](EventStore&) { return Result<void>(); }, [this] { ++told_; });
  }
  // Submits a job that succeeds or not; how often `committed` had been called when it was answered.
  std::future<int> submit(bool succeeds, std::shared_future<void> after = {}) {
    auto answered = std::make_shared<std::promise<int>>();
    auto future = answered->get_future();
    EXPECT_TRUE(commit_->submit({[succeeds, after](EventStore&) -> Result<void> {
                                   if (after.valid()) after.wait();
                                   return succeeds ? Result<void>()
                                                   : Result<void>(Error{"refused"});
                                 },
                                 [this, answered, succeeds](const Result<void>& done) {
                                   EXPECT_EQ(done.ok(), succeeds);
                                   answered->set_value(told_);
                                 }}));
    return future;
  }

  test::TemporaryFolder folder_;
  std::unique_ptr<EventStore> store_ =
      open_sqlite_store(folder_ / "test.db", Durability::async).value();
  std::atomic<int> told_ = 0;
  std::optional<GroupCommit> commit_;
};

// Else whoever has an answer could wait for what was learnt from it, and be told that all was.
TEST_F(Commits, AreToldBeforeTheyAreAnswered) {
  for (int i = 1; i <= 100; ++i) EXPECT_EQ(submit(true).get(), i);
}

TEST_F(Commits, OfABatchAreToldThoughItsLastJobFails) {
  std::promise<void> gate;
  auto first = submit(true, gate.get_future().share());  // the others wait, and are one batch
  auto good = submit(true);
  auto bad = submit(false);
  gate.set_value();
  EXPECT_EQ(first.get(), 1);
  EXPECT_EQ(good.get(), 2);
  EXPECT_EQ(bad.get(), 2);
  commit_.reset();
  EXPECT_EQ(told_, 2);
}

}  // namespace
}  // namespace phe::serve
