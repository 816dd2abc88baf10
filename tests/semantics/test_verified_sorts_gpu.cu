// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts under verify and keep_input on a device, as on the CPU.
#include "../kit/verify_public_api.hpp"
