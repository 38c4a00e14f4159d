// Site: what the service shows of itself beside the API. Health for whoever starts it, metrics for
// Prometheus, and the page with its numbers for people.
//
//   /healthz, /readyz             no key: they say nothing about anybody
//   /metrics, /overview           a key: of its own application, one of `default` of all
//   /, /page/..                   no key: files that are the same for everybody
#pragma once

#include <map>
#include <memory>
#include <string>

#include "serve/applications.hpp"
#include "serve/http_types.hpp"
#include "serve/observer.hpp"
#include "serve/office.hpp"
#include "serve/request_counts.hpp"

namespace phe::serve {

// Thread-safe. What takes a while is done by a thread of its own.
class Site {
 public:
  struct Visit {
    Request request;
    std::shared_ptr<const Applications> all;
    std::string application;  // of the key; empty where it is none
  };

  explicit Site(std::int64_t began) : began_(began) {}

  void handle(Visit&& visit, Respond respond);

  [[nodiscard]] RequestCounts& requests() noexcept { return requests_; }
  // To be told now and then.
  void tell_connections(std::size_t count) noexcept { connections_ = count; }

 private:
  using Observers = std::map<std::string, Observer*>;

  // In the thread of the site:
  Observers visible(const Visit& visit);
  Response metrics(const Visit& visit);
  Response overview(const Visit& visit);

  const std::int64_t began_;
  RequestCounts requests_;
  std::atomic<std::size_t> connections_ = 0;
  std::map<std::string, std::unique_ptr<Observer>> observers_;
  Office office_{100};
};

}  // namespace phe::serve
