// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/algorithm/gather_column.hpp>
#include <gpusort/detail/algorithm/merge_layout.hpp>
#include <gpusort/detail/algorithm/multiway_select.hpp>
#include <gpusort/detail/dispatch/call.hpp>
#include <gpusort/detail/dispatch/device_sort.hpp>
#include <gpusort/detail/dispatch/memory/device_range.hpp>
#include <gpusort/detail/dispatch/memory/device_ranges.hpp>
#include <gpusort/detail/dispatch/memory/device_scope.hpp>
#include <gpusort/detail/dispatch/order_of_range.hpp>
#include <gpusort/detail/dispatch/problem.hpp>
#include <gpusort/detail/dispatch/sort.hpp>
#include <gpusort/detail/distributed/arena.hpp>
#include <gpusort/detail/distributed/device_error.hpp>
#include <gpusort/detail/distributed/device_merge.hpp>
#include <gpusort/detail/distributed/window.hpp>
#include <gpusort/detail/support/device_part.hpp>
#include <gpusort/detail/support/memory_source.hpp>
#include <gpusort/detail/support/peer_memory.hpp>
#include <gpusort/detail/support/pending_error.hpp>
#include <gpusort/detail/support/scratch_cursor.hpp>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// A call that says when it is compiled whether its sorts are stable.
template <class Call, bool Stable>
struct sorting_call : Call {
  static constexpr bool sorts_stably = Stable;
};

template <class Call, class = void>
struct may_sort {
  static constexpr bool stably = true, unstably = true;
};
template <class Call>
struct may_sort<Call, std::void_t<decltype(Call::sorts_stably)>> {
  static constexpr bool stably = Call::sorts_stably, unstably = !Call::sorts_stably;
};

/// Tells how many elements a range may have at last.
struct room_for {
  std::uint64_t elements;
};

/// Does a rank's work on its own elements, on a device: that of its range, or, where that is in
/// host memory, of the call's stream, or the current one. Host ranges are staged.
///
/// One buffer serves as scratch of the sort and, later, as what is received into. Its size is what
/// the sort's fastest route needs; failing that, one copy of the elements and 1 MB, and the router
/// takes a route that fits.
///
/// Where devices reach each other, keys alone may be sorted into peer memory, which all of them
/// reach (choose_peer_memory), and merged from there into the ranges: nothing is received before.
///
/// Its stages, and what leads from one to the next:
///
///     closed --open--> loaded --sort, merge--> changed --finish--> closed
///                      loaded --choose_peer_memory--> peer_chosen, and back by choose_range
///                      peer_chosen --sort--> peer_sorted --merge--> peer_merged --finish--> closed
///                                            peer_sorted <--unmerge-- peer_merged
///
/// finish closes any of them; what it stores depends on the stage.
template <class Call, class Compare, class KeyIterator, class... ValueIterators>
class device_local {
 public:
  using key_type = value_t<KeyIterator>;
  static constexpr std::size_t columns = 1 + sizeof...(ValueIterators);
  static constexpr bool is_on_device = true;
  static constexpr bool may_reach_all = columns == 1;

  static constexpr std::size_t element_bytes(std::size_t column) {
    constexpr std::size_t bytes[] = {sizeof(key_type), sizeof(value_t<ValueIterators>)...};
    return bytes[column];
  }

  device_local(const Call& call, const Compare& compare, KeyIterator first, std::uint64_t n,
               ValueIterators... values)
      : device_local(room_for{n}, call, compare, first, n, values...) {}

  device_local(room_for most, const Call& call, const Compare& compare, KeyIterator first,
               std::uint64_t n, ValueIterators... values)
      : stream_(call.stream),
        memory_(call.memory),
        compare_(compare),
        n_(n),
        room_(most.elements),
        first_(first, values...),
        location_(location_of(most.elements, first, values...)),
        device_(device_for(location_.owner(), call.stream)) {}
  device_local(const device_local&) = delete;
  device_local& operator=(const device_local&) = delete;

  int device() const { return device_; }
  cudaStream_t stream() const { return stream_; }
  std::uint64_t n() const { return n_; }

