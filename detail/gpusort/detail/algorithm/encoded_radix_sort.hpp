// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/algorithm/gather.hpp>
#include <gpusort/detail/algorithm/radix_sort.hpp>
#include <gpusort/detail/kernel/encode.hpp>
#include <gpusort/detail/support/order_by.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Writes 0, 1, ... n - 1.
template <class Index>
void iota(cudaStream_t stream, Index* out, std::uint64_t n) {
  constexpr int threads_per_block = 256;
  launch(kernel::iota_kernel<threads_per_block, Index>,
         ceil_div<std::uint64_t>(n, threads_per_block), threads_per_block, 0, stream, out, n);
}

/// The order of records by what an order_by, or a projection, reads of them: (key, index) pairs are
/// radix sorted. Keys longer than a word are sorted word by word, the least significant first.
///
/// Stable, so deterministic. Scratch: 2 words and 2 indices for each record, and CUB's. Launches:
/// for each word 1 and those of radix_sort. No synchronization; capturable. Source: paper 002
/// (sorting keys with indices and gathering once).
///
/// Index is unsigned, 4 bytes for n <= 2^32, else 8.
template <class Record, class Compare, class Index>
class encoded_radix_sort {
  static_assert(has_integer_key_v<Compare, Record>);
  static constexpr int bits = encoded_bits<Compare, Record>;

 public:
  /// Returns the bytes that are enough for order().
  static std::size_t order_scratch_bytes(std::uint64_t n) {
    return n == 0 ? 0 : layout(n, nullptr, 0).bytes;
  }

  /// Returns where the i-th record of the sorted range is now, for each i: in the last n indices of
  /// the `bytes` bytes of scratch, at least order_scratch_bytes(n), a multiple of 256.
  static const Index* order(cudaStream_t stream, const Record* records, std::uint64_t n,
                            Compare compare, void* scratch, std::size_t bytes) {
    if (n == 0) return static_cast<const Index*>(scratch);
    const layout parts(n, scratch, bytes);
    typename sorter::keys_buffer keys(parts.words[0], parts.words[1]);
    // Begins where it takes the passes, if CUB takes as many, to end at the end.
    typename sorter::values_buffer indices(parts.indices[0], parts.indices[1]);
    indices.selector = (passes() + 1) % 2;
    for (int w = 0; w < words; ++w) {
      launch(kernel::encode_kernel<threads_per_block, Record, Compare, word, Index>,
             ceil_div<std::uint64_t>(n, threads_per_block), threads_per_block, 0, stream, records,
             n, compare, w * word_bits, w == 0 ? nullptr : as_index(indices.Current()),
             keys.Current(), as_index(indices.Current()));
      sorter::sort_buffers(stream, keys, indices, n, bits_of(w), parts.temporary,
                           parts.temporary_bytes);
    }
    if (indices.selector == 0) {
      relocate(stream, parts.indices[0], parts.indices[1],
               static_cast<std::size_t>(n) * sizeof(Index));
    }
    return as_index(parts.indices[1]);
  }

 private:
  static constexpr int threads_per_block = 256;

  // Words of 8 bytes where two buffers of (word, index) fit in the records' own scratch, else of 4.
  // Words of 16 would move more at each pass than encoding the second half costs.
  static constexpr bool fits_8 =
      2 * (8 + sizeof(Index)) <= sizeof(Record) && encoded_bytes(bits) >= 8;
  using word = unsigned_of_size_t<fits_8 ? 8 : 4>;
  using sorter = radix_sort<word, Index>;
  static constexpr int word_bits = 8 * static_cast<int>(sizeof(word));
  static constexpr int words = ceil_div(bits, word_bits);

  static constexpr bit_range bits_of(int w) { return {0, min_of(bits - w * word_bits, word_bits)}; }
  static constexpr int passes() {
    int sum = 0;
    for (int w = 0; w < words; ++w) sum += ceil_div(bits_of(w).end, 8);
    return sum;
  }

  static Index* as_index(typename sorter::cub_value* p) { return reinterpret_cast<Index*>(p); }

  struct layout {
    word* words[2];
    typename sorter::cub_value* indices[2];
    std::size_t temporary_bytes;
    unsigned char* temporary;
    std::size_t bytes;  // at least

    layout(std::uint64_t n, void* scratch, std::size_t whole_bytes) {
      scratch_cursor cursor(scratch);
      for (word*& p : words) p = cursor.take<word>(n);
      temporary_bytes = sorter::temporary_bytes(n, bit_range::all<word>());
      temporary = cursor.take<unsigned char>(temporary_bytes);
      indices[0] = cursor.take<typename sorter::cub_value>(n);
      indices[1] = cursor.take<typename sorter::cub_value>(n);
      if (scratch != nullptr) {
        indices[1] = reinterpret_cast<typename sorter::cub_value*>(
            static_cast<unsigned char*>(scratch) + whole_bytes -
            static_cast<std::size_t>(n) * sizeof(Index));
      }
      bytes = cursor.used();
    }
  };
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
