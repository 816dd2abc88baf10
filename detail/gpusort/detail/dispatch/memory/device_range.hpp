// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/dispatch/iterators.hpp>
#include <gpusort/detail/dispatch/memory/staging.hpp>
#include <gpusort/detail/host/relocate.hpp>
#include <gpusort/detail/host/task.hpp>
#include <gpusort/detail/kernel/copy_range.hpp>
#include <gpusort/detail/support/device.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/support/memory_source.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <gpusort/error.hpp>
#include <memory>
#include <new>
#include <optional>
#include <string>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Elements at equal distances, as kernels index them.
template <class T>
struct strided_array {
  T* first;
  std::ptrdiff_t stride;  // in bytes

  GPUSORT_HOST_DEVICE T& operator[](std::uint64_t i) const {
    using byte = std::conditional_t<std::is_const_v<T>, const char, char>;
    return *reinterpret_cast<T*>(reinterpret_cast<byte*>(first) +
                                 static_cast<std::ptrdiff_t>(i) * stride);
  }
};

/// Elements anywhere.
template <class T>
struct addressed_array {
  T* const* addresses;
  GPUSORT_HOST_DEVICE T& operator[](std::uint64_t i) const { return *addresses[i]; }
};

/// Reaches n > 0 elements in device memory through an iterator that only the host can call: it asks
/// for their addresses and reads none. Elements at equal distances take no memory; others take a
/// table of addresses in host memory, and one on the device, for a piece of the range at a time.
template <class Iterator>
class scattered_range {
  using element = std::remove_reference_t<decltype(*std::declval<Iterator&>())>;

 public:
  /// Returns the bytes of device memory that it may take.
  static constexpr std::size_t max_table_bytes(std::uint64_t n) {
    return static_cast<std::size_t>(min_of(n, piece)) * sizeof(element*);
  }

  /// Throws gpusort::out_of_memory, and gpusort::cuda_error where a table would be read by a graph.
  scattered_range(Iterator first, std::uint64_t n, const memory_source& memory, cudaStream_t stream)
      : first_(first), n_(n), stream_(stream) {
    if (n > 1) stride_ = distance(1);
    std::atomic<bool> has_stride{true};
    host::for_each_piece(n, [&](std::size_t i, std::size_t end) {
      while (i < end && distance(i) == static_cast<std::ptrdiff_t>(i) * stride_) ++i;
      if (i < end) has_stride = false;
    });
    if (has_stride) return;
    if (is_capturing(stream)) {
      throw cuda_error(cudaErrorStreamCaptureUnsupported,
                       error_text("its iterator's elements are not at equal distances, so the host "
                                  "makes tables of their addresses, which no graph can keep; copy "
                                  "the range into an array"));
    }
    table_.reset(new (std::nothrow) element*[min_of(n, piece)]);
    if (table_ == nullptr) throw out_of_memory();
    on_device_ = scratch_buffer::or_throw(memory, max_table_bytes(n), stream);
  }

  /// Calls body(array, begin, count) for each piece, of which array[i] is element begin + i.
  template <class Body>
  void for_each_piece(const Body& body) const {
    if (table_ == nullptr)
      return body(strided_array<element>{at(0), stride_}, std::uint64_t{0}, n_);
    for (std::uint64_t begin = 0; begin < n_; begin += piece) {
      const std::uint64_t count = min_of(n_ - begin, piece);
      host::for_each_index(count, [&](std::size_t i) { table_[i] = at(begin + i); });
      copy_to_device(on_device_.data(), table_.get(), count * sizeof(element*), {}, stream_);
      body(addressed_array<element>{on_device_.template as<element*>()}, begin, count);
    }
  }

 private:
  static constexpr std::uint64_t piece = std::uint64_t{1} << 17;  // addresses: 1 MB

  element* at(std::uint64_t i) const { return std::addressof(*host::advanced(first_, i)); }
  std::ptrdiff_t distance(std::uint64_t i) const {
    return reinterpret_cast<const char*>(at(i)) - reinterpret_cast<const char*>(at(0));
  }

