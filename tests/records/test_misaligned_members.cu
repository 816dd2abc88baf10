// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On a device a misaligned read ends the context; on the CPU the compiler traps it
// (device_on_cpu/CMakeLists.txt).
#include "misaligned_members.hpp"

#include "../kit/device.hpp"

namespace kit {
namespace {

class misaligned_members : public gpu_test {};

TEST_F(misaligned_members, of_orders) {
  for (std::size_t n : {2, 700, 7422}) orders_of_misaligned_members(gpusort::par_gpu, n);
}
TEST_F(misaligned_members, of_projections) {
  for (std::size_t n : {2, 700, 7422}) projections_to_misaligned_members(gpusort::par_gpu, n);
}

}  // namespace
}  // namespace kit
