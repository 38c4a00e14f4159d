#include "serve/redis_log.hpp"

#include <algorithm>

#include "serve/redis_scripts.hpp"
#include "serve/secrets.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace phe::serve {

namespace {

constexpr std::size_t piece = 16 << 20;  // of a snapshot; Redis takes texts of up to 512 MB

Result<Entry> read_entry(ReplyView reply) {
  const auto id = parse_stream_id(reply[0].text());
  if (!id) return id.error();
  Entry entry{id.value(), {}};
  const ReplyView fields = reply[1];
  const std::array<std::string*, 5> texts{&entry.message.kind, &entry.message.subject,
                                          &entry.message.facts, &entry.message.body,
                                          &entry.message.note};
  if (fields.size() != 2 * texts.size())
    return invalid("entry {} of the stream has {} fields: not one of phe-serve", to_text(entry.id),
                   fields.size() / 2);
  for (std::size_t i = 0; i < texts.size(); ++i) *texts[i] = fields[2 * i + 1].text();
  return entry;
}

std::int64_t wait_of(const Message& rank) {
  return parse_number<std::int64_t>(rank.facts.substr(0, rank.facts.find(' '))).value_or(0);
}

}  // namespace

Result<RedisLog> RedisLog::connect(const RedisOptions& options, const std::string& application) {
  auto redis = Redis::connect(options.address, options.timeout);
  if (!redis) return redis.error();
  RedisLog log(std::move(redis).value(), options, application);
  if (auto done = log.load_scripts(); !done) return done.error();
  return log;
}

Result<void> RedisLog::load_scripts() {
  const std::array<std::string_view, scripts> texts{scripts::rank,   scripts::react,
                                                    scripts::forget, scripts::tick,
                                                    scripts::found,  scripts::install};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto digest = redis_.call({"SCRIPT", "LOAD", texts[i]});
    if (!digest) return digest.error();
    digests_[i] = digest->text();
  }
  return {};
}

void RedisLog::send(const Message& m) {
  const std::string stream = key("stream");
  if (m.kind == "rank") {
    const std::string ttl = std::to_string(std::max(options_.keep, wait_of(m)));
    redis_.append({"EVALSHA", digests_[rank], "3", stream, key("event:") + m.subject,
                   key("forgotten"), m.kind, m.subject, m.facts, m.body, m.note, ttl});
  } else if (m.kind == "reward" || m.kind == "activate") {
    redis_.append({"EVALSHA", digests_[react], "2", stream, key("event:") + m.subject, m.kind,
                   m.subject, m.facts, m.body, m.note});
  } else if (m.kind == "forget") {
    redis_.append({"EVALSHA", digests_[forget], "2", stream, key("forgotten"), m.kind, m.subject,
                   m.facts, m.body, m.note});
  } else {
    redis_.append(
        {"XADD", stream, "*", "k", m.kind, "s", m.subject, "f", m.facts, "b", m.body, "n", m.note});
  }
}

Result<std::optional<StreamId>> RedisLog::append(std::span<const Message* const> messages,
                                                 const Answered& answered) {
  for (const Message* message : messages) send(*message);
  std::optional<StreamId> last;
  Result<void> refused;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const auto reply = redis_.read();
    if (!reply) return reply.error();
    if (reply->is_error()) {
      if (refused) refused = invalid("Redis: {}", reply->text());
    } else if (messages[i]->kind != "rank") {
      const auto id = parse_stream_id(reply->text());
      if (!id) return id.error();
      last = id.value();
    } else if (!reply->is_null()) {
      answered(i, reply->text());
    }
  }
  if (!refused) return refused.error();
  return last;
}

Result<std::vector<Entry>> RedisLog::read_after(StreamId place, int most, std::int64_t wait) {
  if (auto done = redis_.set_timeout(options_.timeout + wait); !done) return done.error();
  const auto reply =
      wait > 0 ? redis_.call({"XREAD", "COUNT", std::to_string(most), "BLOCK", std::to_string(wait),
                              "STREAMS", key("stream"), to_text(place)})
               : redis_.call({"XREAD", "COUNT", std::to_string(most), "STREAMS", key("stream"),
                              to_text(place)});
  if (!reply) return reply.error();
  std::vector<Entry> entries;
  const ReplyView rows = reply.value()[0][1];
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto entry = read_entry(rows[i]);
    if (!entry) return entry.error();
    entries.push_back(std::move(entry).value());
  }
  return entries;
}

