#include "record/folder_status.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

namespace phe {
namespace {

using State = FolderStatus::State;

// Two policies, ten instances each; of the first six runs of 2 s are done, of the second two of 5
// s.
JournalContents journal() {
  JournalContents contents;
  contents.header.experiment = {.problems = {"p"}, .policies = {"fast", "slow"}, .instances = 10};
  const auto add = [&](std::size_t policy, std::uint64_t instance, double seconds) {
    const RunId id{0, policy, instance};
    contents.runs[id] = {id, {1.0}, seconds};
  };
  for (std::uint64_t i = 0; i < 6; ++i) add(0, i, 2.0);
  for (std::uint64_t i = 0; i < 2; ++i) add(1, i, 5.0);
  return contents;
}

// Began at 1000, when two runs of the first policy were there.
Session session() { return {1000, 2, 4.0, ::getpid(), Session::of_this_process(0, 0).host}; }

TEST(FolderStatus, CountsRunsByPolicyAndNamesTheSlowest) {
  const FolderStatus status = status_of(journal(), session(), 1040, 1041);
  EXPECT_EQ(status.done, 8U);
  EXPECT_EQ(status.total, 20U);
  ASSERT_EQ(status.kinds.size(), 2U);
  EXPECT_EQ(status.kinds[1].policy, "slow");
  EXPECT_EQ(status.kinds[1].done, 2U);
  EXPECT_EQ(status.kinds[1].seconds_per_run, 5.0);
  EXPECT_EQ(status.slowest, 1U);
}

TEST(FolderStatus, EstimatesFromTheRunsOfTheSession) {
  // Six runs in 50 s, which took 22 - 4 = 18 s of processor time; 4 x 2 + 8 x 5 = 48 s are left.
  const FolderStatus status = status_of(journal(), session(), 1040, 1050);
  EXPECT_EQ(status.state, State::running);
  EXPECT_DOUBLE_EQ(*status.rate, 6.0 / 50.0);
  EXPECT_DOUBLE_EQ(*status.seconds_left, 48.0 / 18.0 * 50.0);
  EXPECT_DOUBLE_EQ(status.idle, 10.0);
}

TEST(FolderStatus, KnowsThatItsProcessIsGone) {
  Session dead = session();
  dead.process = 0x3fffff01;  // above every process number that Linux gives
  const FolderStatus status = status_of(journal(), dead, 1040, 2000);
  EXPECT_EQ(status.state, State::stopped);
  EXPECT_DOUBLE_EQ(*status.rate, 6.0 / 40.0);  // until it was last written to
}

TEST(FolderStatus, OfAWriterElsewhereGoesByTheLastRun) {
  Session other = session();
  other.host = "no such host";
  EXPECT_EQ(status_of(journal(), other, 1040, 1080).state, State::running);
  EXPECT_EQ(status_of(journal(), other, 1040, 1180).state, State::stopped);
}

TEST(FolderStatus, WithoutASessionHasNoRate) {
  const FolderStatus status = status_of(journal(), std::nullopt, 1040, 1050);
  EXPECT_EQ(status.state, State::unknown);
  EXPECT_FALSE(status.rate.has_value());
  JournalContents whole = journal();
  whole.header.experiment.instances = 2;
  whole.header.experiment.policies = {"fast"};
  std::erase_if(whole.runs, [](const auto& run) { return run.first > RunId{0, 0, 1}; });
  EXPECT_EQ(status_of(whole, std::nullopt, 1040, 1050).state, State::finished);
}

TEST(Session, SurvivesItsText) {
  const Session made = Session::of_this_process(3, 1.5);
  const auto read = session_from(to_text(made));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->began, made.began);
  EXPECT_EQ(read->had, 3U);
  EXPECT_EQ(read->had_seconds, 1.5);
  EXPECT_EQ(read->process, ::getpid());
  EXPECT_EQ(read->is_alive(), true);
  for (const char* const text : {"", "{", "{}", "[1]", R"({"began":1,"had":-1})",
                                 R"({"began":1,"had":1,"had_seconds":0,"process":-1,"host":""})"})
    EXPECT_FALSE(session_from(text).has_value()) << text;
}

}  // namespace
}  // namespace phe
