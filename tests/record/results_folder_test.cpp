#include "record/results_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "phe/draw_revision.hpp"
#include "record/tables.hpp"
#include "support/crc32.hpp"
#include "support/temporary_folder.hpp"
#include "support/toy.hpp"

namespace phe {
namespace {

using test::bytes_of;
using test::contents_of;

const Machine machine{"a cpu", "scalar", 1};

class ResultsFolderTest : public testing::Test {
 protected:
  static Experiment experiment() {
    return {.problems = {"toy:d=2", "toy:d=3,kind=odd"},
            .policies = {"toy", "toy:a=2,label=b"},
            .rounds = 5,
            .instances = 3,
            .first_instance = 1};
  }
  [[nodiscard]] Plan plan(const Experiment& e = experiment()) const {
    return Plan::create(e, registry_).value();
  }

  // Does the first `count` missing runs.
  static void do_runs(ResultsFolder& folder, const Plan& plan, std::size_t count) {
    ASSERT_TRUE(folder.prepare().ok());
    for (const RunId& id : folder.missing()) {
      if (count-- == 0) return;
      ASSERT_TRUE(folder.add(plan.run(id).value()).ok());
    }
  }
  void do_all(const std::filesystem::path& path, std::size_t stop_after = 1000) const {
    do_all_of(plan(), path, stop_after);
  }
  static void do_all_of(const Plan& p, const std::filesystem::path& path,
                        std::size_t stop_after = 1000) {
    auto folder = ResultsFolder::open(path, p);
    ASSERT_TRUE(folder.ok()) << folder.error().message;
    do_runs(folder.value(), p, stop_after);
    if (!folder->missing().empty()) return;
    ASSERT_TRUE(folder->finish(machine).ok());
  }
  [[nodiscard]] std::string refusal(const std::filesystem::path& path, const Plan& p) const {
    const auto before = contents_of(path);
    const auto folder = ResultsFolder::open(path, p);
    EXPECT_FALSE(folder.ok());
    EXPECT_EQ(contents_of(path), before);
    return folder.ok() ? "" : folder.error().message;
  }

