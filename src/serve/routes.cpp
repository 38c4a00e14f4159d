#include "serve/routes.hpp"

#include <span>

#include "serve/administration.hpp"
#include "serve/faults.hpp"
#include "support/error.hpp"

namespace phe::serve {

namespace {

// Rank, reward and activate run in the threads of the server, all else in the office.

void rank(Call&& call) {
  auto respond = std::make_shared<Respond>(std::move(call.respond));
  const auto submitted =
      call.app->rank(std::move(call.request.body), [respond](const Result<std::string>& answer) {
        (*respond)(answer ? Response{.status = 201, .body = answer.value()}
                          : refuse(Fault::not_stored, answer.error().message));
      });
  if (submitted.accepted == Application::Accepted::invalid)
    (*respond)(refuse(Fault::bad_rank, submitted.reason));
  if (submitted.accepted == Application::Accepted::overloaded)
    (*respond)(refuse(Fault::overloaded, "too many calls wait for the log"));
}

// Client B looks for its own template in the URL, and would take every 204 for an error.
std::string original_url(const Call& call) {
  const std::string_view target = call.request.target;
  return "http://phe-serve" +
         std::string(target.substr(std::min(target.find("/events/"), target.size())));
}

Application::Done answer_204(Call& call, std::shared_ptr<Respond>& respond) {
  respond = std::make_shared<Respond>(std::move(call.respond));
  return [respond, url = original_url(call)](const Result<void>& done) {
    (*respond)(done ? Response{.status = 204, .original_url = url}
                    : refuse(Fault::not_stored, done.error().message));
  };
}

void reward(Call&& call) {
  const auto value = parse_reward(call.request.body);
  if (!value) return call.respond(refuse(Fault::bad_reward, value.error().message));
  std::shared_ptr<Respond> respond;
  auto done = answer_204(call, respond);
  if (!call.app->reward(call.path.parts[1], value.value(), call.request.call, std::move(done)))
    (*respond)(refuse(Fault::overloaded, "too many calls wait for the log"));
}

void activate(Call&& call) {
  std::shared_ptr<Respond> respond;
  auto done = answer_204(call, respond);
  if (!call.app->activate(call.path.parts[1], std::move(done)))
    (*respond)(refuse(Fault::overloaded, "too many calls wait for the log"));
}

// Runs `work` in the office.
template <Response (*work)(Call&)>
void in_office(Call&& call) {
  Office& office = call.office;
  auto kept = std::make_shared<Call>(std::move(call));
  if (!office.submit([kept] { kept->respond(work(*kept)); }))
    kept->respond(refuse(Fault::overloaded, "too many administrative calls wait"));
}

template <Fault fault>
void refused(Call&& call) {
  constexpr std::string_view message = fault == Fault::multi_slot
                                           ? "this application is not a multi-slot one"
                                           : "this call is not supported";
  call.respond(refuse(fault, message));
}

struct Route {
  Method method;
  std::vector<std::string_view> parts;  // "*" stands for any one part
  void (*handle)(Call&&);
};

const std::vector<Route>& routes() {
  using enum Method;
  static const std::vector<Route> all = {
      {post, {"rank"}, rank},
      {post, {"events", "*", "reward"}, reward},
      {post, {"events", "*", "activate"}, activate},
      {get, {"configurations", "service"}, in_office<get_configuration>},
      {put, {"configurations", "service"}, in_office<put_configuration>},
      {get, {"configurations", "policy"}, in_office<get_policy>},
      {put, {"configurations", "policy"}, in_office<put_policy>},
      {remove, {"configurations", "policy"}, in_office<delete_policy>},
      {post, {"configurations", "applyFromEvaluation"}, in_office<apply_from_evaluation>},
      {get, {"model"}, in_office<get_model>},
      {put, {"model"}, in_office<put_model>},
      {remove, {"model"}, in_office<delete_model>},
      {get, {"model", "properties"}, in_office<get_model_properties>},
      {get, {"logs", "properties"}, in_office<get_log_properties>},
      {remove, {"logs"}, in_office<delete_logs>},
      {post, {"logs", "interactions"}, refused<Fault::not_built>},
      {post, {"logs", "observations"}, refused<Fault::not_built>},
      {get, {"evaluations"}, in_office<get_evaluations>},
      {post, {"evaluations"}, in_office<post_evaluation>},
      {get, {"evaluations", "*"}, in_office<get_evaluation>},
      {remove, {"evaluations", "*"}, in_office<delete_evaluation>},
      {post, {"multislot", "rank"}, refused<Fault::multi_slot>},
      {post, {"multislot", "events", "*", "reward"}, refused<Fault::multi_slot>},
      {post, {"multislot", "events", "*", "activate"}, refused<Fault::multi_slot>},
  };
  return all;
}

bool matches(const Route& route, std::span<const std::string> parts) {
  if (route.parts.size() != parts.size()) return false;
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (route.parts[i] != "*" ? route.parts[i] != parts[i] : parts[i].empty()) return false;
  return true;
}

}  // namespace

void route(Call&& call) {
  bool known = false;
  for (const Route& candidate : routes()) {
    if (!matches(candidate, call.path.parts)) continue;
    known = true;
    if (candidate.method != call.request.method) continue;
    if (call.path.parts.size() > 1 && call.path.parts[1].size() > 256)
      return call.respond(refuse(Fault::bad_request, "an id can have at most 256 bytes"));
    return candidate.handle(std::move(call));
  }
  call.respond(known ? refuse(Fault::wrong_method, "this resource does not take that method")
                     : refuse(Fault::not_found, "there is no such resource"));
}

}  // namespace phe::serve
