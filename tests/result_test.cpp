#include "phe/result.hpp"

#include <gtest/gtest.h>

namespace phe {
namespace {

TEST(ResultDeathTest, AValueThatIsNotThereEndsTheProgramWithTheReason) {
  const Result<int> none = Error{"a must be > 0, got -1"};
  EXPECT_DEATH(static_cast<void>(none.value()),
               "phe: value\\(\\) of a Result that has none: a must be > 0, got -1");
  const Result<std::string> no_text = Error{"no text"};
  EXPECT_DEATH(static_cast<void>(no_text->size()), "no text");
  EXPECT_DEATH(static_cast<void>(Result<std::string>(Error{"gone"}).value()), "gone");
}

TEST(ResultDeathTest, AnErrorThatIsNotThereEndsTheProgram) {
  const Result<int> good = 1;
  EXPECT_DEATH(static_cast<void>(good.error()), "error\\(\\) of a Result that has a value");
  const Result<void> done;
  EXPECT_DEATH(static_cast<void>(done.error()), "error\\(\\) of a Result that is good");
}

}  // namespace
}  // namespace phe
