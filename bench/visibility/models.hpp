// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vertices made by rule, seen from the origin: what models have in common is how near in their file
// vertices are that are near in space.
#pragma once

#include <cmath>
#include <cstdint>
#include <gpusort/detail/support/math.hpp>
#include <utility>
#include <vector>

#include "../../examples/ply.hpp"
#include "../../examples/torus_knot.hpp"

namespace visibility {

using model_vertices = std::vector<ply::vertex>;

inline ply::vertex make_vertex(double x, double y, double z) {
  return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
}

/// Random numbers in [0, 1), the same in every run.
class random_numbers {
 public:
  double next() { return static_cast<double>(gpusort::detail::mix_bits(++state_) >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_ = 0;
};

/// Returns a dense scan: a figure with bumps, in front of the eye, whose vertices come in no order.
inline model_vertices dense_model(std::size_t n) {
  constexpr double turn = 6.283185307179586;
  random_numbers random;
  model_vertices model;
  model.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double height = 2 * random.next() - 1, angle = turn * random.next();
    const double bumps = 0.1 * std::sin(9 * angle) * std::sin(7 * height) +
                         0.02 * std::sin(41 * angle) * std::sin(33 * height);
    const double radius = (1 + bumps) * std::sqrt(1 - height * height);
    model.push_back(
        make_vertex(radius * std::cos(angle), 2 * height, 4 + radius * std::sin(angle)));
  }
  return model;
}

/// Returns a scene of `copies` equal small objects at random places around the eye, one after the
/// other: neighbours in the file are about as far away.
inline model_vertices clustered_model(int copies, int vertices_each) {
  random_numbers random;
  model_vertices object;
  for (int i = 0; i < vertices_each; ++i) {
    const double x = random.next() - 0.5, y = 2 * random.next(), z = random.next() - 0.5;
    object.push_back(make_vertex(x, y, z));
  }
  model_vertices model;
  model.reserve(static_cast<std::size_t>(copies) * object.size());
  for (int copy = 0; copy < copies; ++copy) {
    const double x = 200 * random.next() - 100, z = 200 * random.next() - 100;
    for (const ply::vertex& v : object) model.push_back(make_vertex(v.x + x, v.y, v.z + z));
  }
  return model;
}

/// Returns a landscape row by row, from the eye's corner on: nearly in the order of its distances.
inline model_vertices ordered_model(int rows, int columns) {
  model_vertices model;
  model.reserve(static_cast<std::size_t>(rows) * columns);
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const double x = 0.1 * column, z = row;
      model.push_back(make_vertex(x, std::sin(0.3 * x) * std::sin(0.2 * z), z));
    }
  }
  return model;
}

/// Returns how far from the origin each vertex is.
inline std::vector<float> distances_of(const model_vertices& model) {
  std::vector<float> distances;
  distances.reserve(model.size());
  for (const ply::vertex& v : model) {
    distances.push_back(std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z));
  }
  return distances;
}

/// Puts the vertices in a random order.
inline void shuffle(model_vertices& model) {
  random_numbers random;
  for (std::size_t i = model.size(); i > 1; --i) {
    std::swap(model[i - 1], model[static_cast<std::size_t>(random.next() * i)]);
  }
}

}  // namespace visibility
