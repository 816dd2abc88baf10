// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plan B by itself, whatever gpusort::sort of shards chooses, and the time of its phases.
#pragma once

#include <gpusort/detail/dispatch/problem.hpp>
#include <gpusort/detail/distributed/peer_sort.hpp>
#include <string>
#include <vector>

#include "inputs.hpp"

namespace many_devices {

/// The shards as plan B takes them, each with a stream.
template <class T, class Compare>
class plan_b {
 public:
  using sort = gpusort::detail::peer_sort<T, Compare>;
  static constexpr bool is_for_keys = sort::is_for_keys;

  explicit plan_b(const shard_set<T>& set) {
    for (std::size_t i = 0; i < set.shards(); ++i) {
      streams_.emplace_back(set.device(i));
      shards_.push_back(sort::shard_at(set.device(i), streams_.back(), set.data(i), set.n_each()));
    }
  }

  /// Returns false where it does not take these shards. Waits.
  template <class Observe>
  bool run(const Compare& compare, const Observe& observe) const {
    if (!sort::sort::is_possible(shards_)) return false;
    const bool is_done = sort::sort::run(shards_, sort::order_of(compare), {}, observe);
    for (const device_stream& stream : streams_) {
      check(cudaStreamSynchronize(stream), "waiting for plan B");
    }
    return is_done;
  }

 private:
  std::vector<device_stream> streams_;
  std::vector<typename sort::shard> shards_;
};

/// Returns false where plan B does not take these shards.
template <class T, class Compare>
bool sort_by_plan_b(const shard_set<T>& set, bool has_values, const Compare& compare) {
  if constexpr (plan_b<T, Compare>::is_for_keys) {
    return !has_values && plan_b<T, Compare>(set).run(compare, gpusort::detail::unobserved{});
  } else {
    return false;
  }
}

/// Adds what the phases of plan B take, the slowest device of each.
template <class T>
void add_timeline_of_plan_b(rows& out, const shard_set<T>& set) {
  using gpusort::detail::peer_sort_phase;
  constexpr int phases = 4;
  const plan_b<T, gpusort::less> sort(set);
  std::vector<cudaEvent_t> events(phases * set.shards());
  for (std::size_t i = 0; i < events.size(); ++i) {
    choose(set.device(i / phases));
    check(cudaEventCreate(&events[i]), "cudaEventCreate");
  }
  std::vector<double> of_phase[phases];
  constexpr int repetitions = 5;
  for (int i = 0; i <= repetitions; ++i) {
    set.fill(distribution::uniform);
    wait_for(count_devices());
    std::size_t seen = 0;
    const auto mark = [&](const auto& shard, peer_sort_phase phase) {
      const std::size_t which =
          seen++ % set.shards();  // each phase is told of in the order of shards
      check(cudaEventRecord(events[which * phases + static_cast<std::size_t>(phase)], shard.stream),
            "cudaEventRecord");
    };
    if (!sort.run(gpusort::less{}, mark)) return;
    for (std::size_t phase = 1; i > 0 && phase < phases; ++phase) {
      float longest = 0;
      for (std::size_t s = 0; s < set.shards(); ++s) {
        float took = 0;
        check(
            cudaEventElapsedTime(&took, events[s * phases + phase - 1], events[s * phases + phase]),
            "cudaEventElapsedTime");
        longest = std::max(longest, took);
      }
      of_phase[phase].push_back(static_cast<double>(longest));
    }
  }
  constexpr const char* names[phases] = {"", "sample and count", "exchange", "sort of buckets"};
  for (std::size_t phase = 1; phase < phases; ++phase) {
    std::vector<double>& times = of_phase[phase];
    std::sort(times.begin(), times.end());
    out.add(std::string("u32, plan B, ") + names[phase], static_cast<int>(set.shards()),
            times[times.size() / 2], "ms");
  }
  for (cudaEvent_t event : events) check(cudaEventDestroy(event), "cudaEventDestroy");
}

}  // namespace many_devices
