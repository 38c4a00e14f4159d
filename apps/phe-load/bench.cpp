#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "bodies.hpp"
#include "client.hpp"
#include "commands.hpp"

namespace phe::serve::load {

namespace {

constexpr std::string_view blank_id = "0000000000000000";  // replaced in place

class Bench {
 public:
  Bench(const BenchOptions& options, const Server& server) : options_(options) {
    SplitMix words(StreamKey(7));
    for (int i = 0; i < 32; ++i)
      ranks_.push_back(server.request("POST", "/rank",
                                      rank_body(options.actions, options.features,
                                                options.prefix + std::string(blank_id), words)));
    reward_ = server.request("POST", fmt::format("/events/{}{}/reward", options.prefix, blank_id),
                             R"({"value":0.5})");
    pending_.resize(options.connections);
    begin_ = nanoseconds_now();
    end_ = begin_ + static_cast<std::int64_t>(options.seconds * 1e9);
  }

  bool next(std::size_t c, std::string& bytes, std::int64_t& due) {
    const std::int64_t now = nanoseconds_now();
    const bool over = now >= end_ || (options_.requests != 0 && sent_ >= options_.requests);
    if (over && pending_[c] == 0) return false;
    if (options_.rate > 0.0) {
      due = begin_ + static_cast<std::int64_t>(static_cast<double>(sent_) / options_.rate * 1e9);
      if (due > now) return false;
    }
    ++sent_;
    if (pending_[c] != 0) {
      bytes = with_id(reward_, pending_[c]);
      pending_[c] = 0;
      return true;
    }
    const std::uint64_t id = ++events_;
    bytes = with_id(ranks_[id % ranks_.size()], id);
    if (options_.what == "pair") pending_[c] = id;
    return true;
  }

  void done(const Answer& answer) {
    times_.push_back(answer.nanoseconds);
    ++statuses_[std::min(answer.status / 100, 5)];
  }

  [[nodiscard]] std::string report() {
    const double seconds = static_cast<double>(nanoseconds_now() - begin_) * 1e-9;
    std::ranges::sort(times_);
    const auto at = [&](double share) {
      if (times_.empty()) return 0.0;
      const auto place = static_cast<std::size_t>(share * static_cast<double>(times_.size() - 1));
      return static_cast<double>(times_[place]) * 1e-6;
    };
    return fmt::format(
        R"({{"what":"{}","requests":{},"seconds":{:.3f},"per_second":{:.1f},"p50_ms":{:.3f},"p99_ms":{:.3f},"max_ms":{:.3f},"ok":{},"refused":{},"failed":{},"body_bytes":{}}})",
        options_.what, times_.size(), seconds, static_cast<double>(times_.size()) / seconds,
        at(0.5), at(0.99), at(1.0), statuses_[2], statuses_[4], statuses_[5], ranks_[0].size());
  }

 private:
  static std::string with_id(const std::string& request, std::uint64_t id) {
    std::string bytes = request;
    const std::string digits = fmt::format("{:016x}", id);
    bytes.replace(bytes.rfind(blank_id), digits.size(), digits);
    return bytes;
  }

  const BenchOptions& options_;
  std::vector<std::string> ranks_;
  std::string reward_;
  std::vector<std::uint64_t> pending_;  // by connection: the event that waits for its reward
  std::vector<std::int64_t> times_;
  std::uint64_t sent_ = 0, events_ = 0;
  std::uint64_t statuses_[6] = {};
  std::int64_t begin_ = 0, end_ = 0;
};

}  // namespace

Result<std::string> bench(const BenchOptions& options) {
  const auto server = Server::parse(options.url, options.key);
  if (!server) return server.error();
  auto client = Client::connect(server.value(), options.connections);
  if (!client) return client.error();
  Bench run(options, server.value());
  auto done = client->run(
      [&](std::size_t c, std::string& bytes, std::int64_t& due) { return run.next(c, bytes, due); },
      [&](std::size_t, const Answer& answer) { run.done(answer); });
  if (!done) return done.error();
  return run.report();
}

}  // namespace phe::serve::load
