// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/launch.hpp>
#include <type_traits>

#include "cut_runs.hpp"
#include "merge_window.hpp"

namespace papers {

// A block of Width threads walks through a sorted sequence in blocks of Width elements: thread i
// holds element i of the next one, of which there are `count`. Only the last block is shorter, and
// an empty one ends the sequence. There are two kinds of sequence: a run in global memory, whose
// next block is loaded ahead, and what a merger below makes of two sequences.

template <class Array, int Width>
class run_reader {
 public:
  using value_type = typename Array::value_type;
  struct storage {};

  GPUSORT_DEVICE run_reader(Array run, std::uint64_t left) : run_(run), left_(left) {}

  template <class Compare>
  GPUSORT_DEVICE void start(storage& shared, Compare& compare) {
    next(shared, compare);
  }

  template <class Compare>
  GPUSORT_DEVICE void next(storage&, Compare&) {
    count = static_cast<int>(left_ < Width ? left_ : Width);
    if (static_cast<int>(threadIdx.x) < count) item = run_.load(threadIdx.x);
    run_ = run_ + count;
    left_ -= count;
  }

  value_type item;
  int count;

 private:
  Array run_;
  std::uint64_t left_;
};

/// An element that remembers which of two sequences it came from.
template <class T>
struct with_origin {
  T item;
  bool is_from_b;
};

/// Equivalent elements of a precede those of b: one comparison, whose direction the origins choose.
template <class Compare>
struct by_origin {
  Compare& compare;

  template <class T>
  GPUSORT_DEVICE bool operator()(const with_origin<T>& x, const with_origin<T>& y) const {
    if (!x.is_from_b && y.is_from_b) return !compare(y.item, x.item);
    return compare(x.item, y.item);
  }
};

/// Merges two sequences of any length with O(Width) shared memory, by a method that merges a window
/// of 2 * Width elements: each step takes the block whose first element is smaller, merges it with
/// the elements that the step before kept back, gives the first Width of them away and keeps the
/// rest. Where a sequence ends the window is not full; the paper fills it up with a sentinel, which
/// costs it a key value.
///
/// Stable, the rest comes first in the window and each element remembers its origin. The paper does
/// the first only, and an element of b that was kept back then overtakes an equivalent one of a
/// that is taken later. Source: paper 003, section 5.3.4, algorithm 4 and appendix B.
template <int Width, template <class, int> class Method, bool Stable, class A, class B>
class block_wise_merger {
 public:
  using value_type = typename A::value_type;

 private:
  using held = std::conditional_t<Stable, with_origin<value_type>, value_type>;
  using method = Method<held, Width>;
  static_assert(!Stable || method::is_stable);

 public:
  struct storage {
    held items[2 * Width];
    bool takes_a;
    typename A::storage a;
    typename B::storage b;
  };

  GPUSORT_DEVICE block_wise_merger(const A& a, const B& b) : a_(a), b_(b) {}

  template <class Compare>
  GPUSORT_DEVICE void start(storage& shared, Compare& compare) {
    a_.start(shared.a, compare);
    b_.start(shared.b, compare);
    rest_ = take(shared, Stable ? lower_half : upper_half, compare);
    __syncthreads();
    next(shared, compare);
  }

  template <class Compare>
  GPUSORT_DEVICE void next(storage& shared, Compare& compare) {
    const int taken = take(shared, Stable ? upper_half : lower_half, compare);
    __syncthreads();
    const int lower = Stable ? rest_ : taken, upper = Stable ? taken : rest_;
    if (lower > 0 && upper > 0) {
      if constexpr (Stable) {
        by_origin<Compare> stable_compare{compare};
        method::merge(shared.items, lower, upper, stable_compare);
      } else {
        method::merge(shared.items, lower, upper, compare);
      }
    }
    const held* const merged = shared.items + Width - lower;
    const int i = static_cast<int>(threadIdx.x), total = lower + upper;
    count = detail::min_of(total, Width);
    rest_ = total - count;
    if (i < count) item = release(merged[i]);
    keep_rest(shared, merged + Width);
  }

  value_type item;
  int count;

 private:
  enum half { lower_half, upper_half };

  /// Moves the next block of the two sequences into its half of the window. Begins with a barrier:
  /// the window is no longer read.
  template <class Compare>
  GPUSORT_DEVICE int take(storage& shared, half to, Compare& compare) {
    if (threadIdx.x == 0) {
      shared.takes_a = b_.count == 0 || (a_.count > 0 && !compare(b_.item, a_.item));
    }
    __syncthreads();
    if (shared.takes_a) return take_from(a_, shared.a, false, shared, to, compare);
    return take_from(b_, shared.b, true, shared, to, compare);
  }

  template <class Sequence, class Compare>
  static GPUSORT_DEVICE int take_from(Sequence& from, typename Sequence::storage& of_from,
                                      bool is_from_b, storage& shared, half to, Compare& compare) {
    const int taken = from.count, i = static_cast<int>(threadIdx.x);
    if (i < taken) {
      shared.items[(to == lower_half ? Width - taken : Width) + i] = hold(from.item, is_from_b);
    }
    if (taken > 0) from.next(of_from, compare);
    return taken;
  }

  /// Moves what is kept back to its half; where a full block came below it, it is there already.
  GPUSORT_DEVICE void keep_rest(storage& shared, const held* rest) {
    held* const to = shared.items + (Stable ? Width - rest_ : Width);
    if (rest == to || rest_ == 0) return;
    const int i = static_cast<int>(threadIdx.x);
    held kept;
    if (i < rest_) kept = rest[i];
    __syncthreads();
    if (i < rest_) to[i] = kept;
  }

  static GPUSORT_DEVICE held hold(const value_type& x, bool is_from_b) {
    if constexpr (Stable) {
      return {x, is_from_b};
    } else {
      return x;
    }
  }

  static GPUSORT_DEVICE value_type release(const held& x) {
    if constexpr (Stable) {
      return x.item;
    } else {
      return x;
    }
  }

  A a_;
  B b_;
  int rest_;  // elements in the window that were kept back
};

/// Stores all that a merger gives, by one block.
template <class Merger, class Array, class Compare>
GPUSORT_DEVICE void store_merged(Merger merger, typename Merger::storage& shared, Array out,
                                 Compare& compare) {
  for (merger.start(shared, compare); merger.count > 0; merger.next(shared, compare)) {
    if (static_cast<int>(threadIdx.x) < merger.count) out.store(threadIdx.x, merger.item);
    out = out + merger.count;
  }
}

template <int Width, template <class, int> class Method, bool Stable, class Array, class Compare>
__global__ void __launch_bounds__(Width)
    block_wise_merge_kernel(cut_runs<Array, 2> from, Array out, Compare compare) {
  using reader = run_reader<Array, Width>;
  using merger = block_wise_merger<Width, Method, Stable, reader, reader>;
  __shared__ typename merger::storage shared;
  const auto a = from.of(blockIdx.x, 0), b = from.of(blockIdx.x, 1);
  store_merged(merger(reader(a.array, a.count), reader(b.array, b.count)), shared,
               out + from.merged_begin(blockIdx.x), compare);
}

/// Merges every part of two runs, block-wise.
template <int Width, template <class, int> class Method, bool Stable = false>
struct block_wise_merge {
  template <class Array, class Compare>
  static void run(cudaStream_t stream, const cut_runs<Array, 2>& from, std::size_t parts,
                  const Array& out, Compare compare) {
    detail::launch(block_wise_merge_kernel<Width, Method, Stable, Array, Compare>, parts, Width, 0,
                   stream, from, out, compare);
  }
};

}  // namespace papers
