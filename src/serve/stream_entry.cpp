#include "serve/stream_entry.hpp"

#include <vector>

#include "support/error.hpp"
#include "support/text.hpp"

namespace phe::serve {

namespace {

// The numbers of `facts`, which must be so many.
template <class Number>
Result<std::vector<Number>> numbers(const Message& message, std::size_t count) {
  std::vector<Number> all;
  std::string_view rest = message.facts;
  while (!rest.empty()) {
    const auto space = std::min(rest.find(' '), rest.size());
    const auto number = parse_number<Number>(rest.substr(0, space));
    if (!number) break;
    all.push_back(*number);
    rest.remove_prefix(std::min(space + 1, rest.size()));
  }
  if (rest.empty() && all.size() == count) return all;
  return invalid("a message of kind '{}' must have {} numbers, got '{}'", message.kind, count,
                 message.facts);
}

}  // namespace

std::string to_text(StreamId id) { return fmt::format("{}-{}", id.time, id.number); }

Result<StreamId> parse_stream_id(std::string_view text) {
  const auto dash = text.find('-');
  const auto time = parse_number<std::int64_t>(text.substr(0, dash));
  const auto number = dash == text.npos ? std::optional<std::uint64_t>(0)
                                        : parse_number<std::uint64_t>(text.substr(dash + 1));
  if (!time || !number || *time < 0)
    return invalid("an id of a stream is MILLISECONDS-NUMBER, got '{}'", text);
  return StreamId{*time, *number};
}

Message rank_message(const NewEvent& event) {
  return {.kind = "rank",
          .subject = std::string(event.id),
          .facts =
              fmt::format("{} {} {} {} {}", event.closes - event.time, static_cast<int>(event.mode),
                          static_cast<int>(event.active), event.drawn, event.shown),
          .body = std::string(event.request),
          .note = std::string(event.answer)};
}

Message reward_message(std::string_view event, double value, std::string_view call) {
  return {.kind = "reward",
          .subject = std::string(event),
          .facts = fmt::format("{}", value),
          .note = std::string(call)};
}

Message activate_message(std::string_view event) {
  return {.kind = "activate", .subject = std::string(event), .facts = "0"};
}

Message put_message(std::string_view key, std::string_view value) {
  return {.kind = "put", .subject = std::string(key), .body = std::string(value)};
}

Message model_message(const StoredModel& model) {
  return {.kind = "model",
          .subject = model.policy,
          .facts = fmt::format("{} {} {} {}", model.learnt, model.created, model.modified,
                               model.dimension),
          .body = model.state};
}

Result<NewEvent> read_rank(const Entry& entry) {
  const Message& m = entry.message;
  const auto facts = numbers<std::int64_t>(m, 5);
  if (!facts) return facts.error();
  const std::int64_t wait = facts.value()[0];
  const std::int64_t mode = facts.value()[1];
  if (wait < 0 || mode < 0 || mode > 2 || facts.value()[3] < 0 || facts.value()[4] < 0)
    return invalid("a rank of the stream has impossible numbers: '{}'", m.facts);
  return NewEvent{.id = m.subject,
                  .time = entry.id.time,
                  .closes = entry.id.time + wait,
                  .mode = static_cast<LearningMode>(mode),
                  .active = facts.value()[2] != 0,
                  .drawn = static_cast<std::size_t>(facts.value()[3]),
                  .shown = static_cast<std::size_t>(facts.value()[4]),
                  .request = m.body,
                  .answer = m.note};
}

Result<Reaction> read_reaction(const Message& message) {
  const auto facts = numbers<double>(message, 2);
  if (!facts) return facts.error();
  return Reaction{facts.value()[0], facts.value()[1] != 0.0};
}

Result<StoredModel> read_model(const Message& message) {
  const auto facts = numbers<std::int64_t>(message, 4);
  if (!facts) return facts.error();
  const auto& n = facts.value();
  return StoredModel{.learnt = n[0],
                     .created = n[1],
                     .modified = n[2],
                     .policy = message.subject,
                     .dimension = static_cast<std::size_t>(n[3]),
                     .state = message.body};
}

}  // namespace phe::serve
