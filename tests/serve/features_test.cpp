#include "serve/features.hpp"

#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "serve/rank_request.hpp"

namespace phe::serve {
namespace {

std::uint64_t named(std::string_view name) { return NameHash().with(name).value(); }

// The rules of docs/service.md, by a map from names to values.
std::vector<double> slow_row(const std::map<std::string, double>& context,
                             const std::map<std::string, double>& action, std::size_t d) {
  std::vector<double> row(d);
  row[0] = 1.0;
  const auto add = [&](std::uint64_t c, std::uint64_t f, double value) {
    const std::uint64_t h = mix64(mix64(c + 0x9e3779b97f4a7c15ULL) ^ f);
    row[((h & 0xffffffffULL) * d) >> 32] += (h >> 63) != 0 ? -value : value;
  };
  for (const auto& [f, fv] : action) {
    add(0, named(f), fv);
    for (const auto& [c, cv] : context) add(named(c), named(f), cv * fv);
  }
  return row;
}

std::vector<double> row_of(const RankRequest& request, std::size_t action, std::size_t d) {
  std::vector<double> row(d, 7.0);
  hash_action(request.context, request.actions[action].features, row);
  return row;
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-12) << i;
}

constexpr std::string_view body = R"({
  "contextFeatures": [{"time": "morning", "user": {"age": 31, "vip": true, "new": false}},
                      {"null": null, "zero": 0, "where": [1.5, -2, 0]}],
  "actions": [{"id": "a", "features": [{"taste": "salty", "price": 2.5}]},
              {"id": "b", "features": [{"taste": "sweet"}, {"deep": {"er": {"x": 4}}}]}]})";

TEST(Features, FollowTheDocumentedRules) {
  RankRequestParser parser;
  const auto request = parser.parse(body, {});
  ASSERT_TRUE(request) << request.error().message;
  const std::map<std::string, double> context = {
      {"time=morning", 1}, {"user.age", 31}, {"user.vip", 1}, {"where[0]", 1.5}, {"where[1]", -2}};
  for (const std::size_t d : {8, 61, 128}) {
    expect_near(row_of(*request.value(), 0, d),
                slow_row(context, {{"id=a", 1}, {"taste=salty", 1}, {"price", 2.5}}, d));
    expect_near(row_of(*request.value(), 1, d),
                slow_row(context, {{"id=b", 1}, {"taste=sweet", 1}, {"deep.er.x", 4}}, d));
  }
}

TEST(Features, AreTheSameInEveryVersion) {
  // Stored logs are learnt again by later versions: these numbers must never change.
  EXPECT_EQ(named("id=a"), 0x9fae0cc54a0d24b2ULL);
  EXPECT_EQ(slot_of(0, named("id=a"), 128).place, 32U);
  EXPECT_EQ(slot_of(named("time=morning"), named("id=a"), 128).place, 108U);
}

TEST(Features, SignsAndPlacesAreEvenlySpread) {
  // 20,000 names into 64 places: each gets 312.5, standard deviation 17.5.
  constexpr int names = 20'000;
  std::vector<int> count(64);
  double signs = 0.0;
  for (int i = 0; i < names; ++i) {
    const Slot slot =
        slot_of(named("c" + std::to_string(i % 20)), named("f" + std::to_string(i)), 64);
    ++count[slot.place];
    signs += slot.sign;
  }
  for (const int n : count) EXPECT_NEAR(n, names / 64.0, 5 * std::sqrt(names / 64.0));
  EXPECT_NEAR(signs, 0.0, 5 * std::sqrt(names));
}

TEST(Features, WithoutAContextAnActionHasItsOwn) {
  RankRequestParser parser;
  const auto request = parser.parse(R"({"actions":[{"id":"a","features":[{"x":1}]}]})", {});
  ASSERT_TRUE(request);
  expect_near(row_of(*request.value(), 0, 64), slow_row({}, {{"id=a", 1}, {"x", 1}}, 64));
}

}  // namespace
}  // namespace phe::serve
