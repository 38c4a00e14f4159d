#include <algorithm>

#include <fmt/format.h>

#include "bodies.hpp"
#include "client.hpp"
#include "commands.hpp"
#include "serve/model.hpp"
#include "serve/ranking.hpp"

namespace phe::serve::load {

namespace {

constexpr int repetitions = 5;  // of which the best counts: others may use the machine
constexpr int calls = 400;

template <class Call>
double microseconds(Call call) {
  double best = 1e300;
  for (int r = 0; r < repetitions; ++r) {
    const std::int64_t begin = nanoseconds_now();
    for (int i = 0; i < calls; ++i) call(i);
    best = std::min(best, static_cast<double>(nanoseconds_now() - begin) * 1e-3 / calls);
  }
  return best;
}

// The twin of ranking from a pool: `decide` draws its models for each call.
double decide_microseconds(const std::string& spec, std::size_t dimension,
                           const std::vector<std::string>& bodies) {
  auto policy = make_policy(spec, dimension);
  RankRequestParser parser;
  std::vector<double> rows(20 * dimension);
  const auto row = [&](std::size_t k) { return std::span(rows).subspan(k * dimension, dimension); };
  for (int i = 0; i < calls; ++i) {
    const RankRequest& request =
        *parser.parse(bodies[static_cast<std::size_t>(i) % 64], {}).value();
    for (std::size_t k = 0; k < 20; ++k)
      hash_action(request.context, request.actions[k].features, row(k));
    static_cast<void>(policy.value()->update(row(static_cast<std::size_t>(i) % 20), 0.5));
  }
  Rng rng(1);
  Decision decision;
  return microseconds([&](int) {
    static_cast<void>(
        policy.value()->decide(Actions::rows(20, rows), rng, {.floor = 0.05}, decision));
  });
}

}  // namespace

Result<std::string> cost(const std::string& policy, std::size_t dimension) {
  auto model = Model::create(policy, dimension);
  if (!model) return model.error();
  SplitMix words(StreamKey(7));
  std::vector<std::string> bodies;
  for (int i = 0; i < 64; ++i) bodies.push_back(rank_body(20, 10, "e", words));
  std::int64_t number = 0;
  const double lesson = microseconds([&](int i) {
    static_cast<void>(model->learn({++number, static_cast<std::size_t>(i) % 20, 0.5,
                                    bodies[static_cast<std::size_t>(i) % 64]}));
  });
  std::shared_ptr<const PublishedModel> published;
  double publish = 1e300;
  for (int i = 0; i < 20; ++i) {
    const std::int64_t begin = nanoseconds_now();
    published = model->published(1).value();
    publish = std::min(publish, static_cast<double>(nanoseconds_now() - begin) * 1e-3);
  }
  RankRequestParser parser;
  Ranker ranker;
  const double parse = microseconds([&](int i) {
    static_cast<void>(parser.parse(bodies[static_cast<std::size_t>(i) % 64], {}));
  });
  const double rank = microseconds([&](int i) {
    const auto request = parser.parse(bodies[static_cast<std::size_t>(i) % 64], {});
    static_cast<void>(ranker.rank({*request.value(), "event", *published, dimension, 0.05,
                                   LearningMode::online, StreamKey(1)}));
  });
  return fmt::format(
      R"({{"policy":"{}","dimension":{},"rank_us":{:.1f},"of_it_parse_us":{:.1f},"lesson_us":{:.1f},"publish_us":{:.0f},"decide_us":{:.1f}}})",
      policy, dimension, rank, parse, lesson, publish,
      decide_microseconds(policy, dimension, bodies));
}

}  // namespace phe::serve::load
