// ArrayLog: a log whose columns are arrays of Python's. Read like a file: the same checks, and a
// row that is refused is named.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "arguments.hpp"
#include "logs/read_log.hpp"

namespace phe::python {

class ArrayLog {
 public:
  // `columns` has action, reward and propensity or probabilities; it may have position, actions and
  // target; `features` is a list of pairs (name, numbers or texts).
  ArrayLog(const py::dict& columns, const py::list& features, std::size_t actions);

  using Take = std::function<Result<void>(const logs::Decision&)>;
  [[nodiscard]] Result<logs::ReadCounts> read(const Take& take) const;

 private:
  using Feature = std::variant<Numbers, std::vector<std::string>>;

  [[nodiscard]] std::unique_ptr<Numbers> column(const py::dict& columns, const char* name,
                                                std::size_t dimensions) const;
  [[nodiscard]] Result<void> read_row(std::size_t row, logs::Decision& decision) const;
  void read_features(std::size_t row, std::vector<std::string>& texts,
                     std::vector<std::string_view>& views) const;

  std::size_t rows_ = 0;
  std::size_t actions_;
  std::unique_ptr<Numbers> action_, reward_, propensity_, position_, actions_of_row_,
      probabilities_, target_;
  std::vector<std::string> feature_names_;
  std::vector<Feature> features_;
};

}  // namespace phe::python
