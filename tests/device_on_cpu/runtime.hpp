// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <functional>

namespace kit {

/// Least bytes that a device of the generation has.
constexpr std::size_t shared_memory_per_block = (GPUSORT_CPU_ARCHITECTURE >= 1200  ? 99
                                                 : GPUSORT_CPU_ARCHITECTURE >= 900 ? 227
                                                 : GPUSORT_CPU_ARCHITECTURE >= 800 ? 99
                                                                                   : 64) *
                                                1024;
constexpr std::size_t shared_memory_per_multiprocessor = shared_memory_per_block + 1024;
constexpr int multiprocessors = 4;  // few, so that cooperative launches have few blocks
constexpr int threads_per_multiprocessor = GPUSORT_CPU_ARCHITECTURE >= 1000  ? 1536
                                           : GPUSORT_CPU_ARCHITECTURE >= 900 ? 2048
                                           : GPUSORT_CPU_ARCHITECTURE >= 800 ? 1536
                                                                             : 1024;

/// Does the work, or lets a graph do it later if the stream is being captured.
void on_stream(cudaStream_t stream, std::function<void()> work);

/// Allows the kernel that much dynamic shared memory.
void allow_shared_memory(const void* kernel, std::size_t bytes);

/// Answer of cudaGetDeviceCount.
extern cudaError_t answer_to_device_count;

/// Remembers an error, if it is one, for cudaGetLastError.
cudaError_t said(cudaError_t status);

/// Returns what a device would say to the launch, as far as that can be told without the kernel's
/// registers and its static shared memory.
cudaError_t try_launch(const cudaLaunchConfig_t& config, const void* kernel);

}  // namespace kit
