// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gpusort/detail/dispatch/ranges.hpp>
#include <gpusort/detail/distributed/drivers.hpp>
#include <gpusort/detail/distributed/host_local.hpp>
#include <gpusort/detail/distributed/is_sorted_rank.hpp>
#include <gpusort/detail/distributed/part.hpp>
#include <gpusort/detail/distributed/select_rank.hpp>
#include <gpusort/detail/distributed/sort_rank.hpp>
#include <gpusort/detail/router/plan.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#if GPUSORT_CUDA
#include <gpusort/detail/dispatch/memory/device_scope.hpp>
#include <gpusort/detail/distributed/device_ranks.hpp>
#include <gpusort/detail/distributed/exchange_sort.hpp>
#include <gpusort/detail/support/device.hpp>
#include <gpusort/detail/support/pointer_kind.hpp>
#endif

// Calls on shards: vectors of {data, n, room}, of which each is a rank.

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

template <class Shards>
using element_of_shards = std::remove_pointer_t<decltype(std::declval<Shards>()[0].data)>;

template <class Shards>
std::uint64_t total_of(const Shards& shards) {
  std::uint64_t n = 0;
  for (const auto& shard : shards) n += shard.n;
  return n;
}

/// Balances: sets the counts after a balanced sort.
template <class Shards>
void balance(Shards& shards) {
  const std::uint64_t n = total_of(shards);
  for (std::size_t i = 0; i < shards.size(); ++i) shards[i].n = part_of(n, i, shards.size()).n;
}

/// Throws std::invalid_argument where a shard makes no sense, or two share memory.
template <class First, class... Rest>
void check_shards(const First& first, const Rest&... rest) {
  std::vector<std::pair<const char*, const char*>> memory;
  const auto add = [&](const auto& shards) {
    using T = element_of_shards<decltype(shards)>;
    if (shards.size() != first.size()) {
      refuse("keys and values have different numbers of shards; pass as many of each");
    }
    for (std::size_t i = 0; i < shards.size(); ++i) {
      if (shards[i].n != first[i].n) {
        refuse("a shard of values has not as many elements as its keys; pass as many");
      }
      if (shards[i].n > shards[i].room) {
        refuse("a shard has more elements than room; pass a room of at least its elements");
      }
      if (shards[i].room == 0) continue;
      if (shards[i].data == nullptr)
        refuse("a shard has elements, or room, and no memory; pass its address");
      const auto* const begin = reinterpret_cast<const char*>(shards[i].data);
      if (shards[i].room > (UINTPTR_MAX - reinterpret_cast<std::uintptr_t>(begin)) / sizeof(T)) {
        refuse(
            "a shard has more room than there are addresses; pass how many elements there is "
            "memory for");
      }
      memory.emplace_back(begin, begin + shards[i].room * sizeof(T));
    }
  };
  add(first);
  (add(rest), ...);
  std::sort(memory.begin(), memory.end());
  for (std::size_t i = 1; i < memory.size(); ++i) {
    if (memory[i].first < memory[i - 1].second) {
      refuse("two shards overlap; pass shards that share no memory");
    }
  }
}

/// Ranks on the CPU, in one thread.
class host_ranks {
 public:
  explicit host_ranks(std::size_t p) : p_(p) {}

  std::size_t size() const { return p_; }

  /// Does nothing: there is one memory.
  template <class Locals>
  void choose_peer_memory(const Locals&) {}
  template <class Rank, class Locals, class Make>
  std::vector<std::unique_ptr<Rank>> run(const Locals& locals, const Make& make) {
    std::vector<std::unique_ptr<Rank>> ranks;
    std::vector<Rank*> pointers;
    for (std::size_t r = 0; r < p_; ++r) {
      ranks.push_back(make(r, *locals[r]));
      pointers.push_back(ranks.back().get());
    }
    copies transfer;
    run_all(pointers, transfer);
    rethrow_as_one(pointers);
    return ranks;
  }

 private:
  struct copies {
    void copy(std::size_t, const void* from, std::size_t, void* to, std::size_t bytes, bool) {
      if (bytes != 0) std::memcpy(to, from, bytes);
    }
    void done(const collective&) {}
  };

  std::size_t p_;
};

/// Does what a rank does with elements that are sorted already.
template <class Local>
struct sorted_local : Local {
  using Local::Local;
  void sort(bool) {
    if constexpr (Local::is_on_device) this->open_range();
  }
};

