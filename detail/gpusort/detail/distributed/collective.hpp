// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/support/config.hpp>

// A call on several ranks is a sequence of supersteps: work on what is the rank's own, then a
// collective operation of all ranks. A rank is an object whose step() does the former and returns a
// description of the latter, which a driver carries out before it calls step() again. So the same
// algorithm runs over a communicator, over the devices of a process, and over ranks that share one
// thread.

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

enum class collective_kind {
  none,       // the rank is done
  allgather,  // `bytes` of each rank, to all
  alltoallv   // what lies between two offsets, to the rank of that number
};

/// Says what a rank wants to be done. All ranks want the same kind in the same step.
struct collective {
  collective_kind kind = collective_kind::none;
  const void* send = nullptr;
  void* receive = nullptr;
  std::size_t bytes = 0;                           // allgather
  const std::uint64_t* send_offsets = nullptr;     // alltoallv: p + 1, in bytes
  const std::uint64_t* receive_offsets = nullptr;  // the same
  bool is_data = false;  // elements, where the local object has them; all else is in host memory
};

inline collective allgather(const void* send, void* receive, std::size_t bytes) {
  collective c;
  c.kind = collective_kind::allgather;
  c.send = send;
  c.receive = receive;
  c.bytes = bytes;
  return c;
}

inline collective alltoallv(const void* send, const std::uint64_t* send_offsets, void* receive,
                            const std::uint64_t* receive_offsets, bool is_data) {
  collective c;
  c.kind = collective_kind::alltoallv;
  c.send = send;
  c.receive = receive;
  c.send_offsets = send_offsets;
  c.receive_offsets = receive_offsets;
  c.is_data = is_data;
  return c;
}

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
