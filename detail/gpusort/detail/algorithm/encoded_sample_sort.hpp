// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/support/completion.hpp>
#include <gpusort/detail/support/element_order.hpp>
#include <gpusort/detail/support/order.hpp>
#include <gpusort/detail/support/order_by.hpp>
#include <gpusort/detail/support/scratch_cursor.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Records as the keys that an order_by, or a projection, packs them into, with their indices.
template <class Record, class Compare, class Index>
struct encoded_array {
  using encoding = key_encoding<Compare, Record>;

  const Record* records;
  Compare compare;

  GPUSORT_DEVICE key_value<typename encoding::key_type, Index> load(std::uint64_t i) const {
    return {encoding::encode(compare, records[i]), static_cast<Index>(i)};
  }
};

/// What encoded_sample_sort sorts: packed keys with the indices of their records.
template <class Record, class Compare, class Index>
struct encoded_pairs {
  using key = typename key_encoding<Compare, Record>::key_type;
  using array = key_value_array<key, Index>;
  using order = by_key_then_value<less>;
};

/// The order of few records by their packed keys: (key, index) pairs are sorted by comparisons, in
/// one launch, where radix sort would take several passes of several launches. PairSort is one of
/// sample sort's routes for few elements.
///
/// Stable. Scratch: two pairs for each record, and some KB. No synchronization; capturable.
template <class Record, class Compare, class Index, class PairSort>
class encoded_sample_sort {
  using pairs = encoded_pairs<Record, Compare, Index>;

 public:
  static std::size_t scratch_bytes(std::uint64_t n) { return layout(n, nullptr).bytes; }

  /// Where the i-th record of the sorted range is now, for each i, into `indices`.
  static void order(const call_stream& stream, const Record* records, std::uint64_t n,
                    Compare compare, Index* indices, void* scratch) {
    const layout parts(n, scratch);
    PairSort::run(stream, encoded_array<Record, Compare, Index>{records, compare},
                  typename pairs::array{parts.keys, indices}, n, {}, parts.temporary);
  }

 private:
  struct layout {
    typename pairs::key* keys;
    unsigned char* temporary;
    std::size_t bytes;

    layout(std::uint64_t n, void* scratch) {
      scratch_cursor cursor(scratch);
      keys = cursor.take<typename pairs::key>(n);
      temporary = cursor.take<unsigned char>(PairSort::scratch_bytes(n));
      bytes = cursor.used();
    }
  };
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
