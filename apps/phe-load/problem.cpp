#include "problem.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace phe::serve::load {

Page::Page(std::uint64_t seed) : key_(StreamKey(seed).with("page")) {
  SplitMix words(key_.with(Stream::instance));
  for (auto& row : device_topic_)
    for (double& x : row) x = 0.5 * (to_unit(words()) - 0.5);
  for (auto& row : hour_topic_)
    for (double& x : row) x = 0.3 * (to_unit(words()) - 0.5);
  for (double& x : article_) x = 0.15 * (to_unit(words()) - 0.5);
}

Page::Visit Page::visit(std::uint64_t round) const {
  SplitMix words(key_.with(Stream::context).with(round));
  Visit visit{words() % devices, words() % hours, std::vector<std::size_t>(articles)};
  std::iota(visit.shown.begin(), visit.shown.end(), std::size_t{0});
  for (std::size_t i = articles - 1; i > 0; --i)
    std::swap(visit.shown[i], visit.shown[words() % (i + 1)]);
  return visit;
}

double Page::chance(const Visit& visit, std::size_t article) const {
  const std::size_t topic = article % topics;
  return 0.5 + device_topic_[visit.device][topic] + hour_topic_[visit.hour][topic] +
         article_[article];
}

double Page::best(const Visit& visit) const {
  double best = 0.0;
  for (std::size_t k = 0; k < articles; ++k) best = std::max(best, chance(visit, k));
  return best;
}

std::string Page::body(const Visit& visit, const std::string& event) const {
  std::string body =
      fmt::format(R"({{"contextFeatures":[{{"device":"d{}"}},{{"hour":"h{}"}}],"actions":[)",
                  visit.device, visit.hour);
  for (const std::size_t article : visit.shown)
    body += fmt::format(R"({}{{"id":"{}","features":[{{"topic":"t{}"}}]}})",
                        body.back() == '[' ? "" : ",", name(article), article % topics);
  return body + fmt::format(R"(],"eventId":"{}"}})", event);
}

double Page::reward(std::uint64_t round, const Visit& visit, std::size_t article) const {
  SplitMix words(key_.with(Stream::reward).with(round).with(std::uint64_t{article}));
  return to_unit(words()) < chance(visit, article) ? 1.0 : 0.0;
}

}  // namespace phe::serve::load
