// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who sorts vertices by their distance, as records or as keys with values; nearest first.
#pragma once

#include <thrust/execution_policy.h>
#include <thrust/sort.h>

#include <cstdint>
#include <gpusort/records.hpp>
#include <gpusort/sort.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "../kit/measure.hpp"

namespace visibility {

using bench::check;

struct sight {
  float distance;
  std::uint32_t vertex;
};

struct nearer {
  __host__ __device__ bool operator()(const sight& a, const sight& b) const {
    return a.distance < b.distance;
  }
};

/// Records in device memory.
struct as_records {
  struct sorter {
    const char* name;
    void (*sort)(sight* first, sight* last);
  };

  static std::vector<sorter> sorters() {
    return {
        {"gpusort_comparator",
         [](sight* first, sight* last) { gpusort::sort(gpusort::par_gpu, first, last, nearer{}); }},
        {"gpusort_order_by",
         [](sight* first, sight* last) {
           gpusort::sort(gpusort::par_gpu, first, last,
                         gpusort::order_by(gpusort::asc(&sight::distance)));
         }},
        {"gpusort_projection",
         [](sight* first, sight* last) {
           gpusort::sort(gpusort::par_gpu, first, last, gpusort::less{}, &sight::distance);
         }},
        {"thrust_comparator", [](sight* first, sight* last) {
           thrust::sort(thrust::cuda::par, first, last, nearer{});
         }}};
  }

  static std::vector<sight> make(const std::vector<float>& distances) {
    std::vector<sight> sights;
    sights.reserve(distances.size());
    for (float distance : distances) {
      sights.push_back({distance, static_cast<std::uint32_t>(sights.size())});
    }
    return sights;
  }
};

/// Distances as keys and the numbers of the vertices as values: one array has the keys first, then
/// the values.
struct as_keys_and_values {
  struct sorter {
    const char* name;
    void (*sort)(float* first, float* last, std::uint32_t* vertices);
  };

  static std::vector<sorter> sorters() {
    return {{"gpusort_by_key",
             [](float* first, float* last, std::uint32_t* vertices) {
               gpusort::sort_by_key(gpusort::par_gpu, first, last, vertices);
             }},
            {"thrust_by_key", [](float* first, float* last, std::uint32_t* vertices) {
               thrust::sort_by_key(thrust::cuda::par, first, last, vertices);
             }}};
  }
};

/// A model's sights, on the device and on the host.
class sight_input {
 public:
  explicit sight_input(const std::vector<float>& distances)
      : distances_(distances), sights_(as_records::make(distances)) {
    std::vector<std::uint32_t> vertices;
    for (const sight& s : sights_) vertices.push_back(s.vertex);
    upload(records_input_, sights_.data(), bytes());
    upload(columns_input_, distances_.data(), bytes() / 2);
    check(cudaMemcpy(vertices_of(columns_input_), vertices.data(), bytes() / 2,
                     cudaMemcpyHostToDevice),
          "cudaMemcpy");
  }

  std::size_t n() const { return sights_.size(); }

  /// Returns seconds: a median of 7.
  double time(const as_records::sorter& sorter) {
    const double seconds = median(records_input_, [&] {
      auto* const first = static_cast<sight*>(work_.reserve(bytes()));
      sorter.sort(first, first + n());
    });
    std::vector<sight> found(n());
    check(cudaMemcpy(found.data(), work_.reserve(bytes()), bytes(), cudaMemcpyDeviceToHost),
          "cudaMemcpy");
    verify(sorter.name, found);
    return seconds;
  }

  double time(const as_keys_and_values::sorter& sorter) {
    const double seconds = median(columns_input_, [&] {
      auto* const first = static_cast<float*>(work_.reserve(bytes()));
      sorter.sort(first, first + n(), vertices_of(work_));
    });
    std::vector<float> distances(n());
    std::vector<std::uint32_t> vertices(n());
    check(cudaMemcpy(distances.data(), work_.reserve(bytes()), bytes() / 2, cudaMemcpyDeviceToHost),
          "cudaMemcpy");
    check(cudaMemcpy(vertices.data(), vertices_of(work_), bytes() / 2, cudaMemcpyDeviceToHost),
          "cudaMemcpy");
    std::vector<sight> found(n());
    for (std::size_t i = 0; i < n(); ++i) found[i] = {distances[i], vertices[i]};
    verify(sorter.name, found);
    return seconds;
  }

 private:
  std::size_t bytes() const { return n() * sizeof(sight); }

  std::uint32_t* vertices_of(bench::buffer& columns) const {
    return static_cast<std::uint32_t*>(columns.reserve(bytes())) + n();
  }

  void upload(bench::buffer& to, const void* from, std::size_t count) {
    check(cudaMemcpy(to.reserve(bytes()), from, count, cudaMemcpyHostToDevice), "cudaMemcpy");
  }

  template <class Call>
  double median(bench::buffer& input, Call call) {
    const auto restore = [&] {
      check(cudaMemcpyAsync(work_.reserve(bytes()), input.reserve(bytes()), bytes(),
                            cudaMemcpyDeviceToDevice),
            "restoring the input");
    };
    return bench::measure(0, restore, call).median;
  }

  /// Verifies that all is in order, and every vertex there once with its own distance.
  void verify(const char* name, const std::vector<sight>& found) const {
    std::vector<bool> is_seen(n());
    for (std::size_t i = 0; i < n(); ++i) {
      const sight s = found[i];
      const bool is_right = s.vertex < n() && !is_seen[s.vertex] &&
                            s.distance == distances_[s.vertex] &&
                            (i == 0 || found[i - 1].distance <= s.distance);
      if (!is_right) throw std::runtime_error(std::string("the result is wrong: ") + name);
      is_seen[s.vertex] = true;
    }
  }

  std::vector<float> distances_;
  std::vector<sight> sights_;
  bench::buffer records_input_, columns_input_, work_;
};

}  // namespace visibility
