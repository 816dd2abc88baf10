// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders that take members by pointers that are known at run time only, so that what a thread holds
// is in local memory; in the kernels that hold elements while they sort a sample.
#include <gpusort/detail/algorithm/cluster_sample_sort.hpp>
#include <gpusort/detail/algorithm/single_launch_sample_sort.hpp>

namespace {

namespace detail = gpusort::detail;

template <int Bytes>
struct event {
  double time;
  long long source;
  unsigned char rest[Bytes - 16];
};

template <class Element>
struct by_time_and_source {
  double Element::*time;
  long long Element::*source;

  __device__ bool operator()(const Element& a, const Element& b) const {
    if (a.*time < b.*time) return true;
    return !(b.*time < a.*time) && a.*source < b.*source;
  }
};

template <int Bytes>
void sort(event<Bytes>* first, int n, void* scratch) {
  using element = event<Bytes>;
  using order = detail::by_stored_value<by_time_and_source<element>>;
  using array = detail::key_array<element>;
  const detail::call_stream stream{cudaStream_t{}};
  const order compare{{&element::time, &element::source}};
  const array elements{first};
  detail::cluster_sample_sort<array, order>::run(stream, elements, elements, n, compare);
  detail::single_launch_sample_sort<array, order>::run(stream, elements, elements, n, compare,
                                                       scratch);
}

}  // namespace

void sort_events(void* first, int n, void* scratch) {
  sort(static_cast<event<24>*>(first), n, scratch);
  sort(static_cast<event<64>*>(first), n, scratch);
}
