// PHE_DISPATCH(kernel)(arguments): calls the kernel for the SIMD target in use.
//
// Highway's own macro asks its shared library for the target at each call, 19 instructions; with
// ten kernels a round that was 7% of LinPHE at d = 5. The target's holder never moves, so its
// address is looked up once.
#pragma once

#include "hwy/highway.h"
#include "hwy/targets.h"

namespace phe::kernels {

inline hwy::ChosenTarget* const chosen_target = &hwy::GetChosenTarget();

}  // namespace phe::kernels

#if (HWY_TARGETS & (HWY_TARGETS - 1)) == 0
#define PHE_DISPATCH(kernel) HWY_STATIC_DISPATCH(kernel)
#else
#define PHE_DISPATCH(kernel) \
  (*(HWY_DISPATCH_TABLE(kernel)[phe::kernels::chosen_target->GetIndex()]))
#endif
