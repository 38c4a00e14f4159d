// RankRequest: the body of a rank call, checked, with its features hashed.
//
// Views point into the parser that made it and live until its next request.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "phe/result.hpp"
#include "serve/features.hpp"

namespace phe::serve {

struct RequestLimits {
  std::size_t actions = 50;
  std::size_t features = 20'000;  // of all actions and the context together
  std::size_t pairs = 1'000'000;  // context x action features, summed over the actions
  std::size_t id_length = 256;
  std::size_t depth = 16;  // of nested features

  // For requests that were accepted before.
  static constexpr RequestLimits none() noexcept {
    constexpr std::size_t any = ~std::size_t{0};
    return {any, any, any, any, any};
  }
};

struct RankRequest {
  struct Action {
    std::string_view id;
    bool excluded = false;
    std::span<const Feature> features;
  };
  std::vector<Action> actions;
  std::span<const Feature> context;  // named by the context_part of their names
  std::optional<std::string_view> event_id;
  bool deferred = false;

  [[nodiscard]] std::size_t eligible() const noexcept;
};

// Not thread-safe: one per thread. Used again it does not allocate, but where a request is larger
// than all before.
class RankRequestParser {
 public:
  RankRequestParser();
  RankRequestParser(RankRequestParser&&) noexcept;
  ~RankRequestParser();

  // Errors name the field, the value and what is allowed.
  Result<const RankRequest*> parse(std::string_view body, const RequestLimits& limits);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// The "value" of a reward call: a number from -1 to 1.
Result<double> parse_reward(std::string_view body);

}  // namespace phe::serve
