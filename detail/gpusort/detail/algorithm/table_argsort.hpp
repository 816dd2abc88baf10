// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/algorithm/encoded_radix_sort.hpp>
#include <gpusort/detail/kernel/table.hpp>
#include <gpusort/detail/support/completion.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/scratch_cursor.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// The order of a table's rows by columns whose types are known at run time only. One kernel makes
/// words of the keys and the ranks of the rows, which are sorted as numbers; long keys take several
/// rounds, from the least significant word on.
///
/// Stable, so deterministic. Scratch: a word for each row, of 8 bytes where the key and log2 n bits
/// fit in it, else of 16; for longer keys an index more; and what the sort of the words takes.
/// Launches: for each word 2 and the sort's. No synchronization; capturable.
///
/// Index is unsigned, 4 bytes for n <= 2^32, else 8.
template <class Index>
class table_argsort {
 public:
  table_argsort(const row_keys& keys, std::uint64_t n) : keys_(keys), n_(n), cuts_(keys.bits, n) {}

  std::size_t scratch_bytes() const { return layout(*this, nullptr).bytes; }

  /// Writes order[i], the index of the i-th row in order. sort(words, n) sorts words of 8 bytes, or
  /// of 16.
  template <class Sort>
  void run(cudaStream_t stream, Index* order, void* scratch, const Sort& sort) const {
    if (cuts_.windows() == 0) return iota(stream, order, n_);
    const layout parts(*this, scratch);
    const auto blocks = ceil_div<std::uint64_t>(n_, threads_per_block);
    const Index* from = nullptr;
    for (std::uint64_t w = cuts_.windows(); w-- > 0;) {
      Index* const to = w % 2 == 0 ? order : parts.order;  // the last one, 0, writes the result
      cuts_.with_word(w, [&](auto zero) {
        using word = decltype(zero);
        auto* const words = static_cast<word*>(parts.words);
        launch(kernel::encode_rows_kernel<threads_per_block, word, Index>, blocks,
               threads_per_block, 0, stream, keys_, cuts_.begin(w), cuts_.width(w), from, n_,
               words);
        sort(words, n_);
        launch(kernel::order_of_words_kernel<threads_per_block, word, Index>, blocks,
               threads_per_block, 0, stream, words, cuts_.rank_bits, from, n_, to);
      });
      from = to;
    }
  }

 private:
  static constexpr int threads_per_block = 256;

  struct layout {
    void* words = nullptr;
    Index* order = nullptr;
    std::size_t bytes = 0;

    layout(const table_argsort& sort, void* scratch) {
      scratch_cursor cursor(scratch);
      if (sort.cuts_.windows() == 0) return;
      words = sort.cuts_.word_bytes() == sizeof(std::uint64_t)
                  ? static_cast<void*>(cursor.take<std::uint64_t>(sort.n_))
                  : cursor.take<widest_word>(sort.n_);
      if (sort.cuts_.windows() > 1) order = cursor.take<Index>(sort.n_);
      bytes = cursor.used();
    }
  };

  const row_keys& keys_;
  std::uint64_t n_;
  key_cuts cuts_;
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
