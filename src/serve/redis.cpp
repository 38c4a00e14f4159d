#include "serve/redis.hpp"

#include <vector>

#include <hiredis/hiredis.h>
#include <sys/time.h>

#include "support/error.hpp"

namespace phe::serve {

namespace {

timeval time_of(std::int64_t milliseconds) {
  return {milliseconds / 1000, (milliseconds % 1000) * 1000};
}

const redisReply& nothing() noexcept {
  static const redisReply reply = [] {
    redisReply empty{};
    empty.type = REDIS_REPLY_NIL;
    return empty;
  }();
  return reply;
}

}  // namespace

bool ReplyView::is_null() const noexcept { return reply_->type == REDIS_REPLY_NIL; }
bool ReplyView::is_error() const noexcept { return reply_->type == REDIS_REPLY_ERROR; }

std::string_view ReplyView::text() const noexcept {
  return reply_->str == nullptr
             ? std::string_view()
             : std::string_view(reply_->str, static_cast<std::size_t>(reply_->len));
}

std::int64_t ReplyView::integer() const noexcept { return reply_->integer; }
std::size_t ReplyView::size() const noexcept { return reply_->elements; }

ReplyView ReplyView::operator[](std::size_t i) const noexcept {
  return ReplyView(i < reply_->elements ? reply_->element[i] : &nothing());
}

void Reply::Free::operator()(redisReply* reply) const noexcept { freeReplyObject(reply); }
Reply::Reply(redisReply* owned) noexcept : ReplyView(owned), owned_(owned) {}

void Redis::Close::operator()(redisContext* context) const noexcept { redisFree(context); }

Result<Redis> Redis::connect(const RedisAddress& address, std::int64_t timeout) {
  Redis redis(redisConnectWithTimeout(address.host.c_str(), address.port, time_of(timeout)));
  if (!redis.context_) return Error{"there is not enough memory"};
  if (redis.broken()) return invalid("{}: {}", address.text(), redis.context_->errstr);
  if (auto done = redis.set_timeout(timeout); !done) return done.error();
  redisEnableKeepAlive(redis.context_.get());
  if (!address.password.empty()) {
    const auto done = address.user.empty() ? redis.call({"AUTH", address.password})
                                           : redis.call({"AUTH", address.user, address.password});
    if (!done) return invalid("{}: {}", address.text(), done.error().message);
  }
  if (const auto done = redis.call({"SELECT", std::to_string(address.database)}); !done)
    return invalid("{}: {}", address.text(), done.error().message);
  return redis;
}

void Redis::append(std::span<const std::string_view> words) {
  std::vector<const char*> starts;
  std::vector<std::size_t> sizes;
  for (const std::string_view word : words) {
    starts.push_back(word.data() == nullptr ? "" : word.data());
    sizes.push_back(word.size());
  }
  redisAppendCommandArgv(context_.get(), static_cast<int>(words.size()), starts.data(),
                         sizes.data());
}

Result<Reply> Redis::read() {
  void* reply = nullptr;
  if (redisGetReply(context_.get(), &reply) != REDIS_OK || reply == nullptr)
    return invalid("Redis: {}", context_->errstr[0] == '\0' ? "no answer" : context_->errstr);
  return Reply(static_cast<redisReply*>(reply));
}

Result<Reply> Redis::call(Words words) {
  append(words);
  auto reply = read();
  if (reply && reply->is_error()) return invalid("Redis: {}", reply->text());
  return reply;
}

Result<void> Redis::set_timeout(std::int64_t milliseconds) {
  if (redisSetTimeout(context_.get(), time_of(milliseconds)) == REDIS_OK) return {};
  return invalid("Redis: {}", context_->errstr);
}

bool Redis::broken() const noexcept { return context_->err != 0; }

}  // namespace phe::serve
