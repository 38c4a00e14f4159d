// Observer: what is to be seen of one application, for the metrics and the page. It reads the log
// through a reader of its own and keeps nobody from anything; what is dear to count is counted
// seldom.
//
// Not thread-safe: the thread of the site has it.
#pragma once

#include <memory>

#include "serve/application.hpp"
#include "serve/chronicle.hpp"

namespace phe::serve {

class Observer {
 public:
  explicit Observer(std::shared_ptr<Application> app)
      : app_(std::move(app)), chronicle_(app_->dimension()) {}

  [[nodiscard]] Application& application() const noexcept { return *app_; }
  // Of the log, as it was at most a second ago, or twenty times what the counting takes.
  struct Census {
    StoreCounts counts;
    std::int64_t time = 0;
  };
  Result<Census> census();
  // With all that is in the log by now, or as much of it as could be read in `budget` milliseconds.
  Result<const Chronicle*> chronicle(std::int64_t budget);

 private:
  Result<EventReader*> reader();

  std::shared_ptr<Application> app_;
  std::unique_ptr<EventReader> reader_;
  Census census_;
  std::int64_t census_took_ = 0;
  Chronicle chronicle_;
};

}  // namespace phe::serve
