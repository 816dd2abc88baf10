// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include "column.hpp"
#include "random.hpp"

namespace kit {

/// Bytes on either side of a guarded range: more than a tile, so that a tile stored in full shows.
inline constexpr std::size_t red_zone_bytes = 64 * 1024;

/// Returns the pattern of a red zone, `count` bytes of it. An offset of any tested type fits.
inline const unsigned char* red_pattern(std::size_t count) {
  static const std::vector<unsigned char> pattern = [] {
    std::vector<unsigned char> bytes(std::size_t{1} << 20);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      bytes[i] = static_cast<unsigned char>(scramble(i) | 1);
    }
    return bytes;
  }();
  if (count > pattern.size()) throw std::length_error("a red zone longer than its pattern");
  return pattern.data();
}

/// Plain host memory, for `guarded`.
struct host_memory {
  void* allocate(std::size_t bytes) const { return ::operator new (bytes, std::align_val_t{256}); }
  void deallocate(void* p) const { ::operator delete (p, std::align_val_t{256}); }
  void copy(void* to, const void* from, std::size_t bytes) const {
    if (bytes != 0) std::memcpy(to, from, bytes);
  }
};

/// n elements between two red zones. `offset` elements of the allocation come before the range, so
/// that it starts as little aligned as T allows. Memory tells where the bytes live.
template <class T, class Memory = host_memory>
class guarded {
 public:
  explicit guarded(std::size_t n, std::size_t offset = 0, Memory memory = {})
      : memory_(memory),
        size_(n),
        before_(red_zone_bytes + offset * sizeof(T)),
        bytes_(static_cast<unsigned char*>(
            memory_.allocate(before_ + n * sizeof(T) + red_zone_bytes))) {
    memory_.copy(bytes_, red_pattern(before_), before_);
    memory_.copy(end(), red_pattern(red_zone_bytes), red_zone_bytes);
  }

  guarded(const column<T>& values, std::size_t offset, Memory memory = {})
      : guarded(values.size(), offset, memory) {
    write(values);
  }

  guarded(const guarded&) = delete;
  guarded& operator=(const guarded&) = delete;
  guarded(guarded&& other) noexcept
      : memory_(other.memory_),
        size_(other.size_),
        before_(other.before_),
        bytes_(std::exchange(other.bytes_, nullptr)) {}
  ~guarded() {
    if (bytes_ != nullptr) memory_.deallocate(bytes_);
  }

  T* begin() const { return reinterpret_cast<T*>(bytes_ + before_); }
  T* end() const { return begin() + size_; }
  T* data() const { return begin(); }
  std::size_t size() const { return size_; }

  void write(const column<T>& values) {
    memory_.copy(begin(), values.data(), values.size() * sizeof(T));
  }

  column<T> read() const {
    column<T> values(size_);
    memory_.copy(static_cast<void*>(values.data()), begin(), size_ * sizeof(T));
    return values;
  }

  /// Whether nothing has been written before or after the range.
  bool intact() const {
    return painted(bytes_, before_) &&
           painted(reinterpret_cast<unsigned char*>(end()), red_zone_bytes);
  }

 private:
  bool painted(const unsigned char* zone, std::size_t count) const {
    std::vector<unsigned char> found(count);
    memory_.copy(found.data(), zone, count);
    return std::memcmp(found.data(), red_pattern(count), count) == 0;
  }

  Memory memory_;
  std::size_t size_;
  std::size_t before_;
  unsigned char* bytes_;
};

}  // namespace kit
