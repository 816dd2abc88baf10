// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks that are threads: a communicator whose ranks really wait for each other, but not for ever.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace kit {

/// Lets the ranks meet.
class meeting {
 public:
  explicit meeting(std::size_t p) : what_(p) {}

  std::size_t size() const { return what_.size(); }

  /// Holds what a rank shows the others.
  struct shown {
    const void* data;
    const std::uint64_t* offsets;
  };

  /// Shows `own`, calls read(shown of all) when all ranks have come, and returns when all have
  /// read.
  template <class Read>
  void meet(std::size_t rank, const shown& own, const Read& read) {
    what_[rank] = own;
    wait();
    read(what_);
    wait();
  }

  void abort() {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_over_ = true;
    come_.notify_all();
  }

 private:
  void wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    const std::uint64_t turn = turn_;
    if (++here_ == what_.size()) {
      here_ = 0;
      ++turn_;
      come_.notify_all();
    }
    const auto is_done = [&] { return turn_ != turn || is_over_; };
    if (!come_.wait_for(lock, std::chrono::seconds(20), is_done)) is_over_ = true;
    if (turn_ == turn) throw std::runtime_error("a rank has not come");
  }

  std::vector<shown> what_;
  std::mutex mutex_;
  std::condition_variable come_;
  std::size_t here_ = 0;
  std::uint64_t turn_ = 0;
  bool is_over_ = false;
};

/// A rank's end of it, of host memory. Allocates nothing.
class thread_rank {
 public:
  thread_rank(meeting& place, std::size_t rank) : place_(place), rank_(rank) {}

  int rank() const { return static_cast<int>(rank_); }
  int size() const { return static_cast<int>(place_.size()); }

  void allgather(const void* send, void* receive, std::size_t bytes) {
    place_.meet(rank_, {send, nullptr}, [&](const auto& all) {
      auto* to = static_cast<unsigned char*>(receive);
      for (const auto& from : all) {
        std::memcpy(to, from.data, bytes);
        to += bytes;
      }
    });
  }
  void alltoallv(const void* send, const std::uint64_t* send_offsets, void* receive,
                 const std::uint64_t* receive_offsets, bool) {
    place_.meet(rank_, {send, send_offsets}, [&](const auto& all) {
      for (std::size_t i = 0; i < all.size(); ++i) {
        const std::uint64_t begin = all[i].offsets[rank_];
        const std::uint64_t bytes = all[i].offsets[rank_ + 1] - begin;
        EXPECT_EQ(bytes, receive_offsets[i + 1] - receive_offsets[i]);
        if (bytes == 0) continue;
        std::memcpy(static_cast<unsigned char*>(receive) + receive_offsets[i],
                    static_cast<const unsigned char*>(all[i].data) + begin, bytes);
      }
    });
  }
  void abort() { place_.abort(); }

 private:
  meeting& place_;
  std::size_t rank_;
};

/// Runs call(communicator) on a thread for each of p ranks. Gives what each has thrown, "" where
/// nothing.
template <class Call>
std::vector<std::string> on_ranks(std::size_t p, const Call& call) {
  meeting place(p);
  std::vector<std::string> thrown(p);
  std::vector<std::thread> threads;
  for (std::size_t r = 0; r < p; ++r) {
    threads.emplace_back([&, r] {
      try {
        thread_rank communicator(place, r);
        call(communicator);
      } catch (const std::exception& e) {
        thrown[r] = e.what();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return thrown;
}

}  // namespace kit
