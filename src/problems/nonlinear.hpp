// Problems on which a linear model fails: the mean of x is no x^T theta. The first d - 1 features
// of an arm are uniform on [-1, 1], the last is 1. Drawn anew for each instance:
//
//   smooth  1/2 + (cos(2 pi (u^T x + p)) + cos(2 pi (v^T x + q))) / 4, u and v uniform on the
//           sphere of radius 1/2, p and q uniform: waves that are two units long
//   steps   a tree of depth 4 whose nodes ask whether a random feature is above a threshold uniform
//           on [-1/2, 1/2], and whose leaves have means uniform on [0, 1]
//
// Fixed arms, or contexts: all arms anew in each round.
#pragma once

#include "phe/registry.hpp"

namespace phe {

ProblemEntry nonlinear_entry();

}  // namespace phe
