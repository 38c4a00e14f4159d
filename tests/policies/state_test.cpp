// Every policy's state can be saved and restored, and two states of the same kind add up.
#include <cstring>

#include <gmock/gmock.h>

#include "policies/every_policy.hpp"
#include "support/crc32.hpp"
#include "support/temporary_folder.hpp"

namespace phe::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class EveryState : public testing::TestWithParam<Pair> {};
INSTANTIATE_TEST_SUITE_P(Pairs, EveryState, testing::ValuesIn(all_pairs()), name_of);

TEST_P(EveryState, ARestoredPolicyGoesOnWithTheSameChoicesAsOneThatWasNeverStopped) {
  // Stopped in the first rounds, with rounds drawn ahead, and after rows were folded.
  for (const std::uint64_t stop : {1, 3, 29, 150}) {
    Play bandit(GetParam());
    const auto never_stopped = bandit.policy();
    Rng rng(5);
    bandit.play(*never_stopped, rng, 0, stop);
    const std::string state = never_stopped->save().value();
    const auto restored = bandit.policy();
    const auto loaded = restored->load(state);
    ASSERT_TRUE(loaded.ok()) << loaded.error().message;
    EXPECT_EQ(restored->save().value(), state);
    Rng same = rng;
    EXPECT_EQ(bandit.play(*restored, same, stop, stop + 150),
              bandit.play(*never_stopped, rng, stop, stop + 150))
        << "stopped after " << stop;
    EXPECT_EQ(restored->save().value(), never_stopped->save().value());
  }
}

TEST_P(EveryState, ADamagedStateIsRefusedAndChangesNothing) {
  Play bandit(GetParam());
  const auto policy = bandit.policy();
  Rng rng(6);
  bandit.play(*policy, rng, 0, 60);
  const std::string state = policy->save().value();
  const auto other = bandit.policy();
  Rng other_rng(7);
  bandit.play(*other, other_rng, 0, 30);
  const std::string before = other->save().value();
  for (std::size_t place = 0; place < state.size(); place += 1 + state.size() / 97) {
    std::string flipped = state;
    flipped[place] = static_cast<char>(flipped[place] ^ 0x10);
    EXPECT_FALSE(other->load(flipped).ok()) << place;
    EXPECT_FALSE(other->load(std::string_view(state).substr(0, place)).ok()) << place;
  }
  EXPECT_FALSE(other->load(state + "x").ok());
  EXPECT_EQ(other->save().value(), before);
}

