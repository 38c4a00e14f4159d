// The body of a rank call: any bytes give a ranking that keeps every rule, or a message.
#include <cmath>
#include <numeric>

#include <nlohmann/json.hpp>

#include "serve/model.hpp"
#include "serve/ranking.hpp"
#include "target.hpp"

namespace phe::fuzz {

namespace {

using nlohmann::json;

constexpr std::size_t dimension = 16;

// A model that has learnt a little, made once.
const serve::PublishedModel& trained() {
  static const auto model = [] {
    serve::Model learner = serve::Model::create("linphe:a=0.5,memory=64", dimension).value();
    const char* request = R"({"actions":[{"id":"a","features":[{"x":1}]}]})";
    for (int i = 1; i <= 20; ++i)
      demand(learner.learn({i, 0, i % 2 == 0 ? 1.0 : -1.0, request}).ok(), "a lesson is learnt");
    return learner.published(7).value();
  }();
  return *model;
}

void demand_ranking(const serve::RankRequest& request, const serve::Ranking& ranking) {
  const json answer = json::parse(ranking.answer, nullptr, false);
  demand(answer.is_object(), "an answer is JSON");
  demand(answer["ranking"].size() == request.actions.size(), "every action is ranked");
  double sum = 0.0;
  for (const json& entry : answer["ranking"]) sum += entry["probability"].get<double>();
  demand(std::abs(sum - 1.0) < 1e-9, "probabilities sum to 1");
  demand(!request.actions[ranking.shown].excluded, "what is excluded is not shown");
  demand(answer["rewardActionId"] == std::string(request.actions[ranking.shown].id),
         "the answer names what is shown");
}

}  // namespace

void check(std::string_view input) {
  static serve::RankRequestParser parser;
  static serve::Ranker ranker;
  const auto reward = serve::parse_reward(input);
  demand(!reward || std::abs(reward.value()) <= 1.0, "a reward is from -1 to 1");
  const auto parsed = parser.parse(input, {});
  if (!parsed) return demand_one_line(parsed.error().message);
  const serve::RankRequest& request = *parsed.value();
  demand(request.eligible() > 0, "something can be shown");
  for (const auto mode : {serve::LearningMode::online, serve::LearningMode::apprentice,
                          serve::LearningMode::logging_only}) {
    const serve::RankInputs inputs{request, "event", trained(), dimension, 0.1, mode, StreamKey(1)};
    const auto ranking = ranker.rank(inputs);
    if (!ranking) return demand_one_line(ranking.error().message);
    demand_ranking(request, ranking.value());
    demand(ranker.rank(inputs)->answer == ranking->answer, "the same call has the same answer");
  }
}

}  // namespace phe::fuzz
