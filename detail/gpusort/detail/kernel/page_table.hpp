// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

using global_size = unsigned long long;  // what 64-bit atomics take

/// Buckets that grow, in pages of an array: those that nobody has counted. Whoever claims the first
/// element of a bucket's page takes a page of the array for it. All but the last page of a bucket
/// are full in the end, so n elements take at most n / items + buckets pages. A block waits for
/// pages that others take, after it has taken all those that it has to take.
struct page_table {
  static constexpr std::uint32_t no_page = 0xffffffff;

  std::uint32_t* pages;  // the last one that is taken, then of each bucket `per_bucket`, all of
                         // them no_page at first
  std::uint32_t per_bucket;
  std::uint32_t items;  // of a page

  /// Returns the entries of a table of k buckets.
  std::uint64_t entries(std::uint64_t k) const { return k * per_bucket + 1; }

  GPUSORT_HOST_DEVICE bool is_used() const { return pages != nullptr; }

  /// Takes a page for a bucket. Whoever has claimed its first element calls, once.
  GPUSORT_DEVICE void take(std::uint32_t bucket, std::uint32_t page) const {
    *entry(bucket, page) = atomicAdd(pages, 1u) + 1;
  }

  /// Returns the first slot of a page of which an element has been claimed. Spins until the page
  /// has been taken: whoever claimed its first element is resident, and takes it without waiting
  /// for anyone.
  GPUSORT_DEVICE global_size begin(std::uint32_t bucket, std::uint32_t page) const {
    std::uint32_t number;
    do {
      number = *entry(bucket, page);
    } while (number == no_page);
    return global_size{number} * items;
  }

 private:
  /// Returns the entry, volatile, as a block may look while another one writes.
  GPUSORT_DEVICE volatile std::uint32_t* entry(std::uint32_t bucket, std::uint32_t page) const {
    return pages + 1 + global_size{bucket} * per_bucket + page;
  }
};

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