  /// Runs body on the device, by routes without blocks of several grids that wait for each other.
  template <class Body>
  auto on_device(const Body& body) {
    return with_device_number(device_, [&] {
      const auto work = [&] {
        const relaxed_capture_mode relaxed;
        const device_guard guard(device_);
        const device_part part(stream_, false);
        properties_in_use()->may_cooperate = false;
        return body();
      };
      if constexpr (std::is_void_v<decltype(body())>) {
        apart_from_pending_error(work);
      } else {
        decltype(body()) result{};
        apart_from_pending_error([&] { result = work(); });
        return result;
      }
    });
  }

  /// Goes on with another range on the device, which holds the same elements, and is not open yet.
  void set_range(KeyIterator first, std::uint64_t n, std::uint64_t most) {
    static_assert(columns == 1 && std::is_pointer_v<KeyIterator>);
    std::get<0>(first_) = first;
    n_ = n;
    room_ = most;
    close();
  }

  /// Takes peer memory for the sorted elements, and scratch for the sort's fastest route. False
  /// where there is too little memory: the elements are to be sorted in the range then.
  bool choose_peer_memory() {
    return on_device([&] {
      open();  // the range comes first
      properties_in_use()->may_cooperate = true;
      peer_.sorted = scratch_buffer(peer_memory(), bytes_of<key_type>(n_), stream_);
      if (peer_.sorted) buffer_ = scratch_buffer(memory_, fastest_sort_bytes(), stream_);
      const bool is_enough = peer_.sorted && buffer_;
      if (is_enough) {
        stage_ = stage::peer_chosen;
      } else {
        release();
      }
      return is_enough;
    });
  }
  /// Sorts in the range after all, as other ranks have too little memory.
  void choose_range() {
    release();
    if (stage_ == stage::peer_chosen) stage_ = stage::loaded;
  }

  /// Sets where each rank's sorted elements will be, where all ranks have chosen peer memory.
  void set_sorted_of_all(std::vector<const key_type*> sorted) {
    peer_.sorted_of_all = std::move(sorted);
  }
  bool reaches_all() const { return !peer_.sorted_of_all.empty(); }

  /// Finds how many of each rank's elements are among the first `target` of all; their sum is
  /// `target`, whatever the comparator says. All ranks have sorted.
  void cut_all(const std::vector<std::uint64_t>& counts, std::uint64_t target,
               std::uint64_t* cuts) {
    using layout = merge_layout<Compare, key_type>;
    using input = typename layout::input;
    using algorithm = multiway_select<input, typename layout::order>;
    on_device([&] {
      const std::size_t p = peer_.sorted_of_all.size();
      std::vector<sorted_run<input>> runs;
      for (std::size_t i = 0; i < p; ++i) {
        runs.push_back({layout::input_at(peer_.sorted_of_all[i]), counts[i]});
      }
      scratch_cursor sizes(nullptr);
      sizes.take<std::uint64_t>(p);
      const std::size_t bytes = sizes.used();
      const auto scratch =
          scratch_buffer::or_throw(memory_, bytes + algorithm::scratch_bytes(p, 1), stream_);
      auto* const device_cuts = scratch.template as<std::uint64_t>();
      algorithm::run(stream_, runs.data(), p, &target, 1, device_cuts, layout::order_of(compare_),
                     scratch.template as<char>(bytes));
      copy(cuts, device_cuts, p * sizeof(std::uint64_t));
      wait();
    });
  }

  /// Sets the runs that merge() merges where all ranks have sorted into peer memory.
  void set_runs(std::vector<const void*> runs) { peer_.runs = std::move(runs); }
  /// Takes a merge back: the range gets its own elements again, sorted.
  void unmerge() {
    if (stage_ == stage::peer_merged) stage_ = stage::peer_sorted;
  }

  /// Opens a range that is not to be sorted.
  void open_range() {
    on_device([&] { open(); });
  }

  void sort(bool stable) {
    on_device([&] {
      properties_in_use()->may_cooperate = true;  // no exchange has begun
      open();
      if (is_in_range()) {
        if (n_ < 2) return;
        stage_ = stage::changed;
      }
      if constexpr (may_sort<Call>::stably) {
        if (stable) return sort_own<true>();
      }
      if constexpr (may_sort<Call>::unstably) {
        if (!stable) return sort_own<false>();
      }
    });
  }

