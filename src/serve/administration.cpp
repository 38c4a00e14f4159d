#include "serve/administration.hpp"

#include <nlohmann/json.hpp>

#include "serve/faults.hpp"
#include "serve/store_json.hpp"

namespace phe::serve {

using nlohmann::json;

namespace {

Response ok(std::string body) { return {.status = 200, .body = std::move(body)}; }

Response done_or(const Result<void>& done, int status) {
  if (!done) return refuse(Fault::not_stored, done.error().message);
  return {.status = status};
}

Response policy_of(const Call& call) {
  const auto c = call.app->configuration();
  return ok(json{{"name", c->policy_name}, {"arguments", c->policy}}.dump());
}

Response set_policy(Call& call, const std::string& name, const std::string& arguments) {
  if (auto done = call.app->set_policy(name, arguments); !done)
    return refuse(Fault::bad_policy, "arguments: " + done.error().message);
  return policy_of(call);
}

}  // namespace

Response get_configuration(Call& call) {
  return ok(to_json(*call.app->configuration(), call.path.durations));
}

Response put_configuration(Call& call) {
  Change change = change_configuration(*call.app->configuration(), call.request.body);
  if (!change.refusal.code.empty()) return refuse(400, change.refusal.code, change.refusal.message);
  change.configuration.edited = call.app->clock().now();
  if (auto done = call.app->configure(change.configuration); !done)
    return refuse(Fault::not_stored, done.error().message);
  return get_configuration(call);
}

Response get_policy(Call& call) { return policy_of(call); }

Response put_policy(Call& call) {
  const json body = json::parse(call.request.body, nullptr, false);
  if (!body.is_object() || !body.contains("name") || !body["name"].is_string() ||
      !body.contains("arguments") || !body["arguments"].is_string())
    return refuse(Fault::bad_policy, "the body must have name and arguments, both texts");
  const std::string name = body["name"];
  const std::string arguments = body["arguments"];
  if (name.size() > 256) return refuse(Fault::bad_policy, "name can have at most 256 bytes");
  if (arguments.size() > 1024)
    return refuse(Fault::bad_policy, "arguments can have at most 1024 bytes");
  return set_policy(call, name, arguments);
}

Response delete_policy(Call& call) {
  const std::string& spec = call.app->options().policy;
  return set_policy(call, spec.substr(0, spec.find(':')), spec);
}

Response get_model(Call& call) {
  auto bytes = call.app->export_model();
  if (!bytes) return refuse(Fault::internal, bytes.error().message);
  return {
      .status = 200, .body = std::move(bytes).value(), .content_type = "application/octet-stream"};
}

Response put_model(Call& call) {
  const auto imported = call.app->import_model(call.request.body);
  switch (imported.what) {
    case Application::Import::done:
      return {.status = 204};
    case Application::Import::bad_format:
      return refuse(Fault::bad_model, imported.message);
    case Application::Import::bad_signature:
      return refuse(Fault::bad_signature, imported.message);
  }
  return {};
}

Response delete_model(Call& call) { return done_or(call.app->reset_model(), 204); }

Response get_model_properties(Call& call) {
  const auto p = call.app->properties();
  if (!p) return refuse(Fault::internal, p.error().message);
  const StoreCounts& n = p->counts;
  json answer = json{{"creationTime", time_text(p->created)},
                     {"lastModifiedTime", time_text(p->modified)},
                     {"learnedEvents", p->learnt},
                     {"dimension", call.app->dimension()},
                     {"events", n.events},
                     {"waitingEvents", n.waiting},
                     {"rewards", n.rewards},
                     {"lateRewards", n.late_rewards},
                     {"apprenticeEvents", n.apprentice_events},
                     {"apprenticeMatches", n.apprentice_matches}};
  if (const StoreState store = call.app->store_state(); store.shared)
    answer["store"] = store_json(store);
  return ok(answer.dump());
}

Response get_log_properties(Call& call) {
  const auto p = call.app->properties();
  if (!p) return refuse(Fault::internal, p.error().message);
  if (p->counts.events == 0) return refuse(Fault::no_logs, "the log is empty");
  return ok(
      json{{"dateRange",
            {{"from", time_text(p->counts.first_time)}, {"to", time_text(p->counts.last_time)}}}}
          .dump());
}

Response delete_logs(Call& call) { return done_or(call.app->forget_log(), 204); }

}  // namespace phe::serve
