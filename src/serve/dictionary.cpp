#include "serve/dictionary.hpp"

#include <algorithm>

#include "serve/features.hpp"
#include "serve/named_features.hpp"

namespace phe::serve {

namespace {

std::uint64_t hash_of(const NamedFeature& feature) { return NameHash().with(feature.name).value(); }

// The id of an action is its feature "id=..".
std::string words_of(const NamedFeature& feature) {
  return feature.name.starts_with("id=") ? "action=" + feature.name.substr(3) : feature.name;
}

}  // namespace

void Dictionary::note(std::string_view request, std::size_t action) {
  const auto named = named_features(request);
  if (!named || action >= named->actions.size()) return;
  for (const NamedFeature& f : named->actions[action]) {
    note(words_of(f), 0, hash_of(f));
    for (const NamedFeature& c : named->context)
      note(words_of(f) + " × " + c.name, hash_of(c), hash_of(f));
  }
}

void Dictionary::note(std::string words, std::uint64_t context, std::uint64_t action) {
  const Slot slot = slot_of(context, action, places_.size());
  Place& place = places_[slot.place];
  if (words.size() > longest) words = words.substr(0, longest) + "..";
  const auto at = std::ranges::find(place.names, words, &Name::words);
  if (at != place.names.end()) {
    ++at->seen;
    if (at != place.names.begin() && at->seen > std::prev(at)->seen)
      std::iter_swap(at, std::prev(at));
  } else if (place.names.size() < most_names) {
    place.names.push_back({std::move(words), slot.sign, 1});
  } else {
    ++place.others;
  }
}

}  // namespace phe::serve
