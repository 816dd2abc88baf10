// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merges and sorts of segments under verify and keep_input on a device, as on the CPU.
#include "../kit/verify_merges_public_api.hpp"