template <bool AreSorted, class Local>
using local_of_shards = std::conditional_t<AreSorted, sorted_local<Local>, Local>;

#if GPUSORT_CUDA

/// Returns the device of each shard. Throws where one is not in the memory of a device.
template <class First, class... Rest>
std::vector<int> devices_of(const First& first, const Rest&... rest) {
  std::vector<int> devices;
  for (std::size_t i = 0; i < first.size(); ++i) {
    int device = -1;
    const auto add = [&](const auto& shard) {
      if (shard.room == 0) return;
      const pointer_kind kind = classify_pointer(shard.data);
      if (!kind.on_device()) {
        refuse(kind.on_host()
                   ? "a shard is not in the memory of a device; for host memory there is on_devices"
                   : "a shard is not in the memory of a device; managed memory is of none, copy it "
                     "to one, or sort it on one");
      }
      if (device >= 0 && kind.device != device) {
        refuse("a shard of values is not on the device of its keys; copy it there");
      }
      device = kind.device;
    };
    add(first[i]);
    (add(rest[i]), ...);
    devices.push_back(device);
  }
  // An empty one takes part where it takes least: on the device of its neighbour.
  int last = current_device();
  for (std::size_t i = devices.size(); i-- > 0;) {
    if (devices[i] < 0) devices[i] = last;
    last = devices[i];
  }
  return devices;
}

#endif

/// Calls body(ranks, locals) with what runs a rank for each shard, of which there are some, and
/// what they have locally.
template <bool Stable, bool AreSorted, class Call, class Compare, class Body, class Keys,
          class... Values>
void with_shards([[maybe_unused]] const Call& call, const Compare& compare, const Body& body,
                 const Keys& keys, const Values&... values) {
  using key = element_of_shards<Keys>;
#if GPUSORT_CUDA
  if (device_count() > 0) {
    const std::vector<int> devices = devices_of(keys, values...);
    return run_on_device(call, [&](const Call& moved) {
      device_ranks ranks(devices, moved.stream);
      body(ranks, ranks.make_locals<Stable>(moved, [&](std::size_t r, const auto& own) {
        using local = local_of_shards<AreSorted, device_local<std::decay_t<decltype(own)>, Compare,
                                                              key*, element_of_shards<Values>*...>>;
        const std::uint64_t most = sizeof...(Values) == 0 ? keys[r].room : keys[r].n;
        return std::make_unique<local>(room_for{most}, own, compare, keys[r].data, keys[r].n,
                                       values[r].data...);
      }));
    });
  }
#endif
  run_on_host<Call, key*, element_of_shards<Values>*...>(compare, [&](auto callable) {
    using local =
        local_of_shards<AreSorted,
                        host_local<decltype(callable), key, element_of_shards<Values>...>>;
    std::vector<std::unique_ptr<local>> locals;
    for (std::size_t r = 0; r < keys.size(); ++r) {
      locals.push_back(
          std::make_unique<local>(callable, keys[r].n, keys[r].data, values[r].data...));
    }
    host_ranks ranks(keys.size());
    body(ranks, locals);
  });
}

template <class Ranks, class Local>
void run_sort(Ranks& ranks, const std::vector<std::unique_ptr<Local>>& locals, bool is_stable,
              shares how) {
  using rank = sort_rank<Local>;
  ranks.template run<rank>(locals, [&](std::size_t r, Local& local) {
    return std::make_unique<rank>(r, ranks.size(), local, header{}, is_stable, how);
  });
}

template <class Call, class Compare, class Shards>
bool are_shards_sorted(const Call& call, const Compare& compare, const Shards& shards);

/// Returns whether a look at the order of all elements takes a small part of their sort: it costs
/// some launches on each device, and a read of elements that are in order already.
template <class Shards>
bool are_worth_a_look(const Shards& shards) {
  constexpr std::uint64_t least_bytes = std::uint64_t{1} << 26;
  return total_of(shards) * sizeof(element_of_shards<Shards>) >= least_bytes;
}

template <bool Stable, class Call, class Compare, class Keys, class... Values>
void sort_shards(const Call& call, shares how, const Compare& compare, const Keys& keys,
                 const Values&... values) {
  check_shards(keys, values...);
  if (keys.empty()) return;
  if (how == shares::balanced) {
    const std::uint64_t n = total_of(keys);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (part_of(n, i, keys.size()).n > keys[i].room) {
        refuse("a shard has too little room for an equal part; pass shards with more");
      }
    }
  }
