// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gpusort/detail/distributed/resize_vector.hpp>
#include <gpusort/detail/distributed/window.hpp>
#include <gpusort/detail/host/merge_ranges.hpp>
#include <gpusort/detail/host/relocate.hpp>
#include <gpusort/detail/host/sort.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/error.hpp>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// Does what a rank does with its own elements, on the CPU: keys, and their values, in contiguous
/// ranges. Only this object calls the comparator.
template <class Compare, class Key, class... Values>
class host_local {
 public:
  using key_type = Key;
  static constexpr std::size_t columns = 1 + sizeof...(Values);
  static constexpr bool is_on_device = false;

  static constexpr std::size_t element_bytes(std::size_t column) {
    constexpr std::size_t bytes[] = {sizeof(Key), sizeof(Values)...};
    return bytes[column];
  }

  host_local(const Compare& compare, std::uint64_t n, Key* keys, Values*... values)
      : compare_(compare), n_(n), ranges_(keys, values...) {}

  std::uint64_t n() const { return n_; }

  void sort(bool) {  // stable in any case
    std::apply(
        [&](auto* keys, auto*... values) {
          if constexpr (sizeof...(Values) == 0) {
            host::stable_sort(keys, n_, compare_);
          } else {
            host::stable_sort_by_key(keys, n_, compare_, values...);
          }
        },
        ranges_);
  }

  bool is_sorted() { return host::is_sorted(keys(), n_, compare_); }

  void sample(const window* windows, std::size_t k, void* samples) {
    auto* const to = static_cast<unsigned char*>(samples);
    for (std::size_t i = 0; i < k; ++i) {
      for (std::uint64_t t = 0; t < windows[i].count; ++t) {
        std::memcpy(to + (windows[i].first + t) * sizeof(Key),
                    static_cast<const void*>(keys() + windows[i].position(t)), sizeof(Key));
      }
    }
  }

  void order(const void* samples, std::size_t count, std::uint32_t* indices) {
    host::argsort(static_cast<const Key*>(samples), count, indices, compare_);
  }

  void prepare(std::uint64_t received) {
    std::array<std::unique_ptr<host::scratch>, columns> buffers;
    for (std::size_t i = 0; i < columns; ++i) {
      constexpr std::size_t alignment = (std::max)({alignof(Key), alignof(Values)...});
      buffers[i] = std::make_unique<host::scratch>(received, element_bytes(i), alignment);
      if (received != 0 && !*buffers[i]) throw out_of_memory();
    }
    buffers_ = std::move(buffers);
  }

  void* data(std::size_t column) {
    return std::apply(
        [column](auto*... range) {
          void* const data[] = {range...};
          return data[column];
        },
        ranges_);
  }
  void* receive_buffer(std::size_t column) { return buffers_[column]->template as<void>(); }

  /// Merges; the receive buffers are only read.
  void merge(const std::uint64_t* run_offsets, std::size_t p) {
    merge_columns(run_offsets, p, std::make_index_sequence<columns>{});
  }

  void settle() {}

  void finish(std::uint64_t) { buffers_ = {}; }

 protected:
  void set_keys(Key* keys) { std::get<0>(ranges_) = keys; }

 private:
  template <class T>
  struct received_runs {
    using value_type = T;
    static constexpr bool is_contiguous = true;

    const T* data;
    const std::uint64_t* offsets;

    const T& at(std::size_t i, std::size_t index) const { return data[offsets[i] + index]; }
  };

  Key* keys() const { return std::get<0>(ranges_); }

  template <std::size_t... Is>
  void merge_columns(const std::uint64_t* offsets, std::size_t p, std::index_sequence<Is...>) {
    const auto count_of = [&](std::size_t i) { return offsets[i + 1] - offsets[i]; };
    host::merge_columns(p, offsets[p], count_of, compare_, merged_of<Is>(offsets)...);
  }

  template <std::size_t Nth>
  auto merged_of(const std::uint64_t* offsets) {
    using T = std::remove_pointer_t<std::tuple_element_t<Nth, ranges>>;
    return host::merged_column<received_runs<T>, T*>{
        {buffers_[Nth]->template as<const T>(), offsets}, std::get<Nth>(ranges_)};
  }

  using ranges = std::tuple<Key*, Values*...>;

  Compare compare_;
  std::uint64_t n_;
  ranges ranges_;
  std::array<std::unique_ptr<host::scratch>, columns> buffers_;
};

/// Does what a rank does with the elements of a vector, which gets as many as the rank ends with.
template <class Compare, class Vector>
class host_vector_local : public host_local<Compare, typename Vector::value_type> {
  using base = host_local<Compare, typename Vector::value_type>;

 public:
  host_vector_local(const Compare& compare, Vector& vector)
      : base(compare, vector.size(), vector.data()), vector_(vector) {}

  void prepare(std::uint64_t received) {
    base::prepare(received);
    if (received <= vector_.size()) return;
    vector_.reserve(received);  // resizing alone would take up to twice as much
    resize_vector(vector_, received);
    base::set_keys(vector_.data());
  }

  void finish(std::uint64_t n) {
    base::finish(n);
    resize_vector(vector_, n);
  }

 private:
  Vector& vector_;
};

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
