// History: what was pulled and what it paid, as sufficient statistics (Section 2 and 3.2).
//
// Row i holds T_i, the number of pulls, and V_i, the sum of rewards. With fixed arms a row is an
// arm. Histories of the same arms add up, so work done apart can be joined.
//
// File format, text, one record a line:
//   phe-history 1
//   rows 100
//   3 17 9.25            row, pulls, reward sum; rows without pulls are left out
//   end 1                number of records
// Sums are written as the shortest decimal that reads back as the same double.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "phe/arms.hpp"
#include "phe/result.hpp"

namespace phe {

class Archive;

class History {
 public:
  explicit History(std::size_t rows = 0) : pulls_(rows), reward_sums_(rows) {}

  // Precondition: row < rows().
  void add(ArmId row, double reward_sum, std::uint64_t pulls = 1) noexcept {
    pulls_[row] += pulls;
    reward_sums_[row] += reward_sum;
    total_pulls_ += pulls;
  }

  [[nodiscard]] std::size_t rows() const noexcept { return pulls_.size(); }
  [[nodiscard]] std::uint64_t pulls(ArmId row) const noexcept { return pulls_[row]; }
  [[nodiscard]] double reward_sum(ArmId row) const noexcept { return reward_sums_[row]; }
  [[nodiscard]] std::uint64_t total_pulls() const noexcept { return total_pulls_; }

  // Fails, and changes nothing, when the numbers of rows differ.
  Result<void> merge(const History& other);

  [[nodiscard]] std::string to_text() const;
  static Result<History> from_text(std::string_view text);
  [[nodiscard]] Result<void> save(const std::filesystem::path& file) const;
  static Result<History> load(const std::filesystem::path& file);

  void persist(Archive& archive);

  friend bool operator==(const History&, const History&) = default;

 private:
  std::vector<std::uint64_t> pulls_;
  std::vector<double> reward_sums_;
  std::uint64_t total_pulls_ = 0;
};

}  // namespace phe
