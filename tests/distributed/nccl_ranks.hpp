// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks over NCCL: a thread for each device of the machine, of which there may be one.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <gpusort/distributed/nccl.hpp>
#include <stdexcept>
#include <thread>
#include <vector>

#include "../kit/device.hpp"

namespace kit {

inline void nccl_ok(ncclResult_t status) {
  if (status != ncclSuccess) throw std::runtime_error(ncclGetErrorString(status));
}

class nccl_test : public gpu_test {
 protected:
  using communicator = gpusort::distributed::nccl_communicator;

  void SetUp() override {
    gpu_test::SetUp();
    if (IsSkipped()) return;
    int count = 0;
    cuda_ok(cudaGetDeviceCount(&count));
    for (int device = 0; device < count; ++device) devices_.push_back(device);
    comms_.resize(devices_.size());
    nccl_ok(ncclCommInitAll(comms_.data(), count, devices_.data()));
  }
  void TearDown() override {
    for (const ncclComm_t comm : comms_) ncclCommDestroy(comm);
    gpu_test::TearDown();
  }

  /// Calls body(communicator, stream, rank) on a thread for each rank. What a rank throws fails
  /// the test.
  void on_all(const std::function<void(communicator&, cudaStream_t, std::size_t)>& body) {
    std::vector<std::thread> threads;
    for (std::size_t r = 0; r < comms_.size(); ++r) {
      threads.emplace_back([&, r] {
        try {
          cuda_ok(cudaSetDevice(devices_[r]));
          const stream own;
          auto world = gpusort::distributed::nccl(comms_[r], own, std::chrono::seconds(30));
          body(world, own, r);
          own.synchronize();
        } catch (const std::exception& e) {
          ADD_FAILURE() << "rank " << r << ": " << e.what();
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }

  std::vector<int> devices_;
  std::vector<ncclComm_t> comms_;
};

}  // namespace kit
