#include "kernels/transpose.hpp"

#include <limits>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/aligned_vector.hpp"
#include "phe/arms.hpp"
#include "support/arms.hpp"
#include "support/simd.hpp"

namespace phe::kernels {
namespace {

using ::testing::Combine;
using ::testing::ElementsAreArray;
using ::testing::Values;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double untouched = 77.0;

struct Shape {
  std::size_t count;
  std::size_t dimension;
  // Columns may stand further apart than their rows need.
  [[nodiscard]] std::size_t stride() const { return padded(count) + 8; }
  [[nodiscard]] AlignedVector columns() const {
    return AlignedVector(stride() * dimension, untouched);
  }
};

class TransposeRows : public ::testing::TestWithParam<std::tuple<std::size_t, std::size_t>> {
 protected:
  TransposeRows() {
    Rng rng(21);
    rows_ = test::normal_vector(shape_.count * shape_.dimension, rng);
  }
  bool transpose(AlignedVector& columns) const {
    return transpose_rows(rows_.data(), shape_.count, shape_.dimension, columns.data(),
                          shape_.stride());
  }

  Shape shape_{std::get<0>(GetParam()), std::get<1>(GetParam())};
  std::vector<double> rows_;
};

INSTANTIATE_TEST_SUITE_P(Tails, TransposeRows,
                         Combine(Values(1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 100),
                                 Values(1, 2, 3, 4, 5, 8, 9, 20)));

TEST_P(TransposeRows, TheTwinPutsFeatureJOfRowKIntoColumnJAndZerosIntoThePadding) {
  auto columns = shape_.columns();
  EXPECT_TRUE(scalar::transpose_rows(rows_.data(), shape_.count, shape_.dimension, columns.data(),
                                     shape_.stride()));
  for (std::size_t j = 0; j < shape_.dimension; ++j)
    for (std::size_t k = 0; k < shape_.stride(); ++k) {
      const double expected = k < shape_.count           ? rows_[k * shape_.dimension + j]
                              : k < padded(shape_.count) ? 0.0
                                                         : untouched;
      EXPECT_EQ(columns[j * shape_.stride() + k], expected) << "row " << k << ", feature " << j;
    }
}

TEST_P(TransposeRows, EveryTargetWritesWhatTheScalarTwinWritesAndNothingElse) {
  auto expected = shape_.columns();
  scalar::transpose_rows(rows_.data(), shape_.count, shape_.dimension, expected.data(),
                         shape_.stride());
  test::on_every_target([&] {
    auto columns = shape_.columns();
    EXPECT_TRUE(transpose(columns));
    EXPECT_THAT(columns, ElementsAreArray(expected));
  });
}

TEST_P(TransposeRows, EveryTargetFindsAValueThatIsNotFiniteWhereverItIs) {
  constexpr double bad[] = {nan, infinity, -infinity};
  auto columns = shape_.columns();
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const double good = std::exchange(rows_[i], bad[i % 3]);
    EXPECT_FALSE(scalar::transpose_rows(rows_.data(), shape_.count, shape_.dimension,
                                        columns.data(), shape_.stride()));
    test::on_every_target([&] { EXPECT_FALSE(transpose(columns)) << "number " << i; });
    rows_[i] = good;
  }
}

TEST(TransposeRowsOf, TheLargestAndTheSmallestNumbersAreFinite) {
  using limits = std::numeric_limits<double>;
  const std::vector<double> rows = {limits::max(),
                                    -limits::max(),
                                    limits::max(),
                                    limits::denorm_min(),
                                    -0.0,
                                    limits::max(),
                                    limits::max(),
                                    1.0,
                                    2.0};
  test::on_every_target([&] {
    AlignedVector columns(3 * 8);
    EXPECT_TRUE(transpose_rows(rows.data(), 3, 3, columns.data(), 8));
  });
}

}  // namespace
}  // namespace phe::kernels
