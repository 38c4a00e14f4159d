#include <nlohmann/json.hpp>

#include "cli/program.hpp"
#include "phe/registry.hpp"
#include "phe/version.hpp"

namespace phe {
namespace {

class List : public test::ProgramTest {};

TEST_F(List, NamesEveryPolicyAndKey) {
  const auto outcome = run({"policies"});
  EXPECT_EQ(outcome.exit_code, 0);
  const Registry registry = Registry::built_in();
  for (const auto& entry : registry.policies()) {
    EXPECT_NE(outcome.out.find(entry->name + "\n  " + entry->summary), std::string::npos);
    for (const auto& key : entry->parameters)
      EXPECT_NE(outcome.out.find(key.key + "=" + key.default_value), std::string::npos);
  }
}

TEST_F(List, NamesEveryProblemAsJson) {
  const auto json = nlohmann::json::parse(run({"problems", "--json"}).out);
  const Registry registry = Registry::built_in();
  ASSERT_EQ(json.size(), registry.problems().size());
  EXPECT_EQ(json[0]["name"], registry.problems()[0]->name);
  EXPECT_EQ(json[0]["keys"][0]["key"], registry.problems()[0]->parameters[0].key);
}

TEST_F(List, HelpHasAnExampleForEveryCommand) {
  for (const std::string command : {"simulate", "policies", "problems", "instances"}) {
    const auto outcome = run({command, "--help"});
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_NE(outcome.out.find("\n  phe " + command), std::string::npos) << outcome.out;
    EXPECT_NE(run({"--help"}).out.find("phe " + command), std::string::npos);
  }
}

TEST_F(List, VersionIsThatOfTheLibrary) {
  const std::string text = run({"--version"}).out;
  EXPECT_TRUE(text.starts_with("phe " + std::string(version) + "\n")) << text;
  EXPECT_NE(text.find("built by "), std::string::npos) << text;
  EXPECT_NE(text.find(", scalar\n"), std::string::npos) << "what it runs on: " << text;
}

}  // namespace
}  // namespace phe
