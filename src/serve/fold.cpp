#include "serve/fold.hpp"

#include <algorithm>
#include <limits>

#include "support/error.hpp"

namespace phe::serve {

namespace {

RewardRules rules_of(const Configuration& configuration) {
  return {configuration.aggregation, configuration.default_reward};
}

std::int64_t day_of(StreamId id) { return id.time / day; }

std::string early_of(std::int64_t day_number) { return fmt::format("early/{}/", day_number); }

// Where what came too early for an event lies. The length keeps "a" and "a/b" apart.
std::string early_prefix(std::int64_t day_number, std::string_view event) {
  return fmt::format("{}{}/{}/", early_of(day_number), event.size(), event);
}

// Names are in the order of the stream.
std::string early_name(const Entry& entry) {
  return fmt::format("{}{:016}-{:016}", early_prefix(day_of(entry.id), entry.message.subject),
                     entry.id.time, entry.id.number);
}

std::string early_text(const Entry& entry) {
  return fmt::format("{} {} {} {}", to_text(entry.id), entry.message.kind,
                     entry.message.facts.substr(0, entry.message.facts.find(' ')),
                     entry.message.note);
}

// As an entry of an event that is known.
Result<Entry> read_early(std::string_view event, std::string_view text) {
  const auto word = [&] {
    const std::string_view first = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(first.size() + 1, text.size()));
    return std::string(first);
  };
  const auto id = parse_stream_id(word());
  if (!id) return id.error();
  const std::string kind = word();
  const std::string facts = word() + " 1";
  return Entry{id.value(), {kind, std::string(event), facts, "", std::string(text)}};
}

}  // namespace

Result<Fold> Fold::after(EventReader& log) {
  Fold fold;
  const auto position = log.get("position");
  if (!position) return position.error();
  if (position.value()) {
    const auto id = parse_stream_id(*position.value());
    if (!id) return id.error();
    fold.position_ = id.value();
  }
  const auto text = log.get("configuration");
  if (!text) return text.error();
  if (text.value()) {
    const auto configuration = read_configuration(*text.value());
    if (!configuration) return configuration.error();
    fold.rules_ = rules_of(configuration.value());
  }
  const auto early = log.all("early/");
  if (!early) return early.error();
  fold.early_ = !early->empty();
  return fold;
}

// What nobody has asked for in a day: of the days before yesterday.
Result<void> Fold::drop_early(std::int64_t today, Replica& log) {
  if (!early_) return {};
  const std::int64_t last = today - 2;
  for (std::int64_t d = std::max(day_of(position_) - 1, last - 30); d <= last; ++d)
    if (const auto gone = log.take(early_of(d)); !gone) return gone.error();
  return {};
}

Result<void> Fold::apply(const Entry& entry, Replica& log) {
  if (entry.id <= position_) return {};
  // Time goes on by the entries alone: what is due at this one is settled before it, all of it.
  if (entry.id.time > position_.time) {
    const auto settled = log.settle(entry.id.time, rules_, std::numeric_limits<int>::max());
    if (!settled) return settled.error();
    if (day_of(entry.id) != day_of(position_))
      if (auto done = drop_early(day_of(entry.id), log); !done) return done;
  }
  position_ = entry.id;
  const Message& message = entry.message;
  if (message.kind == "rank") return rank(entry, log);
  if (message.kind == "reward" || message.kind == "activate") return react(entry, log);
  if (message.kind == "put") return put(message, log);
  if (message.kind == "remove") return log.remove(message.subject);
  if (message.kind == "model") {
    auto model = read_model(message);
    if (!model) return model.error();
    // It learns what comes behind this entry: the same lessons on every node.
    model->lessons = log.lessons();
    ++models_;
    return log.put_model(model.value());
  }
  if (message.kind == "forget") {
    const auto gone = log.take("early/");
    if (!gone) return gone.error();
    if (auto done = log.put("forgotten", to_text(entry.id)); !done) return done;
    return log.forget_log();
  }
  if (message.kind == "tick") return {};
  return invalid("the stream has an entry of kind '{}': of a newer phe-serve?", message.kind);
}

Result<void> Fold::finish(Replica& log) const { return log.put("position", to_text(position_)); }

Result<void> Fold::rank(const Entry& entry, Replica& log) {
  const auto event = read_rank(entry);
  if (!event) return event.error();
  std::string answer;
  auto fate = log.add(event.value(), answer);
  if (fate && fate.value() == Fate::repeated) {
    // The store gave the id out anew, as it had forgotten it; whether this node has done so too
    // must make no difference. An event that is still open is known to all: this one is ignored.
    if (auto done = log.release(event->id); !done) return done;
    fate = log.add(event.value(), answer);
  }
  if (!fate) return fate.error();
  if (!early_ || fate.value() == Fate::repeated) return {};
  for (const std::int64_t d : {day_of(entry.id) - 1, day_of(entry.id)}) {
    const auto early = log.take(early_prefix(d, event->id));
    if (!early) return early.error();
    for (const std::string& text : early.value()) {
      auto reaction = read_early(event->id, text);
      if (!reaction) return reaction.error();
      if (entry.id.time - reaction->id.time > early_keep) continue;
      reaction->id = entry.id;  // as if it had come just behind
      if (auto done = react(reaction.value(), log); !done) return done;
    }
  }
  return {};
}

Result<void> Fold::react(const Entry& entry, Replica& log) {
  const Message& m = entry.message;
  const auto reaction = read_reaction(m);
  if (!reaction) return reaction.error();
  if (!reaction->known) {
    early_ = true;
    return log.put(early_name(entry), early_text(entry));
  }
  // An event that is not in this log was settled long ago: nothing can change.
  const auto fate = m.kind == "reward"
                        ? log.reward(m.subject, reaction->value, m.note, entry.id.time, rules_)
                        : log.activate(m.subject, entry.id.time, rules_);
  if (!fate) return fate.error();
  return {};
}

Result<void> Fold::put(const Message& message, Replica& log) {
  if (message.subject == "configuration") {
    const auto configuration = read_configuration(message.body);
    if (!configuration) return configuration.error();
    rules_ = rules_of(configuration.value());
    ++configurations_;
  }
  return log.put(message.subject, message.body);
}

}  // namespace phe::serve
