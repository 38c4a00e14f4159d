#include "kernels/cosine.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "phe/rng.hpp"

namespace phe::kernels {
namespace {

TEST(Cosine, IsWithinTwoToTheMinus51OfLongDouble) {
  Rng rng(1);
  for (int i = 0; i < 200'000; ++i) {
    const double turns = (2.0 * to_unit(rng()) - 1.0) * (i % 2 == 0 ? 1.0 : 1000.0);
    const long double exact =
        std::cos(2.0L * std::numbers::pi_v<long double> * static_cast<long double>(turns));
    ASSERT_NEAR(static_cast<double>(static_cast<long double>(cos_turns(turns)) - exact), 0.0,
                0x1p-51)
        << turns;
  }
}

TEST(Cosine, RepeatsEveryTurnExactly) {
  for (const double turns : {0.0, 0.125, 0.25, 0.375, 0.5, 0.8125})
    for (const double whole : {1.0, -1.0, 1024.0, -1048576.0})
      EXPECT_EQ(cos_turns(turns + whole), cos_turns(turns));
  EXPECT_EQ(cos_turns(0.3), cos_turns(-0.3));
}

TEST(Cosine, OfWhateverIsHugeOrNoNumberIsAtMost1) {
  for (const double turns : {0x1p51, 0x1p52, 1e300, -1e300, std::nan(""), HUGE_VAL})
    EXPECT_LE(std::abs(cos_turns(turns)), 1.0 + 0x1p-52) << turns;
}

}  // namespace
}  // namespace phe::kernels
