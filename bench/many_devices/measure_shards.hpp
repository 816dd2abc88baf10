// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What measure_shards.cu measures, of one type in each file.
#pragma once

#include <gpusort/devices.hpp>
#include <gpusort/gpusort.hpp>
#include <string>
#include <vector>

#include "inputs.hpp"
#include "plan_b.hpp"

namespace many_devices {

using gpusort::par_gpu;

constexpr int sort_repetitions = 7;

/// Describes what one row of the table sorts.
template <class T, class Compare>
struct subject {
  using element = T;
  const char* name;
  bool has_values;
  Compare compare;
};

template <class T>
gpusort::sharded<T> keys_of(const shard_set<T>& set) {
  gpusort::sharded<T> keys;
  for (std::size_t i = 0; i < set.shards(); ++i) keys.emplace_back(set.data(i), set.n_each());
  return keys;
}
template <class T>
gpusort::sharded<std::uint32_t> values_of(const shard_set<T>& set) {
  gpusort::sharded<std::uint32_t> values;
  for (std::size_t i = 0; i < set.shards(); ++i) values.emplace_back(set.values(i), set.n_each());
  return values;
}

/// The ways to sort shards.
struct by_one_device {
  template <class T, class Compare>
  bool operator()(const subject<T, Compare>& s, const shard_set<T>& set) const {
    choose(set.device(0));
    T* const keys = set.data(0);
    if (s.has_values) {
      gpusort::sort_by_key(par_gpu, keys, keys + set.n(), set.values(0), s.compare);
    } else {
      gpusort::sort(par_gpu, keys, keys + set.n(), s.compare);
    }
    return true;
  }
};
struct by_plan_a {
  template <class T, class Compare>
  bool operator()(const subject<T, Compare>& s, const shard_set<T>& set) const {
    if (s.has_values) {
      gpusort::stable_sort_by_key(par_gpu, keys_of(set), values_of(set), s.compare);
    } else {
      gpusort::stable_sort(par_gpu, keys_of(set), s.compare);
    }
    return true;
  }
};
/// Sorts by whichever plan the call takes.
struct by_call {
  template <class T, class Compare>
  bool operator()(const subject<T, Compare>& s, const shard_set<T>& set) const {
    if (s.has_values) {
      gpusort::sort_by_key(par_gpu, keys_of(set), values_of(set), s.compare);
    } else {
      gpusort::sort(par_gpu, keys_of(set), s.compare);
    }
    return true;
  }
};
struct by_plan_b {
  template <class T, class Compare>
  bool operator()(const subject<T, Compare>& s, const shard_set<T>& set) const {
    return sort_by_plan_b(set, s.has_values, s.compare);
  }
};

/// Returns seconds; 0 where the way does not exist for these shards. The result is checked.
template <class Way, class T, class Compare>
double measure(Way way, const subject<T, Compare>& s, const shard_set<T>& set, distribution d) {
  set.fill(d);
  const findings before = set.examine();
  if (!way(s, set)) return 0;
  const double seconds = median_seconds(
      count_devices(), sort_repetitions, [&] { set.fill(d); }, [&] { way(s, set); });
  const findings after = set.examine();
  if (after.descents != 0 || after.sum != before.sum) {
    throw std::runtime_error(std::string("the result is wrong: ") + s.name + ", " + name_of(d));
  }
  return seconds;
}

inline double gigakeys(std::uint64_t n, double seconds) {
  return 1e-9 * static_cast<double>(n) / seconds;
}

inline std::vector<int> first_devices(int count) {
  std::vector<int> devices;
  for (int device = 0; device < count; ++device) devices.push_back(device);
  return devices;
}

class session {
 public:
  session(rows& out, const deadline& end, int devices, int log2n)
      : out_(out), end_(end), devices_(devices), log2n_(log2n) {}

  template <class T, class Compare>
  void measure_scaling(const subject<T, Compare>& s) {
    const std::uint64_t n_each = std::uint64_t{1} << log2n_;
    double one = 0;
    for (int count : counts_up_to(devices_)) {
      if (end_.has_passed()) return;
      const shard_set<T> set(first_devices(count), n_each, s.has_values);
      if (count == 1) {
        one = gigakeys(n_each, measure(by_one_device{}, s, set, distribution::uniform));
        out_.add(std::string(s.name) + ", on one device", 1, one, "Gkeys/s");
        continue;
      }
      add_scaling(std::string(s.name) + ", plan A", s, set, by_plan_a{}, one);
      add_scaling(std::string(s.name) + ", plan B", s, set, by_plan_b{}, one);
      add_scaling(std::string(s.name) + ", by the call", s, set, by_call{}, one);
    }
  }