#if GPUSORT_CUDA
  if (how == shares::kept && device_count() > 0) {
    reject_capture(call.stream);
    if (keys.size() > 1 && are_worth_a_look(keys) && are_shards_sorted(call, compare, keys)) return;
    if constexpr (!Stable && sizeof...(Values) == 0) {
      if (sort_by_exchange(call, compare, keys, devices_of(keys))) return;
    }
  }
#endif
  with_shards<Stable, false>(
      call, compare,
      [&](auto& ranks, const auto& locals) {
        ranks.choose_peer_memory(locals);
        run_sort(ranks, locals, Stable, how);
      },
      keys, values...);
}

/// Returns what sort_shards would do with keys of which the order of equivalent ones is free.
template <class Call, class Compare, class Shards>
plan plan_of_shards([[maybe_unused]] const Call& call, [[maybe_unused]] const Compare& compare,
                    const Shards& shards) {
  using key = element_of_shards<Shards>;
  check_shards(shards);
  if (total_of(shards) < 2) return {route::nothing, "fewer than two elements"};
  std::uint64_t most = 0;
  for (const auto& shard : shards) most = std::max<std::uint64_t>(most, shard.n);
#if GPUSORT_CUDA
  if (device_count() > 0) {
    // What a device sends on the way to another one, and to where kernels write: as measured
    // between two H100 with NVLink. Other links have other rates.
    constexpr double bytes_per_microsecond = 396e3;
    const std::vector<int> devices = devices_of(shards);
    using by_exchange = exchange_sort<Call, key, Compare>;
    const by_exchange sort(call, shards, devices, [&](std::size_t) { return call.stream; });
    const auto bytes = sort.bytes_out();
    const cost_estimate links{"what leaves a device, over links of 396 GB/s",
                              static_cast<double>(bytes) / bytes_per_microsecond, bytes};
    if (by_exchange::is_possible && shards.size() > 1 && sort.serves()) {
      return {route::sample_sort,
              "devices reach each other: the first level of sample sort is the exchange (plan B)",
              3, by_exchange::most_scratch_bytes(most), links};
    }
    return {route::merge_sort,
            "each device sorts its shard; exact cuts, an exchange, one merge (plan A)", 4,
            2 * most * sizeof(key), links};
  }
#endif
  return {route::host_sort, "there is no CUDA device: ranks on the CPU", 3, most * sizeof(key)};
}

template <class Call, class Compare, class Shards>
void merge_shards(const Call& call, const Compare& compare, const Shards& shards) {
  check_shards(shards);
  if (shards.empty()) return;
  with_shards<true, true>(
      call, compare,
      [](auto& ranks, const auto& locals) { run_sort(ranks, locals, true, shares::kept); }, shards);
}

template <class Call, class Compare, class Shards>
bool are_shards_sorted(const Call& call, const Compare& compare, const Shards& shards) {
  bool answer = true;
  check_shards(shards);
  if (shards.empty()) return answer;
  with_shards<true, true>(
      call, compare,
      [&](auto& ranks, const auto& locals) {
        using local = std::decay_t<decltype(*locals[0])>;
        using rank = is_sorted_rank<local>;
        answer =
            ranks
                .template run<rank>(locals,
                                    [&](std::size_t r, local& own) {
                                      return std::make_unique<rank>(r, ranks.size(), own, header{});
                                    })[0]
                ->result();
      },
      shards);
  return answer;
}

template <class Call, class Compare, class Shards>
auto select_of_shards(const Call& call, const Compare& compare, const Shards& shards,
                      const std::vector<std::uint64_t>& targets) {
  std::vector<element_of_shards<Shards>> elements;
  check_shards(shards);
  if (!std::is_sorted(targets.begin(), targets.end())) {
    refuse("ranks of elements decrease; pass them in ascending order");
  }
  if (!targets.empty() && targets.back() >= total_of(shards)) {
    refuse("a rank is not less than the number of elements; ranks count from 0");
  }
  if (targets.empty()) return elements;
  with_shards<false, false>(
      call, compare,
      [&](auto& ranks, const auto& locals) {
        using local = std::decay_t<decltype(*locals[0])>;
        using rank = select_rank<local>;
        elements = std::move(ranks
                                 .template run<rank>(locals,
                                                     [&](std::size_t r, local& own) {
                                                       return std::make_unique<rank>(
                                                           r, ranks.size(), own, header{}, targets);
                                                     })[0]
                                 ->result());
      },
      shards);
  return elements;
}

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
