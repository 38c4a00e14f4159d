#include "bodies.hpp"

#include <fmt/format.h>

namespace phe::serve::load {

std::string rank_body(std::size_t actions, std::size_t features, std::string_view event,
                      SplitMix& words) {
  std::string body = fmt::format(
      R"({{"contextFeatures":[{{"user":{{"segment":"s{}","age":{},"device":"mobile"}},"hour":"h{}","weekend":true}}],"actions":[)",
      words() % 20, 20 + words() % 50, words() % 24);
  for (std::size_t k = 0; k < actions; ++k) {
    body += fmt::format(R"({}{{"id":"article-{}","features":[{{)", k > 0 ? "," : "", k);
    for (std::size_t j = 0; j < features; ++j)
      body += j % 2 == 0
                  ? fmt::format(R"({}"topic{}":"value-{}")", j > 0 ? "," : "", j, words() % 50)
                  : fmt::format(R"(,"score{}":{:.3f})", j, to_unit(words()));
    body += "}]}";
  }
  return body + fmt::format(R"(],"eventId":"{}"}})", event);
}

}  // namespace phe::serve::load
