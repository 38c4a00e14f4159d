// Redis with errors as values: a connection, calls in pipelines, and their replies. The only files
// that know hiredis.
//
// One thread at a time. After an error of read() or call() that is not a reply the connection is
// broken, and stays so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "phe/result.hpp"
#include "serve/redis_address.hpp"

struct redisContext;
struct redisReply;

namespace phe::serve {

// A reply, and the view of a part of it, which lives as long as the whole.
class ReplyView {
 public:
  explicit ReplyView(const redisReply* reply) noexcept : reply_(reply) {}

  [[nodiscard]] bool is_null() const noexcept;
  [[nodiscard]] bool is_error() const noexcept;
  [[nodiscard]] std::string_view text() const noexcept;  // of texts, states and errors
  [[nodiscard]] std::int64_t integer() const noexcept;
  [[nodiscard]] std::size_t size() const noexcept;  // of an array; 0 for all else
  [[nodiscard]] ReplyView operator[](std::size_t i) const noexcept;

 protected:
  const redisReply* reply_;
};

class Reply : public ReplyView {
 public:
  explicit Reply(redisReply* owned) noexcept;

 private:
  struct Free {
    void operator()(redisReply* reply) const noexcept;
  };
  std::unique_ptr<redisReply, Free> owned_;
};

class Redis {
 public:
  using Words = std::initializer_list<std::string_view>;

  // Connects, says who it is and selects the database. `timeout`: milliseconds of any one step.
  static Result<Redis> connect(const RedisAddress& address, std::int64_t timeout);

  // Puts a command behind those that wait to be sent. The words are copied.
  void append(std::span<const std::string_view> words);
  void append(Words words) { append(std::span(words.begin(), words.size())); }
  // Sends what waits, and reads the reply of the first command that has none yet.
  Result<Reply> read();
  // One command; an error reply is an Error.
  Result<Reply> call(Words words);

  Result<void> set_timeout(std::int64_t milliseconds);
  [[nodiscard]] bool broken() const noexcept;

 private:
  struct Close {
    void operator()(redisContext* context) const noexcept;
  };
  explicit Redis(redisContext* context) : context_(context) {}

  std::unique_ptr<redisContext, Close> context_;
};

}  // namespace phe::serve
