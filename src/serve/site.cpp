#include "serve/site.hpp"

#include <algorithm>
#include <array>

#include "page/page.hpp"
#include "serve/faults.hpp"
#include "serve/metrics.hpp"
#include "serve/overview.hpp"
#include "serve/path.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace phe::serve {

namespace {

constexpr std::array<std::string_view, 4> numbers_and_health{"/healthz", "/readyz", "/metrics",
                                                             "/overview"};

// Numbers change from look to look.
constexpr std::string_view not_kept = "Cache-Control: no-store\r\n";

// A node goes on ranking with its last model while the store that it shares is away.
bool any_store_away(const Applications& all) {
  return std::ranges::any_of(all, [](const auto& named) {
    const StoreState store = named.second->store_state();
    return store.shared && !store.connected;
  });
}

Response ready(const Applications& all) {
  if (!any_failing(all) && any_store_away(all))
    return {.status = 200, .body = R"({"status":"ready","store":"away"})", .headers = not_kept};
  if (!any_failing(all))
    return {.status = 200, .body = R"({"status":"ready"})", .headers = not_kept};
  return {.status = 503,
          .body = R"({"status":"not ready","reason":"a log cannot be written"})",
          .headers = not_kept};
}

Response file_of(const page::Asset& asset) {
  return {.status = 200,
          .body = std::string(asset.body),
          .content_type = asset.content_type,
          .headers = page::headers};
}

Result<std::int64_t> minutes_of(std::string_view query) {
  constexpr std::string_view name = "minutes=";
  if (query.empty()) return std::int64_t{60};
  const auto value = query.starts_with(name) ? parse_number<std::int64_t>(query.substr(name.size()))
                                             : std::nullopt;
  if (value && std::ranges::count(overview_minutes, *value) > 0) return *value;
  return invalid("minutes must be 10, 60, 360 or 1440, got '{}'", query);
}

}  // namespace

void Site::handle(Visit&& visit, Respond respond) {
  const std::string_view target = visit.request.target;
  const std::string_view path = target.substr(0, target.find('?'));
  const auto asset = page::find_asset(page::Kind::service, path);
  if (!asset && std::ranges::count(numbers_and_health, path) == 0)
    return respond(refuse(Fault::not_found, "there is no such resource"));
  if (visit.request.method != Method::get)
    return respond(refuse(Fault::wrong_method, "this resource does not take that method"));
  if (asset) return respond(file_of(*asset));
  if (path == "/healthz")
    return respond({.status = 200, .body = R"({"status":"ok"})", .headers = not_kept});
  if (path == "/readyz") return respond(ready(*visit.all));
  if (visit.application.empty())
    return respond(refuse(Fault::unauthorised,
                          "the header Ocp-Apim-Subscription-Key must hold a key of this service"));
  const bool numbers = path == "/metrics";
  const auto kept = std::make_shared<Visit>(std::move(visit));
  const auto answer = std::make_shared<Respond>(std::move(respond));
  if (!office_.submit(
          [this, kept, answer, numbers] { (*answer)(numbers ? metrics(*kept) : overview(*kept)); }))
    (*answer)(refuse(Fault::overloaded, "too many wait for numbers"));
}

Site::Observers Site::visible(const Visit& visit) {
  Observers result;
  for (const auto& [name, app] : *visit.all) {
    if (visit.application != first_application && visit.application != name) continue;
    auto& observer = observers_[name];
    if (!observer) observer = std::make_unique<Observer>(app);
    result.emplace(name, observer.get());
  }
  return result;
}

Response Site::metrics(const Visit& visit) {
  return {.status = 200,
          .body = metrics_text(requests_, connections_, visible(visit)),
          .content_type = "text/plain; version=0.0.4; charset=utf-8",
          .headers = not_kept};
}

Response Site::overview(const Visit& visit) {
  const std::string_view target = visit.request.target;
  const auto question = target.find('?');
  const auto minutes =
      minutes_of(question == target.npos ? std::string_view() : target.substr(question + 1));
  if (!minutes) return refuse(Fault::bad_request, minutes.error().message);
  const Observers all = visible(visit);
  auto document = overview_json({*all.at(visit.application), all, began_, minutes.value()});
  if (!document) return refuse(Fault::internal, document.error().message);
  return {.status = 200, .body = std::move(document).value(), .headers = not_kept};
}

}  // namespace phe::serve
