// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/dispatch/memory/device_scope.hpp>
#include <gpusort/detail/distributed/device_error.hpp>
#include <gpusort/detail/distributed/link_end.hpp>
#include <gpusort/detail/support/check.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/device.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/support/memory_pool.hpp>
#include <gpusort/detail/support/peer_memory.hpp>
#include <gpusort/error.hpp>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// Tells how elements go from one device to another.
enum class link_kind { local, peer, through_host };

/// The streams of some ranks, each on a device, and copies between what they have there.
class device_links {
 public:
  /// Makes the links; `always_through_host`: as where no device reaches another one's memory, nor
  /// its own.
  explicit device_links(std::vector<int> devices, bool always_through_host = false)
      : devices_(std::move(devices)),
        always_through_host_(always_through_host),
        ends_(devices_.size()),
        relays_(devices_.size()) {
    try {
      for (std::size_t r = 0; r < devices_.size(); ++r) {
        const device_guard guard(devices_[r]);
        ends_[r] = link_ends::instance().acquire(devices_[r]);
      }
      for (const int a : distinct_devices()) {
        for (const int b : distinct_devices()) connect(a, b);
      }
    } catch (...) {
      destroy();
      throw;
    }
  }
  ~device_links() { destroy(); }
  device_links(const device_links&) = delete;
  device_links& operator=(const device_links&) = delete;

  std::size_t ranks() const { return devices_.size(); }
  int device(std::size_t rank) const { return devices_[rank]; }
  /// Returns what rank's work is put on.
  cudaStream_t stream(std::size_t rank) const { return ends_[rank]->work; }

  link_kind kind(std::size_t from, std::size_t to) const {
    if (always_through_host_) return link_kind::through_host;
    if (devices_[from] == devices_[to]) return link_kind::local;
    return reaches(devices_[to], devices_[from]) ? link_kind::peer : link_kind::through_host;
  }

  /// Lets all ranks' work begin after what is on `stream` now; of a default stream, after what each
  /// device has on its own.
  void begin_after(cudaStream_t stream) {
    for (std::size_t r = 0; r < ranks(); ++r) {
      const int of_stream = is_default_stream(stream) ? -1 : device_of_stream(stream);
      const device_guard guard(of_stream >= 0 ? of_stream : devices_[r]);
      check(cudaEventRecord(event(), stream), "recording an event");
      check(cudaStreamWaitEvent(ends_[r]->work, events_.back(), 0), "ordering streams");
    }
  }

  /// Lets work of all ranks go on after what all of them work on now.
  void join() { wait_for_all(&link_end::work, &link_end::ready, {&link_end::work}); }

  /// Whether kernels of every device reach the scratch of every other one.
  bool are_all_reachable() const {
    if (always_through_host_) return false;
    for (const int a : distinct_devices()) {
      for (const int b : distinct_devices()) {
        if (a != b && !(reaches(a, b) && can_reach(a, b))) return false;
      }
    }
    return true;
  }

  /// Waits for all work, whatever it has come to. False where some has failed.
  bool drain() noexcept {
    bool is_sound = true;
    for (const auto& own : ends_) is_sound = (own == nullptr || own->drain()) && is_sound;
    return is_sound;
  }

  /// Copies that follow begin after what all ranks work on now.
  void begin_copies() {
    wait_for_all(&link_end::work, &link_end::ready,
                 {&link_end::work, &link_end::incoming, &link_end::outgoing});
  }

