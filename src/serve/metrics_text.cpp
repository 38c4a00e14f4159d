#include "serve/metrics_text.hpp"

#include <iterator>

#include <fmt/format.h>

namespace phe::serve {

namespace {

void append_escaped(std::string_view value, std::string& to) {
  for (const char c : value) {
    if (c == '\\' || c == '"') to += '\\';
    if (c == '\n')
      to += "\\n";
    else
      to += c;
  }
}

}  // namespace

void MetricsText::family(std::string_view name, std::string_view type, std::string_view help) {
  name_ = name;
  fmt::format_to(std::back_inserter(text_), "# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
}

void MetricsText::sample(Labels labels, double value, std::string_view suffix) {
  text_.append(name_).append(suffix);
  char open = '{';
  for (const auto& [name, label] : labels) {
    text_ += std::exchange(open, ',');
    text_.append(name).append("=\"");
    append_escaped(label, text_);
    text_ += '"';
  }
  if (open == ',') text_ += '}';
  fmt::format_to(std::back_inserter(text_), " {}\n", value);
}

}  // namespace phe::serve
