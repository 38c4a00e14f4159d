// LineParser: turns a line of a log into a Decision. One for each format.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "logs/decision.hpp"
#include "logs/log_options.hpp"
#include "phe/result.hpp"

namespace phe::logs {

enum class LineKind {
  decision,
  blank,
  dangling,  // dsjson: a late reward without its decision
  deferred,  // dsjson: a decision that never took effect
};

class LineParser {
 public:
  virtual ~LineParser() = default;

  // Fills `decision` if the line holds one. An error says what is wrong with the line. The line's
  // memory must be readable LineReader::padding bytes beyond its end.
  virtual Result<LineKind> parse(std::string_view line, Decision& decision) = 0;
  // Of Decision::features, in this order; may grow with each line.
  [[nodiscard]] virtual const std::vector<std::string>& feature_names() const = 0;
};

// Precondition: `header` is the first line of the file.
Result<std::unique_ptr<LineParser>> make_csv_parser(std::string_view header,
                                                    const LogOptions& options);
std::unique_ptr<LineParser> make_json_lines_parser(const LogOptions& options);
std::unique_ptr<LineParser> make_dsjson_parser(const LogOptions& options);

}  // namespace phe::logs
