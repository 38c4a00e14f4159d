// The one list of what this library offers by name.
#include "phe/registry.hpp"

#include "policies/entries.hpp"
#include "problems/linear.hpp"

namespace phe {

Registry Registry::built_in() {
  Registry registry;
  registry.add(lin_phe_entry());
  registry.add(linear_entry());
  return registry;
}

}  // namespace phe
