// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Paper 003's figures 9 to 13 on today's hardware, production next to the paper's own.
#pragma once

#include <algorithm>
#include <gpusort/detail/algorithm/multiway_select.hpp>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/support/element_order.hpp>
#include <string>
#include <vector>

#include "../kit/merging.hpp"
#include "bitonic_merge.hpp"
#include "block_wise_merge.hpp"
#include "four_way_merge.hpp"
#include "odd_even_merge.hpp"
#include "quick_selection.hpp"
#include "rank_merge.hpp"
#include "sequential_selection.hpp"
#include "window_merge.hpp"

namespace bench {

/// Runs in device memory, ranks that cut their merged order into equal parts, and where the
/// selections go.
template <class Key>
class cutting {
 public:
  using array = gpusort::detail::key_array<Key>;

  void prepare(Key* keys, const std::vector<std::size_t>& begins, std::size_t parts) {
    runs_.clear();
    for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
      runs_.push_back({array{keys + begins[i]}, begins[i + 1] - begins[i]});
    }
    ranks_.resize(parts + 1);
    for (std::size_t p = 0; p <= parts; ++p) ranks_[p] = begins.back() / parts * p;
    ranks_.back() = begins.back();
    upload(device_runs_, runs_);
    upload(device_ranks_, ranks_);
    positions_.reserve_for<std::uint64_t>(ranks_.size() * runs_.size());
  }

  std::size_t parts() const { return ranks_.size() - 1; }
  std::size_t runs() const { return runs_.size(); }

  papers::selection_task<array> task() {
    return {device_runs_.template reserve_for<gpusort::detail::sorted_run<array>>(runs_.size()),
            static_cast<int>(runs_.size()),
            device_ranks_.template reserve_for<std::uint64_t>(ranks_.size()), positions()};
  }

  const std::vector<gpusort::detail::sorted_run<array>>& host_runs() const { return runs_; }
  const std::vector<std::uint64_t>& host_ranks() const { return ranks_; }
  std::uint64_t* positions() {
    return positions_.template reserve_for<std::uint64_t>(ranks_.size() * runs_.size());
  }

 private:
  template <class T>
  static void upload(buffer& to, const std::vector<T>& from) {
    check(cudaMemcpy(to.reserve_for<T>(from.size()), from.data(), from.size() * sizeof(T),
                     cudaMemcpyHostToDevice),
          "cudaMemcpy");
  }

  std::vector<gpusort::detail::sorted_run<array>> runs_;
  std::vector<std::uint64_t> ranks_;
  buffer device_runs_, device_ranks_, positions_;
};

namespace figures {

/// Checks whether selections are the right ones: those that are the beginning of the stable merged
/// order. A block per rank; a thread compares the last selected element of a run with the first
/// that is not selected of all runs.
template <class Array>
__global__ void check_selections_kernel(papers::selection_task<Array> task, unsigned* faults) {
  const opaque_less before{};
  const std::uint64_t* const positions = task.positions + std::uint64_t{blockIdx.x} * task.k;
  std::uint64_t sum = 0;
  for (int i = 0; i < task.k; ++i) sum += positions[i];
  bool is_wrong = sum != task.ranks[blockIdx.x];
  for (int i = static_cast<int>(threadIdx.x); i < task.k; i += static_cast<int>(blockDim.x)) {
    if (positions[i] == 0) continue;
    const auto last_in = task.runs[i].data.load(positions[i] - 1);
    for (int j = 0; j < task.k; ++j) {
      if (positions[j] == task.runs[j].count) continue;
      const auto first_out = task.runs[j].data.load(positions[j]);
      is_wrong |= i <= j ? before(first_out, last_in) : !before(last_in, first_out);
    }
  }
  if (is_wrong) atomicAdd(faults, 1u);
}

}  // namespace figures

// -- selection: figures 9 and 10 ------------------------------------------------------------------

template <class Selection>
struct papers_selection {
  template <class Key>
  void operator()(cutting<Key>& c) {
    Selection::run(nullptr, c.task(), c.parts() + 1, opaque_less{});
  }
};
struct sequential_selector : papers_selection<papers::sequential_selection> {
  static constexpr const char* name = "sequential";
};
struct quick_selector : papers_selection<papers::quick_selection> {
  static constexpr const char* name = "quick";
};

/// The production selection. It gets runs and ranks from the host: its time includes that.
class production_selector {
 public:
  static constexpr const char* name = "gpusort";

  template <class Key>
  void operator()(cutting<Key>& c) {
    using select = gpusort::detail::multiway_select<typename cutting<Key>::array, opaque_less>;
    void* const scratch = scratch_.reserve(select::scratch_bytes(c.runs(), c.parts() + 1));
    select::run(nullptr, c.host_runs().data(), c.runs(), c.host_ranks().data(), c.parts() + 1,
                c.positions(), {}, scratch);
  }

 private:
  buffer scratch_;
};