  Iterator first_;
  std::uint64_t n_;
  cudaStream_t stream_;
  std::ptrdiff_t stride_ = 0;
  std::unique_ptr<element*[]> table_;
  scratch_buffer on_device_;
};

/// Elements by value on the host; relocatable, so none is ever destroyed.
template <class T>
class host_elements {
 public:
  /// Throws gpusort::out_of_memory.
  explicit host_elements(std::uint64_t n)
      : n_(n), storage_(new (std::nothrow) raw_storage<T>[bytes_of<T>(n) / sizeof(T)]) {
    if (storage_ == nullptr) throw out_of_memory();
  }

  T* data() const { return reinterpret_cast<T*>(storage_.get()); }

  template <class Iterator>
  void read(Iterator first) const {
    for (std::uint64_t i = 0; i < n_; ++i) {
      if constexpr (is_range_of_it<Iterator>) {
        host::take_out(first, i, data() + i);
      } else {
        ::new (data() + i) T(first[distance<Iterator>(i)]);
      }
    }
  }
  template <class Iterator>
  void write(Iterator first) const {
    for (std::uint64_t i = 0; i < n_; ++i) {
      if constexpr (is_range_of_it<Iterator>) {
        host::put_back(first, i, data() + i);
      } else {
        first[distance<Iterator>(i)] = data()[i];
      }
    }
  }

 private:
  /// Elements are moved, not converted.
  template <class Iterator>
  static constexpr bool is_range_of_it =
      host::yields_element_v<Iterator>&& std::is_same_v<value_t<Iterator>, T>;

  template <class Iterator>
  static auto distance(std::uint64_t i) {
    return static_cast<typename std::iterator_traits<Iterator>::difference_type>(i);
  }

  std::uint64_t n_;
  std::unique_ptr<raw_storage<T>[]> storage_;
};

/// Runs work that brings a result back over its input. An error that it meets says what may be lost
/// where some of the input is in host memory.
template <class Work>
void overwrite_input(bool is_on_host, Work work) {
  try {
    work();
  } catch (const cuda_error& e) {
    if (!is_on_host) throw;
    throw cuda_error(e.code(), e.what() + std::string("; the result was being copied over a host "
                                                      "range: without gpusort::keep_input, "
                                                      "elements of that range may be lost"));
  }
}

/// A user's range as an array of T that the device reaches, at a multiple of Alignment: the range
/// itself where it is one, else a copy on the device, of which `load` and `store` bring the
/// elements there and back, and convert them.
template <class Iterator, std::size_t Alignment, class T = value_t<Iterator>>
class device_range {
 public:
  using value_type = T;

  /// Takes all memory that load() and store() need, so that these do not fail for want of it when
  /// some other range of the call has been written. `kind` is kind_of_range(first). Throws
  /// gpusort::out_of_memory when there is none for a copy without which the device does not reach
  /// the range.
  device_range(Iterator first, pointer_kind kind, std::uint64_t n, const memory_source& memory,
               cudaStream_t stream)
      : first_(first), n_(n), stream_(stream), kind_(kind) {
    if (n == 0) return;
    if constexpr (is_array) {
      if (kind_.device_accessible()) {
        data_ = const_cast<value_type*>(address_of(first));
        if (is_aligned()) return;
        copy_ = scratch_buffer(memory, bytes_of<value_type>(n), stream);
        if (copy_) data_ = copy_.template as<value_type>();
        return;
      }
    }
    if constexpr (!is_array) {
      if (kind_.on_host()) pieces_.emplace(n);
    }
    if constexpr (is_scattered_v<Iterator>) {
      if (kind_.device_accessible()) scattered_.emplace(first, n, memory, stream);
    } else if constexpr (!is_array && !is_copied_there) {
      if (kind_.device_accessible()) {
        refuse(
            "an iterator over device memory is neither one of Thrust's nor refers to elements; "
            "pass pointers, or zip iterators of them");
      }
    }
    if constexpr (yields_references_v<Iterator>) {
      if (kind_.device_accessible() && !is_zip_of_arrays()) {
        refuse("a zip in device memory goes over a range that is not contiguous; pass arrays");
      }
    }
    copy_ = scratch_buffer::or_throw(memory, bytes_of<value_type>(n), stream);
    data_ = copy_.template as<value_type>();
  }

