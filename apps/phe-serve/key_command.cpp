#include <cstdio>
#include <filesystem>

#include "commands.hpp"
#include "serve/keys.hpp"

namespace phe::serve::app {

namespace {

int failed(const Error& error) {
  std::fprintf(stderr, "phe-serve: %s\n", error.message.c_str());
  return 1;
}

int add(Keys& keys, const Settings& settings) {
  const std::string& given = settings["key"];
  const auto key = keys.add(settings["application"],
                            given.empty() ? std::nullopt : std::optional<std::string_view>(given));
  if (!key) return failed(key.error());
  std::printf("%s\n", key->c_str());
  return 0;
}

int list(Keys& keys) {
  const auto names = keys.applications();
  if (!names) return failed(names.error());
  for (const std::string& name : names.value()) {
    const auto made = keys.made(name);
    if (!made) return failed(made.error());
    std::printf("%s\n", name.c_str());
    for (std::size_t i = 0; i < made->size(); ++i)
      std::printf("  key %zu, made %s\n", i + 1, time_text(made.value()[i]).c_str());
  }
  return 0;
}

}  // namespace

int key_command(const Settings& settings) {
  const auto& words = settings.words;
  const std::string what = words.size() > 1 ? words[1] : "";
  const bool removes =
      what == "remove" && words.size() == 3 && (words[2] == "1" || words[2] == "2");
  if (what != "add" && what != "list" && !removes) {
    std::fputs("phe-serve: key add | key list | key remove 1|2\n", stderr);
    return 2;
  }
  std::filesystem::create_directories(settings["data"]);
  auto keys = Keys::open(std::filesystem::path(settings["data"]) / "service.db");
  if (!keys) return failed(keys.error());
  if (what == "add") return add(*keys.value(), settings);
  if (what == "list") return list(*keys.value());
  const auto done = keys.value()->remove(settings["application"], words[2] == "1" ? 1 : 2);
  return done ? 0 : failed(done.error());
}

}  // namespace phe::serve::app
