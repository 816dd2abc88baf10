// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As under -fno-exceptions.
// expect: gpusort needs exceptions
#undef __EXCEPTIONS
#undef __cpp_exceptions
#include <gpusort/version.hpp>
