// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Runs the code of a block on the CPU, so that what works on tiles is tested where there is no GPU:
// compiled by a C++ compiler, before any header of the library. Each thread of the block is a
// fiber. Between two barriers fibers run one after the other, in an order drawn by lot, so that
// many races come out as wrong results; a barrier that some threads do not reach, and a warp
// function that some lanes do not call, are errors.

#include <ucontext.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <stdexcept>
#include <vector>

#define GPUSORT_DEVICE inline
#define __shared__ static

struct dimensions {
  unsigned x, y, z;
};
inline dimensions threadIdx{0, 0, 0}, blockDim{1, 1, 1};

namespace kit {

class block_on_cpu {
 public:
  /// Runs body() in each of so many threads, whole warps.
  static void run(int threads, std::uint32_t seed, const std::function<void()>& body) {
    block_on_cpu block(threads, seed, body);
    current_ = &block;
    block.run_all();
    current_ = nullptr;
  }
  static block_on_cpu& current() { return *current_; }

  /// Waits for all threads; whether all of them gave true.
  bool sync_block(bool answer) {
    and_ = and_ && answer;
    wait(state::at_block_barrier);
    return and_of_all_;
  }

  /// Waits for the lanes of the warp, and tells what lane `from` gave.
  template <class T>
  T exchange(const T& given, int from) {
    static_assert(sizeof(T) <= sizeof(std::uint64_t));
    // Two places, so that nobody overwrites what another has yet to read.
    fiber& self = fibers_[threadIdx.x];
    const int place = self.exchanges++ % 2;
    std::memcpy(&self.given[place], &given, sizeof(T));
    sync_warp();
    T answer;
    std::memcpy(&answer, &fibers_[threadIdx.x / 32 * 32 + from].given[place], sizeof(T));
    return answer;
  }
  void sync_warp() { wait(state::at_warp_barrier); }

 private:
  enum class state { ready, at_block_barrier, at_warp_barrier, done };
  struct fiber {
    ucontext_t context;
    std::unique_ptr<unsigned char[]> stack;
    state now = state::ready;
    unsigned exchanges = 0;
    std::uint64_t given[2] = {};
  };
  static constexpr std::size_t stack_bytes = 256 * 1024;

  block_on_cpu(int threads, std::uint32_t seed, const std::function<void()>& body)
      : fibers_(threads), body_(body), random_(seed) {
    blockDim.x = static_cast<unsigned>(threads);
    for (fiber& f : fibers_) prepare(f);
    for (std::size_t first = 0; first < fibers_.size(); first += 32) warps_.push_back(first);
  }

  void prepare(fiber& f) {
    f.stack.reset(new unsigned char[stack_bytes]);
    getcontext(&f.context);
    f.context.uc_stack.ss_sp = f.stack.get();
    f.context.uc_stack.ss_size = stack_bytes;
    f.context.uc_link = &scheduler_;
    makecontext(&f.context, &start, 0);
  }

  static void start() {
    current_->body_();
    current_->fibers_[threadIdx.x].now = state::done;
  }

  void wait(state for_what) {
    fiber& self = fibers_[threadIdx.x];
    self.now = for_what;
    swapcontext(&self.context, &scheduler_);
  }

  void run_all() {
    std::vector<unsigned> order;
    for (;;) {
      order.clear();
      for (unsigned t = 0; t < fibers_.size(); ++t) {
        if (fibers_[t].now == state::ready) order.push_back(t);
      }
      if (order.empty()) {
        if (!release()) return;
        continue;
      }
      std::shuffle(order.begin(), order.end(), random_);
      for (unsigned t : order) {
        threadIdx.x = t;
        swapcontext(&scheduler_, &fibers_[t].context);
      }
    }
  }

  /// Lets those go on who have all arrived: a warp that runs as far ahead of others as it can, or
  /// all; false when all threads are done.
  bool release() {
    for (std::size_t first : warps_) {
      if (count(state::at_warp_barrier, first, 32) == 32) {
        set_ready(first, 32);
        return true;
      }
    }
    if (count(state::done, 0, fibers_.size()) == fibers_.size()) return false;
    if (count(state::at_block_barrier, 0, fibers_.size()) != fibers_.size()) {
      throw std::logic_error("threads wait at different barriers");
    }
    and_of_all_ = and_;
    and_ = true;
    set_ready(0, fibers_.size());
    std::shuffle(warps_.begin(), warps_.end(), random_);
    return true;
  }
  std::size_t count(state wanted, std::size_t first, std::size_t n) const {
    std::size_t found = 0;
    for (std::size_t t = first; t < first + n; ++t) found += fibers_[t].now == wanted;
    return found;
  }
  void set_ready(std::size_t first, std::size_t n) {
    for (std::size_t t = first; t < first + n; ++t) fibers_[t].now = state::ready;
  }

  static inline block_on_cpu* current_ = nullptr;

  std::vector<fiber> fibers_;
  std::vector<std::size_t> warps_;  // the first thread of each; who is first, until all have met
  const std::function<void()>& body_;
  std::mt19937 random_;
  ucontext_t scheduler_;
  bool and_ = true, and_of_all_ = true;
};

}  // namespace kit

// What device code calls.

inline void __syncthreads() { kit::block_on_cpu::current().sync_block(true); }
inline int __syncthreads_and(int answer) {
  return kit::block_on_cpu::current().sync_block(answer != 0);
}
inline int __syncthreads_or(int answer) { return !__syncthreads_and(answer == 0); }
inline void __syncwarp() { kit::block_on_cpu::current().sync_warp(); }

template <class T>
T __shfl_sync(unsigned, T given, int lane) {
  return kit::block_on_cpu::current().exchange(given, lane);
}
template <class T>
T __shfl_xor_sync(unsigned, T given, int mask) {
  return __shfl_sync(~0u, given, static_cast<int>(threadIdx.x % 32) ^ mask);
}
template <class T>
T __shfl_down_sync(unsigned, T given, int distance) {
  const int lane = static_cast<int>(threadIdx.x % 32), from = lane + distance;
  return __shfl_sync(~0u, given, from < 32 ? from : lane);
}
template <class T>
T __shfl_up_sync(unsigned, T given, int distance) {
  const int lane = static_cast<int>(threadIdx.x % 32), from = lane - distance;
  return __shfl_sync(~0u, given, from < 0 ? lane : from);
}
inline unsigned __ballot_sync(unsigned, bool answer) {
  unsigned all = 0;
  kit::block_on_cpu& block = kit::block_on_cpu::current();
  for (int lane = 0; lane < 32; ++lane) all |= unsigned{block.exchange(answer, lane)} << lane;
  return all;
}
inline int __all_sync(unsigned mask, bool answer) { return __ballot_sync(mask, answer) == ~0u; }
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
inline unsigned atomicAdd(unsigned* to, unsigned x) {
  const unsigned before = *to;
  *to += x;
  return before;
}
