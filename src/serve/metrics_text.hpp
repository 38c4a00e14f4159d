// MetricsText: numbers in the text format of Prometheus, version 0.0.4.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace phe::serve {

class MetricsText {
 public:
  using Labels = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  // Begins a family: its samples follow. `type` is counter, gauge or histogram.
  void family(std::string_view name, std::string_view type, std::string_view help);
  // `suffix`, as _bucket, stands behind the family's name.
  void sample(Labels labels, double value, std::string_view suffix = {});

  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
  std::string name_;
};

}  // namespace phe::serve
