// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <gpusort/detail/dispatch/external/pipeline.hpp>
#include <gpusort/detail/dispatch/external/spill_memory.hpp>
#include <gpusort/detail/host/crew.hpp>
#include <optional>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Where each unit of a merge begins in each of k runs. Found for all units beforehand, or by the
/// host, unit by unit, where the table would be large.
class external_cuts {
 public:
  external_cuts(const external_plan& plan, const external_elements& elements,
                std::vector<host_run> runs)
      : plan_(plan),
        elements_(elements),
        runs_(std::move(runs)),
        begins_(runs_.size()),
        counts_(runs_.size()),
        window_(runs_.size()) {}

  std::size_t runs() const { return runs_.size(); }
  const void* data(std::size_t i) const { return runs_[i].data; }

  /// Of the unit of the last next().
  std::uint64_t begin(std::size_t i) const { return begins_[i]; }
  std::uint64_t count(std::size_t i) const { return counts_[i]; }

  /// The device must reach the runs.
  void find_on_device(const external_pipeline& pipeline) {
    const std::size_t k = runs_.size();
    std::vector<std::uint64_t> ranks;
    for (std::uint64_t unit = 1; unit <= plan_.units; ++unit) ranks.push_back(plan_.begin(unit));
    ends_.resize(k * ranks.size());
    elements_.select_on_device(pipeline.stream(), runs_, ranks, ends_.data(), pipeline.memory());
    if (!are_monotone()) leave_unmerged();
  }

  /// Several threads find the cuts, each of other units. By estimate one unit of 48 runs takes a
  /// millisecond, during which the calling thread would start no copy.
  void find_on_host() {
    constexpr std::uint64_t most_entries = std::uint64_t{1} << 20;
    const std::size_t k = runs_.size();
    if (k > most_entries / plan_.units) return;
    std::vector<std::size_t> found(k * plan_.units);
    std::atomic<bool> has_failed{false};
    const auto select = [&](std::size_t unit) {
      try {
        elements_.select(runs_.data(), k, plan_.begin(unit + 1), found.data() + unit * k);
      } catch (...) {  // for many runs there is scratch, of which there was none
        has_failed = true;
      }
    };
    host::crew(plan_.units, select).finish();
    if (has_failed) throw out_of_memory();
    ends_.assign(found.begin(), found.end());
    if (!are_monotone()) leave_unmerged();
  }

  /// Goes on to the next unit.
  void next() {
    const std::size_t k = runs_.size();
    for (std::size_t i = 0; i < k; ++i) begins_[i] += counts_[i];
    if (!ends_.empty()) {
      for (std::size_t i = 0; i < k; ++i) {
        counts_[i] = static_cast<std::size_t>(ends_[unit_ * k + i] - begins_[i]);
      }
    } else {
      const std::uint64_t rank = plan_.count(unit_);
      for (std::size_t i = 0; i < k; ++i) {
        const auto* const data = static_cast<const unsigned char*>(runs_[i].data);
        window_[i] = {data + elements_.bytes(begins_[i]),
                      min_of(runs_[i].count - begins_[i], rank)};
      }
      elements_.select(window_.data(), k, rank, counts_.data());
    }
    ++unit_;
  }

 private:
  /// A lying comparator may have told the warps that searched for different ranks different things.
  bool are_monotone() const {
    const std::size_t k = runs_.size();
    for (std::size_t i = k; i < ends_.size(); ++i) {
      if (ends_[i - k] > ends_[i]) return false;
    }
    return true;
  }

  void leave_unmerged() {
    const std::size_t k = runs_.size();
    for (std::uint64_t unit = 0; unit < plan_.units; ++unit) {
      std::uint64_t left = plan_.begin(unit + 1);
      for (std::size_t i = 0; i < k; ++i) {
        ends_[unit * k + i] = min_of(runs_[i].count, left);
        left -= ends_[unit * k + i];
      }
    }
  }

  const external_plan& plan_;
  const external_elements& elements_;
  std::vector<host_run> runs_;
  std::vector<std::uint64_t> ends_;  // of all units; empty where the host finds them
  std::vector<std::uint64_t> begins_;
  std::vector<std::size_t> counts_;
  std::vector<host_run> window_;
  std::uint64_t unit_ = 0;
};

/// A sort or a merge of host data in pieces. One of them for each call.
class external_call {
 public:
  external_call(const external_plan& plan, const external_elements& elements,
                const memory_source& memory, cudaStream_t stream, const progress_report& report)
      : plan_(plan), elements_(elements), report_(report), pipeline_(plan, memory, stream) {}

  /// Sorts the elements of the plan: units become sorted runs in spill memory, which are merged
  /// back. Until the merge begins `data` is only read; from then on the spill has all of it, so
  /// that it can be put back whatever fails. Each element goes up and down twice.
  void sort(void* data, pointer_kind kind) {
    total_ = 2 * elements_.bytes(plan_.n);
    spill_.emplace(elements_.bytes(plan_.n));
    sort_units(static_cast<const unsigned char*>(data), kind);
    std::vector<host_run> runs;
    for (std::uint64_t unit = 0; unit < plan_.units; ++unit) {
      runs.push_back({address_in_spill(unit), plan_.count(unit)});
    }
    try {
      merge_spilled(std::move(runs), static_cast<unsigned char*>(data), kind);
      copies_.finish();
    } catch (...) {
      copies_.abandon();
      pipeline_.drain();
      host::copy_bytes(data, (*spill_)->data(), elements_.bytes(plan_.n));
      throw;
    }
  }

