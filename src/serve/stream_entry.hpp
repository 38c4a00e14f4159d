// What the nodes of one application tell each other: messages, and the same with the place and time
// that the shared stream gave them. Five texts each, whatever the kind, so that Redis keeps the
// names of the fields once.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "phe/result.hpp"
#include "serve/event_store.hpp"

namespace phe::serve {

// The id of an entry: milliseconds by the clock of the store, which never run backwards, and a
// number within them. Ids grow along the stream.
struct StreamId {
  std::int64_t time = 0;
  std::uint64_t number = 0;

  auto operator<=>(const StreamId&) const = default;
};
std::string to_text(StreamId id);  // "1763440000000-3"
Result<StreamId> parse_stream_id(std::string_view text);

//  kind      subject    facts                              body     note
//  rank      event id   wait mode active drawn shown       request  answer
//  reward    event id   value known                        -        id of the call
//  activate  event id   0 known                            -        -
//  put       key        -                                  value    -
//  remove    key        -                                  -        -
//  model     policy     learnt created modified dimension  state    -
//  forget, tick: nothing else
struct Message {
  std::string kind = {}, subject = {}, facts = {}, body = {}, note = {};

  bool operator==(const Message&) const = default;
};

struct Entry {
  StreamId id;
  Message message;
};

Message rank_message(const NewEvent& event);
// The store appends to the facts whether the event was in the stream already (`known`).
Message reward_message(std::string_view event, double value, std::string_view call);
Message activate_message(std::string_view event);
Message put_message(std::string_view key, std::string_view value);
Message model_message(const StoredModel& model);

// Views into the message. The time is that of the entry.
Result<NewEvent> read_rank(const Entry& entry);
struct Reaction {  // a reward or an activation
  double value = 0.0;
  bool known = false;
};
Result<Reaction> read_reaction(const Message& message);
Result<StoredModel> read_model(const Message& message);

}  // namespace phe::serve
