// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <gpusort/detail/dispatch/memory/device_scope.hpp>
#include <gpusort/detail/host/task.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// A thread for each device of a call but the first one, which is the calling thread's: so that no
/// device waits while the host waits for another, or copies for it. What a rank does is done by the
/// thread of its device, with that device current; ranks of one device take turns. Devices for
/// which the system has no thread are the calling thread's too.
class device_threads {
 public:
  explicit device_threads(const std::vector<int>& device_of_rank)
      : device_of_rank_(device_of_rank), thrown_(device_of_rank.size()) {
    for (const int device : device_of_rank) {
      if (std::find(devices_.begin(), devices_.end(), device) == devices_.end()) {
        devices_.push_back(device);
      }
    }
    threads_.reserve(devices_.size());
    try {
      for (std::size_t i = 1; i < devices_.size(); ++i) {
        threads_.emplace_back([this, i, name = public_call::name()] {
          const public_call same(name);
          serve(devices_[i]);
        });
      }
    } catch (const std::system_error&) {
    } catch (...) {
      stop();
      throw;
    }
  }
  ~device_threads() { stop(); }
  device_threads(const device_threads&) = delete;
  device_threads& operator=(const device_threads&) = delete;

  /// Calls work(rank) for all ranks. Throws what the lowest of those ranks has thrown that have,
  /// when all are done.
  void for_each_rank(host::function_ref<std::size_t> work) {
    std::fill(thrown_.begin(), thrown_.end(), nullptr);
    if (!threads_.empty()) {
      busy_.store(threads_.size(), std::memory_order_relaxed);
      {
        const std::lock_guard<std::mutex> lock(mutex_);
        work_ = &work;
        round_.fetch_add(1, std::memory_order_release);
      }
      begun_.notify_all();
    }
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      if (i == 0 || i > threads_.size()) work_for(devices_[i], work);
    }
    if (!threads_.empty()) {
      await([&] { return busy_.load(std::memory_order_acquire) == 0; }, ended_);
    }
    for (const std::exception_ptr& thrown : thrown_) {
      if (thrown) std::rethrow_exception(thrown);
    }
  }

 private:
  /// A round often takes some 20 us: shorter than a thread takes to wake up.
  static constexpr int turns_before_sleep = 2000;

  template <class IsDone>
  void await(const IsDone& is_done, std::condition_variable& told) {
    for (int i = 0; i < turns_before_sleep; ++i) {
      if (is_done()) return;
      std::this_thread::yield();
    }
    std::unique_lock<std::mutex> lock(mutex_);
    told.wait(lock, is_done);
  }

  void work_for(int device, host::function_ref<std::size_t> work) noexcept {
    for (std::size_t rank = 0; rank < device_of_rank_.size(); ++rank) {
      if (device_of_rank_[rank] != device) continue;
      try {
        const device_guard guard(device);
        work(rank);
      } catch (...) {
        thrown_[rank] = std::current_exception();
      }
    }
  }

  void serve(int device) {
    for (std::uint64_t seen = 0;;) {
      await([&] { return round_.load(std::memory_order_acquire) != seen; }, begun_);
      ++seen;
      if (has_ended_) return;
      work_for(device, *work_);
      {
        const std::lock_guard<std::mutex> lock(mutex_);
        busy_.fetch_sub(1, std::memory_order_release);
      }
      ended_.notify_one();
    }
  }

  void stop() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      has_ended_ = true;
      round_.fetch_add(1, std::memory_order_release);
    }
    begun_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

  std::vector<int> device_of_rank_;
  std::vector<std::exception_ptr> thrown_;
  std::vector<int> devices_;
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable begun_;
  std::condition_variable ended_;
  host::function_ref<std::size_t>* work_ = nullptr;
  std::atomic<std::uint64_t> round_{0};
  std::atomic<std::size_t> busy_{0};
  bool has_ended_ = false;
};

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
