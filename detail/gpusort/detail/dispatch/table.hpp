// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <gpusort/detail/dispatch/call.hpp>
#include <gpusort/detail/dispatch/ranges.hpp>
#include <gpusort/detail/dispatch/requirements/table.hpp>
#include <gpusort/detail/dispatch/verify.hpp>
#include <gpusort/detail/host/table.hpp>
#include <gpusort/detail/support/row_keys.hpp>
#include <limits>

#if GPUSORT_CUDA
#include <gpusort/detail/algorithm/gather.hpp>
#include <gpusort/detail/algorithm/gather_column.hpp>
#include <gpusort/detail/algorithm/table_argsort.hpp>
#include <gpusort/detail/dispatch/linked_sort.hpp>
#include <gpusort/detail/dispatch/memory/device_scope.hpp>
#include <gpusort/detail/dispatch/order_of_range.hpp>
#include <gpusort/detail/dispatch/problem.hpp>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/support/memory_source.hpp>
#include <gpusort/detail/support/order.hpp>
#include <gpusort/detail/support/validity.hpp>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

#if GPUSORT_CUDA

// Calls on tables, on the current device.

/// Sorts words that all differ: the router's choice for numbers, whatever the policy forces.
template <class Word>
void sort_words(const call_stream& stream, Word* words, std::uint64_t n,
                const memory_source& memory) {
  using problem = problem_type<false, false, false, route::nothing, less, Word>;
  compiled_sort<problem, Word, less>::run({words, words, n, less{}, {}, stream, true}, memory);
}

/// Sorts row indices in `memory`, as large as scratch_bytes() of the algorithm says.
template <class Call, class Index>
void sort_row_indices_on_device(const Call& call, const row_keys& keys, std::uint64_t n,
                                Index* order, void* memory) {
  table_argsort<Index>(keys, n).run(call.stream, order, memory, [&](auto* words, std::uint64_t) {
    sort_words(stream_of_call(call, nullptr), words, n, call.memory);
  });
  if constexpr (Call::is_verified) {
    prove_order_on_device(call, order, n, indices_of_ascending_rows{keys, n});
  }
}

template <class Call>
void refuse_in_place() {
  if constexpr (Call::in_place) {
    refuse("the order of a table takes scratch for its keys; leave out in_place");
  }
}

template <class Call, class Index>
void argsort_rows_on_device(const Call& call, const row_keys& keys, std::uint64_t n, Index* out) {
  refuse_in_place<Call>();
  using index = unsigned_of_size_t<sizeof(Index)>;
  const std::size_t bytes = table_argsort<index>(keys, n).scratch_bytes();
  const auto scratch = scratch_buffer::or_throw(call.memory, bytes, call.stream);
  sort_row_indices_on_device(call, keys, n, reinterpret_cast<index*>(out), scratch.data());
}

template <class Call, class Index>
void gather_rows_on_device(const Call& call, const column* in, std::size_t columns,
                           const Index* indices, std::uint64_t n, const column* out) {
  using index = unsigned_of_size_t<sizeof(Index)>;
  using gather = gather_column<index>;
  const auto* const from = reinterpret_cast<const index*>(indices);
  for (std::size_t c = 0; c < columns; ++c) {
    gather::bytes(call.stream, in[c].data(), in[c].width(), from, n, column_access::data(out[c]));
    auto *const valid = column_access::validity(in[c]), *const to = column_access::validity(out[c]);
    if (column_access::kind_of_validity(in[c]) == validity_kind::bits) {
      gather::bits(call.stream, validity_by_index<true>{valid}, from, n, to);
    } else if (valid != nullptr) {
      gather::bytes(call.stream, valid, 1, from, n, to);
    }
  }
}

