// Runs a check once on every SIMD target that this machine can run.
#pragma once

#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "phe/simd.hpp"

namespace phe::test {

inline void on_every_target(const std::function<void()>& check) {
  for (const std::string& target : simd_targets()) {
    SCOPED_TRACE("SIMD target " + target);
    ASSERT_TRUE(use_simd_target(target).ok());
    check();
  }
  ASSERT_TRUE(use_simd_target("auto").ok());
}

}  // namespace phe::test
