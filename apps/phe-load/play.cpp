#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "client.hpp"
#include "commands.hpp"
#include "problem.hpp"
#include "serve/model.hpp"
#include "support/error.hpp"

namespace phe::serve::load {

namespace {

using nlohmann::json;

struct Settings {
  std::string policy;
  std::size_t dimension = 0;
  double floor = 0.0;
};

struct Run {
  double regret = 0.0;
  std::vector<double> curve;  // at every hundredth round
  double matched = 0.0;       // share of the second half in which the model's favourite was first
};

void note(const PlayOptions& options, std::uint64_t round, Run& run) {
  const std::uint64_t step = std::max<std::uint64_t>(1, options.rounds / 100);
  if ((round + 1) % step == 0) run.curve.push_back(run.regret);
}

// The same policy on the same visitors in this process, each reward learnt before the next visit.
Result<Run> simulate(const PlayOptions& options, const Settings& settings, std::uint64_t seed) {
  const Page page(seed);
  auto policy = serve::make_policy(settings.policy, settings.dimension);
  if (!policy) return policy.error();
  Rng rng(StreamKey(seed).with("simulated"));
  serve::RankRequestParser parser;
  std::vector<double> rows(Page::articles * settings.dimension);
  Run run;
  for (std::uint64_t round = 0; round < options.rounds; ++round) {
    const auto visit = page.visit(round);
    const auto request = parser.parse(page.body(visit, "e"), {});
    if (!request) return request.error();
    for (std::size_t k = 0; k < Page::articles; ++k)
      serve::hash_action(request.value()->context, request.value()->actions[k].features,
                         std::span(rows).subspan(k * settings.dimension, settings.dimension));
    std::size_t place = rng.below(Page::articles);
    if (to_unit(rng()) >= settings.floor) {
      const auto chosen = policy.value()->select(Actions::rows(Page::articles, rows), rng);
      if (!chosen) return chosen.error();
      place = chosen.value();
    }
    const std::size_t article = visit.shown[place];
    run.regret += page.best(visit) - page.chance(visit, article);
    note(options, round, run);
    if (auto done = policy.value()->update(
            std::span<const double>(rows).subspan(place * settings.dimension, settings.dimension),
            page.reward(round, visit, article));
        !done)
      return done.error();
  }
  return run;
}

// Visits go out in order; their rewards come later, in any order, some twice, some never.
class ServerRun {
 public:
  ServerRun(const PlayOptions& options, const Server& server, std::uint64_t seed)
      : options_(options), server_(server), seed_(seed), page_(seed), chance_(StreamKey(seed)) {}

  bool next(std::size_t c, std::string& bytes, std::int64_t&) {
    if (!rewards_.empty() && (rewards_.begin()->first <= round_ || round_ >= options_.rounds)) {
      bytes = rewards_.begin()->second;
      rewards_.erase(rewards_.begin());
      asked_[c] = none;
      return true;
    }
    if (round_ >= options_.rounds) return false;
    asked_[c] = round_;
    auto visit = page_.visit(round_);
    if (options_.apprentice) {  // the baseline knows what is best
      const auto by_chance = [&](std::size_t k) { return page_.chance(visit, k); };
      std::ranges::iter_swap(visit.shown.begin(),
                             std::ranges::max_element(visit.shown, {}, by_chance));
    }
    bytes = server_.request("POST", "/rank", page_.body(visit, event(round_++)));
    return true;
  }

  void done(std::size_t c, const Answer& answer) {
    if (asked_[c] == none) {
      failed_ += answer.status != 204;
      return;
    }
    const std::uint64_t round = asked_[c];
    if (answer.status != 201) {
      ++failed_;
      return;
    }
    const auto body = json::parse(answer.body, nullptr, false);
    const std::string id = body["rewardActionId"];
    const std::size_t article = std::stoul(id.substr(id.rfind('-') + 1));
    const auto visit = page_.visit(round);
    run_.regret += page_.best(visit) - page_.chance(visit, article);
    note(options_, round, run_);
    if (to_unit(chance_()) < options_.missing) return;
    const auto bytes =
        server_.request("POST", "/events/" + event(round) + "/reward",
                        fmt::format(R"({{"value":{}}})", page_.reward(round, visit, article)));
    const auto later = [&] { return round + chance_() % (options_.delay + 1); };
    rewards_.emplace(later(), bytes);
    if (to_unit(chance_()) < options_.repeated) rewards_.emplace(later(), bytes);
  }

  [[nodiscard]] const Run& run() const noexcept { return run_; }
  [[nodiscard]] std::uint64_t failed() const noexcept { return failed_; }

 private:
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  [[nodiscard]] std::string event(std::uint64_t round) const {
    return fmt::format("{}-{}", seed_, round);
  }

