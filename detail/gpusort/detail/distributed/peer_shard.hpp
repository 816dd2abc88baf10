// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// A range on a device, and the stream for its work. Several may be on one device.
template <class Array>
struct peer_shard {
  int device;
  cudaStream_t stream;
  Array data;
  std::uint64_t n;
};

/// Whether shards are counted before the exchange, or what a sample lets expect has to do.
enum class peer_counting { automatic, always, never };

/// Holds what may be chosen.
struct peer_sort_options {
  int log_buckets = 0;  // of the exchange; 0: by the number of elements
  peer_counting counting = peer_counting::automatic;
  /// Number of copies in which what is for another shard goes there, if there is memory for
  /// gathering it and an estimate of what it is. 0: a kernel scatters it to where it goes.
  int groups = -1;  // -1: as measured
};

/// Names what each shard's stream has done when an observer is called: `exchanged` is before
/// copies.
enum class peer_sort_phase { begun, counted, exchanged, sorted };

struct unobserved {
  template <class Shard>
  void operator()(const Shard&, peer_sort_phase) const {}
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
