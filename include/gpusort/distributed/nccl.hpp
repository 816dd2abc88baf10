// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// @file
/// Calls of <gpusort/distributed.hpp> over NCCL: `gpusort::distributed::nccl(comm, stream)`.
///
/// The only header that includes nccl.h. A program that includes it links NCCL itself; the CMake
/// target gpusort::nccl does, where NCCL was found.
#pragma once

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/dispatch/memory/device_guard.hpp>
#include <gpusort/detail/support/check.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/device.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <gpusort/error.hpp>
#include <stdexcept>
#include <string>
#include <thread>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace distributed {

/// Says that NCCL has failed, or that the other ranks did not answer within the deadline.
///
/// @post The communicator has been aborted where `aborted()`: destroying it again is an error.
class nccl_error : public std::runtime_error {
 public:
  nccl_error(int code, bool aborted, const std::string& what)
      : std::runtime_error(what), code_(code), aborted_(aborted) {}

  /// @return the value of the `ncclResult_t` that caused it
  int code() const noexcept { return code_; }
  /// @return whether ncclCommAbort has been called
  bool aborted() const noexcept { return aborted_; }

 private:
  int code_;
  bool aborted_;
};

/// A communicator over NCCL, for the calls of <gpusort/distributed.hpp>.
///
/// Elements go from device to device by grouped sends and receives, in rounds of pieces, so that no
/// pair of ranks keeps the others waiting. What is small goes through a buffer on the device.
///
/// @par Synchronization
/// Every operation waits for its end. Between two of them no kernel of NCCL's is running on this
/// communicator.
class nccl_communicator {
 public:
  /// @param comm  the communicator, which is referred to, and destroyed by the caller
  /// @param stream  a stream of the communicator's device
  /// @param deadline  how long an operation waits for the other ranks before it aborts; zero: for
  /// ever. In the first operation of a communicator NCCL connects the ranks, and waits for them
  /// itself, without a deadline, unless the communicator was made not to block
  explicit nccl_communicator(ncclComm_t comm, cudaStream_t stream = nullptr,
                             std::chrono::milliseconds deadline = {})
      : comm_(comm), stream_(stream), deadline_(deadline) {
    require(ncclCommUserRank(comm_, &rank_), "asking for a rank");
    require(ncclCommCount(comm_, &size_), "asking for the number of ranks");
    require(ncclCommCuDevice(comm_, &device_), "asking for a communicator's device");
  }
  nccl_communicator(nccl_communicator&& other) noexcept
      : comm_(other.comm_),
        stream_(other.stream_),
        deadline_(other.deadline_),
        rank_(other.rank_),
        size_(other.size_),
        device_(other.device_),
        aborted_(other.aborted_),
        buffer_(other.buffer_),
        buffer_bytes_(other.buffer_bytes_) {
    other.buffer_ = nullptr;
    other.buffer_bytes_ = 0;
  }
  nccl_communicator& operator=(nccl_communicator&&) = delete;
  ~nccl_communicator() { cudaFree(buffer_); }

  /// @return this process's rank
  int rank() const noexcept { return rank_; }
  /// @return the number of ranks
  int size() const noexcept { return size_; }
  /// @return the stream that it works on
  cudaStream_t stream() const noexcept { return stream_; }

  /// Gathers `bytes` of each rank, in host memory, on all ranks.
  void allgather(const void* send, void* receive, std::size_t bytes) {
    if (bytes == 0) return;
    or_abort([&] {
      char* const gathered = reserve(bytes * static_cast<std::size_t>(size_));
      char* const own = gathered + static_cast<std::size_t>(rank_) * bytes;
      copy(own, send, bytes, stream_);
      require(ncclAllGather(own, gathered, bytes, ncclChar, comm_, stream_), "gathering");
      wait();
      copy(receive, gathered, bytes * static_cast<std::size_t>(size_), stream_);
      wait();
    });
  }

  /// Sends each rank the bytes between two of `send_offsets`, and receives what they send between
  /// two of `receive_offsets`, in host memory, or in memory of the device.
  void alltoallv(const void* send, const std::uint64_t* send_offsets, void* receive,
                 const std::uint64_t* receive_offsets, bool on_device) {
    or_abort([&] {
      const auto p = static_cast<std::size_t>(size_);
      if (on_device) {
        exchange(static_cast<const char*>(send), send_offsets, static_cast<char*>(receive),
                 receive_offsets);
        return wait();
      }
      const std::size_t sent = send_offsets[p], received = receive_offsets[p];
      char* const data = reserve(aligned(sent) + received);
      if (sent != 0) copy(data, send, sent, stream_);
      exchange(data, send_offsets, data + aligned(sent), receive_offsets);
      wait();
      if (received != 0) copy(receive, data + aligned(sent), received, stream_);
      wait();
    });
  }

  /// Ends the communicator on this rank. Others, who wait for it, end by their deadline.
  void abort() noexcept {
    if (!aborted_) ncclCommAbort(comm_);
    aborted_ = true;
  }
  /// @return whether it has been ended; then it must not be destroyed again
  bool is_aborted() const noexcept { return aborted_; }

 private:
  /// Does an operation on the communicator's device. Where it fails, the others may be in it
  /// without this rank: the communicator ends.
  template <class Body>
  void or_abort(const Body& body) {
    if (aborted_) {
      throw nccl_error(ncclInvalidUsage, true,
                       detail::error_text("the communicator has been aborted; make another one"));
    }
    try {
      const detail::device_guard guard(device_);
      body();
    } catch (const nccl_error& e) {
      abort();
      throw nccl_error(e.code(), true, e.what());
    } catch (...) {
      abort();
      throw;
    }
  }

