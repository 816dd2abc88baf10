// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the tests of the CPU backend share.
#pragma once

#include <atomic>
#include <cstddef>
#include <gpusort/detail/host/sort.hpp>
#include <utility>
#include <vector>

#include "check.hpp"
#include "environment.hpp"
#include "generate.hpp"
#include "orders.hpp"
#include "random.hpp"
#include "red_zones.hpp"

namespace kit {

namespace host = gpusort::detail::host;

/// Runs `function` where the backend sees that many cores, however many there are: one core tests
/// the sequential routes, several test the division into tasks.
template <class Function>
void with_cores(int cores, const Function& function) {
#if GPUSORT_HAS_TBB
  oneapi::tbb::task_arena arena(cores);
  arena.execute([&] { function(); });
#else
  (void)cores;
  function();
#endif
}

/// Returns sizes around the boundaries of the backend: its blocks, the smallest tasks, and beyond.
inline std::vector<std::size_t> backend_sizes() {
  std::vector<std::size_t> sizes = {0, 1, 2, 3, 5, 31, 32, 33, 63, 64, 65, 95, 96, 97};
  for (std::size_t power = 128; power <= (small_sizes_only() ? 4096 : 32768); power *= 2) {
    for (std::size_t n : {power - 1, power, power + 1}) sizes.push_back(n);
  }
  return sizes;
}

/// Throws at its k-th call, counted over all threads, and from then on.
struct bomb {};

template <class Compare>
class throwing {
 public:
  throwing(Compare comp, std::atomic<long long>& calls, long long limit)
      : comp_(comp), calls_(&calls), limit_(limit) {}

  template <class T>
  bool operator()(const T& a, const T& b) const {
    if (calls_->fetch_add(1, std::memory_order_relaxed) >= limit_) throw bomb{};
    return comp_(a, b);
  }

 private:
  Compare comp_;
  std::atomic<long long>* calls_;
  long long limit_;
};

/// Fails, while it lives, the allocations of this program that are aligned and report failure by
/// null, numbered first .. last - 1 (from 0). The backend makes no others.
class failing_allocations {
 public:
  explicit failing_allocations(long first, long last = 1l << 30);
  failing_allocations(const failing_allocations&) = delete;
  failing_allocations& operator=(const failing_allocations&) = delete;
  ~failing_allocations();

  static long made();    // allocations since the last one began, failed ones too
  static long failed();  // of these
};

/// Watches, while it lives, the greatest number of bytes that the allocations of this program have
/// held at once since it began, those from before not counted.
class watched_allocations {
 public:
  watched_allocations();
  watched_allocations(const watched_allocations&) = delete;
  watched_allocations& operator=(const watched_allocations&) = delete;

  static long peak();
};

/// Fails, while it lives, allocation number `which` (from 0) of the thread that made it, by
/// whatever function of this program it is made. At its end has_struck tells whether there were
/// as many.
class failing_on_this_thread {
 public:
  failing_on_this_thread(long which, bool& has_struck);
  failing_on_this_thread(const failing_on_this_thread&) = delete;
  failing_on_this_thread& operator=(const failing_on_this_thread&) = delete;
  ~failing_on_this_thread();

 private:
  bool& has_struck_;
};

/// An element that owns something: relocatable, not copyable, not default constructible.
class owner {
 public:
  explicit owner(std::uint64_t key, std::uint64_t position = 0)
      : value_(new std::pair<std::uint64_t, std::uint64_t>(key, position)) {}
  owner(owner&& other) noexcept : value_(std::exchange(other.value_, nullptr)) {}
  owner& operator=(owner&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~owner() { delete value_; }

  std::uint64_t key() const { return value_->first; }
  std::uint64_t position() const { return value_->second; }

 private:
  std::pair<std::uint64_t, std::uint64_t>* value_;
};

struct by_owned_key {
  bool operator()(const owner& a, const owner& b) const { return a.key() < b.key(); }
};

}  // namespace kit

namespace gpusort {
inline namespace GPUSORT_ABI {
template <>
struct is_trivially_relocatable<kit::owner> : std::true_type {};
}  // namespace GPUSORT_ABI
}  // namespace gpusort
