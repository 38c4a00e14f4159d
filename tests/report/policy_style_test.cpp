#include "report/policy_style.hpp"

#include <set>
#include <tuple>

#include <gtest/gtest.h>

namespace phe {
namespace {

std::vector<PolicySpec> specs(const Registry& registry, const std::vector<std::string>& texts) {
  std::vector<PolicySpec> specs;
  for (const std::string& text : texts) specs.push_back(registry.policy(text).value());
  return specs;
}

TEST(PolicyLabel, SpellsOutTheNameAndTheKeys) {
  EXPECT_EQ(policy_label("linphe:a=2"), "LinPHE a = 2");
  EXPECT_EQ(policy_label("linphe:a=0.5,ridge=1"), "LinPHE a = 0.5, ridge = 1");
  EXPECT_EQ(policy_label("linphe:theory"), "LinPHE theory");
  EXPECT_EQ(policy_label("logeps"), "ε-greedy");
  EXPECT_EQ(policy_label("uniform"), "uniform");
  EXPECT_EQ(policy_label("mine:x=1"), "mine x = 1");
}

TEST(PolicyStyle, OfThePaperIsTheSameInEveryFigureHoweverItIsWritten) {
  const Registry registry = Registry::built_in();
  const auto alone = styles_of(specs(registry, {"linphe:a=0.5"}));
  EXPECT_EQ(alone[0].colour, "#cc79a7");
  const auto among =
      styles_of(specs(registry, {"uniform", "linphe:a=2", "linphe:a=0.50", "lints", "linphe:a=8"}));
  EXPECT_EQ(among[2].colour, alone[0].colour);
  EXPECT_EQ(among[2].dash, alone[0].dash);
  EXPECT_EQ(among[2].marker, alone[0].marker);
  EXPECT_EQ(styles_of(specs(registry, {"linphe"}))[0].colour, alone[0].colour);
  EXPECT_EQ(styles_of(specs(registry, {"logphe:a=0.5"}))[0].colour, alone[0].colour);
  EXPECT_NE(styles_of(specs(registry, {"linphe:a=0.5,ridge=2"}))[0].colour, alone[0].colour);
}

TEST(PolicyStyle, IsOfOnePolicyAloneInAFigureOfAll) {
  const Registry registry = Registry::built_in();
  std::vector<std::string> texts;
  for (const auto& entry : registry.policies()) texts.push_back(entry->name);
  for (const int a : {1, 2, 3, 4, 5, 6, 7, 8}) texts.push_back("linphe:a=" + std::to_string(a));
  std::set<std::tuple<std::string, int, int>> looks;
  std::set<std::string> labels;
  for (const PolicyStyle& style : styles_of(specs(registry, texts))) {
    looks.emplace(style.colour, style.dash, style.marker);
    labels.insert(style.label);
  }
  EXPECT_EQ(looks.size(), texts.size());
  EXPECT_EQ(labels.size(), texts.size());
}

TEST(PolicyStyle, OfPoliciesWithOneLabelNamesThemByTheirSpecs) {
  const Registry registry = Registry::built_in();
  const auto styles = styles_of(specs(registry, {"lineps", "logeps", "lints"}));
  EXPECT_EQ(styles[0].label, "lineps");
  EXPECT_EQ(styles[1].label, "logeps");
  EXPECT_EQ(styles[2].label, "LinTS");
}

}  // namespace
}  // namespace phe
