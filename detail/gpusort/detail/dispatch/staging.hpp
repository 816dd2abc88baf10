// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <gpusort/detail/host/task.hpp>
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

/// A few pinned buffers, through which pageable memory goes to a device and back: the host copies
/// one piece, on all cores, while the copy engine moves another. The events belong to one device,
/// so does the ring.
class staging_ring {
 public:
  /// Enough for the engine to run ahead of the host and the host of the engine.
  static constexpr std::size_t pieces = 4;
  /// 8 MB take some 150 us on the bus, so that launching a copy and starting the host's tasks cost
  /// a few percent.
  static constexpr std::size_t bytes_per_piece = std::size_t{8} << 20;

  explicit staging_ring(int device) : origin_(device) {}

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
    const std::size_t count = min_of(pieces, ceil_div(bytes, bytes_per_piece));
    for (std::size_t i = 0; i < count; ++i) {
      slot& s = slots_[i];
      if (s.data == nullptr &&
          cudaHostAlloc(&s.data, bytes_per_piece, cudaHostAllocPortable) != cudaSuccess) {
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
    for_each_piece(bytes, [&](slot& s, std::size_t offset, std::size_t size) {
      wait_until_idle(s);
      host_copy(s.data, src + offset, size);
      start(s, dst + offset, s.data, size, stream);
    });
  }

  /// Returns when `dst` has been written.
  void download(char* dst, const char* src, std::size_t bytes, cudaStream_t stream) {
    const std::size_t count = ceil_div(bytes, bytes_per_piece);
    // Piece i + pieces is started as soon as piece i has left its slot.
    const auto start_piece = [&](std::size_t i) {
      slot& s = slots_[i % pieces];
      wait_until_idle(s);
      start(s, s.data, src + i * bytes_per_piece, size_of_piece(i, bytes), stream);
    };
    for (std::size_t i = 0; i < count && i < pieces; ++i) start_piece(i);
    for (std::size_t i = 0; i < count; ++i) {
      slot& s = slots_[i % pieces];
      wait_until_idle(s);
      host_copy(dst + i * bytes_per_piece, s.data, size_of_piece(i, bytes));
      if (i + pieces < count) start_piece(i + pieces);
    }
  }

 private:
  struct slot {
    void* data = nullptr;
    cudaEvent_t idle = nullptr;  // passed when the engine is done with `data`
  };

  static void host_copy(void* dst, const void* src, std::size_t size) {
    host::for_each_piece(size, [=](std::size_t begin, std::size_t end) {
      std::memcpy(static_cast<char*>(dst) + begin, static_cast<const char*>(src) + begin,
                  end - begin);
    });
  }

  static std::size_t size_of_piece(std::size_t i, std::size_t bytes) {
    return min_of(bytes_per_piece, bytes - i * bytes_per_piece);
  }

  template <class F>
  void for_each_piece(std::size_t bytes, F f) {
    for (std::size_t i = 0; i * bytes_per_piece < bytes; ++i) {
      f(slots_[i % pieces], i * bytes_per_piece, size_of_piece(i, bytes));
    }
  }

  static void wait_until_idle(slot& s) {
    check(cudaEventSynchronize(s.idle), "copying between host and device");
  }

  static void start(slot& s, void* dst, const void* src, std::size_t size, cudaStream_t stream) {
    check(cudaMemcpyAsync(dst, src, size, cudaMemcpyDefault, stream),
          "copying between host and device");
    check(cudaEventRecord(s.idle, stream), "recording an event");
  }

  handle_origin origin_;
  slot slots_[pieces];
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