  bool is_sorted() {
    return n_ < 2 || on_device([&] {
             open();
             using stored = stored_t<key_type>;
             const key_array<stored> array{reinterpret_cast<stored*>(key_data())};
             return is_sorted_on_device(own_call(memory_), array, n_,
                                        by_stored_value<Compare>{compare_});
           });
  }

  void sample(const window* windows, std::size_t k, void* samples) {
    std::vector<std::uint64_t> positions;
    for (std::size_t i = 0; i < k; ++i) {
      positions.resize(
          std::max<std::uint64_t>(positions.size(), windows[i].first + windows[i].count));
      for (std::uint64_t t = 0; t < windows[i].count; ++t) {
        positions[windows[i].first + t] = windows[i].position(t);
      }
    }
    if (positions.empty()) return;
    on_device([&] {
      open();
      const std::uint64_t count = positions.size();
      scratch_cursor sizes(nullptr);
      sizes.take<std::uint64_t>(count);
      const std::size_t bytes = sizes.used();
      const auto scratch =
          scratch_buffer::or_throw(memory_, bytes + count * sizeof(key_type), stream_);
      auto* const indices = scratch.template as<std::uint64_t>();
      void* const keys = scratch.template as<char>(bytes);
      copy(indices, positions.data(), count * sizeof(std::uint64_t));
      gather_column<std::uint64_t>::bytes(stream_, key_data(), sizeof(key_type), indices, count,
                                          keys);
      copy(samples, keys, count * sizeof(key_type));
      wait();
    });
  }

  void order(const void* samples, std::size_t count, std::uint32_t* indices) {
    if (count == 0) return;
    // Few elements, by a route without blocks that wait for each other, whatever else is running.
    using problem = problem_type<false, true, true, route::merge_sort, Compare, key_type>;
    on_device([&] {
      scratch_cursor sizes(nullptr);
      sizes.take<key_type>(count);
      const std::size_t bytes = sizes.used();
      const auto scratch =
          scratch_buffer::or_throw(memory_, bytes + count * sizeof(std::uint32_t), stream_);
      auto* const keys = scratch.template as<key_type>();
      auto* const order = scratch.template as<std::uint32_t>(bytes);
      copy(keys, samples, count * sizeof(key_type));
      device_sort<problem, key_type, Compare>::run_indices(
          {keys, keys, count, compare_, {}, call_stream(stream_), true}, order, memory_);
      copy(indices, order, count * sizeof(std::uint32_t));
      wait();
    });
  }

  void prepare(std::uint64_t received) {
    on_device([&] {
      open();
      if (received > room_) {
        refuse("a range would get more elements than it has room for; give it more room");
      }
      if (!is_in_range()) return wait();
      if (buffer_bytes(received) > buffer_.size()) {
        buffer_ = {};
        buffer_ = scratch_buffer::or_throw(memory_, buffer_bytes(received), stream_);
      }
      received_ = received;
      wait();
    });
  }

  void* data(std::size_t column) {
    return is_in_range() ? column_at(range_pointers(), column) : peer_.sorted.data();
  }
  void* receive_buffer(std::size_t column) { return column_at(buffer_pointers(), column); }

  /// Merges; the receive buffers are intact where this throws, unless the device is lost.
  void merge(const std::uint64_t* run_offsets, std::size_t p) {
    on_device([&] {
      if (!is_in_range()) return merge_from_peers(run_offsets, p);
      stage_ = stage::changed;
      merge_of_columns<Compare, key_type, value_t<ValueIterators>...>::run(
          stream_, memory_, buffer_pointers(), range_pointers(), run_offsets, p, compare_);
    });
  }

  /// Returns when the device has done what it was given: others may write to the range then.
  void settle() {
    on_device([&] { wait(); });
  }

