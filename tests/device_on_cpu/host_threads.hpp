// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace kit {

/// Threads of the host, which keep what a thread of the host has to itself: a block's shared
/// memory, and its threads' stacks.
class host_threads {
 public:
  /// Returns the threads, which are never destroyed, as some of them may be waiting when the
  /// program ends.
  static host_threads& instance() {
    static auto* const all = new host_threads;
    return *all;
  }

  /// Runs work(0) to work(count - 1), each by its thread.
  void run(int count, const std::function<void(int)>& work) {
    std::unique_lock<std::mutex> lock(mutex_);
    work_ = &work;
    wanted_ = running_ = count;
    ++round_;
    for (; started_ < count; ++started_) {
      std::thread([this, me = started_, seen = round_ - 1] { serve(me, seen); }).detach();
    }
    changed_.notify_all();
    changed_.wait(lock, [&] { return running_ == 0; });
  }

 private:
  void serve(int me, int seen) {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return round_ != seen; });
      seen = round_;
      if (me >= wanted_) continue;
      lock.unlock();
      (*work_)(me);
      lock.lock();
      if (--running_ == 0) changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void(int)>* work_ = nullptr;
  int wanted_ = 0, running_ = 0, started_ = 0, round_ = 0;
};

}  // namespace kit
