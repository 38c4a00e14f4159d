#include "problems/classify.hpp"

#include <cmath>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "phe/simulate.hpp"
#include "problems/row_order.hpp"
#include "spec/check_policies.hpp"
#include "support/paths.hpp"
#include "support/temporary_folder.hpp"

namespace phe::test {
namespace {

const Registry& registry() {
  static const Registry all = Registry::built_in();
  return all;
}

// 120 rows of 2 numbers and a text of 3, of 3 classes; written by the script beside them.
std::string parcels(const char* file = "parcels.csv") {
  return "classify:file=" + in_source_tree("/tests/data/files/") + file + ",label=kind";
}

Plan plan(const std::string& problem, const std::string& policy, std::uint64_t rounds,
          std::uint64_t instances = 1, std::uint64_t seed = 1) {
  return Plan::create({.problems = {problem},
                       .policies = {policy},
                       .rounds = rounds,
                       .instances = instances,
                       .seed = seed},
                      registry())
      .value();
}

// How often each instance's policy was right.
std::vector<double> hits(const Plan& p) {
  std::vector<double> right;
  for (const RunId id : p.runs())
    right.push_back(static_cast<double>(p.experiment().rounds) - p.run(id).value().regret.back());
  return right;
}

std::string message(const std::string& spec) {
  const auto problem = registry().problem(spec);
  return problem.ok() ? "accepted" : problem.error().message;
}

TEST(Classify, OffersTheRowsOfOrderInstancePlusOneWhateverTheSeed) {
  const auto data = registry().problem(parcels()).value();
  const auto& rows = dynamic_cast<const ClassifyProblem&>(*data.problem).data();
  ASSERT_EQ(data.problem->arms(), 3U);
  ASSERT_EQ(data.problem->dimension(), 6U);
  for (const std::uint64_t seed : {1U, 9U})
    for (const std::uint64_t number : {0U, 1U, 6U}) {
      const auto drawn = plan(parcels(), "uniform", 120, 10, seed).instance(0, number).value();
      const auto& bandit = dynamic_cast<const ContextInstance&>(*drawn);
      const auto order = row_order(120, number + 1);
      EXPECT_TRUE(bandit.one_context());
      EXPECT_TRUE(bandit.binary_rewards());
      ContextRound offered;
      for (std::uint64_t round = 0; round < 120; ++round) {
        bandit.offer(round, offered);
        EXPECT_TRUE(std::ranges::equal(offered.features, rows.features(order[round])));
        ASSERT_EQ(offered.means.size(), 3U);
        for (ArmId action = 0; action < 3; ++action) {
          EXPECT_EQ(offered.means[action], action == rows.class_of(order[round]) ? 1.0 : 0.0);
          EXPECT_EQ(bandit.reward(round, action, offered.means[action]), offered.means[action]);
        }
      }
    }
}

TEST(Classify, IsTheSamePlainAndPackedAndByNameAndNumber) {
  const auto rows_of = [](const std::string& spec) {
    const auto data = registry().problem(spec).value();
    return dynamic_cast<const ClassifyProblem&>(*data.problem).data();
  };
  const auto plain = rows_of(parcels());
  for (const std::string& other :
       {parcels("parcels.csv.gz"),
        "classify:label=4,file=" + in_source_tree("/tests/data/files/parcels.csv")}) {
    const auto read = rows_of(other);
    ASSERT_EQ(read.rows(), plain.rows());
    EXPECT_EQ(read.class_names(), plain.class_names());
    for (std::size_t row = 0; row < read.rows(); ++row) {
      EXPECT_EQ(read.class_of(row), plain.class_of(row));
      EXPECT_TRUE(std::ranges::equal(read.features(row), plain.features(row)));
    }
  }
}

// LinUCB of width 1 with one ridge model per class, literally; each class once at first.
double literal_lin_ucb_hits(const LabelledRows& data, const std::vector<std::uint32_t>& order) {
  const auto d = static_cast<Eigen::Index>(data.dimension());
  const std::size_t classes = data.class_names().size();
  std::vector<Eigen::MatrixXd> gram(classes, Eigen::MatrixXd::Identity(d, d));
  std::vector<Eigen::VectorXd> sum(classes, Eigen::VectorXd::Zero(d));
  double right = 0.0;
  for (std::size_t round = 0; round < order.size(); ++round) {
    const Eigen::Map<const Eigen::VectorXd> x(data.features(order[round]).data(), d);
    std::size_t best = round;
    double highest = -1e9;
    for (std::size_t a = 0; round >= classes && a < classes; ++a) {
      const Eigen::VectorXd solved = gram[a].ldlt().solve(x);
      const double score = sum[a].dot(solved) + std::sqrt(x.dot(solved));
      if (score > highest + 1e-9) {
        highest = score;
        best = a;
      }
    }
    gram[best] += x * x.transpose();
    if (best == data.class_of(order[round])) {
      sum[best] += x;
      right += 1.0;
    }
  }
  return right;
}

TEST(Classify, LinUcbIsRightAsOftenAsALiteralOne) {
  const auto spec = registry().problem(parcels()).value();
  const auto& data = dynamic_cast<const ClassifyProblem&>(*spec.problem).data();
  const auto right = hits(plan(parcels(), "linucb:width=1,disjoint,start=each", 120, 5));
  for (std::uint64_t i = 0; i < 5; ++i)
    EXPECT_EQ(right[i], literal_lin_ucb_hits(data, row_order(120, i + 1))) << i;
}

TEST(Classify, RunsEveryPolicyThatLearnsDisjointModels) {
  // Guessing is right 40 times in 120 give or take sqrt(120 2 / 9) = 5.2; over 20 instances 1.2.
  const double guessed = 40 + 5 * 1.2;
  for (const char* policy : {"linphe:disjoint", "linphe:disjoint,a=0.5,centred", "lints:disjoint",
                             "linucb:disjoint", "lineps:disjoint", "greedy:disjoint"}) {
    const Plan p = plan(parcels(), policy, 120, 20);
    EXPECT_TRUE(check_policies(p).ok()) << policy;
    double sum = 0.0;
    for (const double right : hits(p)) sum += right;
    EXPECT_GT(sum / 20, guessed) << policy;
  }
}

TEST(Classify, RefusesMoreRoundsThanThereAreRows) {
  const auto made = Plan::create(
      {.problems = {parcels()}, .policies = {"uniform"}, .rounds = 121, .instances = 1},
      registry());
  EXPECT_EQ(made.error().message,
            "rounds must be at most 120 on problem " + parcels() + ", which has no more; got 121");
}

TEST(Classify, NamesWhatIsWrong) {
  EXPECT_EQ(message("classify"),
            "problem classify: file and label must be given, as in classify:file=data.csv,label=5");
  EXPECT_EQ(message("classify:file=x.csv"), message("classify"));
  EXPECT_EQ(message("classify:file=none.csv,label=1"),
            "problem classify: none.csv: No such file or directory");
  const std::string long_name(300, 'x');
  EXPECT_EQ(message("classify:file=" + long_name + ",label=1"),
            "problem classify: " + long_name + ": File name too long");
  EXPECT_EQ(message(parcels() + ",scale=log"),
            "problem classify: scale must be unit or standard or none, got 'log'");
  const TemporaryFolder folder;
  const std::string packed = bytes_of(in_source_tree("/tests/data/files/parcels.csv.gz"));
  put(folder / "cut.gz", packed.substr(0, packed.size() - 20));
  const std::string cut = (folder / "cut.gz").string();
  EXPECT_EQ(message("classify:label=kind,file=" + cut).substr(0, 20 + cut.size()),
            "problem classify: " + cut + ": ");
}

// Real data sets, where they are at hand: in the folder that PHE_DATA names, or beside the sources.
std::string real_data(const char* name) {
  const char* const folder = std::getenv("PHE_DATA");
  return (folder != nullptr ? std::string(folder) : in_source_tree("/../shared/data")) + name;
}

// A reference to the unit: nothing is random in it but ties.
TEST(Classify, LinUcbIsRight1966TimesOnTheSegmentsOfOrderOne) {
  const std::string file = real_data("/segment/segment.csv.gz");
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no data set at " << file;
  const auto right = hits(
      plan("classify:label=category,file=" + file, "linucb:width=1,disjoint,start=each", 2'310));
  EXPECT_EQ(right[0], 1966.0);
}

}  // namespace
}  // namespace phe::test
