// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstring>
#include <gpusort/detail/host/task.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/math.hpp>
#include <memory>
#include <mutex>
#include <new>
#include <thread>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace host {

/// Threads that work through numbered pieces, in order, while their owner does something else.
/// Threads of its own with oneTBB too: what waits for a bus should keep no core from tasks, and the
/// caller may be one of few threads of an arena. They live as long as the crew, so that none is
/// left when a call has returned or thrown. The owner starts one; each starts two, while there is
/// work for them.
class crew {
 public:
  /// Most threads that copy: through page-locked buffers eight copied 39 GB/s up and 35 down,
  /// twelve 41 and 48, sixteen 36 and 42; the bus takes 43 each way (H100, 16 cores).
  static constexpr std::size_t most_threads = 12;
  /// Large enough to be worth a thread's start, to be copied by an engine at nearly the speed of
  /// the bus, and to be waited for; small enough for 32 to stay in a cache. In the same run twelve
  /// threads copied 29 and 26 GB/s through 16 pieces of 2 MB, 25 and 21 through 64 of half a MB.
  static constexpr std::size_t bytes_per_piece = std::size_t{1} << 20;
  /// The pieces of a crew whose owner says only by releasing them how many there are.
  static constexpr std::size_t any_number = ~std::size_t{0};

  /// Starts the threads. `work(piece)` must not throw, and outlives the crew. Where there is no
  /// memory for threads, or the system has no more, there are fewer or none.
  crew(std::size_t pieces, function_ref<std::size_t> work, std::size_t threads = most_threads)
      : pieces_(pieces), work_(work) {
    static const std::size_t cores = std::thread::hardware_concurrency();
    threads = min_of(threads, min_of(cores, pieces));
    if (threads < 2) return;
    workers_.reset(new (std::nothrow) worker[threads]);
    if (workers_ == nullptr) return;
    most_ = threads;
    start(0);
  }
  ~crew() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      has_ended_ = true;
    }
    released_some_.notify_all();
    // Who has been joined has started those that it would start, all of them after it.
    for (std::size_t i = 0; i < most_; ++i) {
      if (workers_[i].thread.joinable()) workers_[i].thread.join();
    }
  }
  crew(const crew&) = delete;
  crew& operator=(const crew&) = delete;

  /// Releases the pieces below `end` for work.
  void release(std::size_t end) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (end == released_ + 1) {
      released_some_.notify_one();
    } else {
      released_some_.notify_all();
    }
    released_ = end;
  }

  /// Waits until a released piece is done. Works itself on what nobody has begun: so all is done
  /// where there are no threads.
  void wait_for(std::size_t piece) {
    std::unique_lock<std::mutex> lock(mutex_);
    while (next_ <= piece) {
      const std::size_t mine = next_++;
      lock.unlock();
      work_(mine);
      lock.lock();
    }
    finished_one_.wait(lock, [&] { return !is_under_way(piece); });
  }

  /// Releases all pieces, and waits for them.
  void finish() {
    release(pieces_);
    for (std::size_t piece = 0; piece < pieces_; ++piece) wait_for(piece);
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};

  struct worker {
    std::thread thread;
    std::size_t piece = none;  // what it works on
  };

  void start(std::size_t i) noexcept {
    try {
      workers_[i].thread = std::thread([this, i] { serve(i); });
    } catch (...) {  // the system has no more, or no memory
    }
  }

  void serve(std::size_t i) {
    std::unique_lock<std::mutex> lock(mutex_);
    for (std::size_t child = 2 * i + 1; child < min_of(2 * i + 3, most_); ++child) {
      if (has_ended_ || next_ == pieces_) return;
      lock.unlock();
      start(child);
      lock.lock();
    }
    for (;;) {
      released_some_.wait(lock,
                          [&] { return has_ended_ || next_ < released_ || next_ == pieces_; });
      if (has_ended_ || next_ == pieces_) return;
      const std::size_t piece = next_++;
      workers_[i].piece = piece;
      lock.unlock();
      work_(piece);
      lock.lock();
      workers_[i].piece = none;
      finished_one_.notify_one();
    }
  }

  bool is_under_way(std::size_t piece) const {
    for (std::size_t i = 0; i < most_; ++i) {
      if (workers_[i].piece == piece) return true;
    }
    return false;
  }

  std::size_t pieces_;
  function_ref<std::size_t> work_;
  std::mutex mutex_;
  std::condition_variable released_some_, finished_one_;
  std::size_t next_ = 0;      // pieces that somebody has begun
  std::size_t released_ = 0;  // pieces that may be begun
  bool has_ended_ = false;
  std::size_t most_ = 0;
  std::unique_ptr<worker[]> workers_;  // most_ of them
};

/// Copies bytes between ranges that do not overlap.
inline void copy_bytes(void* to, const void* from, std::size_t bytes) {
  const auto copy = [=](std::size_t piece) {
    const std::size_t begin = piece * crew::bytes_per_piece;
    std::memcpy(static_cast<unsigned char*>(to) + begin,
                static_cast<const unsigned char*>(from) + begin,
                min_of(crew::bytes_per_piece, bytes - begin));
  };
  crew(ceil_div(bytes, crew::bytes_per_piece), copy).finish();
}

}  // namespace host
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
