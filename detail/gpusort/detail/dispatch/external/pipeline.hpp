// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/dispatch/call.hpp>
#include <gpusort/detail/dispatch/external/spill_memory.hpp>
#include <gpusort/detail/dispatch/memory/staging.hpp>
#include <gpusort/detail/host/task.hpp>
#include <gpusort/detail/support/check.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/support/memory_source.hpp>
#include <gpusort/detail/support/pointer_kind.hpp>
#include <gpusort/detail/support/stream.hpp>
#include <gpusort/error.hpp>
#include <vector>

// Sorting and merging what does not fit on the device: units go up, are worked on, and come down,
// all at the same time. Nothing here knows the type of the elements, so that it is compiled once.

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Elements somewhere on the host.
struct host_run {
  const void* data;
  std::uint64_t count;
};

/// Tells the pipeline what it has to know of the elements and their order.
class external_elements {
 public:
  explicit external_elements(std::size_t bytes) : bytes_(bytes) {}

  std::uint64_t bytes(std::uint64_t count) const { return count * bytes_; }

  /// Returns the bytes of device memory besides the elements.
  virtual std::size_t sort_bytes(std::uint64_t n) const = 0;
  virtual void sort(cudaStream_t stream, void* data, std::uint64_t n,
                    const memory_source& memory) const = 0;

  /// Whether select may be called; else select_on_device.
  virtual bool selects_on_host() const = 0;
  /// Writes counts[i], how many elements of run i are among the first `rank` of all.
  virtual void select(const host_run* runs, std::size_t k, std::uint64_t rank,
                      std::size_t* counts) const = 0;
  /// Selects several ranks of runs that the device reaches. Waits.
  virtual void select_on_device(cudaStream_t stream, const std::vector<host_run>& runs,
                                const std::vector<std::uint64_t>& ranks, std::uint64_t* counts,
                                void* scratch) const = 0;
  virtual std::size_t select_bytes(std::size_t k, std::size_t ranks) const = 0;

 protected:
  ~external_elements() = default;

 private:
  std::size_t bytes_;
};

/// n elements in units that differ by at most one element, and the device memory for them: slots
/// for three, so that one goes up, one is worked on and one comes down, and scratch.
struct external_plan {
  static constexpr int slots = 3;

  std::uint64_t n = 0;
  std::uint64_t units = 0;  // 0: the memory is too small
  std::size_t slot_bytes = 0;
  std::size_t scratch_bytes = 0;

  std::uint64_t begin(std::uint64_t unit) const {
    return unit * (n / units) + min_of(unit, n % units);
  }
  std::uint64_t count(std::uint64_t unit) const { return begin(unit + 1) - begin(unit); }
  std::size_t bytes() const { return slots * slot_bytes + scratch_bytes; }

  /// Makes the plan for `runs` sorted runs; where runs == 0, as many as units. `max_bytes` of each
  /// device.
  static external_plan make(const external_elements& elements, std::uint64_t n, std::size_t runs,
                            std::size_t links, std::uint64_t max_bytes) {
    // The first unit of a link goes up and its last comes down while nothing else moves: 2% of a
    // trip, 3% where several links share the units. With more the copies of parts of runs would
    // become short.
    const std::uint64_t most_by_choice = links == 1 ? 48 : 32 * links;
    constexpr std::uint64_t least_bytes_by_choice = std::uint64_t{32} << 20;
    // Fewer elements, in a million copies: the memory is too small for any use.
    constexpr std::uint64_t least_elements = 64;
    const std::uint64_t by_size = elements.bytes(n) / least_bytes_by_choice;
    external_plan p;
    p.n = n;
    p.units = by_size < 2 * links ? 2 * links : min_of(by_size, most_by_choice);
    for (; n / p.units >= least_elements; p.units += p.units / 8 + 1) {
      const std::uint64_t least = n / p.units, most = least + (n % p.units != 0);
      const std::size_t work = (std::max)(elements.sort_bytes(least), elements.sort_bytes(most));
      p.slot_bytes = round_up<std::size_t>(elements.bytes(most), scratch_alignment);
      p.scratch_bytes = round_up<std::size_t>(work, scratch_alignment);
      const std::size_t selecting = elements.select_bytes(runs == 0 ? p.units : runs, p.units);
      if (selecting > p.bytes()) p.scratch_bytes += selecting - p.bytes();
      if (p.bytes() <= max_bytes) return p;
    }
    p.units = 0;
    return p;
  }
};

