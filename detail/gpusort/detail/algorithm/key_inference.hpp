// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/algorithm/gather.hpp>
#include <gpusort/detail/algorithm/word_sorts.hpp>
#include <gpusort/detail/kernel/copy_back_and_verify.hpp>
#include <gpusort/detail/kernel/extract_words.hpp>
#include <gpusort/detail/kernel/infer_order.hpp>
#include <gpusort/detail/kernel/order_ties.hpp>
#include <gpusort/detail/support/element_order.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// The grid of passes over the words.
struct inference_pass {
  static constexpr int threads_per_block = 256;
  static constexpr int blocks = 1 << 11;  // 2^19 threads, more than are resident
};

/// Holds what a key inference finds, in memory that lasts until the sort after it has ended.
struct key_inference_result {
  kernel::sortedness probe;
  kernel::inferred* inferred;
  std::size_t bytes;

  explicit key_inference_result(void* memory) {
    scratch_cursor cursor(memory);
    // Enough to copy at full bandwidth, with several blocks on each multiprocessor.
    probe.blocks = 4 * current_device_properties().multiprocessors;
    probe.violations = cursor.take<std::uint32_t>(probe.blocks);
    inferred = cursor.take<kernel::inferred>(1);
    probe.all = &inferred->violations;
    bytes = cursor.used();
  }

  /// Returns the gate of what is done only where an order has been inferred.
  kernel::predicate is_any() const { return {&inferred->is_any}; }

  template <int Alignment, class Element, class Compare>
  void learn(const call_stream& stream, const Element* elements, std::uint64_t n,
             Compare compare) const {
    check(cudaMemsetAsync(&inferred->ticket, 0, sizeof(inferred->ticket), stream),
          "clearing a counter");
    launch(kernel::infer_order_kernel<Alignment, Element, Compare>, 1 + probe.blocks,
           kernel::inferred_sorter::threads_per_block, 0, stream, elements, n, probe,
           stream.seed().bits, inferred, compare);
  }
};

inline namespace GPUSORT_LINKED GPUSORT_HIDDEN {

/// Writes the words by which `found` says that n elements are ordered, and their indices.
GPUSORT_LINKABLE void extract_words(cudaStream_t stream, const void* elements,
                                    std::size_t element_bytes, std::uint64_t n,
                                    const kernel::inferred* found, std::uint64_t* words,
                                    std::uint32_t* indices);

#if GPUSORT_DEFINES_LINKABLE
GPUSORT_LINKABLE void extract_words(cudaStream_t stream, const void* elements,
                                    std::size_t element_bytes, std::uint64_t n,
                                    const kernel::inferred* found, std::uint64_t* words,
                                    std::uint32_t* indices) {
  using tuning = inference_pass;
  launch(kernel::extract_words_kernel<tuning::threads_per_block>, tuning::blocks,
         tuning::threads_per_block, 0, stream, static_cast<const unsigned char*>(elements),
         element_bytes, n, found, words, indices);
}
#endif

}  // namespace GPUSORT_LINKED

/// Infers what is needed before elements are sorted by a comparator of which nothing is known. Most
/// compare a member. So the order of a sample is compared with that of each word of the elements;
/// where one agrees, words are sorted with their indices, elements with equal words are compared,
/// and each is moved once. On the way back all neighbours are compared: either the sort that
/// follows has nothing left to do, or, where the sample was misleading, it sorts as if nothing had
/// happened. An input that is in order already is left as it is.
///
/// Not stable. A permutation for any comparator. Scratch: n elements and 4%. Launches: 10 at most,
/// a memset, and those of one sort of words, or of two where elements have words of 8 bytes. No
/// synchronization; capturable. The idea is ours; the rest: paper 003, section 6, and paper 002.
///
/// Elements, fewer than 2^32, are aligned to Alignment.
template <class Element, int Alignment, class Compare>
class key_inference {
  using narrow_sort = tuned_sample_sort<u64_words, by_word_alone>;
  using wide_sort = tuned_sample_sort<u64_pairs, by_word>;
  static constexpr bool has_wide_words = Alignment % 8 == 0;
  static_assert(sizeof(Element) >= 20 && Alignment % 4 == 0);
  static_assert(kernel::not_ascending == 1, "the result is a condition for moving elements");

