// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gpusort/detail/support/traits.hpp>
#include <iterator>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

// Elements are trivially relocatable: they move as bytes, which cannot throw and needs neither a
// constructor nor an assignment. What is left behind counts as moved from until it is overwritten.

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace host {

template <class T>
void relocate(T* to, const T* from) {
  std::memcpy(static_cast<void*>(to), static_cast<const void*>(from), sizeof(T));
}

/// Relocates elements between ranges that do not overlap.
template <class T>
void relocate_n(T* to, const T* from, std::size_t n) {
  if (n != 0) std::memcpy(static_cast<void*>(to), static_cast<const void*>(from), n * sizeof(T));
}

/// Room for the bytes of a T.
template <class T>
struct slot {
  alignas(T) unsigned char bytes[sizeof(T)];

  T* get() { return reinterpret_cast<T*>(bytes); }
  const T* get() const { return reinterpret_cast<const T*>(bytes); }
};

template <class T>
void swap_bytes(T& a, T& b) {
  slot<T> held;
  std::memcpy(&held, std::addressof(a), sizeof(T));
  std::memmove(static_cast<void*>(std::addressof(a)), std::addressof(b), sizeof(T));
  std::memcpy(static_cast<void*>(std::addressof(b)), &held, sizeof(T));
}

/// Takes *from out and puts it in at `to`, which is not after it; what lies between moves up.
template <class T>
void move_down(T* to, T* from) {
  slot<T> held;
  std::memcpy(&held, from, sizeof(T));
  std::memmove(static_cast<void*>(to + 1), static_cast<const void*>(to),
               static_cast<std::size_t>(from - to) * sizeof(T));
  std::memcpy(static_cast<void*>(to), &held, sizeof(T));
}

/// Uninitialized memory that is given back at the end of the scope; empty when it cannot be
/// allocated.
class scratch {
 public:
  scratch(std::size_t count, std::size_t element_bytes, std::size_t alignment)
      : alignment_(std::align_val_t{alignment < cache_line ? cache_line : alignment}),
        memory_(count == 0 || count > SIZE_MAX / element_bytes
                    ? nullptr
                    : ::operator new(count* element_bytes, alignment_, std::nothrow)) {}
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;
  ~scratch() { ::operator delete(memory_, alignment_); }

  template <class T>
  static scratch of(std::size_t count) {
    return scratch(count, sizeof(T), alignof(T));
  }

  explicit operator bool() const { return memory_ != nullptr; }

  template <class T>
  T* as() const {
    return static_cast<T*>(memory_);
  }

 private:
  static constexpr std::size_t cache_line = 64;

  std::align_val_t alignment_;
  void* memory_;
};

/// Whether *it is the element itself. Otherwise it is a proxy, whose values are copied: such values
/// are trivially destructible, so that none of the copies needs an end.
template <class It>
inline constexpr bool yields_element_v =
    std::is_lvalue_reference_v<decltype(*std::declval<It&>())>&& std::is_same_v<
        std::remove_cv_t<std::remove_reference_t<decltype(*std::declval<It&>())>>, value_t<It>>;

template <class It>
It advanced(It first, std::size_t i) {
  return first + static_cast<typename std::iterator_traits<It>::difference_type>(i);
}

/// Returns the element for reading: itself, or a proxy's value.
template <class It, std::enable_if_t<yields_element_v<It>, int> = 0>
const value_t<It>& element(It first, std::size_t i) {
  return *advanced(first, i);
}

template <class It, std::enable_if_t<!yields_element_v<It>, int> = 0>
value_t<It> element(It first, std::size_t i) {
  return static_cast<value_t<It>>(*advanced(first, i));
}

template <class It>
void take_out(It first, std::size_t i, value_t<It>* to) {
  if constexpr (yields_element_v<It>) {
    relocate(to, std::addressof(element(first, i)));
  } else {
    static_assert(
        std::is_trivially_destructible_v<value_t<It>>,
        "gpusort: values reached through a proxy iterator must be trivially destructible");
    ::new (static_cast<void*>(to)) value_t<It>(element(first, i));
  }
}

template <class It>
void put_back(It first, std::size_t i, const value_t<It>* from) {
  if constexpr (yields_element_v<It>) {
    relocate(std::addressof(*advanced(first, i)), from);
  } else {
    static_assert(!std::is_same_v<decltype(*advanced(first, i)), std::vector<bool>::reference>,
                  "gpusort: std::vector<bool> cannot be sorted, several elements share a byte");
    *advanced(first, i) = *from;
  }
}

template <class It>
void move_element(It first, std::size_t to, std::size_t from) {
  if constexpr (yields_element_v<It>) {
    relocate(std::addressof(*advanced(first, to)), std::addressof(element(first, from)));
  } else {
    const value_t<It> value = element(first, from);
    put_back(first, to, std::addressof(value));
  }
}

template <class It>
void swap_elements(It first, std::size_t i, std::size_t j) {
  if constexpr (yields_element_v<It>) {
    swap_bytes(*advanced(first, i), *advanced(first, j));
  } else {
    const value_t<It> a = element(first, i);
    const value_t<It> b = element(first, j);
    put_back(first, i, std::addressof(b));
    put_back(first, j, std::addressof(a));
  }
}

}  // namespace host
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
