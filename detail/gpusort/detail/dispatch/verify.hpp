// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <gpusort/detail/dispatch/call.hpp>
#include <gpusort/detail/dispatch/ranges.hpp>
#include <gpusort/detail/host/verify.hpp>
#include <gpusort/detail/support/checksum.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <gpusort/error.hpp>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#if GPUSORT_CUDA
#include <gpusort/detail/algorithm/verify.hpp>
#include <gpusort/detail/dispatch/memory/device_range.hpp>
#include <gpusort/detail/dispatch/memory/device_ranges.hpp>
#include <gpusort/detail/dispatch/memory/device_scope.hpp>
#endif

// Proofs of calls under `verify`: a checksum of what goes in, and one read of what came out of it.
// A proof has owner(), before(call) and after(call, sum) for a device, and
// without_device<Call>(run).

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Throws gpusort::verification_failed where `after` is not what has to come of elements with that
/// sum.
inline void require_proof(unsigned long long sum_before, const pass_record& after) {
  const bool is_permutation = after.sum == sum_before;
  if (after.first_wrong != pass_record::nowhere) {
    throw verification_failed(
        after.first_wrong,
        error_text(
            "verify: the result is not in order: the element at place " +
            std::to_string(after.first_wrong) +
            " belongs before its predecessor, or the comparator is no strict weak order for these "
            "elements (a NaN under <?)" +
            (is_permutation ? "" : "; and its elements are not those that there were")));
  }
  if (!is_permutation) {
    throw verification_failed(
        verification_failed::npos,
        error_text("verify: the result is in order, but its elements are not those that there "
                   "were: some are missing, doubled or changed"));
  }
}

/// Whether the iterators' elements are moved as bytes, padding included.
template <class... Iterators>
inline constexpr bool are_moved_as_bytes_v =
#if GPUSORT_CUDA
    (is_contiguous_v<Iterators> && ...);
#else
    (std::is_pointer_v<decltype(host_iterator(std::declval<Iterators>()))> && ...);
#endif

/// Checks whether the checksum of a T is the same on both sides of a call with ranges of it, or of
/// what is converted to it.
template <class T, class... Iterators>
constexpr void require_checksum() {
  static_assert(
      has_exact_checksum<T>::value ||
          (are_moved_as_bytes_v<Iterators...> && (std::is_same_v<value_t<Iterators>, T> && ...)),
      "gpusort: verify cannot tell the padding of such elements from their values where they are "
      "converted, or reached through an iterator that is not contiguous; copy them to contiguous "
      "memory "
      "first");
}

template <class Out>
constexpr void require_readable_output() {
  static_assert(!takes_anything_v<Out>,
                "gpusort: verify reads what the call has written, and this output cannot be read");
}

/// No segments: the whole range.
struct no_offsets {};

template <class... Ranges, class F>
void for_each_range(const std::tuple<Ranges...>& ranges, const F& f) {
  std::apply([&](const auto&... range) { (f(range), ...); }, ranges);
}
template <class Range, class F>
void for_each_range(const std::vector<Range>& ranges, const F& f) {
  for (const Range& range : ranges) f(range);
}

#if GPUSORT_CUDA

/// A record on the device, for the passes of one side of a call.
class device_record {
 public:
  template <class Call>
  explicit device_record(const Call& call)
      : memory_(scratch_buffer::or_throw(call.memory, sizeof(pass_record), call.stream)),
        stream_(call.stream) {
    verification::clear(stream_, get());
  }

  pass_record* get() const { return memory_.template as<pass_record>(); }

  /// Waits.
  pass_record read() const {
    pass_record record;
    check(cudaMemcpyAsync(&record, get(), sizeof(record), cudaMemcpyDeviceToHost, stream_),
          "reading a checksum");
    check(cudaStreamSynchronize(stream_), "waiting for a checksum");
    record.sum -= pass_record::empty_sum;
    return record;
  }

 private:
  scratch_buffer memory_;
  cudaStream_t stream_;
};

/// Proves that `indices` has each index of n elements once, in the order that `ascending` checks.
template <class Call, class Index, class Ascending>
void prove_order_on_device(const Call& call, const Index* indices, std::uint64_t n,
                           const Ascending& ascending) {
  const device_record expected(call), found(call);
  verification::run(call.stream, all_indices<Index>{}, 0, n, no_order{}, expected.get());
  verification::run(call.stream, verified_columns<Index>{indices, {}}, 0, n, ascending,
                    found.get());
  require_proof(expected.read().sum, found.read());
}