  /// Measures skew against uniform input, on all devices.
  void measure_skew() {
    const subject<std::uint32_t, gpusort::less> s{"u32", false, {}};
    if (devices_ == 1 || end_.has_passed()) return;
    const shard_set<std::uint32_t> set(first_devices(devices_), std::uint64_t{1} << log2n_, false);
    const auto add = [&](const char* plan, const auto& way) {
      const double uniform = measure(way, s, set, distribution::uniform);
      if (uniform == 0) return;
      for (distribution d :
           {distribution::zipf, distribution::skewed_prefixes, distribution::all_equal}) {
        if (end_.has_passed()) return;
        const double skewed = measure(way, s, set, d);
        if (skewed == 0) continue;
        out_.add(std::string("u32, plan ") + plan + ", " + name_of(d) + ": time over uniform",
                 devices_, skewed / uniform, "");
      }
    };
    add("A", by_plan_a{});
    add("B", by_plan_b{});
  }

  /// Measures inputs that are easy for one device, against its time for as many of them as each
  /// has.
  void measure_easy_inputs() {
    if (devices_ == 1) return;
    const subject<std::uint32_t, gpusort::less> s{"u32", false, {}};
    const std::uint64_t n_each = std::uint64_t{1} << log2n_;
    const shard_set<std::uint32_t> one(first_devices(1), n_each, false);
    const shard_set<std::uint32_t> all(first_devices(devices_), n_each, false);
    for (distribution d : {distribution::in_order, distribution::all_equal}) {
      if (end_.has_passed()) return;
      const double of_one = measure(by_one_device{}, s, one, d);
      const std::string name = std::string("u32, ") + name_of(d) + ": time over one device's, ";
      out_.add(name + "sort", devices_, measure(by_call{}, s, all, d) / of_one, "");
      out_.add(name + "stable_sort", devices_, measure(by_plan_a{}, s, all, d) / of_one, "");
    }
  }

  /// Measures what the plans cost beyond a sort, where there are no links.
  void measure_shards_of_one_device() {
    const subject<std::uint32_t, gpusort::less> s{"u32", false, {}};
    for (std::uint64_t count : {2, 4, 8}) {
      if (end_.has_passed()) return;
      const std::uint64_t n_each = (std::uint64_t{1} << log2n_) / count;
      const shard_set<std::uint32_t> set(std::vector<int>(count, 0), n_each, false);
      const auto add = [&](const char* plan, const auto& way) {
        const double seconds = measure(way, s, set, distribution::uniform);
        if (seconds == 0) return;
        out_.add("u32, " + std::to_string(count) + " shards of one device, plan " + plan, 1,
                 gigakeys(set.n(), seconds), "Gkeys/s");
      };
      add("A", by_plan_a{});
      add("B", by_plan_b{});
    }
  }

  /// Measures what the steps of plan A take, and the phases of plan B.
  void measure_timelines() {
    if (devices_ == 1 || end_.has_passed()) return;
    const shard_set<std::uint32_t> set(first_devices(devices_), std::uint64_t{1} << log2n_, false);
    const auto add = [&](const char* what, const auto& restore, const auto& work) {
      const double seconds = median_seconds(count_devices(), sort_repetitions, restore, work);
      out_.add(std::string("u32, plan A, ") + what, devices_, 1e3 * seconds, "ms");
    };
    const auto sort_each = [&] {
      for (std::size_t i = 0; i < set.shards(); ++i) {
        choose(set.device(i));
        gpusort::stable_sort(gpusort::par_gpu_nosync, set.data(i), set.data(i) + set.n_each());
      }
      wait_for(count_devices());
    };
    const auto fill = [&] { set.fill(distribution::uniform); };
    std::vector<std::uint64_t> ranks;
    for (std::size_t i = 1; i < set.shards(); ++i) ranks.push_back(set.n_each() * i);
    add("each device's sort alone", fill, sort_each);
    add("sorts, and the selection of the cuts", fill,
        [&] { gpusort::select(par_gpu, keys_of(set), ranks); });
    add(
        "selection, exchange and merge of sorted shards",
        [&] {
          fill();
          sort_each();
        },
        [&] { gpusort::merge(par_gpu, keys_of(set)); });
    add("all", fill, [&] { gpusort::stable_sort(par_gpu, keys_of(set)); });
    const double chosen = median_seconds(count_devices(), sort_repetitions, fill,
                                         [&] { gpusort::sort(par_gpu, keys_of(set)); });
    out_.add("u32, gpusort::sort, by the plan that it chooses", devices_, 1e3 * chosen, "ms");
    add_timeline_of_plan_b(out_, set);
  }

 private:
  template <class T, class Compare, class Way>
  void add_scaling(const std::string& what, const subject<T, Compare>& s, const shard_set<T>& set,
                   Way way, double one) {
    const double seconds = measure(way, s, set, distribution::uniform);
    if (seconds == 0) return;
    const auto count = static_cast<int>(set.shards());
    const double rate = gigakeys(set.n(), seconds);
    out_.add(what, count, rate, "Gkeys/s");
    out_.add(what + ": share of as many times one device", count, rate / (one * count), "");
  }

  rows& out_;
  const deadline& end_;
  int devices_;
  int log2n_;
};

void measure_u64(session& all);
void measure_pairs(session& all);
void measure_records(session& all);

}  // namespace many_devices
