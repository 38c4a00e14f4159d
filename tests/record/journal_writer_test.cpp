#include "record/journal_writer.hpp"

#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"

namespace phe {
namespace {

TEST(JournalWriter, AppendsToWhatIsThere) {
  const test::TemporaryFolder folder;
  for (const char* const line : {"one\n", "two\n"})
    ASSERT_TRUE(JournalWriter::open(folder / "log")->append(line).ok());
  EXPECT_EQ(test::bytes_of(folder / "log"), "one\ntwo\n");
}

TEST(JournalWriter, TellsThatTheDiskIsFull) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  auto writer = JournalWriter::open("/dev/full");
  ASSERT_TRUE(writer.ok());
  EXPECT_EQ(writer->append("a line\n").error().message,
            "/dev/full: cannot be written: No space left on device");
}

}  // namespace
}  // namespace phe
