#include "serve/service.hpp"

#include <chrono>

#include <fcntl.h>
#include <sys/file.h>

#include "serve/faults.hpp"
#include "serve/path.hpp"
#include "serve/routes.hpp"
#include "support/error.hpp"

namespace phe::serve {

Result<std::unique_ptr<Service>> Service::open(const std::filesystem::path& folder,
                                               const ServiceOptions& options) {
  std::unique_ptr<Service> service(new Service(folder, options));
  if (auto done = service->begin(); !done) return done.error();
  return service;
}

Result<void> Service::begin() {
  std::error_code failed;
  is_new_ = std::filesystem::create_directories(folder_, failed);
  if (failed) return invalid("data folder {}: {}", folder_.string(), failed.message());
  if (is_new_) std::filesystem::permissions(folder_, std::filesystem::perms::owner_all, failed);
  lock_ = UniqueFd(::open((folder_ / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock_) return invalid("data folder {}: cannot be written", folder_.string());
  if (::flock(lock_.get(), LOCK_EX | LOCK_NB) != 0)
    return invalid("data folder {}: another phe-serve has it", folder_.string());
  auto keys = Keys::open(folder_ / "service.db");
  if (!keys) return keys.error();
  keys_ = std::move(keys).value();
  if (auto done = ensure_key(); !done) return done;
  applications_ = std::make_shared<const Applications>();
  evaluator_ = std::make_unique<Office>(100);
  office_ = std::make_unique<Office>(100);
  return open_applications();
}

Result<void> Service::ensure_key() {
  if (options_.key) {
    if (keys_->application_of(*options_.key) == first_application) return {};
    const auto added = keys_->add(first_application, *options_.key);
    if (!added) return added.error();
    return {};
  }
  const auto names = keys_->applications();
  if (!names) return names.error();
  if (!names->empty()) return {};
  const auto made = keys_->add(first_application, std::nullopt);
  if (!made) return made.error();
  fresh_key_ = made.value();
  return {};
}

Result<void> Service::open_applications() {
  const auto names = keys_->applications();
  if (!names) return names.error();
  auto all = std::make_shared<Applications>(*applications_.load());
  for (const std::string& name : names.value()) {
    if (all->contains(name)) continue;
    auto app = Application::open(name, folder_ / (name + ".db"), options_.application, clock_);
    if (!app) return app.error();
    all->emplace(name, std::move(app).value());
  }
  applications_ = std::move(all);
  return {};
}

Result<void> Service::refresh() {
  const auto changed = keys_->reload();
  if (!changed) return changed.error();
  return changed.value() ? open_applications() : Result<void>();
}

bool Service::failing() const { return any_failing(*applications_.load()); }

std::size_t Service::applications() const { return applications_.load()->size(); }

std::map<std::string, StoreState> Service::store_states() const {
  std::map<std::string, StoreState> states;
  const auto all = applications_.load();
  for (const auto& [name, app] : *all) states.emplace(name, app->store_state());
  return states;
}

std::shared_ptr<Application> Service::application(std::string_view key) const {
  const std::string name = keys_->application_of(key);
  if (name.empty()) return nullptr;
  const auto all = applications_.load();
  const auto at = all->find(name);
  return at == all->end() ? nullptr : at->second;
}

namespace {

Operation operation_of(const std::optional<Path>& path) {
  if (!path) return Operation::other;
  const auto& parts = path->parts;
  if (parts.size() == 1 && parts[0] == "rank") return Operation::rank;
  if (parts.size() != 3 || parts[0] != "events") return Operation::other;
  if (parts[2] == "reward") return Operation::reward;
  return parts[2] == "activate" ? Operation::activate : Operation::other;
}

}  // namespace

Respond Service::counted(Operation operation, Respond respond) {
  using Steady = std::chrono::steady_clock;
  return
      [this, operation, began = Steady::now(), respond = std::move(respond)](Response&& response) {
        const auto took =
            std::chrono::duration_cast<std::chrono::microseconds>(Steady::now() - began).count();
        site_.requests().observe(operation, response.status, took);
        respond(std::move(response));
      };
}

void Service::handle(Request&& request, Respond respond) {
  if (request.method == Method::options) return respond({.status = 204, .preflight = true});
  const auto path = parse_path(request.target);
  respond = counted(operation_of(path), std::move(respond));
  if (!path) {
    const std::string name = keys_->application_of(request.key);
    auto all = applications_.load();
    const bool known = all->contains(name);
    return site_.handle({std::move(request), std::move(all), known ? name : ""},
                        std::move(respond));
  }
  auto app = application(request.key);
  if (!app)
    return respond(refuse(Fault::unauthorised,
                          "the header Ocp-Apim-Subscription-Key must hold a key of this service"));
  route({*path, std::move(request), std::move(app), *office_, *evaluator_, std::move(respond)});
}

}  // namespace phe::serve
