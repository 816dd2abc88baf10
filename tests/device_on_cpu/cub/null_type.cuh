// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace cub {

struct NullType {};

}  // namespace cub