  void finish(std::uint64_t n) {
    on_device([&] {
      if (stage_ == stage::peer_sorted) {
        relocate(stream_, peer_.sorted.data(), std::get<0>(range_pointers()),
                 n_ * sizeof(key_type));
      }
      n_ = n;
      release();
      if (stage_ != stage::closed) {
        overwrite_input(location_.is_staged(), [&] {
          if (is_to_be_stored()) {
            std::apply([](const auto&... range) { (range.store(), ...); }, *ranges_);
          }
          if (Call::synchronizes || location_.is_staged()) wait();
        });
      } else if (Call::synchronizes) {
        wait();
      }
      close();
    });
  }

 private:
  /// Stages of the range, in the order in which is_in_range() and is_sorted_in_peer_memory() read
  /// them.
  enum class stage {
    closed,       // nothing is known to be on the device
    loaded,       // the range's elements are there, as they were
    changed,      // and now in another order, or others
    peer_chosen,  // loaded, and to be sorted into peer memory
    peer_sorted,  // loaded, and sorted in peer memory
    peer_merged   // the range has what was merged from all ranks' peer memory
  };

  /// Holds what a rank has, and knows, of peer memory.
  struct peer_part {
    scratch_buffer sorted;
    std::vector<const key_type*> sorted_of_all;  // by rank
    std::vector<const void*> runs;
  };

  template <class Iterator>
  using range_of = device_range<Iterator, merge_alignment<value_t<Iterator>>>;
  using ranges = std::tuple<range_of<KeyIterator>, range_of<ValueIterators>...>;
  using pointers = std::tuple<key_type*, value_t<ValueIterators>*...>;
  /// The call without what makes it wait.
  using waitless =
      detail::call<false, Call::in_place, Call::deterministic, Call::requires_device, Call::forced>;
  using all_columns = std::index_sequence_for<KeyIterator, ValueIterators...>;

  static memory_location location_of(std::uint64_t n, KeyIterator first, ValueIterators... values) {
    memory_location location;
    if (n != 0)
      location.add(
          kinds_of(detail::columns<KeyIterator, ValueIterators...>{{first, values...}, n}));
    return location;
  }

  waitless own_call(const memory_source& memory) const { return {stream_, memory}; }

  void wait() const { check(cudaStreamSynchronize(stream_), "waiting for a device"); }

