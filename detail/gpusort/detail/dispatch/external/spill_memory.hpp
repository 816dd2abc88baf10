// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <gpusort/detail/dispatch/memory/staging.hpp>
#include <gpusort/detail/host/crew.hpp>
#include <gpusort/detail/support/device.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/error.hpp>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <thread>

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Host memory for what does not fit on a device. cudaHostAlloc fills pages on one thread, 2 GB a
/// second; here several do, ahead of use, in huge pages where there are any, and another one pins
/// segments, while the thread that made it sees to copies. None is left when all is prepared.
class spill_memory {
 public:
  /// Small, so that little waits for the first; large, so that copies that are cut at its end are
  /// few.
  static constexpr std::size_t segment_bytes = std::size_t{128} << 20;

  explicit spill_memory(std::size_t bytes)
      : bytes_(bytes),
        data_(static_cast<unsigned char*>(
            ::operator new (bytes, std::align_val_t{alignment}, std::nothrow))) {
    if (data_ == nullptr) throw out_of_memory();
#if defined(__linux__)
    madvise(data(), bytes_, MADV_HUGEPAGE);
#endif
    touching_.emplace(pieces(), touch_);
    touching_->release(pieces());
    const int device = current_device();
    try {
      preparing_ = std::thread([this, device] {
        cudaSetDevice(device);
        prepare_segments(segments());
      });
    } catch (...) {  // then prepare() does it
    }
  }
  ~spill_memory() {
    has_ended_ = true;
    if (preparing_.joinable()) preparing_.join();
    touching_.reset();
    for (std::size_t s = 0; s < pinned_; ++s) cudaHostUnregister(segment(s));
    cudaGetLastError();
  }
  spill_memory(const spill_memory&) = delete;
  spill_memory& operator=(const spill_memory&) = delete;

  std::size_t size() const { return bytes_; }
  unsigned char* data() const { return data_.get(); }

  /// Whether what has been pinned still is, which a reset of the device undoes.
  bool is_sound() const {
    return pinned_ == 0 || classify_pointer(data_.get()).kind == memory_kind::pinned_host;
  }

  /// Whether kernels reach all that has been prepared, at the address where the host does.
  bool is_pinned() const { return pinned_ == prepared_; }

  /// Whether all of it has been prepared, and no thread is left.
  bool is_complete() const { return prepared_ == segments() && !preparing_.joinable(); }

  /// Prepares the first `end` bytes; called before they are written or copied.
  void prepare(std::size_t end) {
    const std::size_t last = ceil_div(end, segment_bytes);
    const std::lock_guard<std::mutex> one_at_a_time(preparing_mutex_);
    if (!preparing_.joinable()) return prepare_segments(last);
    {
      std::unique_lock<std::mutex> lock(mutex_);
      has_prepared_.wait(lock, [&] { return prepared_ >= last; });
    }
    if (prepared_ == segments()) preparing_.join();
  }

  void upload(host_copies& copies, void* dst, std::size_t offset, std::size_t bytes,
              cudaStream_t stream) const {
    for_each_segment(offset, bytes, [&](std::size_t at, std::size_t size, pointer_kind kind) {
      copies.to_device(static_cast<unsigned char*>(dst) + (at - offset), data() + at, size, kind,
                       stream);
    });
  }

  void download(host_copies& copies, std::size_t offset, const void* src, std::size_t bytes,
                cudaStream_t stream) const {
    for_each_segment(offset, bytes, [&](std::size_t at, std::size_t size, pointer_kind kind) {
      copies.to_host(data() + at, static_cast<const unsigned char*>(src) + (at - offset), size,
                     kind, stream);
    });
  }

 private:
  static constexpr std::size_t alignment = std::size_t{2} << 20;  // of huge pages
  static constexpr std::size_t piece_bytes = alignment;  // so that no two threads make one page

  struct deleter {
    void operator()(unsigned char* p) const { ::operator delete (p, std::align_val_t{alignment}); }
  };

  /// Makes the pages of a piece.
  struct touch {
    const spill_memory* memory;

    void operator()(std::size_t piece) const {
      constexpr std::size_t page = 4096;
      const std::size_t begin = piece * piece_bytes;
      const std::size_t end = min_of(begin + piece_bytes, memory->bytes_);
      for (std::size_t i = begin; i < end; i += page) memory->data()[i] = 0;
    }
  };

