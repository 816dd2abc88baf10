// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <gpusort/detail/algorithm/cluster_sample_sort.hpp>
#include <gpusort/detail/algorithm/single_launch_sample_sort.hpp>

namespace kit {

/// Sample sort of few elements as the router takes it: by a cluster where that takes them, else in
/// one cooperative launch.
template <class Array, class Order, class... Tuning>
struct few_sample_sort {
  using cluster = gpusort::detail::cluster_sample_sort<Array, Order, Tuning...>;
  using single_launch = gpusort::detail::single_launch_sample_sort<Array, Order, Tuning...>;

  static std::uint64_t max_n() { return std::max(cluster::max_n(), single_launch::max_n()); }

  static std::size_t scratch_bytes(std::uint64_t n) {
    return n <= cluster::max_n() ? 0 : single_launch::scratch_bytes(n);
  }

  static void run(const gpusort::detail::call_stream& stream, Array in, Array out, std::uint64_t n,
                  Order order, void* scratch) {
    if (n <= cluster::max_n()) return cluster::run(stream, in, out, n, order);
    single_launch::run(stream, in, out, n, order, scratch);
  }
};

}  // namespace kit
