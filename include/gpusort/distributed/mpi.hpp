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
#include <gpusort/detail/distributed/copy_data.hpp>
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
/// Nothing is asked of MPI but host memory: what is on the device goes through 64 MB of it, so MPI
/// need not know of CUDA. More than 2^30 bytes are sent in pieces, as MPI counts in int.
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
  /// @param deadline  how long a collective may take; by default any time. Ranks wait in a
  /// collective for the slowest one's local work, so it must be longer than that
  /// @throws std::invalid_argument  for MPI_COMM_NULL, a communicator of no ranks
  explicit mpi(MPI_Comm communicator, seconds deadline = seconds(0)) : deadline_(deadline) {
    if (communicator == MPI_COMM_NULL) detail::refuse("the communicator has no ranks");
    MPI_Comm_dup(communicator, &communicator_);
    MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN);
    MPI_Comm_rank(communicator_, &rank_);
    MPI_Comm_size(communicator_, &size_);
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
    if (bytes <= piece_bytes) {
      MPI_Request request;
      const int count = static_cast<int>(bytes);
      check(
          MPI_Iallgather(send, count, MPI_BYTE, receive, count, MPI_BYTE, communicator_, &request));
      return wait(&request, 1);
    }
    requests_.clear();
    for (int step = 0; step < size_; ++step) {
      const int to = (rank_ + step) % size_;
      const int from = (rank_ + size_ - step) % size_;
      post_receive(at(receive, static_cast<std::size_t>(from) * bytes), bytes, from);
      post_send(send, bytes, to);
    }
    wait_for_all();
  }

  /// Sends what lies between two offsets to the rank of that number.
  ///
  /// @param send  what is sent
  /// @param send_offsets  size() + 1 offsets in bytes, from `send`
  /// @param receive  where what the ranks send goes
  /// @param receive_offsets  size() + 1 offsets in bytes, from `receive`
  /// @param on_device  whether both are in device memory
  void alltoallv(const void* send, const std::uint64_t* send_offsets, void* receive,
                 const std::uint64_t* receive_offsets, bool on_device) {
    if (on_device) return alltoallv_on_device(send, send_offsets, receive, receive_offsets);
    requests_.clear();
    for (int step = 0; step < size_; ++step) {
      const int to = (rank_ + step) % size_;
      const int from = (rank_ + size_ - step) % size_;
      const std::uint64_t received = receive_offsets[from + 1] - receive_offsets[from];
      const std::uint64_t sent = send_offsets[to + 1] - send_offsets[to];
      if (step == 0) {
        detail::distributed::copy_data<false>(at(receive, receive_offsets[from]),
                                              at(send, send_offsets[to]), sent);
      } else {
        post_receive(at(receive, receive_offsets[from]), received, from);
        post_send(at(send, send_offsets[to]), sent, to);
      }
    }
    wait_for_all();
  }

  /// Ends the program on all ranks.
  void abort() { MPI_Abort(communicator_, 1); }

 private:
  static constexpr std::size_t piece_bytes = std::size_t{1} << 30;
  static constexpr std::size_t staged_bytes = std::size_t{1} << 26;
  static constexpr int tag = 0;

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

  void post_send(const void* data, std::uint64_t bytes, int to) {
    for (std::uint64_t done = 0; done < bytes; done += piece_bytes) {
      const auto count = static_cast<int>(std::min<std::uint64_t>(piece_bytes, bytes - done));
      check(MPI_Isend(at(data, done), count, MPI_BYTE, to, tag, communicator_, new_request()));
    }
  }

  void post_receive(void* data, std::uint64_t bytes, int from) {
    for (std::uint64_t done = 0; done < bytes; done += piece_bytes) {
      const auto count = static_cast<int>(std::min<std::uint64_t>(piece_bytes, bytes - done));
      check(MPI_Irecv(at(data, done), count, MPI_BYTE, from, tag, communicator_, new_request()));
    }
  }

  MPI_Request* new_request() {
    requests_.push_back(MPI_REQUEST_NULL);
    return &requests_.back();
  }

  void wait_for_all() { wait(requests_.data(), requests_.size()); }

  void wait(MPI_Request* requests, std::size_t count) {
    const int n = static_cast<int>(count);
    if (deadline_.count() <= 0) {
      return check(MPI_Waitall(n, requests, MPI_STATUSES_IGNORE));
    }
    const auto begin = std::chrono::steady_clock::now();
    for (unsigned turn = 0;; ++turn) {
      int is_done = 0;
      check(MPI_Testall(n, requests, &is_done, MPI_STATUSES_IGNORE));
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

  /// One other rank at a time, in pieces through host memory.
  void alltoallv_on_device(const void* send, const std::uint64_t* send_offsets, void* receive,
                           const std::uint64_t* receive_offsets) {
    using detail::distributed::copy_data;
    std::vector<unsigned char> sent(staged_bytes);
    std::vector<unsigned char> received(staged_bytes);
    for (int step = 0; step < size_; ++step) {
      const int to = (rank_ + step) % size_;
      const int from = (rank_ + size_ - step) % size_;
      const std::uint64_t to_send = send_offsets[to + 1] - send_offsets[to];
      const std::uint64_t to_receive = receive_offsets[from + 1] - receive_offsets[from];
      if (step == 0) {
        copy_data<true>(at(receive, receive_offsets[from]), at(send, send_offsets[to]), to_send);
        continue;
      }
      for (std::uint64_t done = 0; done < (std::max)(to_send, to_receive); done += staged_bytes) {
        requests_.clear();
        const std::uint64_t out =
            done < to_send ? std::min<std::uint64_t>(staged_bytes, to_send - done) : 0;
        const std::uint64_t in =
            done < to_receive ? std::min<std::uint64_t>(staged_bytes, to_receive - done) : 0;
        post_receive(received.data(), in, from);
        if (out != 0) copy_data<true>(sent.data(), at(send, send_offsets[to] + done), out);
        post_send(sent.data(), out, to);
        wait_for_all();
        if (in != 0)
          copy_data<true>(at(receive, receive_offsets[from] + done), received.data(), in);
      }
    }
  }

  MPI_Comm communicator_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 0;
  seconds deadline_;
  std::vector<MPI_Request> requests_;
};

}  // namespace distributed
}  // namespace GPUSORT_ABI
}  // namespace gpusort
