// Keys: what a policy can be asked for, each option once: its key, the member that holds it, what
// is allowed, what it means. Defaults are those of the options. From the one list come the keys of
// the registry's entry, the checks of create() and what identifies a saved state.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "phe/parameters.hpp"
#include "policies/checks.hpp"
#include "support/archive.hpp"

namespace phe {

// An option without a meaning cannot be asked for by a key, but must be equal in a saved state.
template <class Options>
struct Key {
  using Rule = Result<void> (*)(std::string_view policy, std::string_view key, double value);
  using Read = std::function<void(Parameters&, Options&)>;
  using Text = std::function<std::string(const Options&)>;
  using Check = std::function<Result<void>(std::string_view policy, const Options&)>;

  // However it is read and written.
  Key(std::string name, std::string its_meaning, Read reader, Text writer, Check checker = {})
      : info{.key = std::move(name),
             .default_value = writer(Options{}),
             .meaning = std::move(its_meaning)},
        read(std::move(reader)),
        text(std::move(writer)),
        check(std::move(checker)) {}

  // A number.
  Key(const std::string& name, double Options::*member, Rule rule, std::string meaning)
      : Key(
            name, std::move(meaning), [=](Parameters& p, Options& o) { o.*member = p.real(name); },
            [=](const Options& o) { return fmt::format("{}", o.*member); },
            [=](std::string_view policy, const Options& o) -> Result<void> {
              return rule == nullptr ? Result<void>() : rule(policy, name, o.*member);
            }) {}

  // A number, or `auto`.
  Key(const std::string& name, std::optional<double> Options::*member, Rule rule,
      std::string meaning)
      : Key(
            name, std::move(meaning),
            [=](Parameters& p, Options& o) {
              if (p.text(name) != "auto") o.*member = p.real(name);
            },
            [=](const Options& o) { return o.*member ? fmt::format("{}", *(o.*member)) : "auto"; },
            [=](std::string_view policy, const Options& o) -> Result<void> {
              return o.*member ? rule(policy, name, *(o.*member)) : Result<void>();
            }) {}

  // A count, or `all`.
  Key(const std::string& name, std::optional<std::uint64_t> Options::*member, std::string meaning)
      : Key(
            name, std::move(meaning),
            [=](Parameters& p, Options& o) {
              if (p.text(name) != "all") o.*member = p.count(name);
            },
            [=](const Options& o) { return o.*member ? fmt::format("{}", *(o.*member)) : "all"; }) {
  }

  Key(const std::string& name, std::uint64_t Options::*member, std::string meaning = {})
      : Key(
            name, std::move(meaning), [=](Parameters& p, Options& o) { o.*member = p.count(name); },
            [=](const Options& o) { return fmt::format("{}", o.*member); }) {}

  Key(const std::string& name, bool Options::*member, std::string meaning = {})
      : Key(
            name, std::move(meaning), [=](Parameters& p, Options& o) { o.*member = p.flag(name); },
            [=](const Options& o) { return o.*member ? "true" : "false"; }) {}

  // One of those that have names.
  template <class Enum>
  requires std::is_enum_v<Enum> Key(const std::string& name, Enum Options::*member,
                                    Named<Enum> names, std::string meaning = {})
      : Key(
            name, std::move(meaning),
            [=](Parameters& p, Options& o) { o.*member = read_named(p, name, names); },
            [=](const Options& o) { return name_among(names, o.*member); }) {}

  ParameterInfo info;
  Read read;
  Text text;
  Check check;
};

template <class Options>
class Keys {
 public:
  Keys(std::string_view policy, std::vector<Key<Options>> keys)
      : policy_(policy), keys_(std::move(keys)) {}

  [[nodiscard]] std::string_view policy() const noexcept { return policy_; }

  [[nodiscard]] std::vector<ParameterInfo> infos() const {
    std::vector<ParameterInfo> infos;
    for (const auto& key : keys_)
      if (!key.info.meaning.empty()) infos.push_back(key.info);
    return infos;
  }
  [[nodiscard]] Options read(Parameters& p) const {
    Options options;
    for (const auto& key : keys_)
      if (!key.info.meaning.empty()) key.read(p, options);
    return options;
  }
  [[nodiscard]] Result<void> check(const Options& options) const {
    for (const auto& key : keys_)
      if (key.check)
        if (auto checked = key.check(policy_, options); !checked) return checked;
    return {};
  }
  void identify(Archive& archive, const Options& options) const {
    for (const auto& key : keys_) archive.same(key.text(options), key.info.key);
  }

 private:
  std::string_view policy_;
  std::vector<Key<Options>> keys_;
};

}  // namespace phe