// A state with one number replaced, and the checksum that goes with it. Half of the numbers are
// found where a small count seems to stand: lengths, places and counts are what is believed.
std::string crafted(const std::string& state, SplitMix& random) {
  std::string bytes = state.substr(0, state.size() - 4);
  const auto number_at = [&](std::size_t place) {
    std::uint64_t number = 0;
    std::memcpy(&number, bytes.data() + place, sizeof number);
    return number;
  };
  std::size_t place = random() % (bytes.size() - 8);
  if (random() % 2 == 0)
    for (int tries = 0; tries < 1000 && number_at(place) - 1 > 100'000; ++tries)
      place = random() % (bytes.size() - 8);
  constexpr std::uint64_t strange[] = {0,
                                       1,
                                       7,
                                       63,
                                       64,
                                       1'000,
                                       1ULL << 31,
                                       1ULL << 33,
                                       1ULL << 41,
                                       1ULL << 52,
                                       1ULL << 63,
                                       ~0ULL,
                                       0x7ff0000000000000ULL,
                                       0x7ff8000000000000ULL,
                                       0xbff0000000000000ULL};
  const std::uint64_t number = strange[random() % std::size(strange)];
  std::memcpy(bytes.data() + place, &number, random() % 4 == 0 ? 1 : sizeof number);
  const std::uint32_t checksum = crc32(bytes);
  bytes.append(reinterpret_cast<const char*>(&checksum), sizeof checksum);
  return bytes;
}

TEST_P(EveryState, ACraftedStateIsRefusedOrPlaysAmongWhatIsOffered) {
  Play bandit(GetParam());
  const auto policy = bandit.policy();
  Rng rng(9);
  bandit.play(*policy, rng, 0, 70);
  const std::string state = policy->save().value();
  SplitMix random{StreamKey(GetParam().policy.size()).with(GetParam().problem)};
  int loaded = 0;
  for (int i = 0; i < 150; ++i) {
    const auto other = bandit.policy();
    if (!other->load(crafted(state, random)).ok()) continue;
    ++loaded;
    Rng other_rng(10);
    for (std::uint64_t round = 70; round < 90; ++round) {
      bandit.offer(round);
      const std::size_t count = bandit.contexts() != nullptr ? bandit.offered().means.size()
                                                             : bandit.instance().arms().size();
      const std::size_t choice = bandit.contexts() != nullptr
                                     ? other->select(bandit.actions(), other_rng).value()
                                     : other->select(other_rng);
      ASSERT_LT(choice, count);
      static_cast<void>(bandit.update(*other, bandit.paid(round, choice)));
    }
    EXPECT_TRUE(other->save().ok());
  }
  RecordProperty("loaded", loaded);
}

TEST_P(EveryState, MergedPoliciesKnowWhatOnePolicyWouldThatSawBothHistories) {
  Play bandit(GetParam());
  const auto one = bandit.policy();
  const auto other = bandit.policy();
  const auto both = bandit.policy();
  Rng rng(8);
  for (std::uint64_t round = 0; round < 200; ++round) {
    const auto step = bandit.select(*one, round, rng);
    static_cast<void>(bandit.select(*other, round, rng));  // so that all actions are known
    static_cast<void>(bandit.select(*both, round, rng));
    ASSERT_TRUE(bandit.update(round % 3 == 0 ? *other : *one, step).ok());
    ASSERT_TRUE(bandit.update(*both, step).ok());
  }
  const auto merged = one->merge(*other);
  if (!merged) {
    EXPECT_THAT(merged.error().message, testing::AnyOf(HasSubstr("noise does not add up"),
                                                       HasSubstr("a centre of its own")));
    EXPECT_TRUE(GetParam().policy.starts_with("linens") ||
                GetParam().policy.find("memory") != std::string::npos);
    return;
  }
  // Both draw from the same law; UCBs and greedy policies even choose the same but for rounding.
  // 400 choices each in the same rounds agree about as often as two of `both` would.
  const auto agreements = [&](Policy& a, Policy& b, std::uint64_t seed) {
    int agree = 0;
    Rng first(seed);
    Rng second(seed + 1);
    for (std::uint64_t round = 200; round < 600; ++round)
      agree += bandit.select(a, round, first).choice == bandit.select(b, round, second).choice;
    return agree;
  };
  const auto twice = bandit.policy();
  ASSERT_TRUE(twice->load(both->save().value()).ok());
  const int expected = agreements(*both, *twice, 10);
  // The difference of two counts of 400 with variance at most 100 each: sd 14.
  EXPECT_NEAR(agreements(*one, *both, 20), expected, 5 * 14.2) << expected;
}

TEST(State, OfAnotherPolicyOrOtherOptionsOrOtherArmsIsRefusedByWhatDiffers) {
  Play bandit({"linphe:a=1", "linear:d=4,arms=12"});
  const std::string state = bandit.policy()->save().value();
  const auto refusal = [&](const Pair& pair, std::uint64_t seed = 1) {
    const auto loaded = Play(pair, 1000, seed).policy()->load(state);
    return loaded ? std::string("no error") : loaded.error().message;
  };
  EXPECT_THAT(refusal({"lints", "linear:d=4,arms=12"}),
              AllOf(HasSubstr("policy = linphe"), HasSubstr("lints")));
  EXPECT_THAT(refusal({"linphe:a=2", "linear:d=4,arms=12"}),
              HasSubstr("it has a = 1, this policy 2"));
  EXPECT_THAT(refusal({"linphe:a=1,ridge=2", "linear:d=4,arms=12"}), HasSubstr("ridge = 1"));
  EXPECT_THAT(refusal({"linphe:a=1", "linear:d=4,arms=13"}), HasSubstr("arms = 12"));
  EXPECT_THAT(refusal({"linphe:a=1", "linear:d=5,arms=12"}), HasSubstr("features = 4"));
  EXPECT_THAT(refusal({"linphe:a=1", "linear:d=4,arms=12"}, 2), HasSubstr("digest of the arms"));
  const auto policy = bandit.policy();
  EXPECT_THAT(policy->load("").error().message, HasSubstr("phe-state 2"));
  EXPECT_THAT(policy->load("hello").error().message, HasSubstr("phe-state 2"));
}

TEST(State, GoesThroughAFile) {
  const TemporaryFolder folder;
  Play bandit({"linphe", "linear:d=4,arms=12"});
  const auto policy = bandit.policy();
  Rng rng(1);
  bandit.play(*policy, rng, 0, 50);
  ASSERT_TRUE(save(*policy, folder.path() / "linphe.state").ok());
  const auto restored = bandit.policy();
  ASSERT_TRUE(load(*restored, folder.path() / "linphe.state").ok());
  EXPECT_EQ(restored->save().value(), policy->save().value());
  EXPECT_THAT(load(*restored, folder.path() / "nothing").error().message, HasSubstr("nothing"));
}

TEST(State, OtherPoliciesCannotBeMerged) {
  Play bandit({"linphe:a=1", "linear:d=4,arms=12"});
  const auto policy = bandit.policy();
  EXPECT_THAT(policy->merge(*Play({"lints", "linear:d=4,arms=12"}).policy()).error().message,
              AllOf(HasSubstr("linphe: cannot merge"), HasSubstr("lints")));
  EXPECT_THAT(policy->merge(*Play({"linphe:a=2", "linear:d=4,arms=12"}).policy()).error().message,
              HasSubstr("a = 2"));
  EXPECT_THAT(
      policy->merge(*Play({"linphe", "linear:d=4,arms=5,contexts"}).policy()).error().message,
      HasSubstr("arms"));
}

}  // namespace
}  // namespace phe::test
