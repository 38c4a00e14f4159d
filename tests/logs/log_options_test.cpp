#include "logs/log_options.hpp"

#include <gtest/gtest.h>

namespace phe::logs {
namespace {

TEST(LogOptions, ColumnsAreReadFromAList) {
  const auto columns =
      parse_columns("action=item_id,reward=click, position=slot,features=a_*,features=b");
  ASSERT_TRUE(columns.ok());
  EXPECT_EQ(columns->action, "item_id");
  EXPECT_EQ(columns->reward, "click");
  EXPECT_EQ(columns->propensity, "propensity");
  EXPECT_EQ(columns->position, "slot");
  EXPECT_EQ(columns->features, (std::vector<std::string>{"a_*", "b"}));
}

TEST(LogOptions, PartsThatDoNotExistAreAnsweredWithTheNearest) {
  EXPECT_EQ(parse_columns("acton=x").error().message,
            "--columns: nothing is called 'acton'; did you mean 'action'? (one of action, reward, "
            "propensity, position, actions, probabilities, features)");
  EXPECT_EQ(parse_columns("action").error().message,
            "--columns must be a list such as action=item_id,reward=click, got 'action'");
}

TEST(LogOptions, TheFormatIsTheEndOfTheName) {
  EXPECT_EQ(format_of("a/b.csv").value(), LogFormat::csv);
  EXPECT_EQ(format_of("b.csv.gz").value(), LogFormat::csv);
  EXPECT_EQ(format_of("b.jsonl.gz").value(), LogFormat::json_lines);
  EXPECT_EQ(format_of("b.dsjson").value(), LogFormat::dsjson);
  EXPECT_FALSE(format_of("b.json").ok());
  EXPECT_FALSE(format_of("csv").ok());
  EXPECT_FALSE(parse_format("xml").ok());
}

TEST(LogOptions, AStarMatchesWhatBeginsLikeIt) {
  EXPECT_TRUE(matches("user_*", "user_0"));
  EXPECT_FALSE(matches("user_*", "item_0"));
  EXPECT_TRUE(matches("user", "user"));
  EXPECT_FALSE(matches("user", "user_0"));
}

}  // namespace
}  // namespace phe::logs
