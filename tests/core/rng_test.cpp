#include "phe/rng.hpp"

#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "support/archive.hpp"
#include "support/sizes.hpp"
#include "support/statistics.hpp"

namespace phe {
namespace {

// xoshiro256++ 1.0 as Blackman and Vigna publish it, one generator at a time.
struct Xoshiro256PlusPlus {
  std::uint64_t s[4];

  static std::uint64_t rotl(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

  std::uint64_t next() {
    const std::uint64_t result = rotl(s[0] + s[3], 23) + s[0];
    const std::uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 45);
    return result;
  }
};

std::vector<Xoshiro256PlusPlus> lanes_of(Rng& rng) {
  std::vector<Xoshiro256PlusPlus> lanes(Rng::lanes);
  for (std::size_t lane = 0; lane < Rng::lanes; ++lane)
    for (std::size_t i = 0; i < 4; ++i) lanes[lane].s[i] = rng.state()[i][lane];
  return lanes;
}

TEST(Rng, ReferenceGivesThePublishedFirstWords) {
  // The state 1, 2, 3, 4 by hand: rotl(1 + 4, 23) + 1, then from the state 7, 0, 2 + 2^18, 6 << 45.
  Xoshiro256PlusPlus reference{{1, 2, 3, 4}};
  EXPECT_EQ(reference.next(), 41943041U);
  EXPECT_EQ(reference.next(), 58720359U);
}

TEST(Rng, WordsAreThoseOfEightReferenceGeneratorsInTurn) {
  Rng rng(71);
  auto reference = lanes_of(rng);
  for (int step = 0; step < 1000; ++step)
    for (auto& lane : reference) ASSERT_EQ(rng(), lane.next());
}

TEST(Rng, StepsAreTheSameWordsAsCalls) {
  Rng calls(72);
  Rng steps(72);
  for (int i = 0; i < 100; ++i) {
    Rng::Step words;
    steps.step(words);
    for (const std::uint64_t word : words) ASSERT_EQ(calls(), word);
  }
}

TEST(Rng, AStepTakesTheNextEightWordsAndLeavesThoseBufferedToCalls) {
  Rng rng(73);
  Rng plain(73);
  std::vector<std::uint64_t> stream(24);
  for (auto& word : stream) word = plain();
  for (std::size_t i = 0; i < 3; ++i) ASSERT_EQ(rng(), stream[i]);
  Rng::Step words;
  rng.step(words);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(words[i], stream[8 + i]);
  for (std::size_t i = 3; i < 8; ++i) EXPECT_EQ(rng(), stream[i]);
  EXPECT_EQ(rng(), stream[16]);
}

TEST(Rng, EqualKeysGiveEqualStreamsAndSeedsGiveDifferentOnes) {
  Rng a(74);
  Rng b(StreamKey(74));
  Rng c(75);
  int equal = 0;
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t word = a();
    EXPECT_EQ(word, b());
    equal += word == c() ? 1 : 0;
  }
  EXPECT_EQ(equal, 0);
}

TEST(Rng, LanesOfOneSeedDiffer) {
  Rng rng(76);
  Rng::Step words;
  rng.step(words);
  EXPECT_EQ(std::set<std::uint64_t>(words.begin(), words.end()).size(), Rng::lanes);
}

TEST(StreamKey, KeysDifferWhenAnyStepOrTheirOrderDiffers) {
  std::set<std::uint64_t> keys;
  std::size_t made = 0;
  const auto add = [&](StreamKey key) {
    keys.insert(key.value());
    ++made;
  };
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (const char* problem : {"linear", "linear:d=5", "linear:d=20", "a", "b", "ab", ""})
      for (std::uint64_t instance = 0; instance < 20; ++instance)
        for (const Stream purpose : {Stream::instance, Stream::reward, Stream::policy})
          for (const char* policy : {"linphe", "linphe:a=1", "linphe:a=2"})
            add(StreamKey(seed).with(problem).with(instance).with(purpose).with(policy));
  const StreamKey root(1);
  add(root.with(1).with(2));
  add(root.with(2).with(1));
  add(root.with("ab").with("c"));
  add(root.with("a").with("bc"));
  EXPECT_EQ(keys.size(), made);
}

TEST(StreamKey, MillionsOfRoundsAndArmsGiveDistinctKeys) {
  // Birthday bound: 2 million random 64-bit words collide with a probability of 1e-7.
  const StreamKey key = StreamKey(1).with(Stream::reward);
  std::vector<std::uint64_t> keys;
  for (std::uint64_t round = 0; round < 20'000; ++round)
    for (std::uint64_t arm = 0; arm < 100; ++arm) keys.push_back(key.with(round).with(arm).value());
  std::ranges::sort(keys);
  EXPECT_EQ(std::ranges::adjacent_find(keys), keys.end());
}

TEST(StreamKey, FirstWordsOfNeighbouringStreamsAreIndependent) {
  // The correlation of n independent pairs has sd 1 / sqrt(n).
  constexpr std::size_t n = 100'000;
  std::vector<double> here(n);
  std::vector<double> next(n);
  std::vector<double> other(n);
  for (std::size_t i = 0; i < n; ++i) {
    here[i] = to_unit(Rng(StreamKey(5).with(i))());
    next[i] = to_unit(Rng(StreamKey(5).with(i + 1))());
    other[i] = to_unit(Rng(StreamKey(6).with(i))());
  }
  EXPECT_LT(std::abs(test::correlation(here, next)), 5 / std::sqrt(double{n}));
  EXPECT_LT(std::abs(test::correlation(here, other)), 5 / std::sqrt(double{n}));
}

TEST(ToUnit, CoversZeroToJustBelowOne) {
  EXPECT_EQ(to_unit(0), 0.0);
  EXPECT_EQ(to_unit(~std::uint64_t{0}), 1.0 - 0x1p-53);
}

TEST(RngBelow, StaysBelowItsBound) {
  Rng rng(77);
  for (const std::uint64_t bound :
       {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{1} << 63,
        (std::uint64_t{1} << 63) + 1, ~std::uint64_t{0}})
    for (int i = 0; i < 1000; ++i) ASSERT_LT(rng.below(bound), bound);
}

TEST(RngBelow, EveryValueIsEquallyLikely) {
  Rng rng(78);
  for (const std::size_t bound : {2, 3, 5, 7, 10, 100, 1000}) {
    std::vector<double> counts(bound);
    for (std::size_t i = 0; i < test::draws(1'000'000); ++i) ++counts[rng.below(bound)];
    EXPECT_GT(test::uniform_p_value(counts), 1e-6) << bound;
  }
}

TEST(RngBelow, ABoundOfThreeQuartersOfAllWordsIsNotBiased) {
  // Without rejection two words would map to every third value: the residues mod 3 of the values
  // below 3 * 2^62 would have the shares 1/2, 1/4, 1/4.
  Rng rng(79);
  const std::uint64_t bound = std::uint64_t{3} << 62;
  std::vector<double> counts(3);
  for (std::size_t i = 0; i < 300'000; ++i) ++counts[rng.below(bound) % 3];
  EXPECT_GT(test::uniform_p_value(counts), 1e-6);
}

TEST(SplitMix, GivesThePublishedWordsForTheStateZero) {
  // Steele, Lea & Flood 2014 with the variant-13 finaliser: the first words from the state 0.
  std::uint64_t state = 0;
  const std::uint64_t expected[] = {0xe220a8397b1dcdafULL, 0x6e789e6aa1b965f4ULL,
                                    0x06c45d188009454fULL};
  for (const std::uint64_t word : expected)
    EXPECT_EQ(mix64(state += StreamKey::golden_ratio), word);
}

TEST(Rng, GoesOnFromWhereItWasSaved) {
  for (int words : {0, 1, 7, 8, 9, 20}) {
    Rng rng(7);
    for (int i = 0; i < words; ++i) rng();
    Archive written;
    rng.persist(written);
    Rng other(1);
    other();
    Archive read(written.written());
    other.persist(read);
    ASSERT_TRUE(read.ok() && read.left().empty());
    for (int i = 0; i < 20; ++i) EXPECT_EQ(other(), rng());
  }
}

TEST(Rng, RefusesAPlaceThatIsNone) {
  Rng rng(7);
  Archive written;
  rng.persist(written);
  std::string bytes = written.written();
  bytes[bytes.size() - 8] = 9;  // of the eight words of a step
  Archive read(bytes);
  rng.persist(read);
  EXPECT_FALSE(read.ok());
  rng();
}

}  // namespace
}  // namespace phe
