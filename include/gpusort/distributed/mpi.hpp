// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// @file
/// The ranks of an MPI communicator: gpusort::distributed::mpi. Compile and link with MPI's flags
/// (mpicxx, or MPI::MPI_CXX of CMake).
#pragma once

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <gpusort/detail/distributed/copies.hpp>
#include <gpusort/detail/distributed/staging_memory.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <stdexcept>
#include <thread>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace distributed {

/// The ranks of an MPI communicator, of which it makes a duplicate of its own.
///
/// Nothing is asked of MPI but host memory: what is on a device goes through page-locked memory of
/// the host, as much as is sent at a time and at most 64 MB, so MPI need not know of CUDA, and some
/// ranks may have a device where others have none. All send in pieces of 16 MB.
///
/// A collective that does not end in time aborts all ranks, since one of them is gone or makes
/// another call. Without a deadline it waits as long as MPI does, which may be forever.
///
/// @pre MPI is initialized before and finalized after; one thread at a time uses the object.
/// @par Synchronization
/// Constructor and destructor are collective.
class mpi {
 public:
  /// Type of a time to wait.
  using seconds = std::chrono::duration<double>;

  /// @param communicator  whose ranks take part
  /// @param deadline  how long a rank waits for others in a collective; by default any time. Ranks
  /// wait for the slowest one's local work, so it must be longer than that
  /// @throws std::invalid_argument  for MPI_COMM_NULL, a communicator of no ranks, and for one
  /// between two groups
  /// @throws std::runtime_error  for what MPI reports, where the communicator's errors return
  explicit mpi(MPI_Comm communicator, seconds deadline = seconds(0)) : deadline_(deadline) {
    if (communicator == MPI_COMM_NULL) detail::refuse("the communicator has no ranks");
    int is_of_two_groups = 0;
    check(MPI_Comm_test_inter(communicator, &is_of_two_groups));
    if (is_of_two_groups != 0) {
      detail::refuse(
          "the communicator is between two groups; make one of them by MPI_Intercomm_merge");
    }
    check(MPI_Comm_rank(communicator, &rank_));
    check(MPI_Comm_size(communicator, &size_));
    requests_.reserve(2 * static_cast<std::size_t>(size_) + 2 * slots);
    check(MPI_Comm_dup(communicator, &communicator_));
    MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN);
  }
  mpi(const mpi&) = delete;
  mpi& operator=(const mpi&) = delete;
  ~mpi() {
    int is_over = 0;
    MPI_Finalized(&is_over);
    if (is_over == 0) MPI_Comm_free(&communicator_);
  }

  /// @return the number of this process
  int rank() const { return rank_; }
  /// @return how many there are
  int size() const { return size_; }

  /// Gathers `bytes` of each rank on all of them.
  ///
  /// @param send  this rank's
  /// @param receive  one rank's after the other's
  /// @param bytes  the same on every rank
  void allgather(const void* send, void* receive, std::size_t bytes) {
    if (bytes == 0) return;
    if (bytes <= message_bytes) {
      const auto count = static_cast<int>(bytes);
      requests_.clear();
      check(MPI_Iallgather(send, count, MPI_BYTE, receive, count, MPI_BYTE, communicator_,
                           new_request()));
      return wait_for_all();
    }
    const auto sent = [&](int) { return part{0, bytes}; };
    const auto received = [&](int from) {
      return part{static_cast<std::uint64_t>(from) * bytes, bytes};
    };
    std::memcpy(at(receive, received(rank_).begin), send, bytes);
    exchange(send, sent, receive, received);
  }

  /// Sends what lies between two offsets to the rank of that number.
  ///
  /// @param send  what is sent
  /// @param send_offsets  size() + 1 offsets in bytes, from `send`
  /// @param receive  where what the ranks send goes
  /// @param receive_offsets  size() + 1 offsets in bytes, from `receive`
  /// @param on_device  whether both are in device memory; those of other ranks need not be
  void alltoallv(const void* send, const std::uint64_t* send_offsets, void* receive,
                 const std::uint64_t* receive_offsets, bool on_device) {
    const auto sent = [&](int to) {
      return part{send_offsets[to], send_offsets[to + 1] - send_offsets[to]};
    };
    const auto received = [&](int from) {
      return part{receive_offsets[from], receive_offsets[from + 1] - receive_offsets[from]};
    };
    if (on_device) return exchange_through_host(send, sent, receive, received);
    detail::distributed::copies<false>()(at(receive, received(rank_).begin),
                                         at(send, sent(rank_).begin), sent(rank_).bytes);
    exchange(send, sent, receive, received);
  }

  /// Ends the program on all ranks.
  void abort() { MPI_Abort(communicator_, 1); }

 private:
  /// The most bytes of a message, on all ranks, whatever memory they send from.
  static constexpr std::uint64_t message_bytes = std::uint64_t{1} << 24;
  /// Messages that are under way at a time in either direction through host memory: while one is,
  /// the next one is copied.
  static constexpr int slots = 2;
  static constexpr int tag = 0;

  struct part {
    std::uint64_t begin;
    std::uint64_t bytes;
  };
  struct message {
    int rank;
    std::uint64_t begin;
    int bytes;
  };

  /// The messages to all other ranks, or from them, in the order in which every rank makes them.
  /// part_of(rank) is what is sent to a rank, or comes from it.
  template <class PartOf>
  class messages {
   public:
    messages(const mpi& world, bool are_sent, const PartOf& part_of)
        : world_(world), are_sent_(are_sent), part_of_(part_of) {}

    bool next(message& m) {
      for (; step_ < world_.size_; ++step_, done_ = 0) {
        const int other =
            (world_.rank_ + (are_sent_ ? step_ : world_.size_ - step_)) % world_.size_;
        const part all = part_of_(other);
        if (done_ == all.bytes) continue;
        const std::uint64_t bytes = (std::min)(message_bytes, all.bytes - done_);
        m = {other, all.begin + done_, static_cast<int>(bytes)};
        done_ += bytes;
        return true;
      }
      return false;
    }

   private:
    const mpi& world_;
    bool are_sent_;
    const PartOf& part_of_;
    int step_ = 1;
    std::uint64_t done_ = 0;
  };

  static void* at(void* base, std::uint64_t offset) {
    return static_cast<unsigned char*>(base) + offset;
  }
  static const void* at(const void* base, std::uint64_t offset) {
    return static_cast<const unsigned char*>(base) + offset;
  }

  static void check(int code) {
    if (code == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING] = {};
    int length = 0;
    MPI_Error_string(code, text, &length);
    throw std::runtime_error(detail::error_text(text));
  }

  void send_message(const message& m, const void* data, MPI_Request* request) {
    check(MPI_Isend(data, m.bytes, MPI_BYTE, m.rank, tag, communicator_, request));
  }
  void receive_message(const message& m, void* data, MPI_Request* request) {
    check(MPI_Irecv(data, m.bytes, MPI_BYTE, m.rank, tag, communicator_, request));
  }

  /// Exchanges with the other ranks, from and to host memory.
  template <class Sent, class Received>
  void exchange(const void* send, const Sent& sent, void* receive, const Received& received) {
    messages<Sent> outgoing(*this, true, sent);
    messages<Received> incoming(*this, false, received);
    requests_.clear();
    message m;
    while (incoming.next(m)) receive_message(m, at(receive, m.begin), new_request());
    while (outgoing.next(m)) send_message(m, at(send, m.begin), new_request());
    wait_for_all();
  }

  /// Exchanges with all ranks, from and to the memory of a device. The first message that has not
  /// arrived, in the order of all, has room where it is sent and where it is received: so all do.
  template <class Sent, class Received>
  void exchange_through_host(const void* send, const Sent& sent, void* receive,
                             const Received& received) {
    detail::distributed::copies<true> copy;
    copy(at(receive, received(rank_).begin), at(send, sent(rank_).begin), sent(rank_).bytes);
    std::uint64_t longest = 0;
    for (int i = 0; i < size_; ++i) {
      if (i != rank_) longest = (std::max)({longest, sent(i).bytes, received(i).bytes});
    }
    longest = (std::min)(longest, message_bytes);
    unsigned char* const memory = staging_.reserve(2 * slots * longest);
    const auto slot = [&](int i) { return memory + static_cast<std::uint64_t>(i) * longest; };
    messages<Sent> outgoing(*this, true, sent);
    messages<Received> incoming(*this, false, received);
    message arriving[slots];
    requests_.assign(2 * slots, MPI_REQUEST_NULL);
    const auto receive_into = [&](int i) {
      if (incoming.next(arriving[i])) receive_message(arriving[i], slot(i), &requests_[i]);
    };
    const auto send_from = [&](int i) {
      message m;
      if (!outgoing.next(m)) return;
      copy(slot(i), at(send, m.begin), static_cast<std::size_t>(m.bytes));
      send_message(m, slot(i), &requests_[i]);
    };
    for (int i = 0; i < slots; ++i) receive_into(i);
    for (int i = slots; i < 2 * slots; ++i) send_from(i);
    for (int i = wait_for_any(); i != MPI_UNDEFINED; i = wait_for_any()) {
      if (i < slots) {
        copy(at(receive, arriving[i].begin), slot(i), static_cast<std::size_t>(arriving[i].bytes));
        receive_into(i);
      } else {
        send_from(i);
      }
    }
  }

  MPI_Request* new_request() {
    requests_.push_back(MPI_REQUEST_NULL);
    return &requests_.back();
  }

  void wait_for_all() {
    const int n = static_cast<int>(requests_.size());
    if (deadline_.count() <= 0) {
      return check(MPI_Waitall(n, requests_.data(), MPI_STATUSES_IGNORE));
    }
    wait_until([&](int* is_done) {
      return MPI_Testall(n, requests_.data(), is_done, MPI_STATUSES_IGNORE);
    });
  }

  /// Returns the number of a request that has ended, or MPI_UNDEFINED where none is under way.
  int wait_for_any() {
    const int n = static_cast<int>(requests_.size());
    int which = MPI_UNDEFINED;
    if (deadline_.count() <= 0) {
      check(MPI_Waitany(n, requests_.data(), &which, MPI_STATUS_IGNORE));
    } else {
      wait_until([&](int* is_done) {
        return MPI_Testany(n, requests_.data(), &which, is_done, MPI_STATUS_IGNORE);
      });
    }
    return which;
  }

  template <class Test>
  void wait_until(const Test& test) {
    const auto begin = std::chrono::steady_clock::now();
    for (unsigned turn = 0;; ++turn) {
      int is_done = 0;
      check(test(&is_done));
      if (is_done != 0) return;
      if (turn < 1000) continue;
      std::this_thread::yield();
      if (std::chrono::steady_clock::now() - begin < deadline_) continue;
      std::fprintf(stderr,
                   "gpusort: rank %d has waited %g s for the other ranks, which are gone or make "
                   "another call; aborts all\n",
                   rank_, deadline_.count());
      abort();
    }
  }

  MPI_Comm communicator_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 0;
  seconds deadline_;
  std::vector<MPI_Request> requests_;
  detail::distributed::staging_memory staging_;
};

}  // namespace distributed
}  // namespace GPUSORT_ABI
}  // namespace gpusort
