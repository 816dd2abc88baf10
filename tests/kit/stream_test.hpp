// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>

#include "device.hpp"

namespace kit {

/// A gpu_test with a stream, made only where there is a device to make it on.
class stream_test : public gpu_test {
 protected:
  void SetUp() override {
    gpu_test::SetUp();
    if (IsSkipped()) return;
    owner_.emplace();
    stream_ = *owner_;
  }

  cudaStream_t stream_ = nullptr;

 private:
  std::optional<stream> owner_;
};

}  // namespace kit
