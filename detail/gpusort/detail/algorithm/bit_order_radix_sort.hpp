// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <gpusort/detail/algorithm/radix_sort.hpp>
#include <gpusort/detail/support/bit_order.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Radix sort of numbers whose order is known when it runs: by CUB's of their type, which
/// gpusort's library has. Order, stability, launches: as radix_sort.
template <class Bits, class Value = no_value>
class bit_order_radix_sort {
  static_assert(sizeof(Bits) == 4 || sizeof(Bits) == 8, "numbers of which there are floats");
  using integer = std::make_signed_t<Bits>;
  using number = std::conditional_t<sizeof(Bits) == 4, float, double>;

 public:
  struct columns {
    const Bits* keys_in;
    const Value* values_in;
    Bits* keys_out;
    Value* values_out;
  };

  /// Returns the scratch bytes for numbers of any type: CUB has other tiles for floats.
  static std::size_t scratch_bytes(std::uint64_t n, bool in_place) {
    return (std::max)(radix_sort<Bits, Value>::scratch_bytes(n, in_place),
                      radix_sort<number, Value>::scratch_bytes(n, in_place));
  }

  static void run(cudaStream_t stream, const bit_order<Bits>& order, const columns& c,
                  std::uint64_t n, void* scratch) {
    if (order.is_of_floats()) return run_as<number>(stream, order, c, n, scratch);
    if (order.is_signed()) return run_as<integer>(stream, order, c, n, scratch);
    run_as<Bits>(stream, order, c, n, scratch);
  }

 private:
  template <class Key>
  static void run_as(cudaStream_t stream, const bit_order<Bits>& order, const columns& c,
                     std::uint64_t n, void* scratch) {
    auto* const in = reinterpret_cast<const Key*>(c.keys_in);
    auto* const out = reinterpret_cast<Key*>(c.keys_out);
    const auto run = order.is_descending() ? radix_sort<Key, Value, true>::run
                                           : radix_sort<Key, Value, false>::run;
    run(stream, in, c.values_in, out, c.values_out, n, scratch, bit_range::all<Key>());
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
