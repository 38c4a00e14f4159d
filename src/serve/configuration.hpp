// Configuration of one application: what the API calls service configuration and policy.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "phe/result.hpp"

namespace phe::serve {

enum class LearningMode { online, apprentice, logging_only };
enum class Aggregation { earliest, sum };

// How durations are written: "00:10:00" in v1.0, "PT10M" later. Both are read always.
enum class DurationForm { clock, iso };

inline constexpr std::int64_t millisecond = 1;
inline constexpr std::int64_t second = 1000;
inline constexpr std::int64_t minute = 60 * second;
inline constexpr std::int64_t day = 24 * 60 * minute;

struct Configuration {
  std::int64_t reward_wait = 10 * minute;  // milliseconds, as all times are
  double default_reward = 0.0;
  Aggregation aggregation = Aggregation::earliest;
  double exploration = 0.05;           // the uniform floor of every probability
  std::int64_t export_every = second;  // how often the ranking model is exchanged, at most
  std::int64_t retention_days = 90;    // -1: for ever
  LearningMode mode = LearningMode::online;
  std::int64_t edited = 0;
  std::string policy_name = "linphe";
  std::string policy = "linphe:a=0.5,memory=1024";  // the "arguments"
};

// The service configuration as the API has it.
std::string to_json(const Configuration& configuration, DurationForm form);
// `old` with what the body of a PUT says; the mode is kept where it says nothing. The first word of
// an error's message is its code.
struct Refusal {
  std::string_view code;
  std::string message;
};
struct Change {
  Configuration configuration;
  Refusal refusal = {};  // its code is empty where all is well
};
Change change_configuration(const Configuration& old, std::string_view body);

// As it is stored, with the policy; and back.
std::string to_text(const Configuration& configuration);
Result<Configuration> read_configuration(std::string_view text);

Result<std::int64_t> parse_duration(std::string_view text);
std::string duration_text(std::int64_t milliseconds, DurationForm form);
// "2026-11-18T04:05:26.123Z".
std::string time_text(std::int64_t milliseconds);
Result<std::int64_t> parse_time(std::string_view text);

}  // namespace phe::serve