  void copy(void* to, const void* from, std::size_t bytes) const {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_), "copying samples or cuts");
  }

  /// Whether the elements are sorted in the range, and exchanged, not merged from peer memory.
  bool is_in_range() const { return stage_ < stage::peer_chosen; }
  bool is_sorted_in_peer_memory() const { return stage_ >= stage::peer_sorted; }
  /// Tells whether the range has to be written; else the range, which may be constant, has what it
  /// had.
  bool is_to_be_stored() const { return stage_ == stage::changed || is_sorted_in_peer_memory(); }

  /// Takes the memory of all copies that are needed, and loads them.
  void open() {
    if (stage_ != stage::closed) return;
    open(all_columns{});
    stage_ = stage::loaded;
  }
  /// Lets go of the copies.
  void close() {
    stage_ = stage::closed;
    ranges_.reset();
  }
  /// Lets go of the memory that sorting and merging take.
  void release() {
    peer_ = {};
    buffer_ = {};
  }

  template <std::size_t... Is>
  void open(std::index_sequence<Is...>) {
    const auto kind_of = [&](const auto& first) {
      return room_ == 0 ? pointer_kind{memory_kind::managed, -1} : kind_of_range(first);
    };
    ranges_.emplace(std::tuple_element_t<Is, ranges>(
        std::get<Is>(first_), kind_of(std::get<Is>(first_)), room_, memory_, stream_)...);
    std::apply(
        [&](const auto&... range) {
          if (!(range.is_aligned() && ...)) throw out_of_memory();
          if (n_ != 0) (range.load(), ...);
        },
        *ranges_);
  }

  template <bool Stable>
  void sort_own() {
    if constexpr (columns == 1) {
      if (!is_in_range()) return sort_into_peer_memory<Stable>();
    }
    const std::size_t fastest = fastest_sort_bytes<Stable>();
    const std::size_t least = buffer_bytes(n_) + n_ * element_bytes(0) / 128 + least_slack;
    buffer_ = scratch_buffer(memory_, (std::max)(fastest, least), stream_);
    if (!buffer_) buffer_ = scratch_buffer::or_throw(memory_, least, stream_);
    arena scratch(buffer_.data(), buffer_.size());
    std::apply(
        [&](auto* keys, auto*... values) {
          sort_ranges<Stable>(own_call(scratch.source()), keys, keys + n_, compare_, values...);
        },
        range_pointers());
  }

  template <bool Stable>
  void sort_into_peer_memory() {
    using key = representative_key_t<Compare, key_type>;
    using problem = problem_of<waitless, Stable, false, Compare, key>;
    if (n_ != 0) {
      arena scratch(buffer_.data(), buffer_.size());
      compiled_sort<problem, key, Compare>::run(
          {reinterpret_cast<const key*>(std::get<0>(range_pointers())),
           peer_.sorted.template as<key>(),
           n_,
           compare_,
           {},
           call_stream(stream_),
           true},
          scratch.source());
      buffer_ = {};
    }
    stage_ = stage::peer_sorted;
  }

  /// Merges runs in peer memory, at most as many as one pass takes, into the range.
  void merge_from_peers(const std::uint64_t* run_offsets, std::size_t p) {
    if constexpr (columns == 1) {
      using layout = merge_layout<Compare, key_type>;
      using algorithm = tuned_multiway_merge<typename layout::input, typename layout::between,
                                             typename layout::output, typename layout::order>;
      std::vector<sorted_run<typename layout::input>> runs;
      for (std::size_t i = 0; i < p; ++i) {
        const std::uint64_t count = run_offsets[i + 1] - run_offsets[i];
        if (count == 0) continue;
        runs.push_back({layout::input_at(static_cast<const key_type*>(peer_.runs[i])), count});
      }
      if (!runs.empty()) {
        const auto scratch = scratch_buffer::or_throw(
            memory_, algorithm::scratch_bytes(runs.data(), runs.size()), stream_);
        algorithm::run(stream_, runs.data(), runs.size(),
                       layout::output_at(std::get<0>(range_pointers())), layout::order_of(compare_),
                       scratch.data());
      }
      stage_ = stage::peer_merged;
    }
  }

  /// Least bytes that routes take besides elements, of few of them: counters and tables.
  static constexpr std::size_t least_slack = std::size_t{1} << 20;

  template <bool Stable = may_sort<Call>::stably>
  std::size_t fastest_sort_bytes() const {
    using problem =
        problem_of<waitless, Stable, false, Compare, key_type, value_t<ValueIterators>...>;
    using sort = device_sort<problem, key_type, Compare, value_t<ValueIterators>...>;
    return sort::plan_for(n_).scratch_bytes + scratch_alignment;
  }

  std::size_t buffer_bytes(std::uint64_t n) const {
    scratch_cursor cursor(nullptr);
    lay_out(cursor, n, all_columns{});
    return cursor.used();
  }
  pointers buffer_pointers() const {
    scratch_cursor cursor(buffer_.data());
    return lay_out(cursor, received_, all_columns{});
  }
  template <std::size_t... Is>
  static pointers lay_out(scratch_cursor& cursor, std::uint64_t n, std::index_sequence<Is...>) {
    return pointers{cursor.take<std::remove_pointer_t<std::tuple_element_t<Is, pointers>>>(n)...};
  }

  key_type* key_data() const {
    return is_sorted_in_peer_memory() ? peer_.sorted.template as<key_type>()
                                      : std::get<0>(range_pointers());
  }
  pointers range_pointers() const {
    return std::apply([](const auto&... range) { return pointers(range.data()...); }, *ranges_);
  }

  static void* column_at(const pointers& all, std::size_t column) {
    return std::apply(
        [&](auto*... p) {
          void* const data[] = {p...};
          return data[column];
        },
        all);
  }

  cudaStream_t stream_;
  memory_source memory_;
  Compare compare_;
  std::uint64_t n_;
  std::uint64_t room_;
  std::tuple<KeyIterator, ValueIterators...> first_;
  memory_location location_;
  int device_;
  std::optional<ranges> ranges_;  // unless closed
  stage stage_ = stage::closed;
  scratch_buffer buffer_;
  std::uint64_t received_ = 0;
  peer_part peer_;
};

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
