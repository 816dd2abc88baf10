// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Runs the code of a block on the CPU, so that what works on tiles is tested where there is no GPU:
// compiled by a C++ compiler, before any header of the library. Each thread of the block is a
// fiber. Between two barriers fibers run one after the other, in an order drawn at random, so that
// a missing barrier comes out as a wrong result, a missing atomic does not; a barrier that some
// threads do not reach, and a warp function that some lanes do not call, are errors.

#include <ucontext.h>

#include <algorithm>
#include <csetjmp>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

#if !defined(GPUSORT_DEVICE)
#define GPUSORT_DEVICE inline
#define GPUSORT_RARE inline
#endif
#undef __shared__
#define __shared__ thread_local

struct dimensions {
  unsigned x, y, z;
};
inline thread_local dimensions threadIdx{0, 0, 0}, blockIdx{0, 0, 0};
inline thread_local dimensions blockDim{1, 1, 1}, gridDim{1, 1, 1};

namespace kit {

/// Does what a block does not do alone.
class other_blocks {
 public:
  virtual void meet() = 0;     // waits for them
  virtual void let_run() = 0;  // may let some of them go on before it returns

 protected:
  ~other_blocks() = default;
};

class block_on_cpu {
 public:
  /// Runs body() in each of that many threads. How many of them waited for the kernel before.
  static std::size_t run(int threads, std::uint32_t seed, const std::function<void()>& body,
                         other_blocks* others = nullptr) {
    block_on_cpu block(threads, seed, body, others);
    current_ = &block;
    block.run_all();
    current_ = nullptr;
    return block.waited_;
  }
  ~block_on_cpu() {
    if (count(state::done, 0, threads_.size()) < threads_.size()) fibers_.clear();  // midway
  }
  static block_on_cpu& current() { return *current_; }

  /// Waits for all threads; how many of them gave true.
  int sync_block(bool answer) {
    true_ += answer;
    wait(state::at_block_barrier);
    return true_of_all_;
  }
  void sync_warp() {
    if (threadIdx.x / 32 * 32 + 32 > threads_.size()) throw std::logic_error("no whole warp");
    wait(state::at_warp_barrier);
  }
  void sync_grid() { wait(state::at_grid_barrier); }

  /// Tells that the thread has waited for the kernel before.
  void has_waited() { ++waited_; }

  /// Waits for the lanes of the warp, and calls visit(lane, what the lane gave) for each of them.
  template <class T, class Visit>
  void exchange(const T& given, const Visit& visit) {
    static_assert(sizeof(T) <= sizeof(std::uint64_t));
    // Two places, so that nobody overwrites what another has yet to read.
    thread& self = threads_[threadIdx.x];
    const int place = self.exchanges++ % 2;
    std::memcpy(&self.given[place], &given, sizeof(T));
    sync_warp();
    const thread* const warp = &threads_[threadIdx.x / 32 * 32];
    for (int lane = 0; lane < 32; ++lane) {
      T answer;
      std::memcpy(&answer, &warp[lane].given[place], sizeof(T));
      visit(lane, answer);
    }
  }

 private:
  enum class state { running, at_warp_barrier, at_block_barrier, at_grid_barrier, done };
  struct thread {
    state now = state::running;
    unsigned exchanges = 0;
    std::uint64_t given[2] = {};
  };

  /// Holds a thread that runs; one block's after the other's, as beginning one takes system calls.
  struct fiber {
    static constexpr std::size_t stack_bytes = 256 * 1024;
    std::unique_ptr<unsigned char[]> stack{new unsigned char[stack_bytes]};
    ucontext_t begin;
    std::jmp_buf here;
    bool is_begun = false;
  };

  block_on_cpu(int threads, std::uint32_t seed, const std::function<void()>& body,
               other_blocks* others)
      : threads_(threads), body_(body), others_(others), random_(seed) {
    if (fibers_.size() < threads_.size()) fibers_.resize(threads_.size());
    blockDim.x = static_cast<unsigned>(threads);
    for (std::size_t first = 0; first < threads_.size(); first += 32) warps_.push_back(first);
  }

  static void run_threads() {
    for (;;) {
      try {
        current_->body_();
      } catch (...) {
        current_->thrown_ = std::current_exception();
      }
      current_->wait(state::done);
    }
  }

  /// Goes on until the thread waits.
  void go_on(unsigned number) {
    fiber& f = fibers_[number];
    threadIdx.x = number;
    if (_setjmp(scheduler_) != 0) return;
    if (f.is_begun) _longjmp(f.here, 1);
    f.is_begun = true;
    getcontext(&f.begin);
    f.begin.uc_stack.ss_sp = f.stack.get();
    f.begin.uc_stack.ss_size = fiber::stack_bytes;
    makecontext(&f.begin, &run_threads, 0);
    setcontext(&f.begin);
  }

  void wait(state for_what) {
    threads_[threadIdx.x].now = for_what;
    if (_setjmp(fibers_[threadIdx.x].here) == 0) _longjmp(scheduler_, 1);
  }

  static constexpr unsigned most_steps_alone = 3001;
  static constexpr unsigned most_steps_of_warp = 997;  // which may wait for another one

  void run_all() {
    run_to_barrier();
    while (count(state::done, 0, threads_.size()) < threads_.size()) run_those_who_met();
  }

