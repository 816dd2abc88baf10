// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cuda/std/tuple>
#include <gpusort/detail/support/compound.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <memory>
#include <tuple>
#include <utility>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Whether elements are reached through a tuple of references, as std::views::zip's are.
template <class Reference>
inline constexpr bool is_tuple_of_references_v = false;
template <class... Ts>
inline constexpr bool is_tuple_of_references_v<std::tuple<Ts&...>> = sizeof...(Ts) > 0;

/// Shows what such tuples refer to, from an element on, as rows on the device: the bytes of
/// std::tuples, whose constructors and assignments are functions of the host.
template <class... Ts>
class reference_columns {
 public:
  using row = raw_storage<std::tuple<std::remove_const_t<Ts>...>>;

  class reference {
   public:
    GPUSORT_HOST_DEVICE reference(const reference_columns& columns, std::uint64_t i)
        : columns_(columns), i_(i) {}

    GPUSORT_HOST_DEVICE operator row() const {
      row r;
      columns_.read(r, i_, all());
      return r;
    }
    GPUSORT_HOST_DEVICE void operator=(const row& r) const { columns_.write(r, i_, all()); }

   private:
    const reference_columns& columns_;
    std::uint64_t i_;
  };

  explicit reference_columns(const std::tuple<Ts&...>& first)
      : columns_(std::apply(
            [](Ts&... xs) { return cuda::std::tuple<Ts*...>(std::addressof(xs)...); }, first)) {}

  const cuda::std::tuple<Ts*...>& columns() const { return columns_; }

  /// Whether `last` refers to the n-th elements of arrays that begin at these.
  bool end_at(const reference_columns& last, std::uint64_t n) const {
    return is_end(last, static_cast<std::ptrdiff_t>(n - 1), all());
  }

  GPUSORT_HOST_DEVICE reference operator[](std::uint64_t i) const { return {*this, i}; }

 private:
  using all = std::index_sequence_for<Ts...>;

  template <std::size_t... Is>
  bool is_end(const reference_columns& last, std::ptrdiff_t distance,
              std::index_sequence<Is...>) const {
    return ((cuda::std::get<Is>(last.columns_) == cuda::std::get<Is>(columns_) + distance) && ...);
  }

  template <class To, class From>
  static GPUSORT_HOST_DEVICE void assign(To& to, const From& from) {
    copy_as_stored(const_cast<From&>(to), from);
  }
  template <std::size_t... Is>
  GPUSORT_HOST_DEVICE void read(row& to, std::uint64_t i, std::index_sequence<Is...>) const {
    const auto& tuple = stored_value(to);
    (assign(tuple_element{}.at<Is>(tuple), cuda::std::get<Is>(columns_)[i]), ...);
  }
  template <std::size_t... Is>
  GPUSORT_HOST_DEVICE void write(const row& from, std::uint64_t i,
                                 std::index_sequence<Is...>) const {
    const auto& tuple = stored_value(from);
    (assign(cuda::std::get<Is>(columns_)[i], tuple_element{}.at<Is>(tuple)), ...);
  }

  cuda::std::tuple<Ts*...> columns_;
};

template <class... Ts>
reference_columns(const std::tuple<Ts&...>&) -> reference_columns<Ts...>;

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
