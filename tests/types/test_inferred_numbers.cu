// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers under comparators: those whose order buckets learn, those of no such order, and those
// that mislead who learns.
#include <cstdint>
#include <gpusort/gpusort.hpp>

#include "../kit/expect_sorted.hpp"
#include "../kit/random.hpp"
#include "../kit/sizes.hpp"

namespace kit {
namespace {

class inferred_numbers : public gpu_test {};

struct ascending {
  template <class T>
  GPUSORT_HOST_DEVICE bool operator()(const T& a, const T& b) const {
    return a < b;
  }
};
struct descending {
  template <class T>
  GPUSORT_HOST_DEVICE bool operator()(const T& a, const T& b) const {
    return b < a;
  }
};
/// Neither ascending nor descending, and with equivalent numbers.
struct by_middle_digits {
  template <class T>
  static GPUSORT_HOST_DEVICE std::uint64_t digits(const T& x) {
    return static_cast<std::uint64_t>(x) >> 8 & 0xffff;
  }
  template <class T>
  GPUSORT_HOST_DEVICE bool operator()(const T& a, const T& b) const {
    return digits(a) < digits(b);
  }
};
/// Ascending, but for numbers that are rare and after all others.
struct ascending_with_exceptions {
  template <class T>
  static GPUSORT_HOST_DEVICE bool is_exception(const T& x) {
    return static_cast<std::uint64_t>(x) % 1021 == 5;
  }
  template <class T>
  GPUSORT_HOST_DEVICE bool operator()(const T& a, const T& b) const {
    if (is_exception(a) != is_exception(b)) return is_exception(b);
    return a < b;
  }
};

template <class T>
void sort_in_every_order(const column<T>& input) {
  SCOPED_TRACE(input.size());
  expect_sorted(input, ascending{}, ascending{});
  expect_sorted(input, descending{}, descending{});
  expect_sorted(input, by_middle_digits{}, by_middle_digits{});
  expect_sorted(input, ascending_with_exceptions{}, ascending_with_exceptions{});
}

template <class T>
void sort_as_inferred() {
  for (std::size_t n : {beyond_one_launch, std::size_t{300007}, std::size_t{20000003}}) {
    if (n > (device_is_cpu ? beyond_one_launch : small_sizes_only() ? 300007 : n)) continue;
    sort_in_every_order(make_all(
        n, [&](std::size_t i, std::size_t) { return static_cast<T>(random_at(25, i) >> 33); }));
  }
}

/// Random numbers, numbers of which most are small, and one number among few others.
template <class T>
void sort_in_a_cluster() {
  for (std::size_t n : {4096, 4097, 8192, 8193, 12000, 16384, 16385}) {
    const auto sort = [&](auto make) {
      const auto input = make_all(
          n, [&](std::size_t i, std::size_t) { return static_cast<T>(make(random_at(26, i))); });
      expect_sorted(input, gpusort::less{}, gpusort::less{});
      expect_sorted(input, gpusort::greater{}, gpusort::greater{});
      sort_in_every_order(input);
    };
    sort([](std::uint64_t r) { return r >> 33; });
    sort([](std::uint64_t r) { return r >> 33 >> r % 31; });
    sort([](std::uint64_t r) { return r % 16 ? 12345 : r >> 33; });
  }
}

TEST_F(inferred_numbers, few_of_them) {
  sort_in_a_cluster<std::uint32_t>();
  sort_in_a_cluster<std::int64_t>();
  sort_in_a_cluster<float>();
}

TEST_F(inferred_numbers, sorted_whatever_was_inferred) {
  sort_as_inferred<std::uint32_t>();
  sort_as_inferred<std::int64_t>();
  sort_as_inferred<float>();
}

}  // namespace
}  // namespace kit