  /// Runs a warp that runs as far ahead of others as it can, or all.
  void run_those_who_met() {
    if (++warp_steps_ % most_steps_of_warp == 0)
      std::shuffle(warps_.begin(), warps_.end(), random_);
    for (std::size_t first : warps_) {
      if (count(state::at_warp_barrier, first, 32) == 32) return run_some(first, 32);
    }
    if (count(state::at_grid_barrier, 0, threads_.size()) == threads_.size()) {
      others_->meet();
    } else if (count(state::at_block_barrier, 0, threads_.size()) != threads_.size()) {
      throw std::logic_error("threads wait at different barriers");
    }
    true_of_all_ = true_;
    true_ = 0;
    run_to_barrier();
  }

  /// Runs all threads to where they wait, or one warp after the other to where it waits for others.
  void run_to_barrier() {
    std::shuffle(warps_.begin(), warps_.end(), random_);
    if (random_() % 2 == 0) return run_some(0, threads_.size());
    for (std::size_t first : warps_) {
      do {
        run_some(first, std::min<std::size_t>(32, threads_.size() - first));
      } while (count(state::at_warp_barrier, first, 32) == 32 &&
               ++warp_steps_ % most_steps_of_warp != 0);
    }
  }

  /// Returns how many threads, from the first on without a gap, are in that state.
  std::size_t count(state wanted, std::size_t first, std::size_t n) const {
    std::size_t found = 0;
    n = std::min(n, threads_.size() - first);
    while (found < n && threads_[first + found].now == wanted) ++found;
    return found;
  }

  void run_some(std::size_t first, std::size_t n) {
    order_.resize(n);
    std::iota(order_.begin(), order_.end(), static_cast<unsigned>(first));
    std::shuffle(order_.begin(), order_.end(), random_);
    for (unsigned t : order_) {
      if (others_ != nullptr && --steps_alone_ == 0) {
        steps_alone_ = most_steps_alone;
        others_->let_run();
      }
      go_on(t);
      if (thrown_ != nullptr) std::rethrow_exception(thrown_);
    }
  }

  static inline thread_local block_on_cpu* current_ = nullptr;
  static inline thread_local std::vector<fiber> fibers_;

  std::vector<thread> threads_;
  std::vector<unsigned> order_;
  std::vector<std::size_t> warps_;  // the first thread of each; who is first, until all have met
  const std::function<void()>& body_;
  other_blocks* others_;
  std::mt19937 random_;
  unsigned steps_alone_ = 1 + random_() % most_steps_alone;
  unsigned warp_steps_ = 0;
  std::jmp_buf scheduler_;
  int true_ = 0, true_of_all_ = 0;
  std::size_t waited_ = 0;
  std::exception_ptr thrown_;
};

}  // namespace kit

// What device code calls.

inline int __syncthreads_count(int answer) {
  return kit::block_on_cpu::current().sync_block(answer != 0);
}
inline void __syncthreads() { __syncthreads_count(0); }
inline int __syncthreads_or(int answer) { return __syncthreads_count(answer) > 0; }
inline int __syncthreads_and(int answer) {
  return __syncthreads_count(answer) == static_cast<int>(blockDim.x);
}
inline void __syncwarp() { kit::block_on_cpu::current().sync_warp(); }

template <class T>
T __shfl_sync(unsigned lanes, T given, int from) {
  if (lanes != ~0u) throw std::logic_error("a warp function of some lanes");
  T answer = given;
  kit::block_on_cpu::current().exchange(given, [&](int lane, const T& theirs) {
    if (lane == (from & 31)) answer = theirs;
  });
  return answer;
}
template <class T>
T __shfl_xor_sync(unsigned lanes, T given, int mask) {
  return __shfl_sync(lanes, given, static_cast<int>(threadIdx.x % 32) ^ mask);
}
template <class T>
T __shfl_down_sync(unsigned lanes, T given, int distance) {
  const int lane = static_cast<int>(threadIdx.x % 32), from = lane + distance;
  return __shfl_sync(lanes, given, from < 32 ? from : lane);
}
template <class T>
T __shfl_up_sync(unsigned lanes, T given, int distance) {
  const int lane = static_cast<int>(threadIdx.x % 32), from = lane - distance;
  return __shfl_sync(lanes, given, from < 0 ? lane : from);
}
inline unsigned __ballot_sync(unsigned, bool answer) {
  unsigned all = 0;
  kit::block_on_cpu::current().exchange(
      answer, [&](int lane, bool theirs) { all |= unsigned{theirs} << lane; });
  return all;
}
inline int __all_sync(unsigned mask, bool answer) { return __ballot_sync(mask, answer) == ~0u; }
inline int __any_sync(unsigned mask, bool answer) { return __ballot_sync(mask, answer) != 0; }
template <class T>
unsigned __match_any_sync(unsigned, T given) {
  unsigned equals = 0;
  kit::block_on_cpu::current().exchange(
      given, [&](int lane, const T& theirs) { equals |= unsigned{theirs == given} << lane; });
  return equals;
}

inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
inline unsigned __brev(unsigned x) {
  unsigned reversed = 0;
  for (int bit = 0; bit < 32; ++bit) reversed |= (x >> bit & 1) << (31 - bit);
  return reversed;
}

// Threads run one after the other, also those of different blocks.
template <class T>
T atomicAdd(T* to, decltype(T{} + 0) x) {
  const T before = *to;
  *to += x;
  return before;
}
template <class T>
T atomicMax(T* to, T x) {
  const T before = *to;
  if (x > before) *to = x;
  return before;
}
template <class T>
T __ldcg(const T* from) {
  return *from;
}
