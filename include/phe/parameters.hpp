// Parameters: the values of `name:key=value,key=value`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "phe/result.hpp"

namespace phe {

struct ParameterInfo {
  std::string key;
  std::string default_value;
  std::string meaning;
  // The value names a file, which then belongs to what is asked for: its content, wherever it lies.
  bool is_file = false;
  // A flag that, when true, replaces the default. Giving the default then says something.
  std::string replaced_by = {};
};

// A file that a value names.
struct InputFile {
  std::string name;            // as it was asked for
  std::filesystem::path path;  // where it is
  std::string sha256;          // of its content, 64 hexadecimal digits
};

// Says where a named file is. An empty one stands for: where the name says.
using FileLocator = std::function<std::filesystem::path(const std::string& name)>;

// The values of one entry's keys: those that were given, defaults for the rest. The first value
// that cannot be read, or key that the entry does not list, is remembered; check error() after
// reading.
class Parameters {
 public:
  [[nodiscard]] double real(std::string_view key);
  [[nodiscard]] std::uint64_t count(std::string_view key);
  [[nodiscard]] bool flag(std::string_view key);
  // The value as it is; of a file: where it is.
  [[nodiscard]] std::string text(std::string_view key) const;
  // The position of the value among `choices`.
  [[nodiscard]] std::size_t choice(std::string_view key, const std::vector<std::string>& choices);
  [[nodiscard]] bool given(std::string_view key) const;

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  // The name and every value that is not its default, in the entry's order, with the digest of a
  // file in place of its name: equal for equal things, different for different ones.
  [[nodiscard]] std::string canonical() const;
  // The same for people: files by their names, and without the keys in `left_out`.
  [[nodiscard]] std::string shown(const std::vector<std::string_view>& left_out = {}) const;
  [[nodiscard]] const Result<void>& error() const noexcept { return error_; }

  // Reads `name:key=value,..` against the keys that exist. A key whose default is true or false may
  // stand alone and is then true; every other one needs a value. A value that holds a comma or a
  // quote stands in double quotes, with the quotes within doubled.
  static Result<Parameters> parse(std::string_view kind, std::string_view spec,
                                  const std::vector<ParameterInfo>& known);

  // Finds the files that are named and takes the digests of their contents.
  Result<void> find_files(const FileLocator& locate);
  [[nodiscard]] std::vector<InputFile> files() const;

 private:
  struct Value {
    ParameterInfo info;
    std::string text;
    bool given = false;
    InputFile file = {};
  };
  [[nodiscard]] const Value* find(std::string_view key) const;
  // The value of `key`, or of no key at all, which is then remembered as an error.
  [[nodiscard]] const Value& listed(std::string_view key);
  [[nodiscard]] bool says_something(const Value& value) const;
  [[nodiscard]] std::string written(const std::vector<std::string_view>& left_out,
                                    std::string (*file_text)(const InputFile&)) const;
  void fail(std::string_view key, std::string_view text, std::string_view allowed);

  std::string kind_;  // "policy" or "problem", for messages
  std::string name_;
  std::vector<Value> values_;
  Result<void> error_;
};

}  // namespace phe