 public:
  static std::size_t scratch_bytes(std::uint64_t n) {
    const std::size_t moving =
        permutation_scratch::bytes_for(n, sizeof(Element), sizeof(std::uint32_t));
    const std::size_t sorting =
        layout(n, nullptr).bytes + static_cast<std::size_t>(n) * sizeof(std::uint32_t);
    return round_up<std::size_t>(moving < sorting ? sorting : moving, scratch_cursor::alignment);
  }

  /// Sorts with `bytes` of scratch, at least scratch_bytes(n).
  static void run(const call_stream& stream, Element* elements, std::uint64_t n, Compare compare,
                  const key_inference_result& found, void* scratch, std::size_t bytes) {
    found.learn<Alignment>(stream, elements, n, compare);
    const permutation_scratch moving{n, sizeof(Element), sizeof(std::uint32_t), bytes};
    sort_words(stream, elements, n, found.inferred, compare, scratch, moving);
    auto* const moved = static_cast<Element*>(scratch);
    using move = gather<Element, std::uint32_t>;
    move::run_over_order(stream, elements, moving, moved, found.is_any());
    move::with_pieces(moved, elements, [&](auto piece) {
      launch(
          kernel::copy_back_and_verify_kernel<copy_back_threads, decltype(piece), Element, Compare>,
          found.probe.blocks, copy_back_threads, 0, stream, moved, elements, n, found.probe,
          found.is_any(), compare);
    });
  }

 private:
  static constexpr int copy_back_threads = 512;

  /// Words, and what sorting them takes. The resulting indices follow in the scratch.
  struct layout {
    std::uint64_t* words;
    unsigned char* temporary;
    std::size_t bytes;

    layout(std::uint64_t n, void* scratch) {
      scratch_cursor cursor(scratch);
      words = cursor.take<std::uint64_t>(n);
      std::size_t most = word_sort_bytes<narrow_sort>(n);
      if constexpr (has_wide_words) most = (std::max)(most, word_sort_bytes<wide_sort>(n));
      temporary = cursor.take<unsigned char>(most);
      bytes = cursor.used();
    }
  };

  /// Writes where each element is to come from to the end of the scratch memory.
  static void sort_words(const call_stream& stream, const Element* elements, std::uint64_t n,
                         const kernel::inferred* inferred, Compare compare, void* scratch,
                         const permutation_scratch& moving) {
    const layout parts(n, scratch);
    auto* const indices = reinterpret_cast<std::uint32_t*>(static_cast<unsigned char*>(scratch) +
                                                           moving.first_index_byte());
    extract_words(stream, elements, sizeof(Element), n, inferred, parts.words, indices);
    const kernel::predicate is_narrow{&inferred->is_narrow};
    sort_words_if<narrow_sort>(stream, u64_words{parts.words}, n, by_word_alone{}, parts.temporary,
                               is_narrow);
    order_ties(stream, kernel::sorted_words{parts.words, nullptr}, n, elements, indices, is_narrow,
               compare);
    if constexpr (has_wide_words) {
      const kernel::predicate is_wide{&inferred->is_wide};
      sort_words_if<wide_sort>(stream, u64_pairs{parts.words, indices}, n, by_word{},
                               parts.temporary, is_wide);
      order_ties(stream, kernel::sorted_words{parts.words, indices}, n, elements, indices, is_wide,
                 compare);
    }
  }

  static void order_ties(cudaStream_t stream, const kernel::sorted_words& sorted, std::uint64_t n,
                         const Element* elements, std::uint32_t* indices, kernel::predicate gate,
                         Compare compare) {
    using tuning = inference_pass;
    launch(kernel::order_ties_kernel<tuning::threads_per_block, Element, Compare>, tuning::blocks,
           tuning::threads_per_block, 0, stream, sorted, n, elements, indices, gate, compare);
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
