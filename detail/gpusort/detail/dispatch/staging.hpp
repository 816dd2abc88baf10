// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <gpusort/detail/host/crew.hpp>
#include <gpusort/detail/support/check.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/device.hpp>
#include <gpusort/detail/support/device_generation.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/support/pointer_kind.hpp>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// The measures of a staging_ring.
struct staging_shape {
  /// With fewer threads the host is slower than the bus.
  std::size_t threads = host::crew::most_threads;
  /// One is copied into or out of by each thread, some are on the bus, and some wait, as neither
  /// keeps an even pace.
  std::size_t pieces = 16;
  std::size_t bytes_per_piece = host::crew::bytes_per_piece;

  /// 40 us on the bus each: enough that it has work while this thread comes to know of the first.
  std::size_t pieces_on_the_bus() const { return ceil_div<std::size_t>(pieces, 4); }
};

/// Pinned buffers through which pageable memory goes to a device and back: threads copy pieces
/// while the copy engine moves others. Only the calling thread talks to the driver. The events
/// belong to one device, so does the ring.
class staging_ring {
 public:
  explicit staging_ring(int device, const staging_shape& shape = {})
      : origin_(device), shape_(shape), slots_(shape.pieces) {}

  ~staging_ring() {
    if (is_gone()) return;
    const relaxed_capture_mode relaxed;
    for (slot& s : slots_) {
      if (s.idle != nullptr) {
        cudaEventSynchronize(s.idle);
        cudaEventDestroy(s.idle);
      }
      if (s.data != nullptr) cudaFreeHost(s.data);
    }
  }
  staging_ring(const staging_ring&) = delete;
  staging_ring& operator=(const staging_ring&) = delete;

  int device() const { return origin_.device(); }
  /// Whether the device has been reset, and there are neither buffers nor events any more.
  bool is_gone() const { return origin_.is_gone(); }

  /// Allocates as many buffers as `bytes` keep busy. False when there is not so much pinned memory.
  bool prepare(std::size_t bytes) noexcept {
    const std::size_t count = min_of(shape_.pieces, pieces_of(bytes));
    for (std::size_t i = 0; i < count; ++i) {
      slot& s = slots_[i];
      if (s.data == nullptr &&
          cudaHostAlloc(&s.data, shape_.bytes_per_piece, cudaHostAllocPortable) != cudaSuccess) {
        cudaGetLastError();
        s.data = nullptr;
        return false;
      }
      if (s.idle == nullptr &&
          cudaEventCreateWithFlags(&s.idle, cudaEventDisableTiming) != cudaSuccess) {
        cudaGetLastError();
        s.idle = nullptr;
        return false;
      }
    }
    return true;
  }

  /// Returns when `src` has been read.
  void upload(char* dst, const char* src, std::size_t bytes, cudaStream_t stream) {
    const std::size_t count = pieces_of(bytes);
    const auto fill = [&](std::size_t i) {
      std::memcpy(slot_of(i).data, src + offset_of(i), size_of_piece(i, bytes));
    };
    host::crew crew(count, fill, shape_.threads);
    std::size_t released = 0;
    for (std::size_t i = 0; i < count; ++i) {
      // Waits for the bus only when all that may be there is there.
      const std::size_t may_be_filled = i + shape_.pieces - shape_.pieces_on_the_bus();
      while (released < count && released <= may_be_filled) {
        wait_until_idle(slot_of(released));
        crew.release(++released);
      }
      crew.wait_for(i);
      start(slot_of(i), dst + offset_of(i), slot_of(i).data, size_of_piece(i, bytes), stream);
    }
  }

  /// Returns when `dst` has been written.
  void download(char* dst, const char* src, std::size_t bytes, cudaStream_t stream) {
    const std::size_t count = pieces_of(bytes);
    const auto empty = [&](std::size_t i) {
      std::memcpy(dst + offset_of(i), slot_of(i).data, size_of_piece(i, bytes));
    };
    host::crew crew(count, empty, shape_.threads);
    std::size_t started = 0;
    for (std::size_t i = 0; i < count; ++i) {
      for (; started < count && started < i + shape_.pieces_on_the_bus(); ++started) {
        if (started >= shape_.pieces) crew.wait_for(started - shape_.pieces);
        wait_until_idle(slot_of(started));
        start(slot_of(started), slot_of(started).data, src + offset_of(started),
              size_of_piece(started, bytes), stream);
      }
      wait_until_idle(slot_of(i));
      crew.release(i + 1);
    }
    crew.finish();
  }

 private:
  struct slot {
    void* data = nullptr;
    cudaEvent_t idle = nullptr;  // passed when the engine is done with `data`
  };

