// Durations, configuration, paths, keys, model files, secrets.
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "serve/configuration.hpp"
#include "serve/keys.hpp"
#include "serve/model_file.hpp"
#include "serve/path.hpp"
#include "serve/secrets.hpp"
#include "support/temporary_folder.hpp"

namespace phe::serve {
namespace {

using nlohmann::json;

TEST(Durations, AreReadInBothForms) {
  for (const auto& [text, milliseconds] : std::map<std::string, std::int64_t>{
           {"PT10M", 10 * minute},
           {"00:10:00", 10 * minute},
           {"P1D", day},
           {"1.00:00:00", day},
           {"P1DT2H3M4.5S", day + 2 * 60 * minute + 3 * minute + 4500},
           {"PT0S", 0},
           {"00:00:01.5", 1500}})
    EXPECT_EQ(parse_duration(text).value(), milliseconds) << text;
  for (const char* bad :
       {"", "P", "PT", "10", "PT10", "PT-1M", "00:61:00", "1:2", "PT1M2", "P1M", "xPT1M"})
    EXPECT_FALSE(parse_duration(bad)) << bad;
}

TEST(Durations, AreWrittenAsTheyAreRead) {
  for (const std::int64_t ms :
       {std::int64_t{0}, 1500 * millisecond, 10 * minute, day, 36 * 60 * minute})
    for (const auto form : {DurationForm::clock, DurationForm::iso})
      EXPECT_EQ(parse_duration(duration_text(ms, form)).value(), ms);
  EXPECT_EQ(duration_text(10 * minute, DurationForm::clock), "00:10:00");
  EXPECT_EQ(duration_text(10 * minute, DurationForm::iso), "PT10M");
}

TEST(Times, AreReadAndWritten) {
  EXPECT_EQ(time_text(1794976496064), "2026-11-18T04:34:56.064Z");
  EXPECT_EQ(parse_time("2026-11-18T04:34:56.064Z").value(), 1794976496064);
  for (const char* bad : {"", "2026-11-18", "2026-13-18T04:34:56Z", "2026-11-18T04:34:56+02:00"})
    EXPECT_FALSE(parse_time(bad)) << bad;
}

json full() { return json::parse(to_json(Configuration(), DurationForm::iso)); }

TEST(Configurations, KeepTheModeThatAPutLeavesOut) {
  Configuration old;
  old.mode = LearningMode::apprentice;
  json body = full();
  body.erase("learningMode");
  body["explorationPercentage"] = 0.5;
  const Change change = change_configuration(old, body.dump());
  EXPECT_EQ(change.refusal.code, "");
  EXPECT_EQ(change.configuration.mode, LearningMode::apprentice);
  EXPECT_EQ(change.configuration.exploration, 0.5);
}

TEST(Configurations, RefuseByTheCodesOfTheOriginal) {
  const auto code = [](const std::string& key, const json& value) {
    json body = full();
    body[key] = value;
    return std::string(change_configuration(Configuration(), body.dump()).refusal.code);
  };
  EXPECT_EQ(code("rewardWaitTime", "soon"), "InvalidRewardWaitTime");
  EXPECT_EQ(code("rewardWaitTime", "P31D"), "InvalidRewardWaitTime");
  EXPECT_EQ(code("defaultReward", 2), "InvalidServiceConfiguration");
  EXPECT_EQ(code("rewardAggregation", "median"), "InvalidServiceConfiguration");
  EXPECT_EQ(code("explorationPercentage", -0.1), "InvalidServiceConfiguration");
  EXPECT_EQ(code("logRetentionDays", -2), "InvalidLogRetentionDays");
  EXPECT_EQ(code("logRetentionDays", 0), "InvalidLogRetentionDays");
  EXPECT_EQ(code("logRetentionDays", -1), "");
  EXPECT_EQ(code("learningMode", "Offline"), "InvalidServiceConfiguration");
  EXPECT_EQ(code("learningMode", "Apprentice"), "");
  json both = full();
  both["learningMode"] = "Apprentice";
  both["defaultReward"] = 0.5;
  EXPECT_EQ(change_configuration(Configuration(), both.dump()).refusal.code,
            "InvalidLearningModeServiceConfiguration");
  EXPECT_EQ(change_configuration(Configuration(), "{}").refusal.code,
            "InvalidServiceConfiguration");
  EXPECT_EQ(change_configuration(Configuration(), "[").refusal.code, "InvalidServiceConfiguration");
}

TEST(Configurations, AreStoredWhole) {
  Configuration c;
  c.mode = LearningMode::apprentice;
  c.default_reward = -0.25;
  c.policy = "lints";
  c.policy_name = "my policy";
  c.edited = 12345;
  const auto read = read_configuration(to_text(c));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(to_text(read.value()), to_text(c));
}

TEST(Paths, AreSplitThenDecoded) {
  const auto path = parse_path("/personalizer/v1.0/events/a%2Fb%20c%25e%3F%23/reward");
  ASSERT_TRUE(path);
  EXPECT_EQ(path->parts, (std::vector<std::string>{"events", "a/b c%e?#", "reward"}));
  EXPECT_EQ(path->durations, DurationForm::clock);
  const auto later = parse_path("/personalizer/rank?x=1&api-version=2022-09-01-preview");
  ASSERT_TRUE(later);
  EXPECT_EQ(later->parts, std::vector<std::string>{"rank"});
  EXPECT_EQ(later->parameter("x"), "1");
  EXPECT_EQ(later->durations, DurationForm::iso);
  for (const char* bad : {"/", "", "/personalizer", "/personalizer/v2.0/rank", "/personalizer/rank",
                          "/other/v1.0/rank", "/personalizer/v1.0/events/%2/reward",
                          "/personalizer/v1.0/events/%zz/reward"})
    EXPECT_FALSE(parse_path(bad)) << bad;
}

TEST(TwoKeys, WorkSideBySideAndAreReplacedWithoutARestart) {
  const test::TemporaryFolder folder;
  auto server = std::move(Keys::open(folder / "service.db")).value();
  auto operator_ = std::move(Keys::open(folder / "service.db")).value();
  const std::string first = operator_->add("shop", std::nullopt).value();
  EXPECT_EQ(server->application_of(first), "");
  EXPECT_TRUE(server->reload().value());
  EXPECT_FALSE(server->reload().value());
  EXPECT_EQ(server->application_of(first), "shop");
  const std::string second = operator_->add("shop", std::nullopt).value();
  EXPECT_FALSE(operator_->add("shop", std::nullopt));
  EXPECT_TRUE(operator_->remove("shop", 1));
  EXPECT_TRUE(server->reload().value());
  EXPECT_EQ(server->application_of(first), "");
  EXPECT_EQ(server->application_of(second), "shop");
  EXPECT_FALSE(operator_->remove("shop", 2));
  EXPECT_FALSE(operator_->add("other", second));  // a key has one application
  EXPECT_FALSE(operator_->add("../x", std::nullopt));
  EXPECT_FALSE(operator_->add("x", "short"));
}

TEST(TwoKeys, AreNowhereInTheFile) {
  const test::TemporaryFolder folder;
  std::string key;
  {
    auto keys = std::move(Keys::open(folder / "service.db")).value();
    key = keys->add("shop", std::nullopt).value();
  }
  for (const auto& [name, bytes] : test::contents_of(folder.path()))
    EXPECT_EQ(bytes.find(key.substr(4)), std::string::npos) << name;
}

TEST(ModelFiles, AreReadBackAndEveryChangedByteIsNoticed) {
  const std::string bytes = write_model_file({"linphe", 64, 7, "state\nof it"}, "secret");
  const auto file = read_model_file(bytes);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->policy, "linphe");
  EXPECT_EQ(file->dimension, 64U);
  EXPECT_EQ(file->learnt, 7);
  EXPECT_EQ(file->state, "state\nof it");
  EXPECT_TRUE(signed_by(bytes, "secret"));
  EXPECT_FALSE(signed_by(bytes, "Secret"));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i] ^= 1;
    EXPECT_FALSE(signed_by(changed, "secret")) << i;
    static_cast<void>(read_model_file(changed));
    EXPECT_FALSE(signed_by(bytes.substr(0, i), "secret"));
  }
}

TEST(Secrets, AreRandomAndOfTheirForm) {
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    const std::string id = random_uuid();
    EXPECT_EQ(id.size(), 36U);
    EXPECT_EQ(id[14], '4');
    EXPECT_TRUE(std::string("89ab").find(id[19]) != std::string::npos) << id;
    seen.insert(id);
  }
  EXPECT_EQ(seen.size(), 1000U);
  // RFC 4231, test case 2.
  std::string digits;
  for (const char c : keyed_digest("Jefe", "what do ya want for nothing?"))
    digits += "0123456789abcdef"[(c >> 4) & 15], digits += "0123456789abcdef"[c & 15];
  EXPECT_EQ(digits, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

}  // namespace
}  // namespace phe::serve
