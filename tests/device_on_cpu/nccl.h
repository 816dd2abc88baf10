// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the library calls of NCCL, between devices that are the CPU: ranks are threads of a process.
// An operation ends before it returns, and fails where the other ranks have not come after 5 s. On
// a stream under capture it does nothing.
#pragma once

#include <cuda_runtime_api.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

enum ncclResult_t {
  ncclSuccess,
  ncclSystemError,
  ncclInvalidUsage,
  ncclRemoteError,
  ncclInProgress
};
enum ncclDataType_t { ncclChar };

namespace kit {

/// Holds what is on its way between two ranks, one message after the other.
struct nccl_world {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::pair<int, int>, std::deque<std::vector<char>>> messages;

  void send(int from, int to, const void* data, std::size_t bytes) {
    const std::lock_guard<std::mutex> lock(mutex);
    const char* const begin = static_cast<const char*>(data);
    messages[{from, to}].emplace_back(begin, begin + bytes);
    changed.notify_all();
  }
  ncclResult_t receive(int from, int to, void* data, std::size_t bytes) {
    std::unique_lock<std::mutex> lock(mutex);
    auto& queue = messages[{from, to}];
    if (!changed.wait_for(lock, std::chrono::seconds(5), [&] { return !queue.empty(); })) {
      return ncclRemoteError;
    }
    const std::vector<char> message = std::move(queue.front());
    queue.pop_front();
    if (message.size() != bytes) return ncclInvalidUsage;
    std::memcpy(data, message.data(), bytes);
    return ncclSuccess;
  }
};

}  // namespace kit

struct ncclComm {
  std::shared_ptr<kit::nccl_world> world;
  int rank, ranks, device;
};
using ncclComm_t = ncclComm*;

namespace kit {

inline bool is_done(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaStreamIsCapturing(stream, &status);
  return status == cudaStreamCaptureStatusNone;
}

struct nccl_receipt {
  ncclComm_t comm;
  int from;
  void* data;
  std::size_t bytes;
};
inline thread_local std::vector<nccl_receipt> receipts;  // of the group that has begun

}  // namespace kit

inline ncclResult_t ncclCommInitAll(ncclComm_t* comms, int ranks, const int* devices) {
  const auto world = std::make_shared<kit::nccl_world>();
  for (int r = 0; r < ranks; ++r) comms[r] = new ncclComm{world, r, ranks, devices[r]};
  return ncclSuccess;
}
inline ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  delete comm;
  return ncclSuccess;
}
inline ncclResult_t ncclCommAbort(ncclComm_t comm) { return ncclCommDestroy(comm); }
inline ncclResult_t ncclCommUserRank(ncclComm_t comm, int* rank) {
  *rank = comm->rank;
  return ncclSuccess;
}
inline ncclResult_t ncclCommCount(ncclComm_t comm, int* ranks) {
  *ranks = comm->ranks;
  return ncclSuccess;
}
inline ncclResult_t ncclCommCuDevice(ncclComm_t comm, int* device) {
  *device = comm->device;
  return ncclSuccess;
}
inline ncclResult_t ncclCommGetAsyncError(ncclComm_t, ncclResult_t* error) {
  *error = ncclSuccess;
  return ncclSuccess;
}
inline const char* ncclGetErrorString(ncclResult_t) {
  return "an error between devices on the CPU";
}

inline ncclResult_t ncclAllGather(const void* send, void* receive, std::size_t bytes,
                                  ncclDataType_t, ncclComm_t comm, cudaStream_t stream) {
  if (!kit::is_done(stream)) return ncclSuccess;
  cudaGetLastError();
  for (int r = 0; r < comm->ranks; ++r) comm->world->send(comm->rank, r, send, bytes);
  for (int r = 0; r < comm->ranks; ++r) {
    char* const to = static_cast<char*>(receive) + static_cast<std::size_t>(r) * bytes;
    const ncclResult_t status = comm->world->receive(r, comm->rank, to, bytes);
    if (status != ncclSuccess) return status;
  }
  return ncclSuccess;
}
inline ncclResult_t ncclGroupStart() {
  kit::receipts.clear();
  return ncclSuccess;
}
inline ncclResult_t ncclSend(const void* data, std::size_t bytes, ncclDataType_t, int to,
                             ncclComm_t comm, cudaStream_t stream) {
  if (kit::is_done(stream)) comm->world->send(comm->rank, to, data, bytes);
  return ncclSuccess;
}
inline ncclResult_t ncclRecv(void* data, std::size_t bytes, ncclDataType_t, int from,
                             ncclComm_t comm, cudaStream_t stream) {
  if (kit::is_done(stream)) kit::receipts.push_back({comm, from, data, bytes});
  return ncclSuccess;
}
inline ncclResult_t ncclGroupEnd() {
  cudaGetLastError();
  for (const kit::nccl_receipt& r : kit::receipts) {
    const ncclResult_t status = r.comm->world->receive(r.from, r.comm->rank, r.data, r.bytes);
    if (status != ncclSuccess) return status;
  }
  return ncclSuccess;
}
