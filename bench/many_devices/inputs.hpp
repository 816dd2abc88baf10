// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is sorted on several devices: made where it is, from the index of each element among all,
// and checked there.
#pragma once

#include <cstdint>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/math.hpp>
#include <string>
#include <vector>

#include "kit.hpp"

namespace many_devices {

enum class distribution { uniform, zipf, skewed_prefixes, all_equal, in_order };

inline const char* name_of(distribution d) {
  constexpr const char* names[] = {"uniform", "zipf", "GraySort skew", "all equal", "in order"};
  return names[static_cast<int>(d)];
}

/// Returns key number i of a distribution.
inline __host__ __device__ std::uint64_t key_at(distribution d, std::uint64_t i) {
  const std::uint64_t random = gpusort::detail::mix_bits(i);
  switch (d) {
    case distribution::uniform:
      return random;
    case distribution::zipf: {  // x is as likely as 1 / x^2, up to 2^20, in the upper bits
      const double u = static_cast<double>(random >> 11) * 0x1p-53;
      return static_cast<std::uint64_t>(1 / (u + 0x1p-20)) << 43;
    }
    case distribution::skewed_prefixes: {  // half of the keys begin with the same 16 bits, ...
      std::uint64_t prefix = 0;
      while (prefix < 63 && (random >> prefix & 1) != 0) ++prefix;
      return (gpusort::detail::mix_bits(prefix) & 0xFFFF000000000000u) | random >> 16;
    }
    case distribution::in_order:
      return i << 32;
    default:
      return 42;
  }
}

/// A record that is ordered by its first member.
struct record64 {
  std::uint64_t key;
  std::uint64_t rest[7];
};

struct by_key {
  __host__ __device__ bool operator()(const record64& a, const record64& b) const {
    return a.key < b.key;
  }
};

template <class T>
__host__ __device__ T element_of(std::uint64_t key, std::uint64_t) {
  constexpr int unused = 64 - 8 * static_cast<int>(sizeof(T));
  return static_cast<T>(key >> unused);
}
template <>
inline __host__ __device__ record64 element_of<record64>(std::uint64_t key, std::uint64_t i) {
  record64 r{};
  r.key = key;
  r.rest[0] = i;
  return r;
}

inline __host__ __device__ std::uint64_t key_of(std::uint64_t x) { return x; }
inline __host__ __device__ std::uint64_t key_of(const record64& r) { return r.key; }

/// Returns what does not depend on where an element is, so that sums of all tell whether all are
/// there.
inline __host__ __device__ std::uint64_t sum_of(std::uint64_t x) {
  return gpusort::detail::mix_bits(x);
}
inline __host__ __device__ std::uint64_t sum_of(const record64& r) {
  return gpusort::detail::mix_bits(r.key ^ gpusort::detail::mix_bits(r.rest[0]));
}

struct findings {
  unsigned long long descents;
  unsigned long long sum;
};

template <class T>
__global__ void __launch_bounds__(256)
    fill_kernel(T* data, std::uint64_t n, std::uint64_t first, distribution d) {
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    data[i] = element_of<T>(key_at(d, first + i), first + i);
  }
}

template <class T>
__global__ void __launch_bounds__(256)
    examine_kernel(const T* data, std::uint64_t n, findings* found) {
  unsigned long long descents = 0, sum = 0;
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    descents += i > 0 && key_of(data[i]) < key_of(data[i - 1]);
    sum += sum_of(data[i]);
  }
  if (descents > 0) atomicAdd(&found->descents, descents);
  atomicAdd(&found->sum, sum);
}

/// Holds as many elements on each of some devices. `values`: the index of each, with the key.
template <class T>
class shard_set {
 public:
  shard_set(const std::vector<int>& devices, std::uint64_t n_each, bool has_values)
      : n_each_(n_each) {
    for (int device : devices) {
      data_.emplace_back(device, n_each * sizeof(T));
      if (has_values) values_.emplace_back(device, n_each * sizeof(std::uint32_t));
      found_.emplace_back(device, sizeof(findings));
    }
  }

  std::size_t shards() const { return data_.size(); }
  std::uint64_t n_each() const { return n_each_; }
  std::uint64_t n() const { return n_each_ * shards(); }
  int device(std::size_t i) const { return data_[i].device(); }
  T* data(std::size_t i) const { return data_[i].template as<T>(); }
  std::uint32_t* values(std::size_t i) const { return values_[i].template as<std::uint32_t>(); }

  void fill(distribution d) const {
    for (std::size_t i = 0; i < shards(); ++i) {
      choose(device(i));
      start(fill_kernel<T>, data(i), n_each_, n_each_ * i, d);
      if (!values_.empty()) start(fill_kernel<std::uint32_t>, values(i), n_each_, n_each_ * i, d);
    }
  }

  /// Examines all keys: their checksum, and where a key is before a lesser one.
  findings examine() const {
    findings all{0, 0};
    const T* before = nullptr;
    T last{}, first{};
    for (std::size_t i = 0; i < shards(); ++i) {
      choose(device(i));
      auto* const found = found_[i].template as<findings>();
      check(cudaMemset(found, 0, sizeof(findings)), "cudaMemset");
      start(examine_kernel<T>, data(i), n_each_, found);
      findings here{};
      check(cudaMemcpy(&here, found, sizeof(here), cudaMemcpyDeviceToHost), "cudaMemcpy");
      all.descents += here.descents;
      all.sum += here.sum;
      check(cudaMemcpy(&first, data(i), sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
      if (before != nullptr) all.descents += key_of(first) < key_of(last);
      check(cudaMemcpy(&last, data(i) + (n_each_ - 1), sizeof(T), cudaMemcpyDeviceToHost),
            "cudaMemcpy");
      before = data(i);
    }
    return all;
  }

 private:
  template <class... Parameters, class... Arguments>
  void start(void (*kernel)(Parameters...), const Arguments&... arguments) const {
    const std::size_t most = 2048, wanted = static_cast<std::size_t>((n_each_ + 255) / 256);
    gpusort::detail::launch(kernel, std::min(most, wanted), 256, 0, nullptr, arguments...);
  }

  std::uint64_t n_each_;
  std::vector<device_bytes> data_, values_, found_;
};

}  // namespace many_devices
