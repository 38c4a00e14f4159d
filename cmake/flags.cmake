# phe_flags: how every target of ours is compiled.
#
# Same seed, same bytes on every machine: no contraction of a*b+c behind our back, no -march=native,
# no -ffast-math. Wider SIMD is chosen at run time by the kernels.
add_library(phe_flags INTERFACE)
target_compile_features(phe_flags INTERFACE cxx_std_20)
target_compile_options(phe_flags INTERFACE
  -ffp-contract=off
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  $<$<BOOL:${PHE_WERROR}>:-Werror>)
set(CMAKE_CXX_EXTENSIONS OFF)

# phe_core_internal and phe_internal: what it takes to include a private header of either library
# ("kernels/score_arms.hpp"). Used by the libraries themselves and by tests and benchmarks, so that
# all of them see one and the same Eigen and Highway.
add_library(phe_core_internal INTERFACE)
target_include_directories(phe_core_internal INTERFACE ${PROJECT_SOURCE_DIR}/src)
# Kernels need registers of a fixed width (no SVE, no RVV); SSSE3 and AVX3_DL would add nothing to
# SSE4 and AVX3 here.
target_compile_definitions(phe_core_internal INTERFACE
  "HWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_AVX3_DL|HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128|HWY_RVV)")
target_link_libraries(phe_core_internal INTERFACE phe_flags hwy::hwy fmt::fmt)

add_library(phe_internal INTERFACE)
target_include_directories(phe_internal INTERFACE ${PROJECT_BINARY_DIR}/embedded)
target_compile_definitions(phe_internal INTERFACE EIGEN_DONT_VECTORIZE)
target_link_libraries(phe_internal INTERFACE
  phe_core_internal
  Eigen3::Eigen nlohmann_json::nlohmann_json tomlplusplus::tomlplusplus Threads::Threads)

# Small files, in compilations of a dozen: each then reads the large headers of the libraries once, not twelve times.
function(phe_compile_together target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${PHE_UNITY} UNITY_BUILD_BATCH_SIZE 12)
endfunction()
