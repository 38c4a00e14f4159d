#include "sim/workload.hpp"

#include <gtest/gtest.h>

namespace phe {
namespace {

constexpr Workload::Kind fast{0, 0};
constexpr Workload::Kind slow{0, 1};

TEST(Workload, CountsWhatIsDoneAndWhatThereIs) {
  Workload work;
  work.had(fast, 1);
  for (int i = 0; i < 3; ++i) work.expect(slow);
  work.did(slow, 5);
  EXPECT_EQ(work.done(), 2U);
  EXPECT_EQ(work.total(), 4U);
}

TEST(Workload, WeighsWhatIsLeftByWhatItsKindTook) {
  Workload work;
  for (int i = 0; i < 10; ++i) work.expect(fast);
  for (int i = 0; i < 4; ++i) work.expect(slow);
  work.did(fast, 1);
  work.did(slow, 9);
  EXPECT_DOUBLE_EQ(work.left_per_done(), (9 * 1 + 3 * 9) / 10.0);
}

TEST(Workload, KnowsKindsFromRunsThatWereThereBefore) {
  Workload work;
  work.had(slow, 20);
  work.expect(slow);
  work.expect(fast);
  work.did(fast, 1);
  EXPECT_DOUBLE_EQ(work.left_per_done(), 20.0);
}

TEST(Workload, TakesTheMeanForKindsNeverSeen) {
  Workload work;
  for (int i = 0; i < 2; ++i) work.expect(fast);
  work.expect(slow);
  work.did(fast, 2);
  work.did(fast, 4);
  EXPECT_DOUBLE_EQ(work.left_per_done(), 3.0 / 6.0);
}

TEST(Workload, NothingIsLeftAtTheEnd) {
  Workload work;
  work.expect(fast);
  work.did(fast, 0.0);
  EXPECT_EQ(work.left_per_done(), 0.0);
}

}  // namespace
}  // namespace phe
