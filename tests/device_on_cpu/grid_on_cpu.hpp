// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

#include "host_threads.hpp"
#include "kit/block_on_cpu.hpp"
#include "kit/random.hpp"
#include "runtime.hpp"

namespace kit {

/// The blocks of one launch: all of a cooperative one or a cluster at once, of others a few. Only
/// one runs at a time, until it meets the others, or for as long as the lot says.
class grid_on_cpu final : public other_blocks {
 public:
  static constexpr std::size_t zone = 256;  // after dynamic shared memory, to be left alone
  static constexpr std::size_t dynamic_memory = shared_memory_per_block + zone;

  /// Launches one after the other, whoever launches.
  static void run(const cudaLaunchConfig_t& config, const std::function<void()>& body) {
    static std::mutex device;
    static std::uint64_t launches = 0;
    const std::lock_guard<std::mutex> lock(device);
    const auto lot = static_cast<std::uint32_t>(random_at(seed(), ++launches));
    grid_on_cpu(config, body, lot).run_all();
  }

  void meet() override {
    if (!together_) throw std::logic_error("a barrier of blocks that do not run together");
    pass_on(state::waiting);
  }
  void let_run() override { pass_on(state::ready); }

  /// Returns the distance of the block that runs, in bytes, from block `rank` of the cluster.
  static std::ptrdiff_t distance_to(int rank) { return current_->bases_[rank] - thread_base(); }

 private:
  enum class state { ready, waiting, ended, done };  // ended: others may look into its memory
  static constexpr unsigned some = 3;

  grid_on_cpu(const cudaLaunchConfig_t& config, const std::function<void()>& body,
              std::uint32_t seed)
      : blocks_(config.gridDim.x),
        threads_(static_cast<int>(config.blockDim.x)),
        dynamic_bytes_(config.dynamicSmemBytes),
        body_(body),
        seed_(seed),
        random_(seed),
        order_(blocks_) {
    for (unsigned i = 0; i < config.numAttrs; ++i) {
      together_ |= config.attrs[i].id == cudaLaunchAttributeClusterDimension ||
                   config.attrs[i].id == cudaLaunchAttributeCooperative;
      is_early_ |= config.attrs[i].id == cudaLaunchAttributeProgrammaticStreamSerialization;
    }
    std::iota(order_.begin(), order_.end(), 0u);
    if (!together_) std::shuffle(order_.begin(), order_.end(), random_);
    states_.assign(together_ ? blocks_ : std::min(blocks_, some), state::ready);
    bases_.resize(states_.size());
  }

  static char* thread_base() { return static_cast<char*>(__builtin_thread_pointer()); }

  void run_all() {
    host_threads::instance().run(static_cast<int>(states_.size()), [this](int me) {
      std::unique_lock<std::mutex> lock(mutex_);
      lock_ = &lock;
      me_ = me;
      current_ = this;
      turn_came_.wait(lock, [&] { return turn_ == me; });
      bases_[me] = thread_base();
      try {
        work();
      } catch (const std::logic_error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        std::abort();
      }
      pass_on(state::done);
    });
  }

  void work() {
    if (together_) {
      meet();  // all tell where their shared memory is
      run_block(order_[me_]);
      pass_on(state::ended);
    } else {
      while (next_ < blocks_) run_block(order_[next_++]);
    }
  }

  void run_block(unsigned block);

  /// Lets some other block go on, and comes back when it is this one's turn again.
  void pass_on(state mine) {
    states_[me_] = mine;
    std::vector<int> ready = all_that_are(state::ready);
    if (ready.empty()) {
      ready = all_that_are(state::waiting);
      const std::vector<int> ended = all_that_are(state::ended);
      if (!ready.empty() && !ended.empty()) {
        throw std::logic_error("blocks wait for blocks that have ended");
      }
      ready.insert(ready.end(), ended.begin(), ended.end());
      for (int met : ready) states_[met] = state::ready;
    }
    if (ready.empty()) return;
    turn_ = ready[random_() % ready.size()];
    if (turn_ == me_) return;
    turn_came_.notify_all();
    if (mine != state::done) turn_came_.wait(*lock_, [&] { return turn_ == me_; });
  }

  std::vector<int> all_that_are(state wanted) const {
    std::vector<int> all;
    for (std::size_t i = 0; i < states_.size(); ++i) {
      if (states_[i] == wanted) all.push_back(static_cast<int>(i));
    }
    return all;
  }

  static inline thread_local grid_on_cpu* current_ = nullptr;
  static inline thread_local std::unique_lock<std::mutex>* lock_ = nullptr;
  static inline thread_local int me_ = 0;

  unsigned blocks_;
  int threads_;
  std::size_t dynamic_bytes_;
  const std::function<void()>& body_;
  std::uint32_t seed_;
  std::mt19937 random_;
  std::vector<unsigned> order_;
  bool together_ = false, is_early_ = false;
  unsigned next_ = 0;
  std::vector<state> states_;  // by thread of the host
  std::vector<char*> bases_;   // of the blocks' shared memory
  std::mutex mutex_;
  std::condition_variable turn_came_;
  int turn_ = 0;
};

}  // namespace kit

