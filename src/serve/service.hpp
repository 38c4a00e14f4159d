// Service: all applications of a data folder, their keys, and the API in front of them.
//
// The folder has service.db (keys) and one NAME.db per application. One process at a time.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "phe/result.hpp"
#include "serve/applications.hpp"
#include "serve/http_types.hpp"
#include "serve/keys.hpp"
#include "serve/office.hpp"
#include "serve/site.hpp"
#include "support/unique_fd.hpp"

namespace phe::serve {

struct ServiceOptions {
  ApplicationOptions application;
  std::optional<std::string> key;  // of the application `default`
};

class Service {
 public:
  // Makes the folder, and the application `default`, where there is none.
  static Result<std::unique_ptr<Service>> open(const std::filesystem::path& folder,
                                               const ServiceOptions& options);

  // The key that was made because there was none: to be shown once.
  [[nodiscard]] const std::optional<std::string>& fresh_key() const noexcept { return fresh_key_; }
  [[nodiscard]] bool is_new() const noexcept { return is_new_; }
  [[nodiscard]] std::size_t applications() const;
  [[nodiscard]] const ServiceOptions& options() const noexcept { return options_; }
  // By application.
  [[nodiscard]] std::map<std::string, StoreState> store_states() const;

  // Answers a request, at once or later, from another thread.
  void handle(Request&& request, Respond respond);
  // Sees keys and applications that another process added. To be called now and then.
  Result<void> refresh();

  // Whether some log cannot be written.
  [[nodiscard]] bool failing() const;
  // For the metrics; to be called now and then.
  void tell_connections(std::size_t count) noexcept { site_.tell_connections(count); }

  // The application of a key; null where there is none.
  [[nodiscard]] std::shared_ptr<Application> application(std::string_view key) const;

 private:
  Service(std::filesystem::path folder, ServiceOptions options)
      : folder_(std::move(folder)), options_(std::move(options)) {}
  Result<void> begin();
  Result<void> ensure_key();
  Result<void> open_applications();
  // Counts the answer, and how long it took, before it goes out.
  Respond counted(Operation operation, Respond respond);

  std::filesystem::path folder_;
  ServiceOptions options_;
  UniqueFd lock_;
  Clock clock_;
  std::unique_ptr<Keys> keys_;
  std::atomic<std::shared_ptr<const Applications>> applications_;
  std::optional<std::string> fresh_key_;
  bool is_new_ = false;
  // End first: their work needs the applications.
  std::unique_ptr<Office> evaluator_, office_;
  Site site_{clock_.now()};
};

}  // namespace phe::serve
