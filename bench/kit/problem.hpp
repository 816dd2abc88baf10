// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/tile/sample.hpp>
#include <string>
#include <type_traits>

#include "device.hpp"
#include "types.hpp"

namespace bench {

/// An input: distribution and size.
struct input {
  kit::distribution distribution;
  int log2n;
  bool misleads_samples = false;  // of one seed

  std::string name() const { return misleads_samples ? "misled" : kit::name_of(distribution); }
};

/// Holds what one call sorts, and the spare arrays that double-buffered peers may use with it.
template <class Key, class Value = no_value>
struct problem {
  static constexpr bool has_values = !std::is_same_v<Value, no_value>;

  Key* keys;
  Key* spare_keys;
  Value* values;
  Value* spare_values;
  std::size_t n;
};

/// Tells where a call left its result.
template <class Key, class Value = no_value>
struct sorted_output {
  const Key* keys;
  const Value* values;
};

namespace detail {

struct findings {
  unsigned long long checksum;  // of the multiset: sum of the elements' hashes
  unsigned int out_of_order;
  unsigned int unstable;
};

template <class Key, class Value>
__global__ void fill_kernel(Key* keys, Value* values, std::uint64_t n, kit::distribution d,
                            std::uint64_t seed) {
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    keys[i] = kit::value_at<Key>(d, i, n, seed);
    if constexpr (!std::is_same_v<Value, no_value>) values[i] = static_cast<Value>(i);
  }
}

/// Puts small keys where samples of any size would be taken with one seed: nearly all others are
/// above the last splitter.
template <class Key>
__global__ void mislead_kernel(Key* keys, std::uint64_t n, int log_samples) {
  namespace gpu = gpusort::detail;
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  constexpr std::uint64_t seed = 7;
  if (i >> log_samples != 0) return;
  keys[gpu::tile::sample_index(i, log_samples, n, seed)] = static_cast<Key>(i);
}

// Values are the positions they were made at, so equal keys must have them ascending after a stable
// sort.
template <class Before, class Key, class Value>
__global__ void inspect_kernel(const Key* keys, const Value* values, std::uint64_t n,
                               findings* found) {
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  const Before before{};
  std::uint64_t sum = 0;
  bool out_of_order = false, unstable = false;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    const Key key = keys[i];
    std::uint64_t hash = kit::hash_of(key);
    if (i > 0 && before(key, keys[i - 1])) out_of_order = true;
    if constexpr (!std::is_same_v<Value, no_value>) {
      const Value value = values[i];
      hash = kit::scramble(hash ^ kit::hash_of(value));
      if (i > 0 && !before(keys[i - 1], key) && value < values[i - 1]) unstable = true;
    }
    sum += hash;
  }
  atomicAdd(&found->checksum, static_cast<unsigned long long>(sum));
  if (out_of_order) atomicOr(&found->out_of_order, 1u);
  if (unstable) atomicOr(&found->unstable, 1u);
}

inline unsigned grid_for(std::size_t n) {
  constexpr std::size_t most = 2048;
  return static_cast<unsigned>(n / 256 + 1 < most ? n / 256 + 1 : most);
}

}  // namespace detail

/// Looks at arrays on the device.
class inspector {
 public:
  template <class Key, class Value, class Before = opaque_less>
  detail::findings inspect(const Key* keys, const Value* values, std::size_t n) {
    auto* const found = findings_.reserve_for<detail::findings>(1);
    check(cudaMemset(found, 0, sizeof(*found)), "cudaMemset");
    detail::inspect_kernel<Before><<<detail::grid_for(n), 256>>>(keys, values, n, found);
    check(cudaGetLastError(), "inspecting the output");
    detail::findings result;
    check(cudaMemcpy(&result, found, sizeof(result), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return result;
  }

  /// Returns what is wrong with an output whose multiset has to have this checksum; empty: nothing.
  template <class Before = opaque_less, class Key, class Value>
  std::string fault_in(const sorted_output<Key, Value>& out, std::size_t n,
                       unsigned long long checksum, bool stable) {
    const detail::findings found = inspect<Key, Value, Before>(out.keys, out.values, n);
    if (found.checksum != checksum) return "the output is no permutation of the input";
    if (found.out_of_order) return "the output is not in order";
    if (stable && found.unstable) return "equivalent elements changed places";
    return {};
  }

 private:
  buffer findings_;
};

template <class T>
void copy_on_device(T* to, const T* from, std::size_t n) {
  check(cudaMemcpyAsync(to, from, n * sizeof(T), cudaMemcpyDeviceToDevice), "cudaMemcpyAsync");
}

/// The arrays after all problems of a program, and the input they are restored from.
class workspace {
 public:
  /// Returns an n-element problem of this distribution. Making the same one again costs nothing, so
  /// that all who sort an input sort the same bytes.
  template <class Key, class Value>
  problem<Key, Value> make(kit::distribution d, std::size_t n, bool misleads_samples = false) {
    constexpr bool has_values = problem<Key, Value>::has_values;
    const std::string wanted = std::string(__PRETTY_FUNCTION__) + kit::name_of(d) +
                               (misleads_samples ? " misled " : " ") + std::to_string(n);
    Key* const input = input_keys_.reserve_for<Key>(n);
    Value* const input_values = has_values ? input_values_.reserve_for<Value>(n) : nullptr;
    if (wanted != made_) {
      made_.clear();
      detail::fill_kernel<<<detail::grid_for(n), 256>>>(input, input_values, n, d, seed);
      if constexpr (std::is_arithmetic_v<Key>) {
        if (misleads_samples) mislead(input, n);
      }
      check(cudaGetLastError(), "making the input");
      checksum_ = inspector_.inspect<Key, Value>(input, input_values, n).checksum;
      made_ = wanted;
    }
    return {keys_.reserve_for<Key>(n), spare_keys_.reserve_for<Key>(n),
            has_values ? values_.reserve_for<Value>(n) : nullptr,
            has_values ? spare_values_.reserve_for<Value>(n) : nullptr, n};
  }

  template <class Key, class Value>
  void restore(const problem<Key, Value>& p) {
    copy_on_device(p.keys, input_keys_.reserve_for<Key>(p.n), p.n);
    if constexpr (p.has_values) {
      copy_on_device(p.values, input_values_.reserve_for<Value>(p.n), p.n);
    }
  }

  /// Returns what is wrong with the output of the problem made last; empty: nothing.
  template <class Before = opaque_less, class Key, class Value>
  std::string fault_in(const sorted_output<Key, Value>& out, std::size_t n, bool stable) {
    return inspector_.fault_in<Before>(out, n, checksum_, stable);
  }

  /// Returns temporary storage for peers that want it from the caller.
  void* scratch(std::size_t bytes) { return scratch_.reserve(bytes); }

 private:
  static constexpr std::uint64_t seed = 20090726;

  /// Samples have 2^6 to 2^14 keys.
  template <class Key>
  static void mislead(Key* keys, std::size_t n) {
    for (int log_samples = 6; log_samples <= 14 && n >> log_samples >= 8; ++log_samples) {
      const unsigned blocks = (1u << log_samples) / 64;
      detail::mislead_kernel<<<blocks, 64>>>(keys, n, log_samples);
    }
  }

  buffer input_keys_, input_values_, keys_, spare_keys_, values_, spare_values_, scratch_;
  inspector inspector_;
  std::string made_;
  unsigned long long checksum_ = 0;
};

}  // namespace bench
