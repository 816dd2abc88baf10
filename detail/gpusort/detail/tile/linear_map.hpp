// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cfloat>
#include <cstdint>
#include <gpusort/detail/support/bit_order.hpp>
#include <gpusort/detail/support/order.hpp>
#include <gpusort/detail/tile/order_preserving_bits.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// Tells what a number of an array's elements stands for, on a scale on which keys are often spread
/// evenly, where it is not the number itself: the double that is held as an integer.
template <class Array, class Compare>
struct linear_value {
  static constexpr bool is_number = true;
};

template <bool Descending>
struct value_of_double {
  static constexpr bool is_number = false;
  /// Returns the value; NaNs become the infinities next to them.
  static GPUSORT_DEVICE double of(std::uint64_t number) {
    const auto value = as_ordered_bits::decode<double>(Descending ? ~number : number);
    if (value != value) return __longlong_as_double(number >> 63 ? infinity : infinity | sign);
    return Descending ? -value : value;
  }

 private:
  static constexpr long long infinity = 0x7ffll << 52;
  static constexpr long long sign = static_cast<long long>(1ull << 63);
};

template <>
struct linear_value<key_array<double, as_ordered_bits>, by_stored_value<less>>
    : value_of_double<false> {};
template <>
struct linear_value<key_array<double, as_ordered_bits>, by_stored_value<greater>>
    : value_of_double<true> {};
template <class Value, class Compare>
struct linear_value<key_value_array<double, Value, as_ordered_bits>, by_key<Compare>>
    : linear_value<key_array<double, as_ordered_bits>, Compare> {};
// Where the order is descending, of the value with the other sign: its bits are all others.
template <>
struct linear_value<key_array<std::uint64_t, held_by<bit_order<std::uint64_t, true>>>,
                    by_stored_value<less>> : value_of_double<false> {};
template <class Value>
struct linear_value<key_value_array<std::uint64_t, Value, held_by<bit_order<std::uint64_t, true>>>,
                    by_key<by_stored_value<less>>> : value_of_double<false> {};

/// Buckets that are equally wide: found by a multiplication, where splitters take a comparison and
/// a read for each level of their tree. For unsigned numbers, or doubles, whose bits are stored.
struct linear_map {
  std::uint64_t low;    // the first bucket has everything below, too
  std::uint64_t scale;  // 2^64 / width of a bucket, or 1 / width; 0: there are splitters instead
  int last;             // the last bucket has everything above, too
  bool of_values;       // of linear_value, not of the numbers themselves

  GPUSORT_DEVICE bool is_used() const { return scale != 0; }

  /// Returns the bucket, ascending in the value, so that any map partitions.
  GPUSORT_DEVICE int bucket_of(std::uint64_t value) const {
    const std::uint64_t distance = value > low ? value - low : 0;
    const std::uint64_t bucket = __umul64hi(distance, scale);
    return bucket < static_cast<std::uint64_t>(last) ? static_cast<int>(bucket) : last;
  }
  GPUSORT_DEVICE int bucket_of(double value) const {
    const double bucket = (value - as_double(low)) * as_double(scale);
    return bucket >= last ? last : bucket > 0 ? static_cast<int>(bucket) : 0;
  }

  /// Makes a map of `buckets` buckets from low to high.
  static GPUSORT_DEVICE linear_map between(std::uint64_t low, std::uint64_t high, int buckets) {
    const std::uint64_t width = (high - low) / buckets + 1;
    return {low, ~std::uint64_t{0} / width, buckets - 1, false};
  }
  static GPUSORT_DEVICE linear_map between(double low, double high, int buckets) {
    const double scale = buckets / (high - low);
    // Not where the values are equal, or so close or so far apart that a double cannot say it.
    if (!(scale > 0 && scale <= DBL_MAX)) return {};
    return {as_bits(low), as_bits(scale), buckets - 1, true};
  }

 private:
  static GPUSORT_DEVICE double as_double(std::uint64_t bits) {
    return __longlong_as_double(static_cast<long long>(bits));
  }
  static GPUSORT_DEVICE std::uint64_t as_bits(double x) {
    return static_cast<std::uint64_t>(__double_as_longlong(x));
  }
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