template <class Types, class Columns>
class verified_piece;

/// A piece of some columns, as elements of types Ts: where they are, or copied.
template <class... Ts, class... Iterators>
class verified_piece<std::tuple<Ts...>, columns<Iterators...>> {
 public:
  using range = columns<Iterators...>;
  using kinds = std::array<pointer_kind, sizeof...(Ts)>;

  /// Whether kernels read the columns where they are.
  static bool is_in_place(const kinds& where) {
    return ((is_contiguous_v<Iterators> && std::is_same_v<value_t<Iterators>, Ts>)&&...) &&
           std::all_of(where.begin(), where.end(),
                       [](pointer_kind kind) { return kind.device_accessible(); });
  }

  /// Throws gpusort::out_of_memory when there is no memory for a copy that is needed.
  template <class Call>
  verified_piece(const range& all, const kinds& where, std::uint64_t begin, std::uint64_t n,
                 const Call& call)
      : columns_(columns_of(all, where, begin, n, call, std::index_sequence_for<Ts...>{})) {
    std::apply([](const auto&... column) { (column.load(), ...); }, columns_);
  }

  /// Returns the columns after the first `skipped` ones.
  verified_columns<Ts...> elements(std::uint64_t skipped) const {
    return std::apply(
        [skipped](const auto& key, const auto&... value) {
          return verified_columns<Ts...>{key.data() + skipped, {value.data() + skipped...}};
        },
        columns_);
  }

 private:
  using device_columns = std::tuple<device_range<Iterators, 1, Ts>...>;

  template <class Call, std::size_t... Is>
  static device_columns columns_of(const range& all, const kinds& where, std::uint64_t begin,
                                   std::uint64_t n, const Call& call, std::index_sequence<Is...>) {
    return device_columns(std::tuple_element_t<Is, device_columns>(
        end_of(std::get<Is>(all.first), begin), where[Is], n, call.memory, call.stream)...);
  }

  device_columns columns_;
};

/// Passes over the columns, as elements of types Ts, in the order that make_order(begin) gives for
/// a piece that begins there. Ranges that have to be copied are copied in pieces, as the call may
/// have worked on more than fits.
template <class... Ts, class Call, class... Iterators, class MakeOrder>
void pass_on_device(const Call& call, const columns<Iterators...>& range, MakeOrder make_order,
                    const device_record& record) {
  using piece_type = verified_piece<std::tuple<Ts...>, columns<Iterators...>>;
  if (range.n == 0) return;
  const auto kinds = kinds_of(range);
  // A copy of this size takes much longer than a launch.
  constexpr std::uint64_t bytes_per_piece = std::uint64_t{32} << 20;
  constexpr std::uint64_t elements_per_piece = bytes_per_piece / (sizeof(Ts) + ...) + 1;
  std::uint64_t most =
      piece_type::is_in_place(kinds) ? range.n : min_of(range.n, elements_per_piece);
  for (std::uint64_t begin = 0; begin < range.n;) {
    const std::uint64_t n = min_of(most, range.n - begin);
    const std::uint64_t left = begin > 0;  // the element before the piece
    try {
      const piece_type piece(range, kinds, begin - left, n + left, call);
      verification::run(call.stream, piece.elements(left), begin, n, make_order(begin),
                        record.get());
    } catch (const out_of_memory&) {
      if (most == 1) throw;
      most = (most + 1) / 2;
      continue;
    }
    begin += n;
  }
}

/// Calls body with the segments where kernels read them.
template <class Call, class Body>
void with_segments(const Call&, const no_offsets&, Body body) {
  body(one_segment{});
}
template <class Call, class Bounds, class Body>
void with_segments(const Call& call, const Bounds& bounds, Body body) {
  const device_bounds<Bounds> offsets(bounds, call);
  offsets.load();
  body(offset_segments<typename Bounds::offset>{offsets.get()});
}

inline void add_segments(memory_location&, const no_offsets&) {}
template <class Bounds>
void add_segments(memory_location& location, const Bounds& bounds) {
  used_bounds<Bounds>{bounds}.add_to(location);
}

#endif

