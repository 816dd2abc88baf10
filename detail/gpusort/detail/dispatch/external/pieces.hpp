// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <exception>
#include <gpusort/detail/dispatch/external/pipeline.hpp>
#include <gpusort/detail/dispatch/external/spill_memory.hpp>
#include <gpusort/detail/dispatch/memory/device_scope.hpp>
#include <gpusort/detail/host/crew.hpp>
#include <gpusort/detail/support/device_part.hpp>
#include <gpusort/error.hpp>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Tells where each unit of a merge begins in each of k runs. Found for all units beforehand; or by
/// the host, unit by unit, where the table would be large.
class external_cuts {
 public:
  external_cuts(const external_plan& plan, const external_elements& elements,
                std::vector<host_run> runs)
      : plan_(plan), elements_(elements), runs_(std::move(runs)) {}

  std::size_t runs() const { return runs_.size(); }
  const void* data(std::size_t i) const { return runs_[i].data; }

  /// Finds cuts on the device, which must reach the runs.
  void find_on_device(const external_pipeline& pipeline) {
    const std::size_t k = runs_.size();
    std::vector<std::uint64_t> ranks;
    for (std::uint64_t unit = 1; unit <= plan_.units; ++unit) ranks.push_back(plan_.begin(unit));
    ends_.resize(k * ranks.size());
    elements_.select_on_device(pipeline.stream(), runs_, ranks, ends_.data(), pipeline.memory());
    if (!are_monotone()) leave_unmerged();
  }

  /// Finds cuts by several threads, each those of other units. By estimate one unit of 48 runs
  /// takes a millisecond, during which the calling thread would start no copy.
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

 private:
  friend class external_cut;

  /// Tells whether cuts are monotone: an inconsistent comparator may have told the warps that
  /// searched for different ranks different things.
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
};

/// The part of each run that one unit has, and then another: a link has one of its own.
class external_cut {
 public:
  explicit external_cut(const external_cuts& all)
      : all_(all), begins_(all.runs()), counts_(all.runs()), window_(all.runs()) {}

  const void* data(std::size_t i) const { return all_.data(i); }
  std::size_t runs() const { return all_.runs(); }
  std::uint64_t begin(std::size_t i) const { return begins_[i]; }
  std::uint64_t count(std::size_t i) const { return counts_[i]; }

  void go_to(std::uint64_t unit) {
    const std::size_t k = runs();
    const auto& ends = all_.ends_;
    if (!ends.empty()) {
      for (std::size_t i = 0; i < k; ++i) {
        begins_[i] = unit == 0 ? 0 : ends[(unit - 1) * k + i];
        counts_[i] = static_cast<std::size_t>(ends[unit * k + i] - begins_[i]);
      }
      return;
    }
    const external_plan& plan = all_.plan_;
    if (unit != next_) {
      begins_.assign(k, 0);
      all_.elements_.select(all_.runs_.data(), k, plan.begin(unit), counts_.data());
    }
    const std::uint64_t rank = plan.count(unit);
    for (std::size_t i = 0; i < k; ++i) {
      begins_[i] += counts_[i];
      const auto* const run = static_cast<const unsigned char*>(all_.data(i));
      window_[i] = {run + all_.elements_.bytes(begins_[i]),
                    min_of(all_.runs_[i].count - begins_[i], rank)};
    }
    all_.elements_.select(window_.data(), k, rank, counts_.data());
    next_ = unit + 1;
  }

 private:
  const external_cuts& all_;
  std::vector<std::uint64_t> begins_;
  std::vector<std::size_t> counts_;
  std::vector<host_run> window_;
  std::uint64_t next_ = 0;
};

/// A device that works on units, the stream on which it does, and where its memory comes from.
struct external_device {
  int device;
  cudaStream_t stream;
  memory_source memory;
};

/// A sort or a merge of host data in pieces, by one device or several. One of them for each call.
class external_call {
 public:
  external_call(const external_plan& plan, const external_elements& elements,
                const std::vector<external_device>& devices, const progress_report& report)
      : plan_(plan), elements_(elements), report_(report) {
    links_.reserve(devices.size());
    for (const external_device& where : devices) {
      const device_guard guard(where.device);
      links_.emplace_back(new link(plan_, where, external_share{links_.size(), devices.size()}));
    }
  }

