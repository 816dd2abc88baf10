// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// @file
/// Calls of <gpusort/distributed.hpp> over NCCL: `gpusort::distributed::nccl(comm, stream)`.
///
/// The only header that includes nccl.h. A program that includes it links NCCL itself; the CMake
/// target gpusort::nccl does, where NCCL was found.
#pragma once

#include <gpusort/detail/support/config.hpp>

#if !GPUSORT_CUDA
#error "gpusort: <gpusort/distributed/nccl.hpp> needs a CUDA compiler: include it in a .cu file"
#else

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gpusort/detail/dispatch/memory/device_scope.hpp>
#include <gpusort/detail/distributed/link_end.hpp>
#include <gpusort/detail/support/check.hpp>
#include <gpusort/detail/support/device.hpp>
#include <gpusort/detail/support/pending_error.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <gpusort/error.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

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
/// An error that the caller has left pending stays as it is.
///
/// @par Scratch
/// 16 MB on the device and on the host, taken by the constructor: no operation allocates, so that
/// none leaves the other ranks waiting for want of memory.
/// @par Synchronization
/// Every operation waits for its end. Between two of them no kernel of NCCL's is running on this
/// communicator.
class nccl_communicator {
 public:
  /// Time that an operation waits by default: much longer than ranks of a program that works are
  /// apart.
  static constexpr std::chrono::milliseconds usual_deadline = std::chrono::minutes(10);

  /// @param comm  the communicator, which is referred to, and destroyed by the caller
  /// @param stream  a stream of the communicator's device; while it is being captured, operations
  /// are on a stream of their own
  /// @param deadline  how long an operation waits for the other ranks before it aborts; zero: for
  /// ever. In the first operation of a communicator NCCL connects the ranks, and waits for them
  /// itself, without a deadline, unless the communicator was made not to block
  /// @throws gpusort::distributed::nccl_error  for what NCCL reports
  /// @throws gpusort::cuda_error  for what CUDA reports, such as too little memory
  explicit nccl_communicator(ncclComm_t comm, cudaStream_t stream = nullptr,
                             std::chrono::milliseconds deadline = usual_deadline)
      : comm_(comm), stream_(stream), deadline_(deadline) {
    require(ncclCommUserRank(comm_, &rank_), "asking for a rank");
    require(ncclCommCount(comm_, &size_), "asking for the number of ranks");
    require(ncclCommCuDevice(comm_, &device_), "asking for a communicator's device");
    offsets_.resize(2 * (static_cast<std::size_t>(size_) + 1));
    staged_.reset(new char[2 * half_bytes]);
    detail::apart_from_pending_error([&] {
      const detail::device_guard guard(device_);
      const detail::relaxed_capture_mode relaxed;
      own_ = detail::distributed::link_ends::instance().acquire(device_);
      detail::check(cudaMalloc(&buffer_, 2 * half_bytes), "allocating what ranks talk through");
    });
  }
  nccl_communicator(nccl_communicator&& other) noexcept
      : comm_(other.comm_),
        stream_(other.stream_),
        deadline_(other.deadline_),
        rank_(other.rank_),
        size_(other.size_),
        device_(other.device_),
        aborted_(other.aborted_),
        own_(std::move(other.own_)),
        buffer_(std::exchange(other.buffer_, nullptr)),
        staged_(std::move(other.staged_)),
        offsets_(std::move(other.offsets_)) {}
  nccl_communicator& operator=(nccl_communicator&&) = delete;
  ~nccl_communicator() {
    if (buffer_ != nullptr && !own_->is_gone()) cudaFree(buffer_);
  }

  /// @return this process's rank
  int rank() const noexcept { return rank_; }
  /// @return the number of ranks
  int size() const noexcept { return size_; }
  /// @return the stream that it works on
  cudaStream_t stream() const noexcept { return stream_; }

  /// Gathers `bytes` of each rank, in host memory, on all ranks.
  void allgather(const void* send, void* receive, std::size_t bytes) {
    if (bytes == 0) return;
    operate([&](cudaStream_t stream) {
      const auto p = static_cast<std::size_t>(size_);
      const std::size_t most = 2 * half_bytes / p;
      for (std::size_t begin = 0; begin < bytes; begin += most) {
        const std::size_t piece = (std::min)(most, bytes - begin);
        char* const own = buffer_ + static_cast<std::size_t>(rank_) * piece;
        copy(own, static_cast<const char*>(send) + begin, piece, stream);
        require(ncclAllGather(own, buffer_, piece, ncclChar, comm_, stream), "gathering");
        copy_to_host(staged_.get(), buffer_, p * piece, stream);
        for (std::size_t i = 0; i < p; ++i) {
          std::memcpy(static_cast<char*>(receive) + i * bytes + begin, staged_.get() + i * piece,
                      piece);
        }
      }
    });
  }

