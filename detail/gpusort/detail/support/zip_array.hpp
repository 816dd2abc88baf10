// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cuda/std/tuple>
#include <gpusort/detail/support/compound.hpp>
#include <gpusort/detail/support/scratch_cursor.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <utility>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// A record by field: several arrays outside a tile, tuples inside it, held as Held holds keys. A
/// handle as those of array.hpp.
template <class Tuple, class Held, class First, class... Rest>
struct zip_array {
  using stored = stored_t<Tuple>;
  using value_type = typename Held::template type<stored>;

  First* keys;  // the first column
  cuda::std::tuple<Rest*...> rest;

  static zip_array in_scratch(scratch_cursor& cursor, std::uint64_t n) {
    First* const keys = cursor.take<First>(n);
    return {keys, cuda::std::tuple<Rest*...>{cursor.take<Rest>(n)...}};
  }

  GPUSORT_HOST_DEVICE value_type load(std::uint64_t i) const {
    return Held::encode(load(i, others()));
  }
  GPUSORT_HOST_DEVICE void store(std::uint64_t i, const value_type& x) const {
    const stored record = Held::template decode<stored>(x);
    store(i, stored_value(record), others());
  }
  GPUSORT_HOST_DEVICE zip_array operator+(std::uint64_t n) const { return after(n, others()); }

 private:
  using others = std::index_sequence_for<Rest...>;

  template <std::size_t... Is>
  GPUSORT_HOST_DEVICE stored load(std::uint64_t i, std::index_sequence<Is...>) const {
    stored x;
    if constexpr (holds_bool_v<Tuple>) {
      auto& record = const_cast<Tuple&>(stored_value(x));
      copy_as_stored(cuda::std::get<0>(record), keys[i]);
      (copy_as_stored(cuda::std::get<Is + 1>(record), cuda::std::get<Is>(rest)[i]), ...);
    } else {
      const Tuple record(keys[i], cuda::std::get<Is>(rest)[i]...);
      memcpy(&x, &record, sizeof(x));
    }
    return x;
  }
  template <std::size_t... Is>
  GPUSORT_HOST_DEVICE void store(std::uint64_t i, const Tuple& record,
                                 std::index_sequence<Is...>) const {
    copy_as_stored(keys[i], cuda::std::get<0>(record));
    (copy_as_stored(cuda::std::get<Is>(rest)[i], cuda::std::get<Is + 1>(record)), ...);
  }
  template <std::size_t... Is>
  GPUSORT_HOST_DEVICE zip_array after(std::uint64_t n, std::index_sequence<Is...>) const {
    return {keys + n, cuda::std::tuple<Rest*...>{cuda::std::get<Is>(rest) + n...}};
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