  /// NCCL reaches its speed from some 16 MB on (measured: 168 GB/s there, 278 at 128 MB).
  static constexpr std::size_t piece_bytes = std::size_t{256} << 20;

  static std::size_t aligned(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

  static void copy(void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
    detail::check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream),
                  "copying what ranks tell each other");
  }

  /// Device memory, which the next operation uses again.
  char* reserve(std::size_t bytes) {
    if (bytes > buffer_bytes_) {
      cudaFree(buffer_);
      buffer_ = nullptr;
      buffer_bytes_ = 0;
      const detail::relaxed_capture_mode relaxed;
      detail::check(cudaMalloc(&buffer_, bytes), "allocating what ranks talk through");
      buffer_bytes_ = bytes;
    }
    return static_cast<char*>(buffer_);
  }

  void exchange(const char* send, const std::uint64_t* send_offsets, char* receive,
                const std::uint64_t* receive_offsets) {
    const auto p = static_cast<std::size_t>(size_), self = static_cast<std::size_t>(rank_);
    const auto count = [](const std::uint64_t* offsets, std::size_t i) {
      return offsets[i + 1] - offsets[i];
    };
    if (count(send_offsets, self) != 0) {
      copy(receive + receive_offsets[self], send + send_offsets[self], count(send_offsets, self),
           stream_);
    }
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < p; ++i) {
      if (i != self) most = (std::max)({most, count(send_offsets, i), count(receive_offsets, i)});
    }
    for (std::uint64_t begin = 0; begin < most; begin += piece_bytes) {
      const auto piece = [&](const std::uint64_t* offsets, std::size_t i) {
        const std::uint64_t bytes = count(offsets, i);
        return begin < bytes ? std::min<std::uint64_t>(piece_bytes, bytes - begin) : 0;
      };
      require(ncclGroupStart(), "beginning an exchange");
      ncclResult_t status = ncclSuccess;  // a group that has begun must end
      const auto keep = [&](ncclResult_t s) {
        if (status == ncclSuccess && s != ncclInProgress) status = s;
      };
      for (std::size_t shift = 1; shift < p; ++shift) {
        const std::size_t to = (self + shift) % p, from = (self + p - shift) % p;
        if (const std::uint64_t bytes = piece(send_offsets, to)) {
          keep(ncclSend(send + send_offsets[to] + begin, bytes, ncclChar, static_cast<int>(to),
                        comm_, stream_));
        }
        if (const std::uint64_t bytes = piece(receive_offsets, from)) {
          keep(ncclRecv(receive + receive_offsets[from] + begin, bytes, ncclChar,
                        static_cast<int>(from), comm_, stream_));
        }
      }
      keep(ncclGroupEnd());
      require(status, "exchanging elements");
      settle(clock::now());
    }
  }

  using clock = std::chrono::steady_clock;

  /// Waits for the stream, as long as no rank fails and the deadline has not passed.
  void wait() {
    const auto begin = clock::now();
    settle(begin);
    for (;;) {
      const cudaError_t status = cudaStreamQuery(stream_);
      if (status == cudaSuccess) return;
      if (status != cudaErrorNotReady) detail::check(status, "waiting for the other ranks");
      if (cudaPeekAtLastError() == cudaErrorNotReady) cudaGetLastError();  // an answer, no error
      is_settled();
      pause(begin);
    }
  }

  /// Waits until a communicator that does not block has put its work on the stream.
  void settle(clock::time_point begin) {
    while (!is_settled()) pause(begin);
  }

  bool is_settled() {
    ncclResult_t asynchronous = ncclSuccess;
    require(ncclCommGetAsyncError(comm_, &asynchronous), "asking for an error of NCCL's");
    require(asynchronous, "waiting for the other ranks");
    return asynchronous != ncclInProgress;
  }

  void pause(clock::time_point begin) {
    const auto waited = clock::now() - begin;
    if (deadline_.count() != 0 && waited > deadline_) {
      abort();
      throw nccl_error(ncclRemoteError, true,
                       detail::error_text("the other ranks have not answered within " +
                                          std::to_string(deadline_.count()) +
                                          " ms; the communicator has been aborted"));
    }
    if (waited > std::chrono::milliseconds(1)) std::this_thread::yield();
  }

  void require(ncclResult_t status, const char* doing) {
    if (status == ncclSuccess || status == ncclInProgress) return;
    throw nccl_error(static_cast<int>(status), aborted_,
                     detail::error_text(std::string(doing) + ": " + ncclGetErrorString(status)));
  }

  ncclComm_t comm_;
  cudaStream_t stream_;
  std::chrono::milliseconds deadline_;
  int rank_ = 0;
  int size_ = 0;
  int device_ = 0;
  bool aborted_ = false;
  void* buffer_ = nullptr;
  std::size_t buffer_bytes_ = 0;
};

/// Makes a communicator for the calls of <gpusort/distributed.hpp>, of NCCL's.
///
/// @param comm  as nccl_communicator takes them, like stream and deadline
/// @return the communicator
/// @throws gpusort::distributed::nccl_error  for what NCCL reports
inline nccl_communicator nccl(ncclComm_t comm, cudaStream_t stream = nullptr,
                              std::chrono::milliseconds deadline = {}) {
  return nccl_communicator(comm, stream, deadline);
}

}  // namespace distributed
}  // namespace GPUSORT_ABI
}  // namespace gpusort
