// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>

namespace kit {

/// A std::vector that is an array of bool too. Elements start uninitialized.
template <class T>
class column {
 public:
  using value_type = T;

  column() = default;
  explicit column(std::size_t n) : size_(n), data_(new T[n]) {}
  column(std::initializer_list<T> values) : column(values.size()) {
    std::copy(values.begin(), values.end(), begin());
  }
  column(const column& other) : column(other.size_) {
    std::copy(other.begin(), other.end(), begin());
  }
  column(column&&) = default;
  column& operator=(column other) {
    size_ = other.size_;
    data_ = std::move(other.data_);
    return *this;
  }

  std::size_t size() const { return size_; }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  T* begin() { return data(); }
  const T* begin() const { return data(); }
  T* end() { return data() + size_; }
  const T* end() const { return data() + size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }

 private:
  std::size_t size_ = 0;
  std::unique_ptr<T[]> data_;
};

template <class T>
column<T> part_of(const column<T>& whole, std::size_t begin, std::size_t end) {
  column<T> part(end - begin);
  std::copy(whole.begin() + begin, whole.begin() + end, part.begin());
  return part;
}

}  // namespace kit