/// The units that go over one of several links. Neighbouring units go over different ones, so that
/// what they need in host memory is needed from its beginning on.
struct external_share {
  std::uint64_t first = 0;
  std::uint64_t stride = 1;

  std::uint64_t unit(std::uint64_t i) const { return first + i * stride; }
  std::uint64_t units(const external_plan& plan) const {
    return plan.units > first ? ceil_div(plan.units - first, stride) : 0;
  }
};

/// The streams and the device memory of a call on one device. Its memory belongs to the call's
/// stream, on which the units are worked on; ends with all streams idle.
class external_pipeline {
 public:
  using step = host::function_ref<std::uint64_t, unsigned char*>;  // unit, its slot

  external_pipeline(const external_plan& plan, const memory_source& memory, cudaStream_t stream)
      : plan_(plan), stream_(stream), memory_(memory, plan.bytes(), stream) {
    if (!memory_) throw out_of_memory();
    for (slot& s : slots_) {
      s.data = memory_.as<unsigned char>((&s - slots_) * plan.slot_bytes);
      s.uploaded.record(stream);  // the first unit comes after what is on the stream
      s.downloaded.record(stream);
    }
  }
  ~external_pipeline() { drain(); }
  external_pipeline(const external_pipeline&) = delete;
  external_pipeline& operator=(const external_pipeline&) = delete;

  /// Waits for what is under way, also where some of it has failed.
  void drain() const noexcept {
    for (cudaStream_t s : {up_.get(), stream_, down_.get()}) cudaStreamSynchronize(s);
    cudaGetLastError();
  }

  /// Returns all of the memory, between runs.
  void* memory() const { return memory_.data(); }

  /// Returns the scratch, which one at a time may have.
  memory_source scratch() { return {this, &allocate, &deallocate}; }

  /// Works on every `share.stride`th unit. `upload` copies on up(), `process` works on stream(),
  /// `download` copies on down(). Waits for the last unit; `finished` is told of each, in order.
  /// Where `download` keeps this thread busy a unit is worked on while the one before it is
  /// downloaded and the next goes up.
  void run(const external_share& share, step upload, step process, step download,
           bool download_waits, host::function_ref<std::uint64_t> finished) {
    const std::uint64_t lag = download_waits ? 2 : 1, units = share.units(plan_);
    const auto start_download = [&](std::uint64_t i) {
      slot& s = slot_of(i);
      s.processed.hold_back(down_.get());
      download(share.unit(i), s.data);
      s.downloaded.record(down_.get());
    };
    const auto finish = [&](std::uint64_t i) {
      slot_of(i).downloaded.wait();
      finished(share.unit(i));
    };
    for (std::uint64_t i = 0; i < units; ++i) {
      slot& s = slot_of(i);
      s.downloaded.hold_back(up_.get());
      upload(share.unit(i), s.data);
      s.uploaded.record(up_.get());
      s.uploaded.hold_back(stream_);
      process(share.unit(i), s.data);
      s.processed.record(stream_);
      // A copy of pageable memory keeps this thread busy: the next upload must be under way.
      if (i >= lag) start_download(i - lag);
      // Not before: waiting for the last of a unit would leave the bus without the next.
      if (i >= external_plan::slots) finish(i - external_plan::slots);
    }
    for (std::uint64_t i = units - min_of(units, lag); i < units; ++i) start_download(i);
    const std::uint64_t left = min_of(units, external_plan::slots);
    for (std::uint64_t i = units - left; i < units; ++i) finish(i);
  }

  cudaStream_t up() const { return up_.get(); }
  cudaStream_t down() const { return down_.get(); }
  cudaStream_t stream() const { return stream_; }

 private:
  struct slot {
    unsigned char* data = nullptr;
    event uploaded, processed, downloaded;
  };

  slot& slot_of(std::uint64_t i) { return slots_[i % external_plan::slots]; }

  static void* allocate(void* state, std::size_t bytes, cudaStream_t) {
    auto& self = *static_cast<external_pipeline*>(state);
    if (self.scratch_taken_ || bytes > self.plan_.scratch_bytes) return nullptr;
    self.scratch_taken_ = true;
    return self.memory_.as<unsigned char>(external_plan::slots * self.plan_.slot_bytes);
  }
  static void deallocate(void* state, void*, std::size_t, cudaStream_t) {
    static_cast<external_pipeline*>(state)->scratch_taken_ = false;
  }

  external_plan plan_;
  cudaStream_t stream_;
  scratch_buffer memory_;
  own_stream up_, down_;
  slot slots_[external_plan::slots];
  bool scratch_taken_ = false;
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
