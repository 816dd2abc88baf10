// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/algorithm/radix_sort.hpp>
#include <gpusort/detail/support/bit_order.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Radix sort of numbers whose order is known when it runs: by CUB's of their type, which
/// gpusort's library has. Order, stability, launches: as radix_sort.
template <class Bits, bool AreFloats, class Value = no_value>
class bit_order_radix_sort {
  using number =
      std::conditional_t<!AreFloats, Bits, std::conditional_t<sizeof(Bits) == 4, float, double>>;

 public:
  struct columns {
    const Bits* keys_in;
    const Value* values_in;
    Bits* keys_out;
    Value* values_out;
  };

  /// Returns the scratch bytes, of integers of either kind: CUB tells floats only from others.
  static std::size_t scratch_bytes(std::uint64_t n, bool in_place) {
    return radix_sort<number, Value>::scratch_bytes(n, in_place);
  }

  static void run(cudaStream_t stream, const bit_order<Bits, AreFloats>& order, const columns& c,
                  std::uint64_t n, void* scratch) {
    if constexpr (!AreFloats) {
      if (order.is_signed()) {
        return run_as<std::make_signed_t<Bits>>(stream, order, c, n, scratch);
      }
    }
    run_as<number>(stream, order, c, n, scratch);
  }

 private:
  template <class Key>
  static void run_as(cudaStream_t stream, const bit_order<Bits, AreFloats>& order, const columns& c,
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
