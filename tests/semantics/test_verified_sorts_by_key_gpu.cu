// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts by key and argsorts under verify and keep_input on a device, as on the CPU.
#include "../kit/verify_by_key_public_api.hpp"
