// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/algorithm/gather.hpp>
#include <gpusort/detail/dispatch/memory/staging.hpp>
#include <gpusort/detail/distributed/device_local.hpp>
#include <gpusort/detail/distributed/resize_vector.hpp>
#include <gpusort/detail/support/memory_source.hpp>
#include <gpusort/detail/support/pointer_kind.hpp>
#include <optional>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// device_local of the elements of a vector in host memory, which gets as many as the rank ends
/// with. They are copied to the device, where there is room for more when these are known.
template <class Call, class Compare, class Vector>
class device_vector_local {
  using T = typename Vector::value_type;
  using base = device_local<Call, Compare, T*>;

 public:
  using key_type = T;
  static constexpr std::size_t columns = 1;
  static constexpr bool is_on_device = true;
  static constexpr std::size_t element_bytes(std::size_t) { return sizeof(T); }

  device_vector_local(const Call& call, const Compare& compare, Vector& vector)
      : call_(call),
        vector_(vector),
        local_(room_for{0}, call, compare, static_cast<T*>(nullptr), 0),
        n_(vector.size()) {}

  std::uint64_t n() const { return n_; }

  void sort(bool stable) {
    load();
    local_.sort(stable);
  }
  bool is_sorted() {
    load();
    return local_.is_sorted();
  }
  void sample(const window* windows, std::size_t k, void* samples) {
    load();
    local_.sample(windows, k, samples);
  }
  void order(const void* samples, std::size_t count, std::uint32_t* indices) {
    local_.order(samples, count, indices);
  }

  void prepare(std::uint64_t received) {
    load();
    vector_.reserve(received);
    if (received > room_) {
      local_.on_device([&] {
        auto larger = memory_for(received);
        relocate(call_.stream, range_.data(), larger.data(), n_ * sizeof(T));
        range_ = std::move(larger);
      });
      room_ = received;
      local_.set_range(range_.template as<T>(), n_, room_);
    }
    local_.prepare(received);
  }

  void* data(std::size_t column) { return local_.data(column); }
  void* receive_buffer(std::size_t column) { return local_.receive_buffer(column); }
  void merge(const std::uint64_t* run_offsets, std::size_t p) { local_.merge(run_offsets, p); }

  void settle() { local_.settle(); }

  void finish(std::uint64_t n) {
    local_.finish(n);
    if (!is_loaded_) return;
    resize_vector(vector_, n);
    n_ = n;
    local_.on_device([&] {
      overwrite_input(true, [&] {
        if (n == 0) return;
        copy_to_host(vector_.data(), range_.data(), n * sizeof(T), classify_pointer(vector_.data()),
                     call_.stream);
        check(cudaStreamSynchronize(call_.stream), "waiting for a device");
      });
      range_ = {};
    });
    is_loaded_ = false;
  }

 private:
  scratch_buffer memory_for(std::uint64_t n) const {
    return scratch_buffer::or_throw(call_.memory, bytes_of<T>(n), call_.stream);
  }

  void load() {
    if (is_loaded_) return;
    local_.on_device([&] {
      range_ = memory_for(n_);
      if (n_ == 0) return;
      copy_to_device(range_.data(), vector_.data(), n_ * sizeof(T),
                     classify_pointer(vector_.data()), call_.stream);
    });
    room_ = n_;
    local_.set_range(range_.template as<T>(), n_, room_);
    is_loaded_ = true;
  }

  Call call_;
  Vector& vector_;
  scratch_buffer range_;
  base local_;
  std::uint64_t n_;
  std::uint64_t room_ = 0;
  bool is_loaded_ = false;
};

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
