// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace kit {

/// Expects that the call throws std::invalid_argument. Its text names the public function, says
/// what is wrong, and after a semicolon says what to do.
template <class Call>
void expect_refusal(const std::string& name, const std::string& wrong, Call call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    const std::string text = error.what(), begin = "gpusort::" + name + ": " + wrong + "; ";
    EXPECT_EQ(text.substr(0, begin.size()), begin);
    EXPECT_GT(text.size(), begin.size() + 5) << text;
    return;
  }
  ADD_FAILURE() << name << " is not refused where " << wrong;
}

}  // namespace kit
