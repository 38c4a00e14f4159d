// A test with a folder of its own, gone when the test is.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <unistd.h>

namespace phe::test {

class TemporaryFolder : public ::testing::Test {
 protected:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "phe-test-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~TemporaryFolder() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] std::filesystem::path write(const std::string& name, std::string_view text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace phe::test
