// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/algorithm/word_sorts.hpp>
#include <gpusort/detail/kernel/encode.hpp>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/support/completion.hpp>
#include <gpusort/detail/support/element_order.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/order.hpp>
#include <gpusort/detail/support/order_by.hpp>
#include <gpusort/detail/support/scratch_cursor.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Records as the keys that an order_by, or a projection, packs them into, with their indices.
template <class Record, class Compare, class Index>
struct encoded_array {
  const Record* records;
  Compare compare;

  GPUSORT_DEVICE key_value<encoded_key_t<Compare, Record>, Index> load(std::uint64_t i) const {
    return {encode_key(compare, records[i]), static_cast<Index>(i)};
  }
};

/// Writes the long keys of n records, where the gate is set.
template <class Record, class Compare>
void encode_long_keys(cudaStream_t stream, kernel::predicate gate, const Record* records,
                      std::uint64_t n, Compare compare, long_key_t<Compare, Record>* keys) {
  constexpr int threads = 256, words_per_key = sizeof(*keys) / sizeof(std::uint64_t);
  launch(kernel::encode_long_kernel<threads, Record, Compare>,
         ceil_div<std::uint64_t>(n * words_per_key, threads), threads, 0, stream, gate, records, n,
         compare, reinterpret_cast<std::uint64_t*>(keys));
}

/// Holds what encoded_sample_sort sorts: packed keys with the indices of their records. Where the
/// sort is to be stable, the indices order equal keys.
template <class Record, class Compare, class Index, bool Stable>
struct encoded_pairs {
  using key = encoded_key_t<Compare, Record>;
  using array = key_value_array<key, Index>;
  using order = std::conditional_t<Stable, by_key_then_value<less>, by_key<by_stored_value<less>>>;
};

/// Finds the order of records by their packed keys: (key, index) pairs are sorted by comparisons.
/// PairSort is one of sample sort's routes for encoded_pairs.
///
/// Stable if these are. Scratch: a key for each record, and that of sorting the pairs. Launches:
/// one, where keys are words, and those of PairSort. No synchronization; capturable.
template <class Record, class Compare, class Index, class Pairs, class PairSort>
class encoded_sample_sort {
  using pairs = Pairs;
  static constexpr bool are_words = has_integer_key_v<Compare, Record>;

 public:
  static std::size_t scratch_bytes(std::uint64_t n) { return layout(n, nullptr).bytes; }

  /// Writes where the i-th record of the sorted range is now, for each i, into `indices`.
  static void order(const call_stream& stream, const Record* records, std::uint64_t n,
                    Compare compare, Index* indices, void* scratch) {
    const layout parts(n, scratch);
    const typename pairs::array words{parts.keys, indices};
    if constexpr (are_words) {
      constexpr int threads = 256;
      launch(kernel::encode_kernel<threads, Record, Compare, typename pairs::key, Index>,
             ceil_div<std::uint64_t>(n, threads), threads, 0, stream, records, n, compare, 0,
             static_cast<const Index*>(nullptr), parts.keys, indices);
      sort_words<PairSort>(stream, words, n, typename pairs::order{}, parts.temporary);
    } else {
      PairSort::run(stream, encoded_array<Record, Compare, Index>{records, compare}, words, n,
                    typename pairs::order{}, parts.temporary);
    }
  }

 private:
  static std::size_t sorting_bytes(std::uint64_t n) {
    if constexpr (are_words) {
      return word_sort_bytes<PairSort>(n);
    } else {
      return PairSort::scratch_bytes(n);
    }
  }

  struct layout {
    typename pairs::key* keys;
    unsigned char* temporary;
    std::size_t bytes;

    layout(std::uint64_t n, void* scratch) {
      scratch_cursor cursor(scratch);
      keys = cursor.take<typename pairs::key>(n);
      temporary = cursor.take<unsigned char>(sorting_bytes(n));
      bytes = cursor.used();
    }
  };
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
