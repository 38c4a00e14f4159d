#include "serve/rank_request.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace phe::serve {
namespace {

using testing::HasSubstr;

std::string message_of(std::string_view body, const RequestLimits& limits = {}) {
  RankRequestParser parser;
  const auto request = parser.parse(body, limits);
  return request ? "accepted" : request.error().message;
}

std::string with_actions(const std::string& actions, const std::string& rest = "") {
  return "{\"actions\":[" + actions + "]" + rest + "}";
}
const std::string a = R"({"id":"a","features":[{"x":1}]})";
const std::string b = R"({"id":"b","features":[{"x":2}]})";

TEST(RankRequest, HasWhatTheBodySays) {
  RankRequestParser parser;
  const auto request = parser.parse(
      with_actions(a + "," + b,
                   R"(,"excludedActions":["b","c"],"eventId":"e","deferActivation":true)"),
      {});
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_EQ(request.value()->actions[0].id, "a");
  EXPECT_FALSE(request.value()->actions[0].excluded);
  EXPECT_TRUE(request.value()->actions[1].excluded);
  EXPECT_EQ(request.value()->eligible(), 1U);
  EXPECT_EQ(request.value()->event_id, "e");
  EXPECT_TRUE(request.value()->deferred);
  // Nothing is left over of it.
  const auto next = parser.parse(with_actions(a), {});
  ASSERT_TRUE(next);
  EXPECT_EQ(next.value()->actions.size(), 1U);
  EXPECT_FALSE(next.value()->event_id);
  EXPECT_FALSE(next.value()->deferred);
}

TEST(RankRequest, RefusesWhatTheOriginalServiceRefused) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "not JSON"},
      {"[]", "the body must be an object"},
      {"{}", "actions is missing"},
      {with_actions(""), "1 to 50 actions, got 0"},
      {with_actions("null"), "actions must be an array of objects"},
      {with_actions(R"({"features":[{"x":1}]})"), "actions[0] has no id"},
      {with_actions(R"({"id":"","features":[{"x":1}]})"), "must not be empty"},
      {with_actions(R"({"id":1,"features":[{"x":1}]})"), "must be a string"},
      {with_actions(R"({"id":"a"})"), "action 'a' has no features"},
      {with_actions(R"({"id":"a","features":[]})"), "at least one feature"},
      {with_actions(R"({"id":"a","features":[{"x":null}]})"), "at least one feature"},
      {with_actions(R"({"id":"a","features":[null]})"), "array of objects"},
      {with_actions(R"({"id":"a","features":[{"":1}]})"), "must have a name"},
      {with_actions(R"({"id":"a","features":[{"x":["t"]}]})"), "arrays of numbers"},
      {with_actions(R"({"id":"a","features":[{"x":1e999}]})"), "not JSON"},
      {with_actions(a + "," + a), "'a' is given twice"},
      {with_actions(a, R"(,"contextFeatures":[null])"), "contextFeatures must be an array"},
      {with_actions(a, R"(,"excludedActions":["a"])"), "every action is excluded"},
      {with_actions(a, R"(,"excludedActions":"a")"), "array of strings"},
      {with_actions(a, R"(,"eventId":"")"), "eventId must not be empty"},
      {with_actions(a, ",\"eventId\":\"" + std::string(257, 'e') + "\""), "at most 256 bytes"},
      {with_actions(a, R"(,"deferActivation":1)"), "true or false"},
  };
  for (const auto& [body, reason] : cases) EXPECT_THAT(message_of(body), HasSubstr(reason)) << body;
}

TEST(RankRequest, KeepsToItsLimits) {
  std::string many;
  for (int i = 0; i < 51; ++i)
    many +=
        (i > 0 ? "," : "") + ("{\"id\":\"" + std::to_string(i)) + "\",\"features\":[{\"x\":1}]}";
  EXPECT_THAT(message_of(with_actions(many)), HasSubstr("1 to 50 actions, got 51"));
  EXPECT_EQ(message_of(with_actions(many), {.actions = 51}), "accepted");
  EXPECT_THAT(message_of(with_actions(a), {.features = 1}), HasSubstr("at most 1 features"));
  EXPECT_THAT(message_of(with_actions(a, R"(,"contextFeatures":[{"u":1,"v":2}])"), {.pairs = 5}),
              HasSubstr("over 5 pairs"));
  EXPECT_EQ(message_of(with_actions(a, R"(,"contextFeatures":[{"u":1,"v":2}])"), {.pairs = 6}),
            "accepted");
  std::string deep = "1";
  for (int i = 0; i < 17; ++i) deep = "{\"x\":" + deep + "}";
  EXPECT_THAT(message_of(with_actions(R"({"id":"a","features":[)" + deep + "]}")),
              HasSubstr("nested 16 deep"));
}

TEST(Reward, IsANumberFromMinusOneToOne) {
  EXPECT_EQ(parse_reward(R"({"value":-1})").value(), -1.0);
  EXPECT_EQ(parse_reward(R"({"value":0.25})").value(), 0.25);
  for (const char* bad : {"", "1", "{}", R"({"value":null})", R"({"value":"1"})",
                          R"({"value":1.01})", R"({"value":-2})", "{\"value\":1"})
    EXPECT_FALSE(parse_reward(bad)) << bad;
}

}  // namespace
}  // namespace phe::serve
