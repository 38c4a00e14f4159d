#include "runner.hpp"

namespace phe::app {

Runner& runner() {
  static Runner chosen{simulate, false};
  return chosen;
}

}  // namespace phe::app