  std::size_t pieces_of(std::size_t bytes) const { return ceil_div(bytes, shape_.bytes_per_piece); }
  std::size_t offset_of(std::size_t i) const { return i * shape_.bytes_per_piece; }
  std::size_t size_of_piece(std::size_t i, std::size_t bytes) const {
    return min_of(shape_.bytes_per_piece, bytes - offset_of(i));
  }
  slot& slot_of(std::size_t i) { return slots_[i % slots_.size()]; }

  static void wait_until_idle(slot& s) {
    check(cudaEventSynchronize(s.idle), "copying between host and device");
  }

  static void start(slot& s, void* dst, const void* src, std::size_t size, cudaStream_t stream) {
    check(cudaMemcpyAsync(dst, src, size, cudaMemcpyDefault, stream),
          "copying between host and device");
    check(cudaEventRecord(s.idle, stream), "recording an event");
  }

  handle_origin origin_;
  staging_shape shape_;
  std::vector<slot> slots_;
};

/// Rings that wait for their next use. Concurrent callers each get their own. Never destroyed: at
/// exit the driver may already be gone.
class staging_rings {
 public:
  static staging_rings& instance() {
    static staging_rings* const rings = new staging_rings;
    return *rings;
  }

  /// A ring of `device`, which must be current.
  std::unique_ptr<staging_ring> acquire(int device) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      idle_.erase(std::remove_if(idle_.begin(), idle_.end(),
                                 [](const auto& ring) { return ring->is_gone(); }),
                  idle_.end());
      for (auto& ring : idle_) {
        if (ring->device() != device) continue;
        std::unique_ptr<staging_ring> found = std::move(ring);
        ring = std::move(idle_.back());
        idle_.pop_back();
        return found;
      }
    }
    return std::make_unique<staging_ring>(device);
  }

  void give_back(std::unique_ptr<staging_ring> ring) {
    const std::lock_guard<std::mutex> lock(mutex_);
    idle_.push_back(std::move(ring));
  }

  void release_idle() {
    std::vector<std::unique_ptr<staging_ring>> released;
    const std::lock_guard<std::mutex> lock(mutex_);
    released.swap(idle_);
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<staging_ring>> idle_;
};

/// Below this the driver's own staging is as fast, and needs no ring.
inline constexpr std::size_t min_staged_bytes = std::size_t{1} << 20;

/// Calls transfer with a ring, or with null where the copy is better left to the driver.
template <class Transfer>
void copy_through_ring(std::size_t bytes, Transfer transfer) {
  if (bytes < min_staged_bytes) return transfer(static_cast<staging_ring*>(nullptr));
  const relaxed_capture_mode relaxed;  // pinning memory disturbs captures of other threads
  staging_rings& rings = staging_rings::instance();
  std::unique_ptr<staging_ring> ring = rings.acquire(current_device());
  // An exception destroys the ring, which waits for its copies.
  transfer(ring->prepare(bytes) ? ring.get() : nullptr);
  rings.give_back(std::move(ring));
}

/// Copies a host range to the current device in the order of `stream`. `src_kind` is where `src`
/// is. Pageable memory has been read when this returns; pinned memory when the stream has passed.
inline void copy_to_device(void* dst, const void* src, std::size_t bytes, pointer_kind src_kind,
                           cudaStream_t stream) {
  const auto plain = [&] {
    check(cudaMemcpyAsync(dst, src, bytes, cudaMemcpyDefault, stream),
          "copying from the host to the device");
  };
  if (bytes == 0) return;
  if (src_kind.kind != memory_kind::pageable_host) return plain();
  copy_through_ring(bytes, [&](staging_ring* ring) {
    if (ring == nullptr) return plain();
    ring->upload(static_cast<char*>(dst), static_cast<const char*>(src), bytes, stream);
  });
}

/// Copies from the current device to a host range in the order of `stream`. Pageable memory has
/// been written when this returns; pinned memory when the stream has passed.
inline void copy_to_host(void* dst, const void* src, std::size_t bytes, pointer_kind dst_kind,
                         cudaStream_t stream) {
  const auto plain = [&] {
    check(cudaMemcpyAsync(dst, src, bytes, cudaMemcpyDefault, stream),
          "copying from the device to the host");
  };
  if (bytes == 0) return;
  if (dst_kind.kind != memory_kind::pageable_host) return plain();
  copy_through_ring(bytes, [&](staging_ring* ring) {
    if (ring == nullptr) return plain();
    ring->download(static_cast<char*>(dst), static_cast<const char*>(src), bytes, stream);
  });
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
