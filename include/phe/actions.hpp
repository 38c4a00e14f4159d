// Actions: what may be chosen in one round, where that changes from round to round.
//
// A view of the caller's numbers, which must live as long as the call that it is given to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace phe {

// Names an action of a disjoint model for ever: offered again, it has learnt.
using ActionId = std::uint64_t;

struct Actions {
  // A model shared by all actions: `count` rows of d features, one behind the other.
  static Actions rows(std::size_t count, std::span<const double> features) noexcept {
    return {count, features, {}};
  }
  // One model per action (the key `disjoint`): one context of d features, and the actions' names.
  static Actions context(std::span<const double> context, std::span<const ActionId> ids) noexcept {
    return {ids.size(), context, ids};
  }
  // The same for actions whose names are 0, 1, .., count - 1.
  static Actions context(std::span<const double> context, std::size_t count) noexcept {
    return {count, context, {}};
  }

  [[nodiscard]] ActionId id(std::size_t place) const noexcept {
    return ids.empty() ? place : ids[place];
  }

  std::size_t count = 0;
  std::span<const double> features;
  std::span<const ActionId> ids;
};

}  // namespace phe