/// Adds one selection for each multiprocessor; the rate counts all elements of the runs, as the
/// paper's.
template <class Selector>
void add_selection(program& p, merge_workspace& memory, merge_input where) {
  const case_name name{"select_from_" + std::to_string(where.runs) + "_runs",
                       Selector::name,
                       "u32",
                       "opaque",
                       where.name(),
                       where.log2n};
  const double budget = p.budget();
  p.add_case(name, [&memory, where, budget](benchmark::State& state) {
    using key = std::uint32_t;
    const auto problem = memory.make<key, no_value>(where);
    cutting<key> cuts;
    cuts.prepare(problem.keys, problem.begins, multiprocessors());
    Selector select;
    const timing t = measure(
        budget, [] {},
        [&] {
          select(cuts);
          check(cudaStreamSynchronize(nullptr), "selecting");
        });
    buffer memory_for_faults;
    auto* const faults = memory_for_faults.reserve_for<unsigned>(1);
    check(cudaMemset(faults, 0, sizeof(*faults)), "cudaMemset");
    figures::check_selections_kernel<<<static_cast<unsigned>(cuts.parts() + 1), 128>>>(cuts.task(),
                                                                                       faults);
    unsigned wrong = 0;
    check(cudaMemcpy(&wrong, faults, sizeof(wrong), cudaMemcpyDeviceToHost), "cudaMemcpy");
    if (wrong > 0) return state.SkipWithError("a selection is wrong");
    report(state, t, where.n(), sizeof(key));
    state.counters["runs"] = where.runs;
    state.counters["ranks"] = static_cast<double>(cuts.parts() + 1);
  });
}

inline void add_selections(program& p, merge_workspace& memory, merge_input where) {
  add_selection<sequential_selector>(p, memory, where);
  add_selection<quick_selector>(p, memory, where);
  add_selection<production_selector>(p, memory, where);
}

/// Adds figure 9: by the number of runs and of elements; figure 10: by distribution, 32 runs.
inline void add_selection_figures(program& p, merge_workspace& memory) {
  for (int k : {4, 16, 32, 64, 256}) {
    for (int log2n = 16; log2n <= 28; log2n += p.quick() ? 4 : 2) {
      add_selections(p, memory, {kit::distribution::uniform, run_lengths::even, k, log2n});
    }
  }
  for (auto d :
       {kit::distribution::gaussian, kit::distribution::bucket, kit::distribution::staggered,
        kit::distribution::g_group, kit::distribution::deterministic_duplicates,
        kit::distribution::randomized_duplicates, kit::distribution::sorted}) {
    add_selections(p, memory, {d, run_lengths::even, 32, 24});
  }
}

// -- merging: figures 11 to 13 --------------------------------------------------------------------

template <class Key, class Value>
struct merge_arrays {
  using type = gpusort::detail::key_value_array<Key, Value>;
  using order = gpusort::detail::by_key<opaque_less>;
  static type make(Key* keys, Value* values) { return {keys, values}; }
};
template <class Key>
struct merge_arrays<Key, no_value> {
  using type = gpusort::detail::key_array<Key>;
  using order = opaque_less;
  static type make(Key* keys, no_value*) { return {keys}; }
};

enum class timed { merging, selection_and_merging };

/// The paper's merging primitive: sequential selection cuts the runs into parts, and Merge merges
/// each of them by one block. PartsPerMultiprocessor 0: as many parts as have Width elements each.
template <class Merge, bool Stable, int Width, int Runs, int PartsPerMultiprocessor, timed Timed>
class papers_merger {
 public:
  static constexpr bool is_in_place = false, is_stable = Stable;

  template <class Value>
  void operator()(const merge_problem<std::uint32_t, Value>& p, opaque_less compare) {
    using arrays = merge_arrays<std::uint32_t, Value>;
    const bool is_first = cuts_.runs() == 0;
    if (is_first) cuts_.prepare(p.keys, p.begins, parts_of(p.n()));
    if (is_first || Timed == timed::selection_and_merging) {
      papers::sequential_selection::run(nullptr, cuts_.task(), cuts_.parts() + 1, compare);
    }
    papers::cut_runs<typename arrays::type, Runs> from{};
    for (int run = 0; run < Runs; ++run) {
      const std::size_t begin = p.begins[static_cast<std::size_t>(run)];
      from.runs[run] = arrays::make(p.keys, p.values) + begin;
    }
    from.positions = cuts_.positions();
    Merge::run(nullptr, from, cuts_.parts(), arrays::make(p.out_keys, p.out_values),
               typename arrays::order{compare});
    check(cudaStreamSynchronize(nullptr), "merging");
  }

 private:
  static std::size_t parts_of(std::size_t n) {
    if (PartsPerMultiprocessor == 0) return std::max<std::size_t>(n / Width, 1);
    const auto wanted = PartsPerMultiprocessor * multiprocessors();
    return std::min(wanted, n);
  }

  cutting<std::uint32_t> cuts_;
};

using papers::bitonic_merge;
using papers::odd_even_merge;
using papers::rank_merge;

/// Returns as many blocks as a multiprocessor holds, if their registers allow.
constexpr int resident_blocks(int width) { return width < 64 ? 32 : 2048 / width; }

