// Reading tables of numbers.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "phe/result.hpp"

namespace phe {

// Comma-separated numbers, one row per line; CRLF and a byte-order mark are allowed. Blank lines
// and lines that start with '#' are skipped, and so is a first line without any number (a header).
// Errors name file, line, column.
Result<std::vector<std::vector<double>>> read_csv_numbers(const std::filesystem::path& file);
Result<std::vector<std::vector<double>>> parse_csv_numbers(std::string_view text,
                                                           std::string_view file_name);

// Whether a cell is a number or begins like one: a line with such a cell is no header.
bool looks_like_number(std::string_view cell);

}  // namespace phe
