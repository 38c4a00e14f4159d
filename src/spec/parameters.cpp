#include "phe/parameters.hpp"

#include <algorithm>
#include <cmath>

#include "spec/nearest.hpp"
#include "spec/numbers.hpp"
#include "spec/spec_text.hpp"
#include "support/error.hpp"
#include "support/sha256.hpp"
#include "support/text.hpp"

namespace phe {

namespace {

std::vector<std::string> keys_of(const std::vector<ParameterInfo>& known) {
  std::vector<std::string> keys;
  keys.reserve(known.size());
  for (const auto& info : known) keys.push_back(info.key);
  return keys;
}

Error unknown_key(std::string_view owner, std::string_view key,
                  const std::vector<ParameterInfo>& known) {
  if (known.empty()) return invalid("{} has no key '{}'; it takes none", owner, key);
  const auto keys = keys_of(known);
  return invalid("{} has no key '{}'{} (keys: {})", owner, key, suggestion(key, keys),
                 fmt::join(keys, ", "));
}

bool is_flag(std::string_view default_text) {
  return default_text == "true" || default_text == "false";
}

// One way to write each number, so that 0.5, .5 and 0.50 are the same text.
std::string canonical_value(const std::string& text) {
  if (const auto count = parse_count(text)) return fmt::format("{}", *count);
  if (const auto real = parse_number<double>(text)) return fmt::format("{}", *real);
  return spec_value(text);
}

// The digest of a file's content. A file is read more than once, so a pipe will not do.
Result<std::string> digest_of(const std::filesystem::path& path) {
  std::error_code unknown;
  const auto kind = std::filesystem::status(path, unknown).type();
  using Type = std::filesystem::file_type;
  if (kind == Type::fifo || kind == Type::character || kind == Type::socket)
    return invalid("{}: must be a file that can be read twice, not a pipe or a device",
                   path.string());
  const auto content = read_file(path);
  if (!content) return content.error();
  return sha256(content.value());
}

}  // namespace

Result<Parameters> Parameters::parse(std::string_view kind, std::string_view spec,
                                     const std::vector<ParameterInfo>& known) {
  Parameters parameters;
  parameters.kind_ = kind;
  parameters.name_ = name_of(spec);
  for (const auto& info : known) parameters.values_.push_back({info, info.default_value});
  const std::string owner = fmt::format("{} {}", kind, parameters.name_);
  const auto items = items_of(spec);
  if (!items) return invalid("{}: a value in quotes must end with its quote in '{}'", owner, spec);
  for (const auto& [key, given] : *items) {
    if (key.empty()) return invalid("{}: a key is missing in '{}'", owner, spec);
    const auto value = std::ranges::find(
        parameters.values_, key, [](const Value& v) -> auto& { return v.info.key; });
    if (value == parameters.values_.end()) return unknown_key(owner, key, known);
    if (value->given) return invalid("{}: {} is given twice in '{}'", owner, key, spec);
    const std::string text = given.value_or("true");
    if (text.empty() || (!given && !is_flag(value->info.default_value)))
      return invalid("{}: {} needs a value, as in {}={}", owner, key, key,
                     value->info.default_value);
    value->text = text;
    value->given = true;
  }
  return parameters;
}

Result<void> Parameters::find_files(const FileLocator& locate) {
  Result<void> outcome;
  for (Value& value : values_) {
    if (!value.info.is_file || !value.given) continue;
    value.file.name = value.text;
    value.file.path = locate ? locate(value.text) : std::filesystem::path(value.text);
    auto digest = digest_of(value.file.path);
    if (digest)
      value.file.sha256 = std::move(digest).value();
    else if (outcome)
      outcome = digest.error();
  }
  return outcome;
}

std::vector<InputFile> Parameters::files() const {
  std::vector<InputFile> files;
  for (const Value& value : values_)
    if (!value.file.name.empty()) files.push_back(value.file);
  return files;
}

const Parameters::Value* Parameters::find(std::string_view key) const {
  const auto value = std::ranges::find(
      values_, key, [](const Value& v) -> auto& { return v.info.key; });
  return value == values_.end() ? nullptr : &*value;
}

const Parameters::Value& Parameters::listed(std::string_view key) {
  if (const Value* const value = find(key)) return *value;
  if (error_.ok())
    error_ = invalid("{} {} reads '{}', which is none of its keys", kind_, name_, key);
  static const Value none;
  return none;
}

void Parameters::fail(std::string_view key, std::string_view text, std::string_view allowed) {
  if (error_.ok())
    error_ = invalid("{} {}: {} must be {}, got '{}'", kind_, name_, key, allowed, text);
}

double Parameters::real(std::string_view key) {
  const Value& value = listed(key);
  const auto number = parse_number<double>(value.text);
  if (number && std::isfinite(*number)) return *number;
  fail(key, value.text, number ? "a finite number" : "a number");
  return parse_number<double>(value.info.default_value).value_or(0.0);
}

std::uint64_t Parameters::count(std::string_view key) {
  const Value& value = listed(key);
  if (const auto number = parse_count(value.text)) return *number;
  fail(key, value.text, "a whole number, 0 or more");
  return parse_count(value.info.default_value).value_or(0);
}

bool Parameters::flag(std::string_view key) {
  const Value& value = listed(key);
  if (is_flag(value.text)) return value.text == "true";
  fail(key, value.text, "true or false");
  return value.info.default_value == "true";
}

std::string Parameters::text(std::string_view key) const {
  const Value* const value = find(key);
  if (!value) return {};
  return value->file.name.empty() ? value->text : value->file.path.string();
}

std::size_t Parameters::choice(std::string_view key, const std::vector<std::string>& choices) {
  const Value& value = listed(key);
  const auto found = std::ranges::find(choices, value.text);
  if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
  fail(key, value.text, fmt::format("{}", fmt::join(choices, " or ")));
  return 0;
}

bool Parameters::given(std::string_view key) const {
  const Value* const value = find(key);
  return value && value->given;
}

bool Parameters::says_something(const Value& value) const {
  if (canonical_value(value.text) != canonical_value(value.info.default_value)) return true;
  const Value* const flag = find(value.info.replaced_by);
  return value.given && flag && flag->text == "true";
}

std::string Parameters::written(const std::vector<std::string_view>& left_out,
                                std::string (*file_text)(const InputFile&)) const {
  std::string text = name_;
  char mark = ':';
  for (const Value& value : values_) {
    const bool skipped = std::ranges::find(left_out, value.info.key) != left_out.end();
    if (skipped || !says_something(value)) continue;
    const bool is_file = !value.file.name.empty();
    text += fmt::format("{}{}={}", mark, value.info.key,
                        is_file ? file_text(value.file) : canonical_value(value.text));
    mark = ',';
  }
  return text;
}

std::string Parameters::canonical() const {
  return written({}, [](const InputFile& file) { return "sha256:" + file.sha256; });
}

std::string Parameters::shown(const std::vector<std::string_view>& left_out) const {
  return written(left_out, [](const InputFile& file) { return spec_value(file.name); });
}

}  // namespace phe
