#include "logs/line_reader.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include "support/temporary_folder.hpp"

namespace phe::logs {
namespace {

using Lines = std::vector<std::string>;

class LineReaderTest : public testing::Test {
 protected:
  [[nodiscard]] std::string path(std::string_view name) const { return (folder_ / name).string(); }
  void write(std::string_view name, std::string_view text) const {
    test::put(folder_ / name, text);
  }
  void write_gzip(std::string_view name, std::string_view text, const char* mode = "wb") const {
    gzFile const file = gzopen(path(name).c_str(), mode);
    ASSERT_EQ(gzwrite(file, text.data(), static_cast<unsigned>(text.size())),
              static_cast<int>(text.size()));
    gzclose(file);
  }
  // All lines; the last is "error: .." where the reading ended with one.
  [[nodiscard]] Lines lines_of(std::string_view name) const {
    auto reader = LineReader::open(path(name));
    if (!reader) return {"error: " + reader.error().message};
    for (Lines lines;;) {
      const auto line = reader->next();
      if (!line) lines.push_back("error: " + line.error().message);
      if (!line || !line.value()) return lines;
      lines.emplace_back(*line.value());
      EXPECT_EQ(reader->line_number(), lines.size());
    }
  }

  test::TemporaryFolder folder_;
};

TEST_F(LineReaderTest, LinesEndInLfCrlfOrWithTheFile) {
  write("x", "a\r\n\nbc\nlast");
  EXPECT_EQ(lines_of("x"), (Lines{"a", "", "bc", "last"}));
  write("x", "a\n");
  EXPECT_EQ(lines_of("x"), (Lines{"a"}));
  write("x", "");
  EXPECT_EQ(lines_of("x"), Lines{});
}

TEST_F(LineReaderTest, GzipIsReadAsThePlainFileIsWhateverItsName) {
  Lines expected;
  std::string text;
  for (int i = 0; i < 50'000; ++i) {
    expected.push_back(std::to_string(i) + std::string(static_cast<std::size_t>(i % 37), 'x'));
    text += expected.back() + '\n';
  }
  write("plain.gz", text);
  write_gzip("packed", text);
  EXPECT_EQ(lines_of("plain.gz"), expected);
  EXPECT_EQ(lines_of("packed"), expected);
}

TEST_F(LineReaderTest, SeveralGzipMembersAreOneFile) {
  write_gzip("x.gz", "a\nb");
  write_gzip("x.gz", "c\nd\n", "ab");
  EXPECT_EQ(lines_of("x.gz"), (Lines{"a", "bc", "d"}));
}

TEST_F(LineReaderTest, ALineLongerThanTheBufferIsWhole) {
  const std::string line(3'000'000, 'y');
  write("x", "a\n" + line + "\nb\n");
  EXPECT_EQ(lines_of("x"), (Lines{"a", line, "b"}));
}

TEST_F(LineReaderTest, AGzipFileThatIsCutOffEndsInAnErrorAndNoHalfLine) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += std::to_string(i * 7919) + '\n';
  write_gzip("x.gz", text);
  const std::string bytes = test::bytes_of(folder_ / "x.gz");
  write("cut.gz", bytes.substr(0, bytes.size() / 2));
  const Lines lines = lines_of("cut.gz");
  EXPECT_TRUE(lines.back().starts_with("error: " + path("cut.gz") + ": cannot be read after line"))
      << lines.back();
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) ASSERT_EQ(lines[i], std::to_string(i * 7919));
}

TEST_F(LineReaderTest, ADamagedGzipFileEndsInAnError) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += std::to_string(i * 7919) + '\n';
  write_gzip("x.gz", text);
  std::string bytes = test::bytes_of(folder_ / "x.gz");
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x10);
  write("bad.gz", bytes);
  EXPECT_TRUE(lines_of("bad.gz").back().starts_with("error: "));
}

TEST_F(LineReaderTest, WhatCannotBeOpenedIsNamed) {
  EXPECT_EQ(lines_of("none"), (Lines{"error: " + path("none") + ": No such file or directory"}));
  EXPECT_EQ(lines_of(""), (Lines{"error: " + path("") + ": is a folder"}));
}

}  // namespace
}  // namespace phe::logs
