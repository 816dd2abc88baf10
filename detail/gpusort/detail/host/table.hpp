// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gpusort/detail/host/relocate.hpp>
#include <gpusort/detail/host/sort.hpp>
#include <gpusort/detail/host/task.hpp>
#include <gpusort/detail/host/verify.hpp>
#include <gpusort/detail/support/order.hpp>
#include <gpusort/detail/support/row_keys.hpp>
#include <gpusort/detail/support/validity.hpp>
#include <gpusort/error.hpp>

// Tables whose columns are known at run time, on the CPU: the same words as on a device.

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace host {

/// Memory for count > 0 elements. Throws gpusort::out_of_memory.
class owned_scratch : public scratch {
 public:
  owned_scratch(std::size_t count, std::size_t element_bytes)
      : scratch(count, element_bytes, alignof(std::max_align_t)) {
    if (!*this) throw out_of_memory();
  }
};

/// Writes order[i], the index of the i-th of n > 0 rows in order. Stable.
template <class Index>
void argsort_rows(const row_keys& keys, std::size_t n, Index* order) {
  const key_cuts cuts(keys.bits, n);
  const std::uint64_t windows = cuts.windows();
  if (windows == 0) {
    return for_each_index(n, [&](std::size_t i) { order[i] = static_cast<Index>(i); });
  }
  const owned_scratch memory(n, cuts.word_bytes());
  const owned_scratch other(windows > 1 ? n : 1, sizeof(Index));
  const Index* from = nullptr;
  for (std::uint64_t w = windows; w-- > 0;) {
    Index* const to = w % 2 == 0 ? order : other.as<Index>();
    cuts.with_word(w, [&](auto zero) {
      using word = decltype(zero);
      word* const words = memory.as<word>();
      for_each_index(n, [&](std::size_t i) {
        const std::uint64_t row = from != nullptr ? static_cast<std::uint64_t>(from[i]) : i;
        words[i] = word_of_row<word>(keys, row, cuts.begin(w), cuts.width(w), i);
      });
      stable_sort(words, n, less{});
      for_each_index(n, [&](std::size_t i) {
        const std::uint64_t rank = rank_of_word(words[i], cuts.rank_bits);
        to[i] = from != nullptr ? from[rank] : static_cast<Index>(rank);
      });
    });
    from = to;
  }
}

inline bool are_rows_sorted(const row_keys& keys, std::size_t n) {
  return first_wrong(n, [&](std::size_t i) { return i > 0 && keys(i, i - 1); }) ==
         pass_record::nowhere;
}

/// Gathers bytes: out[i] = in[order[i]].
template <class Index>
void gather_bytes(const void* in, std::size_t width, const Index* order, std::size_t n, void* out) {
  const auto* const from = static_cast<const unsigned char*>(in);
  auto* const to = static_cast<unsigned char*>(out);
  for_each_index(n, [&](std::size_t i) {
    std::memcpy(to + i * width, from + static_cast<std::size_t>(order[i]) * width, width);
  });
}

/// Gathers bits; the last byte is filled up by zeros.
template <class Index>
void gather_bits(const unsigned char* in, const Index* order, std::size_t n, unsigned char* out) {
  for_each_index(ceil_div<std::size_t>(n, 8), [&](std::size_t byte) {
    unsigned bits = 0;
    for (std::size_t i = 8 * byte; i < 8 * byte + 8 && i < n; ++i) {
      bits |= unsigned{bit_at(in, static_cast<std::uint64_t>(order[i]))} << (i % 8);
    }
    out[byte] = static_cast<unsigned char>(bits);
  });
}

/// Writes a column's elements, and what tells which are valid, at n indices.
template <class Index>
void gather_column(const column& in, const Index* order, std::size_t n, void* data,
                   void* validity) {
  gather_bytes(in.data(), in.width(), order, n, data);
  const auto* const valid = column_access::validity(in);
  if (column_access::kind_of_validity(in) == validity_kind::bits) {
    gather_bits(valid, order, n, static_cast<unsigned char*>(validity));
  } else if (valid != nullptr) {
    gather_bytes(valid, 1, order, n, validity);
  }
}

/// Gathers a column, and makes a row without a value of an index that is not one of `rows` rows.
template <bool IsBitmap, class Index>
void gather_column_or_nulls(const column& in, std::uint64_t rows, const Index* order, std::size_t n,
                            void* data, unsigned char* validity) {
  const row_has_value<IsBitmap> has_value{{column_access::validity(in)}, rows};
  const auto* const from = static_cast<const unsigned char*>(in.data());
  auto* const to = static_cast<unsigned char*>(data);
  const std::size_t width = in.width(), piece = IsBitmap ? 8 : 1;
  for_each_index(ceil_div<std::size_t>(n, piece), [&](std::size_t byte) {
    unsigned bits = 0;
    for (std::size_t i = piece * byte; i < piece * byte + piece && i < n; ++i) {
      const auto row = static_cast<std::uint64_t>(order[i]);
      bits |= unsigned{has_value(row)} << (i % piece);
      if (row < rows) std::memcpy(to + i * width, from + row * width, width);
    }
    validity[byte] = static_cast<unsigned char>(bits);
  });
}

/// Puts a column's elements into order, by way of a buffer for n of them.
template <class Index>
void permute_column(const column& c, const Index* order, std::size_t n, void* buffer) {
  gather_bytes(c.data(), c.width(), order, n, buffer);
  std::memcpy(column_access::data(c), buffer, n * c.width());
  auto* const valid = column_access::validity(c);
  if (column_access::kind_of_validity(c) == validity_kind::bits) {
    gather_bits(valid, order, n, static_cast<unsigned char*>(buffer));
    std::memcpy(valid, buffer, ceil_div<std::size_t>(n, 8));
  } else if (valid != nullptr) {
    gather_bytes(valid, 1, order, n, buffer);
    std::memcpy(valid, buffer, n);
  }
}

}  // namespace host
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