  std::size_t pieces() const { return ceil_div(bytes_, piece_bytes); }
  std::size_t segments() const { return ceil_div(bytes_, segment_bytes); }
  unsigned char* segment(std::size_t s) const { return data() + s * segment_bytes; }
  std::size_t segment_size(std::size_t s) const {
    return min_of(segment_bytes, bytes_ - s * segment_bytes);
  }

  /// Prepares segments up to `end` that are not prepared yet. By one thread.
  void prepare_segments(std::size_t end) {
    constexpr std::size_t pieces_per_segment = segment_bytes / piece_bytes;
    for (std::size_t s = prepared_; s < end && !has_ended_; ++s) {
      const std::size_t first = s * pieces_per_segment;
      for (std::size_t i = first; i < min_of(first + pieces_per_segment, pieces()); ++i) {
        touching_->wait_for(i);
      }
      if (is_pinned() && pin(s)) ++pinned_;
      {
        const std::lock_guard<std::mutex> lock(mutex_);
        ++prepared_;
      }
      has_prepared_.notify_one();
    }
    if (prepared_ == segments()) touching_.reset();
  }

  bool pin(std::size_t s) const {
    const relaxed_capture_mode relaxed;
    void* on_device = nullptr;
    const bool is_pinned =
        cudaHostRegister(segment(s), segment_size(s),
                         cudaHostRegisterPortable | cudaHostRegisterMapped) == cudaSuccess;
    if (is_pinned && cudaHostGetDevicePointer(&on_device, segment(s), 0) == cudaSuccess &&
        on_device == segment(s)) {
      return true;
    }
    if (is_pinned) cudaHostUnregister(segment(s));
    cudaGetLastError();
    return false;
  }

  /// Calls for each segment that was pinned at once, as a copy must not go beyond it.
  template <class F>
  void for_each_segment(std::size_t offset, std::size_t bytes, F f) const {
    for (std::size_t at = offset, end = offset + bytes; at < end;) {
      const std::size_t s = at / segment_bytes;
      const std::size_t size = min_of((s + 1) * segment_bytes, end) - at;
      f(at, size, {s < pinned_ ? memory_kind::pinned_host : memory_kind::pageable_host, -1});
      at += size;
    }
  }

  std::size_t bytes_;
  std::unique_ptr<unsigned char[], deleter> data_;
  std::atomic<std::size_t> prepared_{0};  // segments
  std::atomic<std::size_t> pinned_{0};    // the first ones; no more once one has failed
  touch touch_{this};
  std::optional<host::crew> touching_;  // until all are prepared
  std::thread preparing_;               // likewise
  std::mutex preparing_mutex_;          // of those that wait for it
  std::mutex mutex_;
  std::condition_variable has_prepared_;
  std::atomic<bool> has_ended_{false};
};

/// The largest spill memory that is not in use, for the next call: making one and unmaking it adds
/// a quarter to the time of a sort, or much more where a virtual machine has yet to get the memory
/// from its host. Never destroyed: at exit the driver may already be gone.
class spill_cache {
 public:
  static spill_cache& instance() {
    static spill_cache* const cache = new spill_cache;
    return *cache;
  }

  std::unique_ptr<spill_memory> acquire(std::size_t bytes) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (idle_ != nullptr && idle_->size() >= bytes && idle_->is_sound()) return std::move(idle_);
      idle_.reset();
    }
    return std::make_unique<spill_memory>(bytes);
  }

  void give_back(std::unique_ptr<spill_memory> memory) {
    if (memory->size() > most_kept() || !memory->is_complete()) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (idle_ == nullptr || idle_->size() < memory->size()) idle_.swap(memory);
  }

  void release_idle() {
    const std::lock_guard<std::mutex> lock(mutex_);
    idle_.reset();
  }

 private:
  /// Returns a quarter of the machine's memory, as of a device's.
  static std::size_t most_kept() {
#if defined(__linux__)
    return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) / 4 *
           static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
#else
    return 0;
#endif
  }

  std::mutex mutex_;
  std::unique_ptr<spill_memory> idle_;
};

/// Spill memory for the time of a call.
class spill_lease {
 public:
  explicit spill_lease(std::size_t bytes) : memory_(spill_cache::instance().acquire(bytes)) {}
  ~spill_lease() { spill_cache::instance().give_back(std::move(memory_)); }
  spill_lease(const spill_lease&) = delete;
  spill_lease& operator=(const spill_lease&) = delete;

  spill_memory& operator*() const { return *memory_; }
  spill_memory* operator->() const { return memory_.get(); }

 private:
  std::unique_ptr<spill_memory> memory_;
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