  /// Sends each rank the bytes between two of `send_offsets`, and receives what they send between
  /// two of `receive_offsets`, in host memory, or in memory of the device.
  void alltoallv(const void* send, const std::uint64_t* send_offsets, void* receive,
                 const std::uint64_t* receive_offsets, bool on_device) {
    const parts<const char> sent{static_cast<const char*>(send), send_offsets};
    const parts<char> received{static_cast<char*>(receive), receive_offsets};
    operate([&](cudaStream_t stream) {
      if (on_device) {
        exchange(sent, received, stream);
      } else {
        exchange_through_buffer(sent, received, stream);
      }
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
  /// Does an operation on the communicator's device, body(stream), apart from an error that the
  /// caller has left. Where it fails, the others may be in it without this rank: the communicator
  /// ends.
  template <class Body>
  void operate(const Body& body) {
    if (aborted_) {
      throw nccl_error(ncclInvalidUsage, true,
                       detail::error_text("the communicator has been aborted; make another one"));
    }
    try {
      detail::apart_from_pending_error([&] {
        const detail::device_guard guard(device_);
        const detail::relaxed_capture_mode relaxed;
        body(usable_stream());
      });
    } catch (const nccl_error& e) {
      abort();
      throw nccl_error(e.code(), true, e.what());
    } catch (...) {
      abort();
      throw;
    }
  }

  /// Returns the stream, unless it is under capture: what is put on it then is not done.
  cudaStream_t usable_stream() const {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    if (cudaStreamIsCapturing(stream_, &status) != cudaSuccess) {
      cudaGetLastError();
      return own_->work;
    }
    return status == cudaStreamCaptureStatusNone ? stream_ : own_->work;
  }

  /// NCCL reaches its speed from some 16 MB on (measured: 168 GB/s there, 278 at 128 MB).
  static constexpr std::size_t piece_bytes = std::size_t{256} << 20;

  /// Bytes for what is sent, and for what is received: more than samples take in a round, but for
  /// many ranks of large elements.
  static constexpr std::size_t half_bytes = std::size_t{8} << 20;

  /// Holds what goes to the ranks, or comes from them.
  template <class Byte>
  struct parts {
    Byte* data;
    const std::uint64_t* offsets;

    std::uint64_t bytes(std::size_t rank) const { return offsets[rank + 1] - offsets[rank]; }
    Byte* at(std::size_t rank) const { return data + offsets[rank]; }
    /// Returns what is left of a rank's part from `begin` on, at most `most`.
    std::size_t bytes_of_piece(std::size_t rank, std::uint64_t begin, std::size_t most) const {
      return begin < bytes(rank) ? std::min<std::uint64_t>(most, bytes(rank) - begin) : 0;
    }
  };

  static void copy_on_host(void* to, const void* from, std::size_t bytes) {
    if (bytes != 0) std::memcpy(to, from, bytes);
  }
  static void copy(void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
    if (bytes == 0) return;
    detail::check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream),
                  "copying what ranks tell each other");
  }

  /// Copies what an operation has received. A copy to pageable memory waits in the driver, without
  /// a deadline: it begins when the operation has ended.
  void copy_to_host(void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
    wait(stream);
    copy(to, from, bytes, stream);
    wait(stream);
  }

  /// Returns the most that goes to another rank, or comes from one.
  std::uint64_t most_of(const parts<const char>& sent, const parts<char>& received) const {
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(size_); ++i) {
      if (i == static_cast<std::size_t>(rank_)) continue;
      most = (std::max)({most, sent.bytes(i), received.bytes(i)});
    }
    return most;
  }

  /// Exchanges from and to memory of the device.
  void exchange(const parts<const char>& sent, const parts<char>& received, cudaStream_t stream) {
    const auto self = static_cast<std::size_t>(rank_);
    copy(received.at(self), sent.at(self), sent.bytes(self), stream);
    const std::uint64_t most = most_of(sent, received);
    for (std::uint64_t begin = 0; begin < most; begin += piece_bytes) {
      exchange_pieces(
          [&](std::size_t to) {
            return piece<const char>{sent.at(to) + begin,
                                     sent.bytes_of_piece(to, begin, piece_bytes)};
          },
          [&](std::size_t from) {
            return piece<char>{received.at(from) + begin,
                               received.bytes_of_piece(from, begin, piece_bytes)};
          },
          stream);
    }
    wait(stream);
  }