// Dynamic shared memory, by the names that kernels give it. Kernels may not count on what is in it.
namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {
inline thread_local unsigned char raw alignas(16)[kit::grid_on_cpu::dynamic_memory];
inline thread_local unsigned char dynamic alignas(16)[kit::grid_on_cpu::dynamic_memory];
}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

namespace papers {
inline thread_local unsigned char raw alignas(16)[kit::grid_on_cpu::dynamic_memory];
}

namespace kit {

inline thread_local unsigned char raw alignas(16)[grid_on_cpu::dynamic_memory];

inline void grid_on_cpu::run_block(unsigned block) {
  namespace kernel = gpusort::detail::kernel;
  blockIdx.x = block;
  gridDim.x = blocks_;
  for (unsigned char* memory : {kernel::raw, kernel::dynamic, papers::raw, raw}) {
    std::memset(memory, static_cast<int>(seed_ + block), dynamic_bytes_);
    std::memset(memory + dynamic_bytes_, 0x5a, zone);
  }
  const std::size_t waited = block_on_cpu::run(threads_, seed_ + block, body_, this);
  if (is_early_ && GPUSORT_CPU_ARCHITECTURE >= 900 && waited < static_cast<std::size_t>(threads_)) {
    throw std::logic_error("a thread did not wait for the kernel before");
  }
  for (const unsigned char* memory : {kernel::raw, kernel::dynamic, papers::raw, raw}) {
    const auto is_as_before = [](unsigned char c) { return c == 0x5a; };
    if (!std::all_of(memory + dynamic_bytes_, memory + dynamic_bytes_ + zone, is_as_before)) {
      throw std::logic_error("a block wrote beyond its shared memory");
    }
  }
}

template <class... Parameters, class... Arguments>
cudaError_t launch_on_cpu(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                          const Arguments&... arguments) {
  const cudaError_t status = try_launch(*config, reinterpret_cast<const void*>(kernel));
  if (status != cudaSuccess) return said(status);
  on_stream(config->stream, [=,
                             attributes = std::vector<cudaLaunchAttribute>(
                                 config->attrs, config->attrs + config->numAttrs),
                             shape = *config]() mutable {
    shape.attrs = attributes.data();
    grid_on_cpu::run(shape, [&] { kernel(Parameters(arguments)...); });
  });
  return cudaSuccess;
}
/// Does what cudaLaunchKernelExC does, for a kernel of these parameters.
template <class... Parameters>
cudaError_t launch_on_cpu_by_address(const cudaLaunchConfig_t* config, const void* kernel,
                                     void** arguments) {
  const auto launch = [&](Parameters&... values) {
    return launch_on_cpu(
        config, reinterpret_cast<void (*)(Parameters...)>(const_cast<void*>(kernel)), values...);
  };
  // Braces evaluate from left to right.
  struct in_order {
    cudaError_t status;
    in_order(const decltype(launch)& f, Parameters&... values) : status(f(values...)) {}
  };
  return in_order{launch, *static_cast<Parameters*>(*arguments++)...}.status;
}
inline cudaError_t set_attribute_on_cpu(const void* kernel, cudaFuncAttribute which, int value) {
  if (which == cudaFuncAttributeMaxDynamicSharedMemorySize) {
    allow_shared_memory(kernel, static_cast<std::size_t>(value));
  }
  return cudaSuccess;
}
template <class... Parameters>
cudaError_t set_attribute_on_cpu(void (*kernel)(Parameters...), cudaFuncAttribute which,
                                 int value) {
  return set_attribute_on_cpu(reinterpret_cast<const void*>(kernel), which, value);
}
template <class... Parameters>
cudaError_t get_attributes_on_cpu(cudaFuncAttributes* attributes, void (*)(Parameters...)) {
  attributes->ptxVersion = attributes->binaryVersion = GPUSORT_CPU_ARCHITECTURE / 10;
  return cudaSuccess;
}

}  // namespace kit

// Clusters. The halves of a barrier are not told apart: the second is all of it.
inline unsigned __clusterRelativeBlockRank() { return blockIdx.x; }
inline void* __cluster_map_shared_rank(void* mine, unsigned rank) {
  return static_cast<char*>(mine) + kit::grid_on_cpu::distance_to(static_cast<int>(rank));
}
inline void __cluster_barrier_arrive() {}
inline void __cluster_barrier_wait() { kit::block_on_cpu::current().sync_grid(); }

// The runtime has templates of the same names, which hand a kernel's address to the driver.
#define cudaLaunchKernelEx kit::launch_on_cpu
// Where it is named the kernel's parameters have this name.
#define cudaLaunchKernelExC kit::launch_on_cpu_by_address<Parameters...>
#define cudaFuncSetAttribute kit::set_attribute_on_cpu
#define cudaFuncGetAttributes kit::get_attributes_on_cpu
