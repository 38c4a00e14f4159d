// 128-bit integers, an extension of both GCC and Clang on 64-bit machines.
#pragma once

namespace phe {

__extension__ using uint128 = unsigned __int128;

}  // namespace phe