  /// Sorts the elements of the plan: units become sorted runs in spill memory, which are merged
  /// back. Until the merge begins `data` is only read; from then on the spill has all of it, so
  /// that it can be put back whatever fails. Each element goes up and down twice.
  void sort(void* data, pointer_kind kind) {
    total_ = 2 * elements_.bytes(plan_.n);
    spill_.emplace(elements_.bytes(plan_.n));
    on_all_links([&](link& l) { sort_units(l, static_cast<const unsigned char*>(data), kind); });
    std::vector<host_run> runs;
    for (std::uint64_t unit = 0; unit < plan_.units; ++unit) {
      runs.push_back({address_in_spill(unit), plan_.count(unit)});
    }
    try {
      merge_spilled(std::move(runs), static_cast<unsigned char*>(data), kind);
      for (auto& l : links_) l->copies.finish();
    } catch (...) {
      for (auto& l : links_) {
        l->copies.abandon();
        l->pipeline.drain();
      }
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
    } else {
      std::vector<pointer_kind> kinds;
      for (const host_run& run : runs) {
        kinds.push_back(run.count > 0 ? classify_pointer(run.data) : pointer_kind{});
      }
      external_cuts cuts(plan_, elements_, runs);
      cuts.find_on_host();
      merge_units(cuts, sorted, kind,
                  [&](link& l, const external_cut& cut, std::size_t i, unsigned char* to) {
                    upload_part(l, cut, i, kinds, to);
                  });
    }
    for (auto& l : links_) l->copies.finish();
  }

 private:
  struct link {
    link(const external_plan& plan, const external_device& on, const external_share& units)
        : where(on), share(units), pipeline(plan, on.memory, on.stream) {}

    external_device where;
    external_share share;
    external_pipeline pipeline;
    host_copies copies;
  };

  /// Its memory goes back while its device is current, as allocators are told.
  struct link_deleter {
    void operator()(link* l) const noexcept {
      int former = 0;
      cudaGetDevice(&former);
      cudaSetDevice(l->where.device);
      delete l;
      cudaSetDevice(former);
    }
  };

  /// Runs work(link) of all links, each with its device current: the first one's on this thread,
  /// those of others on threads, which have ended when it returns or throws.
  void on_all_links(host::function_ref<link&> work) {
    std::vector<std::exception_ptr> failures(links_.size());
    const auto work_on = [&](std::size_t i) {
      try {
        link& l = *links_[i];
        const relaxed_capture_mode relaxed;
        const device_guard guard(l.where.device);
        const device_part part(l.where.stream, false);
        work(l);
      } catch (const cuda_error& e) {
        const std::string where = " (device " + std::to_string(links_[i]->where.device) + ")";
        failures[i] = std::make_exception_ptr(
            cuda_error(e.code(), links_.size() == 1 ? e.what() : e.what() + where));
      } catch (...) {
        failures[i] = std::current_exception();
      }
    };
    std::vector<std::thread> threads;
    std::size_t started = 1;
    try {
      for (; started < links_.size(); ++started) threads.emplace_back(work_on, started);
    } catch (const std::system_error&) {  // then this thread does it
    }
    work_on(0);
    for (std::size_t i = started; i < links_.size(); ++i) work_on(i);
    for (std::thread& thread : threads) thread.join();
    for (const std::exception_ptr& failure : failures) {
      if (failure) std::rethrow_exception(failure);
    }
    report();
  }

  unsigned char* address_in_spill(std::uint64_t unit) const {
    return (*spill_)->data() + elements_.bytes(plan_.begin(unit));
  }

  void finished(link& l, std::uint64_t unit) {
    if (unit + l.share.stride >= plan_.units) l.copies.finish_downloads();
    done_ += elements_.bytes(plan_.count(unit));
    if (&l == links_.front().get()) report();
  }

  /// Reports, on the calling thread.
  void report() {
    const std::uint64_t done = done_;
    if (done == reported_) return;
    reported_ = done;
    report_(done, total_);
  }

