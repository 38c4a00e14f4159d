#include "record/inputs.hpp"

#include <gtest/gtest.h>

#include "support/sha256.hpp"
#include "support/temporary_folder.hpp"

namespace phe {
namespace {

class Inputs : public testing::Test {
 protected:
  // A file with this content, as a plan would have it.
  InputFile file(const std::string& name, const std::string& content) {
    test::put(temporary_ / name, content);
    return {"data/" + name, temporary_ / name, sha256(content)};
  }
  [[nodiscard]] std::filesystem::path copy(const InputFile& file) const {
    return input_copy(folder_, {file.name, file.sha256});
  }

  test::TemporaryFolder temporary_;
  std::filesystem::path folder_ = temporary_ / "results";
};

TEST_F(Inputs, AreCopiedUnderTheirContentAndTheLastPartOfTheirName) {
  const InputFile arms = file("arms.csv", "1,2\n");
  ASSERT_TRUE(keep_inputs(folder_, {arms}).ok());
  EXPECT_EQ(copy(arms), folder_ / "inputs" / (sha256("1,2\n").substr(0, 16) + "-arms.csv"));
  EXPECT_EQ(test::bytes_of(copy(arms)), "1,2\n");
}

TEST_F(Inputs, OfTheSameNameAreKeptApartByTheirContents) {
  const InputFile one = file("arms.csv", "1\n");
  ASSERT_TRUE(keep_inputs(folder_, {one}).ok());
  const InputFile two = file("arms.csv", "2\n");
  ASSERT_TRUE(keep_inputs(folder_, {two}).ok());
  EXPECT_EQ(test::bytes_of(copy(one)), "1\n");
  EXPECT_EQ(test::bytes_of(copy(two)), "2\n");
}

TEST_F(Inputs, ThatChangedSinceTheyWereReadAreRefused) {
  const InputFile arms = file("arms.csv", "1,2\n");
  test::put(arms.path, "3,4\n");
  const auto kept = keep_inputs(folder_, {arms});
  ASSERT_FALSE(kept.ok());
  EXPECT_EQ(kept.error().message,
            arms.path.string() + ": has changed since it was read; start again");
  EXPECT_FALSE(std::filesystem::exists(copy(arms)));
}

TEST_F(Inputs, WhoseCopyIsDamagedAreCopiedAgain) {
  const InputFile arms = file("arms.csv", "1,2\n");
  ASSERT_TRUE(keep_inputs(folder_, {arms}).ok());
  test::put(copy(arms), "1,");
  ASSERT_TRUE(keep_inputs(folder_, {arms}).ok());
  EXPECT_EQ(test::bytes_of(copy(arms)), "1,2\n");
}

TEST_F(Inputs, NeedNoFolderWhenThereAreNone) {
  ASSERT_TRUE(keep_inputs(folder_, {}).ok());
  EXPECT_FALSE(std::filesystem::exists(folder_));
}

TEST_F(Inputs, MayHaveNamesAsLongAsNamesMayBe) {
  std::string name(250, 'x');
  name += ".csv";
  const InputFile arms = file(name, "1\n");
  ASSERT_TRUE(keep_inputs(folder_, {arms}).ok());
  EXPECT_EQ(test::bytes_of(copy(arms)), "1\n");
}

TEST_F(Inputs, AreFoundInAnyFolderThatHasACopy) {
  const InputFile arms = file("arms.csv", "1\n");
  ASSERT_TRUE(keep_inputs(folder_, {arms}).ok());
  const JournalHeader header{.inputs = {{arms.name, arms.sha256}}};
  EXPECT_EQ(locator_in({temporary_ / "none", folder_}, header)(arms.name), copy(arms));
  EXPECT_EQ(locator_in({temporary_ / "none"}, header)(arms.name),
            input_copy(temporary_ / "none", header.inputs[0]));
  EXPECT_EQ(locator_in({folder_}, header)("other.csv"), "other.csv");
}

}  // namespace
}  // namespace phe
