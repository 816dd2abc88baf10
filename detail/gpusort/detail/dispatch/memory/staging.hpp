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
#include <gpusort/detail/support/library.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/support/pointer_kind.hpp>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// The measures of a staging_ring.
struct staging_shape {
  /// Least threads with which the host is no slower than the bus.
  std::size_t threads = host::crew::most_threads;
  /// One is copied into or out of by each thread, some are on the bus, and some wait, as neither
  /// keeps an even pace.
  std::size_t pieces = 32;
  std::size_t bytes_per_piece = host::crew::bytes_per_piece;

  /// Returns the pieces on the bus, 25 us each: enough that it has work while this thread comes to
  /// know of the first, or starts what else the device is to do.
  std::size_t pieces_on_the_bus() const { return ceil_div<std::size_t>(pieces, 4); }
};

/// Pinned buffers through which pageable memory goes to a device and back: threads copy pieces
/// while the copy engine moves others. Only the calling thread talks to the driver. The events
/// belong to one device, so does the ring.
class staging_ring {
  struct slot;

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

  /// Prepares as many as any number of copies keeps busy.
  bool prepare_all() noexcept { return prepare(shape_.pieces * shape_.bytes_per_piece); }

  /// Copies to the device, by threads that live as long as this.
  class uploads {
   public:
    explicit uploads(staging_ring& ring, std::size_t pieces = host::crew::any_number)
        : ring_(ring), fill_{ring}, crew_(pieces, fill_, ring.shape_.threads) {}

    /// Returns when `src` has been read. Where the next copy is known it must follow, and has been
    /// begun: threads read it until then.
    void copy(char* dst, const char* src, std::size_t bytes, cudaStream_t stream,
              const char* next = nullptr, std::size_t next_bytes = 0) {
      const std::size_t first = sent_, end = first + ring_.pieces_of(bytes);
      const std::size_t next_end = end + ring_.pieces_of(next_bytes);
      while (sent_ < end) {
        // Waits for the bus only when all that may be there is there.
        const std::size_t most = sent_ + ring_.shape_.pieces - ring_.shape_.pieces_on_the_bus();
        while (filled_ < next_end && filled_ <= most) {
          slot& s = ring_.slot_of(filled_);
          wait_until_idle(s);
          if (filled_ < end) {
            ring_.set_host(s, const_cast<char*>(src), bytes, filled_ - first);
          } else {
            ring_.set_host(s, const_cast<char*>(next), next_bytes, filled_ - end);
          }
          crew_.release(++filled_);
        }
        crew_.wait_for(sent_);
        slot& s = ring_.slot_of(sent_);
        start(s, dst + ring_.offset_of(sent_ - first), s.data, s.size, stream);
        ++sent_;
      }
    }

   private:
    struct fill {
      staging_ring& ring;

      void operator()(std::size_t i) const {
        const slot& s = ring.slot_of(i);
        std::memcpy(s.data, s.host, s.size);
      }
    };

    staging_ring& ring_;
    std::size_t filled_ = 0;  // pieces that threads may fill
    std::size_t sent_ = 0;
    fill fill_;
    host::crew crew_;
  };

  /// Copies to the host, by threads that live as long as this.
  class downloads {
   public:
    explicit downloads(staging_ring& ring, std::size_t pieces = host::crew::any_number)
        : ring_(ring), empty_{ring}, crew_(pieces, empty_, ring.shape_.threads) {}

    /// Copies; `dst` has been written when finish() returns, or earlier.
    void copy(char* dst, const char* src, std::size_t bytes, cudaStream_t stream) {
      const std::size_t count = ring_.pieces_of(bytes);
      for (std::size_t i = 0; i < count; ++i) {
        if (started_ - arrived_ == ring_.shape_.pieces_on_the_bus()) await_one();
        slot& s = ring_.slot_of(started_);
        if (started_ >= ring_.shape_.pieces) crew_.wait_for(started_ - ring_.shape_.pieces);
        wait_until_idle(s);
        ring_.set_host(s, dst, bytes, i);
        start(s, s.data, src + ring_.offset_of(i), s.size, stream);
        ++started_;
      }
    }

