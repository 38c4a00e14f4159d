// Evaluations: what other policies would have earned on the service's own log, by the estimators of
// `phe evaluate`. An evaluation is a document "evaluation/ID" of the application.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <tuple>

#include <nlohmann/json.hpp>

#include "logs/evaluate.hpp"
#include "serve/administration.hpp"
#include "serve/faults.hpp"
#include "serve/log_lines.hpp"
#include "serve/secrets.hpp"
#include "support/error.hpp"

namespace phe::serve {

using nlohmann::json;

namespace {

constexpr std::size_t most_policies = 10;
constexpr std::string_view prefix = "evaluation/";

struct Window {
  std::int64_t from = 0;
  std::int64_t to = 0;
};

std::string key_of(const std::string& id) { return std::string(prefix) + id; }

// What the body asks for, or why it cannot.
Result<json> check_request(const std::string& text, const Application& app) {
  const json body = json::parse(text, nullptr, false);
  if (!body.is_object()) return invalid("the body must be a JSON object");
  for (const char* key : {"name", "startTime", "endTime"})
    if (!body.contains(key) || !body[key].is_string() || body[key].get<std::string>().empty())
      return invalid("{} must be a text", key);
  if (body["name"].get<std::string>().size() > 256)
    return invalid("name can have at most 256 bytes");
  const auto from = parse_time(body["startTime"].get<std::string>());
  if (!from) return invalid("startTime: {}", from.error().message);
  const auto to = parse_time(body["endTime"].get<std::string>());
  if (!to) return invalid("endTime: {}", to.error().message);
  if (from.value() >= to.value()) return invalid("startTime must be before endTime");
  const json policies = body.value("policies", json::array());
  if (!policies.is_array() || policies.size() > most_policies)
    return invalid("there can be at most {} policies", most_policies);
  for (const json& policy : policies) {
    if (!policy.is_object() || !policy.contains("name") || !policy["name"].is_string() ||
        !policy.contains("arguments") || !policy["arguments"].is_string())
      return invalid("a policy must have name and arguments, both texts");
    const auto made = make_policy(policy["arguments"].get<std::string>(), app.dimension());
    if (!made) return invalid("policy {}: {}", policy["name"].dump(), made.error().message);
  }
  return json{{"id", random_uuid()},
              {"jobId", random_uuid()},
              {"name", body["name"]},
              {"startTime", time_text(from.value())},
              {"endTime", time_text(to.value())},
              {"status", "pending"},
              {"evaluationType", "Manual"},
              {"policies", policies},
              {"policyResults", json::array()},
              {"featureImportance", json::array()},
              {"creationTime", time_text(app.clock().now())}};
}

json summary_of(const logs::Estimate& estimate, const logs::Part& part, double ips,
                const json& evaluation) {
  const auto rows = static_cast<double>(part.diagnostics.rows);
  return {{"timeStamp", evaluation["startTime"]},
          {"aggregateTimeWindow", "All"},
          {"averageReward", estimate.value},
          {"confidenceInterval", 1.96 * estimate.standard_error},
          {"ipsEstimatorNumerator", ips * rows},
          {"ipsEstimatorDenominator", rows},
          {"snipsEstimatorDenominator", part.diagnostics.mean_weight * rows},
          {"effectiveSampleSize", part.diagnostics.effective_rows}};
}

json result_of(std::string_view name, std::string_view arguments, std::string_view source,
               json summary) {
  return {{"name", name},
          {"arguments", arguments},
          {"policySource", source},
          {"summary", json::array({summary})},
          {"totalSummary", summary}};
}

// The SNIPS estimate, and the IPS one beside it.
Result<json> evaluate_target(const std::string& file, const std::string& target,
                             const json& evaluation, bool online) {
  logs::Log log{{file}, {}};
  log.options.format = logs::LogFormat::json_lines;
  auto made = logs::make_target(target, log);
  if (!made) return made.error();
  logs::EvaluateOptions options;
  options.model = logs::ModelKind::none;
  options.rewards = {-1.0, 1.0};
  options.betting = false;
  const auto done = logs::evaluate(log, *made.value(), options);
  if (!done) return done.error();
  const logs::Part& part = done->whole;
  const auto find = [&](std::string_view name) {
    return *std::ranges::find(part.estimates, name, &logs::Estimate::estimator);
  };
  if (online) return summary_of(part.logged, part, part.logged.value, evaluation);
  json summary = summary_of(find("snips"), part, find("ips").value, evaluation);
  summary["warnings"] = done->warnings;
  return summary;
}

Result<json> evaluate_on(const std::string& file, const json& evaluation) {
  json results = json::array();
  const auto add = [&](std::string_view name, std::string_view arguments, std::string_view source,
                       const std::string& target) -> Result<void> {
    auto summary = evaluate_target(file, target, evaluation, source == "Online");
    if (!summary) return summary.error();
    results.push_back(result_of(name, arguments, source, summary.value()));
    return {};
  };
  for (const auto& [name, source, target] : {std::tuple{"Online policy", "Online", "uniform"},
                                             std::tuple{"Baseline policy", "Baseline", "always=0"},
                                             std::tuple{"Random policy", "Random", "uniform"}})
    if (auto done = add(name, "", source, target); !done) return done.error();
  for (std::size_t i = 0; i < evaluation["policies"].size(); ++i) {
    const json& policy = evaluation["policies"][i];
    const auto target = fmt::format("column=policy_{}", i);
    if (auto done = add(policy["name"].get<std::string>(), policy["arguments"].get<std::string>(),
                        "Custom", target);
        !done)
      return done.error();
  }
  return results;
}

Result<json> run_evaluation(Application& app, const json& evaluation) {
  const Window window{parse_time(evaluation["startTime"].get<std::string>()).value(),
                      parse_time(evaluation["endTime"].get<std::string>()).value()};
  std::vector<Contender> contenders;
  for (std::size_t i = 0; i < evaluation["policies"].size(); ++i) {
    auto policy =
        make_policy(evaluation["policies"][i]["arguments"].get<std::string>(), app.dimension());
    if (!policy) return policy.error();
    contenders.push_back({fmt::format("policy_{}", i), std::move(policy).value(),
                          app.configuration()->exploration, app.dimension(), Rng(1)});
  }
  auto reader = app.reader();
  if (!reader) return reader.error();
  std::filesystem::path file = app.file();
  file += fmt::format(".{}.jsonl", evaluation["id"].get<std::string>());
  std::ofstream out(file, std::ios::binary);
  const auto written = write_log_lines(*reader.value(), window.from, window.to,
                                       std::move(contenders), [&](std::string_view line) {
                                         out << line;
                                         return out.good();
                                       });
  out.close();
  Result<json> results = !written ? Result<json>(written.error())
                         : out.fail()
                             ? Result<json>(invalid("{}: cannot be written", file.string()))
                             : evaluate_on(file.string(), evaluation);
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
  return results;
}

void evaluate_and_store(Application& app, json evaluation) {
  const auto results = run_evaluation(app, evaluation);
  evaluation["status"] = results ? "completed" : "failed";
  if (results) evaluation["policyResults"] = results.value();
  if (!results) evaluation["error"] = results.error().message;
  static_cast<void>(app.put(key_of(evaluation["id"]), evaluation.dump()));
}

Result<bool> has_events(Application& app, const json& evaluation) {
  auto reader = app.reader();
  if (!reader) return reader.error();
  bool any = false;
  auto done = reader.value()->events(parse_time(evaluation["startTime"].get<std::string>()).value(),
                                     parse_time(evaluation["endTime"].get<std::string>()).value(),
                                     [&](const LoggedEvent& event) {
                                       any = event.settled && event.active;
                                       return !any;
                                     });
  if (!done) return done.error();
  return any;
}

// The stored evaluation of the path's id, as JSON; null where there is none.
json find_evaluation(Call& call, const std::string& id) {
  auto reader = call.app->reader();
  if (!reader) return nullptr;
  const auto text = reader.value()->get(key_of(id));
  return text && text.value() ? json::parse(*text.value(), nullptr, false) : json();
}

}  // namespace

Response get_evaluations(Call& call) {
  auto reader = call.app->reader();
  if (!reader) return refuse(Fault::internal, reader.error().message);
  const auto all = reader.value()->all(prefix);
  if (!all) return refuse(Fault::internal, all.error().message);
  std::string body = "[";
  for (const std::string& text : all.value()) {
    if (body.size() > 1) body += ',';
    body += text;
  }
  body += ']';
  return {.status = 200, .body = std::move(body)};
}

Response post_evaluation(Call& call) {
  const auto evaluation = check_request(call.request.body, *call.app);
  if (!evaluation) return refuse(Fault::bad_evaluation, evaluation.error().message);
  const auto any = has_events(*call.app, evaluation.value());
  if (!any) return refuse(Fault::internal, any.error().message);
  if (!any.value())
    return refuse(Fault::no_logs_in_range, "no event of that time has been settled yet");
  const std::string id = evaluation.value()["id"];
  if (auto done = call.app->put(key_of(id), evaluation->dump()); !done)
    return refuse(Fault::not_stored, done.error().message);
  if (!call.evaluator.submit([app = call.app, evaluation = evaluation.value()] {
        evaluate_and_store(*app, evaluation);
      }))
    return refuse(Fault::overloaded, "too many evaluations wait");
  const std::string_view target = call.request.target;
  return {.status = 201,
          .body = evaluation->dump(),
          .location = fmt::format("{}/{}", target.substr(0, target.find('?')), id)};
}

Response get_evaluation(Call& call) {
  const json evaluation = find_evaluation(call, call.path.parts[1]);
  if (evaluation.is_null()) return refuse(Fault::no_evaluation, "there is no such evaluation");
  return {.status = 200, .body = evaluation.dump()};
}

Response delete_evaluation(Call& call) {
  if (auto done = call.app->remove(key_of(call.path.parts[1])); !done)
    return refuse(Fault::not_stored, done.error().message);
  return {.status = 204};
}

Response apply_from_evaluation(Call& call) {
  const json body = json::parse(call.request.body, nullptr, false);
  if (!body.is_object() || !body.contains("evaluationId") || !body["evaluationId"].is_string() ||
      !body.contains("policyName") || !body["policyName"].is_string())
    return refuse(Fault::bad_request, "the body must have evaluationId and policyName");
  const json evaluation = find_evaluation(call, body["evaluationId"]);
  if (evaluation.is_null()) return refuse(Fault::no_evaluation, "there is no such evaluation");
  for (const json& policy : evaluation["policies"])
    if (policy["name"] == body["policyName"]) {
      const auto done = call.app->set_policy(policy["name"], policy["arguments"]);
      return done ? Response{.status = 204} : refuse(Fault::bad_policy, done.error().message);
    }
  return refuse(Fault::bad_request, "the evaluation has no custom policy of that name");
}

}  // namespace phe::serve