  /// Exchanges from and to host memory: packed on the host, and copied to the device, a piece for
  /// each rank in a round.
  void exchange_through_buffer(const parts<const char>& sent, const parts<char>& received,
                               cudaStream_t stream) {
    const auto p = static_cast<std::size_t>(size_), self = static_cast<std::size_t>(rank_);
    copy_on_host(received.at(self), sent.at(self), sent.bytes(self));
    const std::size_t most_of_piece = half_bytes / p;
    const std::uint64_t most = most_of(sent, received);
    const parts<char> out{buffer_, offsets_.data()};
    const parts<char> in{buffer_ + half_bytes, offsets_.data() + p + 1};
    char* const in_on_host = staged_.get() + half_bytes;
    for (std::uint64_t begin = 0; begin < most; begin += most_of_piece) {
      std::uint64_t* const out_offsets = offsets_.data();
      std::uint64_t* const in_offsets = offsets_.data() + p + 1;
      for (std::size_t i = 0; i < p; ++i) {
        const auto bytes = [&](const auto& all) {
          return i == self ? 0 : all.bytes_of_piece(i, begin, most_of_piece);
        };
        out_offsets[i + 1] = out_offsets[i] + bytes(sent);
        in_offsets[i + 1] = in_offsets[i] + bytes(received);
        copy_on_host(staged_.get() + out_offsets[i], sent.at(i) + begin, bytes(sent));
      }
      copy(out.data, staged_.get(), out_offsets[p], stream);
      exchange_pieces(
          [&](std::size_t to) {
            return piece<char>{out.at(to), out.bytes(to)};
          },
          [&](std::size_t from) {
            return piece<char>{in.at(from), in.bytes(from)};
          },
          stream);
      copy_to_host(in_on_host, in.data, in_offsets[p], stream);
      for (std::size_t i = 0; i < p; ++i) {
        copy_on_host(received.at(i) + begin, in_on_host + in_offsets[i], in.bytes(i));
      }
    }
  }

  template <class Byte>
  struct piece {
    Byte* data;
    std::size_t bytes;
  };

  /// Sends the piece sent(i) to rank i, and receives received(i) from it.
  template <class Sent, class Received>
  void exchange_pieces(const Sent& sent, const Received& received, cudaStream_t stream) {
    const auto p = static_cast<std::size_t>(size_), self = static_cast<std::size_t>(rank_);
    require(ncclGroupStart(), "beginning an exchange");
    ncclResult_t status = ncclSuccess;  // a group that has begun must end
    const auto keep = [&](ncclResult_t s) {
      if (status == ncclSuccess && s != ncclInProgress) status = s;
    };
    for (std::size_t shift = 1; shift < p; ++shift) {
      const std::size_t to = (self + shift) % p, from = (self + p - shift) % p;
      if (const auto out = sent(to); out.bytes != 0) {
        keep(ncclSend(out.data, out.bytes, ncclChar, static_cast<int>(to), comm_, stream));
      }
      if (const auto in = received(from); in.bytes != 0) {
        keep(ncclRecv(in.data, in.bytes, ncclChar, static_cast<int>(from), comm_, stream));
      }
    }
    keep(ncclGroupEnd());
    require(status, "exchanging elements");
    settle(clock::now());
  }

  using clock = std::chrono::steady_clock;

  /// Waits for the stream, as long as no rank fails and the deadline has not passed.
  void wait(cudaStream_t stream) {
    const auto begin = clock::now();
    settle(begin);
    for (;;) {
      const cudaError_t status = cudaStreamQuery(stream);
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
  std::unique_ptr<detail::distributed::link_end> own_;
  char* buffer_ = nullptr;  // on the device
  std::unique_ptr<char[]> staged_;
  std::vector<std::uint64_t> offsets_;  // of what is in either
};

/// Makes a communicator for the calls of <gpusort/distributed.hpp>, of NCCL's.
///
/// @param comm  as nccl_communicator takes them, like stream and deadline
/// @return the communicator
/// @throws gpusort::distributed::nccl_error  for what NCCL reports
/// @throws gpusort::cuda_error  for what CUDA reports, such as too little memory
inline nccl_communicator nccl(
    ncclComm_t comm, cudaStream_t stream = nullptr,
    std::chrono::milliseconds deadline = nccl_communicator::usual_deadline) {
  return nccl_communicator(comm, stream, deadline);
}

}  // namespace distributed
}  // namespace GPUSORT_ABI
}  // namespace gpusort

#endif
