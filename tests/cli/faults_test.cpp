// What the program does when the machine fails it: no space, no permission, no memory, and an end
// at any moment.
#include <algorithm>
#include <set>

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "cli/program.hpp"
#include "phe/rng.hpp"
#include "record/journal_reader.hpp"
#include "support/memory.hpp"
#include "support/sizes.hpp"

namespace phe {
namespace {

namespace fs = std::filesystem;
using test::bytes_of;
using test::Outcome;
using test::Program;
using Words = std::vector<std::string>;

void limit(decltype(RLIMIT_FSIZE) resource, rlim_t value) {
  rlimit limits{};
  ::getrlimit(resource, &limits);
  limits.rlim_cur = value;
  ::setrlimit(resource, &limits);
}

class Faults : public test::ProgramTest {
 protected:
  // 40 runs in one or two hundred milliseconds.
  [[nodiscard]] Words experiment(std::string_view out, const Words& more = {}) const {
    Words words = {"simulate", "--problem", "linear:d=3,arms=5", "--policy", "linphe:a=1",
                   "--policy", "lints",     "--rounds",          "4000",     "--instances",
                   "20",       "--quiet",   "--threads",         "2",        "--out",
                   path(out)};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  [[nodiscard]] fs::path journal(std::string_view out) const {
    return temporary_ / out / "runs.log";
  }
  // The runs that the folder has; none when its journal has not got a header yet.
  [[nodiscard]] Runs runs_in(std::string_view out) const {
    auto contents = read_journal(journal(out));
    return contents ? std::move(contents->runs) : Runs{};
  }
  // That everything in `part` is as in `whole`, and that `before` is still there.
  void expect_kept(const Runs& part, const Runs& before, const Runs& whole) const {
    for (const auto& [id, run] : before) EXPECT_TRUE(part.contains(id)) << "a run was lost";
    for (const auto& [id, run] : part) EXPECT_EQ(run.regret, whole.at(id).regret);
  }
  void expect_same_tables(std::string_view a, std::string_view b) const {
    for (const char* const name : {"regret.csv", "runs.csv"}) {
      const std::string bytes = bytes_of(temporary_ / a / name);
      EXPECT_FALSE(bytes.empty());
      EXPECT_EQ(bytes, bytes_of(temporary_ / b / name)) << name;
    }
  }
};

TEST_F(Faults, ADiskThatIsFullAtAnyByteIsToldAndTheSameCommandGoesOn) {
  ASSERT_EQ(run(experiment("whole")).exit_code, 0);
  const Runs whole = runs_in("whole");
  const auto longest = fs::file_size(temporary_ / "whole" / "runs.csv");
  ASSERT_GT(longest, fs::file_size(journal("whole")));
  std::set<std::string> full;
  // No file may grow beyond `size`. 400 bytes hold the message, but not the journal's header.
  for (std::uintmax_t size = 400; size < longest; size += longest / (test::sanitized ? 3 : 12)) {
    fs::remove_all(temporary_ / "part");
    const Outcome outcome =
        run(experiment("part", {"--threads", "1"}), [&] { limit(RLIMIT_FSIZE, size); });
    EXPECT_EQ(outcome.exit_code, 1);
    const std::string start = "phe: " + path("part") + "/";
    const std::string end = "File too large\n";
    ASSERT_TRUE(outcome.err.starts_with(start) && outcome.err.ends_with(end)) << outcome.err;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1);
    full.insert(
        outcome.err.substr(start.size(), outcome.err.find(':', start.size()) - start.size()));
    for (const auto& entry : fs::directory_iterator(temporary_ / "part"))
      EXPECT_NE(entry.path().extension(), ".tmp");
    const Runs kept = runs_in("part");
    expect_kept(kept, {}, whole);
    EXPECT_LE(kept.size(), whole.size());
    ASSERT_EQ(run(experiment("part")).exit_code, 0);
    expect_kept(runs_in("part"), kept, whole);
    expect_same_tables("whole", "part");
  }
  EXPECT_EQ(full, (std::set<std::string>{"runs.log", "runs.csv"}));
}

TEST_F(Faults, AFullStandardOutputIsAnError) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  const Outcome outcome =
      run({"policies"}, [] { ::dup2(::open("/dev/full", O_WRONLY), STDOUT_FILENO); });
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.err, "phe: standard output: No space left on device\n");
}

TEST_F(Faults, AFullStandardErrorStopsNothing) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  const auto fill = [] { ::dup2(::open("/dev/full", O_WRONLY), STDERR_FILENO); };
  const Words loud = {"simulate", "--problem",   "linear", "--policy", "linphe", "--rounds",
                      "100",      "--instances", "3",      "--out",    path("o")};
  EXPECT_EQ(run(loud, fill).exit_code, 0);
  EXPECT_EQ(run(loud, fill).exit_code, 0);
  EXPECT_EQ(run({"nonsense"}, fill).exit_code, 2);
}

