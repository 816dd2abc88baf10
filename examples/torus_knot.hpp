// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "ply.hpp"

/// Returns a tube with ripples around a (2, 3) torus knot: `rings` circles of `sides` vertices
/// each.
inline std::vector<ply::vertex> torus_knot(int rings, int sides) {
  constexpr double turn = 6.283185307179586;
  std::vector<ply::vertex> model;
  model.reserve(static_cast<std::size_t>(rings) * sides);
  for (int ring = 0; ring < rings; ++ring) {
    const double t = turn * ring / rings;
    for (int side = 0; side < sides; ++side) {
      const double s = turn * side / sides;
      const double tube = 0.35 + 0.03 * std::sin(12 * s) * std::sin(90 * t);
      const double from_axis = 2 + std::cos(3 * t) + tube * std::cos(s);
      model.push_back({static_cast<float>(from_axis * std::cos(2 * t)),
                       static_cast<float>(from_axis * std::sin(2 * t)),
                       static_cast<float>(std::sin(3 * t) + tube * std::sin(s))});
    }
  }
  return model;
}
