// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// @file
/// Putting ranges into an order that is given by indices, as argsort writes them:
/// apply_permutation, and its inverse, apply_inverse_permutation.
///
/// Common to both calls:
/// - Elements are trivially relocatable (gpusort::is_trivially_relocatable), and are moved as
///   bytes.
/// - The n indices are integers of 4 or 8 bytes: each from 0 to n - 1, once. Where they are not,
///   nothing moves. With indices in host memory, under verify, and on the CPU,
///   std::invalid_argument says so; indices in device or managed memory are not read by the host,
///   and nothing says so.
/// - Ranges and indices may be in device, managed, pinned or pageable memory. Contiguous ones are
///   used where they are; others through a contiguous copy. Host memory is staged.
/// - On a machine without a CUDA device, or compiled without nvcc, the CPU does the same.
/// - in_place, and where scratch cannot be allocated: elements are swapped along the cycles, more
///   slowly; scratch is then for indices only. Forced algorithms and deterministic are of no
///   consequence.
/// - Synchronization: par_gpu returns when the result is ready, par_gpu_nosync when the work is on
///   the stream, which may be under capture. A call with host memory waits for its result under
///   par_gpu_nosync too.
///
/// | Thrown | When |
/// |---|---|
/// | std::invalid_argument | ranges make no sense, or indices are no permutation, as above |
/// | gpusort::cuda_error | CUDA reports an error |
/// | gpusort::out_of_memory | scratch cannot be allocated |
///
/// After an exception the ranges are as they were.
#pragma once

#include <gpusort/detail/dispatch/permute.hpp>
#include <gpusort/detail/dispatch/requirements/arguments.hpp>
#include <gpusort/detail/dispatch/requirements/misuse.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <gpusort/execution_policy.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

template <class Policy, class Iterator, class IndexIterator>
using enable_permutation = std::enable_if_t<
    is_policy<Policy>::value && is_random_access_v<Iterator> && is_iterator_v<IndexIterator>, int>;

template <bool Inverse, class Policy, class Iterator, class IndexIterator, class... Iterators>
void permute_checked_ranges(const Policy& policy, Iterator first, Iterator last,
                            IndexIterator indices, Iterators... others) {
  require_indices<IndexIterator>();
  require_writable<Iterator>();
  (require_writable<Iterators>(), ...);
  permute_ranges<Inverse>(overwriting_call_of(policy), length_of(first, last), indices, first,
                          others...);
}

}  // namespace detail

/// Puts [first, last) into the order of indices: element i becomes what element indices[i] was.
///
/// With what argsort has written, the range is sorted. Common: see the top of this file.
///
/// @param policy  par_gpu or par_gpu_nosync, with its stream, allocator and options
/// @param first  the beginning of the range, a random access iterator
/// @param last  its end
/// @param indices  the beginning of n indices, which stay as they are
/// @param others  the beginnings of more ranges of n elements, which are put into the same order
/// @pre No two of the ranges and the indices overlap.
/// @par Scratch
/// | Way | Bytes |
/// |---|---|
/// | by a copy | n / 8, and n times the largest element's |
/// | by cycles, up to 4096 elements | n / 8 |
/// | by cycles, more elements | n / 8, and 0.7 times the indices' |
/// @par Source
/// Paper 002 (records moved by groups of threads); by cycles docs/internals/container_free.md.
template <class Policy, class Iterator, class IndexIterator, class... Iterators,
          detail::enable_permutation<Policy, Iterator, IndexIterator> = 0>
void apply_permutation(const Policy& policy, Iterator first, Iterator last, IndexIterator indices,
                       Iterators... others) {
  const detail::public_call name("apply_permutation");
  detail::permute_checked_ranges<false>(policy, first, last, indices, others...);
}

/// Undoes apply_permutation: element i goes to indices[i].
///
/// Common: see the top of this file.
///
/// @param policy  as in apply_permutation, like first, last, indices and others
/// @pre No two of the ranges and the indices overlap.
/// @par Scratch
/// | Way | Bytes |
/// |---|---|
/// | by a copy | as apply_permutation |
/// | by cycles | as apply_permutation, and the indices' once more |
/// @par Source
/// As apply_permutation.
template <class Policy, class Iterator, class IndexIterator, class... Iterators,
          detail::enable_permutation<Policy, Iterator, IndexIterator> = 0>
void apply_inverse_permutation(const Policy& policy, Iterator first, Iterator last,
                               IndexIterator indices, Iterators... others) {
  const detail::public_call name("apply_inverse_permutation");
  detail::permute_checked_ranges<true>(policy, first, last, indices, others...);
}

GPUSORT_DETAIL_REFUSE(apply_permutation, 3)
GPUSORT_DETAIL_REFUSE(apply_inverse_permutation, 3)

}  // namespace GPUSORT_ABI
}  // namespace gpusort
