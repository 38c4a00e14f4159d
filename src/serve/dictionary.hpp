// Dictionary: which features are behind each place of the hashed vectors, in words. Built from
// requests of the log; a place keeps the first few names that it saw and counts the rest.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace phe::serve {

class Dictionary {
 public:
  static constexpr std::size_t most_names = 8;  // of a place
  static constexpr std::size_t longest = 200;   // bytes of a name

  struct Name {
    std::string words;  // "action=news × device=mobile"
    double sign = 1.0;  // with which it enters the place
    std::uint64_t seen = 0;
  };
  struct Place {
    std::vector<Name> names;   // the most seen first
    std::uint64_t others = 0;  // times that a name was seen which is not kept
  };

  explicit Dictionary(std::size_t dimension) : places_(dimension) {}

  // The features of one action of a rank request, and their pairs with the context.
  void note(std::string_view request, std::size_t action);
  [[nodiscard]] std::span<const Place> places() const noexcept { return places_; }

 private:
  void note(std::string words, std::uint64_t context, std::uint64_t action);

  std::vector<Place> places_;
};

}  // namespace phe::serve
