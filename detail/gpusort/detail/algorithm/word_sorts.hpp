// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/algorithm/cluster_sample_sort.hpp>
#include <gpusort/detail/algorithm/cub_radix_sort.hpp>
#include <gpusort/detail/algorithm/sample_sort.hpp>
#include <gpusort/detail/algorithm/single_launch_sample_sort.hpp>
#include <gpusort/detail/support/library.hpp>
#include <gpusort/detail/support/order.hpp>
#include <gpusort/detail/support/traits.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Words, and pairs of a word, which orders them, and an index.
using u64_words = key_array<std::uint64_t>;
using u32_pairs = key_value_array<std::uint32_t, std::uint32_t>;
using u64_pairs = key_value_array<std::uint64_t, std::uint32_t>;
using u128_pairs = key_value_array<widest_word, std::uint32_t>;
/// Orders of these: by the word, or, for a stable sort, equal words by the index.
using by_word = by_key<by_stored_value<less>>;
using by_word_then_index = by_key_then_value<less>;
using by_word_alone = by_stored_value<less>;

inline namespace GPUSORT_LINKED GPUSORT_HIDDEN {

/// Sorts words in place by a route of sample sort, Sort, which depends on no type of the program:
/// it comes from gpusort's library, where one is linked.
template <class Sort, class Array, class Order>
void sort_words(const call_stream& stream, Array words, std::uint64_t n, Order order,
                void* scratch);

/// Sorts words in place where `gate` is set when its kernels run.
template <class Sort, class Array, class Order>
void sort_words_if(const call_stream& stream, Array words, std::uint64_t n, Order order,
                   void* scratch, kernel::predicate gate);

/// Returns the bytes of scratch of both.
template <class Sort>
std::size_t word_sort_bytes(std::uint64_t n);

template <class Sort, class Array, class Order>
void sort_words(const call_stream& stream, Array words, std::uint64_t n, Order order,
                void* scratch) {
  Sort::run(stream, words, words, n, order, scratch);
}
template <class Sort, class Array, class Order>
void sort_words_if(const call_stream& stream, Array words, std::uint64_t n, Order order,
                   void* scratch, kernel::predicate gate) {
  Sort::run(stream, words, words, n, order, scratch, kernel::sortedness{}, gate);
}
template <class Sort>
std::size_t word_sort_bytes(std::uint64_t n) {
  return Sort::scratch_bytes(n);
}

#define GPUSORT_DETAIL_SORT_OF_WORDS(declare, sort, array, order)                                  \
  declare template void sort_words<sort<array, order>, array, order>(const call_stream&, array,    \
                                                                     std::uint64_t, order, void*); \
  declare template std::size_t word_sort_bytes<sort<array, order>>(std::uint64_t);

// Sorts of few pairs, in one launch.
#define GPUSORT_DETAIL_SORTS_OF_FEW_WORDS(declare, array, order)                 \
  GPUSORT_DETAIL_SORT_OF_WORDS(declare, tuned_cluster_sample_sort, array, order) \
  GPUSORT_DETAIL_SORT_OF_WORDS(declare, tuned_single_launch_sample_sort, array, order)

// Sorts of any number of words, and those that key inference may have to launch in vain.
#define GPUSORT_DETAIL_SORT_OF_MANY_WORDS(declare, array, order)                      \
  GPUSORT_DETAIL_SORT_OF_WORDS(declare, tuned_sample_sort, array, order)              \
  declare template void sort_words_if<tuned_sample_sort<array, order>, array, order>( \
      const call_stream&, array, std::uint64_t, order, void*, kernel::predicate);

// All sorts of the library for pairs of one word in one order, by their names: a program declares
// them, a source of engines/ defines them. More pairs of 4 bytes are sorted by radix.
#define GPUSORT_DETAIL_SORTS_OF_u32_PAIRS(declare, order) \
  GPUSORT_DETAIL_SORTS_OF_FEW_WORDS(declare, u32_pairs, order)
#define GPUSORT_DETAIL_SORTS_OF_u64_PAIRS(declare, order)      \
  GPUSORT_DETAIL_SORTS_OF_FEW_WORDS(declare, u64_pairs, order) \
  GPUSORT_DETAIL_SORT_OF_MANY_WORDS(declare, u64_pairs, order) \
  GPUSORT_DETAIL_SORTS_WITH_##order(declare)
#define GPUSORT_DETAIL_SORTS_OF_u128_PAIRS(declare, order)      \
  GPUSORT_DETAIL_SORTS_OF_FEW_WORDS(declare, u128_pairs, order) \
  GPUSORT_DETAIL_SORT_OF_MANY_WORDS(declare, u128_pairs, order)

// Words with an index in their lower half, of key inference, are compiled with one of those.
#define GPUSORT_DETAIL_SORTS_WITH_by_word(declare) \
  GPUSORT_DETAIL_SORT_OF_MANY_WORDS(declare, u64_words, by_word_alone)
#define GPUSORT_DETAIL_SORTS_WITH_by_word_then_index(declare)

#define GPUSORT_DETAIL_SORTS_OF_PAIRS(declare, word, order) \
  GPUSORT_DETAIL_SORTS_OF_##word##_PAIRS(declare, order)

#if GPUSORT_HAS_LIBRARY
GPUSORT_DETAIL_SORTS_OF_PAIRS(extern, u32, by_word)
GPUSORT_DETAIL_SORTS_OF_PAIRS(extern, u32, by_word_then_index)
GPUSORT_DETAIL_SORTS_OF_PAIRS(extern, u64, by_word)
GPUSORT_DETAIL_SORTS_OF_PAIRS(extern, u64, by_word_then_index)
GPUSORT_DETAIL_SORTS_OF_PAIRS(extern, u128, by_word)
GPUSORT_DETAIL_SORTS_OF_PAIRS(extern, u128, by_word_then_index)
#endif

}  // namespace GPUSORT_LINKED
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