/// Proves that `indices` has each index of n elements once, in their stable order, by before(a, b),
/// which tells whether element a is before element b.
template <class Index, class Indices, class Before>
void prove_order_on_host(std::size_t n, Indices indices, const Before& before) {
  unsigned long long expected = 0;
  for (std::size_t i = 0; i < n; ++i) {
    expected += mixed_checksum(element_checksum<Index>::add(checksum_seed, static_cast<Index>(i)));
  }
  const auto index_at = [&](std::size_t i) {
    return static_cast<std::uint64_t>(host::element(indices, i));
  };
  pass_record found;
  found.sum = host::checksum_of<Index>(n, indices);
  found.first_wrong = host::first_wrong(n, [&](std::size_t i) {
    const std::uint64_t here = index_at(i);
    if (here >= n) return true;
    if (i == 0 || index_at(i - 1) >= n) return false;
    const std::uint64_t left = index_at(i - 1);
    return before(here, left) || (here < left && !before(left, here));
  });
  require_proof(expected, found);
}

/// Whether the element at an index is compared with the one before it.
inline bool has_neighbours(const no_offsets&, std::uint64_t i) { return i > 0; }
template <class Bounds>
bool has_neighbours(const Bounds& bounds, std::uint64_t i) {
  const auto begin = [&](std::uint64_t s) {
    return static_cast<std::uint64_t>(host::element(bounds.begins, s));
  };
  const std::size_t after =
      host::first_failing(0, bounds.k, [&](std::uint64_t s) { return begin(s) < i; });
  return after > 0 && i < static_cast<std::uint64_t>(host::element(bounds.ends, after - 1));
}

template <class... Ts, class... Iterators>
std::uint64_t checksum_on_host(const columns<Iterators...>& range) {
  return std::apply(
      [&](const auto&... first) {
        return host::checksum_of<Ts...>(static_cast<std::size_t>(range.n),
                                        host_iterator(first, range.n)...);
      },
      range.first);
}

/// Proves that `out` is in order by `compare` within segments, and has the elements of the inputs.
template <class Compare, class Segments, class Inputs, class... Outs>
struct proof_of_ranges {
  columns<Outs...> out;
  Segments segments;
  Compare compare;
  Inputs inputs;

#if GPUSORT_CUDA

  pointer_kind owner() const {
    memory_location location;
    location.add(kinds_of(out));
    for_each_range(inputs, [&](const auto& in) { location.add(kinds_of(in)); });
    add_segments(location, segments);
    return location.owner();
  }

  template <class Call>
  unsigned long long before(const Call& call) const {
    const device_record record(call);
    const auto unordered = [](std::uint64_t) { return no_order{}; };
    for_each_range(inputs, [&](const auto& in) {
      pass_on_device<value_t<Outs>...>(call, in, unordered, record);
    });
    return record.read().sum;
  }

  template <class Call>
  void after(const Call& call, unsigned long long sum) const {
    const device_record record(call);
    with_segments(call, segments, [&](const auto& where) {
      using order = ascending_keys<Compare, std::decay_t<decltype(where)>>;
      const auto ascending = [&](std::uint64_t begin) { return order{compare, where, begin}; };
      pass_on_device<value_t<Outs>...>(call, out, ascending, record);
    });
    require_proof(sum, record.read());
  }

#endif

  template <class Call, class Run>
  void without_device(const Run& run) const {
    run_on_host<Call, Outs...>(compare, [&](auto callable) {
      unsigned long long sum = 0;
      for_each_range(inputs,
                     [&](const auto& in) { sum += checksum_on_host<value_t<Outs>...>(in); });
      run();
      pass_record found;
      found.sum = checksum_on_host<value_t<Outs>...>(out);
      const auto keys = host_iterator(std::get<0>(out.first), out.n);
      found.first_wrong = host::first_wrong(static_cast<std::size_t>(out.n), [&](std::size_t i) {
        return has_neighbours(segments, i) &&
               static_cast<bool>(callable(host::element(keys, i), host::element(keys, i - 1)));
      });
      require_proof(sum, found);
    });
  }
};

/// Makes the proof of a call that makes `out` of the inputs.
template <class Compare, class Inputs, class... Outs>
proof_of_ranges<Compare, no_offsets, Inputs, Outs...> proof_of_result(const columns<Outs...>& out,
                                                                      const Compare& compare,
                                                                      const Inputs& inputs) {
  return {out, {}, compare, inputs};
}

/// Makes the proof of a call that changes a range in place.
template <class Compare, class Segments, class... Iterators>
auto proof_in_place(const columns<Iterators...>& range, const Segments& segments,
                    const Compare& compare) {
  (require_checksum<value_t<Iterators>, Iterators>(), ...);
  using inputs = std::tuple<columns<Iterators...>>;
  return proof_of_ranges<Compare, Segments, inputs, Iterators...>{range, segments, compare,
                                                                  inputs(range)};
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