  /// Copies; called between begin_copies() and end_copies().
  void copy(std::size_t from_rank, const void* from, std::size_t to_rank, void* to,
            std::size_t bytes) {
    if (bytes == 0) return;
    const link_end& at = *ends_[to_rank];
    with_device_number(devices_[to_rank], [&] {
      switch (kind(from_rank, to_rank)) {
        case link_kind::local:  // while other elements arrive from elsewhere
          return check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice,
                                       from_rank == to_rank ? at.work : at.incoming),
                       "copying elements");
        case link_kind::peer:
          return check(cudaMemcpyPeerAsync(to, devices_[to_rank], from, devices_[from_rank], bytes,
                                           at.incoming),
                       "copying elements from another device");
        case link_kind::through_host:
          return relay(from_rank, static_cast<const char*>(from), to_rank, static_cast<char*>(to),
                       bytes);
      }
    });
  }

  /// Lets work of all ranks go on after all copies: also of those that were only read.
  void end_copies() { wait_for_all(&link_end::incoming, &link_end::passed, {&link_end::work}); }

  /// Waits for the work of all ranks.
  void wait() {
    for (std::size_t r = 0; r < ranks(); ++r) {
      with_device_number(devices_[r], [&] {
        check(cudaStreamSynchronize(ends_[r]->work), "waiting for a device");
      });
    }
  }

 private:
  static constexpr std::size_t relay_slots = 2;
  /// Most devices of a host that wait for each other; more of them wait by way of one, as p^2 waits
  /// then take the host longer than one more signal takes the devices.
  static constexpr std::size_t most_that_wait_for_each_other = 8;
  /// 0.15 ms on the bus: long enough to hide what orders the copies.
  static constexpr std::size_t relay_bytes = std::size_t{8} << 20;

  /// Page-locked memory through which a rank receives.
  struct relay_memory {
    void* slots[relay_slots] = {};
    cudaEvent_t freed[relay_slots] = {};
    std::size_t used = 0;
  };

  std::vector<int> distinct_devices() const {
    std::vector<int> distinct = devices_;
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    return distinct;
  }

  /// Lets streams `waiting` of every rank go on after what stream `of` of all ranks has now, by
  /// `event`.
  void wait_for_all(cudaStream_t link_end::*of, cudaEvent_t link_end::*event,
                    std::initializer_list<cudaStream_t link_end::*> waiting) {
    const auto record = [](cudaEvent_t passed, cudaStream_t stream) {
      check(cudaEventRecord(passed, stream), "recording an event");
    };
    const auto wait = [](cudaStream_t stream, cudaEvent_t passed) {
      check(cudaStreamWaitEvent(stream, passed, 0), "ordering streams");
    };
    for (const auto& end : ends_) record((*end).*event, (*end).*of);
    if (ranks() <= most_that_wait_for_each_other) {
      for (const auto& waits : ends_) {
        for (const auto& seen : ends_) {
          for (const auto stream : waiting) wait((*waits).*stream, (*seen).*event);
        }
      }
      return;
    }
    const link_end& first = *ends_[0];
    for (const auto& seen : ends_) wait(first.work, (*seen).*event);
    record(first.ready, first.work);
    for (const auto& waits : ends_) {
      for (const auto stream : waiting) wait((*waits).*stream, first.ready);
    }
  }

  static void make(cudaEvent_t& event) {
    check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "creating an event");
  }

  /// Returns a new event of the current device, that lives as long as this.
  cudaEvent_t event() {
    const relaxed_capture_mode relaxed;
    events_.push_back(nullptr);
    make(events_.back());
    return events_.back();
  }

  bool reaches(int device, int other) const {
    return std::find(reached_.begin(), reached_.end(), std::make_pair(device, other)) !=
           reached_.end();
  }

  /// Lets a device reach another one's memory, that of the scratch pool included, where it can.
  void connect(int device, int other) {
    if (device == other || reaches(device, other)) return;
    int can = 0;
    check(cudaDeviceCanAccessPeer(&can, device, other), "asking which devices reach each other");
    if (can == 0) return;
    const device_guard guard(device);
    const cudaError_t status = cudaDeviceEnablePeerAccess(other, 0);
    if (status == cudaErrorPeerAccessAlreadyEnabled) {
      cudaGetLastError();
    } else if (status == cudaErrorTooManyPeers) {
      cudaGetLastError();  // copies go through the host
      return;
    } else {
      check(status, "letting a device reach another one's memory");
    }
    if (can_reach(device, other)) {
      const device_guard owner(other);
      open_pool_to(device);
    }
    reached_.emplace_back(device, other);
  }

  /// Relays in pieces: one goes up to the receiver while the next comes down from the sender.
  void relay(std::size_t from_rank, const char* from, std::size_t to_rank, char* to,
             std::size_t bytes) {
    relay_memory& memory = relays_[to_rank];
    const link_end &sender = *ends_[from_rank], &receiver = *ends_[to_rank];
    for (std::size_t begin = 0; begin < bytes; begin += relay_bytes) {
      const std::size_t size = min_of(relay_bytes, bytes - begin);
      const std::size_t s = memory.used++ % relay_slots;
      if (memory.slots[s] == nullptr) {
        const device_guard guard(devices_[to_rank]);
        const relaxed_capture_mode relaxed;
        make(memory.freed[s]);
        if (cudaHostAlloc(&memory.slots[s], relay_bytes, cudaHostAllocPortable) != cudaSuccess) {
          cudaGetLastError();
          memory.slots[s] = nullptr;
          throw out_of_memory();
        }
      } else {
        check(cudaStreamWaitEvent(sender.outgoing, memory.freed[s], 0), "ordering streams");
      }
      check(
          cudaMemcpyAsync(memory.slots[s], from + begin, size, cudaMemcpyDefault, sender.outgoing),
          "copying elements to the host");
      {
        const device_guard guard(devices_[from_rank]);
        check(cudaEventRecord(event(), sender.outgoing), "recording an event");
      }
      check(cudaStreamWaitEvent(receiver.incoming, events_.back(), 0), "ordering streams");
      check(
          cudaMemcpyAsync(to + begin, memory.slots[s], size, cudaMemcpyDefault, receiver.incoming),
          "copying elements from the host");
      const device_guard guard(devices_[to_rank]);
      check(cudaEventRecord(memory.freed[s], receiver.incoming), "recording an event");
    }
  }

  void destroy() noexcept {
    const bool is_sound = drain();
    for (auto& own : ends_) {
      if (own != nullptr && is_sound) link_ends::instance().give_back(std::move(own));
    }
    for (relay_memory& memory : relays_) {
      for (std::size_t s = 0; s < relay_slots; ++s) {
        if (memory.slots[s] != nullptr) cudaFreeHost(memory.slots[s]);
        if (memory.freed[s] != nullptr) cudaEventDestroy(memory.freed[s]);
      }
    }
    for (const cudaEvent_t event : events_) {
      if (event != nullptr) cudaEventDestroy(event);
    }
  }

  std::vector<int> devices_;
  bool always_through_host_;
  std::vector<std::unique_ptr<link_end>> ends_;
  std::vector<relay_memory> relays_;
  std::vector<cudaEvent_t> events_;
  std::vector<std::pair<int, int>> reached_;  // who, and whose memory
};

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
