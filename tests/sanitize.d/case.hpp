// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the cases share. Nothing but the toolkit is needed, so that the program builds where there
// is a GPU and little else.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "../kit/random.hpp"

namespace sanitize {

struct known_case {
  const char* name;
  void (*run)();
};

/// Returns all of the program, in no order.
inline std::vector<known_case>& known_cases() {
  static std::vector<known_case> all;
  return all;
}

/// SANITIZE_CASE(name, "kernel", ...) { body }: the body launches these kernels of the library, at
/// sizes that compute-sanitizer gets through in seconds, and throws where a result is wrong.
/// tests/sanitize reads the names.
#define SANITIZE_CASE(name, ...)                                                            \
  static void run_##name();                                                                 \
  static const bool is_known_##name = (known_cases().push_back({#name, run_##name}), true); \
  static void run_##name()

inline void cuda_ok(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

inline void expect(bool is_right, const char* what) {
  if (!is_right) throw std::runtime_error(what);
}

/// An array in device memory, which the driver has given, so that its ends are seen.
template <class T>
class device_array {
 public:
  explicit device_array(std::size_t n) : n_(n) {
    if (n > 0) cuda_ok(cudaMalloc(&data_, n * sizeof(T)));
  }
  explicit device_array(const std::vector<T>& values) : device_array(values.size()) {
    cuda_ok(cudaMemcpy(data_, values.data(), n_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  device_array(const device_array&) = delete;
  device_array& operator=(const device_array&) = delete;
  ~device_array() { cudaFree(data_); }

  T* data() const { return data_; }
  T* end() const { return data_ + n_; }

  std::vector<T> read() const {
    std::vector<T> values(n_);
    cuda_ok(cudaDeviceSynchronize());
    cuda_ok(cudaMemcpy(values.data(), data_, n_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t n_;
};

using scratch = device_array<unsigned char>;

/// `<`, which the library cannot know.
struct opaque {
  template <class T>
  __host__ __device__ bool operator()(const T& a, const T& b) const {
    return a < b;
  }
};

template <class T = std::uint32_t>
std::vector<T> random_values(std::size_t n) {
  std::vector<T> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<T>(kit::random_at(kit::seed(), i));
  return values;
}

template <class T>
std::vector<T> sorted(std::vector<T> values) {
  std::sort(values.begin(), values.end());
  return values;
}

/// Makes random values, sorted between each two of the offsets, of which the last is their number.
inline std::vector<std::uint32_t> runs(const std::vector<std::size_t>& offsets) {
  std::vector<std::uint32_t> values = random_values(offsets.back());
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    std::sort(values.data() + offsets[i], values.data() + offsets[i + 1]);
  }
  return values;
}

/// Sorts by `sort(data, scratch memory)`, in place, with so much scratch, and looks at the result.
template <class T, class Sort>
void expect_sorted(const std::vector<T>& values, std::size_t scratch_bytes, const Sort& sort) {
  const device_array<T> data(values);
  const scratch memory(scratch_bytes);
  sort(data.data(), memory.data());
  expect(data.read() == sorted(values), "not sorted");
}

}  // namespace sanitize
