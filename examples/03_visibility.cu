// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Visibility ordering, on which GPU-Quicksort (Cederman and Tsigas) and the hybrid bucket and
// vector merge sort (Sintorn and Assarsson) were tried: the vertices of a 3D model by their
// distance from the eye, farthest first, as one draws transparent surfaces.
//
//   03_visibility [model.ply]
//
// With no model given it makes one: a torus knot with ripples.
#include <gpusort/gpusort.hpp>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/sort.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include "example.hpp"
#include "ply.hpp"
#include "torus_knot.hpp"

/// Holds what is sorted: how far from the eye which vertex is.
struct sight {
  float distance;
  std::uint32_t vertex;
};

/// Orders back to front; vertices at one distance by number, so that there is one right result.
struct farther {
  __host__ __device__ bool operator()(const sight& a, const sight& b) const {
    return a.distance > b.distance || (a.distance == b.distance && a.vertex < b.vertex);
  }
};

/// Returns the model seen from the origin, where GPU-Quicksort's authors put the eye too.
std::vector<sight> look_at(const std::vector<ply::vertex>& model) {
  std::vector<sight> sights;
  sights.reserve(model.size());
  for (const ply::vertex& v : model) {
    const auto id = static_cast<std::uint32_t>(sights.size());
    sights.push_back({std::hypot(v.x, v.y, v.z), id});
  }
  return sights;
}

struct measurement {
  const char* library;
  const char* order;
  double milliseconds;
  std::vector<sight> result;
};

/// Times `sort` on a copy of `sights` in a `Vector`, on the device or on the host.
template <class Vector, class Sort>
measurement measure(const char* library, const char* order, const std::vector<sight>& sights,
                    Sort sort) {
  Vector work(sights.size());
  const double milliseconds = example::milliseconds(
      [&] { thrust::copy(sights.begin(), sights.end(), work.begin()); }, [&] { sort(work); });
  std::vector<sight> result(sights.size());
  thrust::copy(work.begin(), work.end(), result.begin());
  return {library, order, milliseconds, result};
}

/// Measures all; gpusort's two come first, then the peers.
std::vector<measurement> measure_all(const std::vector<sight>& sights, bool has_device) {
  using on_device = thrust::device_vector<sight>;
  using on_host = std::vector<sight>;
  const auto by_comparator = [](auto& v) {
    gpusort::sort(gpusort::par_gpu, v.begin(), v.end(), farther{});
  };
  const auto by_members = [](auto& v) {  // the same order, and the library sees what it reads
    const auto order =
        gpusort::order_by(gpusort::desc<&sight::distance>(), gpusort::asc<&sight::vertex>());
    gpusort::sort(gpusort::par_gpu, v.begin(), v.end(), order);
  };
  const auto by_thrust = [](on_device& v) {
    thrust::sort(thrust::cuda::par, v.begin(), v.end(), farther{});
  };
  const auto by_std = [](on_host& v) { std::sort(v.begin(), v.end(), farther{}); };

  std::vector<measurement> all;
  if (has_device) {
    all.push_back(measure<on_device>("gpusort", "order_by", sights, by_members));
    all.push_back(measure<on_device>("gpusort", "comparator", sights, by_comparator));
    all.push_back(measure<on_device>("thrust", "comparator", sights, by_thrust));
  } else {
    all.push_back(measure<on_host>("gpusort", "order_by", sights, by_members));
    all.push_back(measure<on_host>("gpusort", "comparator", sights, by_comparator));
  }
  all.push_back(measure<on_host>("std", "comparator", sights, by_std));
  return all;
}

void verify(const std::vector<sight>& result, const std::vector<sight>& sights) {
  example::verify(std::is_sorted(result.begin(), result.end(), farther{}), "farthest come first");
  std::vector<bool> seen(sights.size());
  for (const sight& s : result) {
    example::verify(s.vertex < seen.size() && !seen[s.vertex], "every vertex is there once");
    example::verify(s.distance == sights[s.vertex].distance, "and has its own distance");
    seen[s.vertex] = true;
  }
}

void print(const std::vector<measurement>& all) {
  constexpr std::size_t first_peer = 2;
  for (const measurement& m : all) {
    std::printf("  %7s::sort, %-10s %9.2f ms %8.1f million/s", m.library, m.order, m.milliseconds,
                1e-3 * static_cast<double>(m.result.size()) / m.milliseconds);
    for (std::size_t peer = first_peer; peer < all.size(); ++peer) {
      std::printf(" %8.2f x %s::sort", all[peer].milliseconds / m.milliseconds, all[peer].library);
    }
    std::puts("");
  }
}

int main(int argc, char** argv) try {
  const bool has_device = example::has_device();
  const char* file = argc > 1 ? argv[1] : nullptr;
  if (!has_device) {
    std::printf("No GPU on this machine: on the CPU%s.\n", file ? "" : ", and a smaller model");
  }
  const std::vector<ply::vertex> model = file         ? ply::read_vertices(file)
                                         : has_device ? torus_knot(8192, 1024)
                                                      : torus_knot(2048, 512);
  std::printf("%s: %zu vertices, farthest first\n", file ? file : "torus knot", model.size());

  const std::vector<sight> sights = look_at(model);
  const std::vector<measurement> all = measure_all(sights, has_device);
  for (const measurement& m : all) verify(m.result, sights);
  print(all);
} catch (const std::exception& e) {
  std::fprintf(stderr, "03_visibility: %s\n", e.what());
  return EXIT_FAILURE;
}