    void finish() {
      while (arrived_ < started_) await_one();
      for (std::size_t i = started_ - min_of(started_, ring_.shape_.pieces); i < started_; ++i) {
        crew_.wait_for(i);
      }
    }

   private:
    struct empty {
      staging_ring& ring;

      void operator()(std::size_t i) const {
        const slot& s = ring.slot_of(i);
        std::memcpy(s.host, s.data, s.size);
      }
    };

    void await_one() {
      wait_until_idle(ring_.slot_of(arrived_));
      crew_.release(++arrived_);
    }

    staging_ring& ring_;
    std::size_t started_ = 0;  // pieces
    std::size_t arrived_ = 0;
    empty empty_;
    host::crew crew_;
  };

  /// Returns when `src` has been read.
  void upload(char* dst, const char* src, std::size_t bytes, cudaStream_t stream) {
    uploads(*this, pieces_of(bytes)).copy(dst, src, bytes, stream);
  }

  /// Returns when `dst` has been written.
  void download(char* dst, const char* src, std::size_t bytes, cudaStream_t stream) {
    downloads copies(*this, pieces_of(bytes));
    copies.copy(dst, src, bytes, stream);
    copies.finish();
  }

 private:
  struct slot {
    void* data = nullptr;
    cudaEvent_t idle = nullptr;  // passed when the engine is done with `data`
    char* host = nullptr;        // what is copied to or from `data`
    std::size_t size = 0;
  };

  std::size_t pieces_of(std::size_t bytes) const { return ceil_div(bytes, shape_.bytes_per_piece); }
  std::size_t offset_of(std::size_t i) const { return i * shape_.bytes_per_piece; }
  slot& slot_of(std::size_t i) { return slots_[i % slots_.size()]; }

