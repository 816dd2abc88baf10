// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <gpusort/detail/support/check.hpp>
#include <gpusort/detail/support/device.hpp>
#include <gpusort/detail/support/library.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/support/sample_seed.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Rows of words in page-locked host memory, one row for each call that waits. Never destroyed, so
/// that sorting in a static object's destructor works.
class alignas(4096) completion_memory {
 public:
  static constexpr int words_per_row = 8;
  using word = std::atomic<std::uint32_t>;
  static_assert(sizeof(word) == sizeof(std::uint32_t), "kernels write plain words");

  static completion_memory& instance() {
    static auto* const memory = new completion_memory;
    return *memory;
  }

  /// Returns a row that nobody else has; -1 where none is left.
  int take_row() noexcept {
    std::uint64_t free = free_rows_.load(std::memory_order_relaxed);
    while (free != 0) {
      const std::uint64_t lowest = free & (~free + 1);
      if (free_rows_.compare_exchange_weak(free, free & ~lowest)) return ceil_log2(lowest);
    }
    return -1;
  }
  void give_back(int row) noexcept { free_rows_.fetch_or(std::uint64_t{1} << row); }

  word* row(int number) noexcept { return words_[number]; }

  /// Returns where the current device reaches a row; null where it does not. Asked every time, as
  /// resetting a device undoes the page-locking.
  std::uint32_t* row_on_device(int number) noexcept {
    void* words = address_on_device();
    if (words == nullptr && may_lock_.load(std::memory_order_relaxed)) {
      // Some other thread may lock it just now, so failing is not the end of it.
      if (cudaHostRegister(words_, sizeof(words_),
                           cudaHostRegisterPortable | cudaHostRegisterMapped) != cudaSuccess) {
        cudaGetLastError();
      }
      words = address_on_device();
      may_lock_.store(words != nullptr, std::memory_order_relaxed);
    }
    if (words == nullptr) return nullptr;
    return static_cast<std::uint32_t*>(words) + number * words_per_row;
  }

 private:
  static constexpr int rows = 64;

  void* address_on_device() noexcept {
    cudaPointerAttributes attributes{};
    if (cudaPointerGetAttributes(&attributes, words_) != cudaSuccess) {
      cudaGetLastError();
      return nullptr;
    }
    return attributes.type == cudaMemoryTypeHost ? attributes.devicePointer : nullptr;
  }

  word words_[rows][words_per_row];
  std::atomic<std::uint64_t> free_rows_{~std::uint64_t{0}};
  std::atomic<bool> may_lock_{true};
};

inline namespace GPUSORT_LINKED GPUSORT_HIDDEN {

/// Tells a call that its only kernel is done: each block writes a word to host memory as the last
/// thing it does. The host sees that some 1 us before it could see that the stream is idle.
class completion {
 public:
  static constexpr int max_blocks = completion_memory::words_per_row;

  completion() = default;
  /// Waits where the call has not, because something has thrown: the kernel may still run, or may
  /// never have been launched.
  ~completion() {
    if (row_ >= 0) abandon();
  }
  completion(const completion&) = delete;
  completion& operator=(const completion&) = delete;

  /// Returns words for the blocks of the launch on `stream` that follows, for
  /// kernel::signal_completion(); null where the stream must be waited for. Once more where that
  /// launch has been refused.
  std::uint32_t* words_for(int blocks, cudaStream_t stream);

  /// Waits for the kernel on `stream` that was given the words, or for all of the stream. Throws
  /// what the stream reports.
  void wait(cudaStream_t stream) {
    if (!is_seen_soon()) check(cudaStreamSynchronize(stream), "waiting for a sort");
    give_back();
  }

 private:
  void abandon();

  /// Gives words back, which no kernel may have that runs or has yet to begin.
  void give_back() {
    if (row_ >= 0) completion_memory::instance().give_back(row_);
    row_ = -1;
  }

  /// Kernels that are worth it take some 5 us; where the stream has other work the driver waits.
  static constexpr std::chrono::microseconds longest_wait{50};

  bool is_seen_soon() const {
    if (row_ < 0) return false;
    const completion_memory::word* const words = completion_memory::instance().row(row_);
    const auto begin = std::chrono::steady_clock::now();
    int block = 0;
    while (std::chrono::steady_clock::now() - begin < longest_wait) {
      while (words[block].load(std::memory_order_acquire) != 0) {
        if (++block == blocks_) return true;
      }
    }
    return false;
  }

  int row_ = -1;
  cudaStream_t stream_ = nullptr;
  int blocks_ = 0;
};

#if GPUSORT_DEFINES_LINKABLE
GPUSORT_LINKABLE std::uint32_t* completion::words_for(int blocks, cudaStream_t stream) {
  give_back();
  // A host that must not touch managed memory while any kernel runs has to see the kernel end.
  if (!current_device_properties().host_shares_managed_memory) return nullptr;
  completion_memory& memory = completion_memory::instance();
  const int row = memory.take_row();
  if (row < 0) return nullptr;
  std::uint32_t* const words = memory.row_on_device(row);
  if (words == nullptr) {
    memory.give_back(row);
    return nullptr;
  }
  row_ = row;
  stream_ = stream;
  blocks_ = blocks;
  for (int b = 0; b < blocks; ++b) memory.row(row)[b].store(0, std::memory_order_relaxed);
  return words;
}
GPUSORT_LINKABLE void completion::abandon() {
  cudaStreamSynchronize(stream_);
  give_back();
}
#endif

}  // namespace GPUSORT_LINKED

/// The stream of a call, how the call learns that it is done where it need not wait for the stream,
/// and the seed of its samples.
class call_stream {
 public:
  call_stream(cudaStream_t stream, completion* done = nullptr,
              sample_seed seed = sample_seed::next())
      : stream_(stream), done_(done), seed_(seed) {}

  operator cudaStream_t() const { return stream_; }

  sample_seed seed() const { return seed_; }

  /// Returns the stream for a part of the call that others follow.
  call_stream without_completion() const { return {stream_, nullptr, seed_}; }

  /// Returns the words for the last kernel that the call launches.
  std::uint32_t* completion_words(int blocks) const {
    return done_ != nullptr ? done_->words_for(blocks, stream_) : nullptr;
  }

 private:
  cudaStream_t stream_;
  completion* done_;
  sample_seed seed_;
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