/// Gathers rows, and makes a row without a value of an index that is not one of `rows` rows.
template <class Call, class Index>
void gather_rows_or_nulls_on_device(const Call& call, const column* in, std::size_t columns,
                                    std::uint64_t rows, const Index* indices, std::uint64_t n,
                                    const column* out) {
  using index = unsigned_of_size_t<sizeof(Index)>;
  using gather = gather_column<Index>;
  const auto memory = scratch_buffer::or_throw(call.memory, bytes_of<index>(n), call.stream);
  auto* const from = memory.template as<index>();
  gather::rows_or_first(call.stream, indices, n, rows, from);
  for (std::size_t c = 0; c < columns; ++c) {
    if (rows > 0) {
      gather_column<index>::bytes(call.stream, in[c].data(), in[c].width(), from, n,
                                  column_access::data(out[c]));
    }
    const unsigned char* const valid = column_access::validity(in[c]);
    unsigned char* const to = column_access::validity(out[c]);
    if (column_access::kind_of_validity(out[c]) == validity_kind::bits) {
      gather::bits(call.stream, row_has_value<true>{{valid}, rows}, indices, n, to);
    } else {
      gather::flags(call.stream, row_has_value<false>{{valid}, rows}, indices, n, to);
    }
  }
}

/// Puts a column into order, by way of a buffer for all of its elements.
template <class Index>
void permute_column_on_device(cudaStream_t stream, const column& c, const Index* order,
                              std::uint64_t n, void* buffer) {
  using gather = gather_column<Index>;
  const auto rows = static_cast<std::size_t>(n);
  gather::bytes(stream, c.data(), c.width(), order, n, buffer);
  relocate(stream, buffer, column_access::data(c), rows * c.width());
  auto* const valid = column_access::validity(c);
  if (column_access::kind_of_validity(c) == validity_kind::bits) {
    gather::bits(stream, validity_by_index<true>{valid}, order, n,
                 static_cast<unsigned char*>(buffer));
    relocate(stream, buffer, valid, ceil_div<std::size_t>(rows, 8));
  } else if (valid != nullptr) {
    gather::bytes(stream, valid, 1, order, n, buffer);
    relocate(stream, buffer, valid, rows);
  }
}

/// Sorts rows: sorting and moving take the same memory one after the other.
template <class Index, class Call>
void sort_rows_on_device(const Call& call, const row_keys& keys, const column* moved,
                         std::size_t columns, std::uint64_t n) {
  refuse_in_place<Call>();
  std::size_t most = table_argsort<Index>(keys, n).scratch_bytes();
  for (std::size_t c = 0; c < columns; ++c) {
    if (n > (std::numeric_limits<std::size_t>::max)() / moved[c].width()) throw out_of_memory();
    most = (std::max)(most, static_cast<std::size_t>(n) * moved[c].width());
  }
  const auto memory = scratch_buffer::or_throw(call.memory, most, call.stream);
  const auto order = scratch_buffer::or_throw(call.memory, bytes_of<Index>(n), call.stream);
  auto* const indices = order.template as<Index>();
  sort_row_indices_on_device(call, keys, n, indices, memory.data());
  for (std::size_t c = 0; c < columns; ++c) {
    permute_column_on_device(call.stream, moved[c], indices, n, memory.data());
  }
}

#endif

/// Writes the indices of the rows, in order, to `out`. Stable.
template <class Call, class Index>
void sort_row_indices([[maybe_unused]] const Call& call, const table_order& order, std::uint64_t n,
                      Index* out) {
  if (n == 0) return;
  if (n - 1 > static_cast<std::uint64_t>((std::numeric_limits<Index>::max)())) {
    refuse("the index type is too small for the range; write indices of 8 bytes");
  }
  table_memory memory;
  const row_keys keys = keys_of(order, n, memory);
  memory.add_indices(out, n, true);
  memory.require_disjoint();
#if GPUSORT_CUDA
  if (device_count() > 0) {
    return run_on_device(call, [&](const Call& own) {
      device_scope<Call> scope(own, memory.owner(), Call::is_verified);
      argsort_rows_on_device(own, keys, n, out);
      scope.finish();
    });
  }
#endif
  on_host<Call>([&] {
    host::argsort_rows(keys, n, out);
    if constexpr (Call::is_verified) prove_order_on_host<Index>(n, out, keys);
  });
}

template <class Call>
bool check_rows_sorted([[maybe_unused]] const Call& call, const table_order& order,
                       std::uint64_t n) {
  if (n == 0) return true;
  table_memory memory;
  const row_keys keys = keys_of(order, n, memory);
  bool is_sorted = false;
#if GPUSORT_CUDA
  if (device_count() > 0) {
    run_on_device(call, [&](const Call& own) {
      const device_scope<Call> scope(own, memory.owner(), true);
      is_sorted = is_sorted_on_device(own, index_sequence_array<std::uint64_t>{}, n, keys);
    });
    return is_sorted;
  }
#endif
  on_host<Call>([&] { is_sorted = host::are_rows_sorted(keys, n); });
  return is_sorted;
}

