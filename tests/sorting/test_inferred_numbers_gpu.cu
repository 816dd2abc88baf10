// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers under comparators: those whose order buckets learn, those of no such order, and those
// that mislead who learns.
#include <cstdint>
#include <string>

#include "../kit/expect_sorted.hpp"
#include "../kit/subject.hpp"

namespace kit {
namespace {

class inferred_numbers : public gpu_test {};

constexpr behavior orders[] = {behavior::honest, behavior::descending, behavior::middle_digits,
                               behavior::exceptions};

/// Sorts under comparators that subjects have compiled, but for signed integers of 64 bits.
template <class T>
void sort_in_every_order(const column<T>& input) {
  for (behavior order : orders) {
    SCOPED_TRACE(std::string(name_of(order)) + ", n = " + std::to_string(input.size()));
    if constexpr (std::is_same_v<T, std::int64_t>) {
      expect_sorted(input, opaque(order), opaque(order));
    } else {
      expect_sorts<subject<T, opaque>>(input, opaque(order));
    }
  }
}

template <class T>
void sort_as_inferred() {
  for (std::size_t n : {beyond_one_launch, std::size_t{300007}, std::size_t{20000003}}) {
    if (n > (device_is_cpu ? beyond_one_launch : small_sizes_only() ? 300007 : n)) continue;
    sort_in_every_order(make_all(
        n, [&](std::size_t i, std::size_t) { return static_cast<T>(random_at(25, i) >> 33); }));
  }
}

TEST_F(inferred_numbers, sorted_whatever_was_inferred) {
  sort_as_inferred<std::uint32_t>();
  sort_as_inferred<std::int64_t>();
  sort_as_inferred<float>();
}

constexpr std::size_t sizes_in_a_cluster[] = {4096, 4097, 8192, 8193, 12000, 16384, 16385};

/// Calls visit(input): random numbers, numbers of which most are small, and one number among few
/// others.
template <class T, class Visit>
void for_each_in_a_cluster(Visit visit) {
  using number_at = std::uint64_t (*)(std::uint64_t);
  for (std::size_t n : sizes_in_a_cluster) {
    for (number_at make : {number_at([](std::uint64_t r) { return r >> 33; }),
                           number_at([](std::uint64_t r) { return r >> 33 >> r % 31; }),
                           number_at([](std::uint64_t r) { return r % 16 ? 12345 : r >> 33; })}) {
      visit(make_all(
          n, [&](std::size_t i, std::size_t) { return static_cast<T>(make(random_at(26, i))); }));
    }
  }
}

TEST_F(inferred_numbers, few_of_them) {
  const auto visit = [](const auto& input) { sort_in_every_order(input); };
  for_each_in_a_cluster<std::uint32_t>(visit);
  for_each_in_a_cluster<std::int64_t>(visit);
  for_each_in_a_cluster<float>(visit);
}

/// Sorts in an order that the library sees through.
template <class T, class Compare>
void sort_few_seen_through() {
  for_each_in_a_cluster<T>(
      [](const column<T>& input) { expect_sorts<subject<T, Compare>>(input); });
}

TEST_F(inferred_numbers, few_in_orders_that_are_known) {
  sort_few_seen_through<std::uint32_t, gpusort::less>();
  sort_few_seen_through<std::uint32_t, gpusort::greater>();
  sort_few_seen_through<std::uint64_t, gpusort::less>();
  sort_few_seen_through<std::int64_t, gpusort::greater>();
  sort_few_seen_through<float, gpusort::less>();
  sort_few_seen_through<float, gpusort::greater>();
}

}  // namespace
}  // namespace kit
