// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/algorithm/by_generation.hpp>
#include <gpusort/detail/algorithm/merge.hpp>
#include <gpusort/detail/algorithm/merge_pass.hpp>
#include <gpusort/detail/algorithm/write_table.hpp>
#include <gpusort/detail/support/array.hpp>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Merges k sorted runs of any lengths: in one pass up to 64 of them, in ceil(log2(k) / 6) passes
/// of about equally many ways otherwise, of which all but the last write `Mid`.
///
/// Stable, lower runs first. A permutation of the runs for any comparator. Work is cut by
/// elements, not by runs: their lengths do not matter. Scratch: n elements where there are two
/// passes or more; 8 bytes for each way of each tile; the runs. Launches: at most 4 for each pass,
/// and one for every 3.5 KB of their table. No synchronization; capturable. Source: paper 003,
/// sections 5.1 to 5.3.
template <class In, class Mid, class Out, class Compare,
          class Tuning = tuning::multiway_merge<sizeof(typename Out::value_type)>>
class multiway_merge {
 public:
  static std::size_t scratch_bytes(const sorted_run<In>* runs, std::size_t k) {
    if (k == 2) return two_way::scratch_bytes(runs[0].count, runs[1].count);
    return layout(table(runs, k), nullptr).bytes;
  }

  /// Returns the number of passes over the elements.
  static int passes(std::size_t k) {
    return k < 2 ? 1 : ceil_div(ceil_log2(k), int{first_pass::tuning::max_log_ways});
  }

  /// Merges into `out`, which overlaps no run.
  static void run(cudaStream_t stream, const sorted_run<In>* runs, std::size_t k, Out out,
                  Compare compare, void* scratch) {
    if (k == 2) {
      return two_way::run(stream, runs[0].data, runs[0].count, runs[1].data, runs[1].count, out,
                          compare, scratch);
    }
    table t(runs, k);
    if (t.n == 0) return;
    const layout parts(t, scratch);
    const int last = static_cast<int>(t.passes.size()) - 1;
    write_table(stream, runs, k, parts.runs);
    write_table(stream, t.groups.data(), t.groups.size(), parts.groups);
    if (last == 0) return run_pass<first_pass>(stream, t, parts, 0, parts.runs, out, compare);

    run_pass<first_to_mid>(stream, t, parts, 0, parts.runs, parts.buffers[0], compare);
    for (int p = 1; p <= last; ++p) {
      const std::vector<sorted_run<Mid>> merged = t.merged_runs(p, parts.buffers[(p - 1) % 2]);
      write_table(stream, merged.data(), merged.size(), parts.merged);
      if (p == last) {
        run_pass<mid_to_last>(stream, t, parts, p, parts.merged, out, compare);
      } else {
        run_pass<mid_to_mid>(stream, t, parts, p, parts.merged, parts.buffers[p % 2], compare);
      }
    }
  }

 private:
  using two_way = merge<In, In, Out, Compare>;
  template <class From, class To>
  using pass_between = merge_pass<kernel::listed_runs<From>, To, Compare, Tuning>;
  using first_pass = pass_between<In, Out>;
  using first_to_mid = pass_between<In, Mid>;
  using mid_to_mid = pass_between<Mid, Mid>;
  using mid_to_last = pass_between<Mid, Out>;

  struct pass_of_groups {
    std::size_t first_group;
    std::size_t group_count;
    int ways;
    std::uint64_t tiles = 0;
  };

  /// Tells which runs each pass merges.
  struct table {
    std::uint64_t n = 0;
    std::vector<kernel::merge_group> groups;
    std::vector<pass_of_groups> passes;

    table(const sorted_run<In>* runs, std::size_t k) {
      std::vector<std::uint64_t> counts(k);
      for (std::size_t i = 0; i < k; ++i) n += counts[i] = runs[i].count;
      int log_left = ceil_log2(k);
      for (int left = multiway_merge::passes(k); left > 0; --left) {
        const int log_ways = log_left / left;
        counts = add_pass(counts, left > 1 ? 1 << log_ways : static_cast<int>(counts.size()));
        log_left -= log_ways;
      }
    }

    std::vector<std::uint64_t> add_pass(const std::vector<std::uint64_t>& counts, int ways) {
      pass_of_groups pass{groups.size(), 0, ways};
      std::vector<std::uint64_t> merged;
      std::uint64_t out = 0;
      for (std::size_t first = 0; first < counts.size(); first += ways) {
        const std::size_t last = min_of(first + ways, counts.size());
        std::uint64_t count = 0;
        for (std::size_t i = first; i < last; ++i) count += counts[i];
        groups.push_back({pass.tiles, out, count, first, static_cast<int>(last - first)});
        pass.tiles += ceil_div(count, first_pass::items_per_tile(ways));
        merged.push_back(count);
        out += count;
      }
      pass.group_count = merged.size();
      passes.push_back(pass);
      return merged;
    }

    /// Returns what pass p reads: what the one before it has merged into `data`.
    std::vector<sorted_run<Mid>> merged_runs(int p, const Mid& data) const {
      std::vector<sorted_run<Mid>> runs;
      const pass_of_groups& before = passes[p - 1];
      for (std::size_t g = 0; g < before.group_count; ++g) {
        const kernel::merge_group& group = groups[before.first_group + g];
        runs.push_back({data + group.first_out, group.n});
      }
      return runs;
    }
  };

  struct layout {
    Mid buffers[2];
    sorted_run<In>* runs;
    sorted_run<Mid>* merged = nullptr;
    kernel::merge_group* groups;
    std::vector<kernel::merge_cuts> cuts;
    std::size_t bytes;

    layout(const table& t, void* scratch) {
      scratch_cursor cursor(scratch);
      const std::size_t buffer_count = min_of<std::size_t>(t.passes.size() - 1, 2);
      for (std::size_t i = 0; i < buffer_count; ++i) buffers[i] = Mid::in_scratch(cursor, t.n);
      runs = cursor.take<sorted_run<In>>(t.passes[0].group_count * t.passes[0].ways);
      groups = cursor.take<kernel::merge_group>(t.groups.size());
      if (t.passes.size() > 1) merged = cursor.take<sorted_run<Mid>>(t.passes[0].group_count);
      for (const pass_of_groups& pass : t.passes) {
        cuts.push_back(first_pass::cuts_in(cursor, pass.tiles, pass.ways));
      }
      bytes = cursor.used();
    }
  };

  template <class Pass, class Run, class To>
  static void run_pass(cudaStream_t stream, const table& t, const layout& parts, int p,
                       const Run* runs, To to, Compare compare) {
    const pass_of_groups& pass = t.passes[p];
    Pass::run(stream, {{parts.groups + pass.first_group, static_cast<int>(pass.group_count)}, runs},
              parts.cuts[p], to, compare);
  }
};

template <class In, class Mid, class Out, class Compare>
struct multiway_merges {
  template <tuning::architecture Arch>
  using on = multiway_merge<In, Mid, Out, Compare,
                            tuning::multiway_merge<sizeof(typename Out::value_type), Arch>>;
};
template <class In, class Mid, class Out, class Compare>
using tuned_multiway_merge = by_generation<multiway_merges<In, Mid, Out, Compare>>;

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