Result<void> RedisLog::tick(std::int64_t due) {
  const auto done =
      redis_.call({"EVALSHA", digests_[tick_], "1", key("stream"), std::to_string(due)});
  return done ? Result<void>() : Result<void>(done.error());
}

Result<std::string> RedisLog::origin() {
  const auto reply = redis_.call({"GET", key("origin")});
  if (!reply) return reply.error();
  return std::string(reply->text());
}

Result<std::string> RedisLog::begin(const std::string& origin, const Documents& documents) {
  const std::string stream = key("stream");
  const std::string origin_key = key("origin");
  std::vector<std::string_view> words{"EVALSHA", digests_[found], "2", stream, origin_key, origin};
  for (const auto& [name, value] : documents) {
    words.push_back(name);
    words.push_back(value);
  }
  redis_.append(words);
  const auto reply = redis_.read();
  if (!reply) return reply.error();
  if (reply->is_error()) return invalid("Redis: {}", reply->text());
  return std::string(reply->text());
}

Result<bool> RedisLog::continues(StreamId place) {
  const auto trimmed = redis_.call({"GET", key("trimmed")});
  if (!trimmed) return trimmed.error();
  if (!trimmed->is_null()) {
    const auto first = parse_stream_id(trimmed->text());
    if (!first) return first.error();
    if (place < first.value()) return false;
  }
  if (place == StreamId{}) return true;
  const std::string id = to_text(place);
  const auto entry = redis_.call({"XRANGE", key("stream"), id, id});
  if (!entry) return entry.error();
  return entry->size() == 1;
}

Result<std::optional<RedisLog::Snapshot>> RedisLog::snapshot() {
  const auto pieces = redis_.call({"LRANGE", key("snapshot"), "0", "-1"});
  if (!pieces) return pieces.error();
  if (pieces->size() == 0) return std::optional<Snapshot>();
  const ReplyView list = pieces.value();
  const auto position = parse_stream_id(list[0].text());
  if (!position) return position.error();
  Snapshot snapshot{position.value(), {}};
  for (std::size_t i = 1; i < list.size(); ++i) snapshot.bytes += list[i].text();
  return std::optional(std::move(snapshot));
}

Result<bool> RedisLog::snapshot_is_due(const std::string& node, std::int64_t every) {
  const auto reply = redis_.call(
      {"SET", key("turn"), node, "NX", "PX", std::to_string(std::max(every, std::int64_t{1}))});
  if (!reply) return reply.error();
  return !reply->is_null();
}

Result<void> RedisLog::install(const Snapshot& snapshot, StreamId from) {
  const std::string fresh = key("snapshot-") + random_uuid();
  const std::string position = to_text(snapshot.position);
  if (const auto done = redis_.call({"RPUSH", fresh, position}); !done) return done.error();
  // Should this node end half-way.
  if (const auto done = redis_.call({"EXPIRE", fresh, "600"}); !done) return done.error();
  for (std::size_t at = 0; at < snapshot.bytes.size(); at += piece) {
    const auto part = std::string_view(snapshot.bytes).substr(at, piece);
    if (const auto done = redis_.call({"RPUSH", fresh, part}); !done) return done.error();
  }
  const auto done =
      redis_.call({"EVALSHA", digests_[install_], "4", key("stream"), key("snapshot"), fresh,
                   key("trimmed"), position, to_text(std::min(from, snapshot.position))});
  return done ? Result<void>() : Result<void>(done.error());
}

std::vector<std::string> RedisLog::risks() {
  struct Rule {
    const char* name;
    const char* safe;
    const char* why;
  };
  std::vector<std::string> found_risks;
  for (const Rule& rule :
       {Rule{"appendonly", "yes", "what was acknowledged is gone when Redis ends"},
        Rule{"appendfsync", "always", "the last moments are gone when its machine fails"},
        Rule{"maxmemory-policy", "noeviction", "Redis may drop events when memory is short"}}) {
    const auto reply = redis_.call({"CONFIG", "GET", rule.name});
    if (!reply || reply->size() != 2) continue;
    const ReplyView pair = reply.value();
    if (pair[1].text() != rule.safe)
      found_risks.push_back(fmt::format("Redis has {} {}, not {}: {}", rule.name, pair[1].text(),
                                        rule.safe, rule.why));
  }
  return found_risks;
}

}  // namespace phe::serve