  Registry registry_ = test::toy_registry();
  test::TemporaryFolder temporary_;
  std::filesystem::path whole_ = temporary_ / "whole";
  std::filesystem::path part_ = temporary_ / "part";
};

TEST_F(ResultsFolderTest, HoldsTheTablesWhenAllRunsAreIn) {
  do_all(whole_);
  const std::string regret = bytes_of(whole_ / "regret.csv");
  EXPECT_TRUE(
      regret.starts_with("problem,d,arms,policy,round,instances,mean_regret,std_err\n"
                         "toy,2,3,toy,1,3,"));
  EXPECT_NE(regret.find("\ntoy:kind=odd,3,3,\"toy:a=2,label=b\",5,3,"), std::string::npos);
  EXPECT_EQ(std::ranges::count(regret, '\n'), 1 + 2 * 2 * 5);
  const std::string runs = bytes_of(whole_ / "runs.csv");
  EXPECT_TRUE(
      runs.starts_with("problem,d,arms,policy,instance,round,regret\n"
                       "toy,2,3,toy,1,1,"));
  EXPECT_EQ(std::ranges::count(runs, '\n'), 1 + 2 * 2 * 3 * 5);
}

TEST_F(ResultsFolderTest, HasAManifestThatSaysWhereTheNumbersComeFrom) {
  do_all(whole_);
  const auto json = nlohmann::json::parse(bytes_of(whole_ / "manifest.json"));
  EXPECT_EQ(json["format"], 1);
  EXPECT_EQ(json["regret"], "pseudo-regret");
  EXPECT_EQ(json["draws"], draw_revision);
  EXPECT_EQ(json["inputs"].size(), 0U);
  EXPECT_EQ(json["spec"]["policies"][1], "toy:a=2,label=b");
  EXPECT_EQ(json["spec"]["rounds"], 5);
  EXPECT_EQ(json["spec"]["seed"], 1);
  EXPECT_EQ(json["spec"]["instances"], 3);
  EXPECT_EQ(json["spec"]["first_instance"], 1);
  EXPECT_EQ(json["cpu"], "a cpu");
  EXPECT_EQ(json["simd"], "scalar");
  EXPECT_EQ(json["threads"], 1);
  ASSERT_EQ(json["times"].size(), 4U);
  EXPECT_EQ(json["times"][3]["problem"], "toy:d=3,kind=odd");
  EXPECT_GT(json["times"][3]["ns_per_round"], 0.0);
}

TEST_F(ResultsFolderTest, IsTheSameAfterAnInterruption) {
  do_all(whole_);
  do_all(part_, 5);
  EXPECT_FALSE(std::filesystem::exists(part_ / "regret.csv"));
  do_all(part_);
  EXPECT_EQ(bytes_of(part_ / "regret.csv"), bytes_of(whole_ / "regret.csv"));
  EXPECT_EQ(bytes_of(part_ / "runs.csv"), bytes_of(whole_ / "runs.csv"));
}

TEST_F(ResultsFolderTest, IsNotWrittenAgainWhenNothingWasMissing) {
  do_all(whole_);
  test::put(whole_ / "manifest.json", "kept");
  do_all(whole_);
  EXPECT_EQ(bytes_of(whole_ / "manifest.json"), "kept");
}

TEST_F(ResultsFolderTest, GetsBackAFileThatWentMissing) {
  do_all(whole_);
  const std::string regret = bytes_of(whole_ / "regret.csv");
  std::filesystem::remove(whole_ / "regret.csv");
  do_all(whole_);
  EXPECT_EQ(bytes_of(whole_ / "regret.csv"), regret);
}

TEST_F(ResultsFolderTest, DropsALineCutAtAnyByteAndDoesItsRunAgain) {
  do_all(whole_);
  do_all(part_, 2);
  const std::string journal = bytes_of(part_ / "runs.log");
  for (std::size_t size = 0; size < journal.size(); ++size) {
    test::put(part_ / "runs.log", journal.substr(0, size));
    const Plan p = plan();
    const auto folder = ResultsFolder::open(part_, p);
    ASSERT_TRUE(folder.ok()) << size << ": " << folder.error().message;
    EXPECT_TRUE(folder->warnings().empty());
    EXPECT_LT(folder->runs().size(), 2U);
  }
  do_all(part_);
  EXPECT_EQ(bytes_of(part_ / "runs.csv"), bytes_of(whole_ / "runs.csv"));
}

TEST_F(ResultsFolderTest, ReportsADamagedLineOnceAndDoesItsRunAgain) {
  do_all(whole_);
  do_all(part_, 4);
  std::string journal = bytes_of(part_ / "runs.log");
  const std::size_t second_run = journal.find("\nrun ", journal.find("\nrun ") + 1) + 5;
  journal[second_run] = static_cast<char>(journal[second_run] ^ 1);
  test::put(part_ / "runs.log", journal);
  {
    const Plan p = plan();
    auto folder = ResultsFolder::open(part_, p);
    ASSERT_TRUE(folder.ok());
    EXPECT_EQ(folder->warnings(),
              std::vector<std::string>{(part_ / "runs.log").string() +
                                       ": line 3 is damaged; its run is done again"});
    EXPECT_EQ(folder->runs().size(), 3U);
    do_runs(folder.value(), p, 0);
  }
  const Plan p = plan();
  EXPECT_TRUE(ResultsFolder::open(part_, p)->warnings().empty());
  do_all(part_);
  EXPECT_EQ(bytes_of(part_ / "runs.csv"), bytes_of(whole_ / "runs.csv"));
}

TEST_F(ResultsFolderTest, FindsAFlippedBitInAnyByteAndKeepsEveryOtherRun) {
  do_all(part_, 3);
  const std::string journal = bytes_of(part_ / "runs.log");
  const Plan p = plan();
  const Runs runs = read_journal(part_ / "runs.log")->runs;
  for (std::size_t i = 0; i < journal.size(); ++i) {
    std::string flipped = journal;
    flipped[i] = static_cast<char>(flipped[i] ^ (1 << i % 8));
    test::put(part_ / "runs.log", flipped);
    const std::string line = std::to_string(1 + std::ranges::count(journal.substr(0, i), '\n'));
    if (line == "1") {
      EXPECT_NE(refusal(part_, p).find((part_ / "runs.log").string() + ": line 1 "),
                std::string::npos);
      continue;
    }
    const auto folder = ResultsFolder::open(part_, p);
    ASSERT_TRUE(folder.ok()) << i;
    // Without its end a line takes the next one with it; the last line then looks like one whose
    // writer was killed, which is nothing to warn of.
    const bool end_of_line = journal[i] == '\n';
    const bool last = i + 1 == journal.size();
    EXPECT_EQ(folder->runs().size(), runs.size() - (end_of_line && !last ? 2 : 1)) << i;
    for (const auto& [id, run] : folder->runs()) EXPECT_EQ(run.regret, runs.at(id).regret);
    ASSERT_EQ(folder->warnings().empty(), last) << i;
    if (!last) {
      EXPECT_EQ(folder->warnings()[0], (part_ / "runs.log").string() + ": line " + line +
                                           " is damaged; its run is done again");
    }
  }
}

TEST_F(ResultsFolderTest, OfAnotherExperimentIsRefusedAndLeftAlone) {
  do_all(whole_);
  Experiment other = experiment();
  other.rounds = 6;
  EXPECT_EQ(refusal(whole_, plan(other)),
            whole_.string() +
                " holds another experiment: its rounds is 5, this one's 6; choose another --out");
}

TEST_F(ResultsFolderTest, GrowsByPoliciesProblemsAndInstances) {
  Experiment small = experiment();
  small.problems = {"toy:d=3,kind=odd"};
  small.policies = {"toy:label=b,a=2.0"};
  small.instances = 2;
  small.first_instance = 2;
  do_all_of(plan(small), part_);
  const Plan p = plan();
  {
    auto folder = ResultsFolder::open(part_, p);
    ASSERT_TRUE(folder.ok()) << folder.error().message;
    EXPECT_EQ(folder->runs().size(), 2U);
    EXPECT_EQ(folder->missing().size(), 10U);
    // Nothing is touched before it is prepared; then the tables of less are gone.
    EXPECT_TRUE(std::filesystem::exists(part_ / "regret.csv"));
    do_runs(folder.value(), p, 3);
    EXPECT_FALSE(std::filesystem::exists(part_ / "regret.csv"));
  }
  EXPECT_EQ(read_journal(part_ / "runs.log")->runs.size(), 5U);
  do_all(part_);
  do_all(whole_);
  EXPECT_EQ(bytes_of(part_ / "regret.csv"), bytes_of(whole_ / "regret.csv"));
  EXPECT_EQ(bytes_of(part_ / "runs.csv"), bytes_of(whole_ / "runs.csv"));
}

TEST_F(ResultsFolderTest, InAnotherOrderHasItsTablesInThatOrder) {
  do_all(part_);
  Experiment other = experiment();
  std::ranges::reverse(other.policies);
  do_all_of(plan(other), whole_);
  do_all_of(plan(other), part_);
  EXPECT_EQ(bytes_of(part_ / "regret.csv"), bytes_of(whole_ / "regret.csv"));
}

TEST_F(ResultsFolderTest, DoesNotShrink) {
  do_all(whole_);
  Experiment less = experiment();
  less.policies = {"toy"};
  EXPECT_EQ(refusal(whole_, plan(less)),
            whole_.string() +
                " has policy toy:a=2,label=b, which this leaves out; ask for it as well, or choose "
                "another --out");
  less = experiment();
  less.first_instance = 2;
  EXPECT_THAT(refusal(whole_, plan(less)), testing::HasSubstr(" has instances 1 to 3, which "));
}

TEST_F(ResultsFolderTest, OfTheFormatBeforeColumnsGoesOn) {
  do_all(whole_);
  do_all(part_, 5);
  std::string journal = bytes_of(part_ / "runs.log");
  const std::size_t end = journal.find('\n');
  auto json = nlohmann::ordered_json::parse(
      journal.substr(journal.find('{'), journal.rfind(" #", end) - journal.find('{')));
  for (const char* const key : {"policy_names", "recorded_at", "columns"})
    EXPECT_EQ(json.erase(key), 1U);
  const std::string header = "phe-runs 2 " + json.dump();
  test::put(part_ / "runs.log",
            fmt::format("{} #{:08x}{}", header, crc32(header), journal.substr(end)));
  {
    const Plan p = plan();
    EXPECT_EQ(ResultsFolder::open(part_, p)->runs().size(), 5U);
  }
  do_all(part_);
  EXPECT_EQ(bytes_of(part_ / "runs.csv"), bytes_of(whole_ / "runs.csv"));
}

TEST_F(ResultsFolderTest, KeepsOptionalColumns) {
  Experiment e = experiment();
  e.columns = {"best_pulls", "reward"};
  do_all_of(plan(e), part_, 5);
  EXPECT_TRUE(bytes_of(part_ / "runs.log").starts_with("phe-runs 3 "));
  do_all_of(plan(e), part_);
  do_all_of(plan(e), whole_);
  const std::string runs = bytes_of(part_ / "runs.csv");
  EXPECT_TRUE(runs.starts_with("problem,d,arms,policy,instance,round,regret,reward,best_pulls\n"));
  EXPECT_EQ(runs, bytes_of(whole_ / "runs.csv"));
  const std::string regret = bytes_of(part_ / "regret.csv");
  EXPECT_TRUE(regret.starts_with(
      "problem,d,arms,policy,round,instances,mean_regret,std_err,mean_reward,reward_std_err,"
      "mean_best_pulls,best_pulls_std_err\n"));
  EXPECT_EQ(std::ranges::count(regret, ','), 11 * (1 + 2 * 2 * 5) + 2 * 5);
  const Plan p = plan(e);
  const auto curves = curves_of(p, read_journal(part_ / "runs.log")->runs);
  const auto run = [&](std::uint64_t i) { return p.run({1, 1, i}).value(); };
  EXPECT_EQ(curves[3].reward[4].mean,
            (run(1).reward[4] + run(2).reward[4] + run(3).reward[4]) / 3.0);
}

TEST_F(ResultsFolderTest, WithResultsButNoJournalIsRefused) {
  std::filesystem::create_directory(whole_);
  test::put(whole_ / "regret.csv", "precious");
  EXPECT_EQ(
      refusal(whole_, plan()),
      whole_.string() + " has a regret.csv but no runs.log to continue from; choose another --out");
}

TEST_F(ResultsFolderTest, WhoseJournalIsSomethingElseIsRefused) {
  std::filesystem::create_directory(whole_);
  for (const char* const text : {"precious", "precious\n", "phe-runs 1 {} #00000000\n"}) {
    test::put(whole_ / "runs.log", text);
    EXPECT_EQ(refusal(whole_, plan()),
              (whole_ / "runs.log").string() +
                  ": line 1 is not the header of a journal of runs, format 3; choose another "
                  "--out");
  }
}

TEST_F(ResultsFolderTest, WhoseJournalIsOfAnOlderFormatIsRefusedByThatWord) {
  std::filesystem::create_directory(whole_);
  const auto refused_with = [&](const std::string& header) {
    test::put(whole_ / "runs.log", fmt::format("{} #{:08x}\n", header, crc32(header)));
    return refusal(whole_, plan());
  };
  EXPECT_EQ(refused_with("phe-runs 1 {\"version\":\"0.1.0\"}"),
            (whole_ / "runs.log").string() +
                ": line 1 is of journal format 1, by an older phe that did not record the contents "
                "of files and the revision of its draws; such runs cannot be continued or merged; "
                "choose another --out");
  EXPECT_THAT(refused_with("phe-runs 4 {}"),
              testing::HasSubstr("line 1 is of journal format 4, by a newer phe"));
}

TEST_F(ResultsFolderTest, WithAPathThatIsTooLongIsRefused) {
  const Plan p = plan();
  const auto folder = ResultsFolder::open(temporary_ / std::string(300, 'x'), p);
  ASSERT_FALSE(folder.ok());
  EXPECT_THAT(folder.error().message, testing::HasSubstr("File name too long"));
}

TEST_F(ResultsFolderTest, InUseIsRefused) {
  const Plan p = plan();
  const auto first = ResultsFolder::open(whole_, p);
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(refusal(whole_, p),
            whole_.string() + " is in use by another phe; wait for it or choose another --out");
}

TEST_F(ResultsFolderTest, ThatCannotBeMadeIsRefused) {
  test::put(temporary_ / "file", "");
  const Plan p = plan();
  for (const char* const name : {"file", "file/below"}) {
    const auto folder = ResultsFolder::open(temporary_ / name, p);
    ASSERT_FALSE(folder.ok());
    EXPECT_NE(folder.error().message.find("cannot be made a folder: Not a directory"),
              std::string::npos);
  }
}

TEST_F(ResultsFolderTest, CanBeReadBackByOthers) {
  do_all(whole_);
  const auto journal = read_journal(whole_ / "runs.log");
  ASSERT_TRUE(journal.ok());
  EXPECT_EQ(journal->header.experiment.policies, experiment().policies);
  EXPECT_EQ(journal->runs.size(), 12U);
  const Plan p = plan();
  EXPECT_EQ(regret_csv(p, curves_of(p, journal->runs)), bytes_of(whole_ / "regret.csv"));
}

TEST(CsvField, IsQuotedOnlyWhenItMustBe) {
  EXPECT_EQ(csv_field("linphe:a=1"), "linphe:a=1");
  EXPECT_EQ(csv_field("linphe:a=1,ridge=2"), "\"linphe:a=1,ridge=2\"");
  EXPECT_EQ(csv_field("say \"x\""), "\"say \"\"x\"\"\"");
}

TEST(CpuModel, IsNeverEmpty) { EXPECT_FALSE(cpu_model().empty()); }

}  // namespace
}  // namespace phe
