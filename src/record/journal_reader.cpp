#include "record/journal_reader.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#include "support/error.hpp"

namespace phe {

namespace {

// The next whole line; false at the end of the file, with `torn` set if a part of a line is left.
bool next_line(std::ifstream& in, std::string& line, bool& torn) {
  if (!std::getline(in, line)) return false;
  torn = in.eof();
  return !torn;
}

// Why this line is no header that can be read.
Error refused_header(std::string_view line, const std::filesystem::path& file) {
  const auto format = format_of_header(line);
  if (format && *format < oldest_journal_format)
    return invalid(
        "{}: line 1 is of journal format {}, by an older phe that did not record the contents of "
        "files and the revision of its draws; such runs cannot be continued or merged",
        file.string(), *format);
  if (format && *format > journal_format)
    return invalid("{}: line 1 is of journal format {}, by a newer phe; this one reads format {}",
                   file.string(), *format, journal_format);
  return invalid("{}: line 1 is not the header of a journal of runs, format {}", file.string(),
                 journal_format);
}

Result<JournalHeader> header_of(std::ifstream& in, const std::filesystem::path& file) {
  if (!in) return invalid("{}: {}", file.string(), std::strerror(errno));
  std::string line;
  bool torn = false;
  if (next_line(in, line, torn))
    if (auto header = decode_header(line)) return std::move(*header);
  return refused_header(line, file);
}

}  // namespace

Result<JournalHeader> read_journal_header(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return header_of(in, file);
}

Result<JournalContents> read_journal(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  auto header = header_of(in, file);
  if (!header) return header.error();
  JournalContents contents;
  contents.header = std::move(header).value();
  std::string line;
  for (std::size_t number = 2; next_line(in, line, contents.torn); ++number) {
    auto run = decode_run(line);
    if (run && contents.header.admits(*run))
      contents.runs.try_emplace(run->id, std::move(*run));
    else
      contents.damaged_lines.push_back(number);
  }
  if (in.bad()) return invalid("{}: cannot be read: {}", file.string(), std::strerror(errno));
  return contents;
}

}  // namespace phe
