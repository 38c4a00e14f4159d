#include "serve/path.hpp"

#include <algorithm>
#include <charconv>

namespace phe::serve {

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    unsigned value = 0;
    const char* first = text.data() + i + 1;
    if (i + 2 >= text.size() || std::from_chars(first, first + 2, value, 16).ptr != first + 2)
      return std::nullopt;
    decoded += static_cast<char>(value);
    i += 2;
  }
  return decoded;
}

std::optional<std::string> Path::parameter(std::string_view name) const {
  std::string_view rest = query;
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(pair.size() + 1, rest.size()));
    if (pair.substr(0, pair.find('=')) == name)
      return percent_decoded(pair.substr(std::min(name.size() + 1, pair.size())));
  }
  return std::nullopt;
}

std::optional<Path> parse_path(std::string_view target) {
  Path path;
  const auto question = target.find('?');
  if (question != std::string_view::npos) path.query = target.substr(question + 1);
  std::string_view rest = target.substr(0, question);
  constexpr std::string_view prefix = "/personalizer/";
  if (!rest.starts_with(prefix)) return std::nullopt;
  rest.remove_prefix(prefix.size());
  if (rest.ends_with('/')) rest.remove_suffix(1);
  while (true) {
    const auto slash = rest.find('/');
    auto part = percent_decoded(rest.substr(0, slash));
    if (!part) return std::nullopt;
    path.parts.push_back(*std::move(part));
    if (slash == std::string_view::npos) break;
    rest.remove_prefix(slash + 1);
  }
  const std::string& version = path.parts.front();
  const bool in_path = version == "v1.0" || version == "v1.1-preview.1" ||
                       version == "v1.1-preview.2" || version == "v1.1-preview.3";
  if (!in_path && !path.parameter("api-version")) return std::nullopt;
  if (in_path) {
    if (version == "v1.0") path.durations = DurationForm::clock;
    path.parts.erase(path.parts.begin());
  }
  return path;
}

}  // namespace phe::serve
