// The colours of all figures: those of Okabe and Ito (2008), told apart by the colour-blind.
#pragma once

namespace phe::colours {

inline constexpr const char* orange = "#e69f00";
inline constexpr const char* vermillion = "#d55e00";
inline constexpr const char* purple = "#cc79a7";
inline constexpr const char* blue = "#0072b2";
inline constexpr const char* black = "#000000";
inline constexpr const char* sky = "#56b4e9";
inline constexpr const char* green = "#009e73";
inline constexpr const char* grey = "#666666";

}  // namespace phe::colours
