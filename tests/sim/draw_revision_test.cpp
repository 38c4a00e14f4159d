// The regrets of this revision of the draws. When a change of code changes one of them, results of
// before and after must not be mixed: raise phe::draw_revision and put the table that the test
// prints in the place of this one. A new policy or problem is a new row and no new revision.
#include "phe/draw_revision.hpp"

#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "phe/simulate.hpp"
#include "support/sha256.hpp"

namespace phe {
namespace {

constexpr std::uint64_t table_revision = 2;

struct Row {
  const char* problem;
  const char* policy;
  const char* digest;  // the first digits of that of the regrets
};

constexpr Row table[] = {
    {"linear:d=4,arms=20", "linphe", "2a91aebbc4e2c042"},
    {"linear:d=4,arms=20", "linucb", "38123e7510e0c8f5"},
    {"linear:d=4,arms=20", "lints", "0037f64b8d8219f9"},
    {"linear:d=4,arms=20", "lineps", "276dda02307774d4"},
    {"linear:d=4,arms=20", "linfpl", "5aa324819411267b"},
    {"linear:d=4,arms=20", "linens", "50c9a9224f4573b5"},
    {"linear:d=4,arms=20", "lingiro", "75ee4b074714e7ac"},
    {"linear:d=4,arms=20", "greedy", "5fe73287c46faac9"},
    {"linear:d=4,arms=20", "uniform", "5f1811fd46ceda78"},
    {"linear:d=4,arms=20", "linphe:a=1", "91979b33b27045eb"},
    {"linear:d=4,arms=20", "linphe:a=2,gram=authors", "3c909bed07555a53"},
    {"linear:d=4,arms=20", "linphe:a=0.3,centred", "0dcaa9ea56c7edfd"},
    {"linear:d=4,arms=20", "linphe:schedule=linear", "e5f050a154ef22fd"},
    {"linear:d=4,arms=20", "linphe:theory", "d3576258e7f6f61a"},
    {"linear:d=4,arms=20", "linphe:a=40", "715559a8887d4e93"},
    {"linear:d=3,arms=10,rewards=beta", "linphe", "4ffb0ade11842273"},
    {"linear:d=3,arms=10,rewards=uniform", "linphe", "83be3ce1618e9292"},
    {"mab:arms=5", "phe", "c63714409bae0af5"},
    {"mab:arms=5", "giro", "94b47c5bb4f8917c"},
    {"mab:arms=5", "linphe", "476417b580819b98"},
    {"logistic:d=4,arms=20", "logphe", "a98aafb5c503ab13"},
    {"logistic:d=4,arms=20", "logts", "5574ca620fe38a67"},
    {"logistic:d=4,arms=20", "glmucb", "f6de59ad5f735c3a"},
    {"logistic:d=4,arms=20", "ucbglm", "c06b4b5e557f471f"},
    {"logistic:d=4,arms=20", "logeps", "76722707d83058d4"},
    {"logistic:d=4,arms=20", "logfpl", "e384d62182feeea5"},
    {"logistic:d=4,arms=20", "logphe:a=2", "3bd8ab4df8d8934a"},
    {"linear:d=4,arms=8,contexts", "linphe", "69c6c9dacc18dfea"},
    {"linear:d=4,arms=8,contexts", "linphe:a=1.5,memory=50", "0645468a99406d6a"},
    {"linear:d=4,arms=8,contexts", "lints", "b4a1af374d5b3b8a"},
    {"logistic:d=4,arms=8,contexts", "logphe:memory=50", "439d3c6c09f6f360"},
    {"disjoint:d=4,arms=5", "linphe:disjoint", "6f7f9c8296d21ed8"},
    {"linear:d=4,arms=20", "linphe:a=1.4,fade=1", "bf1da7dfc593cd48"},
    {"linear:d=4,arms=8,contexts", "linphe:fade=0.7", "ab87207643808fd2"},
    {"poisson:d=4,arms=20", "poisphe", "d02d7ab8734b1bba"},
    {"poisson:d=4,arms=20", "poisphe:a=0.1,centred", "a35a951c038a5db2"},
    {"poisson:d=4,arms=20", "poists", "ab82ef86a13bd7d1"},
    {"poisson:d=4,arms=20", "poiseps", "b9ee9a358fd770e1"},
    {"poisson:d=4,arms=8,contexts", "poisphe:memory=50", "530214982c3acff2"},
    {"linear:d=3,arms=10,rewards=beta", "logphe", "937d85a973b839a0"},
    {"linear:d=4,arms=20", "rffphe:features=16", "c1da4440bfb2a662"},
    {"linear:d=4,arms=8,contexts", "rffphe:features=16,linear,a=0.1", "b1ab1af7816bcec1"},
    {"mab:arms=5", "ucb1", "6ebbc44182787dd9"},
    {"mab:arms=5", "klucb", "9d4732a7acf1abf1"},
    {"mab:arms=5", "betats", "ad3d2ff02e68ce18"},
    {"mab:arms=5,rewards=gaussian", "phe", "74fd0309215b7bf5"},
    {"nonlinear:arms=20", "linphe", "b559b9096ea473a6"},
    {"nonlinear:shape=steps,arms=8,contexts", "linphe:memory=50", "3bdb2003a9027c7c"},
};

std::string digest_of(const Row& row, const Registry& registry) {
  Experiment experiment;
  experiment.problems = {row.problem};
  experiment.policies = {row.policy};
  experiment.rounds = 20'000;
  const auto plan = Plan::create(experiment, registry);
  if (!plan) return plan.error().message;
  const auto run = plan->run({0, 0, 7});
  if (!run) return run.error().message;
  return sha256(fmt::format("{}", fmt::join(run->regret, " "))).substr(0, 16);
}

TEST(DrawRevision, IsRaisedWhenARegretChanges) {
  const Registry registry = Registry::built_in();
  bool same = table_revision == draw_revision;
  std::string now;
  for (const Row& row : table) {
    const std::string digest = digest_of(row, registry);
    same = same && digest == row.digest;
    now += fmt::format("    {{\"{}\", \"{}\", \"{}\"}},\n", row.problem, row.policy, digest);
  }
  EXPECT_TRUE(same) << "draw_revision is " << draw_revision << ", this table is of revision "
                    << table_revision << ", and the regrets now are\n"
                    << now;
}

TEST(DrawRevision, KnowsEveryPolicyAndProblem) {
  std::set<std::string> known;
  for (const Row& row : table)
    for (const std::string text : {row.problem, row.policy})
      known.insert(text.substr(0, text.find(':')));
  const Registry registry = Registry::built_in();
  for (const auto& entry : registry.policies())
    EXPECT_TRUE(known.contains(entry->name) || entry->name == "xgbphe")  // its trees are XGBoost's
        << entry->name;
  for (const auto& entry : registry.problems())
    EXPECT_TRUE(known.contains(entry->name) || entry->name == "classify")  // its rows are a file's
        << entry->name;
}

}  // namespace
}  // namespace phe