  const PlayOptions& options_;
  const Server& server_;
  std::uint64_t seed_;
  Page page_;
  SplitMix chance_;
  std::uint64_t round_ = 0, failed_ = 0;
  std::multimap<std::uint64_t, std::string> rewards_;  // by the round in which they come
  std::map<std::size_t, std::uint64_t> asked_;         // by connection
  Run run_;
};

Result<json> call(Client& client, const Server& server, std::string_view method,
                  std::string_view path, const std::string& body = "") {
  auto answer = client.call(server.request(method, path, body));
  if (!answer) return answer.error();
  if (answer->first >= 300) return invalid("{} {}: {}", method, path, answer->second);
  return answer->second.empty() ? json() : json::parse(answer->second, nullptr, false);
}

// A fresh model and log, rewards that are learnt and exchanged at once.
Result<Settings> prepare(Client& client, const Server& server, bool apprentice) {
  auto configuration = call(client, server, "GET", "/configurations/service");
  if (!configuration) return configuration.error();
  configuration.value()["modelExportFrequency"] = "PT0S";
  configuration.value()["rewardWaitTime"] = "PT2S";
  configuration.value()["learningMode"] = configuration.value().value("learningMode", "Online");
  if (auto done = call(client, server, "PUT", "/configurations/service", configuration->dump());
      !done)
    return done.error();
  configuration.value()["learningMode"] = apprentice ? "Apprentice" : "Online";
  if (auto done = call(client, server, "PUT", "/configurations/service", configuration->dump());
      !done)
    return done.error();
  for (const char* path : {"/model", "/logs"})
    if (auto done = call(client, server, "DELETE", path); !done) return done.error();
  auto policy = call(client, server, "GET", "/configurations/policy");
  if (!policy) return policy.error();
  auto properties = call(client, server, "GET", "/model/properties");
  if (!properties) return properties.error();
  return Settings{policy.value()["arguments"], properties.value()["dimension"],
                  configuration.value()["explorationPercentage"]};
}

struct Mean {
  double mean = 0.0, error = 0.0;
};

Mean mean_of(const std::vector<Run>& runs) {
  Mean result;
  for (const Run& run : runs) result.mean += run.regret / static_cast<double>(runs.size());
  double squares = 0.0;
  for (const Run& run : runs) squares += (run.regret - result.mean) * (run.regret - result.mean);
  const auto n = static_cast<double>(runs.size());
  if (n > 1) result.error = std::sqrt(squares / (n - 1) / n);
  return result;
}

void write_curves(const std::string& file, const PlayOptions& options,
                  const std::vector<Run>& served, const std::vector<Run>& simulated) {
  std::ofstream out(file);
  out << "round,served,simulated\n";
  const std::uint64_t step = std::max<std::uint64_t>(1, options.rounds / 100);
  const auto mean_at = [](const std::vector<Run>& runs, std::size_t i) {
    double sum = 0.0;
    for (const Run& run : runs) sum += run.curve.size() > i ? run.curve[i] : run.regret;
    return sum / static_cast<double>(runs.size());
  };
  for (std::size_t i = 0; i < options.rounds / step; ++i)
    out << (i + 1) * step << ',' << mean_at(served, i) << ',' << mean_at(simulated, i) << '\n';
}

}  // namespace

Result<std::string> play(const PlayOptions& options) {
  const auto server = Server::parse(options.url, options.key);
  if (!server) return server.error();
  auto client = Client::connect(server.value(), options.connections);
  if (!client) return client.error();
  std::vector<Run> served, simulated;
  std::uint64_t failed = 0;
  double matches = 0.0;
  for (std::uint64_t i = 0; i < options.runs; ++i) {
    const auto settings = prepare(client.value(), server.value(), options.apprentice);
    if (!settings) return settings.error();
    ServerRun run(options, server.value(), options.seed + i);
    auto done = client->run([&](std::size_t c, std::string& bytes,
                                std::int64_t& due) { return run.next(c, bytes, due); },
                            [&](std::size_t c, const Answer& answer) { run.done(c, answer); });
    if (!done) return done.error();
    served.push_back(run.run());
    failed += run.failed();
    const auto properties = call(client.value(), server.value(), "GET", "/model/properties");
    if (!properties) return properties.error();
    if (options.apprentice)
      matches += properties.value()["apprenticeMatches"].get<double>() /
                 properties.value()["apprenticeEvents"].get<double>();
    if (options.apprentice) continue;
    auto twin = simulate(options, settings.value(), options.seed + i);
    if (!twin) return twin.error();
    simulated.push_back(std::move(twin).value());
  }
  if (options.apprentice)
    return fmt::format(R"({{"runs":{},"rounds":{},"match":{:.4f},"failed":{}}})", options.runs,
                       options.rounds, matches / static_cast<double>(options.runs), failed);
  if (!options.curves.empty()) write_curves(options.curves, options, served, simulated);
  const Mean s = mean_of(served);
  const Mean t = mean_of(simulated);
  return fmt::format(
      R"({{"runs":{},"rounds":{},"served":{:.2f},"served_se":{:.2f},"simulated":{:.2f},"simulated_se":{:.2f},"ratio":{:.4f},"failed":{}}})",
      options.runs, options.rounds, s.mean, s.error, t.mean, t.error, s.mean / t.mean, failed);
}

}  // namespace phe::serve::load