/// Writes the rows at n indices to other columns.
template <class Call, class Index>
void gather_rows([[maybe_unused]] const Call& call, const column* in, std::size_t columns,
                 const Index* indices, std::uint64_t n, const column* out) {
  if (n == 0 || columns == 0) return;
  table_memory memory;
  memory.add_indices(indices, n, false);
  for (std::size_t c = 0; c < columns; ++c) {
    require_same_kind(in[c], out[c]);
    memory.add(in[c], 1, false);  // how many rows it has is not known
    memory.add(out[c], n, true);
  }
  memory.require_disjoint();
#if GPUSORT_CUDA
  if (device_count() > 0) {
    return run_on_device(call, [&](const Call& own) {
      device_scope<Call> scope(own, memory.owner(), false);
      gather_rows_on_device(own, in, columns, indices, n, out);
      scope.finish();
    });
  }
#endif
  on_host<Call>([&] {
    for (std::size_t c = 0; c < columns; ++c) {
      host::gather_column(in[c], indices, n, column_access::data(out[c]),
                          column_access::validity(out[c]));
    }
  });
}

/// Writes rows, and a row without a value for an index that is not one of `rows` rows.
template <class Call, class Index>
void gather_rows_or_nulls([[maybe_unused]] const Call& call, const column* in, std::size_t columns,
                          std::uint64_t rows, const Index* indices, std::uint64_t n,
                          const column* out) {
  if (n == 0 || columns == 0) return;
  table_memory memory;
  memory.add_indices(indices, n, false);
  for (std::size_t c = 0; c < columns; ++c) {
    require_nullable_kind(in[c], out[c]);
    if (rows > 0) memory.add(in[c], rows, false);
    memory.add(out[c], n, true);
  }
  memory.require_disjoint();
#if GPUSORT_CUDA
  if (device_count() > 0) {
    return run_on_device(call, [&](const Call& own) {
      device_scope<Call> scope(own, memory.owner(), false);
      gather_rows_or_nulls_on_device(own, in, columns, rows, indices, n, out);
      scope.finish();
    });
  }
#endif
  on_host<Call>([&] {
    for (std::size_t c = 0; c < columns; ++c) {
      const auto gather = [&](auto is_bitmap) {
        host::gather_column_or_nulls<is_bitmap.value>(
            in[c], rows, indices, n, column_access::data(out[c]), column_access::validity(out[c]));
      };
      if (column_access::kind_of_validity(out[c]) == validity_kind::bits) {
        gather(std::true_type{});
      } else {
        gather(std::false_type{});
      }
    }
  });
}

/// Puts the rows of some columns into order.
template <class Call>
void sort_rows([[maybe_unused]] const Call& call, const table_order& order, const column* moved,
               std::size_t columns, std::uint64_t n) {
  if (n == 0 || columns == 0) return;
  table_memory read, memory;
  const row_keys keys = keys_of(order, n, read);
  for (std::size_t c = 0; c < columns; ++c) memory.add(moved[c], n, true);
  memory.require_disjoint();
#if GPUSORT_CUDA
  if (device_count() > 0) {
    return run_on_device(call, [&](const Call& own) {
      memory.add(read);
      device_scope<Call> scope(own, memory.owner(), Call::is_verified);
      if (n <= (std::numeric_limits<std::uint32_t>::max)()) {
        sort_rows_on_device<std::uint32_t>(own, keys, moved, columns, n);
      } else {
        sort_rows_on_device<std::uint64_t>(own, keys, moved, columns, n);
      }
      scope.finish();
    });
  }
#endif
  on_host<Call>([&] {
    const host::owned_scratch indices(n, sizeof(std::uint64_t));
    std::size_t widest = 1;
    for (std::size_t c = 0; c < columns; ++c) widest = (std::max)(widest, moved[c].width());
    const host::owned_scratch buffer(n, widest);
    auto* const sorted = indices.as<std::uint64_t>();
    host::argsort_rows(keys, n, sorted);
    if constexpr (Call::is_verified) prove_order_on_host<std::uint64_t>(n, sorted, keys);
    for (std::size_t c = 0; c < columns; ++c) {
      host::permute_column(moved[c], sorted, n, buffer.as<void>());
    }
  });
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
