// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <thrust/system/cpp/execution_policy.h>

namespace thrust {
namespace cuda {

/// Thrust's algorithms under a policy of the library run on the CPU.
template <class Derived>
struct execution_policy : system::cpp::detail::execution_policy<Derived> {
  using tag_type = system::cpp::tag;
};

}  // namespace cuda
}  // namespace thrust
