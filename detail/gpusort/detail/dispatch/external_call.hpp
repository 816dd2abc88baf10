// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/dispatch/external_pipeline.hpp>
#include <gpusort/detail/dispatch/spill_memory.hpp>
#include <gpusort/detail/host/crew.hpp>
#include <optional>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Where each unit of a merge begins in each of k runs. Known for all units beforehand where the
/// device has found it, else found by the host, unit by unit, while others are under way.
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
    } catch (...) {
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
      return merge_spilled(copied_to_spill(runs), sorted, kind);
    }
    std::vector<pointer_kind> kinds;
    for (const host_run& run : runs) {
      kinds.push_back(run.count > 0 ? classify_pointer(run.data) : pointer_kind{});
    }
    external_cuts cuts(plan_, elements_, runs);
    merge_units(cuts, sorted, kind, [&](std::size_t i, unsigned char* to) {
      const auto* const from = static_cast<const unsigned char*>(cuts.data(i));
      copy_to_device(to, from + elements_.bytes(cuts.begin(i)), elements_.bytes(cuts.count(i)),
                     kinds[i], pipeline_.up());
    });
  }

 private:
  unsigned char* address_in_spill(std::uint64_t unit) const {
    return (*spill_)->data() + elements_.bytes(plan_.begin(unit));
  }

  void finished(std::uint64_t unit) {
    done_ += elements_.bytes(plan_.count(unit));
    report_(done_, total_);
  }

  void sort_units(const unsigned char* data, pointer_kind kind) {
    const auto upload = [&](std::uint64_t unit, unsigned char* slot) {
      copy_to_device(slot, data + elements_.bytes(plan_.begin(unit)),
                     elements_.bytes(plan_.count(unit)), kind, pipeline_.up());
    };
    const auto sort = [&](std::uint64_t unit, unsigned char* slot) {
      elements_.sort(pipeline_.stream(), slot, plan_.count(unit), pipeline_.scratch());
    };
    const auto download = [&](std::uint64_t unit, unsigned char* slot) {
      const std::size_t begin = elements_.bytes(plan_.begin(unit));
      const std::size_t bytes = elements_.bytes(plan_.count(unit));
      (*spill_)->prepare(begin + bytes);
      (*spill_)->download(begin, slot, bytes, pipeline_.down());
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
    }
    merge_units(cuts, out, kind, [&](std::size_t i, unsigned char* to) {
      const auto* const from = static_cast<const unsigned char*>(cuts.data(i));
      (*spill_)->upload(to, (from - (*spill_)->data()) + elements_.bytes(cuts.begin(i)),
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
      copy_to_host(out + elements_.bytes(plan_.begin(unit)), slot,
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
  std::uint64_t done_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
