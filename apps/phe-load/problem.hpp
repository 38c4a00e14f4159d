// A shop's page with known truth: visitors of a device and an hour, articles of a topic and a
// length. What a visitor pays for an article follows from the pair of them.
#pragma once

#include <string>
#include <vector>

#include "phe/rng.hpp"

namespace phe::serve::load {

class Page {
 public:
  static constexpr std::size_t devices = 3, hours = 4, topics = 4, articles = 8;

  explicit Page(std::uint64_t seed);

  struct Visit {
    std::size_t device, hour;
    std::vector<std::size_t> shown;  // articles, in the order of the request
  };
  [[nodiscard]] Visit visit(std::uint64_t round) const;
  // P(reward = 1).
  [[nodiscard]] double chance(const Visit& visit, std::size_t article) const;
  [[nodiscard]] double best(const Visit& visit) const;
  // The body of a rank call, and the name of an article.
  [[nodiscard]] std::string body(const Visit& visit, const std::string& event) const;
  static std::string name(std::size_t article) { return "article-" + std::to_string(article); }
  // What visitor `round` pays for an article, whoever asks.
  [[nodiscard]] double reward(std::uint64_t round, const Visit& visit, std::size_t article) const;

 private:
  StreamKey key_;
  double device_topic_[devices][topics];
  double hour_topic_[hours][topics];
  double article_[articles];
};

}  // namespace phe::serve::load