template <int Width, template <class, int> class Method, bool Stable, timed Timed,
          int PartsPerMultiprocessor = resident_blocks(Width)>
using two_way = papers_merger<papers::block_wise_merge<Width, Method, Stable>, Stable, Width, 2,
                              PartsPerMultiprocessor, Timed>;
template <int Width, template <class, int> class Method, bool Stable, timed Timed,
          int PartsPerMultiprocessor = resident_blocks(Width)>
using four_way = papers_merger<papers::four_way_merge<Width, Method, Stable>, Stable, Width, 4,
                               PartsPerMultiprocessor, Timed>;
template <int Width, template <class, int> class Method, timed Timed>
using in_windows = papers_merger<papers::window_merge<Width, Method>, Method<int, Width>::is_stable,
                                 Width, 2, 0, Timed>;

/// Adds a merge of even runs of u32 keys, alone or with u32 values.
template <class Merger, class Value = no_value>
void add_papers_merge(program& p, merge_workspace& memory, const std::string& operation,
                      const char* name, int runs, int log2n) {
  const char* const type = std::is_same_v<Value, no_value> ? "u32" : "u32_u32";
  add_merge<Merger, std::uint32_t, Value>(
      p, memory, {operation, name, type, "opaque", "", 0},
      {kit::distribution::uniform, run_lengths::even, runs, log2n}, opaque_less{});
}

/// Adds figure 11: the methods by block size, block-wise and in windows that are merged at once;
/// the cuts are at hand.
template <int Width>
void add_methods(program& p, merge_workspace& memory) {
  constexpr timed merging = timed::merging;
  const int log2n = p.quick() ? 26 : 28;
  const std::string blocks = "merge_by_blocks_of_" + std::to_string(Width);
  const std::string windows = "merge_by_windows_of_" + std::to_string(Width);
  add_papers_merge<two_way<Width, bitonic_merge, false, merging>>(p, memory, blocks, "bitonic", 2,
                                                                  log2n);
  add_papers_merge<two_way<Width, odd_even_merge, false, merging>>(p, memory, blocks, "odd_even", 2,
                                                                   log2n);
  add_papers_merge<two_way<Width, rank_merge, false, merging>>(p, memory, blocks, "ranking", 2,
                                                               log2n);
  add_papers_merge<two_way<Width, rank_merge, true, merging>>(p, memory, blocks, "ranking_stable",
                                                              2, log2n);
  add_papers_merge<in_windows<Width, bitonic_merge, merging>>(p, memory, windows, "bitonic", 2,
                                                              log2n);
  add_papers_merge<in_windows<Width, odd_even_merge, merging>>(p, memory, windows, "odd_even", 2,
                                                               log2n);
  add_papers_merge<in_windows<Width, rank_merge, merging>>(p, memory, windows, "ranking", 2, log2n);
}

/// Adds figure 12: the merging primitive by the number of merging blocks, of 128 threads each.
template <int PartsPerMultiprocessor>
void add_block_counts(program& p, merge_workspace& memory) {
  constexpr timed all = timed::selection_and_merging;
  constexpr int parts = PartsPerMultiprocessor;
  const std::string operation = "merge_by_" + std::to_string(parts) + "_blocks_per_multiprocessor";
  for (int log2n = 20; log2n <= 28; log2n += p.quick() ? 4 : 2) {
    add_papers_merge<two_way<128, bitonic_merge, false, all, parts>>(p, memory, operation,
                                                                     "two_way", 2, log2n);
    add_papers_merge<four_way<128, bitonic_merge, false, all, parts>>(p, memory, operation,
                                                                      "four_way", 4, log2n);
  }
}

/// Adds figure 13: the merging primitive in one group with the others, two runs of keys and values;
/// and of keys alone.
inline void add_papers_merges(program& p, merge_workspace& memory, int log2n) {
  constexpr timed all = timed::selection_and_merging;
  using values = std::uint32_t;
  using not_stable = two_way<256, bitonic_merge, false, all>;
  using stable = two_way<256, rank_merge, true, all>;
  add_papers_merge<not_stable>(p, memory, "merge", "paper_bitonic", 2, log2n);
  add_papers_merge<stable>(p, memory, "merge", "paper_ranking", 2, log2n);
  add_papers_merge<not_stable, values>(p, memory, "merge_by_key", "paper_bitonic", 2, log2n);
  add_papers_merge<stable, values>(p, memory, "merge_by_key", "paper_ranking", 2, log2n);
}

inline void add_merge_figures(program& p, merge_workspace& memory) {
  add_methods<32>(p, memory);
  add_methods<64>(p, memory);
  add_methods<128>(p, memory);
  add_methods<256>(p, memory);
  add_methods<512>(p, memory);
  add_block_counts<1>(p, memory);
  add_block_counts<4>(p, memory);
  add_block_counts<16>(p, memory);
  add_block_counts<64>(p, memory);
  for (int log2n = 20; log2n <= 28; log2n += 4) add_papers_merges(p, memory, log2n);
}

}  // namespace bench
