#include "serve/dictionary.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "serve/named_features.hpp"
#include "serve/rank_request.hpp"

namespace phe::serve {
namespace {

constexpr const char* request = R"({
  "contextFeatures": [{"device": "mobile", "hour": 9, "vip": true, "off": false, "none": null, "zero": 0},
                      {"user": {"age": 31, "city": "Rome"}, "scores": [0.5, 0, 2]}],
  "actions": [{"id": "news", "features": [{"topic": "news", "length": 2.5}]},
              {"id": "sport", "features": [{"topic": "sport", "tags": {"live": true}}]}]})";

// The names hash to what the parser of the hot path makes of the same request, in some order.
TEST(NamedFeatures, HashToTheFeaturesOfTheParser) {
  const auto named = named_features(request);
  ASSERT_TRUE(named) << named.error().message;
  RankRequestParser parser;
  const auto parsed = parser.parse(request, RequestLimits::none());
  ASSERT_TRUE(parsed);
  const auto sorted = [](std::vector<std::pair<std::uint64_t, double>> pairs) {
    std::ranges::sort(pairs);
    return pairs;
  };
  const auto of_names = [&](const std::vector<NamedFeature>& features, bool context) {
    std::vector<std::pair<std::uint64_t, double>> pairs;
    for (const auto& [name, value] : features) {
      const auto hash = NameHash().with(name).value();
      pairs.emplace_back(context ? context_part(hash) : hash, value);
    }
    return sorted(pairs);
  };
  const auto of_hashes = [&](std::span<const Feature> features) {
    std::vector<std::pair<std::uint64_t, double>> pairs;
    for (const auto& [name, value] : features) pairs.emplace_back(name, value);
    return sorted(pairs);
  };
  EXPECT_EQ(named->context.size(), 7U);  // device, hour, vip, age, city and two scores
  EXPECT_EQ(of_names(named->context, true), of_hashes(parsed.value()->context));
  for (const std::size_t k : {0U, 1U})
    EXPECT_EQ(of_names(named->actions[k], false), of_hashes(parsed.value()->actions[k].features));
}

TEST(NamedFeatures, RefuseWhatIsNoRequest) {
  EXPECT_FALSE(named_features("{}"));
  EXPECT_FALSE(named_features("nothing"));
}

// Every entry of an action's vector is the sum of what the dictionary says is there.
TEST(Dictionary, ExplainsEveryEntryOfAVector) {
  constexpr std::size_t dimension = 512;  // so that hardly two share a place
  Dictionary dictionary(dimension);
  dictionary.note(request, 0);
  RankRequestParser parser;
  const auto parsed = parser.parse(request, RequestLimits::none());
  std::vector<double> row(dimension);
  hash_action(parsed.value()->context, parsed.value()->actions[0].features, row);
  row[0] -= 1.0;  // the constant
  std::size_t names = 0;
  for (std::size_t j = 0; j < dimension; ++j) {
    const auto& place = dictionary.places()[j];
    names += place.names.size();
    EXPECT_TRUE(row[j] == 0.0 || !place.names.empty()) << j;
    EXPECT_TRUE(place.names.size() != 1 || row[j] * place.names[0].sign > 0.0) << j;
  }
  EXPECT_EQ(names, 3U * 8U);  // id, topic and length, alone and with seven of the context
}

std::string words_of_all(const Dictionary& dictionary) {
  std::string all;
  for (const auto& place : dictionary.places())
    for (const auto& name : place.names) all += name.words + '\n';
  return all;
}

TEST(Dictionary, SpeaksOfActionsAndPairs) {
  Dictionary dictionary(512);
  dictionary.note(request, 1);
  const std::string all = words_of_all(dictionary);
  for (const char* words : {"action=sport\n", "action=sport × device=mobile\n",
                            "tags.live × user.city=Rome\n", "topic=sport × scores[2]\n"})
    EXPECT_NE(all.find(words), all.npos) << words << " not in\n" << all;
  EXPECT_EQ(all.find("news"), all.npos);
}

TEST(Dictionary, KeepsSoManyNamesOfAPlaceAndCountsTheRest) {
  Dictionary dictionary(8);
  for (int i = 0; i < 400; ++i)
    dictionary.note(
        R"({"actions":[{"id":"a)" + std::to_string(i % 200) + R"(","features":[{"x":1}]}]})", 0);
  std::uint64_t seen = 0;
  for (const auto& place : dictionary.places()) {
    EXPECT_LE(place.names.size(), Dictionary::most_names);
    EXPECT_TRUE(std::ranges::is_sorted(place.names, std::greater<>(), &Dictionary::Name::seen));
    for (const auto& name : place.names) seen += name.seen;
    seen += place.others;
  }
  EXPECT_EQ(seen, 800U);
  EXPECT_NE(words_of_all(dictionary).find("x\n"), std::string::npos);
}

TEST(Dictionary, IgnoresWhatItCannotRead) {
  Dictionary dictionary(8);
  dictionary.note("nothing", 0);
  dictionary.note(request, 2);
  EXPECT_EQ(words_of_all(dictionary), "");
}

}  // namespace
}  // namespace phe::serve
