#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "phe/simd.hpp"

namespace phe {
namespace {

using ::testing::HasSubstr;

TEST(SimdTargets, ThereIsAtLeastOneAndNamesAreDistinctAndLowerCase) {
  auto names = simd_targets();
  ASSERT_FALSE(names.empty());
  for (const auto& name : names)
    EXPECT_TRUE(std::ranges::none_of(name, [](char c) { return c >= 'A' && c <= 'Z'; })) << name;
  std::ranges::sort(names);
  EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
}

TEST(SimdTargets, AnUnknownTargetIsRefusedAndTheKnownOnesAreListed) {
  const auto result = use_simd_target("mmx");
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(result.error().message, HasSubstr("'mmx'"));
  EXPECT_THAT(result.error().message, HasSubstr("auto"));
  for (const auto& name : simd_targets()) EXPECT_THAT(result.error().message, HasSubstr(name));
  EXPECT_TRUE(use_simd_target("auto").ok());
}

}  // namespace
}  // namespace phe
