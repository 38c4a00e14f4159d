// LogWriter: decisions of a policy, as lines that phe learn and phe evaluate read
// (docs/log-format.md).
#pragma once

#include <memory>
#include <span>
#include <string>

#include "logs/log_options.hpp"
#include "phe/decision.hpp"
#include "phe/result.hpp"

namespace phe::logs {

// What was offered in a round: nothing that is new (fixed arms), rows of features, or one context.
struct OfferedFeatures {
  std::span<const double> values = {};
  bool one_context = false;
};

class LogWriter {
 public:
  // JSON Lines or dsjson, by the file's name, with .gz behind it compressed. The file is made by
  // finish; until then the lines stand beside it, in FILE.part.
  static Result<LogWriter> create(const std::string& file);
  LogWriter(LogWriter&&) noexcept;
  LogWriter& operator=(LogWriter&&) noexcept;
  ~LogWriter();  // without finish: nothing is left

  // `id` names the round. A decision whose inverse propensity was found by resampling has no
  // probabilities to write; dsjson has no place for it.
  Result<void> write(std::string_view id, const Decision& decision, double reward, bool resampled,
                     const OfferedFeatures& offered);
  Result<void> finish();

 private:
  struct File;
  LogWriter(std::string name, LogFormat format, std::unique_ptr<File> file);

  void write_own(std::string_view id, const Decision& decision, double reward, bool resampled,
                 const OfferedFeatures& offered);
  void write_dsjson(std::string_view id, const Decision& decision, double reward,
                    const OfferedFeatures& offered);
  Result<void> flush();

  std::string name_;
  LogFormat format_;
  std::unique_ptr<File> file_;
  std::string lines_;
};

}  // namespace phe::logs
