#include "serve/observer.hpp"

#include <algorithm>

namespace phe::serve {

namespace {

constexpr std::int64_t fresh_for = second;
constexpr std::int64_t share_of_time = 20;

}  // namespace

Result<EventReader*> Observer::reader() {
  if (!reader_) {
    auto opened = app_->reader();
    if (!opened) return opened.error();
    reader_ = std::move(opened).value();
  }
  return reader_.get();
}

Result<Observer::Census> Observer::census() {
  const std::int64_t now = app_->clock().now();
  const std::int64_t fresh = std::max(fresh_for, share_of_time * census_took_);
  if (census_.time != 0 && now - census_.time < fresh) return census_;
  const auto source = reader();
  if (!source) return source.error();
  const auto counts = source.value()->counts();
  if (!counts) return counts.error();
  census_ = {counts.value(), now};
  census_took_ = app_->clock().now() - now;
  return census_;
}

Result<const Chronicle*> Observer::chronicle(std::int64_t budget) {
  const auto source = reader();
  if (!source) return source.error();
  const auto counted = census();
  if (!counted) return counted.error();
  if (auto done =
          chronicle_.read(*source.value(), app_->clock().now(), counted->counts.first_time, budget);
      !done)
    return done.error();
  return &chronicle_;
}

}  // namespace phe::serve
