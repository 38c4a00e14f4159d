// What Redis does in one step that no other command can come between. Each script runs as a whole.
#pragma once

#include <string_view>

namespace phe::serve::scripts {

// Whether id a is before id b.
#define PHE_LUA_BEFORE                                                          \
  "local function before(a, b)\n"                                               \
  "  local am, an = string.match(a, '(%d+)%-(%d+)')\n"                          \
  "  local bm, bn = string.match(b, '(%d+)%-(%d+)')\n"                          \
  "  am, an, bm, bn = tonumber(am), tonumber(an), tonumber(bm), tonumber(bn)\n" \
  "  return am < bm or (am == bm and an < bn)\n"                                \
  "end\n"

// KEYS stream, index, forgotten. ARGV the five texts of the message, milliseconds that the id is
// remembered for. Nothing, or the answer of the event that was there before.
inline constexpr std::string_view rank = PHE_LUA_BEFORE R"(
local at = redis.call('GET', KEYS[2])
local forgotten = redis.call('GET', KEYS[3])
if at and not (forgotten and before(at, forgotten)) then
  local found = redis.call('XRANGE', KEYS[1], at, at)
  if #found > 0 then return found[1][2][10] end
end
local id = redis.call('XADD', KEYS[1], '*',
  'k', ARGV[1], 's', ARGV[2], 'f', ARGV[3], 'b', ARGV[4], 'n', ARGV[5])
redis.call('SET', KEYS[2], id, 'PX', ARGV[6])
return false
)";

// KEYS stream, index. ARGV the five texts of a reward or an activation. The id of the entry.
inline constexpr std::string_view react = R"(
local known = redis.call('EXISTS', KEYS[2])
return redis.call('XADD', KEYS[1], '*',
  'k', ARGV[1], 's', ARGV[2], 'f', ARGV[3] .. ' ' .. known, 'b', ARGV[4], 'n', ARGV[5])
)";

// KEYS stream, forgotten. ARGV the five texts.
inline constexpr std::string_view forget = R"(
local id = redis.call('XADD', KEYS[1], '*',
  'k', ARGV[1], 's', ARGV[2], 'f', ARGV[3], 'b', ARGV[4], 'n', ARGV[5])
redis.call('SET', KEYS[2], id)
return id
)";

// KEYS stream. ARGV a time. An entry that says that it has come, where none has done so.
inline constexpr std::string_view tick = R"(
local due = tonumber(ARGV[1])
local clock = redis.call('TIME')
if tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000) < due then return 0 end
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
if #last > 0 and tonumber(string.match(last[1][1], '(%d+)')) >= due then return 0 end
redis.call('XADD', KEYS[1], '*', 'k', 'tick', 's', '', 'f', '', 'b', '', 'n', '')
return 1
)";

// KEYS stream, origin. ARGV the origin, then key and value of each first document. The origin that
// is: the first one wins.
inline constexpr std::string_view found = R"(
if redis.call('SETNX', KEYS[2], ARGV[1]) == 1 then
  for i = 2, #ARGV, 2 do
    redis.call('XADD', KEYS[1], '*', 'k', 'put', 's', ARGV[i], 'f', '', 'b', ARGV[i + 1], 'n', '')
  end
end
return redis.call('GET', KEYS[2])
)";

// KEYS stream, snapshot, the new one, trimmed. ARGV the new one's position, the first id to keep.
// Takes the new snapshot unless the one that is there is as new.
inline constexpr std::string_view install = PHE_LUA_BEFORE R"(
local old = redis.call('LINDEX', KEYS[2], 0)
if old and not before(old, ARGV[1]) then
  redis.call('DEL', KEYS[3])
  return 0
end
redis.call('RENAME', KEYS[3], KEYS[2])
redis.call('PERSIST', KEYS[2])
redis.call('XTRIM', KEYS[1], 'MINID', ARGV[2])
local trimmed = redis.call('GET', KEYS[4])
if not trimmed or before(trimmed, ARGV[2]) then redis.call('SET', KEYS[4], ARGV[2]) end
return 1
)";

#undef PHE_LUA_BEFORE

}  // namespace phe::serve::scripts