  /// Merges sorted runs to `out`, which overlaps none. Each element goes up and down once.
  void merge(const std::vector<host_run>& runs, void* out, pointer_kind kind) {
    total_ = elements_.bytes(plan_.n);
    auto* const sorted = static_cast<unsigned char*>(out);
    if (!elements_.selects_on_host()) {
      // The device has to reach the runs, and does not reach pageable memory.
      merge_spilled(copied_to_spill(runs), sorted, kind);
      return copies_.finish();
    }
    std::vector<pointer_kind> kinds;
    for (const host_run& run : runs) {
      kinds.push_back(run.count > 0 ? classify_pointer(run.data) : pointer_kind{});
    }
    external_cuts cuts(plan_, elements_, runs);
    cuts.find_on_host();
    const auto part = [&](std::size_t i) {
      return static_cast<const unsigned char*>(cuts.data(i)) + elements_.bytes(cuts.begin(i));
    };
    merge_units(cuts, sorted, kind, [&](std::size_t i, unsigned char* to) {
      std::size_t next = i + 1;
      while (next < cuts.runs() && cuts.count(next) == 0) ++next;
      const bool is_known = next < cuts.runs() && kinds[next].kind == memory_kind::pageable_host;
      copies_.to_device(to, part(i), elements_.bytes(cuts.count(i)), kinds[i], pipeline_.up(),
                        is_known ? part(next) : nullptr,
                        is_known ? elements_.bytes(cuts.count(next)) : 0);
    });
    copies_.finish();
  }

 private:
  unsigned char* address_in_spill(std::uint64_t unit) const {
    return (*spill_)->data() + elements_.bytes(plan_.begin(unit));
  }

  void finished(std::uint64_t unit) {
    if (unit + 1 == plan_.units) copies_.finish_downloads();
    done_ += elements_.bytes(plan_.count(unit));
    report_(done_, total_);
  }

  void sort_units(const unsigned char* data, pointer_kind kind) {
    const auto upload = [&](std::uint64_t unit, unsigned char* slot) {
      const bool is_last = unit + 1 == plan_.units;
      copies_.to_device(slot, data + elements_.bytes(plan_.begin(unit)),
                        elements_.bytes(plan_.count(unit)), kind, pipeline_.up(),
                        is_last ? nullptr : data + elements_.bytes(plan_.begin(unit + 1)),
                        is_last ? 0 : elements_.bytes(plan_.count(unit + 1)));
    };
    const auto sort = [&](std::uint64_t unit, unsigned char* slot) {
      elements_.sort(pipeline_.stream(), slot, plan_.count(unit), pipeline_.scratch());
    };
    const auto download = [&](std::uint64_t unit, unsigned char* slot) {
      const std::size_t begin = elements_.bytes(plan_.begin(unit));
      const std::size_t bytes = elements_.bytes(plan_.count(unit));
      (*spill_)->prepare(begin + bytes);
      (*spill_)->download(copies_, begin, slot, bytes, pipeline_.down());
    };
    pipeline_.run(upload, sort, download, false, [&](std::uint64_t unit) { finished(unit); });
  }

  std::vector<host_run> copied_to_spill(const std::vector<host_run>& runs) {
    spill_.emplace(elements_.bytes(plan_.n));
    (*spill_)->prepare(elements_.bytes(plan_.n));
    std::vector<host_run> copies;
    unsigned char* next = (*spill_)->data();
    for (const host_run& run : runs) {
      host::copy_bytes(next, run.data, elements_.bytes(run.count));
      copies.push_back({next, run.count});
      next += elements_.bytes(run.count);
    }
    return copies;
  }

  void merge_spilled(std::vector<host_run> runs, unsigned char* out, pointer_kind kind) {
    external_cuts cuts(plan_, elements_, std::move(runs));
    if (!elements_.selects_on_host()) {
      if (!(*spill_)->is_pinned()) throw out_of_memory();
      cuts.find_on_device(pipeline_);
    } else {
      cuts.find_on_host();
    }
    merge_units(cuts, out, kind, [&](std::size_t i, unsigned char* to) {
      const auto* const from = static_cast<const unsigned char*>(cuts.data(i));
      (*spill_)->upload(copies_, to, (from - (*spill_)->data()) + elements_.bytes(cuts.begin(i)),
                        elements_.bytes(cuts.count(i)), pipeline_.up());
    });
  }

  /// The parts of a unit are sorted together, not merged: that takes less time than the bus
  /// needs for them, where it was measured, and less code. Stable sorts leave equivalent elements
  /// in the order of the runs, as the parts are in it.
  void merge_units(external_cuts& cuts, unsigned char* out, pointer_kind kind,
                   host::function_ref<std::size_t, unsigned char*> upload_part) {
    const auto upload = [&](std::uint64_t, unsigned char* slot) {
      cuts.next();
      for (std::size_t i = 0; i < cuts.runs(); ++i) {
        if (cuts.count(i) == 0) continue;
        upload_part(i, slot);
        slot += elements_.bytes(cuts.count(i));
      }
    };
    const auto sort = [&](std::uint64_t unit, unsigned char* slot) {
      elements_.sort(pipeline_.stream(), slot, plan_.count(unit), pipeline_.scratch());
    };
    const auto download = [&](std::uint64_t unit, unsigned char* slot) {
      copies_.to_host(out + elements_.bytes(plan_.begin(unit)), slot,
                      elements_.bytes(plan_.count(unit)), kind, pipeline_.down());
    };
    const bool download_waits = kind.kind == memory_kind::pageable_host;
    pipeline_.run(upload, sort, download, download_waits,
                  [&](std::uint64_t unit) { finished(unit); });
  }

  external_plan plan_;
  const external_elements& elements_;
  progress_report report_;
  std::optional<spill_lease> spill_;  // outlives the copies that the pipeline has under way
  external_pipeline pipeline_;
  host_copies copies_;
  std::uint64_t done_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
