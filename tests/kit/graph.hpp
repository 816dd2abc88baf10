// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "device.hpp"

namespace kit {

/// Records what `work` put on a stream, instead of running it, to be launched any number of times.
class graph {
 public:
  template <class Work>
  graph(cudaStream_t s, Work work) {
    cuda_ok(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    try {
      work();
    } catch (...) {
      cudaStreamEndCapture(s, &graph_);
      if (graph_ != nullptr) cudaGraphDestroy(graph_);
      cudaGetLastError();
      throw;
    }
    cuda_ok(cudaStreamEndCapture(s, &graph_));
    cuda_ok(cudaGraphInstantiate(&executable_, graph_, 0));
  }
  graph(const graph&) = delete;
  graph& operator=(const graph&) = delete;
  ~graph() {
    if (executable_ != nullptr) cudaGraphExecDestroy(executable_);
    if (graph_ != nullptr) cudaGraphDestroy(graph_);
  }

  void launch(cudaStream_t s) const {
    // A copy from pageable memory may return before it has arrived, and `s` does not wait for it.
    cuda_ok(cudaDeviceSynchronize());
    cuda_ok(cudaGraphLaunch(executable_, s));
    cuda_ok(cudaStreamSynchronize(s));
  }

 private:
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
};

}  // namespace kit
