// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/kernel/predicate.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tile/swap_cycles.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// A permutation that is applied by swaps: thing i becomes what thing order[i] was. Thing i is at
/// index indices[i], without `indices` at i. Where gate is not set, the order is none, and
/// nothing is done.
template <class Index>
struct permutation {
  const Index* __restrict__ order;
  const Index* __restrict__ indices;
  Index n;
  predicate gate;

  GPUSORT_DEVICE Index index_of(Index i) const { return indices == nullptr ? i : indices[i]; }
};

/// Some things of a permutation, the rulers: one in each window of 2^log_window consecutive ones,
/// chosen by a hash, so that none is stored. The seed is not known before the call runs, so no
/// permutation can be made against it.
struct ruler_choice {
  const std::uint64_t* seed;
  std::uint64_t level;
  int log_window;
};

/// The rulers as one thread sees them, which has read the seed.
template <class Index>
class rulers {
 public:
  GPUSORT_DEVICE rulers(const ruler_choice& choice, Index n)
      : n_(n), log_window_(choice.log_window), seed_(mix_bits(*choice.seed + choice.level)) {}

  GPUSORT_DEVICE Index count() const { return ((n_ - 1) >> log_window_) + 1; }
  GPUSORT_DEVICE Index window_of(Index i) const { return i >> log_window_; }

  /// Returns the ruler of window w.
  GPUSORT_DEVICE Index ruler_of(Index w) const {
    const Index begin = w << log_window_;
    const Index size = Index{1} << log_window_;
    const Index offset = static_cast<Index>(mix_bits(w ^ seed_)) & (size - 1);
    return n_ - begin >= size ? begin + offset : begin + offset % (n_ - begin);
  }
  GPUSORT_DEVICE bool has(Index i) const { return ruler_of(window_of(i)) == i; }

  /// Returns a number for each thing, no two alike.
  GPUSORT_DEVICE std::uint64_t hash(Index i) const { return mix_bits(i ^ ~seed_); }

 private:
  Index n_;
  int log_window_;
  std::uint64_t seed_;
};

/// A bit for each thing.
struct thing_marks {
  std::uint32_t* words;

  template <class Index>
  GPUSORT_DEVICE void set(Index i) const {
    atomicOr(&words[i >> 5], 1u << (i & 31));
  }
};

/// Writes a seed that differs from call to call, and clears the words.
template <int ThreadsPerBlock>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    begin_cycles_kernel(std::uint64_t* seed, std::uint32_t* words, std::uint64_t count) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * ThreadsPerBlock + threadIdx.x;
  if (i < count) words[i] = 0;
  if (i == 0) {
    std::uint64_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    *seed = mix_bits(now ^ mix_bits(static_cast<std::uint64_t>(clock64())));
  }
}

/// Rotates the segment of each ruler, which ends before the next ruler of its cycle: from the ruler
/// on, neighbours are swapped. Then all things of the segment are right but the last one, which is
/// what the ruler was. What is left is the same problem for the last things of the segments:
/// that of ruler w is at ends[w] and becomes that of successors[w]. Marks all things it meets.
template <int ThreadsPerBlock, class Index, class Swap>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    rotate_segments_kernel(permutation<Index> p, ruler_choice choice, thing_marks marks,
                           Index* successors, Index* ends, Swap swap) {
  if (!p.gate.is_set()) return;
  const rulers<Index> ruler(choice, p.n);
  const std::uint64_t thread = std::uint64_t{blockIdx.x} * ThreadsPerBlock + threadIdx.x;
  if (thread >= ruler.count()) return;
  const Index w = static_cast<Index>(thread);
  const Index first = ruler.ruler_of(w);
  marks.set(first);
  Index here = p.index_of(first), next = p.order[first];
  while (!ruler.has(next)) {
    marks.set(next);
    // Read before the swap, which takes as long; once, so not to be kept in the cache.
    const Index after = __ldcs(&p.order[next]);
    const Index there = p.index_of(next);
    swap(here, there);
    here = there;
    next = after;
  }
  successors[w] = ruler.window_of(next);
  ends[w] = here;
}

/// Rotates the cycle of `first` if that has the smallest hash in it; follows it to the first thing
/// with a smaller one otherwise.
template <class Index, class Swap>
GPUSORT_DEVICE void rotate_if_leader(const permutation<Index>& p, const rulers<Index>& ruler,
                                     Index first, Swap& swap) {
  const std::uint64_t own = ruler.hash(first);
  const Index second = p.order[first];
  for (Index i = second; i != first; i = p.order[i]) {
    if (ruler.hash(i) < own) return;
  }
  Index here = p.index_of(first);
  for (Index i = second; i != first; i = p.order[i]) {
    const Index there = p.index_of(i);
    swap(here, there);
    here = there;
  }
}

/// Rotates cycles without a ruler, which are short, by one thread each. A warp has 32 words of
/// marks, and looks at the things of those where some are not marked.
template <int ThreadsPerBlock, class Index, class Swap>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    rotate_short_cycles_kernel(permutation<Index> p, ruler_choice choice, thing_marks marks,
                               Swap swap) {
  if (!p.gate.is_set()) return;
  const std::uint64_t word = std::uint64_t{blockIdx.x} * ThreadsPerBlock + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const std::uint64_t words = (std::uint64_t{p.n} + 31) / 32;
  const std::uint32_t own = word < words ? marks.words[word] : ~0u;
  const rulers<Index> ruler(choice, p.n);
  for (unsigned left = __ballot_sync(~0u, own != ~0u); left != 0; left &= left - 1) {
    const int k = __ffs(static_cast<int>(left)) - 1;
    const std::uint32_t marked = __shfl_sync(~0u, own, k);
    const std::uint64_t i = (word - lane + static_cast<unsigned>(k)) * 32 + lane;
    if (i < p.n && (marked >> lane & 1) == 0) {
      rotate_if_leader(p, ruler, static_cast<Index>(i), swap);
    }
  }
}

/// Rotates all of a small permutation, in one block.
template <int ThreadsPerBlock, int ItemsPerThread, class Index, class Swap>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    rotate_few_kernel(permutation<Index> p, Swap swap) {
  if (!p.gate.is_set()) return;
  using cycles = tile::swap_cycles<ThreadsPerBlock, ItemsPerThread>;
  __shared__ typename cycles::storage shared;
  __shared__ typename cycles::slot order[cycles::max_slots];
  const int n = static_cast<int>(p.n);
  for (int i = static_cast<int>(threadIdx.x); i < n; i += ThreadsPerBlock) {
    order[i] = static_cast<typename cycles::slot>(p.order[i]);
  }
  __syncthreads();
  cycles::apply(shared, order, n, [&](int i, int j) {
    swap(p.index_of(static_cast<Index>(i)), p.index_of(static_cast<Index>(j)));
  });
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
