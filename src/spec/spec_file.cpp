#include "spec/spec_file.hpp"

#include <algorithm>
#include <sstream>

#include <toml++/toml.h>

#include "spec/nearest.hpp"
#include "spec/numbers.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace phe {

namespace {

const std::vector<std::string> known_keys = {
    "problems", "policies",    "rounds",  "instances", "first_instance",
    "seed",     "checkpoints", "columns", "threads",   "out"};

std::string shown(const toml::node& node) {
  if (const auto* const text = node.as_string()) return text->get();
  std::ostringstream text;
  node.visit([&](const auto& typed) { text << typed; });
  return text.str();
}

// 1_000, 0x3e8 and 1e3, which is a float to TOML, are the same count.
std::string count_text(const toml::node& node) {
  if (const auto* const integer = node.as_integer()) return fmt::format("{}", integer->get());
  if (const auto* const real = node.as_floating_point()) return fmt::format("{}", real->get());
  return shown(node);
}

// Reads the values of one table; the first thing wrong is remembered and ends the reading.
class Reader {
 public:
  Reader(const toml::table& table, std::string_view file_name)
      : table_(table), file_name_(file_name) {}

  void refuse_unknown_keys() {
    for (const auto& [key, node] : table_)
      if (std::ranges::find(known_keys, key.str()) == known_keys.end())
        fail(key.source(), invalid("no key is called '{}'{} (keys: {})", key.str(),
                                   suggestion(key.str(), known_keys), fmt::join(known_keys, ", ")));
  }

  template <class Count>
  void count(std::string_view key, CountRange range, Count& into) {
    const toml::node* const node = table_.get(key);
    if (!node) return;
    if (node->is_string()) return fail(node->source(), quoted_count(key, range, shown(*node)));
    const auto value = count_in(key, range, count_text(*node));
    if (!value) return fail(node->source(), out_of_range(key, range, shown(*node)));
    into = value.value();
  }

  void text(std::string_view key, std::optional<std::string>& into) {
    const toml::node* const node = table_.get(key);
    if (!node) return;
    if (!node->is_string()) return fail(node->source(), wrong_type(key, "a string", *node));
    into = node->as_string()->get();
  }

  // A number, or one of a few words.
  void count_or_word(std::string_view key, std::string& into) {
    if (const toml::node* const node = table_.get(key)) into = count_text(*node);
  }

  void list(std::string_view key, std::vector<std::string>& into) {
    constexpr std::string_view allowed = "an array of strings";
    const toml::node* const node = table_.get(key);
    if (!node) return;
    if (!node->is_array()) return fail(node->source(), wrong_type(key, allowed, *node));
    for (const toml::node& item : *node->as_array()) {
      if (!item.is_string()) return fail(item.source(), wrong_type(key, allowed, item));
      into.push_back(item.as_string()->get());
    }
  }

  [[nodiscard]] const Result<void>& outcome() const noexcept { return outcome_; }

 private:
  static Error wrong_type(std::string_view key, std::string_view allowed, const toml::node& node) {
    return invalid("{} must be {}, got '{}'", key, allowed, shown(node));
  }

  static Error quoted_count(std::string_view key, CountRange range, std::string_view text) {
    if (!parse_count(text)) return out_of_range(key, range, text);
    return invalid("{0} must be a number, got the text \"{1}\"; write {0} = {1}", key, text);
  }

  void fail(const toml::source_region& where, const Error& error) {
    if (outcome_.ok())
      outcome_ =
          invalid("{}:{}:{}: {}", file_name_, where.begin.line, where.begin.column, error.message);
  }

  const toml::table& table_;
  std::string_view file_name_;
  Result<void> outcome_;
};

}  // namespace

Result<SpecFile> parse_spec_file(std::string_view text, std::string_view file_name) try {
  const toml::table table = toml::parse(text);
  SpecFile file;
  Experiment& experiment = file.experiment;
  Reader reader(table, file_name);
  reader.refuse_unknown_keys();
  reader.list("problems", experiment.problems);
  reader.list("policies", experiment.policies);
  reader.count("rounds", rounds_range, experiment.rounds);
  reader.count("instances", instances_range, experiment.instances);
  reader.count("first_instance", first_instance_range, experiment.first_instance);
  reader.count("seed", seed_range, experiment.seed);
  reader.count_or_word("checkpoints", experiment.checkpoints);
  reader.list("columns", experiment.columns);
  reader.count("threads", threads_range, file.threads);
  reader.text("out", file.out);
  if (!reader.outcome()) return reader.outcome().error();
  return file;
} catch (const toml::parse_error& error) {
  const auto where = error.source().begin;
  return invalid("{}:{}:{}: {}", file_name, where.line, where.column, error.description());
}

Result<SpecFile> read_spec_file(const std::filesystem::path& file) {
  auto text = read_file(file);
  if (!text) return text.error();
  auto spec = parse_spec_file(text.value(), file.string());
  if (spec) spec->folder = file.parent_path();
  return spec;
}

FileLocator SpecFile::locator() const {
  return [start = folder](const std::string& name) { return start / name; };
}

}  // namespace phe
