#include "logs/kept_log.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "logs/log_rounds.hpp"
#include "support/temporary_folder.hpp"

namespace phe::logs {
namespace {

// All that a decision says.
std::string written(const Decision& d) {
  return fmt::format("{} {} {} {} {} {} [{}] [{}] [{}] [{}] {} [{}] {} {}", d.action, d.reward,
                     d.propensity, d.slot, d.actions, d.multiplicity,
                     fmt::join(d.probabilities, " "), fmt::join(d.target, " "),
                     fmt::join(d.context, " "), fmt::join(d.action_features, " "), d.capped,
                     fmt::join(d.features, " "), d.file, d.line);
}

std::vector<std::string> all(const ReadDecisions& read) {
  std::vector<std::string> rows;
  const auto counts = read([&](const Decision& d) -> Result<void> {
    rows.push_back(written(d));
    return {};
  });
  EXPECT_TRUE(counts.ok());
  EXPECT_EQ(counts->decisions, rows.size());
  return rows;
}

class KeptLogTest : public testing::Test {
 protected:
  Log log(std::string_view name, std::string_view text) const {
    test::put(folder_ / name, text);
    Log made{{(folder_ / name).string()}, {}};
    want_offers(made);
    return made;
  }
  test::TemporaryFolder folder_;
};

TEST_F(KeptLogTest, HasEveryDecisionAsTheFileHasIt) {
  const Log csv = [&] {
    Log made =
        log("a.csv",
            "action,reward,propensity,position,user_a,user_b\n0,1,0.5,1,x,3\n1,0,0.25,2,y,4\n"
            "2,1,0.5,1,x,5\n");
    made.options.columns.features = {"user_*"};
    return made;
  }();
  const Log json =
      log("a.jsonl", R"({"action":1,"reward":1,"propensity":0.75,"probabilities":[0.25,0.75],)"
                     R"("action_features":[[1,2],[3,4]]})"
                     "\n"
                     R"({"action":0,"reward":0,"propensity":0.5,"probabilities":[0.5,0.5],)"
                     R"("action_features":[[5,6],[7,8]]})"
                     "\n");
  for (const Log& one : {csv, json}) {
    const auto kept = KeptLog::read(one);
    ASSERT_TRUE(kept.ok()) << kept.error().message;
    EXPECT_EQ(all(kept->rows([](std::size_t) { return true; })), all(decisions_of(one)));
  }
}

TEST_F(KeptLogTest, GivesTheRowsThatAreWanted) {
  const Log three = log("a.csv", "action,reward,propensity\n0,1,0.5\n1,0,0.25\n2,1,0.5\n");
  const auto kept = KeptLog::read(three).value();
  const auto whole = all(decisions_of(three));
  EXPECT_EQ(all(kept.rows([](std::size_t row) { return row != 1; })),
            (std::vector{whole[0], whole[2]}));
}

TEST_F(KeptLogTest, NamesTheLineThatIsRefused) {
  const auto kept =
      KeptLog::read(log("a.csv", "action,reward,propensity\n0,1,0.5\n1,0,0.25\n")).value();
  const auto read =
      kept.rows([](std::size_t) { return true; })([](const Decision& d) -> Result<void> {
        if (d.action == 1) return Error{"no"};
        return {};
      });
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().message, (folder_ / "a.csv").string() + ", line 3: no");
}

}  // namespace
}  // namespace phe::logs
