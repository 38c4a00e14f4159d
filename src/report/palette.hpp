// The colours of every figure: those of Okabe and Ito (2008), told apart by the colour-blind too.
#pragma once

namespace phe::report {

inline constexpr const char* black = "#000000";
inline constexpr const char* orange = "#e69f00";
inline constexpr const char* sky_blue = "#56b4e9";
inline constexpr const char* green = "#009e73";
inline constexpr const char* blue = "#0072b2";
inline constexpr const char* vermilion = "#d55e00";
inline constexpr const char* purple = "#cc79a7";
inline constexpr const char* grey = "#666666";  // not one of theirs: for what is only beside

}  // namespace phe::report