TEST_F(Faults, AFolderWithoutPermissionIsRefusedAndLeftAlone) {
  ASSERT_EQ(run(experiment("o")).exit_code, 0);
  const auto before = test::contents_of(temporary_ / "o");
  // Root, too, minds permissions without this capability.
  const auto mind_permissions = [] { ::prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0); };
  fs::permissions(temporary_ / "o", fs::perms::owner_read | fs::perms::owner_exec);
  for (const auto& [out, told] :
       {std::pair{"o", ": cannot be written to: Permission denied\n"},
        std::pair{"o/below", ": cannot be made a folder: Permission denied\n"}}) {
    const Outcome outcome = run(experiment(out), mind_permissions);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.err, "phe: " + path(out) + told);
  }
  fs::permissions(temporary_ / "o", fs::perms::owner_all);
  EXPECT_EQ(test::contents_of(temporary_ / "o"), before);

  fs::permissions(journal("o"), fs::perms::owner_read);
  const Outcome outcome = run(experiment("o"), mind_permissions);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.err,
            "phe: " + journal("o").string() + ": cannot be written: Permission denied\n");
}

// What asks for more than there is, is refused before it is allocated. A limit on addresses makes
// any machine a small one; sanitizers need more of them than there are bytes.
TEST_F(Faults, MoreMemoryThanThereIsIsRefusedWithBothSizes) {
  if (test::sanitized) GTEST_SKIP() << "the sanitizer takes all addresses";
  const auto refusal = [&](const std::string& problem, const Words& more) {
    Words words = {"simulate", "--problem", problem, "--threads", "1"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run(words, [] { limit(RLIMIT_AS, 1 << 29); });
    EXPECT_EQ(outcome.exit_code, 2);
    return outcome.err;
  };
  EXPECT_EQ(refusal("linear:d=1000,arms=1000000", {"--policy", "linphe"}),
            "phe: problem linear:d=1000,arms=1000000: 1 instances of 1000000 arms and 1000 "
            "features, one a thread, need about 7.5 GiB of memory, and there are 512.0 MiB\n");
  EXPECT_EQ(
      refusal("mab:arms=3000", {"--policy", "lints"}),
      "phe: lints: models of 3000 arms with 3000 features need about 841.1 MiB of memory, and "
      "there are 512.0 MiB\n");
  EXPECT_EQ(refusal("linear:d=200,arms=10", {"--policy", "linens:M=1000000"}),
            "phe: linens: 1000000 models of 200 features need about 1.5 GiB of memory, and there "
            "are 512.0 MiB\n");
  EXPECT_EQ(
      refusal("linear", {"--policy", "linphe", "--instances", "1000000"}),
      "phe: the results of 1000000 runs need about 1.7 GiB of memory, and there are 512.0 MiB\n");
}

TEST_F(Faults, FewerThreadsThanAskedForDoTheSameWork) {
  if (test::sanitized) GTEST_SKIP() << "the sanitizer takes all addresses";
  ASSERT_EQ(run(experiment("whole")).exit_code, 0);
  // The stacks of 1024 threads are 8 GiB of addresses.
  const Outcome outcome =
      run(experiment("part", {"--threads", "1024", "--instances", "600", "--rounds", "10"}),
          [] { limit(RLIMIT_AS, 1 << 30); });
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(runs_in("part").size(), 1200U);
}

// Where a killed process was, by what it left.
std::string moment(const fs::path& folder, std::size_t runs, std::size_t all) {
  if (fs::exists(folder / "manifest.json")) return "finished";
  if (runs == all) return "while it wrote the tables";
  if (runs > 0) return "while it did runs";
  return "before its first run";
}

TEST_F(Faults, TwoHundredKillsLoseNoFinishedRunAndChangeNoByte) {
  ASSERT_EQ(run(experiment("whole")).exit_code, 0);
  const Runs whole = runs_in("whole");
  const auto whole_size = fs::file_size(journal("whole"));
  Rng random(1);
  Runs kept;
  std::map<std::string, int> moments;
  const int kills = test::sanitized ? 30 : 200;
  for (int kill = 0; kill < kills; ++kill) {
    const int signal = std::array{SIGKILL, SIGINT, SIGTERM}[static_cast<std::size_t>(kill) % 3];
    const auto had = static_cast<std::uintmax_t>(static_cast<double>(whole_size) *
                                                 static_cast<double>(kept.size()) /
                                                 static_cast<double>(whole.size()));
    const Program program(temporary_.path(), experiment("part"));
    // Half of them a random time after the start, the others when the journal has grown by a random
    // number of bytes, up to a little more than all.
    if (kill % 2 == 0)
      std::this_thread::sleep_for(std::chrono::microseconds(random.below(20'000)));
    else
      program.wait_until([&, target = had + random.below(whole_size - had + 2'000)] {
        std::error_code missing;
        const auto size = fs::file_size(journal("part"), missing);
        return !missing && size >= target;
      });
    program.signal(signal);
    const int code = program.wait().exit_code;
    EXPECT_TRUE(code == 0 || code == 130 || code == 128 + signal) << code;
    const Runs now = runs_in("part");
    expect_kept(now, kept, whole);
    ++moments[moment(temporary_ / "part", now.size(), whole.size())];
    kept = now;
    if (!fs::exists(temporary_ / "part" / "manifest.json")) continue;
    expect_same_tables("whole", "part");
    fs::remove_all(temporary_ / "part");
    kept.clear();
  }
  ASSERT_EQ(run(experiment("part")).exit_code, 0);
  expect_kept(runs_in("part"), kept, whole);
  expect_same_tables("whole", "part");
  for (const auto& [name, count] : moments) std::printf("%d kills %s\n", count, name.c_str());
  // A machine so slow or so fast that no kill meets a process at work would test nothing.
  EXPECT_GT(moments["while it did runs"], kills / 5);
  EXPECT_GT(moments["before its first run"], 0);
}

}  // namespace
}  // namespace phe