  void set_host(slot& s, char* host, std::size_t bytes, std::size_t i) const {
    s.host = host + offset_of(i);
    s.size = min_of(shape_.bytes_per_piece, bytes - offset_of(i));
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

  /// Returns a ring of `device`, which must be current; null where the host has no memory for one.
  std::unique_ptr<staging_ring> acquire(int device) noexcept try {
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
  } catch (const std::bad_alloc&) {
    return nullptr;
  }

  /// Gives the ring back; if the free list cannot grow, the ring is freed.
  void give_back(std::unique_ptr<staging_ring> ring) noexcept try {
    const std::lock_guard<std::mutex> lock(mutex_);
    idle_.push_back(std::move(ring));
  } catch (const std::bad_alloc&) {
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

/// Least bytes that are staged: below this the driver's own staging is as fast, and needs no ring.
inline constexpr std::size_t min_staged_bytes = std::size_t{1} << 20;

/// Copies by by_ring(ring), or by plain(), which asks the driver, where that is better for the kind
/// of the range on the host, or for its size.
template <class Plain, class ByRing>
void copy_through_ring(std::size_t bytes, pointer_kind host, const Plain& plain,
                       const ByRing& by_ring) {
  if (bytes == 0) return;
  if (host.kind != memory_kind::pageable_host || bytes < min_staged_bytes) return plain();
  const relaxed_capture_mode relaxed;  // pinning memory disturbs captures of other threads
  staging_rings& rings = staging_rings::instance();
  std::unique_ptr<staging_ring> ring = rings.acquire(current_device());
  // An exception destroys the ring, which waits for its copies.
  if (ring != nullptr && ring->prepare(bytes)) {
    by_ring(*ring);
  } else {
    plain();
  }
  if (ring != nullptr) rings.give_back(std::move(ring));
}

inline namespace GPUSORT_LINKED GPUSORT_HIDDEN {

/// Copies a host range to the current device in the order of `stream`. `src_kind` is where `src`
/// is. Pageable memory has been read when this returns; pinned memory when the stream has passed.
GPUSORT_LINKABLE void copy_to_device(void* dst, const void* src, std::size_t bytes,
                                     pointer_kind src_kind, cudaStream_t stream);

/// Copies from the current device to a host range in the order of `stream`. Pageable memory has
/// been written when this returns; pinned memory when the stream has passed.
GPUSORT_LINKABLE void copy_to_host(void* dst, const void* src, std::size_t bytes,
                                   pointer_kind dst_kind, cudaStream_t stream);

#if GPUSORT_DEFINES_LINKABLE
GPUSORT_LINKABLE void copy_to_device(void* dst, const void* src, std::size_t bytes,
                                     pointer_kind src_kind, cudaStream_t stream) {
  const auto plain = [&] {
    check(cudaMemcpyAsync(dst, src, bytes, cudaMemcpyDefault, stream),
          "copying from the host to the device");
  };
  copy_through_ring(bytes, src_kind, plain, [&](staging_ring& ring) {
    ring.upload(static_cast<char*>(dst), static_cast<const char*>(src), bytes, stream);
  });
}

GPUSORT_LINKABLE void copy_to_host(void* dst, const void* src, std::size_t bytes,
                                   pointer_kind dst_kind, cudaStream_t stream) {
  const auto plain = [&] {
    check(cudaMemcpyAsync(dst, src, bytes, cudaMemcpyDefault, stream),
          "copying from the device to the host");
  };
  copy_through_ring(bytes, dst_kind, plain, [&](staging_ring& ring) {
    ring.download(static_cast<char*>(dst), static_cast<const char*>(src), bytes, stream);
  });
}
#endif

}  // namespace GPUSORT_LINKED

/// All copies of a call that makes many. Pageable memory goes through a ring for each direction,
/// whose threads live as long as this. To be used on one device, and by one thread.
class host_copies {
 public:
  /// Copies as copy_to_device. Where the next copy is known, and of pageable memory too, it must
  /// follow; threads read it already.
  void to_device(void* dst, const void* src, std::size_t bytes, pointer_kind src_kind,
                 cudaStream_t stream, const void* next = nullptr, std::size_t next_bytes = 0) {
    if (src_kind.kind != memory_kind::pageable_host || !up_.prepare()) {
      return copy_to_device(dst, src, bytes, src_kind, stream);
    }
    up_.copies->copy(static_cast<char*>(dst), static_cast<const char*>(src), bytes, stream,
                     static_cast<const char*>(next), next_bytes);
  }

  /// Copies to the host: pageable memory has been written when finish_downloads() returns, pinned
  /// memory when the stream has passed.
  void to_host(void* dst, const void* src, std::size_t bytes, pointer_kind dst_kind,
               cudaStream_t stream) {
    if (dst_kind.kind != memory_kind::pageable_host || !down_.prepare()) {
      return copy_to_host(dst, src, bytes, dst_kind, stream);
    }
    down_.copies->copy(static_cast<char*>(dst), static_cast<const char*>(src), bytes, stream);
  }

  void finish_downloads() {
    if (down_.copies) down_.copies->finish();
  }

  /// Keeps the rings for other calls, when all copies have been made.
  void finish() {
    finish_downloads();
    up_.give_back();
    down_.give_back();
  }

  /// Ends what is under way: then no thread touches what was to be copied.
  void abandon() noexcept {
    up_.abandon();
    down_.abandon();
  }

 private:
  template <class Copies>
  struct direction {
    std::unique_ptr<staging_ring> ring;
    std::optional<Copies> copies;  // ends before the ring
    bool has_failed = false;       // there is not so much pinned memory

    bool prepare() {
      if (copies || has_failed) return !has_failed;
      const relaxed_capture_mode relaxed;
      ring = staging_rings::instance().acquire(current_device());
      has_failed = ring == nullptr || !ring->prepare_all();
      if (!has_failed) copies.emplace(*ring);
      return !has_failed;
    }
    void give_back() {
      copies.reset();
      if (ring != nullptr) staging_rings::instance().give_back(std::move(ring));
    }
    void abandon() noexcept {
      copies.reset();
      ring.reset();
    }
  };

  direction<staging_ring::uploads> up_;
  direction<staging_ring::downloads> down_;
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