  void sort_units(link& l, const unsigned char* data, pointer_kind kind) {
    const auto upload = [&](std::uint64_t unit, unsigned char* slot) {
      const std::uint64_t next = unit + l.share.stride;
      const bool is_last = next >= plan_.units;
      l.copies.to_device(slot, data + elements_.bytes(plan_.begin(unit)),
                         elements_.bytes(plan_.count(unit)), kind, l.pipeline.up(),
                         is_last ? nullptr : data + elements_.bytes(plan_.begin(next)),
                         is_last ? 0 : elements_.bytes(plan_.count(next)));
    };
    const auto download = [&](std::uint64_t unit, unsigned char* slot) {
      const std::size_t begin = elements_.bytes(plan_.begin(unit));
      const std::size_t bytes = elements_.bytes(plan_.count(unit));
      (*spill_)->prepare(begin + bytes);
      (*spill_)->download(l.copies, begin, slot, bytes, l.pipeline.down());
    };
    run(l, upload, download, false);
  }

  void run(link& l, external_pipeline::step upload, external_pipeline::step download,
           bool download_waits) {
    const auto sort = [&](std::uint64_t unit, unsigned char* slot) {
      elements_.sort(l.pipeline.stream(), slot, plan_.count(unit), l.pipeline.scratch());
    };
    l.pipeline.run(l.share, upload, sort, download, download_waits,
                   [&](std::uint64_t unit) { finished(l, unit); });
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
      const link& first = *links_.front();
      const device_guard guard(first.where.device);
      cuts.find_on_device(first.pipeline);
    } else {
      cuts.find_on_host();
    }
    merge_units(cuts, out, kind,
                [&](link& l, const external_cut& cut, std::size_t i, unsigned char* to) {
                  const auto* const from = static_cast<const unsigned char*>(cut.data(i));
                  (*spill_)->upload(l.copies, to,
                                    (from - (*spill_)->data()) + elements_.bytes(cut.begin(i)),
                                    elements_.bytes(cut.count(i)), l.pipeline.up());
                });
  }

  /// Uploads a part of runs from where the caller has them.
  void upload_part(link& l, const external_cut& cut, std::size_t i,
                   const std::vector<pointer_kind>& kinds, unsigned char* to) {
    const auto part = [&](std::size_t run) {
      return static_cast<const unsigned char*>(cut.data(run)) + elements_.bytes(cut.begin(run));
    };
    std::size_t next = i + 1;
    while (next < cut.runs() && cut.count(next) == 0) ++next;
    const bool is_known = next < cut.runs() && kinds[next].kind == memory_kind::pageable_host;
    l.copies.to_device(to, part(i), elements_.bytes(cut.count(i)), kinds[i], l.pipeline.up(),
                       is_known ? part(next) : nullptr,
                       is_known ? elements_.bytes(cut.count(next)) : 0);
  }

  /// Sorts the parts of a unit together, instead of merging them: that takes less time than the bus
  /// needs for them, where it was measured, and less code. Stable sorts leave equivalent elements
  /// in the order of the runs, as the parts are in it.
  void merge_units(
      const external_cuts& cuts, unsigned char* out, pointer_kind kind,
      host::function_ref<link&, const external_cut&, std::size_t, unsigned char*> upload_part) {
    on_all_links([&](link& l) {
      external_cut cut(cuts);
      const auto upload = [&](std::uint64_t unit, unsigned char* slot) {
        cut.go_to(unit);
        for (std::size_t i = 0; i < cut.runs(); ++i) {
          if (cut.count(i) == 0) continue;
          upload_part(l, cut, i, slot);
          slot += elements_.bytes(cut.count(i));
        }
      };
      const auto download = [&](std::uint64_t unit, unsigned char* slot) {
        l.copies.to_host(out + elements_.bytes(plan_.begin(unit)), slot,
                         elements_.bytes(plan_.count(unit)), kind, l.pipeline.down());
      };
      run(l, upload, download, kind.kind == memory_kind::pageable_host);
    });
  }

  external_plan plan_;
  const external_elements& elements_;
  progress_report report_;
  std::optional<spill_lease> spill_;  // outlives the copies that the pipelines have under way
  std::vector<std::unique_ptr<link, link_deleter>> links_;
  std::atomic<std::uint64_t> done_{0};
  std::uint64_t reported_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