  value_type* data() const { return data_; }

  /// Whether store() does something.
  bool is_copy() const { return copy_.data() != nullptr; }

  /// Returns false only where a range that is not aligned could not be copied.
  bool is_aligned() const { return reinterpret_cast<std::uintptr_t>(data_) % Alignment == 0; }

  void load() const {
    if (copy_.data() == nullptr) return;
    if constexpr (is_array) {
      copy_to_device(data_, address_of(first_), n_ * sizeof(value_type), kind_, stream_);
    } else if (kind_.on_host()) {
      pieces_->read(first_);
      copy_to_device(data_, pieces_->data(), n_ * sizeof(value_type), {}, stream_);
    } else if constexpr (is_scattered_v<Iterator>) {
      scattered_->for_each_piece([&](auto elements, std::uint64_t begin, std::uint64_t count) {
        copy<value_type>(elements, data_ + begin, count);
      });
    } else if constexpr (is_copied_there) {
      copy<copied>(on_device(first_), reinterpret_cast<copied*>(data_), n_);
    }
  }

  void store() const {
    if (copy_.data() == nullptr) return;
    if constexpr (!std::is_assignable_v<decltype(*first_), const value_type&>) {
      return;
    } else if constexpr (is_array) {
      copy_to_host(const_cast<value_type*>(address_of(first_)), data_, n_ * sizeof(value_type),
                   kind_, stream_);
    } else if (kind_.on_host()) {
      copy_to_host(pieces_->data(), data_, n_ * sizeof(value_type), {}, stream_);
      pieces_->write(first_);
    } else if constexpr (is_scattered_v<Iterator>) {
      scattered_->for_each_piece([&](auto elements, std::uint64_t begin, std::uint64_t count) {
        copy<value_t<Iterator>>(data_ + begin, elements, count);
      });
    } else if constexpr (is_copied_there) {
      copy<copied>(reinterpret_cast<copied*>(data_), on_device(first_), n_);
    }
  }

 private:
  static constexpr bool is_array =
      is_contiguous_v<Iterator> && std::is_same_v<value_t<Iterator>, value_type>;

  /// Rows of references are copied as they are.
  static constexpr bool is_copied_there =
      may_be_on_device<Iterator>::value &&
      (!yields_references_v<Iterator> || std::is_same_v<value_t<Iterator>, value_type>);

  /// Stands for what kernels copy an element as.
  using copied =
      std::conditional_t<yields_references_v<Iterator>, raw_storage<value_type>, value_type>;

  /// Tells whether a zip is of arrays, as both of its ends say.
  bool is_zip_of_arrays() const {
    if constexpr (!is_copied_there) return false;
    const auto last = static_cast<typename std::iterator_traits<Iterator>::difference_type>(n_ - 1);
    return reference_columns(*first_).end_at(reference_columns(*(first_ + last)), n_);
  }

  template <class Element, class In, class Out>
  void copy(In in, Out out, std::uint64_t n) const {
    launch(kernel::copy_range_kernel<Element, In, Out>, ceil_div<std::uint64_t>(n, 256), 256, 0,
           stream_, in, out, n);
  }

  using scattered = std::conditional_t<is_scattered_v<Iterator>, scattered_range<Iterator>, bool>;

  Iterator first_;
  std::uint64_t n_;
  cudaStream_t stream_;
  pointer_kind kind_;
  value_type* data_ = nullptr;
  std::optional<host_elements<value_type>> pieces_;  // of a host range that is no array
  std::optional<scattered> scattered_;               // of one that the device reaches
  scratch_buffer copy_;
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
